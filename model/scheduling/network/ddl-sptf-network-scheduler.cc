// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
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
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SptfNetworkScheduler")
                                .SetParent<NetworkScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<SptfNetworkScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs, least remaining transmission time first, clairvoyant (Grouper Fig. 3(c))";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::JOB;
    }

    bool NeedsProgress() const override
    {
        return true;
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override
    {
        return InSingles(IndicesByBottleneck(view));
    }
};

NS_OBJECT_ENSURE_REGISTERED(SptfNetworkScheduler);
DDL_POLICY_SOURCE(SptfNetworkScheduler, "Grouper, TNSM", 2020, "bytes left of jobs");

} // namespace ns3::ddl
