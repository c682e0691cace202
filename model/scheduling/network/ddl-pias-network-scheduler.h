// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PIAS_NETWORK_SCHEDULER_H
#define DDL_PIAS_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * Information-agnostic flow scheduling: a flow begins with the first priority and falls by one with
 * each threshold of bytes that it passes (PIAS: Bai, Chen, Chen, Han, Tian, Wang, IEEE/ACM ToN
 * 25(4), 2017). A flow is one message of a stream.
 *
 * Machines do it by themselves, so there is no order, no coordinator and no message. Deviations:
 * bytes count when they have arrived, not when they are sent, which differs by at most a window;
 * thresholds are given, not optimised for a distribution of sizes. The defaults spread
 * the messages of Grouper's Table III over seven data queues; thresholds for short flows would put
 * every training flow in the lowest queue at once.
 */
class PiasNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnitKind GetUnitKind() const override;
    Trigger GetTrigger() const override;
    std::vector<uint64_t> GetLadder() const override;

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;

    std::string m_thresholds;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_PIAS_NETWORK_SCHEDULER_H
