// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <string>

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobQueuePolicy");
NS_OBJECT_ENSURE_REGISTERED(JobQueuePolicy);

TypeId
JobQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::JobQueuePolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::optional<uint32_t>
JobQueuePolicy::SelectNext(const JobQueueView& view)
{
    NS_LOG_FUNCTION(this << view.waiting.size());
    const Stopwatch stopwatch(*this);
    const auto next = DoSelectNext(view);
    if (next && *next >= view.waiting.size())
    {
        throw RunError(GetInstanceTypeId().GetName() + " selected group " + std::to_string(*next) +
                       " of " + std::to_string(view.waiting.size()));
    }
    if (next && view.waiting[*next].refused)
    {
        throw RunError(GetInstanceTypeId().GetName() + " selected a group that was refused");
    }
    return next;
}

} // namespace ddl
} // namespace ns3
