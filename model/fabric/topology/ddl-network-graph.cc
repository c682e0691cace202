// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-graph.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(NetworkGraph);

namespace
{

constexpr uint32_t NO_WAY = UINT32_MAX;
constexpr uint64_t MOST_VISITS = 2000000000; //!< most cables that FindUnused looks at

/** \return whether a name is one that hosts have in a fabric: "h12" */
bool
IsHostName(const std::string& name)
{
    return name.size() > 1 && name[0] == 'h' &&
           name.find_first_not_of("0123456789", 1) == std::string::npos;
}

bool
IsHostNode(const NetworkNode& node)
{
    return node.kind == NetworkNode::Kind::HOST;
}

/** \return sets of joined nodes: the representative of each node's set */
std::vector<uint32_t>
JoinNodes(const NetworkGraph& graph)
{
    std::vector<uint32_t> root(graph.nodes.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&root](uint32_t node) {
        while (root[node] != node)
        {
            node = root[node] = root[root[node]];
        }
        return node;
    };
    for (const NetworkLink& link : graph.links)
    {
        // A scale-up switch joins no servers: what only it joins is out of reach.
        if (graph.nodes[link.first].kind != NetworkNode::Kind::SCALE_UP &&
            graph.nodes[link.second].kind != NetworkNode::Kind::SCALE_UP)
        {
            root[find(link.first)] = find(link.second);
        }
    }
    for (uint32_t node = 0; node < root.size(); ++node)
    {
        root[node] = find(node);
    }
    return root;
}

} // namespace

void
NetworkComplaints::Add(const std::string& place, const std::string& what)
{
    ++m_count;
    if (m_kept.size() < MOST)
    {
        const bool isPointer = !place.empty() && place[0] == '/' && place.find(':') == place.npos;
        m_kept.push_back({isPointer ? "" : place, isPointer ? place : "", what});
    }
}

std::vector<Diagnostic>
NetworkComplaints::GetAll() const
{
    auto all = m_kept;
    if (m_count > all.size())
    {
        all.push_back(
            {all.back().where.substr(0, all.back().where.rfind(':')),
             "",
             "there are " + std::to_string(m_count - all.size()) + " more complaints like these"});
    }
    return all;
}

TypeId
NetworkGraph::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::NetworkGraph")
                            .SetParent<Object>()
                            .SetGroupName("Ddl")
                            .AddConstructor<NetworkGraph>();
    return tid;
}

std::string
NetworkGraph::WhereIsNode(std::size_t index) const
{
    const std::size_t line = nodes[index].line;
    return line > 0 ? source + ":" + std::to_string(line) : "/nodes/" + std::to_string(index);
}

std::string
NetworkGraph::WhereIsLink(std::size_t index) const
{
    const std::size_t line = links[index].line;
    return line > 0 ? source + ":" + std::to_string(line) : "/links/" + std::to_string(index);
}

std::string
NetworkGraph::NameLink(const NetworkLink& link) const
{
    return nodes[link.first].name + " - " + nodes[link.second].name;
}

uint64_t
NetworkGraph::CountHosts() const
{
    return static_cast<uint64_t>(std::count_if(nodes.begin(), nodes.end(), IsHostNode));
}

const std::vector<Diagnostic>&
NetworkGraph::FindProblems() const
{
    if (!m_problems)
    {
        NetworkComplaints complaints;
        CheckNodes(complaints);
        CheckLinks(complaints);
        CheckReach(complaints);
        m_problems = complaints.GetAll();
    }
    return *m_problems;
}

void
NetworkGraph::CheckNodes(NetworkComplaints& complaints) const
{
    const uint64_t hosts = CountHosts();
    if (hosts == 0 || hosts > MOST_TOPOLOGY_HOSTS)
    {
        complaints.Add(source,
                       "has " + std::to_string(hosts) + " hosts (1 to " +
                           std::to_string(MOST_TOPOLOGY_HOSTS) + ")");
    }
    if (nodes.size() - hosts > MOST_TOPOLOGY_SWITCHES)
    {
        complaints.Add(source,
                       "has " + std::to_string(nodes.size() - hosts) + " switches (at most " +
                           std::to_string(MOST_TOPOLOGY_SWITCHES) + ")");
    }
    std::unordered_map<std::string, std::size_t> names;
    std::unordered_map<std::string, std::string> rackOf; // by server
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const NetworkNode& node = nodes[i];
        const auto [known, isNew] = names.emplace(node.name, i);
        if (node.name.empty() || !isNew)
        {
            complaints.Add(WhereIsNode(i),
                           node.name.empty() ? "a node has no name"
                                             : "there are two nodes " + QuoteText(node.name));
        }
        if (!IsHostNode(node) && IsHostName(node.name))
        {
            complaints.Add(WhereIsNode(i),
                           "a switch cannot be called " + QuoteText(node.name) +
                               ": hosts are h0, h1... in results");
        }
        if (IsHostNode(node) && !node.server.empty() &&
            rackOf.emplace(node.server, node.rack).first->second != node.rack)
        {
            complaints.Add(WhereIsNode(i),
                           node.name + ": server " + QuoteText(node.server) + " is in rack " +
                               QuoteText(rackOf[node.server]) + ", and here in " +
                               QuoteText(node.rack));
        }
    }
}

void
NetworkGraph::CheckLinks(NetworkComplaints& complaints) const
{
    uint64_t cables = 0;
    std::unordered_map<uint64_t, std::size_t> seen; // by both ends, the smaller one first
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const NetworkLink& link = links[i];
        const std::string name = "link " + NameLink(link);
        const auto complain = [&](const std::string& what) {
            complaints.Add(WhereIsLink(i), name + what);
        };
        cables += link.count;
        const bool hasHost = IsHostNode(nodes[link.first]) || IsHostNode(nodes[link.second]);
        if (link.first == link.second)
        {
            complain(" joins a node to itself");
        }
        else if (IsHostNode(nodes[link.first]) && IsHostNode(nodes[link.second]))
        {
            complain(" joins two hosts (a host's link goes to a switch)");
        }
        if (link.rate ? link.rate->GetBitRate() == 0 : !hasHost)
        {
            complain(link.rate ? " has a rate of 0" : " has no rate");
        }
        if (link.delay && (link.delay->IsStrictlyNegative() || *link.delay > Hours(1)))
        {
            complain(" has a delay out of range (from 0ns to 1h)");
        }
        if (link.count == 0)
        {
            complain(" has a count of 0");
        }
        const uint64_t ends =
            uint64_t{std::min(link.first, link.second)} << 32 | std::max(link.first, link.second);
        const auto [known, isNew] = seen.emplace(ends, i);
        if (!isNew)
        {
            complain(" is given twice: first at " + WhereIsLink(known->second) +
                     " (parallel links: one after the other, or a count)");
        }
    }
    if (cables > MOST_TOPOLOGY_CABLES + MOST_TOPOLOGY_HOSTS)
    {
        complaints.Add(source,
                       "has " + std::to_string(cables) + " cables (at most " +
                           std::to_string(MOST_TOPOLOGY_CABLES + MOST_TOPOLOGY_HOSTS) + ")");
    }
}

void
NetworkGraph::CheckReach(NetworkComplaints& complaints) const
{
    std::vector<uint32_t> degree(nodes.size(), 0);
    for (const NetworkLink& link : links)
    {
        const bool isScaleUp = nodes[link.first].kind == NetworkNode::Kind::SCALE_UP ||
                               nodes[link.second].kind == NetworkNode::Kind::SCALE_UP;
        degree[link.first] += isScaleUp ? 0 : 1;
        degree[link.second] += isScaleUp ? 0 : 1;
    }
    const std::vector<uint32_t> root = JoinNodes(*this);
    std::optional<uint32_t> first; // first host with a link
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        if (!IsHostNode(nodes[node]))
        {
            continue;
        }
        if (degree[node] == 0)
        {
            complaints.Add(WhereIsNode(node), "host " + nodes[node].name + " has no link");
            continue;
        }
        first = first.value_or(node);
        if (root[node] != root[*first])
        {
            complaints.Add(WhereIsNode(node),
                           "host " + nodes[node].name + " cannot be reached from host " +
                               nodes[*first].name);
        }
    }
}

Ptr<NetworkGraph>
MakeNetworkGraph(const TopologyPlan& plan)
{
    const auto graph = Create<NetworkGraph>();
    uint32_t host = 0;
    for (uint32_t node = 0; node < plan.GetNodes().size(); ++node)
    {
        NetworkNode made;
        made.name = plan.GetNodes()[node];
        if (plan.IsHost(node))
        {
            const Place& place = plan.GetPlaces()[host++];
            made.server = std::to_string(place.server);
            made.rack = std::to_string(place.rack);
        }
        else
        {
            made.kind = NetworkNode::Kind::SWITCH;
            made.divisor = plan.GetDivisor(node);
        }
        graph->nodes.push_back(made);
    }
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        if (!graph->links.empty())
        {
            NetworkLink& last = graph->links.back();
            if (last.first == cable.first && last.second == cable.second &&
                last.rate == cable.rate && last.delay == cable.delay)
            {
                ++last.count;
                continue;
            }
        }
        graph->links.push_back({cable.first, cable.second, cable.rate, cable.delay});
    }
    return graph;
}

std::vector<std::string>
NetworkGraph::FindUnused() const
{
    TopologyPlan plan({DataRate("1bps")});
    std::vector<uint32_t> index;
    std::vector<std::size_t> linkOf; // by cable
    for (const NetworkNode& node : nodes)
    {
        index.push_back(IsHostNode(node) ? plan.AddHost({}) : plan.AddSwitch(node.name));
    }
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        if (nodes[links[i].first].kind != NetworkNode::Kind::SCALE_UP &&
            nodes[links[i].second].kind != NetworkNode::Kind::SCALE_UP)
        {
            plan.Connect(index[links[i].first], index[links[i].second], DataRate("1bps"));
            linkOf.push_back(i);
        }
    }
    const NetworkPaths paths(plan);
    std::vector<std::string> unused;
    if (paths.GetRoots().size() * plan.GetCables().size() > MOST_VISITS)
    {
        return unused;
    }
    std::vector<bool> isUsed(nodes.size(), false);
    const std::vector<bool> used = paths.FindUsed();
    for (std::size_t cable = 0; cable < used.size(); ++cable)
    {
        const NetworkLink& link = links[linkOf[cable]];
        isUsed[link.first] = isUsed[link.first] || used[cable];
        isUsed[link.second] = isUsed[link.second] || used[cable];
    }
    for (std::size_t node = 0; node < nodes.size(); ++node)
    {
        if (nodes[node].kind == NetworkNode::Kind::SWITCH && !isUsed[node])
        {
            unused.push_back("switch " + nodes[node].name + " is on no shortest path");
        }
    }
    for (std::size_t cable = 0; cable < used.size(); ++cable)
    {
        const NetworkLink& link = links[linkOf[cable]];
        if (!used[cable] && isUsed[link.first] && isUsed[link.second])
        {
            unused.push_back("link " + NameLink(link) + " is on no shortest path");
        }
    }
    return unused;
}

NetworkPaths::NetworkPaths(const TopologyPlan& plan)
    : m_plan(plan),
      m_hops(plan.GetNodes().size())
{
    const auto& cables = plan.GetCables();
    for (uint32_t i = 0; i < cables.size(); ++i)
    {
        m_hops[cables[i].first].push_back({cables[i].second, i});
        m_hops[cables[i].second].push_back({cables[i].first, i});
    }
    for (uint32_t node = 0; node < m_hops.size(); ++node)
    {
        const bool hasHost = std::any_of(m_hops[node].begin(),
                                         m_hops[node].end(),
                                         [&](const Hop& hop) { return plan.IsHost(hop.to); });
        if (hasHost && !plan.IsHost(node))
        {
            m_roots.push_back(node);
        }
    }
}

std::vector<uint32_t>
NetworkPaths::ListHostsAt(uint32_t node) const
{
    std::vector<uint32_t> hosts;
    for (const Hop& hop : m_hops[node])
    {
        if (m_plan.IsHost(hop.to))
        {
            hosts.push_back(hop.to);
        }
    }
    return hosts;
}

NetworkPaths::Tree
NetworkPaths::MeasureFrom(uint32_t root) const
{
    Tree tree{std::vector<uint32_t>(m_hops.size(), NO_WAY),
              std::vector<uint64_t>(m_hops.size(), 0),
              {root}};
    tree.distance[root] = 0;
    tree.rate[root] = UINT64_MAX;
    for (std::size_t i = 0; i < tree.order.size(); ++i)
    {
        const uint32_t node = tree.order[i];
        for (const Hop& hop : m_hops[node])
        {
            if (tree.distance[hop.to] == NO_WAY)
            {
                tree.distance[hop.to] = tree.distance[node] + 1;
                if (!m_plan.IsHost(hop.to)) // hosts forward nothing
                {
                    tree.order.push_back(hop.to);
                }
            }
            if (tree.distance[hop.to] == tree.distance[node] + 1)
            {
                const uint64_t rate = m_plan.GetCables()[hop.cable].rate.GetBitRate();
                tree.rate[hop.to] = std::max(tree.rate[hop.to], std::min(rate, tree.rate[node]));
            }
        }
    }
    return tree;
}

bool
NetworkPaths::HasChoice() const
{
    for (const uint32_t root : m_roots)
    {
        const Tree tree = MeasureFrom(root);
        std::vector<bool> isOnWay(m_hops.size(), false);
        for (const uint32_t other : m_roots)
        {
            isOnWay[other] = true;
        }
        for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node)
        {
            uint32_t ways = 0;
            for (const Hop& hop : m_hops[*node])
            {
                if (isOnWay[*node] && tree.distance[hop.to] + 1 == tree.distance[*node])
                {
                    ++ways;
                    isOnWay[hop.to] = true;
                }
            }
            if (ways > 1)
            {
                return true;
            }
        }
    }
    return false;
}

std::vector<bool>
NetworkPaths::FindUsed() const
{
    std::vector<bool> used(m_plan.GetCables().size(), false);
    for (const uint32_t root : m_roots)
    {
        for (const Hop& hop : m_hops[root])
        {
            used[hop.cable] = used[hop.cable] || m_plan.IsHost(hop.to);
        }
        const Tree tree = MeasureFrom(root);
        std::vector<bool> isOnWay(m_hops.size(), false);
        for (const uint32_t other : m_roots)
        {
            isOnWay[other] = true;
        }
        for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node)
        {
            for (const Hop& hop : m_hops[*node])
            {
                if (isOnWay[*node] && tree.distance[hop.to] + 1 == tree.distance[*node])
                {
                    isOnWay[hop.to] = true;
                    used[hop.cable] = true;
                }
            }
        }
    }
    return used;
}

} // namespace ns3::ddl
