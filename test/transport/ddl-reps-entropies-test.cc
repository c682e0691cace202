// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-reps-entropies.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3::ddl
{
namespace
{

/** Of 2^20 values two random ones are hardly ever equal. */
constexpr uint32_t VALUES = 1U << 20;

TEST(RepsEntropies, WithoutAnswersAllAreRandom)
{
    RepsEntropies reps(1, 16, true);
    std::set<uint32_t> seen;
    for (int i = 0; i < 1000; ++i)
    {
        const uint32_t entropy = reps.Next(Time(0));
        ASSERT_LT(entropy, 16U);
        seen.insert(entropy);
    }
    EXPECT_EQ(seen.size(), 16U);
}

TEST(RepsEntropies, GoodOnesAreUsedAgainInTheirOrderAndMarkedOnesAreDropped)
{
    RepsEntropies reps(1, VALUES, true);
    reps.OnAnswer(11, false);
    reps.OnAnswer(12, true);
    reps.OnAnswer(13, false);
    EXPECT_EQ(reps.Next(Time(0)), 11U);
    EXPECT_EQ(reps.Next(Time(0)), 13U);
    const std::set<uint32_t> old{11, 12, 13};
    EXPECT_EQ(old.count(reps.Next(Time(0))), 0U) << "no fresh one is left";
}

TEST(RepsEntropies, TheRingKeepsTheLatestEight)
{
    RepsEntropies reps(1, VALUES, true);
    for (uint32_t i = 0; i < 10; ++i)
    {
        reps.OnAnswer(i, false);
    }
    for (uint32_t i = 2; i < 10; ++i)
    {
        EXPECT_EQ(reps.Next(Time(0)), i);
    }
}

TEST(RepsEntropies, ALossFreezesTheRingForTenMilliseconds)
{
    RepsEntropies reps(1, VALUES, true);
    reps.OnAnswer(11, false);
    reps.OnAnswer(12, false);
    reps.Next(Time(0));
    reps.OnLoss(MilliSeconds(1));
    EXPECT_TRUE(reps.IsFrozen());
    for (int i = 0; i < 100; ++i) // fresh or not
    {
        EXPECT_EQ(reps.Next(MilliSeconds(2)), 11U);
        EXPECT_EQ(reps.Next(MilliSeconds(2)), 12U);
    }
    reps.Next(MilliSeconds(11));
    EXPECT_FALSE(reps.IsFrozen());
    reps.OnLoss(MilliSeconds(11));
    EXPECT_FALSE(reps.IsFrozen()) << "16 packets explore first";
    std::set<uint32_t> seen;
    for (uint32_t i = 1; i < RepsEntropies::EXPLORATION; ++i)
    {
        seen.insert(reps.Next(MilliSeconds(11)));
    }
    EXPECT_EQ(seen.size(), RepsEntropies::EXPLORATION - 1);
}

} // namespace
} // namespace ns3::ddl
