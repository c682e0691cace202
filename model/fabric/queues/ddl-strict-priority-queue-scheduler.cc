// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-strict-priority-queue-scheduler.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(StrictPriorityQueueScheduler);

TypeId
StrictPriorityQueueScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::StrictPriorityQueueScheduler")
                            .SetParent<QueueScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<StrictPriorityQueueScheduler>();
    return tid;
}

void
StrictPriorityQueueScheduler::DoConfigure(uint32_t queues)
{
    m_queues = queues;
}

uint32_t
StrictPriorityQueueScheduler::DoSelect(const QueueView& view)
{
    return First(view.nonEmpty);
}

std::optional<QueueShares>
StrictPriorityQueueScheduler::GetShares() const
{
    QueueShares shares(m_queues);
    for (uint32_t queue = 0; queue < m_queues; ++queue)
    {
        shares[queue].level = queue;
    }
    return shares;
}

} // namespace ns3::ddl
