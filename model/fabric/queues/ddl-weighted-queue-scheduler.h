// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WEIGHTED_QUEUE_SCHEDULER_H
#define DDL_WEIGHTED_QUEUE_SCHEDULER_H

#include "ddl-queue-scheduler.h"

#include <string>

namespace ns3::ddl
{

/**
 * Base of queue schedulers with weights. It has the attribute Weights: one positive whole number
 * per queue, separated by commas, queue 0 first; empty for equal weights. Not a policy by itself.
 */
class WeightedQueueScheduler : public QueueScheduler
{
  public:
    static TypeId GetTypeId();

    /** \return one level with the weights; those of WRR are shares of packets, which are shares of
     * bytes while all packets have the full size */
    std::optional<QueueShares> GetShares() const override;

    static constexpr uint32_t MOST_WEIGHT = 1000; //!< largest weight of a queue

  protected:
    /** Weight of each queue, read at Configure; 1 beyond the port's queues. */
    using Weights = std::array<uint32_t, MAX_QUEUES>;

  private:
    void DoConfigure(uint32_t queues) final;

    /** Reset all credits and use these weights. \throws InputError when attributes do not fit */
    virtual void DoSetWeights(uint32_t queues, const Weights& weights) = 0;

    std::string m_weights;
    Weights m_configured{}; //!< weight of each queue, read at Configure
    uint32_t m_queues{0};
};

} // namespace ns3::ddl

#endif // DDL_WEIGHTED_QUEUE_SCHEDULER_H
