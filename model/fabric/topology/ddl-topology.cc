// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-topology.h"

#include "ns3/ddl-error.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3
{
namespace ddl
{

namespace
{

uint64_t
CountLeafHosts(const TopologySpec& spec)
{
    return spec.leafHosts.empty()
               ? uint64_t{spec.leaves} * spec.hostsPerLeaf
               : std::accumulate(spec.leafHosts.begin(), spec.leafHosts.end(), uint64_t{0});
}

/** \return the leaf of a host */
uint32_t
FindLeaf(const TopologySpec& spec, uint32_t host)
{
    if (spec.leafHosts.empty())
    {
        return host / spec.hostsPerLeaf;
    }
    uint32_t leaf = 0;
    for (uint32_t behind = spec.leafHosts[0]; behind <= host; behind += spec.leafHosts[leaf])
    {
        ++leaf;
    }
    return leaf;
}

using Builder = void (*)(Ptr<Fabric>, const TopologySpec&);

void
RequirePositive(const std::string& what, uint64_t value)
{
    if (value == 0)
    {
        throw InputError(what + " must be above 0");
    }
}

void
AddHosts(Ptr<Fabric> fabric, Ptr<Switch> at, uint32_t hosts, const TopologySpec& spec)
{
    for (uint32_t i = 0; i < hosts; ++i)
    {
        fabric->Connect(fabric->AddHost(), at, spec.hostRate, spec.delay);
    }
}

void
BuildLeafSpine(Ptr<Fabric> fabric, const TopologySpec& spec)
{
    RequirePositive("leaves", spec.leaves);
    RequirePositive("hostsPerLeaf",
                    std::accumulate(spec.leafHosts.begin(),
                                    spec.leafHosts.end(),
                                    spec.leafHosts.empty() ? uint64_t{spec.hostsPerLeaf} : 0));
    if (!spec.leafHosts.empty() && spec.leafHosts.size() != spec.leaves)
    {
        throw InputError(std::to_string(spec.leafHosts.size()) + " numbers of hosts for " +
                         std::to_string(spec.leaves) + " leaves");
    }
    RequirePositive("spines", spec.spines);
    RequirePositive("parallel", spec.parallel);
    RequirePositive("fabricRate", spec.fabricRate.GetBitRate());
    std::vector<Ptr<Switch>> leaves;
    for (uint32_t leaf = 0; leaf < spec.leaves; ++leaf)
    {
        leaves.push_back(fabric->AddSwitch("leaf" + std::to_string(leaf)));
        const uint32_t hosts = spec.leafHosts.empty() ? spec.hostsPerLeaf : spec.leafHosts[leaf];
        AddHosts(fabric, leaves.back(), hosts, spec);
    }
    for (uint32_t i = 0; i < spec.spines; ++i)
    {
        auto spine = fabric->AddSwitch("spine" + std::to_string(i));
        for (uint32_t cable = 0; cable < spec.leaves * spec.parallel; ++cable)
        {
            fabric->Connect(leaves[cable / spec.parallel], spine, spec.fabricRate, spec.delay);
        }
    }
}

void
BuildSingleSwitch(Ptr<Fabric> fabric, const TopologySpec& spec)
{
    RequirePositive("hosts", spec.hosts);
    AddHosts(fabric, fabric->AddSwitch("switch0"), spec.hosts, spec);
}

void
BuildDumbbell(Ptr<Fabric> fabric, const TopologySpec& spec)
{
    RequirePositive("leftHosts", spec.leftHosts);
    RequirePositive("rightHosts", spec.rightHosts);
    RequirePositive("bottleneckRate", spec.bottleneckRate.GetBitRate());
    auto left = fabric->AddSwitch("switch0");
    auto right = fabric->AddSwitch("switch1");
    AddHosts(fabric, left, spec.leftHosts, spec);
    AddHosts(fabric, right, spec.rightHosts, spec);
    fabric->Connect(left, right, spec.bottleneckRate, spec.delay);
}

const std::map<std::string, Builder>&
GetBuilders()
{
    static const std::map<std::string, Builder> builders = {
        {"dumbbell", &BuildDumbbell},
        {"leaf-spine", &BuildLeafSpine},
        {"single-switch", &BuildSingleSwitch},
    };
    return builders;
}

} // namespace

bool
HasEqualCostPaths(const TopologySpec& topology)
{
    const bool isTree = topology.kind == "single-switch" || topology.kind == "dumbbell";
    return !isTree && topology.leaves > 1 && uint64_t{topology.spines} * topology.parallel > 1;
}

std::vector<std::string>
ListTopologies()
{
    std::vector<std::string> kinds;
    for (const auto& builder : GetBuilders())
    {
        kinds.push_back(builder.first);
    }
    return kinds;
}

Ptr<Fabric>
BuildTopology(const TopologySpec& topology, const PortSpec& ports, const HostSpec& hosts)
{
    const auto builder = GetBuilders().find(topology.kind);
    if (builder == GetBuilders().end())
    {
        const std::string nearest = NearestName(topology.kind, ListTopologies());
        throw InputError("unknown topology \"" + topology.kind + "\" (one of " +
                         JoinNames(ListTopologies()) + ")" +
                         (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
    RequirePositive("hostRate", topology.hostRate.GetBitRate());
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
    builder->second(fabric, topology);
    fabric->ComputeRoutes();
    return fabric;
}

uint64_t
CountHosts(const TopologySpec& topology)
{
    if (topology.kind == "leaf-spine")
    {
        return CountLeafHosts(topology);
    }
    return topology.kind == "single-switch" ? topology.hosts
                                            : uint64_t{topology.leftHosts} + topology.rightHosts;
}

std::vector<std::pair<std::string, std::string>>
ListCables(const TopologySpec& topology)
{
    std::vector<std::pair<std::string, std::string>> cables;
    const auto name = [](const char* kind, uint32_t index) { return kind + std::to_string(index); };
    for (uint32_t host = 0; host < CountHosts(topology); ++host)
    {
        const auto above = topology.kind == "leaf-spine" ? name("leaf", FindLeaf(topology, host))
                           : topology.kind == "dumbbell" && host >= topology.leftHosts ? "switch1"
                                                                                       : "switch0";
        cables.emplace_back(name("h", host), above);
    }
    if (topology.kind == "dumbbell")
    {
        cables.emplace_back("switch0", "switch1");
    }
    for (uint32_t leaf = 0; topology.kind == "leaf-spine" && leaf < topology.leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < topology.spines; ++spine)
        {
            cables.emplace_back(name("leaf", leaf), name("spine", spine));
        }
    }
    return cables;
}

} // namespace ddl
} // namespace ns3
