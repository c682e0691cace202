// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_CLOCK_H
#define DDL_CLUSTER_CLOCK_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

/**
 * Schedules events of the cluster as a whole: arrivals, scheduling periods, reports.
 *
 * It is the simulator's clock, which packets and compute tasks use directly. Events that are
 * scheduled here must keep their time when a leap skips repeated iterations.
 */
class ClusterClock
{
  public:
    /** \return cluster time since the start of the simulation */
    static Time Now()
    {
        return Simulator::Now();
    }

    /**
     * \param delay time from now until the event, in cluster time
     * \param function the function to call and its arguments, as in Simulator::Schedule
     * \return the event, for Cancel
     */
    template <typename... Ts>
    static EventId Schedule(const Time& delay, Ts&&... function)
    {
        return Simulator::Schedule(delay, std::forward<Ts>(function)...);
    }

    /** \return the cluster time of a pending event */
    static Time GetTime(EventId event)
    {
        return Now() + Simulator::GetDelayLeft(event);
    }

    /** Cancel a pending event; no effect on one that has happened. */
    static void Cancel(EventId event)
    {
        event.Cancel();
    }
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_CLOCK_H
