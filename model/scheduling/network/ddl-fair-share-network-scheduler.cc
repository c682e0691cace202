// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fair-share-network-scheduler.h"

#include "ddl-unit-order.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FairShareNetworkScheduler);
DDL_POLICY_SOURCE(FairShareNetworkScheduler, "", 0, "nothing");

TypeId
FairShareNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FairShareNetworkScheduler")
                            .SetParent<NetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FairShareNetworkScheduler>();
    return tid;
}

UnitOrder
FairShareNetworkScheduler::DoOrder(const SchedulerView& view)
{
    if (view.units.empty())
    {
        return {};
    }
    return {IndicesById(view)};
}

} // namespace ns3::ddl
