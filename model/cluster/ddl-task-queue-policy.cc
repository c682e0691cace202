// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-queue-policy.h"

#include "ns3/abort.h"

namespace ns3
{
namespace ddl
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
    NS_ABORT_MSG_IF(next >= view.waiting.size(),
                    "a policy selects task " << next << " of " << view.waiting.size());
    return next;
}

} // namespace ddl
} // namespace ns3
