// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

#include "ddl-leaf-spine-topology.h"

#include "ns3/ddl-error.h"

#include <set>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Topology);

TopologyPlan::TopologyPlan(DataRate rate)
    : m_hostRate(rate)
{
}

uint32_t
TopologyPlan::AddSwitch(const std::string& name)
{
    m_nodes.push_back(name);
    m_isHost.push_back(false);
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

void
TopologyPlan::AddHosts(uint32_t at, uint32_t hosts)
{
    for (uint32_t i = 0; i < hosts; ++i)
    {
        m_nodes.push_back("h" + std::to_string(m_hosts++));
        m_isHost.push_back(true);
        Connect(static_cast<uint32_t>(m_nodes.size() - 1), at, m_hostRate);
    }
}

void
TopologyPlan::Connect(uint32_t first, uint32_t second, DataRate rate)
{
    m_cables.push_back({first, second, rate});
}

bool
TopologyPlan::IsHost(uint32_t node) const
{
    return m_isHost.at(node);
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
    const TopologyPlan plan = MakePlan(DataRate("1Gbps"));
    return plan.GetCables().size() >= plan.GetNodes().size();
}

TopologyPlan
Topology::MakePlan(DataRate hostRate) const
{
    for (const TopologyProblem& problem : FindProblems())
    {
        throw InputError(GetInstanceTypeId().GetName() + ": " +
                         (problem.attribute.empty() ? "" : problem.attribute + " ") + problem.what);
    }
    TopologyPlan plan(hostRate);
    DoMakePlan(plan);
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
}

Ptr<Fabric>
BuildTopology(const TopologySpec& topology, const PortSpec& ports, const HostSpec& hosts)
{
    const TopologyPlan plan = topology.shape.Create<Topology>()->MakePlan(topology.hostRate);
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
    fabric->SetPortSpec(ports);
    fabric->SetHostSpec(hosts);
    std::vector<Ptr<Node>> nodes;
    for (uint32_t i = 0; i < plan.GetNodes().size(); ++i)
    {
        nodes.push_back(plan.IsHost(i) ? fabric->AddHost()
                                       : Ptr<Node>(fabric->AddSwitch(plan.GetNodes()[i])));
    }
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        if (cable.rate.GetBitRate() == 0)
        {
            throw InputError("the rate of the link between " + plan.GetNodes()[cable.first] +
                             " and " + plan.GetNodes()[cable.second] + " must be above 0");
        }
        fabric->Connect(nodes.at(cable.first), nodes.at(cable.second), cable.rate, topology.delay);
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
    const TopologyPlan plan = topology.shape.Create<Topology>()->MakePlan(topology.hostRate);
    std::vector<std::pair<std::string, std::string>> cables;
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        cables.emplace_back(plan.GetNodes()[cable.first], plan.GetNodes()[cable.second]);
    }
    return cables;
}

uint32_t
CountSwitches(const TopologySpec& topology)
{
    const TopologyPlan plan = topology.shape.Create<Topology>()->MakePlan(topology.hostRate);
    return static_cast<uint32_t>(plan.GetNodes().size()) - plan.GetHosts();
}

} // namespace ns3::ddl
