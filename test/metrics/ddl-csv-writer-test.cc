// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-csv-writer.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(CsvWriter, WritesTimesToTheNanosecondWithoutRounding)
{
    EXPECT_EQ(FormatSeconds(NanoSeconds(1)), "0.000000001");
    EXPECT_EQ(FormatSeconds(Seconds(3600)), "3600.000000000");
    // 9007199254740993 ns has one digit more than a double holds.
    EXPECT_EQ(FormatSeconds(NanoSeconds(9007199254740993)), "9007199.254740993");
}

TEST(CsvWriter, QuotesWhatWouldBreakTheRow)
{
    CsvWriter csv("a,b");
    csv.Cell(std::string("x,y")).Cell(std::string("say \"no\"")).EndRow();
    EXPECT_EQ(csv.GetText(), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n");
}

TEST(CsvWriter, LeavesEmptyWhatWasNotMeasured)
{
    CsvWriter csv("a,b,c");
    csv.Cell(std::optional<double>()).Cell(std::optional<double>(1.5)).Empty().EndRow();
    EXPECT_EQ(csv.GetText(), "a,b,c\n,1.5,\n");
}

TEST(CsvWriter, CountsHaveAllTheirDigits)
{
    CsvWriter csv("a,b,c");
    csv.Cell(CsvCount{12345678901.0}).Cell(CsvCount{0.12345678912}).Cell(12345678901.0).EndRow();
    EXPECT_EQ(csv.GetText(), "a,b,c\n12345678901,0.123456789,1.23456789e+10\n");
}

TEST(CsvWriterDeathTest, RefusesARowOfAnotherWidth)
{
    CsvWriter csv("a,b");
    csv.Cell(uint64_t{1});
    EXPECT_DEATH(csv.EndRow(), "1 cells under 2 columns");
}
