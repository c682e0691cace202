// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-roce-header.h"

#include <algorithm>
#include <optional>

namespace ns3::ddl
{
namespace
{

/**
 * Packets of 1500 bytes at 10 Gbps, links of 1 us. Two links each way, store and forward:
 *   data   1538 B = 1230.4 ns a link: 2 x 2230.4 = 4460.8 ns
 *   probe    82 B =   65.6 ns a link: 2 x 1065.6 = 2131.2 ns
 *   answer   90 B =   72.0 ns a link: 2 x 1072.0 = 2144.0 ns
 *   selective NAK 102 B = 81.6 ns   : 2 x 1081.6 = 2163.2 ns
 */
class RdmaLossTest : public TransportFixture
{
  protected:
    static constexpr uint64_t PAYLOAD = 1456;
    static constexpr double DATA_NS = 4460.8;
    static constexpr double PACKET_NS = 1230.4;
    static constexpr double PROBE_NS = 2131.2;
    static constexpr double ANSWER_NS = 2144;
    static constexpr double SELECTIVE_NS = 2163.2;
    static constexpr double TIMEOUT_NS = 1e6;

    /** Send some packets at second 1. */
    void SendAtOne(uint64_t packets, const Attributes& attributes = {})
    {
        Build(SingleSwitch(2), attributes, {}, {}, "rdma");
        At(Seconds(1), [this, packets] {
            m_stream = Open(0, 1);
            m_stream->Send(packets * PAYLOAD, Then([this] { m_delivered = Simulator::Now(); }));
        });
    }

    /** Cut a host off; times in ns from second 1. */
    void Cut(const std::string& host, int64_t from, int64_t to)
    {
        At(Seconds(1) + NanoSeconds(from), [=] { m_fabric->SetLinkUp(host, "switch0", false); });
        At(Seconds(1) + NanoSeconds(to), [=] { m_fabric->SetLinkUp(host, "switch0", true); });
    }

    void ExpectDelivered(double ns, uint64_t packets, uint64_t again, uint64_t timeouts)
    {
        Simulator::Run();
        ASSERT_TRUE(m_delivered.has_value());
        EXPECT_NEAR((*m_delivered - Seconds(1)).GetNanoSeconds(), ns, 10);
        EXPECT_TRUE(m_stream->IsIdle());
        EXPECT_EQ(m_stream->GetCounters().dataPackets, packets + again);
        EXPECT_EQ(m_stream->GetCounters().retransmissions, again);
        EXPECT_EQ(m_stream->GetCounters().timeouts, timeouts);
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
    }

    void TearDown() override
    {
        m_stream = nullptr;
        TransportFixture::TearDown();
    }

    Ptr<StreamPair> m_stream;
    std::optional<Time> m_delivered;
};

TEST_F(RdmaLossTest, NothingIsLost)
{
    SendAtOne(4);
    ExpectDelivered(3 * PACKET_NS + DATA_NS, 4, 0, 0);
}

TEST_F(RdmaLossTest, TheOnlyPacketIsAskedForAndSentAgain)
{
    SendAtOne(1);
    Cut("h1", 3000, 3400); // it is on the second wire from 2230 to 4461
    ExpectDelivered(TIMEOUT_NS + PROBE_NS + ANSWER_NS + DATA_NS, 1, 1, 1);
}

TEST_F(RdmaLossTest, TheLastOfManyIsSentAgainAlone)
{
    SendAtOne(8);
    // The 8th leaves the switch at 2230.4 + 7 x 1230.4 = 10843 and arrives at 13074; the 7th at
    // 11843. The answer to the 8th that came before the cut is that to the first four.
    Cut("h1", 12000, 12100);
    // Last progress: the answer to the 4th, at 3 x 1230.4 + 4460.8 + 2144 = 10296
    ExpectDelivered(10296 + TIMEOUT_NS + PROBE_NS + ANSWER_NS + DATA_NS, 8, 1, 1);
}

TEST_F(RdmaLossTest, TheFirstOfManyIsComplainedOfAtOnce)
{
    SendAtOne(4);
    Cut("h1", 2500, 3000); // only the first is on that wire
    // The second comes at 1230.4 + 4460.8 and draws a NAK; go-back-N sends all four again.
    ExpectDelivered(PACKET_NS + DATA_NS + ANSWER_NS + 3 * PACKET_NS + DATA_NS, 4, 4, 0);
}

TEST_F(RdmaLossTest, ALostComplaintIsMadeUpForByTheProbe)
{
    SendAtOne(4);
    Cut("h1", 2500, 3000);
    // The NAK leaves h1 at 5691 and is on the wire to h0 from 6763 to 7835.
    Cut("h0", 7000, 7100);
    ExpectDelivered(TIMEOUT_NS + PROBE_NS + ANSWER_NS + 3 * PACKET_NS + DATA_NS, 4, 4, 1);
}

TEST_F(RdmaLossTest, ALostAnswerCostsAProbeAndNoData)
{
    SendAtOne(1);
    Cut("h0", 6000, 6100); // the answer is on the wire to h0 from 5533 to 6605
    ExpectDelivered(DATA_NS, 1, 0, 1);
}

TEST_F(RdmaLossTest, LostProbesBackOff)
{
    SendAtOne(1);
    Cut("h1", 3000, 100000000);
    // Probes after 1, 3, 7, 15, 31, 63 and 127 ms; the link is back after 100.
    ExpectDelivered(127 * TIMEOUT_NS + PROBE_NS + ANSWER_NS + DATA_NS, 1, 1, 7);
}

TEST_F(RdmaLossTest, ItsOwnLinkFallsInMidFlow)
{
    SendAtOne(10000); // 12.3 ms
    Cut("h0", 5000000, 8000000);
    Simulator::Run();
    ASSERT_TRUE(m_delivered.has_value());
    // 3 ms are lost, and what was under way is sent again: less than 1 ms
    EXPECT_GT(*m_delivered, Seconds(1) + MicroSeconds(15300));
    EXPECT_LT(*m_delivered, Seconds(1) + MicroSeconds(16300));
    EXPECT_EQ(m_stream->GetDeliveredBytes(), 10000 * PAYLOAD);
    EXPECT_GT(m_stream->GetCounters().retransmissions, 0U);
    EXPECT_LE(m_stream->GetCounters().timeouts, 3U);
}

const std::pair<std::string, std::string> SELECTIVE{"Recovery", "selective-repeat"};
const std::pair<std::string, std::string> FIXED{"CongestionControl", "fixed"};

TEST_F(RdmaLossTest, SelectiveTheOnlyPacketIsAskedForAndSentAgain)
{
    SendAtOne(1, {SELECTIVE});
    Cut("h1", 3000, 3400);
    ExpectDelivered(TIMEOUT_NS + PROBE_NS + SELECTIVE_NS + DATA_NS, 1, 1, 1);
}

TEST_F(RdmaLossTest, SelectiveTheFirstOfManyIsSentAgainAlone)
{
    SendAtOne(4, {SELECTIVE});
    Cut("h1", 2500, 3000); // only the first is on that wire
    // The second comes at 1230.4 + 4460.8 and draws a NAK; the others are kept.
    ExpectDelivered(PACKET_NS + DATA_NS + SELECTIVE_NS + DATA_NS, 4, 1, 0);
}

TEST_F(RdmaLossTest, SelectiveALostNakIsMadeUpForByTheNextAnswer)
{
    SendAtOne(4, {SELECTIVE});
    Cut("h1", 2500, 3000);
    // The NAK leaves h1 at 5691 and is on the wire to h0 from 6773 to 7854.
    Cut("h0", 7000, 7100);
    // The fourth packet asks for an answer, which says again what is missing: no timeout.
    ExpectDelivered(3 * PACKET_NS + DATA_NS + SELECTIVE_NS + DATA_NS, 4, 1, 0);
}

TEST_F(RdmaLossTest, SelectiveALostRetransmissionIsNoticedWithoutATimeout)
{
    SendAtOne(12, {SELECTIVE, FIXED});
    Cut("h1", 2500, 3000); // the first, whose NAK is back at 7854
    // It goes again behind the 7th, at 7 x 1230.4 = 8612.8, and is on the second wire from 10843
    // to 13074. The 7th has arrived at 11843.
    Cut("h1", 11900, 12000);
    // The 8th left behind it, at 8 x 1230.4, and asks for an answer: both prove it lost again. The
    // host is idle since 13 x 1230.4 = 15995.
    const double answered = 8 * PACKET_NS + DATA_NS + SELECTIVE_NS;
    ExpectDelivered(answered + DATA_NS, 12, 2, 0);
}

TEST_F(RdmaLossTest, SelectiveEachGapIsFilledAndNothingElseIsSent)
{
    SendAtOne(36, {SELECTIVE, FIXED});
    // The i-th packet is on the second wire from 2230.4 + 1230.4 i to 4460.8 + 1230.4 i, so that
    // two are there for the first 1000 ns of each. Three cuts lose two each. NAKs are back some 7
    // packets later, and the host never stands still.
    for (const int first : {4, 12, 26})
    {
        const auto begin = static_cast<int64_t>(2230.4 + PACKET_NS * (first + 1) + 300);
        Cut("h1", begin, begin + 10);
    }
    Simulator::Run();
    EXPECT_TRUE(m_stream->IsIdle());
    EXPECT_GE(CountDrops(), 6U) << "and answers";
    EXPECT_EQ(m_stream->GetCounters().retransmissions, 6U);
    EXPECT_EQ(m_stream->GetCounters().dataPackets, 36U + 6);
    EXPECT_EQ(m_stream->GetCounters().timeouts, 0U);
    // 42 packets, one behind the other
    EXPECT_NEAR((*m_delivered - Seconds(1)).GetNanoSeconds(), 41 * PACKET_NS + DATA_NS, 10);
}

/** What was lost before a remark is asked for where it was lost, by a probe under the old mark. */
TEST_F(RdmaLossTest, SelectiveALossBeforeARemarkIsFoundByTheProbe)
{
    SendAtOne(8, {SELECTIVE});
    Cut("h1", 12000, 12100); // the 8th, as above
    At(Seconds(1) + MicroSeconds(20), [this] {
        m_stream->SetMark(StreamPair::End::SOURCE, Mark{3, 3});
    });
    ExpectDelivered(10296 + TIMEOUT_NS + PROBE_NS + SELECTIVE_NS + DATA_NS, 8, 1, 1);
}

/** Its own link falls while it sends 12.3 ms: one window is sent again at most. */
TEST_F(RdmaLossTest, SelectiveItsOwnLinkFallsInMidFlow)
{
    SendAtOne(10000, {SELECTIVE});
    Cut("h0", 5000000, 8000000);
    Simulator::Run();
    ASSERT_TRUE(m_delivered.has_value());
    EXPECT_GT(*m_delivered, Seconds(1) + MicroSeconds(15300));
    EXPECT_LT(*m_delivered, Seconds(1) + MicroSeconds(16300));
    EXPECT_GT(m_stream->GetCounters().retransmissions, 0U);
    EXPECT_LE(m_stream->GetCounters().retransmissions, CountDrops());
    EXPECT_LE(m_stream->GetCounters().timeouts, 3U);
}

/** Four to one through a queue of seven packets, with windows of 41. */
class RdmaSmallQueueTest
    : public TransportFixture,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*>>
{
};

TEST_P(RdmaSmallQueueTest, EachMessageIsDeliveredOnceInOrder)
{
    const auto [recovery, control] = GetParam();
    PortSpec ports;
    ports.limit = 10500;
    ports.ecnThreshold = 0;
    Build(SingleSwitch(5),
          {{"Recovery", recovery},
           {"CongestionControl", control},
           {"InitialPsn", std::to_string(RoceHeader::NUMBERS - 50)}}, // come round after 50 packets
          ports,
          {},
          "rdma");
    std::vector<std::vector<int>> delivered(5);
    std::vector<Ptr<StreamPair>> streams;
    At(Seconds(1), [&] {
        for (uint32_t source = 1; source < 5; ++source)
        {
            streams.push_back(Open(source, 0));
            for (int i = 0; i < 20; ++i)
            {
                streams.back()->Send(50001,
                                     Then([&, source, i] { delivered[source].push_back(i); }));
            }
        }
    });
    Simulator::Run();
    for (uint32_t source = 1; source < 5; ++source)
    {
        ASSERT_EQ(delivered[source].size(), 20U);
        EXPECT_TRUE(std::is_sorted(delivered[source].begin(), delivered[source].end()));
        EXPECT_EQ(streams[source - 1]->GetDeliveredBytes(), 20U * 50001);
    }
    const uint64_t again = m_transport->GetCounters().retransmissions;
    // 4 MB take 3.4 ms; a timeout now and then is 1 ms
    RecordProperty("ms", Simulator::Now().GetMilliSeconds() - 1000);
    RecordProperty("again", static_cast<int>(again));
    EXPECT_LT(Simulator::Now(), Seconds(1) + MilliSeconds(200));
    EXPECT_GT(CountDrops(), 0U);
    if (std::string(recovery) == "selective-repeat")
    {
        EXPECT_LE(again, CountDrops()) << "nothing else is sent again";
    }
    else
    {
        EXPECT_GE(again, CountDrops());
    }
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Recoveries,
                         RdmaSmallQueueTest,
                         ::testing::Combine(::testing::Values("go-back-n", "selective-repeat"),
                                            ::testing::Values("fixed", "dctcp", "dcqcn")));

} // namespace
} // namespace ns3::ddl
