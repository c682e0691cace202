// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include <optional>

namespace ns3::ddl
{
namespace
{

/**
 * Two streams into one 1 Mbps port: the one of priority 3 sends from second 1, the one of priority
 * 1 from second 3 on, for an hour. Packets of 9000 bytes keep that affordable: 72.3 ms each.
 */
class TcpStarvationTest : public TransportFixture
{
  protected:
    static constexpr uint64_t BYTES = 2000000;      //!< of the stream that starves, about 16 s
    static constexpr uint64_t JUMBO_SEGMENT = 8960; //!< 9000 - 40
    static constexpr uint64_t JUMBO_FRAME = 9038;   //!< 9000 + 38
    static constexpr double HOUR = 3600;

    void Starve()
    {
        TopologySpec topology = SingleSwitch(3);
        topology.hostRate = DataRate("1Mbps");
        topology.mtu = 9000;
        Build(topology);
        const auto packets = static_cast<uint64_t>(HOUR * 1e6 / 8 / JUMBO_FRAME);
        At(Seconds(1), [this] {
            m_low = Open(1, 0, Mark{3, 3});
            m_low->Send(BYTES, Then([this] { m_lowEnd = Simulator::Now(); }));
        });
        At(Seconds(3), [this, packets] {
            m_high = Open(2, 0, Mark{1, 1});
            m_high->Send(packets * JUMBO_SEGMENT, Then([this] { EndStarvation(); }));
        });
        At(Seconds(10), [this] { m_atFirst = m_low->GetDeliveredBytes(); });
    }

    /** The hour is over. */
    void EndStarvation()
    {
        m_highEnd = Simulator::Now();
        m_atLast = m_low->GetDeliveredBytes();
        m_timeouts = m_low->GetCounters().timeouts;
        if (m_dropAll)
        {
            m_fabric->SetLinkUp("h0", "switch0", false); // flushes the port
            Simulator::ScheduleNow([this] { m_fabric->SetLinkUp("h0", "switch0", true); });
        }
        Poll();
    }

    /** Note when the starved stream gets its next byte. */
    void Poll()
    {
        if (m_low->GetDeliveredBytes() > m_atLast)
        {
            m_resumed = Simulator::Now();
            return;
        }
        Simulator::Schedule(MilliSeconds(1), &TcpStarvationTest::Poll, this);
    }

    void ExpectStarvedAndDelivered()
    {
        EXPECT_GT(m_atFirst, 0U) << "it was sending before";
        EXPECT_LT(m_atFirst, BYTES / 2);
        EXPECT_EQ(m_atLast, m_atFirst) << "not one byte for an hour";
        EXPECT_GT(m_highEnd - Seconds(3), Seconds(HOUR));
        // 5 ms doubled up to 60 s: 14 in the first 82 s, then one a minute
        EXPECT_GT(m_timeouts, 60U);
        EXPECT_LT(m_timeouts, 90U);
        EXPECT_EQ(m_low->GetDeliveredBytes(), BYTES);
        EXPECT_TRUE(m_low->IsIdle());
        EXPECT_EQ(m_low->GetSentBytes(), BYTES);
        const StreamCounters counters = m_low->GetCounters();
        EXPECT_GE(counters.retransmissions, counters.timeouts);
        EXPECT_EQ(counters.dataPackets - counters.retransmissions,
                  (BYTES + JUMBO_SEGMENT - 1) / JUMBO_SEGMENT);
    }

    void TearDown() override
    {
        m_low = nullptr;
        m_high = nullptr;
        TransportFixture::TearDown();
    }

    bool m_dropAll{false};
    Ptr<StreamPair> m_low;
    Ptr<StreamPair> m_high;
    Time m_lowEnd;
    Time m_highEnd;
    Time m_resumed;
    uint64_t m_atFirst{0};
    uint64_t m_atLast{0};
    uint64_t m_timeouts{0};
};

TEST_F(TcpStarvationTest, WithItsPacketsKeptAStreamResumesAtOnce)
{
    Starve();
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_EQ(CountDrops(), 0U);
    // the first packet in the queue goes next: 72.3 ms on the wire to the host, which has just
    // begun to take the last one of the other stream
    EXPECT_LE(m_resumed - m_highEnd, MilliSeconds(150));
    // behind its own packets wait the copies that timeouts have sent, 72.3 ms each; then full rate
    const double rest = static_cast<double>(BYTES - m_atLast) / JUMBO_SEGMENT + m_timeouts + 12;
    EXPECT_LE(m_lowEnd - m_highEnd, Seconds(1.15 * rest * JUMBO_FRAME * 8 / 1e6));
}

TEST_F(TcpStarvationTest, WithAllItsPacketsDroppedAStreamResumesWithinOneTimeout)
{
    m_dropAll = true;
    Starve();
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_GT(CountDrops(), 60U) << "its window and the copies";
    EXPECT_LE(m_resumed - m_highEnd, Seconds(60.5));
    EXPECT_GT(m_resumed - m_highEnd, Seconds(1)) << "something was left in the queue";
    const double rest = static_cast<double>(BYTES - m_atLast) / JUMBO_SEGMENT + 12;
    EXPECT_LE(m_lowEnd - m_resumed, Seconds(1.15 * rest * JUMBO_FRAME * 8 / 1e6));
}

/** A connection request that is lost for an hour is repeated, at most a minute apart. */
TEST_F(TransportFixture, AConnectionRequestIsNeverGivenUp)
{
    Build(SingleSwitch(2));
    std::optional<Time> delivered;
    Ptr<StreamPair> stream;
    At(Seconds(1), [&] {
        m_fabric->SetLinkUp("h1", "switch0", false);
        stream = Open(0, 1);
        stream->Send(100000, Then([&] { delivered = Simulator::Now(); }));
    });
    At(Seconds(3601), [&] { m_fabric->SetLinkUp("h1", "switch0", true); });
    Simulator::Run();
    ASSERT_TRUE(delivered.has_value());
    EXPECT_GT(*delivered, Seconds(3601));
    EXPECT_LT(*delivered, Seconds(3661));
    // 10 ms doubled up to 41 s: 13 in the first 82 s, then 86
    EXPECT_GT(stream->GetCounters().timeouts, 90U);
    EXPECT_LT(stream->GetCounters().timeouts, 110U);
}

/** The acknowledgement of the SYN+ACK is lost, and no data follow that would do in its place. */
TEST_F(TransportFixture, AHalfOpenConnectionIsCompleted)
{
    Build(SingleSwitch(2));
    int delivered = 0;
    Ptr<StreamPair> stream;
    At(Seconds(1), [&] { stream = Open(0, 1); });
    // SYN, SYN+ACK and ACK take 2 us and their 0.1 us on each of two wires, 2.2 us each: after 5 us
    // the ACK is on its first wire
    At(Seconds(1) + MicroSeconds(5), [&] { m_fabric->SetLinkUp("h0", "switch0", false); });
    At(Seconds(100), [&] { m_fabric->SetLinkUp("h0", "switch0", true); });
    At(Seconds(1000), [&] {
        // repeated after 10 ms, 20 ms, ... 41 s: 13 in 82 s, a 14th at 123 s, which is answered
        EXPECT_EQ(stream->GetCounters().timeouts, 14U);
    });
    At(Seconds(1000), [&] { stream->Send(1000000, Then([&] { ++delivered; })); });
    Simulator::Run(); // returns: nobody repeats the SYN+ACK for ever
    EXPECT_EQ(delivered, 1);
    EXPECT_EQ(stream->GetCounters().timeouts, 14U);
    EXPECT_LT(Simulator::Now(), Seconds(1001));
}

} // namespace
} // namespace ns3::ddl
