// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-topology.h"

#include "ddl-network-format.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GraphTopology);

namespace
{

using Kind = NetworkNode::Kind;

bool
IsScaleUp(const NetworkGraph& graph, const NetworkLink& link)
{
    return graph.nodes[link.first].kind == Kind::SCALE_UP ||
           graph.nodes[link.second].kind == Kind::SCALE_UP;
}

/** \return the rate of one cable: the link's own, else that of hosts' links */
DataRate
FindRate(const NetworkLink& link, const TopologyPlan& plan)
{
    return link.rate.value_or(plan.GetDefaults().hostRate);
}

/** \return server and rack of each host as numbers, in order of their first hosts */
std::vector<Place>
ListGraphPlaces(const NetworkGraph& graph)
{
    std::vector<uint32_t> switchOf(graph.nodes.size(), 0); // first switch of each host
    for (auto link = graph.links.rbegin(); link != graph.links.rend(); ++link)
    {
        if (!IsScaleUp(graph, *link))
        {
            switchOf[link->first] = link->second;
            switchOf[link->second] = link->first;
        }
    }
    std::map<std::string, uint32_t> servers;
    std::map<std::string, uint32_t> racks;
    std::map<uint32_t, uint32_t> rackOf; // by server, which stands in one rack
    std::vector<Place> places;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    {
        const NetworkNode& node = graph.nodes[i];
        if (node.kind != Kind::HOST)
        {
            continue;
        }
        // A text that no user can write keeps hosts without a server, or a rack, apart.
        const std::string server =
            node.server.empty() ? std::string(1, '\0') + std::to_string(i) : node.server;
        const std::string rack =
            node.rack.empty() ? std::string(1, '\0') + std::to_string(switchOf[i]) : node.rack;
        const auto known = servers.emplace(server, static_cast<uint32_t>(servers.size())).first;
        const auto numbered = rackOf.find(known->second);
        const uint32_t number =
            numbered != rackOf.end()
                ? numbered->second
                : racks.emplace(rack, static_cast<uint32_t>(racks.size())).first->second;
        rackOf.emplace(known->second, number);
        places.push_back({known->second, number});
    }
    return places;
}

} // namespace

TypeId
GraphTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::GraphTopology")
            .SetParent<Topology>()
            .SetGroupName("Ddl")
            .AddConstructor<GraphTopology>()
            .AddAttribute("File",
                          "file of the network, beside the file that names it; instead of `nodes` "
                          "and `links`",
                          StringValue(""),
                          MakeStringAccessor(&GraphTopology::m_file),
                          MakeStringChecker())
            .AddAttribute("Format",
                          "format of the file: `hpcc`, `htsim`, `json`, `simai`; `auto`: by its "
                          "beginning",
                          StringValue("auto"),
                          MakeStringAccessor(&GraphTopology::m_format),
                          MakeStringChecker())
            .AddAttribute("Bond",
                          "whether hosts may have several links; their NIC is then a switch, "
                          "`nicN`, over which flows are spread by their hash",
                          BooleanValue(false),
                          MakeBooleanAccessor(&GraphTopology::m_bond),
                          MakeBooleanChecker())
            .AddAttribute("WithoutScaleUp",
                          "whether switches inside servers (`scale-up`, SimAI's NVSwitches) are "
                          "left out, instead of refused",
                          BooleanValue(false),
                          MakeBooleanAccessor(&GraphTopology::m_withoutScaleUp),
                          MakeBooleanChecker())
            .AddAttribute("Network",
                          "the network, for scripts and scenarios that have it without a file",
                          PointerValue(),
                          MakePointerAccessor(&GraphTopology::m_network),
                          MakePointerChecker<NetworkGraph>());
    return tid;
}

Ptr<NetworkGraph>
GraphTopology::GetNetwork() const
{
    if (!m_network && !m_read && !m_file.empty())
    {
        m_read = ReadNetwork(m_file, m_format);
    }
    return m_network ? m_network : m_read;
}

std::optional<uint32_t>
GraphTopology::GetGpusPerHost() const
{
    const auto network = FindProblems().empty() ? GetNetwork() : nullptr;
    std::set<std::string> servers;
    for (std::size_t i = 0; network && i < network->nodes.size(); ++i)
    {
        const std::string& server = network->nodes[i].server;
        if (!server.empty() && !servers.insert(server).second)
        {
            return 1; // servers of several hosts: each is the interface of one GPU
        }
    }
    return std::nullopt;
}

std::vector<uint32_t>
GraphTopology::CountLinks(const NetworkGraph& graph) const
{
    std::vector<uint32_t> links(graph.nodes.size(), 0);
    for (const NetworkLink& link : graph.links)
    {
        if (!IsScaleUp(graph, link))
        {
            links[link.first] += link.count;
            links[link.second] += link.count;
        }
    }
    return links;
}

std::vector<TopologyProblem>
GraphTopology::DoFindProblems() const
{
    Ptr<NetworkGraph> network;
    std::vector<TopologyProblem> problems;
    try
    {
        network = GetNetwork();
    }
    catch (const InputError& error)
    {
        for (const Diagnostic& diagnostic : error.GetDiagnostics())
        {
            problems.push_back({"File", diagnostic.ToString()});
        }
        return problems;
    }
    if (!network)
    {
        return {{"", "has no network (\"file\", or \"nodes\" and \"links\")"}};
    }
    for (const Diagnostic& diagnostic : network->FindProblems())
    {
        problems.push_back({"", diagnostic.ToString()});
    }
    const std::vector<uint32_t> links = CountLinks(*network);
    NetworkComplaints complaints;
    bool hasScaleUp = false;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const NetworkNode& node = network->nodes[i];
        hasScaleUp = hasScaleUp || node.kind == Kind::SCALE_UP;
        if (node.kind == Kind::HOST && links[i] > 1 && !m_bond)
        {
            complaints.Add(network->WhereIsNode(i),
                           "host " + node.name + " has " + std::to_string(links[i]) +
                               " links (one, or \"bond\": true)");
        }
    }
    for (const Diagnostic& diagnostic : complaints.GetAll())
    {
        problems.push_back({"", diagnostic.ToString()});
    }
    if (hasScaleUp && !m_withoutScaleUp)
    {
        problems.push_back({"",
                            network->source +
                                ": has switches inside servers (NVSwitches), which a graph cannot "
                                "hold: leave them out with \"withoutScaleUp\": true"});
    }
    return problems;
}

uint64_t
GraphTopology::DoCountHosts() const
{
    const auto network = GetNetwork();
    return network ? network->CountHosts() : 0;
}

bool
GraphTopology::DoHasEqualCostPaths() const
{
    const TopologyPlan plan = MakePlan({DataRate("1Gbps")});
    return plan.GetCables().size() >= plan.GetNodes().size() && NetworkPaths(plan).HasChoice();
}

/** \param index gets the node at which each node's links end, by index in the graph */
void
GraphTopology::AddNodes(const NetworkGraph& graph,
                        TopologyPlan& plan,
                        std::vector<uint32_t>& index) const
{
    const std::vector<uint32_t> links = CountLinks(graph);

    std::map<uint32_t, uint64_t> rates; // sum of the rates of its links, bit/s
    for (const NetworkLink& link : graph.links)
    {
        for (const uint32_t end : {link.first, link.second})
        {
            if (graph.nodes[end].kind == Kind::HOST && links[end] > 1 && !IsScaleUp(graph, link))
            {
                rates[end] += link.count * FindRate(link, plan).GetBitRate();
            }
        }
    }
    const std::vector<Place> places = ListGraphPlaces(graph);
    uint32_t host = 0;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    {
        const NetworkNode& node = graph.nodes[i];
        if (node.kind == Kind::SCALE_UP)
        {
            index.push_back(UINT32_MAX);
            continue;
        }
        index.push_back(node.kind == Kind::HOST ? plan.AddHost(places[host])
                                                : plan.AddSwitch(node.name, node.divisor));
        if (node.kind == Kind::HOST && links[i] > 1)
        {
            const uint32_t nic = plan.AddSwitch("nic" + std::to_string(host));
            plan.Connect(index.back(), nic, DataRate(rates[i]), Time(0));
            index.back() = nic;
        }
        host += node.kind == Kind::HOST ? 1 : 0;
    }
}

void
GraphTopology::DoMakePlan(TopologyPlan& plan) const
{
    const NetworkGraph& graph = *GetNetwork();
    std::vector<uint32_t> index;
    AddNodes(graph, plan, index);
    for (const NetworkLink& link : graph.links)
    {
        if (IsScaleUp(graph, link))
        {
            continue;
        }
        const bool isHost = graph.nodes[link.first].kind == Kind::HOST ||
                            graph.nodes[link.second].kind == Kind::HOST;
        const auto delay = link.delay || !isHost ? link.delay : plan.GetDefaults().hostDelay;
        for (uint32_t i = 0; i < link.count; ++i)
        {
            plan.Connect(index[link.first], index[link.second], FindRate(link, plan), delay);
        }
    }
}

} // namespace ns3::ddl
