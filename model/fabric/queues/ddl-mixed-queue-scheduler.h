// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MIXED_QUEUE_SCHEDULER_H
#define DDL_MIXED_QUEUE_SCHEDULER_H

#include "ddl-weighted-queue-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * Strict over weighted: queues 0 to StrictQueues - 1 go first, the lowest number before the others;
 * when they are empty, the rest share by weight. By default the control queue alone is strict.
 *
 * Weights has one entry a queue, those of the strict ones unused, so that one list serves wrr, dwrr
 * and mixed.
 */
class MixedQueueScheduler : public WeightedQueueScheduler
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;
    std::optional<QueueShares> GetShares() const override;

  protected:
    void DoDispose() override;

  private:
    void DoSetWeights(uint32_t queues, const Weights& weights) override;
    uint32_t DoSelect(const QueueView& view) override;

    uint32_t m_strictQueues{1};
    std::string m_restService; //!< short name of what serves the rest
    QueueMask m_strictMask{0};
    Ptr<QueueScheduler> m_rest;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_MIXED_QUEUE_SCHEDULER_H
