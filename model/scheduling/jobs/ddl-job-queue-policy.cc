// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-queue-policy.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <cmath>
#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobQueuePolicy");
NS_OBJECT_ENSURE_REGISTERED(JobQueuePolicy);

TypeId
JobQueuePolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::JobQueuePolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

double
JobQueuePolicy::GetPriority(const GroupView& group)
{
    const Stopwatch stopwatch(*this);
    return Ask(group);
}

std::vector<double>
JobQueuePolicy::GetPriorities(const std::vector<GroupView>& groups)
{
    const Stopwatch stopwatch(*this);
    std::vector<double> priorities;
    priorities.reserve(groups.size());
    for (const GroupView& group : groups)
    {
        priorities.push_back(Ask(group));
    }
    return priorities;
}

/** \return the policy's answer, checked */
double
JobQueuePolicy::Ask(const GroupView& group)
{
    NS_LOG_FUNCTION(this << group.id);
    const double priority = DoGetPriority(group);
    if (std::isnan(priority))
    {
        throw RunError(GetInstanceTypeId().GetName() + ": the priority of group " +
                       std::to_string(group.id.value) + " is not a number");
    }
    return priority;
}

std::optional<Time>
JobQueuePolicy::GetNextChange(const GroupView& group)
{
    const Stopwatch stopwatch(*this);
    const std::optional<Time> change = DoGetNextChange(group);
    if (change && !change->IsStrictlyPositive())
    {
        throw RunError(GetInstanceTypeId().GetName() + ": the priority of group " +
                       std::to_string(group.id.value) + " changes in " +
                       std::to_string(change->GetSeconds()) + " s, which is not in the future");
    }
    return change;
}

} // namespace ns3::ddl
