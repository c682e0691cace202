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
    /** Called when a cojob, or a plain job, has arrived. */
    void AddGroup(const CojobSpec& group);

    /** \return true if Note has to be called for the iterations of a job, which has arrived */
    bool IsWatched(JobId job) const;

    /** Called when iterations of a watched job are over. */
    void Note(const IterationLeap& iterations);

    /** \return time at which a job reached 90 %; none: not yet */
    std::optional<Time> GetTime(JobId job) const;
    /** \return time at which the first job of a cojob reached 90 %; none: not yet */
    std::optional<Time> GetTime(CojobId cojob) const;

    /** Remove a job, or a cojob, that has left. */
    void Remove(JobId job);
    void Remove(CojobId cojob);

  private:
    /** The iterations after which a job reaches the accuracies; 0: never. */
    struct Target
    {
        CojobId cojob;
        uint64_t own{0};          //!< iteration after which the job reaches 90 % of its accuracy
        uint64_t shared{0};       //!< iteration after which it reaches 90 % of the cojob's
        std::optional<Time> time; //!< end of iteration `own`; none: not yet
    };

    std::map<JobId, Target> m_jobs;
    std::map<CojobId, Time> m_cojobs; //!< times at which cojobs reached 90 %
};

} // namespace ns3::ddl

#endif // DDL_ACCURACY_WATCH_H
