// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-rdma-flight.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::ddl
{
namespace
{

constexpr uint8_t LOW = 7;
constexpr uint8_t HIGH = 2;

class RdmaFlightTest : public ::testing::Test
{
  protected:
    /** Send packets [from, to). \return the round of the last one */
    uint32_t Send(uint64_t from, uint64_t to, uint8_t dscp)
    {
        uint32_t round = 0;
        for (uint64_t psn = from; psn < to; ++psn)
        {
            round = m_flight.Send(psn, dscp, false);
        }
        return round;
    }

    std::vector<uint64_t> GetLost() const
    {
        return {m_flight.GetLost().begin(), m_flight.GetLost().end()};
    }

    RdmaFlight m_flight{100};
};

using Psns = std::vector<uint64_t>;

TEST_F(RdmaFlightTest, ALaterPacketOfTheSameCodepointProvesALoss)
{
    EXPECT_EQ(Send(100, 110, LOW), 0U);
    // 105 has come, 102 to 104 have not
    EXPECT_EQ(m_flight.FindLost(102, 105, 105, 0), 102U);
    EXPECT_EQ(GetLost(), (Psns{102, 103, 104}));
    EXPECT_EQ(m_flight.FindLost(102, 105, 106, 0), 105U) << "known";
}

TEST_F(RdmaFlightTest, APacketOfAnotherCodepointProvesNothing)
{
    EXPECT_EQ(Send(100, 105, LOW), 0U);
    EXPECT_EQ(Send(105, 110, HIGH), 1U);
    EXPECT_EQ(m_flight.FindLost(100, 105, 105, 1), 105U);
    EXPECT_TRUE(GetLost().empty());
    // 103 comes in the low lane, and 106 is missing as well, which was sent later
    EXPECT_EQ(m_flight.FindLost(102, 107, 103, 0), 102U);
    EXPECT_EQ(GetLost(), (Psns{102})) << "103 itself is not, 104 was sent behind it";
}

TEST_F(RdmaFlightTest, TheSameCodepointAgainIsTheSameLane)
{
    Send(100, 103, LOW);
    Send(103, 106, HIGH);
    EXPECT_EQ(Send(106, 109, LOW), 2U);
    EXPECT_EQ(m_flight.FindLost(101, 106, 106, 2), 101U);
    EXPECT_EQ(GetLost(), (Psns{101, 102})) << "and not 103 to 105";
}

TEST_F(RdmaFlightTest, ARetransmissionCountsFromWhenItWasSent)
{
    Send(100, 110, LOW);
    m_flight.FindLost(102, 103, 103, 0);
    EXPECT_EQ(m_flight.Send(102, LOW, false), 1U) << "a new round: it lies behind 109";
    EXPECT_TRUE(GetLost().empty());
    EXPECT_EQ(m_flight.FindLost(102, 103, 109, 0), 103U) << "109 was sent before it";
    EXPECT_EQ(Send(110, 112, LOW), 1U) << "ascending: still the same round";
    EXPECT_EQ(m_flight.FindLost(102, 103, 110, 1), 102U) << "lost again";
    // Splitting rows has left the others where they were.
    EXPECT_EQ(m_flight.FindLost(108, 111, 111, 1), 108U);
    EXPECT_EQ(GetLost(), (Psns{102, 108, 109, 110}));
}

TEST_F(RdmaFlightTest, WhatIsAcknowledgedIsNeitherLostNorRemembered)
{
    Send(100, 105, LOW);
    Send(105, 110, HIGH);
    m_flight.FindLost(101, 104, 104, 0);
    m_flight.Acknowledge(103);
    EXPECT_EQ(GetLost(), (Psns{103}));
    m_flight.Acknowledge(106);
    EXPECT_TRUE(GetLost().empty());
    EXPECT_EQ(m_flight.GetDscp(106), HIGH);
}

TEST_F(RdmaFlightTest, AProbeCountsAsSentButIsNoPacket)
{
    Send(100, 105, LOW);
    Send(105, 110, HIGH);
    EXPECT_EQ(m_flight.GetDscp(100), LOW);
    EXPECT_EQ(m_flight.GetRoundEnd(100), 105U);
    const uint32_t probe = m_flight.Send(110, LOW, true);
    EXPECT_EQ(probe, 2U);
    EXPECT_EQ(m_flight.Send(110, HIGH, false), 3U);
    EXPECT_EQ(m_flight.FindLost(104, 111, 110, probe), 104U);
    EXPECT_EQ(GetLost(), (Psns{104})) << "the only missing one of its lane";
}

TEST_F(RdmaFlightTest, GoingBackBeginsARoundInAnyCase)
{
    Send(100, 110, LOW);
    EXPECT_EQ(m_flight.GoBack(104), 1U);
    EXPECT_EQ(Send(104, 106, LOW), 1U);
    EXPECT_EQ(m_flight.GetRoundEnd(104), 106U);
    EXPECT_EQ(m_flight.GoBack(106), 2U);
    EXPECT_EQ(Send(110, 112, LOW), 2U) << "a late acknowledgement moved it on";
}

TEST_F(RdmaFlightTest, RoundsAreToldBySevenBits)
{
    uint32_t round = 0;
    for (uint64_t psn = 100; psn < 400; ++psn)
    {
        round = m_flight.Send(psn, psn % 2 == 0 ? LOW : HIGH, false);
    }
    EXPECT_EQ(round, 299U);
    EXPECT_EQ(m_flight.GetRound(299 % 128), 299U);
    EXPECT_EQ(m_flight.GetRound(298 % 128), 298U);
    EXPECT_EQ(m_flight.GetRound(300 % 128), 172U) << "the latest one that there was";
    m_flight.Acknowledge(397);
    EXPECT_EQ(m_flight.FindLost(397, 400, 399, 299), 397U);
    EXPECT_EQ(GetLost(), (Psns{397})) << "397 and 399 are HIGH, 398 is LOW";
}

} // namespace
} // namespace ns3::ddl
