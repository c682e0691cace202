// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sincronia-network-scheduler.h"

#include "ddl-primal-dual-order.h"
#include "ddl-unit-order.h"

#include "ns3/boolean.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(SincroniaNetworkScheduler);

TypeId
SincroniaNetworkScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::SincroniaNetworkScheduler")
            .SetParent<NetworkScheduler>()
            .SetGroupName("Ddl")
            .AddConstructor<SincroniaNetworkScheduler>()
            .AddAttribute("Periodic",
                          "Order coflows every scheduling period instead of whenever one comes or "
                          "goes",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SincroniaNetworkScheduler::m_periodic),
                          MakeBooleanChecker())
            .AddAttribute("Remaining",
                          "Count what is left of a coflow, asking machines, instead of its size",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SincroniaNetworkScheduler::m_remaining),
                          MakeBooleanChecker());
    return tid;
}

std::string
SincroniaNetworkScheduler::GetSummary() const
{
    return "coflows by bottleneck, select, scale, iterate (Agarwal et al. 2018; Grouper §V-A)";
}

UnitKind
SincroniaNetworkScheduler::GetUnitKind() const
{
    return UnitKind::COFLOW;
}

NetworkScheduler::Trigger
SincroniaNetworkScheduler::GetTrigger() const
{
    return m_periodic ? Trigger::PERIOD : Trigger::CHANGE;
}

bool
SincroniaNetworkScheduler::NeedsProgress() const
{
    return m_remaining;
}

UnitOrder
SincroniaNetworkScheduler::DoOrder(const SchedulerView& view)
{
    std::vector<double> weights;
    weights.reserve(view.units.size());
    for (const auto& coflow : view.units)
    {
        weights.push_back(coflow.weight);
    }
    // Algorithm 1 as printed: any unscheduled coflow may go last.
    return InSingles(OrderByPrimalDual(view, weights, false));
}

} // namespace ddl
} // namespace ns3
