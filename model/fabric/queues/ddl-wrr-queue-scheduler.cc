// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wrr-queue-scheduler.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(WrrQueueScheduler);

TypeId
WrrQueueScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::WrrQueueScheduler")
                            .SetParent<WeightedQueueScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<WrrQueueScheduler>();
    return tid;
}

std::string
WrrQueueScheduler::GetSummary() const
{
    return "weighted round robin: packets in proportion to Weights, interleaved (stride "
           "scheduling, Waldspurger and Weihl 1995)";
}

void
WrrQueueScheduler::DoSetWeights(uint32_t /* queues */, const Weights& weights)
{
    m_served = 0;
    m_tags.fill(0);
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        m_strides[queue] = UNIT / weights[queue];
    }
}

uint32_t
WrrQueueScheduler::DoSelect(const QueueView& view)
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

} // namespace ddl
} // namespace ns3
