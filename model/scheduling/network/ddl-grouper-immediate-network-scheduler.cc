// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-network-scheduler.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `grouper`, invoked whenever a stage starts or ends or a job comes or goes, instead of every
 * period (Grouper, Zhou et al., Fig. 16, Grouper-Immediate).
 */
class GrouperImmediateNetworkScheduler : public GrouperNetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GrouperImmediateNetworkScheduler")
                                .SetParent<GrouperNetworkScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GrouperImmediateNetworkScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "grouper, run whenever a stage starts or ends (Grouper Fig. 16)";
    }

    Trigger GetTrigger() const override
    {
        return Trigger::CHANGE;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GrouperImmediateNetworkScheduler);
DDL_POLICY_SOURCE(GrouperImmediateNetworkScheduler, "Grouper, TNSM", 2020, "bytes of all stages");

} // namespace ns3::ddl
