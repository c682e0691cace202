// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ATTAINED_SERVICE_JOB_QUEUE_POLICY_H
#define DDL_ATTAINED_SERVICE_JOB_QUEUE_POLICY_H

#include "ddl-job-queue-policy.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Queues by attained service, GPUs x time (2DAS of Tiresias, NSDI 2019, §3.2 and §3.3). Derived
 * policies say in which order a queue is.
 *
 * By thresholds T1 < T2 < ..., there is a queue for each range of attained service: a group is in
 * the first one until it has got T1, then in the second until T2, and so on; a group of an earlier
 * queue takes the GPUs of one of a later queue. A group that has waited StarveLimit times as long
 * as it has run goes back to the first queue until it has run again.
 */
class AttainedServiceJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId();

    bool IsPreemptive() const override
    {
        return true;
    }

  protected:
    bool HasQueues() const
    {
        return m_hasQueues;
    }

    /** \return the least attained service of a queue, from 0 */
    Time GetStart(std::size_t queue) const
    {
        return queue > 0 ? m_thresholds[queue - 1] : Time();
    }

    /** \return the queue of a group, from 0; it is 0 without queues */
    std::size_t FindQueue(const GroupView& group) const;

    /** \return whether a group has waited for too long, or runs for that reason and has not yet got
     * the first queue's service since */
    bool IsPromoted(const GroupView& group) const;

    /** \return the date at which a waiting group has waited for too long, from the start of the
     * simulation */
    Time GetPromotion(const GroupView& group) const;

    /** \return the least time in which a running group has got so much more service, above 0;
     * Time::Max(): never, as it needs no GPUs */
    static Time GetTimeUntil(Time service, const GroupView& group);

  private:
    double DoGetPriority(const GroupView& group) final;
    std::optional<Time> DoGetNextChange(const GroupView& group) final;
    std::optional<Time> FindFall(const GroupView& group) const;
    std::size_t FindQueue(Time attained) const;

    /**
     * \param queue the group's queue, from 0; 0 without queues
     * \return the priority of a group that is in queues, or that is not promoted: at least 0, and
     *         more than that of any group of an earlier queue
     */
    virtual double GetPriorityIn(std::size_t queue, const GroupView& group) const = 0;

    /** \return time for which a running group keeps its place in a queue, as GetNextChange */
    virtual std::optional<Time> GetNextChangeInQueue(const GroupView& group) const = 0;

    std::vector<Time> m_thresholds; //!< T1, T2, ...: ends of the queues but the last
    bool m_hasQueues{true};
    double m_starveLimit{0};
};

} // namespace ns3::ddl

#endif // DDL_ATTAINED_SERVICE_JOB_QUEUE_POLICY_H
