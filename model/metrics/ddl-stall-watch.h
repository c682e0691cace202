// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STALL_WATCH_H
#define DDL_STALL_WATCH_H

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/nstime.h"

#include <map>
#include <optional>

namespace ns3::ddl
{

/**
 * Ends a simulation in which no job makes progress any more. A job makes progress when bytes of its
 * messages arrive, when one of its GPUs works, when it starts and when it ends. Control messages,
 * retransmissions and background flows do not count: they go on even when all jobs stand still.
 *
 * It checks once per interval, its patience. If a change is still scheduled, such as a link that
 * comes up later, it waits for that and then for one more interval.
 */
class StallWatch
{
  public:
    /**
     * \param patience simulated time without progress, more than 0
     * \param planned time of the last scheduled change, such as that of a link
     */
    StallWatch(Time patience, Time planned);
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;

    /** Watch a simulation that is about to begin; the watch outlives it. */
    void Start(Ptr<const Cluster> cluster, Ptr<JobManager> manager, Ptr<JobObserver> observer);

    /** \return true when the watch has ended the simulation */
    bool HasFired() const
    {
        return m_fired;
    }

    Time GetPatience() const
    {
        return m_patience;
    }

    /** Release the jobs, after the simulation. */
    void Forget();

  private:
    /** Work done so far. If two are equal, there was no progress in between. */
    struct Work
    {
        uint64_t started{0};
        uint64_t ended{0};
        uint64_t delivered{0};  //!< bytes delivered to the jobs that have not ended
        uint64_t iterations{0}; //!< iterations of these jobs; a leap's only progress
        Time computed;          //!< busy time of all GPUs

        bool operator==(const Work& other) const;
    };

    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobEnd(Ptr<Job> job, bool stoppedEarly);
    Work Measure() const;
    std::optional<Work> MeasureIfDue() const;
    void Look(std::optional<Work> before);

    Time m_patience;
    Time m_planned;
    Ptr<const Cluster> m_cluster;
    Ptr<const JobManager> m_manager;
    std::map<JobId, Ptr<Job>> m_jobs; //!< jobs that have started and not ended
    uint64_t m_started{0};
    bool m_fired{false};
};

} // namespace ns3::ddl

#endif // DDL_STALL_WATCH_H
