// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cabling.h"

#include "ns3/ddl-error.h"

#include <algorithm>

namespace ns3::ddl
{

void
Cabling::AddNode(Ptr<Node> node, const std::string& name)
{
    if (name.empty() || !m_ids.emplace(name, node->GetId()).second)
    {
        throw InputError("node name \"" + name + "\" is empty or given twice");
    }
    m_names[node->GetId()] = name;
}

uint32_t
Cabling::AddLink(Ptr<Link> link)
{
    const uint32_t a = link->GetPort(0)->GetNode()->GetId();
    const uint32_t b = link->GetPort(1)->GetNode()->GetId();
    const auto index = static_cast<uint32_t>(m_links.size());
    m_between[std::minmax(a, b)].push_back(index);
    m_links.push_back(link);
    return index;
}

void
Cabling::Clear()
{
    m_names.clear();
    m_ids.clear();
    m_links.clear();
    m_between.clear();
}

std::string
Cabling::GetName(Ptr<Node> node) const
{
    const auto found = m_names.find(node->GetId());
    if (found == m_names.end())
    {
        throw InputError("node " + std::to_string(node->GetId()) + " is not of this fabric");
    }
    return found->second;
}

std::vector<uint32_t>
Cabling::FindLinks(const std::string& a, const std::string& b) const
{
    const auto first = m_ids.find(a);
    const auto second = m_ids.find(b);
    if (first != m_ids.end() && second != m_ids.end())
    {
        const auto links = m_between.find(std::minmax(first->second, second->second));
        if (links != m_between.end())
        {
            return links->second;
        }
    }
    throw InputError("no link between \"" + a + "\" and \"" + b + "\"");
}

Ptr<Port>
Cabling::GetPort(const std::string& node, const std::string& peer, uint32_t n) const
{
    const auto links = FindLinks(node, peer);
    if (n >= links.size())
    {
        throw InputError("no link " + std::to_string(n) + " between \"" + node + "\" and \"" +
                         peer + "\", which have " + std::to_string(links.size()));
    }
    auto link = m_links[links[n]];
    const uint32_t end = GetName(link->GetPort(0)->GetNode()) == node ? 0 : 1;
    return link->GetPort(end);
}

std::vector<NamedPort>
Cabling::ListPorts(const std::vector<Ptr<Node>>& nodes) const
{
    std::vector<NamedPort> ports;
    for (const auto& node : nodes)
    {
        for (uint32_t d = 0; d < node->GetNDevices(); ++d)
        {
            auto port = DynamicCast<Port>(node->GetDevice(d));
            if (port)
            {
                ports.push_back({GetName(node), d, GetName(port->GetPeer()->GetNode()), port});
            }
        }
    }
    return ports;
}

} // namespace ns3::ddl
