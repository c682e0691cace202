// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DWRR_QUEUE_SCHEDULER_H
#define DDL_DWRR_QUEUE_SCHEDULER_H

#include "ddl-weighted-queue-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * Deficit weighted round robin (Shreedhar and Varghese, IEEE/ACM ToN 1996): queues that stay
 * non-empty send numbers of *bytes* in proportion to their weights.
 *
 * Queues take turns. At its turn a queue is credited weight x Quantum bytes and sends while its
 * first packet fits its credit; what is left stays for its next turn, unless it ran empty.
 */
class DwrrQueueScheduler : public WeightedQueueScheduler
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    void DoSetWeights(uint32_t queues, const Weights& weights) override;
    uint32_t DoSelect(const QueueView& view) override;
    void NextTurn(QueueMask nonEmpty);

    uint32_t m_quantum{1500};                    //!< bytes of credit for weight 1
    std::array<uint64_t, MAX_QUEUES> m_credit{}; //!< bytes
    std::array<uint64_t, MAX_QUEUES> m_share{};  //!< bytes of credit a turn
    uint32_t m_turn{0};                          //!< queue whose turn it is
};

} // namespace ddl
} // namespace ns3

#endif // DDL_DWRR_QUEUE_SCHEDULER_H
