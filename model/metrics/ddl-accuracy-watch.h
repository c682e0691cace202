// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ACCURACY_WATCH_H
#define DDL_ACCURACY_WATCH_H

#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-job.h"

#include <map>
#include <optional>

namespace ns3::ddl
{

/**
 * Records when jobs and cojobs first have 90 % of the accuracy that they converge to (Grouper §V-A,
 * third metric).
 *
 * A job converges to its accuracy after all iterations of all stages, even if it is stopped before.
 * A cojob converges to the best accuracy that its jobs reach in the iterations that they really
 * run. The time is the end of the first iteration after which 90 % of this accuracy is reached, for
 * a cojob by any of its jobs. Jobs without a curve have no such time. Does not use the simulator.
 */
class AccuracyWatch
{
  public:
    /** A cojob, or a plain job, has arrived. */
    void AddGroup(const CojobSpec& group);

    /** \return true if the iterations of that job, which has arrived, are to be noted */
    bool IsWatched(JobId job) const;

    /** Iterations of a job that is watched are over. */
    void Note(const IterationLeap& iterations);

    /** \return when the job reached 90 %; none: not yet */
    std::optional<Time> GetTime(JobId job) const;
    /** \return when the first job of the cojob reached 90 %; none: not yet */
    std::optional<Time> GetTime(CojobId cojob) const;

    /** Forget a job, or a cojob, that has left. */
    void Remove(JobId job);
    void Remove(CojobId cojob);

  private:
    /** Iterations at which something is reached; 0: never. */
    struct Target
    {
        CojobId cojob;
        uint64_t own{0};
        uint64_t shared{0}; //!< for the accuracy of the cojob
        std::optional<Time> time;
    };

    std::map<JobId, Target> m_jobs;
    std::map<CojobId, Time> m_cojobs; //!< that have reached it
};

} // namespace ns3::ddl

#endif // DDL_ACCURACY_WATCH_H
