// SPDX-License-Identifier: GPL-2.0-only
#include "app/text/ddl-text-table.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::ddl
{
namespace
{

TEST(TextTable, AlignsTheFirstColumnLeftAndTheOthersRight)
{
    TextTable table({"name", "SCT", ""});
    table.AddRow({"fair-share", "8.0", "x"});
    table.AddRow({"é", "12.5 ±1", ""});
    std::ostringstream os;
    table.Print(os);
    EXPECT_EQ(os.str(),
              "name            SCT\n"
              "----------------------\n"
              "fair-share      8.0  x\n"
              "é           12.5 ±1\n");
}

TEST(TextTable, BreaksTextsWhereATableWouldBeTooWide)
{
    TextTable table({"name", "why", "n"});
    table.AddRow({"é", "one two three four five six", "1"});
    table.AddRow({"fair-share", "unbreakablyLongWord x", ""});
    std::ostringstream os;
    table.Print(os, 30, true); // 10 + 2 + 15 + 2 + 1
    EXPECT_EQ(os.str(),
              "name        why                  n\n"
              "----------------------------------\n"
              "é           one two three        1\n"
              "            four five six\n"
              "fair-share  unbreakablyLongWord\n"
              "            x\n");
    os.str("");
    table.Print(os, 1000, true);
    EXPECT_NE(os.str().find("\né           one two three four five six  1\n"), std::string::npos);
    EXPECT_EQ(WrapText("", 5), std::vector<std::string>{""});
    EXPECT_EQ(WrapText("ab cd\nef", 5), (std::vector<std::string>{"ab cd", "ef"}));
    EXPECT_EQ(WrapText("ab cd", 4), (std::vector<std::string>{"ab", "cd"}));
}

TEST(TextTable, FormatsNumbersWithoutExponentWhereTheyAreReadable)
{
    EXPECT_EQ(FormatNumber(6.5), "6.500");
    EXPECT_EQ(FormatNumber(12), "12.00");
    EXPECT_EQ(FormatNumber(0.8126), "0.813");
    EXPECT_EQ(FormatNumber(123456), "123456");
    EXPECT_EQ(FormatNumber(0), "0.000");
    EXPECT_EQ(FormatNumber(-2.25, 3), "-2.25");
    EXPECT_EQ(FormatNumber(1234567), "1.235e+06");
    EXPECT_EQ(FormatNumber(0.00012), "1.200e-04");
}

TEST(TextTable, BytesAreWrittenForPeople)
{
    EXPECT_EQ(FormatSize(12), "12 B");
    EXPECT_EQ(FormatSize(3400), "3.4 kB");
    EXPECT_EQ(FormatSize(123456), "123 kB");
    EXPECT_EQ(FormatSize(5e6), "5.0 MB");
}

} // namespace
} // namespace ns3::ddl
