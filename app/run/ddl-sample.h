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

/** What is measured of a job in a sample. */
struct SampleJob
{
    JobId job;
    uint64_t warmup{0}; //!< iterations before
    uint64_t window{1}; //!< iterations that are measured
    double weight{0};   //!< see WindowRow
    double compute{0};  //!< seconds of an iteration that its slowest worker computes
    std::vector<std::string> strata;
};

/** A window of a run: a component of its jobs, from a cut on. */
struct SamplePlan
{
    std::string situation;
    double cut{0}; //!< seconds, of the run
    std::vector<SampleJob> jobs;

    /** \return iterations that it simulates, warm-up included */
    double CountIterations() const;
};

/** What a situation took of a timeline, by job. */
struct SituationShare
{
    std::string situation;
    std::vector<std::string> strata; //!< of the job there
    double iterations{0};
    double seconds{0}; //!< that they took
    double compute{0}; //!< that the slowest worker computed in them
};

/**
 * Draws samples from a run that was watched. A sample is drawn uniformly from all moments of all
 * jobs that are in an iteration: that of a long iteration as likely as those of all the short ones
 * that take as long. (Drawing by iteration, with the weights that belong to it, would look at the
 * jobs with the shortest iterations most of the time, while every second of a job counts alike in
 * its completion time.) Draws are spread evenly: draw k takes the place frac(u + k x golden ratio),
 * with a random u, in all these moments, ordered by situation.
 *
 * The cut is where the job with the longest iterations began the one that the moment is in. Each
 * other job enters when it began an iteration in the run, that which is nearest to the cut, on the
 * same GPUs, with the iterations that it had left. So phases are about those of the run (equal jobs
 * may keep theirs for ever), and nothing is missing at the cut but the rest of iterations that are
 * no longer than one of the warm-up. The order of the jobs stands as it was. Network, gate, control
 * messages and seeds of paths are those of the run.
 */
class SampleSource
{
  public:
    /**
     * \param scenario of the run, whose scale is applied here
     * \param watch of that run, which is over; outlives this
     */
    SampleSource(const Scenario& scenario, const SituationWatch& watch);

    /** \return what each situation took, by job */
    std::vector<SituationShare> ListShares() const;

    struct Drawn
    {
        SamplePlan plan;
        Scenario scenario; //!< runs until its stop.time, with the jobs' remaining iterations
    };

    /**
     * \param number of the draw, from 0
     * \param seed of all draws from this run
     * \param most iterations that it may take: warm-up and window are shortened alike, to at least
     *        one each
     * \return a sample; nothing if no job did an iteration
     */
    std::optional<Drawn> Draw(uint64_t number,
                              uint64_t seed,
                              double most = std::numeric_limits<double>::infinity()) const;

    /**
     * \param isKnown by a job's own stratum
     * \param share of the time in all other situations that shall be covered
     * \return a sample of each other situation, those with most time first, from the middle of its
     *         longest visit
     */
    std::vector<Drawn> DrawEach(const std::function<bool(const std::string&)>& isKnown,
                                double share) const;

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
    Drawn Cut(const Weighed& weighed, int64_t moment, double most) const;
    Scenario MakeScenario(const Weighed& weighed, int64_t cut, const SamplePlan& plan) const;

    Scenario m_base; //!< without work
    SamplingSpec m_sampling;
    bool m_hasJitter;
    const SituationWatch& m_watch;
    std::vector<Weighed> m_visits; //!< by situation
    std::vector<double> m_sums;    //!< of seconds, up to each visit
};

/** What a sample took, on one transport. */
struct SampleTimes
{
    std::map<JobId, double> iteration; //!< seconds per iteration in the window
    double iterations{0};              //!< of all jobs that ended before it was over
    double end{0};                     //!< simulated seconds
    double cpu{0};                     //!< seconds
};

/**
 * Run a sample until all its jobs have been measured.
 *
 * \param scenario as it was drawn, with the transport that it shall have
 * \param plan of it
 * \throws RunError when a job does not come to the end of its window
 */
SampleTimes RunSample(const Scenario& scenario, const SamplePlan& plan);

} // namespace ns3::ddl

#endif // DDL_SAMPLE_H
