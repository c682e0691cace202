// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-map.h"

#include <algorithm>

namespace ns3::ddl
{

FabricMap::FabricMap(Ptr<const Fabric> fabric, Ptr<const Transport> transport)
    : m_fabric(fabric),
      m_transport(transport)
{
    for (uint32_t host = 0; host < fabric->GetHosts(); ++host)
    {
        const Ptr<Port> nic = fabric->GetHostPort(HostId{host});
        m_numbers.emplace(nic, 2 * host);
        m_numbers.emplace(nic->GetPeer(), 2 * host + 1);
        m_rates.insert(m_rates.end(), 2, static_cast<double>(nic->GetDataRate().GetBitRate()) / 8);
    }
    for (const NamedPort& named : fabric->GetPorts())
    {
        if (m_numbers.emplace(named.device, m_rates.size()).second)
        {
            const DataRate rate = named.device->GetDataRate();
            m_rates.push_back(static_cast<double>(rate.GetBitRate()) / 8);
        }
    }
}

void
FabricMap::Update()
{
    std::vector<bool> up(m_fabric->GetLinks());
    for (uint32_t link = 0; link < up.size(); ++link)
    {
        up[link] = m_fabric->GetLink(link)->IsUp();
    }
    if (up != m_up)
    {
        m_up = std::move(up);
        m_ways.clear();
    }
}

std::vector<uint32_t>
FabricMap::ListLinks(const std::vector<Ptr<Port>>& ports) const
{
    std::vector<uint32_t> links;
    for (const Ptr<Port>& port : ports)
    {
        links.push_back(m_numbers.at(port));
    }
    return links;
}

const NetworkMap::Ways&
FabricMap::FindWays(HostId source, HostId destination)
{
    const auto [entry, isNew] = m_ways.try_emplace({source, destination});
    Ways& ways = entry->second;
    if (isNew)
    {
        std::vector<std::vector<uint32_t>> links;
        for (const StreamPath& path : m_transport->ListPaths(source, destination))
        {
            ways.labels.push_back(path.flowLabel);
            links.push_back(ListLinks(path.ports));
        }
        if (links.empty())
        {
            links.push_back({2 * source.value, 2 * destination.value + 1});
        }
        ways.links = std::make_shared<const std::vector<std::vector<uint32_t>>>(std::move(links));
    }
    return ways;
}

std::optional<uint32_t>
FabricMap::FindWay(HostId source, HostId destination, uint32_t label)
{
    const Ways& ways = FindWays(source, destination);
    if (ways.labels.size() < 2)
    {
        return 0;
    }
    const auto links = ListLinks(m_transport->TracePath(source, destination, label));
    const auto way = std::find(ways.links->begin(), ways.links->end(), links);
    return way == ways.links->end() ? std::nullopt
                                    : std::make_optional<uint32_t>(way - ways.links->begin());
}

} // namespace ns3::ddl
