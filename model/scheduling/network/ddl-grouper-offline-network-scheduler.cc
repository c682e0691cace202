// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouper-network-scheduler.h"

namespace ns3::ddl
{

/**
 * `grouper` that knows after which stage each live job will be stopped, so that stages to come have
 * the loads that they will really have (Grouper, Zhou et al., Fig. 17 and 18, GrouperOffline).
 *
 * Clairvoyant as to stops alone: cojobs that have not arrived are unknown. It runs every period, as
 * `grouper` does; the paper does not say when it runs.
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

} // namespace ns3::ddl
