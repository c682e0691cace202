// SPDX-License-Identifier: GPL-2.0-only
// Which samples a run takes, by tables: no simulation.
#include "app/sampling/ddl-sample-planner.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

/** \return a sample of so many jobs, each with these iterations of warm-up and window */
SamplePlan
MakePlan(uint64_t warmup, uint64_t window, uint32_t jobs = 2)
{
    SamplePlan plan;
    plan.situation = "1.1 2.1";
    plan.jobs.resize(jobs);
    for (SampleJob& job : plan.jobs)
    {
        job.warmup = warmup;
        job.window = window;
    }
    return plan;
}

/** \return a draw that always gives that sample */
SampleDraw
Always(const SamplePlan& plan)
{
    return [plan](uint64_t, const SampleLimits&) { return plan; };
}

SamplingSpec
MakeSpec(double budget, double error = 0.02)
{
    SamplingSpec sampling;
    sampling.budget = budget;
    sampling.error = error;
    sampling.warmup = 30;
    sampling.window = 20;
    return sampling;
}

TEST(SamplePlanner, ErrorFallsWithTheSquareRoot)
{
    EXPECT_EQ(PlanWindows(10, 0.04, 0.02, 1000), 40U);
    EXPECT_EQ(PlanWindows(10, 0.04, 0.02, 25), 25U);
    EXPECT_EQ(PlanWindows(10, 0.01, 0.02, 1000), 10U); // those of the pilot are there
}

TEST(SamplePlanner, ThePilotMayTakeTheBudgetAndEndsAtHalfOfIt)
{
    const auto quota = PlanRound(MakeSpec(0.1), {});
    ASSERT_TRUE(quota);
    EXPECT_EQ(quota->least, 8U);
    EXPECT_EQ(quota->most, 20000U);
    EXPECT_DOUBLE_EQ(quota->share, 0.1);
    EXPECT_DOUBLE_EQ(quota->pilot.value(), 0.05);
}

TEST(SamplePlanner, TheSecondRoundHasTheWindowsThatTheErrorTakes)
{
    // The plan is for 0.9 of the wanted error: 16 x (0.045 / 0.018)^2 = 100 windows, of which 16
    // are there. Four fifths of what is left of the budget may be spent.
    SamplingState state{1, 16, 0.045, 0.06};
    state.known = {"3.1"};
    const auto quota = PlanRound(MakeSpec(0.1), state);
    ASSERT_TRUE(quota);
    EXPECT_EQ(quota->least, 0U);
    EXPECT_EQ(quota->most, 84U);
    EXPECT_NEAR(quota->share, 0.8 * 0.04, 1e-12);
    EXPECT_FALSE(quota->pilot);
    EXPECT_EQ(quota->known, state.known);
    state.taken = 0.2; // the pilot took more than the budget
    EXPECT_EQ(PlanRound(MakeSpec(0.1), state)->share, 0);
}

TEST(SamplePlanner, RoundsGoOnUntilTheSituationsStay)
{
    const auto goesOn = [](uint32_t rounds, double change, uint64_t windows = 16) {
        const auto quota = PlanRound(MakeSpec(0.1), {rounds, windows, 0.01, 0.05, change});
        EXPECT_TRUE(!quota || rounds < 2 || quota->share == 0) << "nothing more is drawn";
        return quota.has_value();
    };
    EXPECT_TRUE(goesOn(2, 0)); // no timeline has had the model of all samples
    EXPECT_TRUE(goesOn(3, 0.06));
    EXPECT_FALSE(goesOn(3, 0.05));
    EXPECT_TRUE(goesOn(4, 0.5));
    EXPECT_FALSE(goesOn(5, 0.5));  // that is enough
    EXPECT_FALSE(goesOn(1, 0, 0)); // nobody did an iteration
}

TEST(SamplePlanner, APilotTakesSamplesUntilItHasEnough)
{
    // 10,000 iterations, of which samples may take 1,000 and the pilot wants 500. A sample of 2 x
    // 20 iterations takes 40: 16 take 640.
    const SamplingSpec sampling = MakeSpec(0.1);
    const auto quota = *PlanRound(sampling, {});
    const auto count = [&](const SamplePlan& plan) {
        return PlanDraws(sampling, quota, 10000, Always(plan)).size();
    };
    EXPECT_EQ(count(MakePlan(10, 10)), 16U);
    EXPECT_EQ(count(MakePlan(5, 5)), 25U);   // 20 each
    EXPECT_EQ(count(MakePlan(40, 40)), 8U);  // 160 each: more than the budget, but no fewer
    EXPECT_EQ(count(MakePlan(25, 25)), 10U); // 100 each: the budget ends first
    EXPECT_EQ(PlanDraws(sampling,
                        quota,
                        10000,
                        [](uint64_t, const SampleLimits&) { return std::optional<SamplePlan>(); })
                  .size(),
              0U);
}

TEST(SamplePlanner, SamplesAreNumberedAndLimitedToTheirPartOfTheBudget)
{
    const SamplingSpec sampling = MakeSpec(0.1);
    std::vector<uint64_t> numbers;
    const auto draws = PlanDraws(sampling,
                                 *PlanRound(sampling, {}),
                                 10000,
                                 [&](uint64_t number, const SampleLimits& limits) {
                                     numbers.push_back(number);
                                     EXPECT_DOUBLE_EQ(limits.most, 0.8 * 1000 / 16);
                                     EXPECT_EQ(limits.warmup, 0U);
                                     return std::make_optional(MakePlan(10, 10));
                                 });
    ASSERT_EQ(numbers.size(), draws.size());
    for (std::size_t i = 0; i < draws.size(); ++i)
    {
        EXPECT_EQ(numbers[i], i);
        EXPECT_EQ(draws[i].number, i);
        EXPECT_FALSE(draws[i].isLong);
    }
}

TEST(SamplePlanner, EqualSamplesCostOnce)
{
    SamplePlan alone = MakePlan(100, 100, 1);
    alone.repeats = true;
    alone.situation = "1.1";
    const SamplingSpec sampling = MakeSpec(0.1);
    // A pilot counts each of them, with no more than the limit of 50: 10 x 50 are 500.
    EXPECT_EQ(PlanDraws(sampling, *PlanRound(sampling, {}), 10000, Always(alone)).size(), 16U);
    // Later they cost nothing if their situation was sampled, and all that they take if not.
    SampleQuota quota{0, 30, 0.1};
    EXPECT_EQ(PlanDraws(sampling, quota, 10000, Always(alone)).size(), 5U);
    quota.known = {"1.1"};
    EXPECT_EQ(PlanDraws(sampling, quota, 10000, Always(alone)).size(), 30U);
}

TEST(SamplePlanner, WhatIsLeftGoesToLongSamples)
{
    // 10 samples of 40 iterations leave 600 of 1,000. Long ones of 200 may take a quarter each:
    // 150.
    const SamplingSpec sampling = MakeSpec(0.1);
    const SampleQuota quota{0, 10, 0.1};
    const auto plan = [&](uint64_t warmup, uint64_t window, uint32_t jobs) {
        return PlanDraws(sampling, quota, 10000, [&](uint64_t, const SampleLimits& limits) {
            EXPECT_TRUE(limits.warmup == 0 || limits.most == 600 / 4);
            return std::make_optional(limits.warmup == 0 ? MakePlan(10, 10)
                                                         : MakePlan(warmup, window, jobs));
        });
    };
    const auto draws = plan(55, 20, 2); // 150 each
    ASSERT_EQ(draws.size(), 14U);
    EXPECT_FALSE(draws[9].isLong);
    for (std::size_t i = 10; i < 14; ++i)
    {
        EXPECT_TRUE(draws[i].isLong);
        EXPECT_EQ(draws[i].number, i);
        EXPECT_EQ(draws[i].limits.warmup, 300U);
    }
    EXPECT_EQ(plan(30, 20, 1).size(), 10U) << "a job alone is no contention";
    EXPECT_EQ(plan(29, 20, 2).size(), 10U) << "the warm-up was shortened";
    EXPECT_EQ(plan(30, 19, 2).size(), 10U) << "the window was shortened";
    EXPECT_EQ(plan(30, 20, 2).size(), 16U) << "100 each";
}

TEST(SamplePlanner, NoMoreThanEightAreLong)
{
    const SamplingSpec sampling = MakeSpec(1);
    const auto draws = PlanDraws(sampling, {0, 10, 1}, 1e6, Always(MakePlan(30, 20)));
    EXPECT_EQ(draws.size(), 18U);
    EXPECT_TRUE(PlanDraws(sampling, {0, 10, 0}, 1e6, Always(MakePlan(30, 20))).empty());
}

} // namespace
} // namespace ns3::ddl
