// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tier-fit.h"

#include "ddl-placement-helpers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Numbers names by first appearance; fast where successive names are equal. */
template <typename Name>
class Numbering
{
  public:
    uint32_t Get(const Name& name)
    {
        if (m_numbers.empty() || !(name == m_last))
        {
            m_number = m_numbers.emplace(name, m_numbers.size()).first->second;
            m_last = name;
        }
        return m_number;
    }

  private:
    std::map<Name, uint32_t> m_numbers;
    Name m_last{};
    uint32_t m_number{0};
};

} // namespace

TierFit::TierFit(const PlacementView& view)
    : m_view(view)
{
    Numbering<ServerKey> servers;
    Numbering<uint32_t> racks;
    const auto& machines = view.cluster.machines;
    m_serverOf.reserve(machines.size());
    for (const MachineView& machine : machines)
    {
        const uint32_t server = servers.Get(GetServer(machine));
        const uint32_t rack = racks.Get(machine.rack);
        m_servers.resize(std::max<std::size_t>(m_servers.size(), server + 1));
        m_racks.resize(std::max<std::size_t>(m_racks.size(), rack + 1));
        m_serverOf.push_back(server);
        m_servers[server].rack = rack;
        for (Site* site : {&m_servers[server], &m_racks[rack]})
        {
            site->gpus += machine.gpus.size();
            site->room +=
                std::count_if(machine.gpus.begin(),
                              machine.gpus.end(),
                              [&view](const GpuView& gpu) { return HasRoom(gpu, view.memory); });
        }
    }
}

uint32_t
TierFit::FindLargest(const std::vector<Site>& sites)
{
    uint32_t gpus = 0;
    for (const Site& site : sites)
    {
        gpus = std::max(gpus, site.gpus);
    }
    return gpus;
}

uint32_t
TierFit::CountRoom() const
{
    uint32_t room = 0;
    for (const Site& rack : m_racks)
    {
        room += rack.room;
    }
    return room;
}

uint32_t
TierFit::CountServersFor(uint32_t gpus) const
{
    std::vector<uint32_t> sizes;
    for (const Site& server : m_servers)
    {
        sizes.push_back(server.gpus);
    }
    std::sort(sizes.rbegin(), sizes.rend());
    uint32_t servers = 0;
    for (uint32_t have = 0; have < gpus && servers < sizes.size(); ++servers)
    {
        have += sizes[servers];
    }
    return servers;
}

/** \return the servers with the most room, of one rack or of all, that have GPUs enough for the job
 * together; all with room if they have too few */
TierFit::Chosen
TierFit::TakeServers(std::optional<uint32_t> rack) const
{
    Chosen servers(m_servers.size());
    std::iota(servers.begin(), servers.end(), 0);
    servers.erase(std::remove_if(servers.begin(),
                                 servers.end(),
                                 [&](uint32_t server) {
                                     return m_servers[server].room == 0 ||
                                            (rack && m_servers[server].rack != *rack);
                                 }),
                  servers.end());
    std::stable_sort(servers.begin(), servers.end(), [this](uint32_t a, uint32_t b) {
        return m_servers[a].room > m_servers[b].room;
    });
    Chosen taken;
    for (uint32_t room = 0; room < m_view.workers && taken.size() < servers.size();)
    {
        taken.push_back(servers[taken.size()]);
        room += m_servers[taken.back()].room;
    }
    return taken;
}

/** \return the first GPUs of these servers, with ranks by rack, server and GPU */
std::optional<Placement>
TierFit::PlaceOn(const Chosen& servers) const
{
    std::vector<uint32_t> turns(m_servers.size(), servers.size()); // of each server: place, if any
    for (uint32_t turn = 0; turn < servers.size(); ++turn)
    {
        turns[servers[turn]] = turn;
    }
    std::vector<std::vector<GpuId>> gpus(servers.size());
    for (std::size_t i = 0; i < m_serverOf.size(); ++i)
    {
        const uint32_t turn = turns[m_serverOf[i]];
        if (turn == servers.size())
        {
            continue;
        }
        for (const GpuView& gpu : m_view.cluster.machines[i].gpus)
        {
            if (HasRoom(gpu, m_view.memory))
            {
                gpus[turn].push_back(gpu.id);
            }
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, std::vector<GpuId>> taken; // by rack and server
    uint32_t left = m_view.workers;
    for (uint32_t turn = 0; turn < servers.size(); ++turn)
    {
        gpus[turn].resize(std::min<std::size_t>(gpus[turn].size(), left));
        left -= gpus[turn].size();
        taken[{m_servers[servers[turn]].rack, servers[turn]}] = std::move(gpus[turn]);
    }
    if (left > 0)
    {
        return std::nullopt;
    }
    Placement placement;
    for (const auto& [site, ids] : taken)
    {
        placement.workers.insert(placement.workers.end(), ids.begin(), ids.end());
    }
    placement.servers = PlaceServers(m_view.cluster, placement.workers, m_view.servers);
    return placement;
}

uint32_t
TierFit::CountServersOf(const Placement& placement) const
{
    std::set<ServerKey> servers;
    for (const GpuId& id : placement.workers)
    {
        servers.insert(GetServer(*FindMachine(m_view.cluster, id.host)));
    }
    return servers.size();
}

std::optional<Placement>
TierFit::FindOwn() const
{
    const Placement& last = m_view.job.placement;
    const auto hasRoom = [this](const GpuId& id) {
        const GpuView* gpu = FindGpu(m_view.cluster, id);
        return gpu != nullptr && HasRoom(*gpu, m_view.memory);
    };
    if (last.workers.size() != m_view.workers ||
        !std::all_of(last.workers.begin(), last.workers.end(), hasRoom))
    {
        return std::nullopt;
    }
    return Placement{last.workers, PlaceServers(m_view.cluster, last.workers, m_view.servers)};
}

/** \return the job's own last place if it is in that tier and on no more servers than the other */
std::optional<Placement>
TierFit::PreferOwn(std::optional<Placement> other, Tier tier) const
{
    const auto own = other ? FindOwn() : std::nullopt;
    const bool isAsNear = own && FindTier(m_view.cluster, own->workers) <= tier &&
                          CountServersOf(*own) <= CountServersOf(*other);
    return isAsNear ? own : other;
}

std::optional<Placement>
TierFit::FindServer(bool bestFit) const
{
    std::optional<uint32_t> best;
    for (uint32_t server = 0; server < m_servers.size(); ++server)
    {
        const bool isBetter = !best || (bestFit && m_servers[server].room < m_servers[*best].room);
        if (m_servers[server].room >= m_view.workers && isBetter)
        {
            best = server;
        }
    }
    return best ? PreferOwn(PlaceOn({*best}), Tier::SERVER) : std::nullopt;
}

std::optional<Placement>
TierFit::FindRack(bool bestFit) const
{
    Chosen best;
    for (uint32_t rack = 0; rack < m_racks.size() && (best.empty() || bestFit); ++rack)
    {
        if (m_racks[rack].room < m_view.workers)
        {
            continue;
        }
        const Chosen servers = TakeServers(rack);
        const auto rank = [this](const Chosen& chosen) {
            return std::make_pair(chosen.size(), m_racks[m_servers[chosen.front()].rack].room);
        };
        if (best.empty() || rank(servers) < rank(best))
        {
            best = servers;
        }
    }
    return best.empty() ? std::nullopt : PreferOwn(PlaceOn(best), Tier::RACK);
}

std::optional<Placement>
TierFit::FindAny() const
{
    return PreferOwn(PlaceOn(TakeServers(std::nullopt)), Tier::NETWORK);
}

} // namespace ns3::ddl
