// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-rdma-scoreboard.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

using Psns = std::vector<uint64_t>;

/** Packets 100, 101... are sent one per microsecond from 0 on, under codepoint 7. */
class RdmaScoreboardTest : public ::testing::Test
{
  protected:
    static Time At(int64_t us)
    {
        return MicroSeconds(us);
    }

    void Send(uint64_t packets, uint8_t dscp = 7)
    {
        for (uint64_t i = 0; i < packets; ++i)
        {
            m_board.Send(100 + m_sent, dscp, At(static_cast<int64_t>(m_sent)));
            ++m_sent;
        }
    }

    /** A probe that is sent at a time under a codepoint, and answered: nothing new has arrived. */
    void Probe(int64_t sent, uint64_t missing, uint8_t dscp = 7)
    {
        m_board.SendProbe(100 + m_sent, ++m_round, dscp, At(sent));
        m_board.NoteProbeAnswer(100 + m_sent, m_round);
        m_board.NoteArrived(missing, 0, At(sent + 1));
    }

    uint32_t m_round{0};
    RdmaScoreboard m_board{100, MicroSeconds(10), MilliSeconds(1)};
    uint64_t m_sent{0};
};

TEST_F(RdmaScoreboardTest, CountsEachPacketOnceHoweverOftenItIsReported)
{
    Send(8);
    EXPECT_EQ(m_board.NoteArrived(100, 0b10110010, At(20)), 4U); // 101, 104, 105, 107
    EXPECT_EQ(m_board.GetArrivedAhead(), 4U);
    EXPECT_EQ(m_board.NoteArrived(101, 0b1011, At(21)), 1U) << "102 alone is new";
    EXPECT_TRUE(m_board.HasArrived(102));
    EXPECT_FALSE(m_board.HasArrived(103));
    EXPECT_EQ(m_board.Acknowledge(103, At(22)), 1U) << "100 alone is new";
    EXPECT_EQ(m_board.GetArrivedAhead(), 3U); // 104, 105, 107
    EXPECT_EQ(m_board.Acknowledge(108, At(23)), 2U);
    EXPECT_EQ(m_board.GetArrivedAhead(), 0U);
}

TEST_F(RdmaScoreboardTest, IgnoresWhatWasNeverSent)
{
    Send(2);
    EXPECT_EQ(m_board.NoteArrived(100, ~uint64_t{0}, At(5)), 2U);
    EXPECT_EQ(m_board.Acknowledge(200, At(6)), 0U);
}

TEST_F(RdmaScoreboardTest, WhatIsOvertakenWithinTheWindowIsNotLost)
{
    Send(60);
    m_board.Acknowledge(101, At(10));
    m_board.NoteAnswer(101, At(11)); // a round trip of 10 us: a window of 40
    EXPECT_EQ(m_board.GetWindow(), At(40));
    m_board.NoteAnswer(142, At(52)); // sent at 42 us; a round trip of 10
    m_board.NoteArrived(101, ((uint64_t{1} << 40) - 1) << 2, At(52)); // 103 to 142
    EXPECT_EQ(m_board.FindLost(), (Psns{101})) << "sent at 1 us, more than 40 before 142";
    m_board.NoteAnswer(143, At(53));
    m_board.NoteArrived(101, ((uint64_t{1} << 41) - 1) << 2, At(53));
    EXPECT_EQ(m_board.FindLost(), (Psns{102}));
    EXPECT_EQ(m_board.FindLost(), (Psns{})) << "each loss is found once";
    EXPECT_FALSE(m_board.GetDoubt());
}

TEST_F(RdmaScoreboardTest, WhatNoAnswerTellsOfIsAskedForBeforeItIsLost)
{
    Send(300);
    m_board.NoteAnswer(100, At(10));      // a window of 40 us
    m_board.NoteArrived(256, 1, At(160)); // sent at 156 us: nothing is known of 100 to 115
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_EQ(m_board.GetDoubt(), 7);
    m_board.SendProbe(400, 1, 7, At(300));
    EXPECT_FALSE(m_board.GetDoubt()) << "a probe is under way";
    m_board.NoteProbeAnswer(400, 1);
    m_board.NoteArrived(100, ~uint64_t{2}, At(310)); // all but 101
    EXPECT_EQ(m_board.FindLost(), (Psns{101}));
    m_board.NoteProbeAnswer(400, 1);                 // the next of its answers
    m_board.NoteArrived(164, ~uint64_t{1}, At(310)); // all but 164
    EXPECT_EQ(m_board.FindLost(), (Psns{164}));
    m_board.NoteProbeAnswer(400, 1);
    m_board.NoteArrived(228, ~uint64_t{0}, At(310));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_FALSE(m_board.GetDoubt()) << "292 and later were not overtaken by the window";
}

TEST_F(RdmaScoreboardTest, AProbeThatIsOvertakenIsRepeated)
{
    Send(60);
    m_board.NoteAnswer(100, At(10)); // a round trip of 10 us
    m_board.NoteArrived(150, 1, At(60));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_EQ(m_board.GetDoubt(), 7);
    m_board.SendProbe(160, 1, 7, At(61));
    m_board.Send(160, 7, At(81));
    m_board.NoteArrived(160, 1, At(90));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_FALSE(m_board.GetDoubt());
    m_board.Send(161, 7, At(82));
    m_board.NoteArrived(161, 1, At(91));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_EQ(m_board.GetDoubt(), 7) << "161 was sent 21 us after the probe";
}

TEST_F(RdmaScoreboardTest, APacketOfAnotherCodepointProvesNothing)
{
    Send(1, 7);
    m_sent = 1;
    Send(1, 2);
    m_board.NoteAnswer(101, At(11));
    m_board.Send(102, 2, At(1000));
    m_board.NoteAnswer(102, At(1010));
    m_board.NoteArrived(100, 0b110, At(1010));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_FALSE(m_board.GetDoubt());
    m_sent = 3;
    Probe(2000, 100);
    EXPECT_EQ(m_board.FindLost(), (Psns{100})) << "a probe of its codepoint has come through";
}

TEST_F(RdmaScoreboardTest, WhatWasSentAgainIsLostAgainOnlyByWhatFollowsIt)
{
    Send(1);
    m_board.NoteAnswer(100, At(10)); // a window of 40 us
    m_board.Send(101, 7, At(50));
    m_board.Send(102, 7, At(51));
    m_board.NoteAnswer(101, At(60));
    m_board.NoteArrived(100, 0b10, At(60));
    EXPECT_EQ(m_board.FindLost(), (Psns{100}));
    m_board.Send(100, 7, At(60));
    m_board.NoteAnswer(102, At(61));
    m_board.NoteArrived(100, 0b110, At(61));
    EXPECT_TRUE(m_board.FindLost().empty()) << "102 was sent before it";
    m_board.Send(103, 7, At(101));
    m_board.NoteAnswer(103, At(111));
    m_board.NoteArrived(100, 0b1110, At(111));
    EXPECT_EQ(m_board.FindLost(), (Psns{100}));
}

TEST_F(RdmaScoreboardTest, APacketIsASuspectBeforeItIsLost)
{
    Send(60);
    m_board.Acknowledge(101, At(10));
    m_board.NoteAnswer(101, At(11)); // a round trip of 10 us: 101 is a suspect after 20
    m_board.NoteArrived(102, (uint64_t{1} << 20) - 1, At(50)); // to 121, sent at 21 us
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_FALSE(m_board.HasSuspect());
    m_board.NoteArrived(122, 1, At(51));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_TRUE(m_board.HasSuspect());
    m_board.Acknowledge(102, At(52));
    EXPECT_TRUE(m_board.FindLost().empty());
    EXPECT_FALSE(m_board.HasSuspect());
}

TEST_F(RdmaScoreboardTest, ALatePacketMakesTheWindowLonger)
{
    Send(1);
    m_board.NoteAnswer(100, At(10));
    m_board.Send(101, 7, At(50));
    m_board.NoteAnswer(101, At(60));
    m_board.NoteArrived(100, 0b10, At(60));
    EXPECT_EQ(m_board.FindLost(), (Psns{100}));
    m_board.NoteArrived(100, 1, At(100));
    EXPECT_TRUE(m_board.HasArrived(100));
    EXPECT_EQ(m_board.GetWindow(), At(400)) << "it took 100 us";
}

/** A round trip counts until answers have come for two periods of 16 windows. */
TEST_F(RdmaScoreboardTest, ALongRoundTripIsForgotten)
{
    uint64_t psn = 100;
    const auto answer = [&](int64_t now, int64_t roundTrip) {
        m_board.Send(psn, 7, At(now - roundTrip));
        m_board.NoteAnswer(psn, At(now));
        m_board.Acknowledge(++psn, At(now));
        return m_board.GetWindow();
    };
    EXPECT_EQ(answer(20, 20), At(80)); // a period until 20 + 16 x 80 = 1300 us
    EXPECT_EQ(answer(1100, 1000), At(4000));
    EXPECT_EQ(answer(1301, 30), At(4000)); // until 1301 + 16 x 4000 = 65301
    EXPECT_EQ(answer(30000, 40), At(4000));
    EXPECT_EQ(answer(65301, 10), At(4000));
    EXPECT_EQ(answer(65302, 10), At(160)) << "that of 1000 us is two periods old, that of 40 not";
    EXPECT_EQ(answer(65302 + 16 * 160, 10), At(160));
    EXPECT_EQ(answer(65303 + 16 * 160, 10), At(40));
    EXPECT_EQ(answer(70000, 1), At(40));
    EXPECT_EQ(answer(72000, 1), At(10)) << "the least window";
}

} // namespace
} // namespace ns3::ddl
