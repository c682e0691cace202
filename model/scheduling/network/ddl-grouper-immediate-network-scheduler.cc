// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-network-scheduler.h"

namespace ns3::ddl
{

/**
 * `grouper`, run whenever a stage starts or ends or a job comes or goes instead of every period
 * (Grouper, Zhou et al., Fig. 16, Grouper-Immediate).
 */
class GrouperImmediateNetworkScheduler : public GrouperNetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    Trigger GetTrigger() const override;
};

NS_OBJECT_ENSURE_REGISTERED(GrouperImmediateNetworkScheduler);

TypeId
GrouperImmediateNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::GrouperImmediateNetworkScheduler")
                            .SetParent<GrouperNetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<GrouperImmediateNetworkScheduler>();
    return tid;
}

std::string
GrouperImmediateNetworkScheduler::GetSummary() const
{
    return "grouper, run whenever a stage starts or ends (Grouper Fig. 16)";
}

NetworkScheduler::Trigger
GrouperImmediateNetworkScheduler::GetTrigger() const
{
    return Trigger::CHANGE;
}

} // namespace ns3::ddl
