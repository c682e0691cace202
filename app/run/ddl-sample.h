// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_H
#define DDL_SAMPLE_H

#include "ddl-situation-watch.h"

#include "ns3/ddl-scenario.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \return whether jobs wait for each other not only in the network, but also at a gate or for GPUs
 *         that they share. Then only the time of transfers is measured and corrected, and these
 *         waits follow from the run on fluids.
 */
bool HasOtherWaits(const Scenario& scenario);

/** What is measured of a job in a sample. */
struct SampleJob
{
    JobId job;
    uint64_t warmup{0}; //!< iterations before the window
    uint64_t window{1}; //!< iterations that are measured
    double weight{0};   //!< see WindowRow
    double compute{0};  //!< seconds measured in an iteration that its slowest worker computes
    std::vector<std::string> strata;
};

/** A sample: jobs of a run that contend with each other, simulated from a moment of it on. */
struct SamplePlan
{
    std::string situation;
    double cut{0};       //!< moment of the run at which the sample begins, seconds
    double place{0};     //!< of the drawn moment on the line from which it was drawn, 0 to 1
    bool isLong{false};  //!< its warm-up is as long as the visit has lasted
    bool repeats{false}; //!< a job alone, without random times: all samples of it are equal
    double most{0};      //!< iterations of all jobs after which it ends once a job is
                         //!< measured; 0: it ends when all are
    std::vector<SampleJob> jobs; //!< that it measures; others may run along

    /** \return iterations of these jobs, warm-up included */
    double CountIterations() const;
};

/** How long samples may be. */
struct SampleLimits
{
    /** Iterations of all jobs: warm-up and window are shortened alike, to at least one each. If it
     * still takes twice as many, jobs that are more than 20 times slower than the fastest one (as
     * those that wait at a gate) run along without being measured. */
    double most{std::numeric_limits<double>::infinity()};
    /** Iterations of the slowest job; 0: the warm-up is that of the scenario. Otherwise the sample
     * begins as much earlier than the drawn moment as the visit has lasted by then, but at most
     * this many iterations, and as `most` allows. These are its warm-up, if they are more than that
     * of the scenario. */
    uint64_t warmup{0};
};

/** What one job did in one situation, over all its visits in a timeline. */
struct SituationShare
{
    std::string situation;
    std::vector<std::string> strata; //!< of the job there
    double iterations{0};
    double seconds{0};  //!< that the iterations took
    double compute{0};  //!< seconds that the slowest worker computed in them
    uint64_t visits{0}; //!< in which it did any
};

/**
 * Draws samples from a run that was watched. Each sample is a moment, drawn uniformly from all
 * moments at which a job is in an iteration, over all jobs. So one long iteration is drawn as often
 * as many short ones that take as long together. (If iterations were drawn uniformly, most samples
 * would show the jobs with the shortest iterations. But each second of a job counts alike in its
 * completion time.) Draws are spread evenly: with all these moments ordered by situation, draw k is
 * at the fraction frac(u + k x golden ratio) of them, with a random u.
 *
 * A sample begins at the cut: the beginning of the iteration that the drawn moment (with a long
 * warm-up, an earlier one: SampleLimits) is in, of the job with the longest iterations. Each other
 * job enters at the beginning of its iteration that is nearest to the cut, on the same GPUs, with
 * the iterations that it had left. So the phases of the jobs are about those of the run (equal jobs
 * may keep theirs for ever). All that is missing at the cut is the rest of iterations that are no
 * longer than one of the warm-up. The order of the jobs is kept fixed. Network, gate, control
 * messages and seeds of paths are those of the run.
 */
class SampleSource
{
  public:
    /**
     * \param scenario of the run; its scale is applied here
     * \param watch of that run, which is over; outlives this
     */
    SampleSource(const Scenario& scenario, const SituationWatch& watch);

    /** \return a share for each job in each situation */
    std::vector<SituationShare> ListShares() const;

    struct Cutting
    {
        SamplePlan plan;
        Scenario scenario; //!< runs until its stop.time, with the jobs' remaining iterations
    };

    /** A sample, and others of the same visit: the cheap model shows what is usual there. */
    struct Drawn : Cutting
    {
        std::vector<Cutting> others;
    };

    /**
     * \param number of the draw, from 0
     * \param seed of all draws from this run
     * \param limits of its length
     * \param others to be cut from the same visit, at moments that are spread evenly over it; none
     *        for a job alone that repeats
     * \return a sample; nothing if no job did an iteration
     */
    std::optional<Drawn> Draw(uint64_t number,
                              uint64_t seed,
                              const SampleLimits& limits = {},
                              uint32_t others = 0) const;

    /**
     * \param isKnown whether the situation of a job is known, by the job's narrowest stratum
     * \param share of the time in unknown situations that the samples shall cover
     * \param limits see Draw()
     * \return a sample of each unknown situation, from the middle of its longest visit; those with
     *         most time first, until the share is covered
     */
    std::vector<Cutting> DrawEach(const std::function<bool(const std::string&)>& isKnown,
                                  double share,
                                  const SampleLimits& limits) const;

  private:
    /** What a job did in a visit. */
    struct Part
    {
        double iterations{0};
        double seconds{0};
    };

    struct Weighed
    {
        const SituationVisit* visit;
        std::vector<Part> parts; //!< by job of the situation
        double seconds{0};       //!< of all parts
    };

    Part Measure(JobId job, const SituationVisit& visit) const;
    int64_t FindStart(JobId job, int64_t near, double period) const;
    int64_t FindCut(JobId slowest, int64_t moment) const;
    bool Repeats(const Weighed& weighed) const;
    Cutting Cut(const Weighed& weighed, int64_t moment, const SampleLimits& limits) const;
    Scenario MakeScenario(const Weighed& weighed, int64_t cut, const SamplePlan& plan) const;

    Scenario m_base; //!< without work
    SamplingSpec m_sampling;
    bool m_hasJitter;
    const SituationWatch& m_watch;
    std::vector<Weighed> m_visits; //!< by situation
    std::vector<double> m_sums;    //!< of seconds, up to each visit
};

/** Times measured in a sample, on one transport. */
struct SampleTimes
{
    /** Seconds per iteration in the window, see HasOtherWaits(). Without the jobs that had not
     * begun theirs when the sample ended. */
    std::map<JobId, double> iteration;
    std::map<JobId, double> step; //!< see WindowRow; seconds
    double iterations{0};         //!< that ended, of all jobs
    double end{0};                //!< simulated seconds
    double cpu{0};                //!< seconds
};

/**
 * Run a sample until all jobs that it measures have been measured, until SamplePlan::most, or until
 * the stop time of its scenario. Jobs that are in their window by then count as far as they got.
 *
 * \param scenario as it was drawn, with the transport that it shall have
 * \param plan of it
 * \throws RunError when no job comes to the end of its window
 */
SampleTimes RunSample(const Scenario& scenario, const SamplePlan& plan);

} // namespace ns3::ddl

#endif // DDL_SAMPLE_H
