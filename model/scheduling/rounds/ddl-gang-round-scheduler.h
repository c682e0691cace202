// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GANG_ROUND_SCHEDULER_H
#define DDL_GANG_ROUND_SCHEDULER_H

#include "ddl-round-scheduler.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Gangs: all tasks of a round run at once, each on a GPU of its own, and a job keeps its GPUs from
 * round to round (scale-fixed synchronisation, Hare §II-B). What the baselines that Hare is
 * compared with have in common.
 *
 * Jobs are taken in an order that the policy gives, as long as the cluster has GPUs for all of them
 * together. Those that are taken and have none wait until enough are idle that no other job of
 * those taken holds. Under a preemptive policy jobs that are not taken begin no further round, so
 * that the GPUs that they leave at the ends of their rounds are kept for those that are; otherwise
 * jobs that have GPUs are taken before all others.
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

    /** \return the place of a job in the order: the least is first, then by arrival and id */
    virtual double GetKey(const RoundView& view, const RoundJob& job) const = 0;

    /** \return whether jobs wait behind one for which there are not enough GPUs */
    virtual bool BlocksAtHead() const
    {
        return false;
    }

    virtual bool IsPreemptive() const
    {
        return false;
    }

    /**
     * \param idle numbers of GPUs that the job may have, ascending, at least as many as its tasks
     * \return as many of them as it has tasks; fewer: it waits. Unless overridden, the first
     */
    virtual std::vector<uint32_t> PickGpus(const RoundView& view,
                                           const RoundJob& job,
                                           const std::vector<uint32_t>& idle) const;
};

} // namespace ns3::ddl

#endif // DDL_GANG_ROUND_SCHEDULER_H
