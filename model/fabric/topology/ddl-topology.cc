// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

#include "ddl-leaf-spine-topology.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Topology);

namespace
{

constexpr uint32_t UNREACHED = UINT32_MAX;

/** \return a name without the number at its end: "leaf" for "leaf12" */
std::string
StripNumber(const std::string& name)
{
    const auto last = name.find_last_not_of("0123456789");
    return last == std::string::npos ? name : name.substr(0, last + 1);
}

} // namespace

TopologyPlan::TopologyPlan(const Defaults& defaults)
    : m_defaults(defaults)
{
}

uint32_t
TopologyPlan::AddSwitch(const std::string& name, uint32_t divisor)
{
    NS_ABORT_MSG_IF(divisor == 0, "the divisor of " << name << " is 0");
    m_nodes.push_back(name);
    m_divisors.push_back(divisor);
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

uint32_t
TopologyPlan::AddHost(const Place& place)
{
    m_nodes.push_back("h" + std::to_string(m_places.size()));
    m_divisors.push_back(0);
    m_places.push_back(place);
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

void
TopologyPlan::AddHost(uint32_t at, const Place& place)
{
    Connect(AddHost(place), at, m_defaults.hostRate, m_defaults.hostDelay);
}

void
TopologyPlan::AddHosts(uint32_t at, uint32_t hosts)
{
    const auto known = m_rackOf.find(at);
    const uint32_t rack = known == m_rackOf.end() ? AddRack() : known->second;
    m_rackOf[at] = rack;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        AddHost(at, {m_servers++, rack});
    }
}

uint32_t
TopologyPlan::AddRack()
{
    return m_racks++;
}

void
TopologyPlan::AddServer(uint32_t rack, const std::vector<uint32_t>& switches)
{
    for (const uint32_t at : switches)
    {
        AddHost(at, {m_servers, rack});
    }
    ++m_servers;
}

void
TopologyPlan::Connect(uint32_t first, uint32_t second, DataRate rate, std::optional<Time> delay)
{
    m_cables.push_back({first, second, rate, delay.value_or(m_defaults.delay)});
}

void
TopologyPlan::AddScaleUpSwitches()
{
    const auto& scaleUp = m_defaults.scaleUp;
    if (!scaleUp || scaleUp->kind != ScaleUpSpec::Kind::SWITCH)
    {
        return;
    }
    std::map<uint32_t, std::vector<uint32_t>> servers; // nodes of the hosts of each server
    for (uint32_t node = 0, host = 0; host < GetHosts(); ++node)
    {
        if (IsHost(node))
        {
            servers[m_places[host++].server].push_back(node);
        }
    }
    for (const auto& [server, hosts] : servers)
    {
        if (hosts.size() < 2)
        {
            continue;
        }
        const uint32_t node = AddSwitch("nvswitch" + std::to_string(server));
        for (const uint32_t host : hosts)
        {
            Connect(host, node, scaleUp->rate, scaleUp->delay);
        }
    }
}

bool
TopologyPlan::IsHost(uint32_t node) const
{
    return GetDivisor(node) == 0;
}

uint32_t
TopologyPlan::GetDivisor(uint32_t node) const
{
    return m_divisors.at(node);
}

TypeId
Topology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Topology").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::vector<TopologyProblem>
Topology::FindProblems() const
{
    std::vector<TopologyProblem> problems = DoFindProblems();
    if (problems.empty() && (CountHosts() == 0 || CountHosts() > MOST_TOPOLOGY_HOSTS))
    {
        problems.push_back({"",
                            "has " + std::to_string(CountHosts()) + " hosts (1 to " +
                                std::to_string(MOST_TOPOLOGY_HOSTS) + ")"});
    }
    return problems;
}

uint64_t
Topology::CountHosts() const
{
    return DoCountHosts();
}

bool
Topology::HasEqualCostPaths() const
{
    return DoHasEqualCostPaths();
}

bool
Topology::DoHasEqualCostPaths() const
{
    const TopologyPlan plan = MakePlan({DataRate("1Gbps")});
    return plan.GetCables().size() >= plan.GetNodes().size();
}

std::optional<Time>
Topology::ReadDelay(const std::string& text)
{
    std::string problem;
    auto delay = text.empty() ? std::nullopt : ParseDuration(text, problem);
    if (!problem.empty())
    {
        throw InputError("a delay of links: " + problem);
    }
    return delay;
}

void
Topology::CheckDelay(const std::string& attribute,
                     const std::string& text,
                     std::vector<TopologyProblem>& problems)
{
    std::string problem;
    const auto delay = text.empty() ? std::nullopt : ParseDuration(text, problem);
    if (problem.empty() && delay && (delay->IsStrictlyNegative() || *delay > Hours(1)))
    {
        problem = "\"" + text + "\" is out of range (from 0ns to 1h)";
    }
    if (!problem.empty())
    {
        problems.push_back({attribute, problem});
    }
}

TopologyPlan
Topology::MakePlan(const TopologyPlan::Defaults& defaults) const
{
    for (const TopologyProblem& problem : FindProblems())
    {
        throw InputError(GetInstanceTypeId().GetName() + ": " +
                         (problem.attribute.empty() ? "" : problem.attribute + " ") + problem.what);
    }
    TopologyPlan plan(defaults);
    DoMakePlan(plan);
    plan.AddScaleUpSwitches();
    const std::set<std::string> names(plan.GetNodes().begin(), plan.GetNodes().end());
    if (plan.GetHosts() != CountHosts() || names.size() != plan.GetNodes().size())
    {
        throw RunError(GetInstanceTypeId().GetName() + " plans " + std::to_string(plan.GetHosts()) +
                       " hosts of " + std::to_string(CountHosts()) + ", and " +
                       std::to_string(names.size()) + " names for " +
                       std::to_string(plan.GetNodes().size()) + " nodes");
    }
    return plan;
}

TopologySpec::TopologySpec()
{
    shape.SetTypeId(LeafSpineTopology::GetTypeId());
    pathSelector.SetTypeId("ns3::ddl::EcmpPathSelector");
}

TopologyPlan
MakePlan(const TopologySpec& topology)
{
    return topology.shape.Create<Topology>()->MakePlan(
        {topology.hostRate, topology.delay, topology.hostDelay, topology.scaleUp});
}

Ptr<Fabric>
BuildTopology(const TopologySpec& topology, const PortSpec& ports, const HostSpec& hosts)
{
    const TopologyPlan plan = MakePlan(topology);
    if (topology.scaleUp && topology.scaleUp->rate.GetBitRate() == 0)
    {
        throw InputError("the rate of the scale-up network must be above 0");
    }
    if (topology.scaleUp && topology.scaleUp->mtu > UINT16_MAX)
    {
        throw InputError("the scale-up network's mtu must be at most 65535 bytes");
    }
    auto fabric = CreateObject<Fabric>();
    const bool legal =
        fabric->SetAttributeFailSafe("Mtu", UintegerValue(topology.mtu)) &&
        fabric->SetAttributeFailSafe("FramingBytes", UintegerValue(topology.framingBytes));
    if (!legal)
    {
        throw InputError("mtu must be 576 to 9000 bytes and framingBytes 0 to 1000, not " +
                         std::to_string(topology.mtu) + " and " +
                         std::to_string(topology.framingBytes));
    }
    fabric->SetAttribute("EcmpSeed", UintegerValue(topology.ecmpSeed));
    fabric->SetPathSelector(topology.pathSelector);
    fabric->SetPortSpec(ports);
    fabric->SetHostSpec(hosts);
    fabric->SetScaleUp(topology.scaleUp.value_or(ScaleUpSpec{ScaleUpSpec::Kind::NONE}));
    std::vector<Ptr<Node>> nodes;
    for (uint32_t i = 0; i < plan.GetNodes().size(); ++i)
    {
        nodes.push_back(plan.IsHost(i)
                            ? fabric->AddHost()
                            : Ptr<Node>(fabric->AddSwitch(plan.GetNodes()[i], plan.GetDivisor(i))));
    }
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        if (cable.rate.GetBitRate() == 0)
        {
            throw InputError("the rate of the link between " + plan.GetNodes()[cable.first] +
                             " and " + plan.GetNodes()[cable.second] + " must be above 0");
        }
        fabric->Connect(nodes.at(cable.first), nodes.at(cable.second), cable.rate, cable.delay);
    }
    for (uint32_t host = 0; host < plan.GetHosts(); ++host)
    {
        fabric->SetPlace(HostId{host}, plan.GetPlaces()[host]);
    }
    fabric->ComputeRoutes();
    return fabric;
}

bool
HasEqualCostPaths(const TopologySpec& topology)
{
    return topology.shape.Create<Topology>()->HasEqualCostPaths();
}

uint64_t
CountHosts(const TopologySpec& topology)
{
    return topology.shape.Create<Topology>()->CountHosts();
}

std::vector<std::pair<std::string, std::string>>
ListCables(const TopologySpec& topology)
{
    const TopologyPlan plan = MakePlan(topology);
    std::vector<std::pair<std::string, std::string>> cables;
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        cables.emplace_back(plan.GetNodes()[cable.first], plan.GetNodes()[cable.second]);
    }
    return cables;
}

std::vector<Place>
ListPlaces(const TopologySpec& topology)
{
    return MakePlan(topology).GetPlaces();
}

std::vector<uint32_t>
MeasureHeights(const TopologyPlan& plan)
{
    std::vector<std::vector<uint32_t>> neighbours(plan.GetNodes().size());
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        neighbours.at(cable.first).push_back(cable.second);
        neighbours.at(cable.second).push_back(cable.first);
    }
    std::vector<uint32_t> height(plan.GetNodes().size(), UNREACHED);
    std::vector<uint32_t> reached;
    for (uint32_t node = 0; node < height.size(); ++node)
    {
        if (plan.IsHost(node))
        {
            height[node] = 0;
            reached.push_back(node);
        }
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const uint32_t next : neighbours[reached[i]])
        {
            if (height[next] == UNREACHED)
            {
                height[next] = height[reached[i]] + 1;
                reached.push_back(next);
            }
        }
    }
    return height;
}

std::vector<Oversubscription>
ListOversubscriptions(const TopologySpec& topology)
{
    return ListOversubscriptions(MakePlan(topology));
}

std::vector<Oversubscription>
ListOversubscriptions(const TopologyPlan& plan)
{
    const std::vector<uint32_t> height = MeasureHeights(plan);
    std::vector<double> down(height.size(), 0); // rate of the cables down, bits per second, by node
    std::vector<double> up(height.size(), 0);
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        const bool firstIsLower = height[cable.first] < height[cable.second];
        const uint32_t lower = firstIsLower ? cable.first : cable.second;
        const uint32_t upper = firstIsLower ? cable.second : cable.first;
        if (height[lower] < height[upper])
        {
            up[lower] += static_cast<double>(cable.rate.GetBitRate());
            down[upper] += static_cast<double>(cable.rate.GetBitRate());
        }
    }
    std::map<uint32_t, std::map<std::string, double>> ratios; // of levels: by height, then name
    for (uint32_t node = 0; node < height.size(); ++node)
    {
        if (!plan.IsHost(node) && up[node] > 0)
        {
            double& ratio = ratios[height[node]][StripNumber(plan.GetNodes()[node])];
            ratio = std::max(ratio, down[node] / up[node]);
        }
    }
    std::vector<Oversubscription> levels;
    for (const auto& level : ratios)
    {
        for (const auto& [name, ratio] : level.second)
        {
            levels.push_back({name, ratio});
        }
    }
    return levels;
}

bool
HasServersOfSeveralHosts(const TopologySpec& topology)
{
    const std::vector<Place> places = ListPlaces(topology);
    std::set<uint32_t> servers;
    return std::any_of(places.begin(), places.end(), [&servers](const Place& place) {
        return !servers.insert(place.server).second;
    });
}

uint32_t
CountSwitches(const TopologySpec& topology)
{
    const TopologyPlan plan = MakePlan(topology);
    return static_cast<uint32_t>(plan.GetNodes().size()) - plan.GetHosts();
}

} // namespace ns3::ddl
