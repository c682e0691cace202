// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_LEAP_H
#define DDL_RUN_LEAP_H

#include "ddl-iteration-log.h"

#include "ns3/ddl-ids.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * Interface through which the machines of a run report to Leaps, which lets jobs skip iterations
 * that repeat.
 *
 * A job that leaps is asleep: its workers stay at the end of an iteration. When they go on, the
 * time of the skipped iterations has passed, and they are at the end of a later iteration.
 */
class RunLeap
{
  public:
    virtual ~RunLeap() = default;

    /**
     * A stage, or the rest of one, is about to begin on a machine of the job; no worker there has
     * begun it. At the first machine that receives the start message, no worker of the job has.
     */
    virtual void HandleStage(JobId job) = 0;
    /**
     * All workers of a job have finished an iteration.
     * \param isInStep no worker has reached the end of the next one
     */
    virtual void HandleIteration(const IterationRecord& record, bool isInStep) = 0;
    /**
     * All workers of the job on one machine have reached the end of the iteration in which they
     * sleep.
     */
    virtual void HandleAsleep(JobId job) = 0;
    /** Something is about to change for the job: it wakes, or does not fall asleep. */
    virtual void Wake(JobId job) = 0;
    /** The transfer of the job's state between the machine and the storage begins, or has ended. */
    virtual void HandleState(JobId job, HostId machine, bool isMoving) = 0;
    /**
     * \return iterations that would have ended at all workers since the job fell asleep; 0 when
     *         awake
     */
    virtual uint64_t CountPassed(JobId job) const = 0;
};

} // namespace ns3::ddl

#endif // DDL_RUN_LEAP_H
