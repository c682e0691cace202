// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-offline-network-scheduler.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(GrouperOfflineNetworkScheduler);

TypeId
GrouperOfflineNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::GrouperOfflineNetworkScheduler")
                            .SetParent<GrouperNetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<GrouperOfflineNetworkScheduler>();
    return tid;
}

std::string
GrouperOfflineNetworkScheduler::GetSummary() const
{
    return "grouper that knows which jobs will be stopped when (Grouper Fig. 17, 18)";
}

bool
GrouperOfflineNetworkScheduler::IsClairvoyant() const
{
    return true;
}

} // namespace ddl
} // namespace ns3
