// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-statistics.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

TEST(Statistics, DescribesByHandArithmetic)
{
    // sorted: 1 2 3 4 10; mean 20/5 = 4; positions (n-1)p: 2, 3.6, 3.8, 3.96
    const Distribution d = Describe({10, 3, 1, 4, 2});
    EXPECT_EQ(d.count, 5U);
    EXPECT_DOUBLE_EQ(d.mean, 4);
    EXPECT_DOUBLE_EQ(d.p50, 3);
    EXPECT_DOUBLE_EQ(d.p90, 4 + 0.6 * 6);
    EXPECT_DOUBLE_EQ(d.p95, 4 + 0.8 * 6);
    EXPECT_DOUBLE_EQ(d.p99, 4 + 0.96 * 6);
}

TEST(Statistics, DescribesOneValueAndNone)
{
    const Distribution one = Describe({7.5});
    EXPECT_EQ(one.count, 1U);
    EXPECT_EQ(one.mean, 7.5);
    EXPECT_EQ(one.p50, 7.5);
    EXPECT_EQ(one.p99, 7.5);
    EXPECT_EQ(Describe({}).count, 0U);
}

TEST(Statistics, PercentilesAreThoseOfType7)
{
    // R: quantile(c(1,2,3,4), type=7) is 1 1.75 2.5 3.25 4
    const std::vector<double> sorted{1, 2, 3, 4};
    EXPECT_DOUBLE_EQ(Percentile(sorted, 0), 1);
    EXPECT_DOUBLE_EQ(Percentile(sorted, 25), 1.75);
    EXPECT_DOUBLE_EQ(Percentile(sorted, 50), 2.5);
    EXPECT_DOUBLE_EQ(Percentile(sorted, 75), 3.25);
    EXPECT_DOUBLE_EQ(Percentile(sorted, 100), 4);
}

TEST(Statistics, StudentQuantilesAreThoseOfTheTable)
{
    // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975
    EXPECT_NEAR(StudentT975(1), 12.7062047362, 1e-9);
    EXPECT_NEAR(StudentT975(2), 4.30265272975, 1e-10);
    EXPECT_NEAR(StudentT975(4), 2.77644510520, 1e-10);
    EXPECT_NEAR(StudentT975(9), 2.26215716280, 1e-10);
    EXPECT_NEAR(StudentT975(29), 2.04522964213, 1e-10);
    EXPECT_NEAR(StudentT975(100), 1.98397151852, 1e-10);
}

TEST(Statistics, IntervalByHandArithmetic)
{
    // mean 5; squares 9+1+1+1+4+0+0+16 = 32 over n-1 = 7, s = 2.13809, s/sqrt(8) = 0.755929,
    // t(7) = 2.364624, half width 1.787488
    const Estimate e = EstimateMean({2, 4, 4, 4, 7, 5, 5, 9});
    EXPECT_DOUBLE_EQ(e.mean, 5);
    ASSERT_TRUE(e.halfWidth);
    EXPECT_NEAR(*e.halfWidth, 1.787488, 1e-6);
}

TEST(Statistics, OneValueHasNoIntervalAndEqualValuesAnEmptyOne)
{
    EXPECT_FALSE(EstimateMean({3}).halfWidth);
    EXPECT_EQ(*EstimateMean({3, 3, 3}).halfWidth, 0);
}

TEST(Statistics, RatiosArePairedByReplication)
{
    // each replication is halved exactly, however much the replications differ
    const auto ratio = EstimateRatio({1, 5, 50}, {2, 10, 100});
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->mean, 0.5);
    EXPECT_NEAR(*ratio->halfWidth, 0, 1e-12);
}

TEST(Statistics, RatiosLeaveOutIncompletePairs)
{
    const auto ratio = EstimateRatio({1, std::nullopt, 3, 9}, {2, 10, std::nullopt, 0});
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->mean, 0.5) << "only the first pair counts";
    EXPECT_FALSE(ratio->halfWidth);
    EXPECT_FALSE(EstimateRatio({std::nullopt}, {1}));
    EXPECT_FALSE(EstimateRatio({1}, {0}));
}

} // namespace
} // namespace ns3::ddl
