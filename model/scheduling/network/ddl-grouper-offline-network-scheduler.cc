// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-network-scheduler.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `grouper` that knows after which stage each live job will be stopped, so that future stages have
 * the loads that they will really have (Grouper, Zhou et al., Fig. 17 and 18, GrouperOffline).
 *
 * It is clairvoyant as to stops only: cojobs that have not arrived are unknown. It is invoked every
 * period, as `grouper` is; the paper does not say when it is invoked.
 */
class GrouperOfflineNetworkScheduler : public GrouperNetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GrouperOfflineNetworkScheduler")
                                .SetParent<GrouperNetworkScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GrouperOfflineNetworkScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "grouper that knows which jobs will be stopped when (Grouper Fig. 17, 18)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GrouperOfflineNetworkScheduler);
DDL_POLICY_SOURCE(GrouperOfflineNetworkScheduler,
                  "Grouper, TNSM",
                  2020,
                  "bytes of all stages, and which jobs will be stopped");

} // namespace ns3::ddl
