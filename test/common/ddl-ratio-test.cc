// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-ratio.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3::ddl;

namespace
{

TEST(Ratio, IsExactWhereDoublesRound)
{
    // 1/3 + 1/6 = 1/2; 49 x 1/49 is less than 1 in doubles.
    EXPECT_TRUE(Ratio(1, 3) + Ratio(1, 6) == Ratio(1, 2));
    EXPECT_TRUE(Ratio(49) * (Ratio(1) / Ratio(49)) == Ratio(1));
    EXPECT_LT(49 * (1.0 / 49), 1);
    // Numbers that differ in the 200th bit
    Ratio large(std::numeric_limits<uint64_t>::max());
    large = large * large * large;
    EXPECT_TRUE(large < large + Ratio(1, 1'000'000));
    EXPECT_FALSE(large < large);
    EXPECT_FALSE(large + Ratio(1) == large);
}

TEST(Ratio, OfADoubleIsThatDouble)
{
    EXPECT_TRUE(Ratio::Of(0) == Ratio(0));
    EXPECT_TRUE(Ratio::Of(1.5) == Ratio(3, 2));
    EXPECT_TRUE(Ratio::Of(3e15) == Ratio(3'000'000'000'000'000));
    EXPECT_TRUE(Ratio::Of(0.1) == Ratio(3602879701896397, uint64_t{1} << 55));
    const double most = std::numeric_limits<double>::max();
    EXPECT_TRUE(Ratio::Of(most) == Ratio::Of(most / 2) * Ratio(2));
    const double least = std::numeric_limits<double>::denorm_min();
    EXPECT_TRUE(Ratio(0) < Ratio::Of(least));
    EXPECT_TRUE(Ratio::Of(2 * least) == Ratio::Of(least) * Ratio(2));
}

TEST(Ratio, FloorStopsAtTheMost)
{
    EXPECT_EQ(Ratio(7, 2).Floor(10), 3u);
    EXPECT_EQ(Ratio(8, 2).Floor(10), 4u);
    EXPECT_EQ(Ratio(7, 2).Floor(2), 2u);
    EXPECT_EQ(Ratio::Of(1e300).Floor(9), 9u);
    EXPECT_EQ((Ratio(7, 2) * Ratio(0)).Floor(9), 0u);
}

} // namespace
