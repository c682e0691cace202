// SPDX-License-Identifier: GPL-2.0-only
// Servers of several hosts with a network of their own inside (TopologySpec::scaleUp).
#include "ddl-process-state.h"
#include "ddl-transport-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-packet-audit.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{
namespace
{

constexpr int64_t UNTOLD = -1;

/** 2 servers of 4 hosts; NICs of 8 Gbps (1 ns a byte), inside 80 Gbps (0.1 ns a byte) and 25 ns. */
class ScaleUpTest : public TransportFixture
{
  protected:
    static TopologySpec Servers(ScaleUpSpec::Kind kind)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::RailOptimisedTopology");
        topology.shape.Set("Pods", UintegerValue(1));
        topology.shape.Set("ServersPerPod", UintegerValue(2));
        topology.shape.Set("GpusPerServer", UintegerValue(4));
        topology.shape.Set("Spines", UintegerValue(1));
        topology.hostRate = DataRate("8Gbps");
        topology.delay = NanoSeconds(500);
        topology.scaleUp = ScaleUpSpec{kind, DataRate("80Gbps"), NanoSeconds(25)};
        return topology;
    }

    void BuildKind(ScaleUpSpec::Kind kind, const std::string& transport, const PortSpec& ports = {})
    {
        Attributes attributes;
        if (transport == "fluid")
        {
            attributes = {{"HeaderBytes", "0"}, {"CountFraming", "0"}, {"StoreAndForward", "0"}};
        }
        else if (transport == "rdma")
        {
            attributes = {{"CongestionControl", "fixed"}};
        }
        Build(Servers(kind), attributes, ports, {}, transport);
    }

    /** Send a message at 1 s. \return its number, by which m_took has the time that it took, in ns
     */
    std::size_t Send(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const std::size_t number = m_took.size();
        m_took.push_back(UNTOLD);
        At(Seconds(1), [=] {
            m_pairs.push_back(Open(from, to));
            m_pairs.back()->Send(
                bytes,
                Then([=] { m_took[number] = (Simulator::Now() - Seconds(1)).GetNanoSeconds(); }));
        });
        return number;
    }

    /** \return bytes of IPv4 packets that have left a port, or of fluids */
    uint64_t CountBytes(const std::string& node, const std::string& peer) const
    {
        const auto port = m_fabric->GetPort(node, peer);
        uint64_t bytes = 0;
        for (uint32_t queue = 0; queue < port->GetQueues(); ++queue)
        {
            bytes += port->GetCounters(queue).bytes +
                     static_cast<uint64_t>(m_transport->GetTraffic(port, queue).bytes + 0.5);
        }
        return bytes;
    }

    /** \return bytes at all NICs of hosts, or at all their other ports */
    uint64_t CountHostBytes(bool isNic) const
    {
        uint64_t bytes = 0;
        for (const NamedPort& port : m_fabric->GetPorts())
        {
            const bool isHost = port.node[0] == 'h';
            const bool isAside = port.peer.rfind("nvswitch", 0) == 0;
            bytes += isHost && isAside != isNic ? CountBytes(port.node, port.peer) : 0;
        }
        return bytes;
    }

    void TearDown() override
    {
        m_pairs.clear();
        m_took.clear();
        TransportFixture::TearDown();
    }

    std::vector<int64_t> m_took;
    std::vector<Ptr<StreamPair>> m_pairs;
};

TEST_F(ScaleUpTest, NodesAndCables)
{
    const TopologySpec topology = Servers(ScaleUpSpec::Kind::SWITCH);
    const auto cables = ListCables(topology);
    ASSERT_EQ(cables.size(), 8U + 4 + 8); // NICs, rails to the spine, and inside
    EXPECT_EQ(cables[12], std::make_pair(std::string("h0"), std::string("nvswitch0")));
    EXPECT_EQ(cables[19], std::make_pair(std::string("h7"), std::string("nvswitch1")));
    EXPECT_EQ(CountSwitches(topology), 4U + 1 + 2);
    const auto levels = ListOversubscriptions(topology);
    ASSERT_EQ(levels.size(), 1U); // nothing leads up from the switch of a server
    EXPECT_EQ(levels[0].level, "rail");
    EXPECT_DOUBLE_EQ(levels[0].ratio, 2 * 8.0 / 10);
    TopologySpec none = topology;
    none.scaleUp->kind = ScaleUpSpec::Kind::STREAMS;
    EXPECT_EQ(ListCables(none).size(), 12U);
    EXPECT_TRUE(HasServersOfSeveralHosts(topology));
    EXPECT_FALSE(HasServersOfSeveralHosts(SingleSwitch(4)));
}

TEST_F(ScaleUpTest, FabricKnowsThePortToEachHost)
{
    const auto fabric = BuildTopology(Servers(ScaleUpSpec::Kind::SWITCH), {}, {});
    const HostId first{0};
    EXPECT_EQ(fabric->GetHostPort(first, HostId{3}), fabric->GetPort("h0", "nvswitch0"));
    EXPECT_EQ(fabric->GetHostPort(first, HostId{4}), fabric->GetPort("h0", "rail0"));
    EXPECT_EQ(fabric->ListNeighbours(first), (std::set<HostId>{{1}, {2}, {3}}));
    EXPECT_FALSE(fabric->PassesNics(first, HostId{3}));
    EXPECT_FALSE(fabric->PassesNics(first, first));
    EXPECT_TRUE(fabric->PassesNics(first, HostId{4}));
    EXPECT_EQ(fabric->ListPortsBetween(first, HostId{3}),
              (std::vector<Ptr<Port>>{fabric->GetPort("h0", "nvswitch0"),
                                      fabric->GetPort("nvswitch0", "h3")}));
    EXPECT_EQ(fabric->ListPortsBetween(first, HostId{4}).size(), 2U); // by its rail
    EXPECT_EQ(fabric->GetHostRates()[0], DataRate("8Gbps"));
    EXPECT_THROW(
        fabric->Connect(fabric->GetHost(first), fabric->GetSwitch(0), DataRate("1Gbps"), Time(0)),
        InputError);
}

TEST_F(ScaleUpTest, FluidsTakeBytesOverRatePlusDelays)
{
    for (const auto kind : {ScaleUpSpec::Kind::SWITCH, ScaleUpSpec::Kind::STREAMS})
    {
        BuildKind(kind, "fluid");
        Send(0, 3, 1'000'000); // inside: 0.1 ns a byte, 2 x 25 ns
        Send(1, 5, 1'000'000); // the same rail: 1 ns a byte, 2 x 500 ns
        Send(2, 4, 1'000'000); // another rail of another server: 4 links
        Simulator::Run();
        EXPECT_EQ(m_took, (std::vector<int64_t>{100'050, 1'001'000, 1'002'000}));
        const bool isSwitch = kind == ScaleUpSpec::Kind::SWITCH;
        EXPECT_EQ(CountHostBytes(false), isSwitch ? 1'000'000U : 0);
        EXPECT_EQ(CountHostBytes(true), 2'000'000U);
        TearDown();
    }
}

TEST_F(ScaleUpTest, WithoutItHostsOfAServerUseTheirNics)
{
    BuildKind(ScaleUpSpec::Kind::NONE, "fluid");
    Send(0, 3, 1'000'000);
    Simulator::Run();
    EXPECT_EQ(m_took, (std::vector<int64_t>{1'002'000}));
    EXPECT_EQ(CountBytes("h0", "rail0"), 1'000'000U);
}

/** n packets, the last one shorter: (n x full + last) bytes, and two delays (RdmaTimingTest). */
TEST_F(ScaleUpTest, PacketsTakeWhatTheirBytesTake)
{
    const uint64_t payload = 1456;
    for (const uint64_t bytes : {uint64_t{1}, 10 * payload - 7, 1000 * payload})
    {
        BuildKind(ScaleUpSpec::Kind::SWITCH, "rdma");
        Send(0, 3, bytes);
        Send(1, 5, bytes);
        Simulator::Run();
        const uint64_t packets = (bytes + payload - 1) / payload;
        const double last = static_cast<double>(bytes - (packets - 1) * payload) + 44 + 38;
        const double wire = packets == 1 ? 2 * last : static_cast<double>(packets) * 1538 + last;
        EXPECT_NEAR(static_cast<double>(m_took[0]), wire * 0.1 + 2 * 25, 2) << bytes;
        EXPECT_NEAR(static_cast<double>(m_took[1]), wire + 2 * 500, 1) << bytes;
        EXPECT_EQ(CountBytes("h0", "nvswitch0"), bytes + packets * 44);
        EXPECT_EQ(CountBytes("h0", "rail0"), 0U);
        EXPECT_EQ(CountBytes("h1", "nvswitch0"), 0U);
        EXPECT_EQ(CountBytes("h1", "rail1"), bytes + packets * 44);
        EXPECT_TRUE(AuditPackets(m_fabric).empty());
        TearDown();
    }
}

TEST_F(ScaleUpTest, PacketsInsideMayBeLarger)
{
    TopologySpec topology = Servers(ScaleUpSpec::Kind::SWITCH);
    topology.scaleUp->mtu = 65535;
    const uint64_t bytes = 10'000'000;
    for (const std::string transport : {"rdma", "tcp", "fluid"})
    {
        Build(topology, {}, {}, {}, transport);
        Send(0, 3, bytes);
        Send(1, 5, bytes);
        Simulator::Run();
        const double wire = static_cast<double>(bytes) * 1538 / 1456;
        EXPECT_NEAR(static_cast<double>(m_took[1]) / wire, 1, 0.03) << transport;
        if (transport == "rdma")
        {
            const uint64_t packets = (bytes + 65490) / 65491; // full ones have 65535 - 44
            EXPECT_EQ(CountBytes("h0", "nvswitch0"), bytes + packets * 44);
            // The last packet waits for the one before it; the first window is one packet.
            const double full = 65573;
            EXPECT_NEAR(static_cast<double>(m_took[0]),
                        (static_cast<double>(bytes) + (44 + 38) * packets + full) * 0.1 + 50,
                        6 * 2 * full * 0.1);
        }
        else
        {
            EXPECT_NEAR(static_cast<double>(m_took[0]) / (wire * 0.1), 1, 0.05) << transport;
        }
        TearDown();
    }
}

TEST_F(ScaleUpTest, StreamsDoNotContendAndSendNoPackets)
{
    for (const std::string transport : {"fluid", "rdma", "tcp"})
    {
        BuildKind(ScaleUpSpec::Kind::STREAMS, transport);
        Send(0, 3, 1'000'000);
        Send(1, 3, 1'000'000);
        Simulator::Run();
        EXPECT_EQ(m_took, (std::vector<int64_t>{100'050, 100'050})) << transport;
        EXPECT_EQ(m_transport->GetCounters().dataPackets, 0U) << transport;
        EXPECT_EQ(CountHostBytes(true), 0U) << transport;
        TearDown();
    }
}

/** The port from the switch to h3 is shared; the NIC of h3 is not, nor are others of the switch. */
TEST_F(ScaleUpTest, TwoStreamsIntoOneHostHaveHalfEach)
{
    BuildKind(ScaleUpSpec::Kind::SWITCH, "fluid");
    Send(0, 3, 1'000'000);
    Send(1, 3, 1'000'000);
    Send(2, 0, 1'000'000);
    Send(7, 3, 1'000'000);
    Simulator::Run();
    EXPECT_EQ(m_took, (std::vector<int64_t>{200'050, 200'050, 100'050, 1'001'000}));
    TearDown();

    const double payload = 1456;
    const double wire = 1e6 * 1538 / payload; // bytes on the wire
    for (const std::string transport : {"rdma", "tcp"})
    {
        BuildKind(ScaleUpSpec::Kind::SWITCH, transport);
        Send(0, 3, 1'000'000);
        Send(1, 3, 1'000'000);
        Send(2, 0, 1'000'000);
        Send(7, 3, 1'000'000);
        Simulator::Run();
        const auto first = static_cast<double>(std::min(m_took[0], m_took[1]));
        const auto last = static_cast<double>(std::max(m_took[0], m_took[1]));
        EXPECT_NEAR(last / (2 * wire * 0.1), 1, 0.05) << transport;
        EXPECT_NEAR(first / last, 1, transport == "tcp" ? 0.2 : 0.05) << transport;
        EXPECT_NEAR(static_cast<double>(m_took[2]) / (wire * 0.1), 1, 0.05) << transport;
        EXPECT_NEAR(static_cast<double>(m_took[3]) / wire, 1, 0.05) << transport;
        EXPECT_EQ(CountDrops(), 0U) << transport;
        EXPECT_TRUE(AuditPackets(m_fabric).empty()) << transport;
        TearDown();
    }
}

TEST_F(ScaleUpTest, NothingInsideAServerTakesANicAndTheReverse)
{
    for (const std::string transport : {"fluid", "rdma", "tcp"})
    {
        BuildKind(ScaleUpSpec::Kind::SWITCH, transport);
        for (uint32_t from = 0; from < 8; ++from)
        {
            for (uint32_t to = 0; to < 8; ++to)
            {
                if (from / 4 == to / 4 && from != to)
                {
                    Send(from, to, 20'000);
                }
            }
        }
        Simulator::Run();
        EXPECT_EQ(std::count(m_took.begin(), m_took.end(), UNTOLD), 0) << transport;
        EXPECT_EQ(CountHostBytes(true), 0U) << transport; // acknowledgements neither
        EXPECT_GE(CountHostBytes(false), 24U * 20'000) << transport;
        TearDown();

        BuildKind(ScaleUpSpec::Kind::SWITCH, transport);
        for (uint32_t from = 0; from < 8; ++from)
        {
            Send(from, (from + 4) % 8, 20'000);
            Send(from, (from + 5) % 4 + (from < 4 ? 4 : 0), 20'000);
        }
        Simulator::Run();
        EXPECT_EQ(std::count(m_took.begin(), m_took.end(), UNTOLD), 0) << transport;
        EXPECT_EQ(CountHostBytes(false), 0U) << transport;
        TearDown();
    }
}

TEST_F(ScaleUpTest, MarksHoldAtTheSwitch)
{
    // Both streams into h3; the one with codepoint 1 goes first by strict priority.
    for (const std::string transport : {"fluid", "rdma", "tcp"})
    {
        BuildKind(ScaleUpSpec::Kind::SWITCH, transport);
        At(Seconds(1), [=] {
            for (const uint32_t from : {0U, 1U})
            {
                const auto priority = static_cast<uint8_t>(from + 1);
                m_pairs.push_back(Open(from, 3, Mark{priority, priority}));
                m_took.push_back(UNTOLD);
                m_pairs.back()->Send(
                    4'000'000,
                    Then([=] { m_took[from] = (Simulator::Now() - Seconds(1)).GetNanoSeconds(); }));
            }
        });
        Simulator::Run();
        ASSERT_EQ(m_took.size(), 2U);
        EXPECT_NEAR(static_cast<double>(m_took[0]) / 400'000, 1, 0.15) << transport;
        EXPECT_NEAR(static_cast<double>(m_took[1]) / 800'000, 1, 0.15) << transport;
        const auto port = m_fabric->GetPort("nvswitch0", "h3");
        for (const uint32_t queue : {1U, 2U})
        {
            EXPECT_GT(port->GetCounters(queue).bytes + m_transport->GetTraffic(port, queue).bytes,
                      3'999'999)
                << transport;
        }
        TearDown();
    }
}

/** 12 kB at once is what a window of one full packet per answer gives at each port. */
TEST_F(ScaleUpTest, PacedPairsSendAtTheRateOfTheirPort)
{
    Build(Servers(ScaleUpSpec::Kind::SWITCH), {{"CongestionControl", "dcqcn"}}, {}, {}, "rdma");
    Send(0, 3, 10'000'000);
    Send(1, 5, 10'000'000);
    Simulator::Run();
    const double wire = 1e7 * 1538 / 1456;
    EXPECT_NEAR(static_cast<double>(m_took[0]) / (wire * 0.1), 1, 0.01);
    EXPECT_NEAR(static_cast<double>(m_took[1]) / wire, 1, 0.01);
}

TEST_F(ScaleUpTest, ALinkInsideIsNotReplacedByANic)
{
    for (const std::string transport : {"fluid", "rdma", "tcp"})
    {
        BuildKind(ScaleUpSpec::Kind::SWITCH, transport);
        m_fabric->ScheduleLinkUp(Seconds(0.5), "h3", "nvswitch0", false);
        m_fabric->ScheduleLinkUp(Seconds(1.5), "h3", "nvswitch0", true);
        Send(0, 3, 10'000);
        Send(0, 2, 10'000);
        Send(3, 7, 10'000);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        EXPECT_GE(m_took[0], 500'000'000) << transport; // it waits for the link
        EXPECT_LT(m_took[1], 100'000) << transport;
        EXPECT_LT(m_took[2], 100'000) << transport; // its NIC is up
        EXPECT_EQ(CountBytes("h0", "rail0"), 0U) << transport;
        EXPECT_TRUE(AuditPackets(m_fabric).empty()) << transport;
        TearDown();
    }
}

} // namespace
} // namespace ns3::ddl
