// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include <random>

namespace ns3::ddl
{
namespace
{

/**
 * Two streams into one 1 Mbps port: the one of priority 3 sends from second 1, the one of priority
 * 1 from second 3 on, for an hour. Packets of 9000 bytes keep that affordable: 72.3 ms each.
 */
class RdmaStarvationTest : public TransportFixture
{
  protected:
    static constexpr uint64_t BYTES = 2000000;      //!< of the stream that starves, about 16 s
    static constexpr uint64_t JUMBO_PAYLOAD = 8956; //!< 9000 - 44
    static constexpr uint64_t JUMBO_FRAME = 9038;   //!< 9000 + 38
    static constexpr double HOUR = 3600;

    void Starve(const std::string& recovery = "go-back-n")
    {
        TopologySpec topology = SingleSwitch(3);
        topology.hostRate = DataRate("1Mbps");
        topology.mtu = 9000;
        Build(topology, {{"Recovery", recovery}}, {}, {}, "rdma");
        const auto packets = static_cast<uint64_t>(HOUR * 1e6 / 8 / JUMBO_FRAME);
        At(Seconds(1), [this] {
            m_low = Open(1, 0, Mark{3, 3});
            m_low->Send(BYTES, Then([this] { m_lowEnd = Simulator::Now(); }));
        });
        At(Seconds(3), [this, packets] {
            m_high = Open(2, 0, Mark{1, 1});
            m_high->Send((packets + 1) * JUMBO_PAYLOAD, Then([this] { EndStarvation(); }));
        });
        At(Seconds(10), [this] {
            m_atFirst = m_low->GetDeliveredBytes();
            m_earlyTimeouts = m_low->GetCounters().timeouts;
        });
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
        Simulator::Schedule(MilliSeconds(1), &RdmaStarvationTest::Poll, this);
    }

    /** Well after the starvation, lose all that waits once more, and note when the stream goes on.
     */
    void LoseLate()
    {
        At(Seconds(3 + HOUR + 10), [this] {
            ASSERT_GT(m_resumed, Time(0));
            m_atLate = m_low->GetDeliveredBytes();
            ASSERT_LT(m_atLate, BYTES);
            m_fabric->SetLinkUp("h0", "switch0", false);
            Simulator::ScheduleNow([this] { m_fabric->SetLinkUp("h0", "switch0", true); });
            m_lostAt = Simulator::Now();
            PollLate();
        });
    }

    void PollLate()
    {
        if (m_low->GetDeliveredBytes() > m_atLate)
        {
            m_again = Simulator::Now();
            return;
        }
        Simulator::Schedule(MilliSeconds(1), &RdmaStarvationTest::PollLate, this);
    }

    void ExpectStarvedAndDelivered()
    {
        EXPECT_GT(m_atFirst, 0U) << "it was sending before";
        EXPECT_LT(m_atFirst, BYTES / 2);
        EXPECT_EQ(m_atLast, m_atFirst) << "not one byte for an hour";
        EXPECT_GT(m_highEnd - Seconds(3), Seconds(HOUR));
        const double probes = static_cast<double>(m_timeouts - m_earlyTimeouts);
        EXPECT_NEAR(probes, (m_highEnd - Seconds(10)).GetSeconds(), 2) << "one a second";
        EXPECT_EQ(m_low->GetDeliveredBytes(), BYTES);
        EXPECT_TRUE(m_low->IsIdle());
        const StreamCounters counters = m_low->GetCounters();
        EXPECT_EQ(counters.dataPackets - counters.retransmissions,
                  (BYTES + JUMBO_PAYLOAD - 1) / JUMBO_PAYLOAD);
    }

    /** Wire time of so many packets and probes at 1 Mbps. */
    static Time TimeOf(double packets, double probes)
    {
        return Seconds((packets * JUMBO_FRAME + probes * 82) * 8 / 1e6);
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
    Time m_lostAt;
    Time m_again;
    uint64_t m_atLate{0};
    uint64_t m_atFirst{0};
    uint64_t m_atLast{0};
    uint64_t m_earlyTimeouts{0};
    uint64_t m_timeouts{0};
};

TEST_F(RdmaStarvationTest, WithItsPacketsKeptAStreamResumesAtOnce)
{
    Starve();
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_EQ(CountDrops(), 0U);
    EXPECT_EQ(m_low->GetCounters().retransmissions, 0U) << "nothing was lost";
    // the first packet in the queue goes next: 72.3 ms to the host
    EXPECT_LE(m_resumed - m_highEnd, MilliSeconds(80));
    // the probes wait behind the packets: 3600 x 0.66 ms = 2.4 s
    const double rest = static_cast<double>(BYTES - m_atLast) / JUMBO_PAYLOAD;
    EXPECT_LE(m_lowEnd - m_highEnd, TimeOf(1.1 * rest + 2, m_timeouts));
}

TEST_F(RdmaStarvationTest, WithAllItsPacketsDroppedAStreamResumesWithinOneTimeout)
{
    m_dropAll = true;
    Starve();
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_GT(m_low->GetCounters().retransmissions, 0U);
    EXPECT_LE(m_low->GetCounters().retransmissions, 20U) << "its window";
    EXPECT_LE(m_resumed - m_highEnd, Seconds(1.2));
    const double rest = static_cast<double>(BYTES - m_atLast) / JUMBO_PAYLOAD;
    EXPECT_LE(m_lowEnd - m_resumed, TimeOf(1.1 * rest + 5, 200));
}

TEST_F(RdmaStarvationTest, ALossAfterItIsNoticedAtTheRateOfAnswersAgain)
{
    Starve();
    LoseLate();
    Simulator::Run();
    EXPECT_EQ(m_low->GetDeliveredBytes(), BYTES);
    EXPECT_GT(m_low->GetCounters().retransmissions, 0U);
    // An answer comes every 72.3 ms, so twice that without one are a loss; then a probe, behind the
    // packets that were sent meanwhile, and the packet that was lost. The hour has left nothing.
    EXPECT_LE(m_again - m_lostAt, MilliSeconds(5 * 73));
}

/** Its first packet cannot even be sent: no timer runs, no probe. */
TEST_F(RdmaStarvationTest, BehindItsOwnNicAStreamCostsNothing)
{
    Build(SingleSwitch(2), {}, {}, {}, "rdma");
    At(Seconds(1), [this] {
        m_high = Open(0, 1, Mark{1, 1});
        m_high->Send(50000000, Then([this] { m_highEnd = Simulator::Now(); })); // 42 ms
        m_low = Open(0, 1, Mark{2, 2});
        m_low->Send(1456, Then([this] { m_lowEnd = Simulator::Now(); }));
    });
    Simulator::Run();
    EXPECT_EQ(m_low->GetCounters().timeouts, 0U);
    EXPECT_EQ(m_low->GetCounters().dataPackets, 1U);
    EXPECT_NEAR((m_lowEnd - m_highEnd).GetNanoSeconds(), 1230.4, 100);
}

TEST_F(RdmaStarvationTest, SelectiveWithItsPacketsKeptAStreamResumesAtOnce)
{
    Starve("selective-repeat");
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_EQ(CountDrops(), 0U);
    EXPECT_EQ(m_low->GetCounters().retransmissions, 0U) << "nothing was lost";
    EXPECT_LE(m_resumed - m_highEnd, MilliSeconds(80));
}

TEST_F(RdmaStarvationTest, SelectiveWithAllItsPacketsDroppedAStreamResumesWithinOneTimeout)
{
    m_dropAll = true;
    Starve("selective-repeat");
    Simulator::Run();
    ExpectStarvedAndDelivered();
    EXPECT_GT(m_low->GetCounters().retransmissions, 0U);
    EXPECT_LE(m_low->GetCounters().retransmissions, CountDrops());
    EXPECT_LE(m_resumed - m_highEnd, Seconds(1.2));
}

class RdmaRecoveryTest : public TransportFixture, public ::testing::WithParamInterface<const char*>
{
  protected:
    void BuildWith(const std::string& control, const PortSpec& ports = {})
    {
        Build(SingleSwitch(3),
              {{"Recovery", GetParam()}, {"CongestionControl", control}},
              ports,
              {},
              "rdma");
    }

    bool IsSelective() const
    {
        return std::string(GetParam()) == "selective-repeat";
    }

    /** From the third host, into the path of the data, or of the answers, of a stream from 0 to 1.
     */
    void SendBursts(std::mt19937& random, uint8_t priority)
    {
        for (int i = 0; i < 20; ++i)
        {
            const uint32_t to = random() % 2;
            const uint64_t bytes = 1000 * (1 + random() % 10000); // up to 8 ms
            At(Seconds(1) + MicroSeconds(random() % 60000), [=] {
                Open(2, to, Mark{priority, priority})->Send(bytes, {});
            });
        }
    }

    void TearDown() override
    {
        m_low = nullptr;
        m_high = nullptr;
        TransportFixture::TearDown();
    }

    Ptr<StreamPair> m_low;
    Ptr<StreamPair> m_high;
};

INSTANTIATE_TEST_SUITE_P(Recoveries,
                         RdmaRecoveryTest,
                         ::testing::Values("go-back-n", "selective-repeat"));

/** Bursts of other traffic hold up data, answers and probes for up to 8 timeouts; no link loses. */
TEST_P(RdmaRecoveryTest, NothingIsSentAgainWhereNothingIsLost)
{
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        PortSpec ports;
        ports.limit = 100000000;
        BuildWith("dctcp", ports);
        At(Seconds(1), [this] {
            m_low = Open(0, 1, Mark{3, 3});
            m_low->Send(20000000, {});
        });
        SendBursts(random, 1);
        Simulator::Run();
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_low->GetDeliveredBytes(), 20000000U);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        EXPECT_GT(m_low->GetCounters().timeouts, 0U);
        TearDown();
    }
}

/** The same, and both ends of the stream are remarked at random, before the bursts or behind them.
 */
TEST_P(RdmaRecoveryTest, RemarksAmongBurstsAreNoLossToSelectiveRepeat)
{
    uint64_t reordered = 0;
    uint64_t again = 0;
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        PortSpec ports;
        ports.limit = 100000000;
        BuildWith(seed % 2 == 0 ? "dctcp" : "fixed", ports);
        At(Seconds(1), [this] {
            m_low = Open(0, 1, Mark{3, 3});
            m_low->Send(20000000, {});
        });
        SendBursts(random, 4);
        for (int i = 0; i < 60; ++i)
        {
            const auto priority = static_cast<uint8_t>(1 + random() % 7);
            const auto end =
                random() % 4 == 0 ? StreamPair::End::DESTINATION : StreamPair::End::SOURCE;
            At(Seconds(1) + MicroSeconds(random() % 60000), [this, priority, end] {
                m_low->SetMark(end, Mark{priority, priority});
            });
        }
        Simulator::Run();
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_low->GetDeliveredBytes(), 20000000U);
        reordered += m_low->GetCounters().reordered;
        again += m_low->GetCounters().retransmissions;
        TearDown();
    }
    EXPECT_GT(reordered, 0U) << "or there was nothing to be taken for a loss";
    EXPECT_EQ(again > 0, !IsSelective());
}

/** Moving up overtakes what waits below: with go-back-N a window each time may be sent twice. */
TEST_P(RdmaRecoveryTest, RemarkingCostsAWindowAtMost)
{
    BuildWith("fixed");
    const int remarks = 40;
    At(Seconds(1), [this] {
        m_low = Open(0, 1, Mark{7, 7});
        m_low->Send(30000000, {});
        m_high = Open(2, 1, Mark{4, 4});
        m_high->Send(30000000, {});
    });
    for (int i = 0; i < remarks; ++i) // behind the other stream, before it, and so on
    {
        const auto priority = static_cast<uint8_t>(i % 2 == 0 ? 2 : 6);
        At(Seconds(1) + MicroSeconds(500 * (i + 1)), [this, priority] {
            m_low->SetMark(StreamPair::End::SOURCE, Mark{priority, priority});
        });
    }
    Simulator::Run();
    EXPECT_TRUE(m_low->IsIdle());
    EXPECT_TRUE(m_high->IsIdle());
    EXPECT_EQ(CountDrops(), 0U);
    EXPECT_GT(m_low->GetCounters().reordered, 0U);
    const uint64_t window = IsSelective() ? 0 : 40; // 60000 / 1500
    EXPECT_LE(m_low->GetCounters().retransmissions, remarks / 2 * window);
    EXPECT_EQ(m_low->GetCounters().retransmissions > 0, !IsSelective());
    EXPECT_EQ(m_high->GetCounters().retransmissions, 0U);
}

/**
 * All is sent, and waits in the switch, when the stream moves up: there is nothing to overtake it
 * but a probe, which goes where the packets are.
 */
TEST_P(RdmaRecoveryTest, AProbeDoesNotOvertakeWhatItAsksFor)
{
    BuildWith("fixed");
    At(Seconds(1), [this] {
        m_high = Open(2, 1, Mark{4, 4});
        m_high->Send(5000000, {}); // 4.2 ms
    });
    At(Seconds(1) + MicroSeconds(10), [this] {
        m_low = Open(0, 1, Mark{7, 7});
        m_low->Send(10 * 1456, {});
    });
    At(Seconds(1) + MicroSeconds(100), [this] {
        m_low->SetMark(StreamPair::End::SOURCE, Mark{2, 2});
    });
    Simulator::Run();
    EXPECT_TRUE(m_low->IsIdle());
    EXPECT_GE(m_low->GetCounters().timeouts, 2U) << "after 1 and 3 of 4.2 ms";
    EXPECT_EQ(m_low->GetCounters().retransmissions, 0U);
    EXPECT_EQ(CountDrops(), 0U);
}

/**
 * A whole window waits in the switch when the stream moves up. Nothing is lost, and the stream goes
 * on when the traffic above its packets ends. Then what it sends overtakes the rest of the window.
 */
TEST_P(RdmaRecoveryTest, AStreamThatMovesUpWaitsForItsPacketsBelow)
{
    BuildWith("fixed");
    Time end;
    At(Seconds(1), [this] {
        m_high = Open(2, 1, Mark{4, 4});
        m_high->Send(4000 * 1456, {}); // 4.92 ms
    });
    At(Seconds(1) + MicroSeconds(10), [&] {
        m_low = Open(0, 1, Mark{7, 7});
        m_low->Send(100 * 1456, Then([&] { end = Simulator::Now(); }));
    });
    At(Seconds(1) + MicroSeconds(100), [this] {
        m_low->SetMark(StreamPair::End::SOURCE, Mark{2, 2});
    });
    Simulator::Run();
    EXPECT_GT(end - Seconds(1), MicroSeconds(4920));
    EXPECT_LT(end - Seconds(1), MicroSeconds(4920 + 140 * 2)); // 140 packets of 1.23 us
    EXPECT_LE(m_low->GetCounters().retransmissions, IsSelective() ? 0U : 40U);
    EXPECT_EQ(CountDrops(), 0U);
}

} // namespace
} // namespace ns3::ddl
