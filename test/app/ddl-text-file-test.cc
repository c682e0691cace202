// SPDX-License-Identifier: GPL-2.0-only
#include "app/text/ddl-text-file.h"

#include "ns3/ddl-error.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3::ddl;

namespace
{

/** A folder that goes away with the test. */
class TextFile : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_folder = std::filesystem::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Write(const std::string& name, const std::string& text)
    {
        std::ofstream(m_folder / name, std::ios::binary) << text;
        return (m_folder / name).string();
    }

    std::filesystem::path m_folder;
};

/** \return what is said about a file or text that must be refused */
template <typename Call>
Diagnostic
Refusal(Call call)
{
    try
    {
        call();
    }
    catch (const InputError& error)
    {
        return error.GetDiagnostics().at(0);
    }
    ADD_FAILURE() << "not refused";
    return {};
}

Diagnostic
RefusalOf(const std::string& text)
{
    return Refusal([&] { CheckUtf8(text, "f.json"); });
}

} // namespace

TEST_F(TextFile, ReadsAllBytes)
{
    const std::string text = std::string("a\r\n\0b", 5) + std::string(200000, 'x');
    EXPECT_EQ(ReadTextFile(Write("a.json", text)), text);
}

TEST_F(TextFile, MissingFileOffersItsNeighbour)
{
    Write("scenario.json", "{}");
    const std::string missing = (m_folder / "scenari.json").string();
    const Diagnostic refusal = Refusal([&] { ReadTextFile(missing); });
    EXPECT_EQ(refusal.where, missing);
    EXPECT_EQ(refusal.what,
              "cannot be opened: No such file or directory; did you mean " +
                  (m_folder / "scenario.json").string() + "?");
}

TEST_F(TextFile, FolderIsNoFile)
{
    EXPECT_EQ(Refusal([&] { ReadTextFile(m_folder.string()); }).what,
              "is a folder, a file is needed");
}

TEST_F(TextFile, UnreadableFileIsReported)
{
    // opens for everybody, but there is no memory mapped at its first byte
    const Diagnostic refusal = Refusal([] { ReadTextFile("/proc/self/mem"); });
    EXPECT_EQ(refusal.what, "cannot be read: Input/output error");
}

TEST_F(TextFile, SizeIsLimited)
{
    const std::string path = Write("big", std::string(1 << 20, ' '));
    EXPECT_EQ(ReadTextFile(path, 1 << 20).size(), std::size_t{1} << 20);
    EXPECT_EQ(Refusal([] { ReadTextFile("/dev/zero"); }).what, "is too large (at most 16 MiB)");
}

TEST(Utf8, GoodTextPasses)
{
    // one to four bytes a character, and the ends of each range
    CheckUtf8("{\"a\": \"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"}\r\n\t", "f.json");
    CheckUtf8(
        "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
        "f.json");
}

TEST(Utf8, BadTextIsRefusedWithItsPlace)
{
    EXPECT_EQ(RefusalOf("").what, "is empty (at least {} is needed)");
    EXPECT_EQ(RefusalOf("\xEF\xBB\xBF{}").what,
              "begins with a byte order mark; save it as UTF-8 without one");
    const Diagnostic latin1 = RefusalOf("{\n  \"caf\xE9\": 1}");
    EXPECT_EQ(latin1.where, "f.json:2");
    EXPECT_EQ(latin1.what, "column 7: byte 0xE9 is not UTF-8; save the file as UTF-8 text");
    const Diagnostic binary = RefusalOf(std::string("\x7F"
                                                    "ELF\0\0",
                                                    6));
    EXPECT_EQ(binary.where, "f.json:1");
    EXPECT_EQ(binary.what, "column 1: byte 0x7F is a control character; is this a text file?");
}

TEST(Utf8, IllFormedSequencesAreRefused)
{
    // a lone follower, overlong forms, surrogates, above U+10FFFF, cut off (RFC 3629, section 4)
    for (const char* text : {"\x80",
                             "\xC0\x80",
                             "\xC1\xBF",
                             "\xE0\x9F\xBF",
                             "\xF0\x8F\xBF\xBF",
                             "\xED\xA0\x80",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xC3",
                             "\xE2\x82",
                             "\xF0\x9F\x98",
                             "\xE2\x28\xA1"})
    {
        EXPECT_NE(RefusalOf(text).what.find("is not UTF-8"), std::string::npos);
    }
}
