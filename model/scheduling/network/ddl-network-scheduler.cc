// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlNetworkScheduler");
NS_OBJECT_ENSURE_REGISTERED(NetworkScheduler);

namespace
{

/** \throws RunError unless each of \p units units is in the order exactly once */
void
CheckOrder(const UnitOrder& order, std::size_t units, const std::string& policy)
{
    std::vector<bool> seen(units, false);
    std::size_t count = 0;
    for (const auto& group : order)
    {
        if (group.empty())
        {
            throw RunError(policy + " answered with an empty group");
        }
        for (const uint32_t unit : group)
        {
            if (unit >= units)
            {
                throw RunError(policy + " ordered unit " + std::to_string(unit) + " of " +
                               std::to_string(units));
            }
            if (seen[unit])
            {
                throw RunError(policy + " ordered unit " + std::to_string(unit) + " twice");
            }
            seen[unit] = true;
            ++count;
        }
    }
    if (count != units)
    {
        throw RunError(policy + " ordered " + std::to_string(count) + " of " +
                       std::to_string(units) + " units");
    }
}

} // namespace

TypeId
NetworkScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::NetworkScheduler").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

UnitOrder
NetworkScheduler::Order(const SchedulerView& view)
{
    NS_LOG_FUNCTION(this << view.units.size());
    const Stopwatch stopwatch(*this);
    UnitOrder order = DoOrder(view);
    CheckOrder(order, view.units.size(), GetInstanceTypeId().GetName());
    return order;
}

} // namespace ns3::ddl
