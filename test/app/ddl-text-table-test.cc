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

} // namespace
} // namespace ns3::ddl
