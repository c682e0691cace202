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
    m_board.NoteArrived(103, (uint64_t{1} << 40) - 1, At(70)); // to 142, sent at 42 us
    EXPECT_EQ(m_board.FindLost(), (Psns{101})) << "sent at 1 us, more than 40 before 142";
    m_board.NoteArrived(143, 1, At(71));
    EXPECT_EQ(m_board.FindLost(), (Psns{102}));
    EXPECT_EQ(m_board.FindLost(), (Psns{})) << "each loss is found once";
}

TEST_F(RdmaScoreboardTest, APacketOfAnotherCodepointProvesNothing)
{
    Send(1, 7);
    m_sent = 1;
    Send(1, 2);
    m_board.NoteAnswer(101, At(11));
    m_board.Send(102, 2, At(1000));
    m_board.NoteArrived(101, 0b11, At(1010));
    EXPECT_TRUE(m_board.FindLost().empty());
    m_board.SendProbe(103, 7, At(2000));
    m_board.NoteProbeAnswer(103);
    EXPECT_EQ(m_board.FindLost(), (Psns{100})) << "a probe of its codepoint has come through";
}

TEST_F(RdmaScoreboardTest, WhatWasSentAgainIsLostAgainOnlyByWhatFollowsIt)
{
    Send(1);
    m_board.NoteAnswer(100, At(10)); // a window of 40 us
    m_board.Send(101, 7, At(50));
    m_board.Send(102, 7, At(51));
    m_board.NoteArrived(101, 1, At(60));
    EXPECT_EQ(m_board.FindLost(), (Psns{100}));
    m_board.Send(100, 7, At(60));
    m_board.NoteArrived(102, 1, At(62));
    EXPECT_TRUE(m_board.FindLost().empty()) << "102 was sent before it";
    m_board.Send(103, 7, At(101));
    m_board.NoteArrived(103, 1, At(110));
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
    m_board.NoteArrived(101, 1, At(60));
    EXPECT_EQ(m_board.FindLost(), (Psns{100}));
    m_board.NoteArrived(100, 1, At(100));
    EXPECT_TRUE(m_board.HasArrived(100));
    EXPECT_EQ(m_board.GetWindow(), At(400)) << "it took 100 us";
}

} // namespace
} // namespace ns3::ddl
