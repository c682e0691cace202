// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-policy.h"

#include "ddl-cluster-view-access.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <set>

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlPlacementPolicy");
NS_OBJECT_ENSURE_REGISTERED(PlacementPolicy);

namespace
{

/** An answer that breaks the contract is an error of the policy's author, so it ends the program.
 */
void
CheckPlacement(const PlacementView& view, const Placement& placement)
{
    NS_ABORT_MSG_IF(placement.workers.size() != view.workers,
                    "a placement has " << placement.workers.size() << " GPUs for " << view.workers
                                       << " workers");
    NS_ABORT_MSG_IF(placement.servers.size() != view.servers,
                    "a placement has " << placement.servers.size() << " machines for "
                                       << view.servers << " servers");
    std::set<GpuId> taken;
    for (const GpuId& id : placement.workers)
    {
        const GpuView* gpu = FindGpu(view.cluster, id);
        NS_ABORT_MSG_IF(gpu == nullptr || !HasRoom(*gpu, view.memory),
                        "a placement takes GPU " << id.index << " of machine " << id.host
                                                 << ", which is not free");
        NS_ABORT_MSG_IF(!taken.insert(id).second,
                        "a placement takes GPU " << id.index << " of machine " << id.host
                                                 << " twice");
    }
    for (const HostId host : placement.servers)
    {
        NS_ABORT_MSG_IF(FindMachine(view.cluster, host) == nullptr,
                        "a placement puts a server on machine " << host
                                                                << ", which does not exist");
    }
}

} // namespace

TypeId
PlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PlacementPolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::optional<Placement>
PlacementPolicy::Place(const PlacementView& view)
{
    NS_LOG_FUNCTION(this << view.workers << view.servers);
    NS_ABORT_MSG_IF(view.workers == 0, "a job without workers cannot be placed");
    const Stopwatch stopwatch(*this);
    std::optional<Placement> placement = DoPlace(view);
    if (placement)
    {
        CheckPlacement(view, *placement);
    }
    NS_LOG_LOGIC((placement ? "placed" : "must wait"));
    return placement;
}

} // namespace ddl
} // namespace ns3
