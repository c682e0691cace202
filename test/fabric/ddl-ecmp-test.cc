// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"
#include "ddl-process-state.h"

#include "ns3/config.h"
#include "ns3/ddl-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t FLOWS = 16 * FlowKey::PATH_LABELS; // 16384

/** \return the hash of a flow from one of 16 machines, each with a flow of every label */
uint32_t
FlowHash(uint32_t i)
{
    const Ipv4Address source(0x0a000001 + i % 16);
    const FlowKey key{Ipv4Address("10.0.0.2"), 6, static_cast<uint16_t>(49152 + i / 16), 80};
    return key.PathHash(source);
}

TEST(FlowKey, TheUpperBitsOfPortsChangeNoPath)
{
    const Ipv4Address source("10.0.0.1");
    std::set<uint32_t> hashes;
    for (uint16_t label = 0; label < FlowKey::PATH_LABELS; ++label)
    {
        const FlowKey key{Ipv4Address("10.0.0.2"), 6, label, 80};
        for (uint32_t upper = 1; upper < 64; ++upper)
        {
            const auto port = static_cast<uint16_t>(label + upper * FlowKey::PATH_LABELS);
            const FlowKey same{key.destination, key.protocol, port, key.destinationPort};
            ASSERT_EQ(same.PathHash(source), key.PathHash(source)) << port;
        }
        hashes.insert(key.PathHash(source));
    }
    // 1024 of 2^32 values: two are equal with probability 1024^2 / 2^33 = 1.2e-4.
    EXPECT_EQ(hashes.size(), FlowKey::PATH_LABELS);
}

/** Routes are kept in blocks of 64 hosts, alike or mixed. */
TEST(SwitchRoutes, AreThoseSetLastInAnyOrder)
{
    constexpr uint32_t HOSTS = 300; // the last block is not full
    auto fabric = CreateObject<Fabric>();
    const auto node = fabric->AddSwitch("middle");
    std::vector<Ptr<SwitchPort>> ports{nullptr}; // of group 0 there is none
    for (uint32_t i = 1; i <= 3; ++i)
    {
        fabric->Connect(node,
                        fabric->AddSwitch("end" + std::to_string(i)),
                        DataRate("1Gbps"),
                        Time(0));
        ports.push_back(DynamicCast<SwitchPort>(node->GetDevice(i - 1)));
    }
    node->ClearRoutes(HOSTS);
    for (uint32_t i = 1; i <= 3; ++i)
    {
        ASSERT_EQ(node->AddGroup({ports[i]}), i);
    }
    std::vector<uint32_t> groups(HOSTS, 0);
    std::mt19937 random(7);
    const auto check = [&] {
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            ASSERT_EQ(node->GetRoute(host, 0), ports[groups[host]]) << host;
        }
    };
    for (uint32_t round = 0; round < 30; ++round)
    {
        const uint32_t first = random() % HOSTS; // a run of hosts, up or down, then single ones
        const uint32_t group = random() % 4;
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            const uint32_t host = (first + (round % 2 == 0 ? i : HOSTS - i)) % HOSTS;
            groups[host] = i < 200 ? group : random() % 4;
            node->SetRoute(host, groups[host]);
        }
        check();
    }
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        groups[host] = 2;
        node->SetRoute(host, 2);
    }
    check();
    EXPECT_THROW(node->SetRoute(HOSTS, 1), InputError);
    EXPECT_EQ(node->GetRoute(HOSTS, 0), nullptr);
    fabric->Dispose();
    Simulator::Destroy();
}

/** h0 - leaf0 - four tier-1 switches - each to the four of tier 2 - leaf1 - h1. */
class TwoTiers : public FabricTest
{
  protected:
    void SetUp() override
    {
        m_fabric = CreateObject<Fabric>();
        m_leaf0 = m_fabric->AddSwitch("leaf0");
        auto leaf1 = m_fabric->AddSwitch("leaf1");
        Connect(m_fabric->AddHost(), m_leaf0);
        Connect(m_fabric->AddHost(), leaf1);
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_tier1.push_back(m_fabric->AddSwitch("first" + std::to_string(i)));
            m_tier2.push_back(m_fabric->AddSwitch("second" + std::to_string(i)));
            Connect(m_leaf0, m_tier1.back());
            Connect(leaf1, m_tier2.back());
        }
        for (const auto& first : m_tier1)
        {
            for (const auto& second : m_tier2)
            {
                Connect(first, second);
            }
        }
        m_fabric->ComputeRoutes();
    }

    void Connect(Ptr<Node> a, Ptr<Node> b)
    {
        m_fabric->Connect(a, b, DataRate("10Gbps"), MicroSeconds(1));
    }

    /** \return number of flows by (tier 1, tier 2) switch */
    std::map<std::pair<std::string, std::string>, uint32_t> CountPaths()
    {
        std::map<std::pair<std::string, std::string>, uint32_t> paths;
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            auto first =
                DynamicCast<Switch>(m_leaf0->GetRoute(1, FlowHash(i))->GetPeer()->GetNode());
            auto second = first->GetRoute(1, FlowHash(i))->GetPeer()->GetNode();
            ++paths[{m_fabric->GetName(first), m_fabric->GetName(second)}];
        }
        return paths;
    }

    Ptr<Switch> m_leaf0;
    std::vector<Ptr<Switch>> m_tier1;
    std::vector<Ptr<Switch>> m_tier2;
};

TEST_F(TwoTiers, SpreadEvenlyOverAllPaths)
{
    // 16 paths, 1024 flows each; the standard deviation of a fair draw is sqrt(1024 * 15/16) = 31.
    const auto paths = CountPaths();
    EXPECT_EQ(paths.size(), 16U);
    for (const auto& path : paths)
    {
        EXPECT_NEAR(path.second, 1024, 5 * 31) << path.first.first << " " << path.first.second;
    }
}

TEST_F(TwoTiers, EqualSaltsWouldPolarise)
{
    // With one salt the second tier repeats the first tier's choice: 4 of the 16 paths.
    m_leaf0->SetPathSelector(CreatePolicy<PathSelector>("ecmp"), {1, 1});
    for (const auto& node : m_tier1)
    {
        node->SetPathSelector(CreatePolicy<PathSelector>("ecmp"), {1, 1});
    }
    EXPECT_EQ(CountPaths().size(), 4U);
}

TEST_F(TwoTiers, SeedDecidesThePaths)
{
    const auto before = CountPaths();
    EXPECT_EQ(CountPaths(), before);
    TearDown();
    m_tier1.clear();
    m_tier2.clear();
    const ProcessStateGuard guard;
    Config::SetDefault("ns3::ddl::Fabric::EcmpSeed", UintegerValue(2));
    SetUp();
    EXPECT_NE(CountPaths(), before);
}

class Ecmp : public FabricTest
{
};

TEST_F(Ecmp, EachHostHasTheGroupThatItWasGivenLast)
{
    TopologySpec topology;
    topology.shape.Set("Spines", UintegerValue(4));
    m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
    const auto leaf = m_fabric->GetSwitch(0);
    constexpr uint32_t HOSTS = 150; // neither a power of two nor a multiple of one
    leaf->ClearRoutes(HOSTS);
    std::vector<Ptr<Port>> ports{nullptr}; // group 0: no route
    for (uint32_t spine = 0; spine < 4; ++spine)
    {
        const auto port = m_fabric->GetPort("leaf0", "spine" + std::to_string(spine));
        ASSERT_EQ(leaf->AddGroup({DynamicCast<SwitchPort>(port)}), ports.size());
        ports.push_back(port);
    }
    std::mt19937 random(3);
    std::vector<uint32_t> groups(HOSTS, 0);
    const auto check = [&] {
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            ASSERT_EQ(leaf->GetRoute(host, 5), ports[groups[host]]) << host;
            ASSERT_EQ(leaf->ListRoutes(host).size(), groups[host] == 0 ? 0U : 1U);
        }
    };
    for (uint32_t round = 0; round < 300; ++round)
    {
        const uint32_t group = random() % ports.size();
        const uint32_t first = random() % HOSTS;
        const uint32_t count = round % 2 == 0 ? 1 : 1 + random() % (HOSTS - first);
        for (uint32_t host = first; host < first + count; ++host)
        {
            groups[host] = group;
            leaf->SetRoute(host, group);
        }
        check();
    }
    EXPECT_FALSE(leaf->GetRoute(HOSTS, 5));
}

TEST_F(Ecmp, ParallelLinksShareToo)
{
    // Two spines with three links each: six equal ways up, and three down from each spine.
    TopologySpec topology;
    topology.shape.Set("Parallel", UintegerValue(3));
    m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
    std::map<Ptr<Port>, uint32_t> up;
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        ++up[m_fabric->GetSwitch(0)->GetRoute(7, FlowHash(i))];
    }
    ASSERT_EQ(up.size(), 6U);
    for (const auto& port : up)
    {
        EXPECT_NEAR(port.second, FLOWS / 6, 5 * 48); // sqrt(16384 * 1/6 * 5/6) = 48
    }
    EXPECT_EQ(GetPort("leaf0", "spine1", 2)->GetPeer(), GetPort("spine1", "leaf0", 2));
}

TEST_F(Ecmp, HostsOfOneLeafDoNotClimb)
{
    m_fabric = BuildTopology(TopologySpec(), PortSpec(), HostSpec());
    for (uint32_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(m_fabric->GetSwitch(0)->GetRoute(3, FlowHash(i)), GetPort("leaf0", "h3"));
    }
}

TEST_F(Ecmp, DModKChoosesByDestinationAlone)
{
    // Four links each way between a server and its rack: one for each GPU, whoever sends.
    TopologySpec topology;
    topology.pathSelector.SetTypeId("ns3::ddl::DModKPathSelector");
    topology.shape = ObjectFactory("ns3::ddl::ThreeTierTopology",
                                   "Racks",
                                   UintegerValue(2),
                                   "ServersPerRack",
                                   UintegerValue(2),
                                   "GpusPerServer",
                                   UintegerValue(4),
                                   "ServerUplinks",
                                   UintegerValue(4),
                                   "Spines",
                                   UintegerValue(4),
                                   "RackUplinks",
                                   UintegerValue(4));
    Build(topology);
    std::map<std::string, Ptr<Switch>> nodes;
    for (uint32_t i = 0; i < m_fabric->GetSwitches(); ++i)
    {
        const auto node = m_fabric->GetSwitch(i);
        nodes[m_fabric->GetName(node)] = node;
    }
    for (const std::string name : {"server0", "rack0", "rack1"})
    {
        SCOPED_TRACE(name);
        std::set<Ptr<SwitchPort>> ports;
        for (uint32_t host = 12; host < 16; ++host) // server 3, in rack 1
        {
            const auto port = nodes.at(name)->GetRoute(host, FlowHash(0));
            ports.insert(port);
            for (uint32_t i = 1; i < 100; ++i)
            {
                EXPECT_EQ(nodes.at(name)->GetRoute(host, FlowHash(i)), port);
            }
            EXPECT_EQ(nodes.at(name)->ListRoutes(host), (std::vector<Ptr<SwitchPort>>{port}));
        }
        EXPECT_EQ(ports.size(), 4U);
    }
}

/** Host h sends to host h + shift: how many flows take each link between switches of two levels? */
std::map<std::pair<std::string, std::string>, uint32_t>
CountFlows(const Ptr<Fabric>& fabric, uint32_t shift)
{
    std::map<std::pair<std::string, std::string>, uint32_t> flows;
    for (uint32_t from = 0; from < fabric->GetHosts(); ++from)
    {
        const uint32_t to = (from + shift) % fabric->GetHosts();
        Ptr<Port> port = fabric->GetHostPort(HostId{from});
        Ptr<Node> node = port->GetPeer()->GetNode();
        while (const auto at = DynamicCast<Switch>(node))
        {
            port = at->GetRoute(to, 0);
            node = port->GetPeer()->GetNode();
            ++flows[{fabric->GetName(at) + "." + std::to_string(port->GetIfIndex()),
                     fabric->GetName(node)}];
        }
    }
    return flows;
}

TEST_F(Ecmp, DModKLetsNoFlowsOfAShiftMeet)
{
    // As Zahavi's Theorem says of fat-trees: each link has one flow, whatever the shift.
    TopologySpec topology;
    topology.pathSelector.SetTypeId("ns3::ddl::DModKPathSelector");
    for (const auto& shape : {ObjectFactory("ns3::ddl::FatTreeTopology", "K", UintegerValue(8)),
                              ObjectFactory("ns3::ddl::LeafSpineTopology",
                                            "Leaves",
                                            UintegerValue(4),
                                            "HostsPerLeaf",
                                            StringValue("8"),
                                            "Spines",
                                            UintegerValue(4),
                                            "Parallel",
                                            UintegerValue(2))})
    {
        topology.shape = shape;
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        for (uint32_t shift = 1; shift < m_fabric->GetHosts(); ++shift)
        {
            for (const auto& [link, flows] : CountFlows(m_fabric, shift))
            {
                EXPECT_EQ(flows, 1U) << link.first << " to " << link.second << ", " << shift;
            }
        }
    }
}

TEST_F(Ecmp, DModKSpreadsARailOverAllSpines)
{
    // Two pods of 4 servers of 4 GPUs: GPU i of a server talks to GPU i of one in the other pod.
    TopologySpec topology;
    topology.pathSelector.SetTypeId("ns3::ddl::DModKPathSelector");
    topology.shape = ObjectFactory("ns3::ddl::RailOptimisedTopology",
                                   "Pods",
                                   UintegerValue(2),
                                   "ServersPerPod",
                                   UintegerValue(4),
                                   "GpusPerServer",
                                   UintegerValue(4),
                                   "Spines",
                                   UintegerValue(4));
    m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
    for (const uint32_t shift : {16U, 20U, 28U})
    {
        for (const auto& [link, flows] : CountFlows(m_fabric, shift))
        {
            EXPECT_EQ(flows, 1U) << link.first << " to " << link.second << ", " << shift;
        }
    }
}

TEST_F(Ecmp, FlowsKeepTheirOrderAndUseAllSpines)
{
    // 64 flows of packets with sizes that count up, so that a reordered one would show.
    TopologySpec topology;
    topology.shape.Set("Spines", UintegerValue(4));
    Build(topology);
    Listen(7);
    constexpr uint32_t PACKETS = 100;
    for (uint16_t flow = 0; flow < 64; ++flow)
    {
        Datagrams first;
        first.to = 7;
        first.from = flow % 4;
        first.fromPort = static_cast<uint16_t>(1000 + flow);
        first.bytes = 100;
        auto socket = Send(first);
        for (uint32_t i = 1; i < PACKETS; ++i)
        {
            Datagrams next = first;
            next.bytes = 100 + i;
            next.start = first.start + NanoSeconds(137 * i);
            SendOn(socket, next);
        }
    }
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 64 * PACKETS);
    std::map<uint16_t, uint32_t> expected;
    for (const auto& received : m_received)
    {
        const uint32_t next = 100 + expected[received.fromPort]++;
        ASSERT_EQ(received.bytes, next) << received.fromPort;
    }
    for (uint32_t spine = 0; spine < 4; ++spine)
    {
        EXPECT_GT(GetPort("spine" + std::to_string(spine), "leaf1")->GetCounters(7).packets, 0U);
    }
}

} // namespace
