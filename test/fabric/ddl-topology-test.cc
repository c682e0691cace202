// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-link.h"
#include "ns3/string.h"

#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class TopologyTest : public FabricTest
{
  protected:
    void ExpectRefused(const TopologySpec& topology,
                       const PortSpec& ports = PortSpec(),
                       const HostSpec& hosts = HostSpec())
    {
        EXPECT_THROW(BuildTopology(topology, ports, hosts), InputError);
        Simulator::Destroy();
    }
};

TEST_F(TopologyTest, LeafSpineHasItsNamesAndCounts)
{
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(3));
    spec.shape.Set("HostsPerLeaf", StringValue("2"));
    spec.shape.Set("Spines", UintegerValue(2));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetHosts(), 6U);
    EXPECT_EQ(m_fabric->GetSwitches(), 5U);
    EXPECT_EQ(m_fabric->GetLinks(), 6U + 3 * 2);
    EXPECT_EQ(m_fabric->GetName(m_fabric->GetHost(HostId{5})), "h5");
    EXPECT_EQ(m_fabric->GetName(GetPort("h5", "leaf2")->GetPeer()->GetNode()), "leaf2");
    const auto ports = m_fabric->GetPorts();
    ASSERT_EQ(ports.size(), 2U * 12);
    EXPECT_EQ(ports[0].node, "h0");
    EXPECT_EQ(ports[0].peer, "leaf0");
    EXPECT_EQ(ports[6].node, "leaf0");
    EXPECT_EQ(ports[6].port, 0U);
    EXPECT_EQ(ports[6].peer, "h0");
    EXPECT_EQ(ports[8].peer, "spine0");
    EXPECT_EQ(ports[9].peer, "spine1");
    EXPECT_EQ(ports[23].node, "spine1");
    EXPECT_EQ(ports[23].peer, "leaf2");
}

TEST_F(TopologyTest, AddressesAreHostIndices)
{
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    spec.shape.Set("Hosts", UintegerValue(300));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetAddress(HostId{0}), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(m_fabric->GetAddress(HostId{299}), Ipv4Address("10.0.1.44")); // 300 = 256 + 44
    EXPECT_EQ(m_fabric->GetHostIndex("10.0.1.44"), HostId{299});
    EXPECT_THROW(m_fabric->GetHostIndex("10.0.1.45"), InputError);
    EXPECT_THROW(m_fabric->GetHostIndex("9.255.255.255"), InputError);
}

TEST_F(TopologyTest, SpecsReachThePorts)
{
    TopologySpec topology;
    topology.mtu = 9000;
    topology.hostRate = DataRate("25Gbps");
    topology.shape.Set("FabricRate", DataRateValue(DataRate("100Gbps")));
    PortSpec ports;
    ports.queues = 4;
    ports.service = "mixed";
    ports.weights = {1, 1, 2, 4};
    HostSpec hosts;
    hosts.bands = 3;
    m_fabric = BuildTopology(topology, ports, hosts);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetQueues(), 4U);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetMtu(), 9000);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetDataRate(), DataRate("25Gbps"));
    EXPECT_EQ(GetPort("spine1", "leaf1")->GetDataRate(), DataRate("100Gbps"));
    EXPECT_EQ(GetPort("h7", "leaf1")->GetQueues(), 3U);
}

TEST_F(TopologyTest, LargeFabricsAreRoutedFast)
{
    // 1024 hosts, 32 leaves, 16 spines: each leaf knows a way to each host, over all spines.
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(32));
    spec.shape.Set("HostsPerLeaf", StringValue("32"));
    spec.shape.Set("Spines", UintegerValue(16));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    std::set<Ptr<Port>> up;
    for (uint32_t host = 32; host < 1024; ++host)
    {
        up.insert(m_fabric->GetSwitch(0)->GetRoute(host, host * 2654435761U));
    }
    EXPECT_EQ(up.size(), 16U);
    EXPECT_EQ(up.count(nullptr), 0U);
}

TEST_F(TopologyTest, RacksMayDiffer)
{
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(3));
    spec.shape.Set("HostsPerLeaf", StringValue("1,3,2"));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(CountHosts(spec), 6U); // 1 + 3 + 2
    EXPECT_EQ(GetPort("h0", "leaf0")->GetPeer()->GetNode(), m_fabric->GetSwitch(0));
    EXPECT_EQ(GetPort("h3", "leaf1")->GetPeer()->GetNode(), m_fabric->GetSwitch(1));
    EXPECT_EQ(GetPort("h5", "leaf2")->GetPeer()->GetNode(), m_fabric->GetSwitch(2));
}

/** Links on the way from one host to another, and their delays in all. */
struct Way
{
    uint32_t links{0};
    Time delay;
};

/** \return the way of that flow */
Way
Follow(Ptr<Fabric> fabric, uint32_t from, uint32_t to, uint32_t hash)
{
    Way way;
    Ptr<Port> port = fabric->GetHostPort(HostId{from});
    for (Ptr<Node> node; node != fabric->GetHost(HostId{to});)
    {
        ++way.links;
        way.delay += DynamicCast<Link>(port->GetChannel())->GetDelay();
        node = port->GetPeer()->GetNode();
        const auto next = DynamicCast<Switch>(node);
        port = next ? Ptr<Port>(next->GetRoute(to, hash)) : nullptr;
    }
    return way;
}

std::string
NameOf(Tier tier)
{
    std::ostringstream text;
    text << tier;
    return text.str();
}

TEST_F(TopologyTest, EachLevelHasItsDelay)
{
    TopologySpec spec;
    spec.delay = MicroSeconds(2);
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(Follow(m_fabric, 0, 7, 0).delay, 4 * MicroSeconds(2));
    spec.shape.Set("FabricDelay", StringValue("500ns"));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(Follow(m_fabric, 0, 7, 0).delay, 2 * MicroSeconds(2) + 2 * NanoSeconds(500));
    spec.hostDelay = NanoSeconds(30);
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(Follow(m_fabric, 0, 7, 0).delay, 2 * NanoSeconds(30) + 2 * NanoSeconds(500));
    spec.shape.SetTypeId("ns3::ddl::DumbbellTopology");
    spec.shape.Set("BottleneckDelay", StringValue("1ms"));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(Follow(m_fabric, 0, 3, 0).delay, MilliSeconds(1) + 2 * NanoSeconds(30));
}

TEST_F(TopologyTest, AServerIsAHostWhereEachHostHasItsOwn)
{
    TopologySpec spec; // 2 leaves of 4
    const auto places = ListPlaces(spec);
    ASSERT_EQ(places.size(), 8U);
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    for (uint32_t host = 0; host < 8; ++host)
    {
        EXPECT_EQ(places[host], (Place{host, host / 4}));
        EXPECT_EQ(m_fabric->GetPlace(HostId{host}), places[host]);
    }
    EXPECT_EQ(NameOf(m_fabric->GetTier(HostId{1}, HostId{1})), "host");
    EXPECT_EQ(NameOf(m_fabric->GetTier(HostId{1}, HostId{3})), "rack");
    EXPECT_EQ(NameOf(m_fabric->GetTier(HostId{1}, HostId{4})), "network");
}

TEST_F(TopologyTest, AScriptsHostsStandInTheRackOfTheirSwitch)
{
    m_fabric = CreateObject<Fabric>();
    const auto left = m_fabric->AddSwitch("left");
    const auto right = m_fabric->AddSwitch("right");
    for (const auto& at : {left, right, right})
    {
        m_fabric->Connect(m_fabric->AddHost(), at, DataRate("1Gbps"), Time(0));
    }
    EXPECT_EQ(m_fabric->GetTier(HostId{0}, HostId{1}), Tier::NETWORK);
    EXPECT_EQ(m_fabric->GetTier(HostId{1}, HostId{2}), Tier::RACK);
    m_fabric->SetPlace(HostId{1}, {5, 0});
    m_fabric->SetPlace(HostId{2}, {5, 0});
    EXPECT_EQ(m_fabric->GetTier(HostId{1}, HostId{2}), Tier::SERVER);
}

TEST_F(TopologyTest, ThreeTiersHaveTheirDelaysRatesAndUplinks)
{
    // Dally: 0.04, 0.85 and 17.5 us one way: 2 x 20, + 2 x 405, + 2 x 8325 ns.
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::ThreeTierTopology");
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"Racks", "3"},
                                                          {"ServersPerRack", "2"},
                                                          {"GpusPerServer", "8"},
                                                          {"Spines", "2"},
                                                          {"ServerUplinks", "4"},
                                                          {"RackUplinks", "2"},
                                                          {"ServerRate", "400Gbps"},
                                                          {"RackRate", "800Gbps"},
                                                          {"ServerDelay", "405ns"},
                                                          {"RackDelay", "8325ns"}})
    {
        spec.shape.Set(name, StringValue(value));
    }
    spec.hostRate = DataRate("7200Gbps");
    spec.hostDelay = NanoSeconds(20);
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetHosts(), 48U);                      // 3 x 2 x 8
    EXPECT_EQ(m_fabric->GetSwitches(), 6U + 3 + 2);            // servers, racks, spines
    EXPECT_EQ(m_fabric->GetLinks(), 48U + 6 * 4 + 3U * 2 * 2); // hosts, servers, racks
    const auto expect = [&](uint32_t to, uint32_t links, int64_t nanoseconds, Tier tier) {
        for (uint32_t flow = 0; flow < 20; ++flow)
        {
            const Way way = Follow(m_fabric, 3, to, flow * 2654435761U);
            EXPECT_EQ(way.links, links) << "to " << to;
            EXPECT_EQ(way.delay, NanoSeconds(nanoseconds)) << "to " << to;
        }
        EXPECT_EQ(m_fabric->GetTier(HostId{3}, HostId{to}), tier) << "to " << to;
    };
    expect(7, 2, 40, Tier::SERVER);
    expect(8, 4, 850, Tier::RACK);
    expect(15, 4, 850, Tier::RACK);
    expect(16, 6, 17500, Tier::NETWORK);
    expect(47, 6, 17500, Tier::NETWORK);
    EXPECT_EQ(GetPort("server5", "h47")->GetDataRate(), DataRate("7200Gbps"));
    EXPECT_EQ(GetPort("server5", "rack2", 3)->GetDataRate(), DataRate("400Gbps"));
    EXPECT_EQ(GetPort("rack2", "spine1", 1)->GetDataRate(), DataRate("800Gbps"));
    // 8 x 7200 to 4 x 400; 2 x 4 x 400 to 2 x 2 x 800
    const auto levels = ListOversubscriptions(spec);
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].level, "server");
    EXPECT_EQ(levels[0].ratio, 36);
    EXPECT_EQ(levels[1].level, "rack");
    EXPECT_EQ(levels[1].ratio, 1);
}

TEST_F(TopologyTest, OversubscriptionIsThatOfTheWorstSwitch)
{
    TopologySpec spec; // 2 spines of 10 Gbps
    spec.shape.Set("Leaves", UintegerValue(3));
    spec.shape.Set("HostsPerLeaf", StringValue("2,8,3"));
    const auto levels = ListOversubscriptions(spec);
    ASSERT_EQ(levels.size(), 1U);
    EXPECT_EQ(levels[0].level, "leaf");
    EXPECT_EQ(levels[0].ratio, 4); // 8 x 10 to 2 x 10
    spec.shape.SetTypeId("ns3::ddl::DumbbellTopology");
    EXPECT_TRUE(ListOversubscriptions(spec).empty()); // nothing is above anything
}

TEST_F(TopologyTest, AFatTreeIsAlFares)
{
    for (const uint32_t k : {2U, 4U, 6U, 8U})
    {
        TopologySpec spec;
        spec.shape.SetTypeId("ns3::ddl::FatTreeTopology");
        spec.shape.Set("K", UintegerValue(k));
        m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
        EXPECT_EQ(m_fabric->GetHosts(), k * k * k / 4);
        EXPECT_EQ(m_fabric->GetSwitches(), k * k + k * k / 4);
        EXPECT_EQ(m_fabric->GetLinks(), 3 * k * k * k / 4);
        for (uint32_t i = 0; i < m_fabric->GetSwitches(); ++i)
        {
            EXPECT_EQ(m_fabric->GetSwitch(i)->GetNDevices(), k) << "switch " << i;
        }
        for (const auto& level : ListOversubscriptions(spec))
        {
            EXPECT_EQ(level.ratio, 1) << level.level;
        }
        const uint32_t half = k / 2;
        const uint32_t last = k * k * k / 4 - 1;
        EXPECT_EQ(Follow(m_fabric, 0, last, 0).links, 6U);
        EXPECT_EQ(Follow(m_fabric, 0, last, 0).delay, MicroSeconds(6));
        EXPECT_EQ(m_fabric->GetTier(HostId{0}, HostId{last}), Tier::NETWORK);
        if (k > 2)
        {
            EXPECT_EQ(Follow(m_fabric, 0, half - 1, 0).links, 2U);
            EXPECT_EQ(m_fabric->GetTier(HostId{0}, HostId{half - 1}), Tier::RACK);
            EXPECT_EQ(Follow(m_fabric, 0, half * half - 1, 0).links, 4U);
            EXPECT_EQ(m_fabric->GetTier(HostId{0}, HostId{half * half - 1}), Tier::NETWORK);
        }
        // Between pods there is a way over each core. 100 flows a way miss one in e^-100 of cases.
        std::set<Ptr<Node>> cores;
        for (uint32_t flow = 0; flow < 100 * half * half; ++flow)
        {
            const uint32_t hash = flow * 2654435761U;
            const auto edge = m_fabric->GetSwitch(0);
            const auto above = edge->GetRoute(last, hash)->GetPeer()->GetNode();
            cores.insert(DynamicCast<Switch>(above)->GetRoute(last, hash)->GetPeer()->GetNode());
        }
        EXPECT_EQ(cores.size(), half * half);
    }
}

TEST_F(TopologyTest, RailsJoinGpusOfOneNumber)
{
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::RailOptimisedTopology");
    spec.shape.Set("Pods", UintegerValue(2));
    spec.shape.Set("ServersPerPod", UintegerValue(3));
    spec.shape.Set("GpusPerServer", UintegerValue(4));
    spec.shape.Set("Spines", UintegerValue(2));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetHosts(), 24U);
    EXPECT_EQ(m_fabric->GetSwitches(), 8U + 2);
    EXPECT_EQ(m_fabric->GetLinks(), 24U + 8 * 2);
    for (uint32_t host = 0; host < 24; ++host)
    {
        // Server host / 4, of pod host / 12; GPU host % 4.
        const uint32_t rail = host / 12 * 4 + host % 4;
        EXPECT_EQ(m_fabric->GetName(m_fabric->GetHostPort(HostId{host})->GetPeer()->GetNode()),
                  "rail" + std::to_string(rail));
        EXPECT_EQ(m_fabric->GetPlace(HostId{host}), (Place{host / 4, host / 12}));
    }
    EXPECT_EQ(Follow(m_fabric, 1, 9, 0).links, 2U);  // GPU 1 of servers 0 and 2
    EXPECT_EQ(Follow(m_fabric, 1, 2, 0).links, 4U);  // GPUs 1 and 2 of server 0
    EXPECT_EQ(Follow(m_fabric, 1, 13, 0).links, 4U); // GPU 1 of another pod
    EXPECT_EQ(m_fabric->GetTier(HostId{1}, HostId{2}), Tier::SERVER);
    EXPECT_EQ(m_fabric->GetTier(HostId{1}, HostId{9}), Tier::RACK);
    EXPECT_EQ(m_fabric->GetTier(HostId{1}, HostId{13}), Tier::NETWORK);
}

TEST_F(TopologyTest, ProblemsAreNamedTogether)
{
    const auto find = [](const std::string& type,
                         const std::vector<std::pair<std::string, std::string>>& attributes) {
        ObjectFactory factory;
        factory.SetTypeId("ns3::ddl::" + type);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        std::vector<std::string> found;
        for (const auto& problem : factory.Create<Topology>()->FindProblems())
        {
            found.push_back(problem.attribute);
        }
        return found;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(find("FatTreeTopology", {{"K", "5"}, {"PodDelay", "5"}, {"CoreDelay", "2h"}}),
              (Names{"PodDelay", "CoreDelay", "K"}));
    EXPECT_EQ(find("ThreeTierTopology", {{"ServerDelay", "-1ns"}, {"RackDelay", "soon"}}),
              (Names{"ServerDelay", "RackDelay"}));
    EXPECT_EQ(find("ThreeTierTopology", {{"Racks", "4096"}, {"GpusPerServer", "9"}}), Names{""});
    EXPECT_EQ(
        find("ThreeTierTopology", {{"Racks", "1024"}, {"Spines", "1024"}, {"ServerUplinks", "64"}}),
        Names{""});
    EXPECT_EQ(find("RailOptimisedTopology", {{"Pods", "4096"}, {"ServersPerPod", "5"}}), Names{""});
    EXPECT_EQ(find("RailOptimisedTopology", {{"Spines", "4096"}, {"Parallel", "64"}}), Names{""});
    EXPECT_EQ(find("LeafSpineTopology", {{"FabricDelay", "1 us"}, {"HostsPerLeaf", "1,2,3"}}),
              (Names{"FabricDelay", "HostsPerLeaf"}));
    EXPECT_EQ(find("DumbbellTopology", {{"BottleneckDelay", "x"}}), Names{"BottleneckDelay"});
}

TEST_F(TopologyTest, WrongInputsAreRefused)
{
    TopologySpec spec;
    spec.shape.Set("HostsPerLeaf", StringValue("8,8,7")); // three numbers for two leaves
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.shape.Set("Leaves", UintegerValue(4096));
    spec.shape.Set("HostsPerLeaf", StringValue("17")); // 69632 hosts
    ExpectRefused(spec);
    for (const char* count : {"Leaves", "Spines", "Parallel"})
    {
        TypeId::AttributeInformation info;
        ASSERT_TRUE(spec.shape.GetTypeId().LookupAttributeByName(count, &info));
        EXPECT_FALSE(info.checker->Check(UintegerValue(0))) << count;
    }
    spec = TopologySpec();
    spec.hostRate = DataRate(0);
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.shape.Set("FabricRate", DataRateValue(DataRate(0)));
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.delay = NanoSeconds(-1);
    ExpectRefused(spec);
    for (const uint32_t mtu : {0U, 575U, 9001U, 65536U + 1500U})
    {
        spec = TopologySpec();
        spec.mtu = mtu;
        ExpectRefused(spec);
    }
}

TEST_F(TopologyTest, WrongPortsAreRefused)
{
    PortSpec ports;
    ports.queues = 64;
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.service = "fifo";
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.weights = {1};
    ExpectRefused(TopologySpec(), ports);
    ports.service = "wrr";
    ExpectRefused(TopologySpec(), ports); // one weight for eight queues
    ports = PortSpec();
    ports.sharedBuffer = 1000;
    ports.alpha = 0;
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.dscpToQueue = {{46, 8}};
    ExpectRefused(TopologySpec(), ports);
    HostSpec hosts;
    hosts.bands = 0;
    ExpectRefused(TopologySpec(), PortSpec(), hosts);
}

TEST_F(TopologyTest, AHostHasOneLinkAndNamesAreUnique)
{
    m_fabric = CreateObject<Fabric>();
    auto leaf = m_fabric->AddSwitch("leaf0");
    EXPECT_THROW(m_fabric->AddSwitch("leaf0"), InputError);
    EXPECT_THROW(m_fabric->AddSwitch(""), InputError);
    auto host = m_fabric->AddHost();
    EXPECT_THROW(m_fabric->InstallStack(), InputError); // no link yet
    m_fabric->Connect(host, leaf, DataRate("1Gbps"), Seconds(0));
    EXPECT_THROW(m_fabric->Connect(host, leaf, DataRate("1Gbps"), Seconds(0)), InputError);
    EXPECT_THROW(m_fabric->Connect(leaf, CreateObject<Node>(), DataRate("1Gbps"), Seconds(0)),
                 InputError);
}

} // namespace
