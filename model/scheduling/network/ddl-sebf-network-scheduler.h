// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SEBF_NETWORK_SCHEDULER_H
#define DDL_SEBF_NETWORK_SCHEDULER_H

#include "ddl-network-scheduler.h"

namespace ns3::ddl
{

/**
 * Smallest effective bottleneck first: the coflow that could be over soonest goes first (Varys:
 * Chowdhury, Zhong, Stoica, SIGCOMM 2014). A coflow is one iteration's transfer of one job.
 *
 * Invoked whenever a coflow starts or ends, on what is left of each, for which machines are asked.
 * Deviations: Varys slows the flows of a coflow down to its bottleneck (MADD) and shares capacity
 * now and then against starvation. Rates are left to the transport here, and what a coflow leaves
 * unused goes to later ones by the priority queues alone.
 */
class SebfNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "coflows, smallest effective bottleneck first (Varys, Chowdhury et al. 2014)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::COFLOW;
    }

    bool NeedsProgress() const override
    {
        return true;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;
};

} // namespace ns3::ddl

#endif // DDL_SEBF_NETWORK_SCHEDULER_H
