// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-scheduler.h"

#include "ns3/ddl-error.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(QueueScheduler);

TypeId
QueueScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::QueueScheduler").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

void
QueueScheduler::Configure(uint32_t queues)
{
    if (queues < 1 || queues > UNLIMITED_QUEUES)
    {
        throw InputError("a port has 1 to 63 queues, not " + std::to_string(queues));
    }
    DoConfigure(queues);
}

void
QueueScheduler::RefuseAnswer(const QueueView& view, uint32_t queue) const
{
    throw RunError(
        GetInstanceTypeId().GetName() + " answered queue " + std::to_string(queue) +
        ", which is empty; non-empty queues as a bit mask: " + std::to_string(view.nonEmpty));
}

} // namespace ns3::ddl
