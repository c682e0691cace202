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
 * \return true if jobs wait for each other not only in the network, but also at a gate or for GPUs
 *         that they share. Then only the time of transfers is measured and corrected, and these
 *         waits follow from the run on fluids.
 */
bool HasOtherWaits(const Scenario& scenario);

/** How a job is measured in a sample. */
struct SampleJob
{
    JobId job;
    uint64_t warmup{0}; //!< number of iterations before the window
    uint64_t window{1}; //!< number of iterations that are measured
    double weight{0};   //!< WindowRow::weight
    double compute{0};  //!< measured compute seconds of its slowest worker per iteration
    std::vector<std::string> strata;
};

/** A sample: jobs of a run that contend with each other, simulated from a moment of it on. */
struct SamplePlan
{
    std::string situation;
    double cut{0};               //!< time of the run at which the sample begins, seconds
    double place{0};             //!< place of the drawn moment among all moments, 0 to 1
    bool isLong{false};          //!< the warm-up is as long as the visit has lasted
    bool repeats{false};         //!< a job is alone, without random times: all samples are equal
    double most{0};              //!< total iterations after which it ends once a job is
                                 //!< measured; 0: it ends when all jobs are
    std::vector<SampleJob> jobs; //!< jobs that are measured; others may run along

    /** \return iterations of all measured jobs, warm-up included */
    double CountIterations() const;
};

/** How long samples may be. */
struct SampleLimits
{
    /** Most iterations of all jobs: warm-up and window are shortened alike, to at least one each.
     * If it still takes twice as many, jobs that are more than 20 times slower than the fastest one
     * (such as those that wait at a gate) run along without being measured. */
    double most{std::numeric_limits<double>::infinity()};
    /** Longest warm-up, in iterations of the slowest job; 0: the warm-up is that of the scenario.
     * Otherwise the sample begins as much earlier than the drawn moment as the visit has lasted by
     * then, but at most this many iterations, and as `most` allows. These are its warm-up, if they
     * are more than that of the scenario. */
    uint64_t warmup{0};
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
 * may keep theirs for ever). At the cut, a sample lacks only the rest of the iterations under way,
 * none of which is longer than one of the warm-up. The order of the jobs is kept fixed. Network,
 * gate, control messages and seeds of paths are those of the run.
 */
class SampleSource
{
  public:
    /**
     * \param scenario scenario of the run; its scale is applied here
     * \param watch observer of that run, which is over; it must outlive this object
     */
    SampleSource(const Scenario& scenario, const SituationWatch& watch);

    /** \return a share for each job in each situation */
    std::vector<SituationShare> ListShares() const;

    struct Cutting
    {
        SamplePlan plan;
        Scenario scenario; //!< runs until its stop.time, with the jobs' remaining iterations
    };

    /** A sample, and others of the same visit, which the cheap model runs to find their mean. */
    struct Drawn : Cutting
    {
        std::vector<Cutting> others;
    };

    /**
     * \param number number of the draw, from 0
     * \param seed seed of all draws from this run
     * \param limits limits of the sample's length
     * \param others number of other samples to cut from the same visit, at moments that are spread
     *        evenly over it; a job alone that repeats gets none
     * \return a sample; nothing if no job did an iteration
     */
    std::optional<Drawn> Draw(uint64_t number,
                              uint64_t seed,
                              const SampleLimits& limits = {},
                              uint32_t others = 0) const;

    /**
     * \param isKnown tells whether a job's situation is known, by the job's narrowest stratum
     * \param share part of the time in unknown situations that the samples cover
     * \param limits limits of each sample's length
     * \return samples of unknown situations, each from the middle of its situation's longest visit;
     *         situations with most time come first, until the share is covered
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
        std::vector<Part> parts; //!< parts by job of the situation
        double seconds{0};       //!< seconds of all parts
    };

    Part Measure(JobId job, const SituationVisit& visit) const;
    int64_t FindStart(JobId job, int64_t near, double period) const;
    int64_t FindCut(JobId slowest, int64_t moment) const;
    bool Repeats(const Weighed& weighed) const;
    Cutting Cut(const Weighed& weighed, int64_t moment, const SampleLimits& limits) const;
    Scenario MakeScenario(const Weighed& weighed, int64_t cut, const SamplePlan& plan) const;

    Scenario m_base; //!< scenario without its work, scale applied
    SamplingSpec m_sampling;
    bool m_hasJitter;
    const SituationWatch& m_watch;
    std::vector<Weighed> m_visits; //!< visits in the order of their situations
    std::vector<double> m_sums;    //!< sum of seconds up to each visit
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
