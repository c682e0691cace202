// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ipv4-header.h"
#include "ns3/tcp-header.h"

namespace ns3::ddl
{
namespace
{

/** What a closed stream leaves on the wire: nothing that harms, and no reset where all was acked.
 */
class TcpCloseTest : public TransportFixture
{
  protected:
    /** Build, and count the resets that hosts send. */
    void BuildWatched(uint32_t hosts)
    {
        Build(SingleSwitch(hosts));
        for (uint32_t host = 0; host < hosts; ++host)
        {
            m_fabric->GetHostPort(HostId{host})
                ->TraceConnectWithoutContext("Dequeue", MakeCallback(&TcpCloseTest::Look, this));
        }
    }

    void Look(Ptr<const Packet> packet, uint32_t /* queue */)
    {
        const Ptr<Packet> copy = packet->Copy();
        Ipv4Header ip;
        TcpHeader tcp;
        copy->RemoveHeader(ip);
        copy->RemoveHeader(tcp);
        m_resets += (tcp.GetFlags() & TcpHeader::RST) ? 1 : 0;
        m_fins += (tcp.GetFlags() & TcpHeader::FIN) ? 1 : 0;
    }

    uint64_t m_resets{0};
    uint64_t m_fins{0};
};

TEST_F(TcpCloseTest, ClosingAtDeliverySendsNothing)
{
    BuildWatched(2);
    int delivered = 0;
    std::function<void()> go = [&] {
        const auto stream = Open(0, 1);
        stream->Send(20000, Then([&, stream] {
                         stream->Close(); // its last acknowledgement is not yet sent
                         if (++delivered < 100)
                         {
                             go();
                         }
                     }));
    };
    At(Seconds(1), go);
    Simulator::Run();
    EXPECT_EQ(delivered, 100);
    EXPECT_EQ(CountStreams(), 0U);
    EXPECT_EQ(m_resets, 0U);
    EXPECT_EQ(m_fins, 0U);
    EXPECT_LT(Simulator::Now(), Seconds(1.1)) << "TIME_WAIT would be 240 s";
}

TEST_F(TcpCloseTest, ClosingInFlightWaitsForWhatWasSentOnly)
{
    BuildWatched(2);
    Ptr<StreamPair> stream;
    uint64_t sent = 0;
    At(Seconds(1), [&] {
        stream = Open(0, 1);
        stream->Send(100000000, {});
    });
    At(Seconds(1) + MilliSeconds(2), [&] {
        stream->Close();
        sent = stream->GetCounters().dataPackets;
        EXPECT_GT(sent, 1000U);
        EXPECT_EQ(m_transport->GetSendingCount(), 1U) << "packets are under way";
    });
    At(Seconds(1) + MilliSeconds(3),
       [&] { EXPECT_EQ(m_transport->GetSendingCount(), 0U) << "a window takes 0.2 ms"; });
    Simulator::Run();
    EXPECT_EQ(stream->GetCounters().dataPackets, sent);
    EXPECT_EQ(m_transport->GetCounters().dataPackets, sent);
    EXPECT_EQ(m_resets, 0U);
}

/** Its data wait behind another stream until long after it was given up. */
TEST_F(TcpCloseTest, LateDataHarmNothing)
{
    BuildWatched(3);
    Ptr<StreamPair> low;
    int delivered = 0;
    At(Seconds(1), [&] {
        Open(1, 0, Mark{1, 1})->Send(100000000, Then([&] { ++delivered; })); // 84 ms
    });
    At(Seconds(1) + MilliSeconds(10), [&] {
        low = Open(2, 0, Mark{5, 5});
        low->Send(100000, Then([&] { delivered += 100; }));
    });
    At(Seconds(1) + MilliSeconds(11), [&] { low->Close(); });
    At(Seconds(1) + MilliSeconds(30), [&] {
        EXPECT_EQ(CountStreams(), 1U) << "one timeout is enough";
        EXPECT_GT(m_fabric->GetPort("switch0", "h0")->GetBacklog(5), 0U);
    });
    At(Seconds(2), [&] { Open(2, 0, Mark{5, 5})->Send(100000, Then([&] { ++delivered; })); });
    Simulator::Run();
    EXPECT_EQ(m_fabric->GetPort("switch0", "h0")->GetBacklog(5), 0U);
    EXPECT_EQ(delivered, 2);
    EXPECT_EQ(m_resets, 0U) << "the listening end passes over data";
}

/** The same for its acknowledgements, whose own machine is busy with another stream. */
TEST_F(TcpCloseTest, LateAcknowledgementsHarmNothing)
{
    BuildWatched(3);
    int delivered = 0;
    At(Seconds(1), [&] {
        Open(1, 2, Mark{1, 1})->Send(100000000, Then([&] { ++delivered; })); // 84 ms
    });
    At(Seconds(1) + MilliSeconds(10), [&] {
        const auto stream = Open(0, 1, Mark{5, 5});
        stream->Send(10000, Then([&, stream] {
                         ++delivered;
                         stream->Close();
                     }));
    });
    At(Seconds(1) + MilliSeconds(50), [&] {
        EXPECT_EQ(delivered, 1);
        EXPECT_EQ(CountStreams(), 1U);
        EXPECT_GT(m_fabric->GetHostPort(HostId{1})->GetBacklog(5), 0U) << "ACKs wait";
    });
    At(Seconds(2), [&] { Open(0, 1, Mark{5, 5})->Send(10000, Then([&] { ++delivered; })); });
    Simulator::Run();
    EXPECT_EQ(delivered, 3);
    EXPECT_GT(m_resets, 0U) << "nobody takes them any more, and the listening end bears it";
    EXPECT_EQ(CountStreams(), 2U);
}

} // namespace
} // namespace ns3::ddl
