// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_PLANNER_H
#define DDL_SAMPLE_PLANNER_H

#include "ddl-sample.h"

#include "ns3/ddl-scenario.h"

#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

// Which samples a run takes, and how often it is repeated on fluids. Plain functions of what is
// known, without any simulation.

constexpr uint64_t MOST_WINDOWS = 20000; //!< most samples of a run; a choice, of memory and files

/** How long samples may be. */
struct SampleLimits
{
    /** Most iterations of all jobs: warm-up and window are shortened alike, to at least one each.
     * If that still takes twice as many, jobs that are more than 20 times slower than the fastest
     * one (such as those that wait at a gate) run along without being measured. */
    double most{std::numeric_limits<double>::infinity()};
    /** Longest warm-up, in iterations of the slowest job; 0: the warm-up is that of the scenario.
     * Otherwise the sample begins as much earlier than the drawn moment as the visit has lasted by
     * then, but at most this many iterations, and as `most` allows. These are its warm-up, if they
     * are more than that of the scenario. */
    uint64_t warmup{0};
};

/** What is known of a sampled run before its next round. */
struct SamplingState
{
    uint32_t rounds{0};  //!< number of timelines so far
    uint64_t windows{0}; //!< number of samples so far, all measured
    double error{0};     //!< error that these give: half-width of the 95 % interval, relative
    double taken{0};     //!< their iterations on packets over those of the last timeline
    double change{0};    //!< part of the time in which the last two timelines differ
    std::set<std::string> known{}; //!< situations of jobs alone that were sampled
};

/** How many samples to draw from a timeline. */
struct SampleQuota
{
    uint64_t least{0}; //!< samples drawn even if they take more than the share
    uint64_t most{0};
    double share{0};               //!< most part of the timeline's iterations in samples
    std::optional<double> pilot{}; //!< share at which a pilot with enough samples ends
    std::set<std::string> known{}; //!< situations of jobs alone that were sampled before
};

/**
 * Plan the next round: a timeline, and the samples to draw from it. The first is a pilot. It shows
 * how many samples the wanted error takes, and these are drawn in the second round. Their number is
 * then fixed: stopping as soon as the interval is narrow would make intervals that hold the truth
 * too rarely. Further rounds draw none, and go on until the situations stay the same.
 *
 * \return quota of the next timeline; none: no further one is needed
 */
std::optional<SampleQuota> PlanRound(const SamplingSpec& sampling, const SamplingState& state);

/**
 * How many windows the target error takes, by a pilot: the error falls with their square root.
 *
 * \param windows number of windows of the pilot, at least 1
 * \param error error of the pilot, relative half-width
 * \param target wanted error, relative half-width, more than 0
 * \param most most windows that the budget allows
 * \return number of all windows, those of the pilot included; at least those of the pilot
 */
uint64_t PlanWindows(uint64_t windows, double error, double target, uint64_t most);

/** A draw whose sample is taken. */
struct PlannedDraw
{
    uint64_t number{0}; //!< number of the draw
    SampleLimits limits;
    bool isLong{false};
};

/** Gives the sample of a draw; nothing if no job did an iteration. Equal calls give equal samples.
 */
using SampleDraw = std::function<std::optional<SamplePlan>(uint64_t number, const SampleLimits&)>;

/**
 * Choose the draws whose samples are taken.
 *
 * After the pilot, what the others leave of the share goes to long samples of contending jobs.
 * Their number follows from the mean length of several, so that it does not depend on which are
 * drawn first.
 *
 * \param iterations iterations of all jobs in the timeline
 * \param draw gives the sample of any draw
 */
std::vector<PlannedDraw> PlanDraws(const SamplingSpec& sampling,
                                   const SampleQuota& quota,
                                   double iterations,
                                   const SampleDraw& draw);

} // namespace ns3::ddl

#endif // DDL_SAMPLE_PLANNER_H
