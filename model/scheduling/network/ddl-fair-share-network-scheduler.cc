// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fair-share-network-scheduler.h"

#include "ddl-unit-order.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FairShareNetworkScheduler);

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
