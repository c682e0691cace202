// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"
#include "ddl-policy-variants.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-topology.h"
#include "ns3/ddl-network-format.h"
#include "ns3/pointer.h"

#include <sstream>

using namespace ns3;
using namespace ns3::ddl;
using namespace ns3::ddl::test;

namespace
{

Ptr<NetworkGraph>
ReadText(const std::string& format, const std::string& text)
{
    return CreatePolicy<NetworkFormat>(format)->Read(text, "f");
}

std::string
WriteText(const std::string& format, const NetworkGraph& graph)
{
    std::ostringstream text;
    CreatePolicy<NetworkFormat>(format)->Write(graph, text);
    return text.str();
}

/** \return all complaints about a text, a line each */
std::string
Complaints(const std::string& format, const std::string& text)
{
    std::string all;
    try
    {
        ReadText(format, text);
    }
    catch (const InputError& error)
    {
        for (const auto& diagnostic : error.GetDiagnostics())
        {
            all += diagnostic.ToString() + "\n";
        }
    }
    return all;
}

TopologySpec
MakeSpec(Ptr<NetworkGraph> graph, bool bond = false)
{
    TopologySpec spec;
    spec.shape = ObjectFactory();
    spec.shape.SetTypeId(GraphTopology::GetTypeId());
    spec.shape.Set("Network", PointerValue(graph));
    spec.shape.Set("Bond", BooleanValue(bond));
    return spec;
}

class GraphOfTopology : public testing::TestWithParam<Variant>
{
};

TEST_P(GraphOfTopology, ComesBackFromJsonAsTheSamePlan)
{
    TopologySpec spec;
    spec.shape = ObjectFactory();
    spec.shape.SetTypeId(GetParam().type);
    if (!GetParam().attribute.empty())
    {
        spec.shape.Set(GetParam().attribute, StringValue(GetParam().value));
    }
    spec.hostDelay = NanoSeconds(345);
    if (!spec.shape.Create<Topology>()->FindProblems().empty())
    {
        return; // there is no such network
    }
    const TopologyPlan plan = MakePlan(spec);
    const auto text = WriteText("json", *MakeNetworkGraph(plan));
    const TopologySpec read = MakeSpec(ReadText("json", text));
    EXPECT_EQ(HasEqualCostPaths(read), HasEqualCostPaths(spec));
    const TopologyPlan again = MakePlan(read);
    EXPECT_EQ(again.GetNodes(), plan.GetNodes());
    ASSERT_EQ(again.GetCables().size(), plan.GetCables().size());
    for (std::size_t i = 0; i < plan.GetCables().size(); ++i)
    {
        const auto& a = plan.GetCables()[i];
        const auto& b = again.GetCables()[i];
        ASSERT_TRUE(a.first == b.first && a.second == b.second && a.rate == b.rate &&
                    a.delay == b.delay)
            << "cable " << i;
    }
    for (uint32_t node = 0; node < plan.GetNodes().size(); ++node)
    {
        ASSERT_EQ(again.GetDivisor(node), plan.GetDivisor(node)) << plan.GetNodes()[node];
    }
    for (uint32_t host = 0; host < plan.GetHosts(); ++host)
    {
        ASSERT_EQ(again.GetPlaces()[host].server, plan.GetPlaces()[host].server) << host;
        ASSERT_EQ(again.GetPlaces()[host].rack, plan.GetPlaces()[host].rack) << host;
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         GraphOfTopology,
                         testing::ValuesIn(ListVariants(Topology::GetTypeId(),
                                                        {{"HostsPerLeaf", {"1", "3,5"}},
                                                         {"K", {"6"}},
                                                         {"FabricDelay", {"0ns", "1h"}},
                                                         {"ServerDelay", {"405ns"}},
                                                         {"RackDelay", {"8325ns"}}})),
                         NameOf);

const std::string TWO_SWITCHES = R"(5 2 4
0 4
1 0 100Gbps 0.001ms 0
2 0 100Gbps 1000ns 0.000000
3 4 25Gbps 1us 0

0 4 400Gbps 500ns 0
)";

TEST(HpccFormat, HostsAreWhatIsNoSwitch)
{
    const auto graph = ReadText("hpcc", TWO_SWITCHES);
    const TopologyPlan plan = MakePlan(MakeSpec(graph));
    EXPECT_EQ(plan.GetNodes(), (std::vector<std::string>{"switch0", "h0", "h1", "h2", "switch4"}));
    ASSERT_EQ(plan.GetCables().size(), 4U);
    EXPECT_EQ(plan.GetCables()[1].delay, MicroSeconds(1));
    EXPECT_EQ(plan.GetCables()[2].rate, DataRate("25Gbps"));
    EXPECT_EQ(plan.GetCables()[3].delay, NanoSeconds(500));
    // Racks are the switches, in order of their first hosts.
    EXPECT_EQ(plan.GetPlaces()[1].rack, 0U);
    EXPECT_EQ(plan.GetPlaces()[2].rack, 1U);
}

TEST(HpccFormat, WhatIsWrittenReadsBack)
{
    const auto graph = ReadText("hpcc", TWO_SWITCHES);
    const std::string once = WriteText("hpcc", *graph);
    EXPECT_EQ(WriteText("hpcc", *ReadText("hpcc", once)), once);
    EXPECT_EQ(WriteText("json", *ReadText("hpcc", once)), WriteText("json", *graph));
}

TEST(HpccFormat, EqualLinesOneAfterTheOtherAreParallelLinks)
{
    const std::string text = "4 2 5\n2 3\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n"
                             "2 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n";
    const auto graph = ReadText("hpcc", text);
    ASSERT_EQ(graph->links.size(), 3U);
    EXPECT_EQ(graph->links[2].count, 3U);
    EXPECT_TRUE(HasEqualCostPaths(MakeSpec(graph)));
    EXPECT_EQ(WriteText("hpcc", *graph), text);
}

TEST(HpccFormat, AllErrorsAreSaidAtOnce)
{
    const std::string said = Complaints("hpcc",
                                        "6 2 6\n0 9\n"
                                        "1 0 100Gbps 1us 0\n"
                                        "2 0 0Gbps 1us 0\n"
                                        "2 7 1Gbps 1us 0\n"
                                        "1 2 1Gbps 1us 0.1\n"
                                        "3 0 1Gbps 1us 0\n"
                                        "0 3 1Gbps 1us 0\n");
    for (const char* part : {"f:2: switch id \"9\" is no node",
                             "f:5: link 2 - 7: there is no node \"7\"",
                             "f:6: link 1 - 2: error rate \"0.1\"",
                             "f:4: link h1 - switch0 has a rate of 0",
                             "f:6: link h0 - h1 joins two hosts",
                             "f:8: link switch0 - h2 is given twice: first at f:7",
                             "host h3 has no link"})
    {
        EXPECT_NE(said.find(part), std::string::npos) << part << " in\n" << said;
    }
}

TEST(HpccFormat, CountsThatCannotBeAreRefusedWithoutMemory)
{
    for (const char* text : {"99999999999 1 1\n0\n0 1 1Gbps 1us 0\n",
                             "2 1 99999999999\n0\n0 1 1Gbps 1us 0\n",
                             "2 18446744073709551615 1\n0\n",
                             "2 1 2\n0\n0 1 1Gbps 1us 0\n",
                             "99999999999999999999 1 1\n0\n"})
    {
        EXPECT_NE(Complaints("hpcc", text).find("f:1: "), std::string::npos) << text;
    }
}

TEST(SimaiFormat, ServersHaveSwitchesThatAreLeftOut)
{
    const std::string text = "8 2 2 2 9 H100\n4 5 6 7\n"
                             "0 4 2880Gbps 0.000025ms 0\n0 6 100Gbps 0.0005ms 0\n"
                             "1 4 2880Gbps 0.000025ms 0\n1 7 100Gbps 0.0005ms 0\n"
                             "2 5 2880Gbps 0.000025ms 0\n2 6 100Gbps 0.0005ms 0\n"
                             "3 5 2880Gbps 0.000025ms 0\n3 7 100Gbps 0.0005ms 0\n"
                             "6 7 400Gbps 0.0005ms 0\n";
    const auto graph = ReadText("simai", text);
    TopologySpec spec = MakeSpec(graph);
    EXPECT_FALSE(spec.shape.Create<Topology>()->FindProblems().empty());
    spec.shape.Set("WithoutScaleUp", BooleanValue(true));
    const TopologyPlan plan = MakePlan(spec);
    EXPECT_EQ(plan.GetNodes().size(), 6U);
    EXPECT_EQ(plan.GetCables().size(), 5U);
    EXPECT_EQ(plan.GetPlaces()[1].server, 0U);
    EXPECT_EQ(plan.GetPlaces()[2].server, 1U);
    EXPECT_EQ(spec.shape.Create<Topology>()->GetGpusPerHost(), 1U);
}

TEST(GraphTopology, ServersOfSeveralHostsGetNetworksInside)
{
    // Hosts a and c are of one server, b is alone.
    const auto graph = ReadText("json", R"({"nodes": [{"name": "a", "server": 4}, {"name": "b"},
        {"name": "c", "server": 4}, {"name": "s", "kind": "switch"}],
        "links": [{"between": ["a", "s"]}, {"between": ["b", "s"]}, {"between": ["c", "s"]}]})");
    TopologySpec spec = MakeSpec(graph);
    spec.scaleUp = ScaleUpSpec{};
    const TopologyPlan plan = MakePlan(spec);
    ASSERT_EQ(plan.GetCables().size(), 5U);
    EXPECT_EQ(plan.GetNodes().size(), 5U);
    EXPECT_EQ(plan.GetNodes().back().substr(0, 8), "nvswitch");
    EXPECT_EQ(plan.GetCables()[3].first, 0U);
    EXPECT_EQ(plan.GetCables()[4].first, 2U);
    EXPECT_EQ(plan.GetCables()[4].rate, spec.scaleUp->rate);
    const auto alone = ReadText("hpcc", "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n");
    spec = MakeSpec(alone);
    spec.scaleUp = ScaleUpSpec{};
    EXPECT_EQ(MakePlan(spec).GetCables().size(), 2U);
}

TEST(GraphTopology, SeveralLinksOfAHostAreABond)
{
    const std::string text = "5 2 5\n3 4\n0 3 25Gbps 1us 0\n0 4 25Gbps 1us 0\n1 3 25Gbps 1us 0\n"
                             "2 4 25Gbps 1us 0\n3 4 25Gbps 1us 0\n";
    const auto graph = ReadText("hpcc", text);
    const auto problems = MakeSpec(graph).shape.Create<Topology>()->FindProblems();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].what.find("host h0 has 2 links"), std::string::npos);
    const TopologyPlan plan = MakePlan(MakeSpec(graph, true));
    ASSERT_EQ(plan.GetNodes()[1], "nic0");
    EXPECT_EQ(plan.GetCables()[0].rate, DataRate("50Gbps"));
    EXPECT_EQ(plan.GetCables()[0].delay, Time(0));
    EXPECT_EQ(plan.GetCables().size(), 6U);
    const auto fabric = BuildTopology(MakeSpec(graph, true), PortSpec(), HostSpec());
    EXPECT_EQ(fabric->ListPortsBetween(HostId{0}, HostId{1}).size(), 3U) << "h0, nic0, switch3";
    Simulator::Destroy();
}

TEST(JsonFormat, AllErrorsAreSaidAtTheirLines)
{
    const std::string said = Complaints("json",
                                        R"({"nodes": [
  {"name": "a", "server": 1, "rack": "x"},
  {"name": "a", "server": 1, "rack": "y"},
  {"name": "h1", "kind": "switch"},
  {"name": "s", "kind": "swich"},
  {"name": "t", "kind": "switch", "divisor": 0, "tear": 1},
  17],
"links": [
  {"between": ["a", "h1"]},
  {"between": ["t", "h1"]},
  {"between": ["t", "nobody"], "rate": "10"},
  {"between": ["t", "t"], "rate": "1Gbps", "delay": "2h", "count": 0},
  {"between": "t"}]})");
    for (const char* part : {"kind: \"swich\" is none of host, switch, scale-up",
                             "divisor: must be a whole number from 1",
                             "tear: is no key here",
                             "must be an object like {\"name\": \"h0\"}",
                             "there is no node \"nobody\"",
                             "rate: ",
                             "count: must be",
                             "must be an object like {\"between\"",
                             "there are two nodes \"a\"",
                             "a switch cannot be called \"h1\"",
                             "server \"1\" is in rack \"x\", and here in \"y\"",
                             "link t - h1 has no rate",
                             "link t - t joins a node to itself",
                             "link t - t has a delay out of range"})
    {
        EXPECT_NE(said.find(part), std::string::npos) << part << " in\n" << said;
    }
    // Lines, where all elements are objects.
    EXPECT_EQ(Complaints("json",
                         "{\"nodes\": [{\"name\": \"a\"},\n{\"name\": \"b\"},\n\n"
                         "{\"name\": \"s\", \"kind\": \"switch\"}],\n"
                         "\"links\": [{\"between\": [\"a\", \"s\"]},\n"
                         "{\"between\": [\"c\", \"s\"]}]}"),
              "f:6: link c - s: there is no node \"c\"\nf:2: host b has no link\n");
}

TEST(JsonFormat, HostsThatNobodyReachesAreNamed)
{
    EXPECT_EQ(Complaints("json", R"({"nodes": [{"name": "a"}, {"name": "b"},
{"name": "s", "kind": "switch"}, {"name": "t", "kind": "switch"}],
"links": [{"between": ["a", "s"]}, {"between": ["b", "t"]}]})"),
              "f:1: host b cannot be reached from host a\n");
    for (const char* text : {"",
                             "{",
                             "[]",
                             "17",
                             "{\"nodes\": 1, \"links\": []}",
                             "{\"nodes\": []}",
                             "{\"nodes\": [], \"links\": []}"})
    {
        EXPECT_NE(Complaints("json", text), "") << text;
    }
}

TEST(HtsimFormat, RadicesGiveTheNetwork)
{
    const std::string text = R"(# two pods
Nodes 8
Tiers 3
Podsize 4
Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Downlink_Latency_ns 1000
Switch_Latency_ns 100
Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Downlink_Latency_ns 1000
Bundle 1
Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Downlink_Latency_ns 1000
Bundle 2
)";
    const TopologyPlan plan = MakePlan(MakeSpec(ReadText("htsim", text)));
    // 8 hosts, 4 tors, 4 aggs, 4 cores; 8 + 4 x 2 + 4 x 2 x 2 cables
    EXPECT_EQ(plan.GetNodes().size(), 20U);
    EXPECT_EQ(plan.GetCables().size(), 32U);
    EXPECT_EQ(plan.GetCables()[0].delay, NanoSeconds(1050));
    EXPECT_EQ(plan.GetCables()[31].rate, DataRate("100Gbps"));
    const NetworkPaths paths(plan);
    const auto tree = paths.MeasureFrom(8); // tor0
    EXPECT_EQ(tree.distance[1], 1U);
    EXPECT_EQ(tree.distance[2], 3U); // h2 at tor1, over an agg
    EXPECT_EQ(tree.distance[7], 5U); // in the other pod, over a core
    EXPECT_EQ(tree.rate[7], 100000000000U);
    const std::string wrong = Complaints("htsim", "Nodes 8\nTiers 3\nPodsize 4\nTier 0\nspeed 1\n");
    EXPECT_NE(wrong.find("f:5: \"speed\" is no key here"), std::string::npos) << wrong;
}

TEST(NetworkGraph, WhatNoPathUsesIsSaid)
{
    const auto graph = ReadText("hpcc",
                                "6 4 5\n2 3 4 5\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n"
                                "2 3 1Gbps 1us 0\n2 4 1Gbps 1us 0\n4 3 1Gbps 1us 0\n");
    const auto unused = graph->FindUnused();
    ASSERT_EQ(unused.size(), 2U);
    EXPECT_EQ(unused[0], "switch switch4 is on no shortest path");
    EXPECT_EQ(unused[1], "switch switch5 is on no shortest path");
    const auto ring = ReadText("hpcc",
                               "6 3 6\n3 4 5\n0 3 1Gbps 1us 0\n1 4 1Gbps 1us 0\n2 5 1Gbps 1us 0\n"
                               "3 4 1Gbps 1us 0\n4 5 1Gbps 1us 0\n5 3 1Gbps 1us 0\n");
    EXPECT_TRUE(ring->FindUnused().empty());
    EXPECT_FALSE(HasEqualCostPaths(MakeSpec(ring))) << "three switches in a ring";
}

} // namespace
