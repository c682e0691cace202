// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-queue-policy.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"

#include <string>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(TaskQueuePolicy);

TypeId
TaskQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::TaskQueuePolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::size_t
TaskQueuePolicy::SelectNext(const TaskQueueView& view)
{
    NS_ABORT_MSG_IF(view.waiting.empty(), "no task waits");
    const Stopwatch stopwatch(*this);
    const std::size_t next = DoSelectNext(view);
    if (next >= view.waiting.size())
    {
        throw RunError(GetInstanceTypeId().GetName() + " selected task " + std::to_string(next) +
                       " of " + std::to_string(view.waiting.size()) + ", counted from 0");
    }
    return next;
}

} // namespace ns3::ddl
