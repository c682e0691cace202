// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STRICT_PRIORITY_QUEUE_SCHEDULER_H
#define DDL_STRICT_PRIORITY_QUEUE_SCHEDULER_H

#include "ddl-queue-scheduler.h"

namespace ns3::ddl
{

/** Serves the non-empty queue with the lowest number. Queues of higher numbers can starve without
 * limit. */
class StrictPriorityQueueScheduler final : public QueueScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "the non-empty queue with the lowest number (IEEE 802.1Q, 8.6.8.1)";
    }

    std::optional<QueueShares> GetShares() const override;

    bool IsStrict() const override
    {
        return true;
    }

  private:
    void DoConfigure(uint32_t queues) override;
    uint32_t DoSelect(const QueueView& view) override;

    uint32_t m_queues{0};
};

} // namespace ns3::ddl

#endif // DDL_STRICT_PRIORITY_QUEUE_SCHEDULER_H
