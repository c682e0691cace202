// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-fluid-progress.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace ns3::ddl
{
namespace
{

constexpr auto ONE = FluidProgress::Amount{1} << FluidProgress::FRACTION_BITS;

TEST(FluidProgressTest, StandsStillAtFirst)
{
    FluidProgress progress;
    progress.SetGoal(10);
    EXPECT_EQ(progress.PredictPassing(1), FluidProgress::NEVER);
    EXPECT_TRUE(progress.Advance(1000) == 0);
    EXPECT_FALSE(progress.HasPassed(1));
    EXPECT_TRUE(progress.HasPassed(0));
}

TEST(FluidProgressTest, PassesAByteAtTheNextWholeStep)
{
    FluidProgress progress;
    progress.SetGoal(1000);
    progress.SetRate(0.75, 100, 0);
    EXPECT_EQ(progress.PredictPassing(3), 104); // 3 / 0.75 = 4
    EXPECT_EQ(progress.PredictPassing(4), 106); // 5.33
    progress.Advance(105);
    EXPECT_TRUE(progress.HasPassed(3)); // 3.75
    EXPECT_FALSE(progress.HasPassed(4));
    EXPECT_EQ(progress.PredictPassing(4), 106);
}

TEST(FluidProgressTest, StopsAtTheGoal)
{
    FluidProgress progress;
    progress.SetGoal(10);
    progress.SetRate(3, 0, 0);
    EXPECT_TRUE(progress.Advance(100) == 10 * ONE);
    EXPECT_TRUE(progress.HasPassed(10));
    progress.SetGoal(20);
    EXPECT_EQ(progress.PredictPassing(13), 101);
}

TEST(FluidProgressTest, RemembersWhereItWas)
{
    FluidProgress progress;
    progress.SetGoal(1000);
    progress.SetRate(1, 0, 50);
    progress.SetRate(2, 100, 50); // 100 bytes so far
    progress.Advance(120);        // 140
    EXPECT_EQ(progress.GetPassed(120), 140U);
    EXPECT_EQ(progress.GetPassed(110), 120U);
    EXPECT_EQ(progress.GetPassed(70), 70U);
}

TEST(FluidProgressTest, APauseIsRememberedAsOne)
{
    FluidProgress progress;
    progress.SetGoal(10);
    progress.SetRate(1, 0, 1000);
    progress.Advance(50); // at 10 since 10
    progress.SetGoal(100);
    progress.SetRate(1, 50, 1000);
    EXPECT_EQ(progress.GetPassed(40), 10U);
    EXPECT_EQ(progress.GetPassed(55), 15U);
}

TEST(FluidProgressTest, TakesTheLargestMessage)
{
    FluidProgress progress;
    const uint64_t most = uint64_t{1} << 63;
    progress.SetGoal(most);
    progress.SetRate(50, 0, 0); // 400 Gbps: 5.8 years
    EXPECT_EQ(progress.PredictPassing(most), static_cast<int64_t>(most / 50 + 1));
    progress.Advance(static_cast<int64_t>(most / 50));
    EXPECT_FALSE(progress.HasPassed(most));
    progress.Advance(static_cast<int64_t>(most / 50) + 1);
    EXPECT_TRUE(progress.HasPassed(most));
    progress.SetRate(1e-12, static_cast<int64_t>(most / 50) + 2, 0);
    progress.SetGoal(most + 1000000000);
    EXPECT_EQ(progress.PredictPassing(most + 1000000000), FluidProgress::NEVER); // 31700 years
}

/** A million changes: what moved is the sum of rate x time, to the last of 60 binary places. */
TEST(FluidProgressTest, DoesNotDrift)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> rates(0, 50);
    FluidProgress progress;
    progress.SetGoal(uint64_t{1} << 62);
    FluidProgress::Amount moved = 0;
    FluidProgress::Amount expected = 0;
    int64_t now = 0;
    for (int i = 0; i < 1000000; ++i)
    {
        const double rate = rates(random);
        const auto step = static_cast<int64_t>(random() % 1000);
        progress.SetRate(rate, now, 100);
        now += step;
        moved += progress.Advance(now);
        expected +=
            static_cast<FluidProgress::Amount>(std::ldexp(rate, FluidProgress::FRACTION_BITS)) *
            static_cast<FluidProgress::Amount>(step);
    }
    EXPECT_TRUE(moved == expected);
    EXPECT_EQ(progress.GetPassed(now), static_cast<uint64_t>(expected / ONE));
}

} // namespace
} // namespace ns3::ddl
