// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-transmitter.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class FabricPath : public FabricTest
{
  protected:
    /** \return nanoseconds from sending to each arrival */
    std::vector<int64_t> GetDelays() const
    {
        std::vector<int64_t> delays;
        for (const auto& received : m_received)
        {
            delays.push_back((received.time - Datagrams().start).GetNanoSeconds());
        }
        return delays;
    }
};

TEST_F(FabricPath, StoreAndForwardLatencyIsExact)
{
    // 962 bytes of IPv4 + 38 of framing = 1000 bytes = 800 ns at 10 Gbps.
    // Two links of 1 us: 2 * (800 + 1000) = 3600 ns; the next packet comes 800 ns behind.
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    Build(spec);
    Listen(3);
    Datagrams two;
    two.to = 3;
    two.bytes = 962;
    two.count = 2;
    Send(two);
    Simulator::Run();
    EXPECT_EQ(GetDelays(), (std::vector<int64_t>{3600, 4400}));
    EXPECT_EQ(m_received[0].ttl, 63); // one switch
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST_F(FabricPath, LeafSpineTakesFourLinks)
{
    // Host links 10 Gbps: 800 ns; fabric links 40 Gbps: 200 ns; four links of 1 us:
    // 2 * 800 + 2 * 200 + 4 * 1000 = 6000 ns.
    TopologySpec spec;
    spec.shape.Set("FabricRate", DataRateValue(DataRate("40Gbps")));
    Build(spec);
    Listen(7);
    Datagrams one;
    one.to = 7;
    one.bytes = 962;
    Send(one);
    Simulator::Run();
    EXPECT_EQ(GetDelays(), (std::vector<int64_t>{6000}));
    EXPECT_EQ(m_received[0].ttl, 61); // three switches
}

TEST_F(FabricPath, DumbbellTakesThreeLinks)
{
    // 2 * 800 + 8000 at 1 Gbps + 3 * 1000 = 12600 ns.
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::DumbbellTopology");
    spec.shape.Set("BottleneckRate", DataRateValue(DataRate("1Gbps")));
    Build(spec);
    Listen(3);
    Datagrams one;
    one.to = 3;
    one.bytes = 962;
    Send(one);
    Simulator::Run();
    EXPECT_EQ(GetDelays(), (std::vector<int64_t>{12600}));
}

TEST_F(FabricPath, FramingOfTwoBytesEqualsStockPointToPoint)
{
    // Two hosts on one cable, 1 Gbps, 5 us, packets of 1000 bytes: (1000 + 2) * 8 + 5000 ns each.
    TopologySpec spec;
    m_fabric = CreateObject<Fabric>();
    m_fabric->SetAttribute("FramingBytes", UintegerValue(2));
    m_fabric->Connect(m_fabric->AddHost(), m_fabric->AddHost(), DataRate("1Gbps"), MicroSeconds(5));
    m_fabric->InstallStack();
    Listen(1);
    Send(Datagrams());
    NodeContainer nodes(2);
    PointToPointHelper stock;
    stock.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    stock.SetChannelAttribute("Delay", StringValue("5us"));
    auto devices = stock.Install(nodes);
    InternetStackHelper().Install(nodes);
    auto interfaces = Ipv4AddressHelper("192.168.0.0", "255.255.255.0").Assign(devices);
    auto sink = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    Time arrival;
    sink->SetRecvCallback([&arrival](Ptr<Socket>) { arrival = Simulator::Now(); });
    auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    Simulator::Schedule(Datagrams().start, [source, interfaces] {
        source->SendTo(Create<Packet>(1000 - UDP_HEADERS),
                       0,
                       InetSocketAddress(interfaces.GetAddress(1), 9));
    });
    Simulator::Run();
    EXPECT_EQ(GetDelays(), (std::vector<int64_t>{8016 + 5000}));
    ASSERT_EQ(m_received.size(), 1U);
    EXPECT_EQ(m_received[0].time, arrival);
}

TEST_F(FabricPath, OwnAddressStaysInside)
{
    Build(TopologySpec());
    Listen(2);
    Datagrams one;
    one.from = 2;
    one.to = 2;
    Send(one);
    Simulator::Run();
    EXPECT_EQ(GetDelays(), (std::vector<int64_t>{0}));
    EXPECT_EQ(GetPort("h2", "leaf0")->GetCounters(7).packets, 0U);
}

TEST_F(FabricPath, JumboPacketsPassWholeAndLargerOnesInFragments)
{
    // 9000 bytes fit an MTU of 9000. 10000 bytes of IPv4 are 9980 of payload: fragments of 8976
    // (a multiple of 8) and 1004, which both take the same path.
    TopologySpec spec;
    spec.mtu = 9000;
    spec.shape.Set("Spines", UintegerValue(4));
    Build(spec);
    Listen(7);
    Datagrams jumbo;
    jumbo.to = 7;
    jumbo.bytes = 9000;
    Send(jumbo);
    jumbo.bytes = 10000;
    jumbo.fromPort = 1001;
    jumbo.start = MilliSeconds(1);
    Send(jumbo);
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 2U);
    EXPECT_EQ(m_received[1].bytes, 10000U);
    EXPECT_EQ(GetPort("leaf1", "h7")->GetCounters(7).packets, 3U);
    EXPECT_EQ(GetPort("leaf1", "h7")->GetCounters(7).bytes, 9000U + 10020U);
}

TEST_F(FabricPath, TimeToLiveRunsOut)
{
    // Three switches: a packet with 4 arrives with 1, one with 3 dies at the third.
    Build(TopologySpec());
    Listen(7);
    auto socket = Socket::CreateSocket(m_fabric->GetHost(HostId{0}), UdpSocketFactory::GetTypeId());
    const InetSocketAddress to(m_fabric->GetAddress(HostId{7}), 2000);
    uint32_t died = 0;
    m_fabric->GetSwitch(1)->TraceConnectWithoutContext(
        "Drop",
        Callback<void, Ptr<const Packet>>([&died](Ptr<const Packet>) { ++died; }));
    Simulator::Schedule(MicroSeconds(1), [socket, to] {
        socket->SetIpTtl(4);
        socket->SendTo(Create<Packet>(100), 0, to);
        socket->SetIpTtl(3);
        socket->SendTo(Create<Packet>(100), 0, to);
    });
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 1U);
    EXPECT_EQ(m_received[0].ttl, 1);
    EXPECT_EQ(m_fabric->GetName(m_fabric->GetSwitch(1)), "leaf1");
    EXPECT_EQ(m_fabric->GetSwitch(1)->GetDrops().Get(DropReason::TTL).packets, 1U);
    EXPECT_EQ(died, 1U);
}

TEST_F(FabricPath, UnknownAddressIsDroppedAndCounted)
{
    Build(TopologySpec());
    auto socket = Socket::CreateSocket(m_fabric->GetHost(HostId{0}), UdpSocketFactory::GetTypeId());
    Simulator::Schedule(MicroSeconds(1), [socket] {
        socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(Ipv4Address("10.0.0.9"), 1));
        socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(Ipv4Address("11.0.0.1"), 1));
    });
    Simulator::Run();
    EXPECT_EQ(m_fabric->GetSwitch(0)->GetDrops().Get(DropReason::NO_ROUTE).packets, 2U);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST(Transmitter, PacketsOfLessThanANanosecondTakeTheirTime)
{
    // At 28.8 Tb/s 9038 bytes take 2.51 ns, 1538 take 0.427 and 84 take 0.0233: N of them back to
    // back end at N x bytes x 8 / rate, cut off to a whole nanosecond.
    constexpr uint64_t RATE = 28'800'000'000'000;
    for (const uint64_t bytes : {9000, 1500, 46})
    {
        Transmitter wire;
        wire.SetDataRate(DataRate(RATE));
        Transmitter::Start();
        Time now = NanoSeconds(1000);
        for (uint64_t packets = 1; packets <= 100000; ++packets)
        {
            wire.Occupy(static_cast<uint32_t>(bytes) + 38, now);
            now = wire.GetFreeTime();
            // exact in integers: 10^5 x 9038 x 8 x 10^9 fits 64 bits
            ASSERT_EQ(static_cast<uint64_t>(now.GetNanoSeconds()) - 1000,
                      packets * (bytes + 38) * 8 * 1'000'000'000 / RATE)
                << packets << " packets of " << bytes;
        }
    }
}

TEST(Transmitter, CarriesFractionsOfANanosecond)
{
    // 1500 + 38 bytes at 400 Gbps take 30.76 ns. 1000 of them back to back end at 30760 ns; each
    // ends at the floor of its exact time. After a pause the wire starts at a whole step again.
    Transmitter wire;
    wire.SetDataRate(DataRate("400Gbps"));
    Transmitter::Start();
    for (int64_t i = 1; i <= 1000; ++i)
    {
        wire.Occupy(1538, wire.GetFreeTime());
        ASSERT_EQ(wire.GetFreeTime().GetNanoSeconds(), 3076 * i / 100);
    }
    wire.Occupy(1538, NanoSeconds(40000));
    EXPECT_EQ(wire.GetFreeTime().GetNanoSeconds(), 40030);
    EXPECT_NEAR(wire.GetDuration(1538000).GetSeconds(), 30760e-9, 1e-12);
    EXPECT_THROW(wire.SetDataRate(DataRate(0)), InputError);
}

} // namespace
