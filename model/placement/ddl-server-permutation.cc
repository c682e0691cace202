// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-server-permutation.h"

#include "ddl-placement-helpers.h"

#include <string>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** How a server is built: the GPUs of each machine of it, and their type. */
using ServerShape = std::vector<std::pair<std::size_t, std::string>>;

ServerShape
GetShape(const MachineList& server)
{
    ServerShape shape;
    for (const MachineView* machine : server)
    {
        shape.emplace_back(machine->gpus.size(), machine->gpuType.name);
    }
    return shape;
}

/** \return for each item, the item that takes its place: a random one of the same shape */
template <typename Shape>
std::vector<std::size_t>
ShuffleAlike(const std::vector<Shape>& shapes, const Ptr<UniformRandomVariable>& draw)
{
    std::map<Shape, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < shapes.size(); ++i)
    {
        alike[shapes[i]].push_back(i);
    }
    std::vector<std::size_t> taker(shapes.size());
    for (const auto& [shape, items] : alike)
    {
        std::vector<std::size_t> shuffled = items;
        for (std::size_t i = 0; i < shuffled.size(); ++i)
        {
            const auto last = static_cast<uint32_t>(shuffled.size() - 1);
            std::swap(shuffled[i], shuffled[draw->GetInteger(static_cast<uint32_t>(i), last)]);
            taker[items[i]] = shuffled[i];
        }
    }
    return taker;
}

/** \return where the GPU is then; the same place if its machine is not exchanged, as where a job
 * ran before it got a lease on GPUs of another type */
GpuId
MoveGpus(const std::map<HostId, HostId>& names, const GpuId& gpu)
{
    const auto found = names.find(gpu.host);
    return {found == names.end() ? gpu.host : found->second, gpu.index};
}

Placement
MoveGpus(const std::map<HostId, HostId>& names, Placement placement)
{
    for (auto* ranks : {&placement.workers, &placement.servers})
    {
        for (GpuId& gpu : *ranks)
        {
            gpu = MoveGpus(names, gpu);
        }
    }
    return placement;
}

} // namespace

ServerPermutation::ServerPermutation(const ClusterView& cluster,
                                     const Ptr<UniformRandomVariable>& draw)
{
    std::vector<std::vector<MachineList>> racks; // the servers of each
    std::vector<std::vector<ServerShape>> shapes;
    for (const MachineList& rack : ByRack(cluster))
    {
        racks.push_back(ByServerOf(rack));
        shapes.emplace_back();
        for (const MachineList& server : racks.back())
        {
            shapes.back().push_back(GetShape(server));
        }
    }
    const std::vector<std::size_t> rackTakers = ShuffleAlike(shapes, draw);
    for (std::size_t rack = 0; rack < racks.size(); ++rack)
    {
        const std::vector<std::size_t> takers = ShuffleAlike(shapes[rack], draw);
        for (std::size_t server = 0; server < takers.size(); ++server)
        {
            const MachineList& old = racks[rack][server];
            const MachineList& other = racks[rackTakers[rack]][takers[server]];
            for (std::size_t i = 0; i < old.size(); ++i)
            {
                m_to[old[i]->host] = other[i]->host;
                m_from[other[i]->host] = old[i]->host;
            }
        }
    }
}

ClusterView
ServerPermutation::Permute(const ClusterView& cluster) const
{
    ClusterView permuted = cluster;
    for (MachineView& machine : permuted.machines)
    {
        const MachineView* const source = FindMachine(cluster, m_from.at(machine.host));
        machine.gpus = source->gpus;
        for (GpuView& gpu : machine.gpus)
        {
            gpu.id.host = machine.host;
        }
        machine.servers = source->servers;
        machine.failed = source->failed;
    }
    for (auto& job : permuted.jobs)
    {
        for (GpuId& gpu : job.second)
        {
            gpu = MoveGpus(m_to, gpu);
        }
    }
    return permuted;
}

Placement
ServerPermutation::Permute(const Placement& placement) const
{
    return MoveGpus(m_to, placement);
}

Placement
ServerPermutation::Restore(const Placement& placement) const
{
    return MoveGpus(m_from, placement);
}

} // namespace ns3::ddl
