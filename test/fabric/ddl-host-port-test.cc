// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"
#include "ddl-process-state.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-ipv4-fields.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-header.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class HostPortTest : public FabricTest
{
  protected:
    void SetUp() override
    {
        TopologySpec star;
        star.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        Build(star);
        m_nic = m_fabric->GetHostPort(HostId{0});
    }

    FlowKey Key(uint16_t from, uint16_t to = 2000, uint8_t protocol = 17) const
    {
        return {m_fabric->GetAddress(HostId{1}), protocol, from, to};
    }

    Ptr<HostPort> m_nic;
};

TEST_F(HostPortTest, BandIsTheSocketsPriority)
{
    // Priority p goes to band p; 0, which stock applications have, to the last.
    for (const uint8_t priority : {0, 1, 2, 6, 7})
    {
        Datagrams flow;
        flow.priority = priority;
        flow.count = 10U + priority;
        flow.fromPort = static_cast<uint16_t>(1000 + priority);
        Send(flow);
    }
    Listen(1);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 66U);
    EXPECT_EQ(m_nic->GetCounters(0).packets, 0U);
    EXPECT_EQ(m_nic->GetCounters(1).packets, 11U);
    EXPECT_EQ(m_nic->GetCounters(2).packets, 12U);
    EXPECT_EQ(m_nic->GetCounters(6).packets, 16U);
    EXPECT_EQ(m_nic->GetCounters(7).packets, 17U + 10U);
}

TEST_F(HostPortTest, TheTableOfBandsCanBeChanged)
{
    m_nic->SetBand(0, 2);
    Send(Datagrams());
    Simulator::Run();
    EXPECT_EQ(m_nic->GetCounters(2).packets, 1U);
    EXPECT_THROW(m_nic->SetBand(16, 0), InputError);
    EXPECT_THROW(m_nic->SetBand(0, 8), InputError);
}

TEST_F(HostPortTest, MarkGivesBandAndDscpAndKeepsEcn)
{
    m_nic->SetMark(Key(1000), Mark{2, 5});
    Datagrams flow;
    flow.tos = (46 << 2) | 1; // EF, ECT(1)
    Send(flow);
    flow.fromPort = 1001; // another flow: as it is
    Send(flow);
    Listen(1);
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 2U);
    EXPECT_EQ(m_received[0].tos, (5 << 2) | 1);
    EXPECT_EQ(m_received[1].tos, (46 << 2) | 1);
    EXPECT_EQ(m_nic->GetCounters(2).packets, 1U);
    EXPECT_EQ(GetPort("switch0", "h1")->GetCounters(5).packets, 1U);
    EXPECT_EQ(GetPort("switch0", "h1")->GetCounters(7).packets, 1U);
}

TEST_F(HostPortTest, RemarkAppliesToPacketsNotYetHandedOver)
{
    // 100 packets at once at 1 us, marked for band 3; the remark at 2 us finds them waiting and
    // leaves them; those sent after it go to band 1 and overtake.
    m_nic->SetMark(Key(1000), Mark{3, 3});
    Datagrams flow;
    flow.count = 100;
    auto socket = Send(flow);
    Simulator::Schedule(MicroSeconds(2), [this] { m_nic->SetMark(Key(1000), Mark{1, 1}); });
    flow.start = MicroSeconds(3);
    flow.count = 10;
    SendOn(socket, flow);
    Listen(1);
    Simulator::Run();
    EXPECT_EQ(m_nic->GetCounters(3).packets, 100U);
    EXPECT_EQ(m_nic->GetCounters(1).packets, 10U);
    ASSERT_EQ(m_received.size(), 110U);
    uint32_t position = 0;
    while (m_received[position].tos >> 2 == 3)
    {
        ++position;
    }
    EXPECT_LT(position, 10U);
    EXPECT_EQ(m_received[position].tos >> 2, 1);
}

TEST_F(HostPortTest, WrongMarksAreRefused)
{
    EXPECT_THROW(m_nic->SetMark(Key(1), Mark{8, 1}), InputError);
    EXPECT_THROW(m_nic->SetMark(Key(1), Mark{1, 64}), InputError);
    EXPECT_NO_THROW(m_nic->ClearMark(Key(1)));
}

TEST_F(HostPortTest, SegmentsThatOpenAMarkedConnectionAreControl)
{
    m_nic->SetMark(Key(49152, 80, 6), Mark{4, 4});
    uint32_t opening = 0;
    uint32_t others = 0;
    uint32_t wrong = 0;
    GetPort("switch0", "h1")
        ->TraceConnectWithoutContext("Enqueue",
                                     Callback<void, Ptr<const Packet>, uint32_t>(
                                         [&](Ptr<const Packet> packet, uint32_t queue) {
                                             auto copy = packet->Copy();
                                             Ipv4Header ip;
                                             TcpHeader tcp;
                                             copy->RemoveHeader(ip);
                                             copy->RemoveHeader(tcp);
                                             const bool syn =
                                                 (tcp.GetFlags() & TcpHeader::SYN) != 0;
                                             ++(syn ? opening : others);
                                             wrong += queue == (syn ? 0U : 4U) ? 0 : 1;
                                             wrong += (ip.GetTos() >> 2) == (syn ? 48 : 4) ? 0 : 1;
                                         }));
    auto server = Socket::CreateSocket(m_fabric->GetHost(HostId{1}), TcpSocketFactory::GetTypeId());
    server->Bind(InetSocketAddress(Ipv4Address::GetAny(), 80));
    server->Listen();
    auto client = Socket::CreateSocket(m_fabric->GetHost(HostId{0}), TcpSocketFactory::GetTypeId());
    client->Bind(InetSocketAddress(Ipv4Address::GetAny(), 49152));
    client->SetConnectCallback(
        Callback<void, Ptr<Socket>>([](Ptr<Socket> s) { s->Send(Create<Packet>(50000)); }),
        Callback<void, Ptr<Socket>>([](Ptr<Socket>) { FAIL() << "not connected"; }));
    Simulator::Schedule(MicroSeconds(1), [this, client] {
        client->Connect(InetSocketAddress(m_fabric->GetAddress(HostId{1}), 80));
    });
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    EXPECT_EQ(opening, 1U);
    EXPECT_GT(others, 50U);
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(m_nic->GetCounters(0).packets, 1U);
}

TEST_F(HostPortTest, AResetIsControlThoughNothingMarksItsFlow)
{
    // Nobody listens at port 81: host 1 answers the one request with a reset.
    auto client = Socket::CreateSocket(m_fabric->GetHost(HostId{0}), TcpSocketFactory::GetTypeId());
    client->Bind(InetSocketAddress(Ipv4Address::GetAny(), 49152));
    Simulator::Schedule(MicroSeconds(1), [this, client] {
        client->Connect(InetSocketAddress(m_fabric->GetAddress(HostId{1}), 81));
    });
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    EXPECT_EQ(m_nic->GetCounters(7).packets, 1U); // the request has no mark
    EXPECT_EQ(m_fabric->GetHostPort(HostId{1})->GetCounters(0).packets, 1U);
    EXPECT_EQ(GetPort("switch0", "h0")->GetCounters(0).packets, 1U); // by its codepoint
}

TEST_F(HostPortTest, NeverDropsWhatItsOwnSenderSends)
{
    // 20 MB at once, twenty times the limit of a switch's queue.
    Datagrams flow;
    flow.count = 20000;
    Send(flow);
    Listen(1);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 20000U);
    EXPECT_EQ(m_nic->GetCounters(7).dropped, 0U);
    EXPECT_GT(m_nic->GetCounters(7).maxBacklogBytes, 19000000U);
}

TEST_F(HostPortTest, MarksCongestionInItsBands)
{
    // Threshold 100 kB, 1000 bytes each: the first goes out at once and packets 2 to 101 fill the
    // band to 100 kB; the other 99 of 200 are marked.
    Datagrams flow;
    flow.count = 200;
    flow.tos = 2;
    Send(flow);
    Listen(1);
    Simulator::Run();
    EXPECT_EQ(m_nic->GetCounters(7).marked, 99U);
    uint64_t congested = 0;
    for (const auto& received : m_received)
    {
        congested += received.tos == 3 ? 1 : 0;
    }
    EXPECT_EQ(congested, 99U);
}

TEST_F(HostPortTest, RefusesWhatIsNotIpv4)
{
    const uint8_t ipv6[40] = {0x60};
    EXPECT_FALSE(m_nic->Send(Create<Packet>(ipv6, 40), m_nic->GetBroadcast(), 0x86dd));
    EXPECT_FALSE(m_nic->Send(Create<Packet>(ipv6, 40), m_nic->GetBroadcast(), 0x0800));
    EXPECT_FALSE(m_nic->Send(Create<Packet>(10), m_nic->GetBroadcast(), 0x0800));
    EXPECT_FALSE(m_nic->Send(Create<Packet>(1501), m_nic->GetBroadcast(), 0x0800));
    EXPECT_EQ(m_nic->GetDrops().Get(DropReason::REFUSED).packets, 4U);
}

TEST(Ipv4Fields, AreReadFromBytesAndWrittenBackWithChecksum)
{
    const ProcessStateGuard guard;
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    auto packet = Create<Packet>(100);
    TcpHeader tcp;
    tcp.SetSourcePort(1234);
    tcp.SetDestinationPort(80);
    tcp.SetFlags(TcpHeader::SYN | TcpHeader::ACK);
    packet->AddHeader(tcp);
    Ipv4Header ip;
    ip.SetSource("10.0.0.1");
    ip.SetDestination("10.0.0.2");
    ip.SetProtocol(6);
    ip.SetTos((10 << 2) | 1);
    ip.SetTtl(64);
    ip.SetPayloadSize(120);
    ip.EnableChecksum();
    packet->AddHeader(ip);
    Ipv4Fields fields;
    ASSERT_TRUE(ReadIpv4Fields(*packet, fields));
    EXPECT_EQ(fields.flow, (FlowKey{Ipv4Address("10.0.0.2"), 6, 1234, 80}));
    EXPECT_EQ(fields.source, Ipv4Address("10.0.0.1"));
    EXPECT_EQ(fields.tos, (10 << 2) | 1);
    EXPECT_EQ(fields.ttl, 64);
    EXPECT_TRUE(fields.opensConnection);
    EXPECT_FALSE(fields.resetsConnection);
    Frame frame;
    frame.packet = packet;
    frame.dscp = 3;
    frame.ecn = 3;
    frame.ttl = 61;
    frame.rewritten = true;
    auto copy = CopyWithHeader(frame);
    Ipv4Header after;
    after.EnableChecksum();
    copy->PeekHeader(after);
    EXPECT_TRUE(after.IsChecksumOk());
    EXPECT_EQ(after.GetTos(), (3 << 2) | 3);
    EXPECT_EQ(after.GetTtl(), 61);
    EXPECT_EQ(after.GetPayloadSize(), 120);
    packet->PeekHeader(after);
    EXPECT_EQ(after.GetTtl(), 64) << "the original changed";
}

} // namespace
