// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HLAS_ROUND_SCHEDULER_H
#define DDL_HLAS_ROUND_SCHEDULER_H

#include "ddl-round-scheduler.h"

namespace ns3::ddl
{

/**
 * `hlas`: heterogeneity-aware least attained service (Hare, §IV-C, Algorithms 1 to 3).
 *
 * GPUs are in groups that are about equally fast (GroupGpus); by default each GPU is a group of its
 * own. A job's size is the rounds that it has done times its mean time of a round on a group, T. It
 * waits in the queue whose range contains its size; a size at a limit belongs to the later queue.
 * An idle group serves the first queue with an unassigned task: first a job of which other tasks of
 * this round are assigned already, then the one that has been in the queue longest. The group takes
 * as many tasks as it has GPUs, one each, the fastest first, and is idle again when all of them
 * have ended. Of several idle groups, that with the lowest GPU is served first.
 *
 * Algorithm 3 as printed takes a job from every queue; it must end with the first (as the text
 * says). The paper does not print the limits of queues, their number and that of groups: these are
 * attributes, with our values.
 *
 * With predictions (subclasses; §V-B), the size also counts predicted rounds, so that it stays the
 * same while they are run, and in a queue jobs with a prediction go before those without one, the
 * longest prediction first.
 */
class HlasRoundScheduler : public RoundScheduler
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

    std::vector<std::string> ListNumbersOfRounds() const override
    {
        return {"FirstLimit"};
    }

  private:
    std::vector<RoundAssignment> DoAssign(const RoundView& view) override;
    GpuGroups DoGroup(const std::vector<RoundGpu>& gpus,
                      const std::vector<std::vector<Time>>& taskTimes) override;
    uint32_t DoFindQueue(const RoundView& view, const RoundJob& job) override;

    uint32_t m_groups{0}; //!< number of groups of GPUs; 0: one per GPU
    bool m_isNormalised{false};
    uint32_t m_queues{10};
    double m_firstLimit{100}; //!< limit of the first queue, in medians of round times
    double m_factor{2};
};

} // namespace ns3::ddl

#endif // DDL_HLAS_ROUND_SCHEDULER_H
