// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

using namespace ns3::ddl;
namespace fs = std::filesystem;

namespace
{

std::string
ReadAll(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class SafeFile : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = fs::temp_directory_path() /
                   (std::string("ddl-safe-file-") + test->name() + std::to_string(getpid()));
        fs::create_directories(m_folder);
    }

    void TearDown() override
    {
        fs::remove_all(m_folder);
    }

    fs::path m_folder;
};

} // namespace

TEST_F(SafeFile, ReplacesAFileAndLeavesNothingElse)
{
    WriteFileSafely(m_folder / "a.csv", "first");
    WriteFileSafely(m_folder / "a.csv", "second");
    EXPECT_EQ(ReadAll(m_folder / "a.csv"), "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(SafeFile, LeavesTheOldFileWhenThereIsNoRoom)
{
    WriteFileSafely(m_folder / "a.csv", "old");
    // A limit on the size of files stands for a full disk: write() fails in the same way.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    auto* old = std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_THROW(WriteFileSafely(m_folder / "a.csv", std::string(100000, 'x')), RunError);
    std::signal(SIGXFSZ, old);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(ReadAll(m_folder / "a.csv"), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(SafeFile, MakesFoldersAndSaysWhatIsInTheWay)
{
    PrepareFolder(m_folder / "x" / "y");
    EXPECT_TRUE(fs::is_directory(m_folder / "x" / "y"));
    WriteFileSafely(m_folder / "file", "");
    try
    {
        PrepareFolder(m_folder / "file" / "sub");
        FAIL() << "a file is no folder";
    }
    catch (const RunError& error)
    {
        EXPECT_NE(std::string(error.what()).find("--out=DIR"), std::string::npos);
    }
}
