// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ipv4-header.h"

#include <set>

namespace ns3::ddl
{
namespace
{

class TcpMarksTest : public TransportFixture
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

TEST_F(TcpMarksTest, BothEndsWriteTheirMarks)
{
    Build(SingleSwitch(2));
    Seen data;
    Seen acks;
    Watch(m_fabric->GetHostPort(HostId{0}), true, data);
    Watch(m_fabric->GetHostPort(HostId{1}), false, acks);
    At(Seconds(1), [&] { Open(0, 1, Mark{2, 5}, Mark{3, 6}, 0)->Send(1000000, {}); });
    Simulator::Run();
    EXPECT_EQ(data.queues, std::set<uint32_t>{2});
    EXPECT_EQ(data.dscps, std::set<uint32_t>{5});
    EXPECT_GE(data.packets, 685U); // 1,000,000 / 1460
    EXPECT_EQ(acks.queues, std::set<uint32_t>{3});
    EXPECT_EQ(acks.dscps, std::set<uint32_t>{6});
    EXPECT_GE(acks.packets, 685U); // one a packet
}

TEST_F(TcpMarksTest, MarksOfBothEndsChangeWhileBytesAreInFlight)
{
    Build(SingleSwitch(2));
    Seen data;
    Seen acks;
    Watch(m_fabric->GetPort("switch0", "h1"), true, data);
    Watch(m_fabric->GetPort("switch0", "h0"), false, acks);
    Ptr<StreamPair> stream;
    bool delivered = false;
    At(Seconds(1), [&] {
        stream = Open(0, 1, Mark{2, 2}, Mark{3, 3}, 0);
        stream->Send(2000000, Then([&] { delivered = true; })); // about 1.7 ms
    });
    At(Seconds(1) + MicroSeconds(800), [&] {
        EXPECT_EQ(data.dscps, std::set<uint32_t>{2});
        EXPECT_EQ(acks.dscps, std::set<uint32_t>{3});
        stream->SetMark(StreamPair::End::SOURCE, Mark{1, 1});
        stream->SetMark(StreamPair::End::DESTINATION, Mark{4, 4});
    });
    Simulator::Run();
    EXPECT_TRUE(delivered);
    EXPECT_EQ(data.dscps, (std::set<uint32_t>{1, 2}));
    EXPECT_EQ(data.queues, (std::set<uint32_t>{1, 2}));
    EXPECT_EQ(acks.dscps, (std::set<uint32_t>{3, 4}));
    EXPECT_EQ(acks.queues, (std::set<uint32_t>{3, 4}));
    EXPECT_EQ(CountDrops(), 0U);
}

TEST_F(TcpMarksTest, SwappingMarksSwapsTheService)
{
    Build(SingleSwitch(3)); // both to host 2, whose port is the bottleneck
    Ptr<StreamPair> a;
    Ptr<StreamPair> b;
    const uint64_t bytes = 8000000; // 6.7 ms alone
    int delivered = 0;
    const auto setMarks = [&](Mark markA, Mark markB) {
        for (const auto end : {StreamPair::End::SOURCE, StreamPair::End::DESTINATION})
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
    EXPECT_GT(b->GetCounters().reordered, 0U)
        << "packets of priority 1 overtake those of priority 2";
    EXPECT_EQ(CountDrops(), 0U);
}

TEST_F(TcpMarksTest, EcnWorksUnderEveryCodepoint)
{
    PortSpec ports;
    ports.limit = 2 * 256 * 1024; // two send buffers: would be reached if marks were not heeded
    for (uint8_t priority = 1; priority <= 7; ++priority)
    {
        TearDown();
        Build(SingleSwitch(4), {}, ports);
        Seen data;
        const auto port = m_fabric->GetPort("switch0", "h0");
        Watch(port, true, data);
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source <= 3; ++source)
            {
                Open(source, 0, Mark{priority, priority})->Send(2000000, {});
            }
        });
        Simulator::Run();
        SCOPED_TRACE("codepoint " + std::to_string(priority));
        EXPECT_EQ(data.queues, std::set<uint32_t>{priority});
        EXPECT_EQ(data.dscps, std::set<uint32_t>{priority});
        EXPECT_EQ(data.withoutEcn, 0U);
        EXPECT_GT(data.ce, 0U);
        EXPECT_GT(port->GetCounters(priority).marked, 0U);
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        // three windows held at the threshold of 100 kB, give or take a window
        EXPECT_LT(port->GetCounters(priority).maxBacklogBytes, 350000U);
    }
}

} // namespace
} // namespace ns3::ddl
