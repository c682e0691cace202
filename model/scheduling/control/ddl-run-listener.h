// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_LISTENER_H
#define DDL_RUN_LISTENER_H

#include "ddl-control-message.h"

#include "ns3/ddl-ids.h"
#include "ns3/ddl-machine.h"

#include <cstdint>
#include <optional>
#include <set>

namespace ns3::ddl
{

/** Hears from the coordinator what machines have reported of runs. */
class RunListener
{
  public:
    virtual ~RunListener() = default;

    /** All machines of the job have launched its run. */
    virtual void HandleLaunched(JobId job) = 0;
    /** Its leader has reported the end of that stage, from 1. */
    virtual void HandleStageDone(JobId job, uint32_t stage) = 0;
    /**
     * Its leader has reported that it paused after PauseJobs.
     * \param iterations done over all stages
     */
    virtual void HandlePaused(JobId job, uint64_t iterations) = 0;
    /** Its leader has reported a checkpoint of that run. \param iterations as above */
    virtual void HandleSaved(JobId job, uint32_t run, uint64_t iterations) = 0;
    /**
     * All its machines have stopped or failed, so its GPUs are free.
     * \param iterations as above; none: a machine failed before it reported them
     * \param noise state of the workers' random draws
     */
    virtual void HandleStopped(JobId job,
                               std::optional<uint64_t> iterations,
                               const WorkerNoise& noise) = 0;
    /** These machines have failed: end the runs that have a rank there. */
    virtual void HandleFailed(const std::set<HostId>& machines) = 0;
    /** A machine that had failed is back. */
    virtual void HandleReturned(HostId machine) = 0;
    /** All runs that a returned machine had lost are over. */
    virtual void HandleSettled() = 0;
    /** The machine has reported the end of that task of that round, from 0; the GPU is free. */
    virtual void HandleTaskEnded(JobId job, GpuId gpu, uint64_t round) = 0;
    /** The machine of the job's server has reported that so many rounds are done. */
    virtual void HandleRoundEnded(JobId job, uint64_t rounds) = 0;
};

} // namespace ns3::ddl

#endif // DDL_RUN_LISTENER_H
