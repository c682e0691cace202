// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-attained-service-job-queue-policy.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-list-accessor.h"
#include "ns3/double.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(AttainedServiceJobQueuePolicy);

namespace
{

Time
GetServiceOfRun(const GroupView& group)
{
    return Multiply(group.lasted, group.gpus);
}

} // namespace

TypeId
AttainedServiceJobQueuePolicy::GetTypeId()
{
    using Self = AttainedServiceJobQueuePolicy;
    static TypeId tid =
        TypeId("ns3::ddl::AttainedServiceJobQueuePolicy")
            .SetParent<JobQueuePolicy>()
            .SetGroupName("Ddl")
            .AddAttribute(
                "Thresholds",
                "GPU time at which a group falls into the next queue, ascending "
                "(the default is that of Tiresias' simulator); scaled by m x i",
                AttributeContainerValue<TimeValue>(std::vector<Time>{Seconds(3250), Seconds(7200)}),
                MakeListAccessor<TimeValue>(&Self::m_thresholds),
                MakeAttributeContainerChecker<TimeValue>(MakeTimeChecker(Time(0))))
            .AddAttribute("Discretised",
                          "whether there are queues; false: all groups are ordered as those of one "
                          "queue, `2d-las` by attained service",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_hasQueues),
                          MakeBooleanChecker())
            .AddAttribute("StarveLimit",
                          "a group that has waited this many times as long as it has run comes "
                          "back into the first queue; 0: never",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Self::m_starveLimit),
                          MakeDoubleChecker<double>(0));
    return tid;
}

double
AttainedServiceJobQueuePolicy::DoGetPriority(const GroupView& group)
{
    const bool isFirst = !m_hasQueues && IsPromoted(group);
    return isFirst ? 0 : GetPriorityIn(FindQueue(group), group);
}

std::optional<Time>
AttainedServiceJobQueuePolicy::DoGetNextChange(const GroupView& group)
{
    if (!group.running)
    {
        const Time limit = Multiply(group.occupied, m_starveLimit);
        return limit > group.waited ? std::make_optional(limit - group.waited) : std::nullopt;
    }
    const std::optional<Time> inQueue = GetNextChangeInQueue(group);
    const std::optional<Time> fall = m_hasQueues ? FindFall(group) : std::nullopt;
    return inQueue && fall ? Min(*inQueue, *fall) : inQueue;
}

/** \return time from now until a running group is in the next queue; none: it is in the last one */
std::optional<Time>
AttainedServiceJobQueuePolicy::FindFall(const GroupView& group) const
{
    const bool isPromoted = IsPromoted(group);
    const Time attained = isPromoted ? GetServiceOfRun(group) : group.attained;
    const std::size_t queue = isPromoted ? 0 : FindQueue(attained);
    if (queue == m_thresholds.size())
    {
        return std::nullopt;
    }
    return GetTimeUntil(m_thresholds[queue] - attained, group);
}

Time
AttainedServiceJobQueuePolicy::GetTimeUntil(Time service, const GroupView& group)
{
    if (group.gpus == 0)
    {
        return Time::Max(); // as for a coflow between machines without GPUs
    }
    const int64_t whole = service.GetTimeStep() / group.gpus;
    return TimeStep(whole + (service.GetTimeStep() % group.gpus > 0 ? 1 : 0));
}

std::size_t
AttainedServiceJobQueuePolicy::FindQueue(const GroupView& group) const
{
    return !m_hasQueues || IsPromoted(group) ? 0 : FindQueue(group.attained);
}

std::size_t
AttainedServiceJobQueuePolicy::FindQueue(Time attained) const
{
    return std::upper_bound(m_thresholds.begin(), m_thresholds.end(), attained) -
           m_thresholds.begin();
}

bool
AttainedServiceJobQueuePolicy::IsPromoted(const GroupView& group) const
{
    const Time before = group.running ? group.occupied - group.lasted : group.occupied;
    const Time limit = Multiply(before, m_starveLimit);
    if (!limit.IsStrictlyPositive() || group.waited < limit)
    {
        return false;
    }
    const bool hasFall = m_hasQueues && !m_thresholds.empty();
    return !group.running || (hasFall && GetServiceOfRun(group) < m_thresholds.front());
}

Time
AttainedServiceJobQueuePolicy::GetPromotion(const GroupView& group) const
{
    return group.submit + group.occupied + Multiply(group.occupied, m_starveLimit);
}

} // namespace ns3::ddl
