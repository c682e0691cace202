// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_SOURCE_H
#define DDL_SAMPLE_SOURCE_H

#include "ddl-sample-planner.h"
#include "ddl-situation-watch.h"

#include "ns3/ddl-scenario.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

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
        const SituationJob* job;
        double iterations{0};
        double seconds{0};

        /** \return seconds per iteration; 0: the job did no iteration */
        double GetPeriod() const
        {
            return iterations > 0 ? seconds / iterations : 0;
        }
    };

    /** A visit to a situation in which some iteration was done. */
    struct Weighed
    {
        const SituationVisit* visit;
        std::vector<Part> parts; //!< parts by job of the situation
        double seconds{0};       //!< seconds of all parts
    };

    static double CountWhile(double longest, const std::vector<Part>& parts);
    static const Part& FindSlowest(const std::vector<Part>& parts, double most);
    std::size_t CountBegun(JobId job, int64_t moment) const;
    Part Measure(const SituationJob& job, const SituationVisit& visit) const;
    int64_t FindStart(const Part& part, int64_t near) const;
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

} // namespace ns3::ddl

#endif // DDL_SAMPLE_SOURCE_H
