// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SINCRONIA_NETWORK_SCHEDULER_H
#define DDL_SINCRONIA_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3
{
namespace ddl
{

/**
 * Bottleneck, select, scale, iterate over the coflows under way (Sincronia: Agarwal, Rajakrishnan,
 * Narayan, Agarwal, Shmoys, Vahdat, SIGCOMM 2018, Algorithm 1). A coflow is one iteration's
 * transfer of one job, as Grouper §V-A baseline (ii) uses it.
 *
 * BSSI is the iteration of Grouper's Algorithm 1 without chains, so OrderByPrimalDual() does it:
 * the most loaded port, there the coflow with the least weight over load goes last, the other
 * weights fall in proportion.
 *
 * Online, coflows are ordered again whenever one arrives or ends; attribute Periodic does it every
 * scheduling period instead, as an epoch, and coflows that came since go last in the order of their
 * coming. A coflow counts with its whole size, which is known at its arrival; attribute Remaining
 * counts what is left of it, for which machines have to be asked.
 */
class SincroniaNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnitKind GetUnitKind() const override;
    Trigger GetTrigger() const override;
    bool NeedsProgress() const override;

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;

    bool m_periodic{false};
    bool m_remaining{false};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SINCRONIA_NETWORK_SCHEDULER_H
