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

/** \throws RunError unless each flow of each unit has one of its paths */
void
CheckPaths(const PathChoice& choice, const SchedulerView& view, const std::string& policy)
{
    if (choice.size() != view.units.size())
    {
        throw RunError(policy + " chose paths for " + std::to_string(choice.size()) + " of " +
                       std::to_string(view.units.size()) + " units");
    }
    for (std::size_t unit = 0; unit < choice.size(); ++unit)
    {
        const auto& flows = view.units[unit].each.flows;
        if (choice[unit].size() != flows.size())
        {
            throw RunError(policy + " chose " + std::to_string(choice[unit].size()) +
                           " paths for the " + std::to_string(flows.size()) + " flows of unit " +
                           std::to_string(unit));
        }
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            if (choice[unit][flow] >= flows[flow].paths->size())
            {
                throw RunError(policy + " chose path " + std::to_string(choice[unit][flow]) +
                               " of " + std::to_string(flows[flow].paths->size()));
            }
        }
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

PathChoice
NetworkScheduler::ChoosePaths(const SchedulerView& view)
{
    NS_LOG_FUNCTION(this << view.units.size());
    const Stopwatch stopwatch(*this);
    PathChoice choice = DoChoosePaths(view);
    CheckPaths(choice, view, GetInstanceTypeId().GetName());
    return choice;
}

PathChoice
NetworkScheduler::DoChoosePaths(const SchedulerView& view)
{
    PathChoice choice;
    for (const UnitView& unit : view.units)
    {
        auto& paths = choice.emplace_back();
        for (const FlowView& flow : unit.each.flows)
        {
            paths.push_back(flow.path);
        }
    }
    return choice;
}

} // namespace ns3::ddl
