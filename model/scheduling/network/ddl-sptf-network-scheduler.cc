// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

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
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    UnitKind GetUnitKind() const override;
    bool NeedsProgress() const override;
    bool IsClairvoyant() const override;

  private:
    UnitOrder DoOrder(const SchedulerView& view) override;
};

NS_OBJECT_ENSURE_REGISTERED(SptfNetworkScheduler);

TypeId
SptfNetworkScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SptfNetworkScheduler")
                            .SetParent<NetworkScheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SptfNetworkScheduler>();
    return tid;
}

std::string
SptfNetworkScheduler::GetSummary() const
{
    return "jobs, least remaining transmission time first, clairvoyant (Grouper Fig. 3(c))";
}

UnitKind
SptfNetworkScheduler::GetUnitKind() const
{
    return UnitKind::JOB;
}

bool
SptfNetworkScheduler::NeedsProgress() const
{
    return true;
}

bool
SptfNetworkScheduler::IsClairvoyant() const
{
    return true;
}

UnitOrder
SptfNetworkScheduler::DoOrder(const SchedulerView& view)
{
    return InSingles(IndicesByBottleneck(view));
}

} // namespace ns3::ddl
