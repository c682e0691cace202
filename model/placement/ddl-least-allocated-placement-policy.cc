// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-least-allocated-placement-policy.h"

#include "ddl-cluster-view-access.h"
#include "ddl-server-placement.h"
#include "ddl-take-first.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the part of the machine that jobs hold, 0 to 1 */
double
GetAllocated(const MachineView& machine)
{
    double taken = 0;
    for (const GpuView& gpu : machine.gpus)
    {
        const bool whole = gpu.memory == 0;
        taken += whole ? (gpu.free ? 0 : 1) : 1 - double(gpu.freeMemory) / double(gpu.memory);
    }
    return taken / machine.gpus.size();
}

/** \return a GPU with room, not among the chosen, on the least allocated machine; null if none */
const GpuView*
FindLeastAllocated(const ClusterView& cluster, uint64_t memory, const std::vector<GpuId>& chosen)
{
    const auto fits = [&](const GpuView& gpu) {
        return HasRoom(gpu, memory) &&
               std::find(chosen.begin(), chosen.end(), gpu.id) == chosen.end();
    };
    const GpuView* best = nullptr;
    std::tuple<double, uint32_t> least;
    for (const MachineView& machine : cluster.machines)
    {
        const auto gpu = std::find_if(machine.gpus.begin(), machine.gpus.end(), fits);
        if (gpu == machine.gpus.end())
        {
            continue;
        }
        const std::tuple<double, uint32_t> mine{GetAllocated(machine), machine.servers};
        if (best == nullptr || mine < least)
        {
            best = &*gpu;
            least = mine;
        }
    }
    return best;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(LeastAllocatedPlacementPolicy);

TypeId
LeastAllocatedPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::LeastAllocatedPlacementPolicy")
                            .SetParent<PlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<LeastAllocatedPlacementPolicy>();
    return tid;
}

std::string
LeastAllocatedPlacementPolicy::GetSummary() const
{
    return "worker by worker on the machine with the least part taken (Kubernetes)";
}

std::optional<Placement>
LeastAllocatedPlacementPolicy::DoPlace(const PlacementView& view)
{
    ClusterView cluster = view.cluster; // scratch paper: each worker takes its room at once
    Placement placement;
    for (uint32_t i = 0; i < view.workers; ++i)
    {
        const GpuView* gpu = FindLeastAllocated(cluster, view.memory, placement.workers);
        if (gpu == nullptr)
        {
            return std::nullopt;
        }
        const GpuId id = gpu->id;
        Occupy(cluster, Placement{{id}, {}}, view.memory);
        placement.workers.push_back(id);
    }
    placement.workers = GroupByMachine(placement.workers);
    placement.servers = PlaceServers(view.cluster, placement.workers, view.servers);
    return placement;
}

} // namespace ddl
} // namespace ns3
