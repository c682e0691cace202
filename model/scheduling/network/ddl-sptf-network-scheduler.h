// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SPTF_NETWORK_SCHEDULER_H
#define DDL_SPTF_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * Shortest processing time first: the job with the least remaining transmission time at its own
 * bottleneck port goes first, over the stages that it will really run (Grouper Fig. 3(c)).
 *
 * Clairvoyant: it must know after which stage a job will be stopped.
 */
class SptfNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnitKind GetUnitKind() const override;
    bool NeedsProgress() const override;
    bool IsClairvoyant() const override;

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SPTF_NETWORK_SCHEDULER_H
