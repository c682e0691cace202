// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-view-access.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

/** \tparam Cluster a ClusterView or a const one; \return a pointer that is const likewise, or null
 */
template <typename Cluster>
auto
FindMachineIn(Cluster& cluster, HostId host)
{
    auto& machines = cluster.machines;
    const auto found = std::lower_bound(
        machines.begin(),
        machines.end(),
        host,
        [](const MachineView& machine, HostId wanted) { return machine.host < wanted; });
    return found != machines.end() && found->host == host ? &*found : nullptr;
}

template <typename Cluster>
auto
FindGpuIn(Cluster& cluster, GpuId id)
{
    auto* machine = FindMachineIn(cluster, id.host);
    const bool known = machine != nullptr && id.index < machine->gpus.size();
    return known ? &machine->gpus[id.index] : nullptr;
}

} // namespace

const MachineView*
FindMachine(const ClusterView& cluster, HostId host)
{
    return FindMachineIn(cluster, host);
}

const GpuView*
FindGpu(const ClusterView& cluster, GpuId id)
{
    return FindGpuIn(cluster, id);
}

uint32_t
CountFreeGpus(const ClusterView& cluster)
{
    uint32_t count = 0;
    for (const MachineView& machine : cluster.machines)
    {
        count += std::count_if(machine.gpus.begin(), machine.gpus.end(), [](const GpuView& gpu) {
            return gpu.free;
        });
    }
    return count;
}

void
Occupy(ClusterView& cluster, const Placement& placement)
{
    for (const GpuId& id : placement.workers)
    {
        if (id.index == NO_GPU)
        {
            continue;
        }
        GpuView* gpu = FindGpuIn(cluster, id);
        NS_ABORT_MSG_IF(gpu == nullptr || !gpu->free,
                        "GPU " << id.index << " of machine " << id.host << " is not free");
        gpu->free = false;
    }
    for (const HostId host : placement.servers)
    {
        MachineView* machine = FindMachineIn(cluster, host);
        NS_ABORT_MSG_IF(machine == nullptr, "there is no machine " << host);
        ++machine->servers;
    }
}

} // namespace ddl
} // namespace ns3
