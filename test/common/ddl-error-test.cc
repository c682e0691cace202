// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace
{

TEST(DiagnosticTest, JoinsItsThreePartsWithColons)
{
    const Diagnostic full{"a.json:3", "/cluster/hosts", "not a number"};
    EXPECT_EQ(full.ToString(), "a.json:3: /cluster/hosts: not a number");
}

TEST(DiagnosticTest, LeavesEmptyPartsOutWithoutTheirColons)
{
    EXPECT_EQ((Diagnostic{"", "", "no such file"}).ToString(), "no such file");
    EXPECT_EQ((Diagnostic{"--set", "", "no '='"}).ToString(), "--set: no '='");
    EXPECT_EQ((Diagnostic{"", "/seed", "negative"}).ToString(), "/seed: negative");
}

TEST(DiagnosticTest, IsOneLineWhateverTheUserWrote)
{
    const Diagnostic odd{"a\nb.json:3", "/x\ty", "unknown \"one\r\ntwo\x1B[2J\""};
    EXPECT_EQ(odd.ToString(), "a\\nb.json:3: /x\\ty: unknown \"one\\r\\ntwo\\x1B[2J\"");
}

TEST(DiagnosticTest, CutsLongValuesAndKeepsLongMenus)
{
    const std::string value(10000, 'v');
    EXPECT_EQ((Diagnostic{"", "", "there is no \"" + value + "\" (a, b)"}).ToString(),
              "there is no \"" + std::string(60, 'v') + "...\" (a, b)");
    const std::string spaced = value + " " + value;
    EXPECT_EQ((Diagnostic{"", "", "no \"" + spaced + "\""}).ToString(),
              "no \"" + std::string(60, 'v') + "...\"");
    EXPECT_EQ((Diagnostic{"", "", value + " is odd"}).ToString(),
              std::string(60, 'v') + "... is odd");
    EXPECT_EQ((Diagnostic{"f:1", "/a/" + value + "/b", "odd"}).ToString(),
              "f:1: /a/" + std::string(60, 'v') + ".../b: odd");
    // 59 letters and one of two bytes, of which 60 bytes would keep the first
    const std::string accents = std::string(59, 'v') + "\u00e9" + value;
    EXPECT_EQ((Diagnostic{"", "", "no \"" + accents + "\""}).ToString(),
              "no \"" + std::string(59, 'v') + "...\"");
    std::string menu = "one of ";
    for (int i = 0; i < 1000; ++i)
    {
        menu += "\"name" + std::to_string(i) + "\", ";
    }
    EXPECT_EQ((Diagnostic{"", "", menu}).ToString(), menu);
}

TEST(InputErrorTest, KeepsAllDiagnosticsInTheOrderOfTheInput)
{
    const InputError error({{"a:1", "/x", "first"}, {"a:2", "/y", "second"}});
    ASSERT_EQ(error.GetDiagnostics().size(), 2u);
    EXPECT_EQ(error.GetDiagnostics()[0].what, "first");
    EXPECT_EQ(error.GetDiagnostics()[1].pointer, "/y");
    EXPECT_STREQ(error.what(), "a:1: /x: first\na:2: /y: second");
}

TEST(InputErrorTest, ASingleComplaintIsOneDiagnosticWithoutAPlace)
{
    const InputError error("no such policy");
    ASSERT_EQ(error.GetDiagnostics().size(), 1u);
    EXPECT_EQ(error.GetDiagnostics()[0].where, "");
    EXPECT_STREQ(error.what(), "no such policy");
}

TEST(NearestNameTest, FindsInsertedDroppedAndSwappedLetters)
{
    const std::vector<std::string> legal{"baraat", "fair-share", "grouper", "sptf"};
    EXPECT_EQ(NearestName("groupper", legal), "grouper");     // 1 letter inserted
    EXPECT_EQ(NearestName("fair-shre", legal), "fair-share"); // 1 letter dropped
    EXPECT_EQ(NearestName("barata", legal), "baraat");        // 2 replaced; 6 / 3 = 2 are allowed
    EXPECT_EQ(NearestName("fairshare", legal), "fair-share"); // the dash is missing
}

TEST(NearestNameTest, CountsASwapOfNeighboursAsOneEdit)
{
    // four letters allow one edit (4 / 3 = 1); as two substitutions these would be too far
    EXPECT_EQ(NearestName("rign", {"ring", "tree"}), "ring");
    EXPECT_EQ(NearestName("spft", {"sebf", "sptf"}), "sptf");
    EXPECT_EQ(NearestName("nrig", {"ring"}), ""); // two swaps are too far
    // "ca" -> "abc" takes 3 edits where no part is edited twice; 3 > max(1, 3 / 3)
    EXPECT_EQ(NearestName("ca", {"abc"}), "");
}

TEST(NearestNameTest, AllowsAThirdOfTheLongerNameAndNoMore)
{
    // "abcdef" -> "abcdxy": 2 of 6 differ, a third; -> "abcxyz": 3 of 6, too far
    EXPECT_EQ(NearestName("abcdxy", {"abcdef"}), "abcdef");
    EXPECT_EQ(NearestName("abcxyz", {"abcdef"}), "");
    // short names: one letter is always allowed
    EXPECT_EQ(NearestName("tp", {"tcp"}), "tcp");
    EXPECT_EQ(NearestName("xy", {"tcp"}), "");
}

TEST(NearestNameTest, TakesTheNearestAndTheFirstOfEquals)
{
    // "rings": distance 1 to "ring", 2 to "string"
    EXPECT_EQ(NearestName("rings", {"string", "ring"}), "ring");
    // "tree1": distance 1 to both
    EXPECT_EQ(NearestName("tree1", {"tree2", "tree3"}), "tree2");
}

TEST(NearestNameTest, HasNothingToOfferFromAnEmptyMenu)
{
    EXPECT_EQ(NearestName("grouper", {}), "");
}

TEST(JoinNamesTest, PutsCommasBetween)
{
    EXPECT_EQ(JoinNames({}), "");
    EXPECT_EQ(JoinNames({"a"}), "a");
    EXPECT_EQ(JoinNames({"a", "b", "c"}), "a, b, c");
}

} // namespace
} // namespace ns3::ddl
