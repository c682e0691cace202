// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-network-scheduler.h"

#include "ddl-primal-dual-order.h"
#include "ddl-unit-order.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GrouperNetworkScheduler);
DDL_POLICY_SOURCE(GrouperNetworkScheduler, "Grouper, TNSM", 2020, "bytes of all stages");

namespace
{

/** \return w_{g,k} of a stage: Eq. 46, or Algorithm 1 line 10 as printed (alpha_{K+1} = 0) */
double
InitialWeight(const UnitView& stage, bool literalLine10)
{
    const int k = static_cast<int>(stage.stage);
    const bool last = stage.stage == stage.stages;
    return literalLine10 && last ? std::ldexp(1.0, -k) : 1 + std::ldexp(1.0, -(k + 1));
}

} // namespace

TypeId
GrouperNetworkScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::GrouperNetworkScheduler")
            .SetParent<NetworkScheduler>()
            .SetGroupName("Ddl")
            .AddConstructor<GrouperNetworkScheduler>()
            .AddAttribute("KeepChainOrder",
                          "Never order a stage before an earlier one of its cojob",
                          BooleanValue(true),
                          MakeBooleanAccessor(&GrouperNetworkScheduler::m_keepChainOrder),
                          MakeBooleanChecker())
            .AddAttribute("LiteralLine10",
                          "Give the last stage of a cojob the weight 2^-K, as line 10 reads",
                          BooleanValue(false),
                          MakeBooleanAccessor(&GrouperNetworkScheduler::m_literalLine10),
                          MakeBooleanChecker());
    return tid;
}

UnitOrder
GrouperNetworkScheduler::DoOrder(const SchedulerView& view)
{
    std::vector<double> weights;
    weights.reserve(view.units.size());
    for (const auto& unit : view.units)
    {
        weights.push_back(InitialWeight(unit, m_literalLine10)); // lines 3 to 12
    }
    return InSingles(OrderByPrimalDual(view, weights, m_keepChainOrder));
}

} // namespace ns3::ddl
