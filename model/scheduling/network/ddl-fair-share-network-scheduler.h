// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FAIR_SHARE_NETWORK_SCHEDULER_H
#define DDL_FAIR_SHARE_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3::ddl
{

/**
 * No order: every unit has the first priority, so that all data share one queue and the transport
 * divides the links (Grouper, Zhou et al., §V-A baseline (iii), FS).
 */
class FairShareNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "all flows in one data queue, the transport shares (Grouper §V-A, FS)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;
};

} // namespace ns3::ddl

#endif // DDL_FAIR_SHARE_NETWORK_SCHEDULER_H
