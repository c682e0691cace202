// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"

#include "ns3/abort.h"
#include "ns3/ddl-job-hosts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::ddl
{

const MachineView*
FindMachine(const ClusterView& cluster, HostId host)
{
    const auto& machines = cluster.machines;
    const auto found = std::lower_bound(
        machines.begin(),
        machines.end(),
        host,
        [](const MachineView& machine, HostId wanted) { return machine.host < wanted; });
    return found != machines.end() && found->host == host ? &*found : nullptr;
}

MachineView*
FindMachine(ClusterView& cluster, HostId host)
{
    return const_cast<MachineView*>(FindMachine(std::as_const(cluster), host));
}

const GpuView*
FindGpu(const ClusterView& cluster, GpuId id)
{
    const MachineView* machine = FindMachine(cluster, id.host);
    const bool isKnown = machine != nullptr && id.index < machine->gpus.size();
    return isKnown ? &machine->gpus[id.index] : nullptr;
}

GpuView*
FindGpu(ClusterView& cluster, GpuId id)
{
    return const_cast<GpuView*>(FindGpu(std::as_const(cluster), id));
}

ServerKey
GetServer(const MachineView& machine)
{
    const bool isOwn = machine.server == OWN_SERVER;
    return {isOwn, isOwn ? machine.host.value : machine.server};
}

namespace
{

template <typename GetKey>
std::vector<MachineList>
GroupMachines(const MachineList& machines, GetKey getKey)
{
    std::vector<MachineList> groups;
    std::map<decltype(getKey(*machines.front())), std::size_t> known;
    for (const MachineView* machine : machines)
    {
        const auto [group, isNew] = known.emplace(getKey(*machine), groups.size());
        if (isNew)
        {
            groups.emplace_back();
        }
        groups[group->second].push_back(machine);
    }
    return groups;
}

MachineList
ListMachines(const ClusterView& cluster)
{
    MachineList machines;
    for (const MachineView& machine : cluster.machines)
    {
        machines.push_back(&machine);
    }
    return machines;
}

} // namespace

std::vector<MachineList>
ByServer(const ClusterView& cluster)
{
    return ByServerOf(ListMachines(cluster));
}

std::vector<MachineList>
ByServerOf(const MachineList& machines)
{
    return GroupMachines(machines, GetServer);
}

std::vector<MachineList>
ByRack(const ClusterView& cluster)
{
    return GroupMachines(ListMachines(cluster),
                         [](const MachineView& machine) { return machine.rack; });
}

Tier
FindTier(const MachineView& a, const MachineView& b)
{
    return a.host == b.host               ? Tier::HOST
           : GetServer(a) == GetServer(b) ? Tier::SERVER
           : a.rack == b.rack             ? Tier::RACK
                                          : Tier::NETWORK;
}

Tier
FindTier(const ClusterView& cluster, const std::vector<GpuId>& gpus)
{
    Tier span = Tier::HOST;
    for (const GpuId& id : gpus)
    {
        const MachineView* first = FindMachine(cluster, gpus.front().host);
        span = std::max(span, FindTier(*first, *FindMachine(cluster, id.host)));
    }
    return span;
}

bool
HasRoom(const GpuView& gpu, uint64_t memory)
{
    return gpu.memory == 0 || memory == 0 ? gpu.free : memory <= gpu.freeMemory;
}

std::vector<GpuView>
ListRoom(const ClusterView& cluster, uint64_t memory)
{
    return ListRoom(ListMachines(cluster), memory);
}

std::vector<GpuView>
ListRoom(const MachineList& machines, uint64_t memory)
{
    std::vector<GpuView> room;
    for (const MachineView* machine : machines)
    {
        std::copy_if(machine->gpus.begin(),
                     machine->gpus.end(),
                     std::back_inserter(room),
                     [memory](const GpuView& gpu) { return HasRoom(gpu, memory); });
    }
    return room;
}

Time
GetLoad(const MachineList& machines)
{
    Time load;
    for (const MachineView* machine : machines)
    {
        for (const GpuView& gpu : machine->gpus)
        {
            load += gpu.load;
        }
    }
    return load;
}

void
AddLoad(ClusterView& cluster, const std::vector<GpuId>& gpus, Time service)
{
    for (const GpuId& id : gpus)
    {
        GpuView* gpu = FindGpu(cluster, id);
        NS_ABORT_MSG_IF(gpu == nullptr, "there is no GPU " << id.index << " of " << id.host);
        gpu->load += service;
    }
}

std::size_t
CountGpus(const MachineList& machines)
{
    std::size_t gpus = 0;
    for (const MachineView* machine : machines)
    {
        gpus += machine->gpus.size();
    }
    return gpus;
}

std::size_t
CountGpus(const ClusterView& cluster)
{
    return CountGpus(ListMachines(cluster));
}

uint64_t
FindGpuMemory(const ClusterView& cluster)
{
    uint64_t memory = 0;
    for (const MachineView& machine : cluster.machines)
    {
        for (const GpuView& gpu : machine.gpus)
        {
            memory = std::max(memory, gpu.memory);
        }
    }
    return memory;
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
Occupy(ClusterView& cluster, const Placement& placement, uint64_t memory)
{
    for (const GpuId& id : ListGpus(placement))
    {
        GpuView* gpu = FindGpu(cluster, id);
        NS_ABORT_MSG_IF(gpu == nullptr || !HasRoom(*gpu, memory),
                        "GPU " << id.index << " of machine " << id.host << " is not free");
        gpu->free = false;
        gpu->freeMemory = memory == 0 || gpu->memory == 0 ? 0 : gpu->freeMemory - memory;
    }
    for (const GpuId& server : placement.servers)
    {
        MachineView* machine = FindMachine(cluster, server.host);
        NS_ABORT_MSG_IF(machine == nullptr, "there is no machine " << server.host);
        ++machine->servers;
    }
}

void
Vacate(ClusterView& cluster, const Placement& placement, uint64_t memory)
{
    for (const GpuId& id : ListGpus(placement))
    {
        GpuView* gpu = FindGpu(cluster, id);
        NS_ABORT_MSG_IF(gpu == nullptr || gpu->free,
                        "GPU " << id.index << " of machine " << id.host << " is held by nobody");
        gpu->freeMemory = memory == 0 || gpu->memory == 0 ? gpu->memory : gpu->freeMemory + memory;
        gpu->free = gpu->freeMemory == gpu->memory;
    }
    for (const GpuId& server : placement.servers)
    {
        MachineView* machine = FindMachine(cluster, server.host);
        NS_ABORT_MSG_IF(machine == nullptr || machine->servers == 0,
                        "machine " << server.host << " has no server");
        --machine->servers;
    }
}

std::vector<GpuId>
PlaceServers(const ClusterView& cluster, const std::vector<GpuId>& workers, uint32_t servers)
{
    if (servers == 0)
    {
        return {};
    }
    std::set<ServerKey> withWorker;
    for (const GpuId& id : workers)
    {
        withWorker.insert(GetServer(*FindMachine(cluster, id.host)));
    }
    // Order of machines: whether the chassis has a worker, parameter servers of the chassis, and of
    // the machine, then the machine.
    std::vector<std::tuple<bool, uint32_t, uint32_t, HostId>> order;
    for (MachineList& machines : ByServer(cluster))
    {
        const bool hasWorker = withWorker.count(GetServer(*machines.front())) > 0;
        uint32_t there = 0; // parameter servers on the chassis, with those of earlier machines
        for (const MachineView* machine : machines)
        {
            there += machine->servers;
        }
        std::stable_sort(machines.begin(), machines.end(), [](const auto* a, const auto* b) {
            return a->servers < b->servers;
        });
        for (const MachineView* machine : machines)
        {
            if (!machine->failed)
            {
                order.emplace_back(hasWorker, there++, machine->servers, machine->host);
            }
        }
    }
    std::sort(order.begin(), order.end());
    std::vector<GpuId> places;
    for (uint32_t i = 0; i < servers; ++i)
    {
        places.push_back(OnMachine(std::get<HostId>(order[i % order.size()])));
    }
    return places;
}

std::vector<bool>
InterleaveServers(uint32_t workers, uint32_t servers)
{
    std::vector<bool> order;
    for (uint64_t server = 0, worker = 0; server + worker < uint64_t{servers} + workers;)
    {
        order.push_back(server < servers && server * workers <= worker * servers);
        ++(order.back() ? server : worker);
    }
    return order;
}

std::vector<GpuId>
ListInterleaved(const Placement& placement)
{
    std::vector<GpuId> ranks;
    auto worker = placement.workers.begin();
    auto server = placement.servers.begin();
    for (const bool isServer :
         InterleaveServers(placement.workers.size(), placement.servers.size()))
    {
        ranks.push_back(isServer ? *server++ : *worker++);
    }
    return ranks;
}

Placement
SplitInterleaved(const std::vector<GpuId>& ranks, uint32_t servers)
{
    Placement placement;
    auto rank = ranks.begin();
    for (const bool isServer : InterleaveServers(ranks.size() - servers, servers))
    {
        (isServer ? placement.servers : placement.workers).push_back(*rank++);
    }
    return placement;
}

std::vector<GpuView>
SortByLoad(std::vector<GpuView> gpus)
{
    std::stable_sort(gpus.begin(), gpus.end(), [](const GpuView& a, const GpuView& b) {
        return a.load < b.load;
    });
    return gpus;
}

std::vector<GpuId>
GroupByServer(const ClusterView& cluster, const std::vector<GpuId>& gpus)
{
    std::map<ServerKey, std::size_t> firstOfServer; // position of each server's first GPU
    // Positions of the first GPU of each machine's server, and of its own first GPU, by machine.
    std::map<HostId, std::pair<std::size_t, std::size_t>> first;
    for (std::size_t i = 0; i < gpus.size(); ++i)
    {
        const ServerKey server = GetServer(*FindMachine(cluster, gpus[i].host));
        const std::size_t ofServer = firstOfServer.emplace(server, i).first->second;
        first.emplace(gpus[i].host, std::make_pair(ofServer, i));
    }
    std::vector<GpuId> grouped = gpus;
    std::stable_sort(grouped.begin(), grouped.end(), [&](const GpuId& a, const GpuId& b) {
        return first.at(a.host) < first.at(b.host);
    });
    return grouped;
}

Placement
PlaceRanks(const PlacementView& view, const std::vector<GpuId>& gpus)
{
    const std::vector<GpuId> workers = GroupByServer(view.cluster, gpus);
    return {workers, PlaceServers(view.cluster, workers, view.servers)};
}

std::optional<Placement>
TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus)
{
    if (gpus.size() < view.workers)
    {
        return std::nullopt;
    }
    std::vector<GpuId> taken;
    for (uint32_t i = 0; i < view.workers; ++i)
    {
        taken.push_back(gpus[i].id);
    }
    return PlaceRanks(view, taken);
}

Placement
GetRest(const Placement& placement, const Placement& other)
{
    const std::vector<GpuId> own = ListGpus(placement);
    const std::vector<GpuId> others = ListGpus(other);
    Placement rest;
    std::copy_if(own.begin(),
                 own.end(),
                 std::back_inserter(rest.workers),
                 [&others](const GpuId& gpu) {
                     return std::find(others.begin(), others.end(), gpu) == others.end();
                 });
    return rest;
}

} // namespace ns3::ddl
