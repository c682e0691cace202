// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_H
#define DDL_SAMPLE_H

#include "ns3/ddl-scenario.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** How a job is measured in a sample. */
struct SampleJob
{
    JobId job;
    uint64_t warmup{0}; //!< number of iterations before the window
    uint64_t window{1}; //!< number of iterations that are measured
    double weight{0};   //!< WindowRow::weight
    double compute{0};  //!< measured compute seconds of its slowest worker per iteration
    std::vector<std::string> strata;

    /** \return iterations of warm-up and window */
    uint64_t CountIterations() const
    {
        return warmup + window;
    }
};

/** A sample: jobs of a run that contend with each other, simulated from a moment of it on. */
struct SamplePlan
{
    std::string situation;
    double cut{0};               //!< time of the run at which the sample begins, seconds
    double place{0};             //!< place of the drawn moment among all moments, 0 to 1
    bool repeats{false};         //!< a job is alone, without random times: all samples are equal
    double most{0};              //!< total iterations after which it ends once a job is
                                 //!< measured; 0: it ends when all jobs are
    bool isLong{false};          //!< the warm-up is as long as the visit has lasted
    std::vector<SampleJob> jobs; //!< jobs that are measured; others may run along

    /** \return iterations of all measured jobs, warm-up included */
    double CountIterations() const;
};

/** Times measured in a sample, on one transport. */
struct SampleTimes
{
    /** Seconds per iteration in each job's window (transfers only, if HasOtherWaits()). Jobs that
     * had not begun their window when the sample ended are missing. */
    std::map<JobId, double> iteration;
    std::map<JobId, double> step; //!< step of each job (WindowRow), seconds
    double iterations{0};         //!< number of iterations of all jobs that ended
    double end{0};                //!< simulated seconds of the sample
    double cpu{0};                //!< CPU seconds of the sample
};

/** What was measured in a sample. */
struct SampleResult
{
    SampleTimes packets;
    SampleTimes fluid;
    std::map<JobId, double> expected; //!< mean iteration on fluids over all windows, seconds
};

/** A sample of a run, and what was measured in it so far. */
struct Sample
{
    uint32_t number{0}; //!< number of the sample in its files' names, from 1
    SamplePlan plan;
    std::vector<SamplePlan> others{}; //!< further windows of the same visit, on fluids only
    SampleResult result{};

    bool IsMeasured() const
    {
        return !result.packets.iteration.empty();
    }

    bool HasMeasured(JobId job) const
    {
        return result.packets.iteration.count(job) > 0 && result.fluid.iteration.count(job) > 0;
    }

    /** \return true if a simulation of the other sample would give the same times */
    bool Equals(const Sample& other) const
    {
        return plan.repeats && other.plan.repeats && plan.situation == other.plan.situation;
    }
};

/** What one job did in one situation, over all its visits in a timeline. */
struct SituationShare
{
    std::string situation;
    std::vector<std::string> strata; //!< strata of the job in the situation (WindowRow)
    double iterations{0};
    double seconds{0};  //!< time that the iterations took
    double compute{0};  //!< compute seconds of the slowest worker in them
    uint64_t visits{0}; //!< number of visits in which it did some iteration
};

/**
 * \return true if jobs wait for each other not only in the network, but also at a gate or for GPUs
 *         that they share. Then only the time of transfers is measured and corrected, and these
 *         waits follow from the run on fluids.
 */
bool HasOtherWaits(const Scenario& scenario);

/**
 * Run a sample until all jobs that it measures have been measured, until SamplePlan::most, or until
 * the stop time of its scenario. Jobs that are in their window by then count as far as they got.
 *
 * \param scenario scenario of the sample as drawn, with the transport to use
 * \param plan plan of the sample
 * \throws RunError when no job comes to the end of its window
 */
SampleTimes RunSample(const Scenario& scenario, const SamplePlan& plan);

} // namespace ns3::ddl

#endif // DDL_SAMPLE_H
