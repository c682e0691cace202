// SPDX-License-Identifier: GPL-2.0-only
// Means of series whose mean is known: the interval that is stated covers it, and beats do not fool
// the check. Phases of two jobs: they stay, turn, or drift.
#include "ns3/ddl-iteration-series.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace ns3::ddl;

namespace
{

constexpr double MEAN = 0.02; // s
constexpr uint64_t MOST = 200000;

/** Draws the next length, as a part of the mean. */
using Draw = std::function<double()>;

struct Seen
{
    double mean{0};      // as a part of the true one
    double halfWidth{0}; // as a part of the true one
    uint64_t iterations{0};
};

/** Add iterations until the mean is known to `precision`. */
Seen
Watch(const Draw& draw, double precision)
{
    IterationSeries series;
    double end = 0;
    for (uint64_t iteration = 1; iteration <= MOST; ++iteration)
    {
        const double length = MEAN * draw();
        end += length;
        const bool isDue = series.Add(iteration, end, length, 0.25 * length);
        const auto& mean = series.GetMean();
        if (isDue && series.IsSteady() && mean.greaterWidth <= precision * mean.length)
        {
            EXPECT_NEAR(mean.communication, 0.25 * mean.length, 1e-12);
            return {mean.length / MEAN, mean.halfWidth / MEAN, iteration};
        }
    }
    return {};
}

/** First-order autoregression around 1, begun in its stationary state. */
Draw
MakeAutoregression(double correlation, double deviation, std::mt19937& random)
{
    std::normal_distribution<double> normal;
    double state = deviation * normal(random);
    const double fresh = deviation * std::sqrt(1 - correlation * correlation);
    return [=, &random]() mutable {
        state = correlation * state + fresh * normal(random);
        return 1 + state;
    };
}

/** \return part of the seeds whose interval covers the true mean */
double
Cover(double correlation, double deviation, double precision, uint32_t seeds)
{
    uint32_t covered = 0;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        std::mt19937 random(seed);
        const Seen seen = Watch(MakeAutoregression(correlation, deviation, random), precision);
        EXPECT_GT(seen.iterations, 0U) << "seed " << seed << " is never known";
        covered += std::abs(seen.mean - 1) <= seen.halfWidth ? 1 : 0;
    }
    return covered / static_cast<double>(seeds);
}

TEST(IterationSeries, TheIntervalCoversTheMean)
{
    // 95 % are wanted. With 1,000 seeds, a coverage of 95 % is seen within 1.4 points.
    for (const auto& [correlation, deviation] : {std::pair{0.0, 0.01}, {0.0, 0.03}, {0.5, 0.03}})
    {
        const double coverage = Cover(correlation, deviation, 0.005, 1000);
        EXPECT_GE(coverage, 0.93) << correlation << " " << deviation;
        EXPECT_LE(coverage, 0.97) << correlation << " " << deviation;
    }
}

TEST(IterationSeries, LongCorrelationIsSeenMostly)
{
    // Each iteration is like the 20 before it: the check stops too early with one seed in ten.
    EXPECT_GE(Cover(0.9, 0.01, 0.005, 400), 0.86);
    EXPECT_GE(Cover(0.9, 0.03, 0.005, 400), 0.92);
}

TEST(IterationSeries, ABeatDoesNotFoolIt)
{
    for (const int beat : {3, 50, 500})
    {
        int i = beat / 4;
        const auto draw = [&i, beat]() { return 1 + 0.05 * std::sin(2 * M_PI * ++i / beat); };
        const Seen seen = Watch(draw, 0.005);
        EXPECT_GT(seen.iterations, 0U) << beat;
        EXPECT_NEAR(seen.mean, 1, seen.halfWidth) << beat;
        EXPECT_GE(seen.iterations, 2U * beat) << beat;
    }
}

TEST(IterationSeries, AChangeEndsWhatWasSteady)
{
    IterationSeries series;
    double end = 0;
    uint64_t iteration = 0;
    const auto add = [&](double length, int count) {
        for (int i = 0; i < count; ++i)
        {
            end += length * (1 + 0.001 * (i % 3));
            series.Add(++iteration, end, length * (1 + 0.001 * (i % 3)), 0);
        }
    };
    EXPECT_FALSE(series.IsSteady());
    add(MEAN, 100);
    EXPECT_TRUE(series.IsSteady());
    EXPECT_NEAR(series.GetMean().length, 1.001 * MEAN, 1e-3 * MEAN);
    EXPECT_NEAR(series.GetMean().spread, 0.001 * MEAN, 1e-4 * MEAN);
    add(1.2 * MEAN, 60); // locked after 100 iterations
    EXPECT_FALSE(series.IsSteady());
    add(1.2 * MEAN, 2000);
    EXPECT_TRUE(series.IsSteady());
    EXPECT_NEAR(series.GetMean().length, 1.2012 * MEAN, 1e-3 * MEAN);
}

TEST(IterationSeries, AfterAPauseMoreMustBeSeen)
{
    IterationSeries series;
    for (uint64_t i = 1; i <= 60; ++i)
    {
        series.Add(i, MEAN * static_cast<double>(i), MEAN, 0);
    }
    EXPECT_TRUE(series.IsSteady());
    series.Resume();
    EXPECT_FALSE(series.IsSteady());
    for (uint64_t i = 1001; !series.IsSteady(); ++i)
    {
        ASSERT_LT(i, 1020U);
        series.Add(i, MEAN * static_cast<double>(i), MEAN, 0);
    }
}

/** \return series of iterations of constant length, for `seconds` */
IterationSeries
MakeSeries(double length, double seconds)
{
    IterationSeries series;
    uint64_t iteration = 0;
    for (double end = length; end <= seconds; end += length)
    {
        series.Add(++iteration, end, length, 0);
    }
    EXPECT_TRUE(series.IsSteady());
    return series;
}

TEST(IterationSeries, JobsInStepStaySo)
{
    constexpr double NEVER = std::numeric_limits<double>::infinity();
    // 1:1 and 2:3
    EXPECT_EQ(FindHorizon(MakeSeries(0.02, 2), MakeSeries(0.02, 2), NEVER), NEVER);
    EXPECT_EQ(FindHorizon(MakeSeries(0.02, 2), MakeSeries(0.03, 2), NEVER), NEVER);
    // They gain on each other by 2 s / 20 ms - 2 s / 26 ms = 23 turns.
    EXPECT_EQ(FindHorizon(MakeSeries(0.02, 2), MakeSeries(0.026, 2), NEVER), NEVER);
}

TEST(IterationSeries, JobsThatDriftAreNotKnownForLong)
{
    constexpr double NEVER = std::numeric_limits<double>::infinity();
    // By 1 % an iteration: a turn takes 2 s, of which 1 s was seen.
    const auto fast = FindHorizon(MakeSeries(0.02, 1), MakeSeries(0.0202, 1), NEVER);
    EXPECT_FALSE(fast.has_value());
    // A leap that ends before they have drifted by a tenth is right all the same: after 0.2 s.
    const auto enough = FindHorizon(MakeSeries(0.02, 1), MakeSeries(0.0202, 1), 0.1);
    ASSERT_TRUE(enough.has_value());
    EXPECT_NEAR(*enough, 0.2, 0.05);
    // By 0.01 % an iteration: a tenth takes 20 s.
    const auto slow = FindHorizon(MakeSeries(0.02, 1), MakeSeries(0.020002, 1), NEVER);
    ASSERT_TRUE(slow.has_value());
    EXPECT_NEAR(*slow, 20, 5);
}

} // namespace
