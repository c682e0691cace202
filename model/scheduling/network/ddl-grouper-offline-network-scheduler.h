// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GROUPER_OFFLINE_NETWORK_SCHEDULER_H
#define DDL_GROUPER_OFFLINE_NETWORK_SCHEDULER_H

#include "ddl-grouper-network-scheduler.h"

namespace ns3
{
namespace ddl
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
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool IsClairvoyant() const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_GROUPER_OFFLINE_NETWORK_SCHEDULER_H
