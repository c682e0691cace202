// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-weighted-queue-scheduler.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * Weighted round robin: queues that stay non-empty send numbers of *packets* in proportion to their
 * weights, whatever the packets' sizes; bytes are what DWRR shares.
 *
 * The rounds are interleaved (weights 1, 2, 4 give 0 1 2 2 1 2 2, not 0 1 1 2 2 2 2): each queue
 * has a tag that grows by 1/weight with each of its packets, and the smallest tag goes next, the
 * lower queue in a tie (stride scheduling; Waldspurger and Weihl, MIT/LCS/TM-528, 1995). A queue
 * that was empty starts at the tag served last, so that it neither catches up nor is punished.
 */
class WrrQueueScheduler : public WeightedQueueScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::WrrQueueScheduler")
                                .SetParent<WeightedQueueScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<WrrQueueScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "weighted round robin: packets in proportion to Weights, interleaved (stride "
               "scheduling, Waldspurger and Weihl 1995)";
    }

  private:
    void DoSetWeights(uint32_t /* queues */, const Weights& weights) override
    {
        m_served = 0;
        m_tags.fill(0);
        for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            m_strides[queue] = UNIT / weights[queue];
        }
    }

    uint32_t DoSelect(const QueueView& view) override
    {
        uint32_t best = First(view.nonEmpty);
        for (QueueMask rest = view.nonEmpty; rest != 0; rest &= rest - 1)
        {
            const uint32_t queue = First(rest);
            m_tags[queue] = std::max(m_tags[queue], m_served);
            if (m_tags[queue] < m_tags[best])
            {
                best = queue;
            }
        }
        m_served = m_tags[best];
        m_tags[best] += m_strides[best];
        return best;
    }

    /** Tag units per round: divisible by 1 to 16, so that small weights are exact. */
    static constexpr uint64_t UNIT = uint64_t{16} * 720720;

    std::array<uint64_t, MAX_QUEUES> m_tags{};
    std::array<uint64_t, MAX_QUEUES> m_strides{};
    uint64_t m_served{0}; //!< tag served last
};

NS_OBJECT_ENSURE_REGISTERED(WrrQueueScheduler);

} // namespace ns3::ddl
