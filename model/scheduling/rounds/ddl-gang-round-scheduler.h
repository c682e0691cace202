// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GANG_ROUND_SCHEDULER_H
#define DDL_GANG_ROUND_SCHEDULER_H

#include "ddl-round-scheduler.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Base of gang policies: all tasks of a round run at once, each on a GPU of its own, and a job
 * keeps its GPUs from round to round (scale-fixed synchronisation, Hare §II-B). The baselines with
 * which Hare is compared derive from it.
 *
 * Jobs are taken in the policy's order, as long as the cluster has GPUs for all of them together. A
 * taken job without GPUs waits until enough GPUs are idle that no other taken job holds. Under a
 * preemptive policy, jobs that are not taken begin no further round, and the GPUs that they leave
 * at the ends of their rounds are kept for taken jobs; otherwise jobs that have GPUs are taken
 * first.
 */
class GangRoundScheduler : public RoundScheduler
{
  public:
    static TypeId GetTypeId();

    bool IsGang() const override
    {
        return true;
    }

    bool NeedsAllAtOnce() const override
    {
        return true;
    }

  private:
    std::vector<RoundAssignment> DoAssign(const RoundView& view) override;
    static std::vector<RoundAssignment> GoOn(const RoundView& view);
    std::vector<const RoundJob*> TakeJobs(const RoundView& view);

    /** \return the sort key of a job: the least is first, of equals by arrival and id */
    virtual double GetKey(const RoundView& view, const RoundJob& job) const = 0;

    /** \return whether later jobs wait while there are not enough GPUs for one (head-of-line
     * blocking) */
    virtual bool BlocksAtHead() const
    {
        return false;
    }

    virtual bool IsPreemptive() const
    {
        return false;
    }

    /**
     * \param view the GPUs and jobs
     * \param job the job that gets GPUs
     * \param idle numbers of GPUs that the job may have, ascending, at least as many as its tasks
     * \return as many of them as it has tasks; fewer: it waits. By default the first ones
     */
    virtual std::vector<uint32_t> PickGpus(const RoundView& view,
                                           const RoundJob& job,
                                           const std::vector<uint32_t>& idle) const;
};

} // namespace ns3::ddl

#endif // DDL_GANG_ROUND_SCHEDULER_H
