// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GROUPER_IMMEDIATE_NETWORK_SCHEDULER_H
#define DDL_GROUPER_IMMEDIATE_NETWORK_SCHEDULER_H

#include "ddl-grouper-network-scheduler.h"

namespace ns3
{
namespace ddl
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

} // namespace ddl
} // namespace ns3

#endif // DDL_GROUPER_IMMEDIATE_NETWORK_SCHEDULER_H
