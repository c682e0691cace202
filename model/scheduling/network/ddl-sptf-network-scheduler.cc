// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sptf-network-scheduler.h"

#include "ddl-unit-order.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(SptfNetworkScheduler);

TypeId
SptfNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SptfNetworkScheduler")
                            .SetParent<NetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SptfNetworkScheduler>();
    return tid;
}

std::string
SptfNetworkScheduler::GetSummary() const
{
    return "jobs, least remaining transmission time first, clairvoyant (Grouper Fig. 3(c))";
}

UnitKind
SptfNetworkScheduler::GetUnitKind() const
{
    return UnitKind::JOB;
}

bool
SptfNetworkScheduler::NeedsProgress() const
{
    return true;
}

bool
SptfNetworkScheduler::IsClairvoyant() const
{
    return true;
}

UnitOrder
SptfNetworkScheduler::DoOrder(const SchedulerView& view)
{
    return InSingles(IndicesByBottleneck(view));
}

} // namespace ddl
} // namespace ns3
