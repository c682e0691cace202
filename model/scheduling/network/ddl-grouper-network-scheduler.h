// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GROUPER_NETWORK_SCHEDULER_H
#define DDL_GROUPER_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3::ddl
{

/**
 * Primal-dual algorithm that permutes the stages of cojobs (Grouper, Zhou et al., Algorithm 1). It
 * is invoked every period and assumes that every live job runs all its stages (§IV-C).
 *
 * Where the printed algorithm differs from the proofs, this follows the proofs:
 * - weights are those of Eq. 46, 1 + 2^-(k+1), for the last stage too; attribute LiteralLine10
 *   gives the last stage 2^-K, as line 10 reads with alpha_{K+1} = 0;
 * - line 14 runs i from l down to 1;
 * - line 16 places last the stage with the least weight over load on the bottleneck port;
 * - only the last unplaced stage of each cojob may be placed, and weights that would fall below 0
 *   stay at 0; attribute KeepChainOrder = false lets line 16 range over all unplaced stages.
 *
 * The iteration itself is OrderByPrimalDual().
 */
class GrouperNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "stages of cojobs by the primal-dual algorithm, every period (Grouper Algorithm 1)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

    Trigger GetTrigger() const override
    {
        return Trigger::PERIOD;
    }

    bool NeedsProgress() const override
    {
        return true;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;

    bool m_keepChainOrder{true};
    bool m_literalLine10{false};
};

} // namespace ns3::ddl

#endif // DDL_GROUPER_NETWORK_SCHEDULER_H
