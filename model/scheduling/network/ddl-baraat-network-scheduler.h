// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BARAAT_NETWORK_SCHEDULER_H
#define DDL_BARAAT_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * First come, first served by stage (Dogar et al. 2014, §4; as Grouper §V-A baseline (i) uses it: a
 * stage is a task, and tasks go in the order of their release).
 *
 * Attribute Multiplexing: the first m active stages share the first priority, Baraat's limited
 * multiplexing (§4.1.2) with a fixed m instead of its detection of heavy tasks.
 */
class BaraatNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnitKind GetUnitKind() const override;

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;

    uint32_t m_multiplexing{1};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_BARAAT_NETWORK_SCHEDULER_H
