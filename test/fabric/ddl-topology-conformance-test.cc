// SPDX-License-Identifier: GPL-2.0-only
// What every topology keeps, at the ends of each of its attributes.
#include "ddl-policy-variants.h"

#include "ns3/ddl-topology.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::ddl;
using namespace ns3::ddl::test;

namespace
{

/** A network of that size is built in a second; of larger ones only the plan is made. */
constexpr uint64_t MOST_CABLES = 5000;

class TopologyConformance : public testing::TestWithParam<Variant>
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    static TopologySpec MakeSpec()
    {
        TopologySpec spec;
        spec.shape = ObjectFactory();
        spec.shape.SetTypeId(GetParam().type);
        if (!GetParam().attribute.empty())
        {
            spec.shape.Set(GetParam().attribute, StringValue(GetParam().value));
        }
        return spec;
    }
};

TEST_P(TopologyConformance, EveryHostHasOneCableAndReachesEveryOther)
{
    const auto topology = MakeSpec().shape.Create<Topology>();
    if (!topology->FindProblems().empty())
    {
        EXPECT_THROW(topology->MakePlan({DataRate("1Gbps")}), InputError);
        return;
    }
    const TopologyPlan plan = topology->MakePlan({DataRate("1Gbps")});
    EXPECT_EQ(plan.GetHosts(), topology->CountHosts());
    EXPECT_GE(plan.GetHosts(), 1U);
    ASSERT_EQ(plan.GetPlaces().size(), plan.GetHosts());
    std::map<uint32_t, uint32_t> rackOf; // by server, which stands in one rack
    uint32_t racks = 0;
    for (const Place& place : plan.GetPlaces())
    {
        EXPECT_EQ(rackOf.emplace(place.server, place.rack).first->second, place.rack);
        racks = std::max(racks, place.rack + 1);
    }
    EXPECT_EQ(rackOf.rbegin()->first + 1, rackOf.size()); // no number is left out
    std::set<uint32_t> named;
    for (const auto& [server, rack] : rackOf)
    {
        named.insert(rack);
    }
    EXPECT_EQ(named.size(), racks);
    // Union of what is joined: one tree is left.
    std::vector<uint32_t> root(plan.GetNodes().size());
    std::vector<uint32_t> cables(plan.GetNodes().size(), 0);
    for (uint32_t i = 0; i < root.size(); ++i)
    {
        root[i] = i;
    }
    const auto find = [&root](uint32_t node) {
        while (root[node] != node)
        {
            node = root[node] = root[root[node]];
        }
        return node;
    };
    for (const TopologyPlan::Cable& cable : plan.GetCables())
    {
        ASSERT_LT(cable.first, root.size());
        ASSERT_LT(cable.second, root.size());
        EXPECT_FALSE(cable.delay.IsStrictlyNegative());
        ++cables[cable.first];
        ++cables[cable.second];
        root[find(cable.first)] = find(cable.second);
    }
    for (uint32_t node = 0; node < root.size(); ++node)
    {
        EXPECT_EQ(find(node), find(0)) << plan.GetNodes()[node] << " is not joined to the rest";
        if (plan.IsHost(node))
        {
            EXPECT_EQ(cables[node], 1U) << plan.GetNodes()[node];
        }
    }
}

TEST_P(TopologyConformance, WhatIsNamedIsWhatIsBuilt)
{
    const TopologySpec spec = MakeSpec();
    const auto topology = spec.shape.Create<Topology>();
    if (!topology->FindProblems().empty())
    {
        EXPECT_THROW(BuildTopology(spec, PortSpec(), HostSpec()), InputError);
        return;
    }
    const auto cables = ListCables(spec);
    if (cables.size() > MOST_CABLES)
    {
        GTEST_SKIP() << cables.size() << " cables";
    }
    const auto fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(fabric->GetHosts(), CountHosts(spec));
    EXPECT_EQ(fabric->GetSwitches(), CountSwitches(spec));
    ASSERT_EQ(fabric->GetLinks(), cables.size());
    std::multiset<std::pair<std::string, std::string>> named;
    for (const auto& [first, second] : cables)
    {
        named.insert({first, second});
        named.insert({second, first});
    }
    std::multiset<std::pair<std::string, std::string>> built;
    for (const NamedPort& port : fabric->GetPorts())
    {
        built.insert({port.node, port.peer});
    }
    EXPECT_EQ(built, named);
    // Every switch knows a way to every host; there is a choice only where that is said. 16 flows
    // over two ways all take the same one in 2^-15 of the cases.
    bool isChoice = false;
    for (uint32_t i = 0; i < fabric->GetSwitches(); ++i)
    {
        for (uint32_t host = 0; host < fabric->GetHosts(); ++host)
        {
            std::set<Ptr<SwitchPort>> ways;
            for (uint32_t flow = 0; flow < 16; ++flow)
            {
                ways.insert(fabric->GetSwitch(i)->GetRoute(host, flow * 2654435761U));
            }
            ASSERT_EQ(ways.count(nullptr), 0U) << "switch " << i << ", host " << host;
            isChoice = isChoice || ways.size() > 1;
        }
    }
    EXPECT_EQ(isChoice, HasEqualCostPaths(spec));
}

/** Counts one host more than it plans. */
class Miscounted : public Topology
{
  public:
    std::string GetSummary() const override
    {
        return "";
    }

  private:
    uint64_t DoCountHosts() const override
    {
        return 3;
    }

    void DoMakePlan(TopologyPlan& plan) const override
    {
        plan.AddHosts(plan.AddSwitch("switch0"), 2);
    }
};

TEST(TopologyFamily, AWrongPlanIsRefused)
{
    const auto topology = CreateObject<Miscounted>();
    const std::string said = RunErrorOf([&]() { topology->MakePlan({DataRate("1Gbps")}); });
    EXPECT_NE(said.find("plans 2 hosts of 3"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(All,
                         TopologyConformance,
                         testing::ValuesIn(ListVariants(Topology::GetTypeId(),
                                                        {{"HostsPerLeaf", {"1", "4096", "3,5"}},
                                                         {"K", {"3", "6"}},
                                                         {"FabricDelay", {"0ns", "1h", "2h"}},
                                                         {"BottleneckDelay", {"0ns", "x"}},
                                                         {"ServerDelay", {"405ns", "-1ns"}},
                                                         {"RackDelay", {"8325ns", "1"}},
                                                         {"PodDelay", {"1us"}},
                                                         {"CoreDelay", {"1us"}}})),
                         NameOf);

} // namespace
