// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ecmp-routes.h"

#include "ddl-switch-port.h"

#include <limits>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t FAR = std::numeric_limits<uint32_t>::max();

/** A link from one switch to a neighbour. */
struct Hop
{
    uint32_t to; //!< index of the neighbour
    Ptr<SwitchPort> port;
};

using Graph = std::vector<std::vector<Hop>>; // the hops of each switch, by its index

/** \return the links between switches that are up */
Graph
ReadGraph(const std::vector<Ptr<Switch>>& switches)
{
    std::map<uint32_t, uint32_t> index; // index of each switch, by node id
    for (uint32_t i = 0; i < switches.size(); ++i)
    {
        index[switches[i]->GetId()] = i;
    }
    Graph graph(switches.size());
    for (uint32_t i = 0; i < switches.size(); ++i)
    {
        for (uint32_t d = 0; d < switches[i]->GetNDevices(); ++d)
        {
            auto port = DynamicCast<SwitchPort>(switches[i]->GetDevice(d));
            const auto peer =
                port && port->IsLinkUp() ? index.find(port->GetPeer()->GetContext()) : index.end();
            if (peer != index.end())
            {
                graph[i].push_back({peer->second, port});
            }
        }
    }
    return graph;
}

/** Breadth-first search. \return hops from each switch to the root, FAR where there is no path */
std::vector<uint32_t>
MeasureDistances(const Graph& graph, uint32_t root)
{
    std::vector<uint32_t> distance(graph.size(), FAR);
    std::vector<uint32_t> reached{root};
    distance[root] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const Hop& hop : graph[reached[i]])
        {
            if (distance[hop.to] == FAR)
            {
                distance[hop.to] = distance[reached[i]] + 1;
                reached.push_back(hop.to);
            }
        }
    }
    return distance;
}

/** Set the routes of all switches to the hosts at one switch, which take the same paths to it. */
void
RouteTowards(const std::vector<Ptr<Switch>>& switches,
             const Graph& graph,
             uint32_t root,
             const std::vector<uint32_t>& hosts)
{
    const auto distance = MeasureDistances(graph, root);
    for (uint32_t i = 0; i < switches.size(); ++i)
    {
        if (i == root || distance[i] == FAR)
        {
            continue;
        }
        std::vector<Ptr<SwitchPort>> ports;
        for (const Hop& hop : graph[i])
        {
            if (distance[hop.to] + 1 == distance[i])
            {
                ports.push_back(hop.port);
            }
        }
        const uint32_t group = switches[i]->AddGroup(ports);
        for (const uint32_t host : hosts)
        {
            switches[i]->SetRoute(host, group);
        }
    }
}

/** Set the routes from switches to their own hosts. \return the hosts with a link that is up, by
 * the node id of their switch */
std::map<uint32_t, std::vector<uint32_t>>
RouteLastHop(const std::vector<Ptr<HostPort>>& nics)
{
    std::map<uint32_t, std::vector<uint32_t>> hostsAt;
    for (uint32_t host = 0; host < nics.size(); ++host)
    {
        auto last = nics[host] && nics[host]->IsLinkUp()
                        ? DynamicCast<SwitchPort>(nics[host]->GetPeer())
                        : nullptr;
        if (last)
        {
            auto leaf = DynamicCast<Switch>(last->GetNode());
            leaf->SetRoute(host, leaf->AddGroup({last}));
            hostsAt[leaf->GetId()].push_back(host);
        }
    }
    return hostsAt;
}

} // namespace

void
ComputeEcmpRoutes(const std::vector<Ptr<Switch>>& switches,
                  const std::vector<Ptr<HostPort>>& nics,
                  const std::vector<Ptr<HostPort>>& scaleUpPorts)
{
    for (const auto& node : switches)
    {
        node->ClearRoutes(static_cast<uint32_t>(nics.size()));
    }
    const Graph graph = ReadGraph(switches);
    const auto hostsAt = RouteLastHop(nics);
    RouteLastHop(scaleUpPorts); // their switches have no other links
    for (uint32_t root = 0; root < switches.size(); ++root)
    {
        const auto hosts = hostsAt.find(switches[root]->GetId());
        if (hosts != hostsAt.end())
        {
            RouteTowards(switches, graph, root, hosts->second);
        }
    }
}

} // namespace ns3::ddl
