// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-congestion-control.h"
#include "ns3/ddl-dctcp-floor.h"
#include "ns3/ddl-error.h"
#include "ns3/ipv4-header.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace ddl
{
namespace
{

class TcpTransportTest : public TransportFixture
{
  protected:
    /** What a port sent in one queue: codepoints seen, and packets by ECN field. */
    struct Seen
    {
        std::set<uint32_t> queues;
        std::set<uint32_t> dscps;
        uint64_t packets{0};
        uint64_t withoutEcn{0};
        uint64_t ce{0};
    };

    /** Look at each packet of TCP data (or at the ACKs) as it leaves a port. */
    static void Watch(Ptr<Port> port, bool data, Seen& seen)
    {
        const auto sink = [data, &seen](Ptr<const Packet> packet, uint32_t queue) {
            Ipv4Header ip;
            packet->PeekHeader(ip);
            if (queue == CONTROL_QUEUE || data != (packet->GetSize() > 100))
            {
                return; // connection set-up, or the other kind
            }
            ++seen.packets;
            seen.queues.insert(queue);
            seen.dscps.insert(ip.GetDscp());
            seen.withoutEcn += ip.GetEcn() == Ipv4Header::ECN_NotECT ? 1 : 0;
            seen.ce += ip.GetEcn() == Ipv4Header::ECN_CE ? 1 : 0;
        };
        port->TraceConnectWithoutContext("Dequeue",
                                         Callback<void, Ptr<const Packet>, uint32_t>(sink));
    }
};

TEST_F(TcpTransportTest, OneMessageCrossesASwitch)
{
    Build(SingleSwitch(2));
    int delivered = 0;
    At(Seconds(1), [&] { Open(0, 1)->Send(1000000, Then([&] { ++delivered; })); });
    Simulator::Run();
    EXPECT_EQ(delivered, 1);
    const StreamCounters counters = m_transport->GetCounters();
    EXPECT_EQ(counters.dataPackets, (1000000 + SEGMENT - 1) / SEGMENT);
    EXPECT_EQ(counters.retransmissions, 0U);
    EXPECT_EQ(counters.timeouts, 0U);
    EXPECT_EQ(counters.reordered, 0U);
}

TEST_F(TcpTransportTest, OneStreamFillsTheWire)
{
    Build(SingleSwitch(2));
    const uint64_t packets = 13700;
    Time took;
    At(Seconds(1), [&] {
        Open(0, 1)->Send(packets * SEGMENT, Then([&] { took = Simulator::Now() - Seconds(1); }));
    });
    Simulator::Run();
    // 13,700 frames of 1538 bytes at 10 Gbps: 13,700 x 1.2304 us = 16.856 ms
    const double expected = packets * FRAME * 8 / 10e9;
    EXPECT_GE(took.GetSeconds(), expected);
    EXPECT_LE(took.GetSeconds(), 1.01 * expected);
}

TEST_F(TcpTransportTest, TheSegmentFollowsTheMtu)
{
    TopologySpec topology = SingleSwitch(2);
    topology.mtu = 9000;
    Build(topology, {{"Timestamps", "true"}});
    At(Seconds(1), [&] { Open(0, 1)->Send(8948 * 100, {}); }); // 9000 - 20 - 20 - 12
    Simulator::Run();
    EXPECT_EQ(m_transport->GetCounters().dataPackets, 100U);
    EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetRefused(), 0U) << "packets above the MTU";
}

TEST_F(TcpTransportTest, TheSimulationEndsWhenStreamsAreIdle)
{
    Build(SingleSwitch(2));
    Ptr<MessageStream> stream;
    At(Seconds(1), [&] {
        stream = Open(0, 1);
        stream->Send(100000, {});
    });
    Simulator::Run(); // returns, with the stream open
    EXPECT_LT(Simulator::Now(), Seconds(1.1));
    EXPECT_TRUE(stream->IsIdle());
    EXPECT_EQ(m_transport->GetStreamCount(), 1U);
}

TEST_F(TcpTransportTest, BothEndsWriteTheirMarks)
{
    Build(SingleSwitch(2));
    Seen data;
    Seen acks;
    Watch(m_fabric->GetHostPort(HostId{0}), true, data);
    Watch(m_fabric->GetHostPort(HostId{1}), false, acks);
    At(Seconds(1), [&] {
        m_transport->Open(HostId{0}, HostId{1}, Mark{2, 5}, Mark{3, 6})->Send(1000000, {});
    });
    Simulator::Run();
    EXPECT_EQ(data.queues, std::set<uint32_t>{2});
    EXPECT_EQ(data.dscps, std::set<uint32_t>{5});
    EXPECT_GE(data.packets, 685U); // 1,000,000 / 1460
    EXPECT_EQ(acks.queues, std::set<uint32_t>{3});
    EXPECT_EQ(acks.dscps, std::set<uint32_t>{6});
    EXPECT_GE(acks.packets, 685U); // one a packet
}

TEST_F(TcpTransportTest, MarksOfBothEndsChangeWhileBytesAreInFlight)
{
    Build(SingleSwitch(2));
    Seen data;
    Seen acks;
    Watch(m_fabric->GetPort("switch0", "h1"), true, data);
    Watch(m_fabric->GetPort("switch0", "h0"), false, acks);
    Ptr<MessageStream> stream;
    bool delivered = false;
    At(Seconds(1), [&] {
        stream = m_transport->Open(HostId{0}, HostId{1}, Mark{2, 2}, Mark{3, 3});
        stream->Send(2000000, Then([&] { delivered = true; })); // about 1.7 ms
    });
    At(Seconds(1) + MicroSeconds(800), [&] {
        EXPECT_EQ(data.dscps, std::set<uint32_t>{2});
        EXPECT_EQ(acks.dscps, std::set<uint32_t>{3});
        stream->SetMark(MessageStream::End::SOURCE, Mark{1, 1});
        stream->SetMark(MessageStream::End::DESTINATION, Mark{4, 4});
    });
    Simulator::Run();
    EXPECT_TRUE(delivered);
    EXPECT_EQ(data.dscps, (std::set<uint32_t>{1, 2}));
    EXPECT_EQ(data.queues, (std::set<uint32_t>{1, 2}));
    EXPECT_EQ(acks.dscps, (std::set<uint32_t>{3, 4}));
    EXPECT_EQ(acks.queues, (std::set<uint32_t>{3, 4}));
    EXPECT_EQ(CountDrops(), 0U);
}

TEST_F(TcpTransportTest, SwappingMarksSwapsTheService)
{
    Build(SingleSwitch(3)); // both to host 2, whose port is the bottleneck
    Ptr<MessageStream> a;
    Ptr<MessageStream> b;
    const uint64_t bytes = 8000000; // 6.7 ms alone
    int delivered = 0;
    const auto setMarks = [&](Mark markA, Mark markB) {
        for (const auto end : {MessageStream::End::SOURCE, MessageStream::End::DESTINATION})
        {
            a->SetMark(end, markA);
            b->SetMark(end, markB);
        }
    };
    At(Seconds(1), [&] {
        a = Open(0, 2, Mark{1, 1});
        b = Open(1, 2, Mark{2, 2});
        a->Send(bytes, Then([&] { ++delivered; }));
        b->Send(bytes, Then([&] { ++delivered; }));
    });
    uint64_t atSwapA = 0;
    uint64_t atSwapB = 0;
    At(Seconds(1) + MilliSeconds(3), [&] {
        atSwapA = a->GetDeliveredBytes();
        atSwapB = b->GetDeliveredBytes();
        setMarks(Mark{2, 2}, Mark{1, 1});
    });
    uint64_t laterA = 0;
    uint64_t laterB = 0;
    At(Seconds(1) + MilliSeconds(6), [&] {
        laterA = a->GetDeliveredBytes() - atSwapA;
        laterB = b->GetDeliveredBytes() - atSwapB;
    });
    Simulator::Run();
    // 3 ms at 10 Gbps are 2438 frames, 3.56 MB of data; what was queued before the swap is
    // at most a send buffer, 0.26 MB
    const double threeMs = 3e-3 * 10e9 / 8 / FRAME * SEGMENT;
    EXPECT_GT(atSwapA, 0.97 * threeMs);
    EXPECT_LT(atSwapB, 0.03 * threeMs);
    EXPECT_GT(laterB, 0.85 * threeMs);
    EXPECT_LT(laterA, 0.15 * threeMs);
    EXPECT_EQ(delivered, 2);
    EXPECT_EQ(a->GetDeliveredBytes(), bytes);
    EXPECT_EQ(b->GetDeliveredBytes(), bytes);
    EXPECT_GT(b->GetCounters().reordered, 0U) << "packets of rank 1 overtake those of rank 2";
    EXPECT_EQ(CountDrops(), 0U);
}

TEST_F(TcpTransportTest, EcnWorksUnderEveryCodepoint)
{
    PortSpec ports;
    ports.limit = 2 * 256 * 1024; // two send buffers: would be reached if marks were not heeded
    for (uint8_t rank = 1; rank <= 7; ++rank)
    {
        TearDown();
        Build(SingleSwitch(4), {}, ports);
        Seen data;
        const auto port = m_fabric->GetPort("switch0", "h0");
        Watch(port, true, data);
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source <= 3; ++source)
            {
                Open(source, 0, Mark{rank, rank})->Send(2000000, {});
            }
        });
        Simulator::Run();
        SCOPED_TRACE("codepoint " + std::to_string(rank));
        EXPECT_EQ(data.queues, std::set<uint32_t>{rank});
        EXPECT_EQ(data.dscps, std::set<uint32_t>{rank});
        EXPECT_EQ(data.withoutEcn, 0U);
        EXPECT_GT(data.ce, 0U);
        EXPECT_GT(port->GetCounters(rank).marked, 0U);
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        // three windows held at the threshold of 100 kB, give or take a window
        EXPECT_LT(port->GetCounters(rank).maxBacklogBytes, 350000U);
    }
}

TEST_F(TcpTransportTest, EveryCongestionControlDelivers)
{
    const auto names = ListCongestionControls();
    for (const char* expected : {"bbr", "cubic", "dctcp", "linuxreno", "newreno", "vegas"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), expected), 1) << expected;
    }
    auto all = names;
    all.insert(all.end(), {"ns3::TcpBbr", "ns3::TcpDctcp", "ns3::ddl::DctcpFloor"});
    for (const auto& name : all)
    {
        TearDown();
        Build(SingleSwitch(3), {{"CongestionControl", name}});
        int delivered = 0;
        At(Seconds(1), [&] {
            for (const uint32_t source : {1, 2})
            {
                Open(source, 0)->Send(1000000, Then([&] { ++delivered; }));
            }
        });
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        EXPECT_EQ(delivered, 2) << name;
    }
}

TEST_F(TcpTransportTest, EcnCanBeAskedForWithOtherCongestionControls)
{
    for (const bool ecn : {false, true})
    {
        TearDown();
        Build(SingleSwitch(3), {{"CongestionControl", "newreno"}, {"UseEcn", ecn ? "1" : "0"}});
        int delivered = 0;
        At(Seconds(1), [&] {
            for (const uint32_t source : {1, 2})
            {
                Open(source, 0)->Send(3000000, Then([&] { ++delivered; }));
            }
        });
        Simulator::Run();
        EXPECT_EQ(delivered, 2);
        EXPECT_EQ(CountMarks() > 0, ecn);
    }
}

TEST_F(TcpTransportTest, WrongAttributesAreInputErrors)
{
    const auto fails = [this](const Attributes& attributes) -> std::string {
        TearDown();
        try
        {
            Build(SingleSwitch(2), attributes);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    };
    const std::string unknown = fails({{"CongestionControl", "dctp"}});
    EXPECT_NE(unknown.find("unknown congestion control \"dctp\""), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("bbr, bic, cubic, dctcp"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("did you mean \"dctcp\""), std::string::npos) << unknown;
    EXPECT_NE(fails({{"CongestionControl", "ns3::TcpSocketBase"}}), "");
    EXPECT_NE(fails({{"CongestionControl", ""}}), "");
    EXPECT_NE(fails({{"SegmentSize", "1461"}}).find("1 to 1460"), std::string::npos);
    EXPECT_NE(fails({{"SendBuffer", "2919"}}).find("2920"), std::string::npos);
    EXPECT_NE(fails({{"ReceiveBuffer", "100"}}).find("2920"), std::string::npos);
    EXPECT_NE(fails({{"RecoveryType", "ns3::TcpCubic"}}).find("RecoveryType"), std::string::npos);
    EXPECT_EQ(fails({{"SegmentSize", "1460"}, {"SendBuffer", "2920"}}), "");
}

TEST_F(TcpTransportTest, CongestionControlLeavesTwoSegments)
{
    // TcpDctcp would leave (1 - 1/2) x 1460 = 730 bytes at its first mark (alpha starts at 1)
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = 1460;
    tcb->m_cWnd = 1460;
    EXPECT_EQ(CreateObject<TcpDctcp>()->GetSsThresh(tcb, 0), 730U);
    const auto floor = CreateObject<DctcpFloor>();
    EXPECT_EQ(floor->GetSsThresh(tcb, 0), 2920U);
    EXPECT_EQ(floor->Fork()->GetSsThresh(tcb, 0), 2920U);
    tcb->m_cWnd = 14600;
    EXPECT_EQ(floor->GetSsThresh(tcb, 0), 7300U);
}

} // namespace
} // namespace ddl
} // namespace ns3
