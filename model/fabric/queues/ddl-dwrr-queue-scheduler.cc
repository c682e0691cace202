// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-weighted-queue-scheduler.h"

#include "ns3/uinteger.h"

namespace ns3::ddl
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
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::DwrrQueueScheduler")
                .SetParent<WeightedQueueScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<DwrrQueueScheduler>()
                .AddAttribute(
                    "Quantum",
                    "Bytes that a queue of weight 1 may send per turn. Should be at least the "
                    "MTU, else turns pass in which nothing is sent.",
                    UintegerValue(1500),
                    MakeUintegerAccessor(&DwrrQueueScheduler::m_quantum),
                    MakeUintegerChecker<uint32_t>(64, 1000000));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "deficit weighted round robin: bytes in proportion to Weights (Shreedhar and "
               "Varghese 1996)";
    }

  private:
    void DoSetWeights(uint32_t queues, const Weights& weights) override
    {
        m_credit.fill(0);
        m_turn = queues - 1; // the first turn is that of the lowest non-empty queue
        for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            m_share[queue] = uint64_t{weights[queue]} * m_quantum;
        }
    }

    uint32_t DoSelect(const QueueView& view) override
    {
        while (((view.nonEmpty >> m_turn) & 1U) == 0 || m_credit[m_turn] < view.headBytes[m_turn])
        {
            NextTurn(view.nonEmpty);
        }
        m_credit[m_turn] -= view.headBytes[m_turn];
        return m_turn;
    }

    void NextTurn(QueueMask nonEmpty)
    {
        if (((nonEmpty >> m_turn) & 1U) == 0)
        {
            m_credit[m_turn] = 0;
        }
        const QueueMask above = nonEmpty & ~(QueueBit(m_turn + 1) - 1);
        m_turn = First(above != 0 ? above : nonEmpty);
        m_credit[m_turn] += m_share[m_turn];
    }

    uint32_t m_quantum{1500};                    //!< bytes of credit for weight 1
    std::array<uint64_t, MAX_QUEUES> m_credit{}; //!< bytes of credit left, by queue
    std::array<uint64_t, MAX_QUEUES> m_share{};  //!< bytes of credit per turn, by queue
    uint32_t m_turn{0};                          //!< queue whose turn it is
};

NS_OBJECT_ENSURE_REGISTERED(DwrrQueueScheduler);

} // namespace ns3::ddl
