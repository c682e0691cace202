// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_LEAP_H
#define DDL_RUN_LEAP_H

#include "ddl-iteration-log.h"

#include "ns3/ddl-ids.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * Who lets jobs leap over iterations that repeat, as the machines of a run see it. It is no part of
 * the cluster: it spares the simulation what would come out as before.
 *
 * A job leaps asleep: its workers come to the end of an iteration and stay there, and when they go
 * on, as much later as the iterations between would have lasted, it is the end of a later one.
 */
class RunLeap
{
  public:
    virtual ~RunLeap() = default;

    /** A stage, or what is left of one, begins on a machine of the job. No worker has begun it
     * there; on the first machine that is told, nowhere. */
    virtual void HandleStage(JobId job) = 0;
    /** All workers of a job have finished an iteration; no worker has come to the end of the next
     * one if `isInStep`. */
    virtual void HandleIteration(const IterationRecord& record, bool isInStep) = 0;
    /** All workers of the job on one machine have come to the end of the iteration to sleep in. */
    virtual void HandleAsleep(JobId job) = 0;
    /** Something is about to happen to the job: it wakes, or sleeps no more. */
    virtual void Wake(JobId job) = 0;
    /** The job's state begins, or ends, to cross the network between the machine and the storage.
     */
    virtual void HandleState(JobId job, HostId machine, bool isMoving) = 0;
    /** \return iterations that have ended since it fell asleep, at all workers; 0 when awake */
    virtual uint64_t CountPassed(JobId job) const = 0;
};

} // namespace ns3::ddl

#endif // DDL_RUN_LEAP_H
