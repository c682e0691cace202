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

std::string
FairShareNetworkScheduler::GetSummary() const
{
    return "all flows in one data queue, the transport shares (Grouper §V-A, FS)";
}

UnitKind
FairShareNetworkScheduler::GetUnitKind() const
{
    return UnitKind::STAGE;
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
