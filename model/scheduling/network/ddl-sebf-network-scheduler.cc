// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sebf-network-scheduler.h"

#include "ddl-unit-order.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(SebfNetworkScheduler);
DDL_POLICY_SOURCE(SebfNetworkScheduler, "Varys, SIGCOMM", 2014, "bytes of coflows");

TypeId
SebfNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SebfNetworkScheduler")
                            .SetParent<NetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SebfNetworkScheduler>();
    return tid;
}

UnitOrder
SebfNetworkScheduler::DoOrder(const SchedulerView& view)
{
    // The effective bottleneck: the most loaded port of the coflow, with what is left of its bytes.
    return InSingles(IndicesByBottleneck(view));
}

} // namespace ns3::ddl
