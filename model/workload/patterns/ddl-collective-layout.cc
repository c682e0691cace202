// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-collective-layout.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ns3::ddl
{

CollectiveLayout::CollectiveLayout(const PatternView& view)
    : m_machines(view.machines),
      m_racks(view.racks),
      m_rails(view.rails),
      m_serverOf(view.workers)
{
    Ring ranks(view.workers);
    std::iota(ranks.begin(), ranks.end(), 0);
    if (m_machines.empty())
    {
        m_machines = ranks;
    }
    for (const Ring& rack : m_racks.empty() ? std::vector<Ring>{ranks} : GroupRanks(ranks, m_racks))
    {
        for (Ring& server : GroupRanks(rack, m_machines))
        {
            std::stable_sort(server.begin(), server.end(), [this](uint32_t a, uint32_t b) {
                return GetRail(a) < GetRail(b);
            });
            for (const uint32_t rank : server)
            {
                m_serverOf[rank] = m_servers.size();
            }
            m_servers.push_back(std::move(server));
        }
    }
}

bool
CollectiveLayout::IsEven() const
{
    return std::all_of(m_servers.begin(), m_servers.end(), [this](const Ring& server) {
        return server.size() == m_servers.front().size();
    });
}

uint32_t
CollectiveLayout::GetMostRanks() const
{
    std::size_t most = 0;
    for (const Ring& server : m_servers)
    {
        most = std::max(most, server.size());
    }
    return most;
}

uint32_t
CollectiveLayout::CountRails() const
{
    std::size_t least = GetMostRanks();
    for (const Ring& server : m_servers)
    {
        std::set<uint32_t> rails;
        for (const uint32_t rank : server)
        {
            rails.insert(GetRail(rank));
        }
        least = std::min(least, rails.size());
    }
    return least;
}

Ring
CollectiveLayout::ListRing(uint32_t channel) const
{
    const std::size_t count = m_servers.size();
    if (count == 1)
    {
        Ring ring = m_servers.front();
        std::rotate(ring.begin(), ring.begin() + channel % ring.size(), ring.end());
        return ring;
    }
    std::vector<std::size_t> exits; // index in each server of its last rank
    for (std::size_t s = 0; s < count; ++s)
    {
        const std::size_t size = m_servers[s].size();
        const bool isLastOfOdd = count % 2 == 1 && s + 1 == count;
        const std::size_t half = std::max<std::size_t>(size / 2, 1);
        const std::size_t third = half == 1 ? 2 : 1;
        const std::size_t shift = isLastOfOdd ? third : s % 2 == 1 ? half : 0;
        exits.push_back((channel + shift) % size);
    }
    Ring ring;
    for (std::size_t s = 0; s < count; ++s)
    {
        const Ring& server = m_servers[s];
        const std::size_t before = (s + count - 1) % count;
        const uint32_t rail = GetRail(m_servers[before][exits[before]]);
        const std::size_t size = server.size();
        std::size_t entry = (exits[s] + 1) % size;
        for (std::size_t i = 0; i < size; ++i)
        {
            if (GetRail(server[i]) == rail && i != exits[s])
            {
                entry = i;
                break;
            }
        }
        for (std::size_t i = 0; i < size; ++i)
        {
            const std::size_t away = (i + 1) / 2; // entry, one up, one down, two up, ...
            const std::size_t place = (entry + (i % 2 == 1 ? away : size - away)) % size;
            if (place != exits[s])
            {
                ring.push_back(server[place]);
            }
        }
        ring.push_back(server[exits[s]]);
    }
    return ring;
}

std::vector<std::vector<Ring>>
CollectiveLayout::ListTiers(bool racks) const
{
    Ring ranks;
    for (const Ring& server : m_servers)
    {
        ranks.insert(ranks.end(), server.begin(), server.end());
    }
    return racks ? ddl::ListTiers(ranks, {&m_machines, &m_racks})
                 : ddl::ListTiers(ranks, {&m_machines});
}

} // namespace ns3::ddl
