// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-first-fit-placement-policy.h"

#include "ddl-server-placement.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(FirstFitPlacementPolicy);

TypeId
FirstFitPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::FirstFitPlacementPolicy")
                            .SetParent<PlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<FirstFitPlacementPolicy>();
    return tid;
}

std::string
FirstFitPlacementPolicy::GetSummary() const
{
    return "first n free GPUs in index order (Ada-SRSF FF)";
}

std::optional<Placement>
FirstFitPlacementPolicy::DoPlace(const PlacementView& view)
{
    Placement placement;
    for (const MachineView& machine : view.cluster.machines)
    {
        for (const GpuView& gpu : machine.gpus)
        {
            if (gpu.free && placement.workers.size() < view.workers)
            {
                placement.workers.push_back(gpu.id);
            }
        }
    }
    if (placement.workers.size() < view.workers)
    {
        return std::nullopt;
    }
    placement.servers = PlaceServers(view.cluster, placement.workers, view.servers);
    return placement;
}

} // namespace ddl
} // namespace ns3
