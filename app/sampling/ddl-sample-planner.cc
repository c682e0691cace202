// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-planner.h"

#include "ddl-window-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

/** Least windows of a pilot that the budget pays for: two per group, so that replicates do not hang
 * on single windows. */
constexpr uint32_t PILOT_WINDOWS = 2 * SAMPLE_GROUPS;
/** Part of the budget for the pilot. A choice: its samples count, too, and its error, which plans
 * the others, is itself known the better the more it has. */
constexpr double PILOT_SHARE = 0.5;
/** Part of a budget that is planned. Jobs that are measured run on until the last one is: in the
 * sampling study, samples then took at most 10.2 % of the iterations of a budget of 10 %. */
constexpr double PLANNED_SHARE = 0.8;
/** Part of the target error that is planned for. A choice: the pilot's error is an estimate, and
 * with an equal target half of the runs would miss theirs. */
constexpr double PLAN_MARGIN = 0.9;
/** Most long samples: twice LEAST_WINDOWS, from which on they replace the others of a situation. */
constexpr uint64_t LONG_WINDOWS = 2 * LEAST_WINDOWS;
/** Most draws that look for long samples: enough for LONG_WINDOWS if one in eight finds one. */
constexpr uint64_t LONG_DRAWS = 8 * LONG_WINDOWS;
/** Longest warm-up of a long sample, in iterations of its slowest job. In a study's scenario two
 * jobs took 90 to 280 iterations until they locked into another step (s01, doc/full-size.md). */
constexpr uint64_t LONG_WARMUP = 300;
/** Most timelines before the situations count as found. A choice: each costs a run on fluids, and
 * two of them are there to draw samples from. */
constexpr uint32_t MOST_ROUNDS = 5;
/** Most time in other situations than before, over all time. A choice: so much of the time may have
 * ratios of pools instead of those of its own situations. */
constexpr double SETTLED = 0.05;

/** \return true if several jobs are measured, with the whole warm-up and window */
bool
IsWhole(const SamplePlan& plan, const SamplingSpec& sampling)
{
    return plan.jobs.size() > 1 &&
           std::all_of(plan.jobs.begin(), plan.jobs.end(), [&sampling](const SampleJob& job) {
               return job.warmup >= sampling.warmup && job.window >= sampling.window;
           });
}

/** Add long samples. \param most most iterations that all of them may take */
void
AddLong(const SamplingSpec& sampling,
        double most,
        const SampleDraw& draw,
        std::vector<PlannedDraw>& planned)
{
    const SampleLimits limits{most / LEAST_WINDOWS, LONG_WARMUP};
    std::vector<PlannedDraw> found;
    double taken = 0;
    for (uint64_t i = 0; i < LONG_DRAWS && found.size() < LONG_WINDOWS; ++i)
    {
        const uint64_t number = planned.size() + i;
        const auto plan = draw(number, limits);
        if (plan && IsWhole(*plan, sampling))
        {
            taken += plan->CountIterations();
            found.push_back({number, limits, true});
        }
    }
    const double mean = taken / std::max<double>(1, found.size());
    for (std::size_t i = 0; i < found.size() && (i + 1) * mean <= most; ++i)
    {
        planned.push_back(found[i]);
    }
}

} // namespace

std::optional<SampleQuota>
PlanRound(const SamplingSpec& sampling, const SamplingState& state)
{
    if (state.rounds == 0)
    {
        return SampleQuota{SAMPLE_GROUPS,
                           MOST_WINDOWS,
                           sampling.budget,
                           sampling.budget * PILOT_SHARE};
    }
    if (state.windows == 0)
    {
        return std::nullopt; // no job did an iteration, so there is nothing to correct
    }
    if (state.rounds == 1)
    {
        const uint64_t windows =
            PlanWindows(state.windows, state.error, PLAN_MARGIN * sampling.error, MOST_WINDOWS);
        const double left = sampling.budget - state.taken;
        return SampleQuota{0,
                           windows - state.windows,
                           std::max(0.0, PLANNED_SHARE * left),
                           std::nullopt,
                           state.known};
    }
    const bool isSettled = state.rounds > 2 && !(state.change > SETTLED);
    return isSettled || state.rounds >= MOST_ROUNDS ? std::nullopt
                                                    : std::make_optional<SampleQuota>();
}

uint64_t
PlanWindows(uint64_t windows, double error, double target, uint64_t most)
{
    const double needed = static_cast<double>(windows) * std::pow(error / target, 2);
    const double bounded = std::min(std::ceil(needed), static_cast<double>(most));
    return std::max(windows, static_cast<uint64_t>(std::max(bounded, 0.0)));
}

std::vector<PlannedDraw>
PlanDraws(const SamplingSpec& sampling,
          const SampleQuota& quota,
          double iterations,
          const SampleDraw& draw)
{
    std::vector<PlannedDraw> planned;
    if (!(quota.share > 0))
    {
        return planned;
    }
    const SampleLimits limits{PLANNED_SHARE * sampling.budget * iterations / PILOT_WINDOWS};
    double share = 0;
    const auto isPiloted = [&] {
        return quota.pilot && planned.size() >= PILOT_WINDOWS && share >= *quota.pilot;
    };
    while (planned.size() < quota.most && (planned.size() < quota.least || share < quota.share) &&
           !isPiloted())
    {
        const auto plan = draw(planned.size(), limits);
        if (!plan)
        {
            break;
        }
        double taken = plan->CountIterations();
        if (plan->repeats)
        {
            // Equal samples are run once. A pilot still counts each of them, so that it ends.
            taken = quota.pilot                          ? std::min(taken, limits.most)
                    : quota.known.count(plan->situation) ? 0
                                                         : taken;
        }
        share += taken / iterations;
        if (share > quota.share && planned.size() >= quota.least)
        {
            break;
        }
        planned.push_back({planned.size(), limits});
    }
    if (!quota.pilot)
    {
        AddLong(sampling, std::max(0.0, quota.share - share) * iterations, draw, planned);
    }
    return planned;
}

} // namespace ns3::ddl
