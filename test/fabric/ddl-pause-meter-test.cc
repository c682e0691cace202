// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-pause-meter.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace
{

/** Threshold 1000, headroom 500, on again at 1000 - 300 = 700. */
class PauseMeterTest : public ::testing::Test
{
  protected:
    PauseMeterTest()
        : m_meter([this](uint32_t ingress, uint32_t queue, bool paused) {
              m_signals.push_back(std::to_string(ingress) + (paused ? " stop " : " go ") +
                                  std::to_string(queue));
          })
    {
        m_meter.SetLimits(0, {1000, 500, 300});
        m_meter.SetLimits(2, {1000, 500, 300});
    }

    std::vector<std::string> m_signals;
    PauseMeter m_meter;
};

TEST_F(PauseMeterTest, StopsBeyondTheThresholdAndGoesOnBelowTheHysteresis)
{
    EXPECT_TRUE(m_meter.Admit(2, 3, 1000)); // at the threshold, not beyond
    EXPECT_TRUE(m_signals.empty());
    EXPECT_TRUE(m_meter.Admit(2, 3, 1));
    EXPECT_TRUE(m_meter.Admit(2, 3, 99)); // told once
    EXPECT_EQ(m_signals, (std::vector<std::string>{"2 stop 3"}));
    m_meter.Release(2, 3, 399); // 701 left
    EXPECT_EQ(m_signals.size(), 1U);
    m_meter.Release(2, 3, 1);
    EXPECT_EQ(m_signals, (std::vector<std::string>{"2 stop 3", "2 go 3"}));
}

TEST_F(PauseMeterTest, HasNoRoomBeyondTheHeadroom)
{
    EXPECT_TRUE(m_meter.Admit(0, 0, 1500));
    EXPECT_FALSE(m_meter.Admit(0, 0, 1));
    EXPECT_EQ(m_meter.GetBytes(0, 0), 1500U) << "what is refused does not count";
    EXPECT_TRUE(m_meter.Admit(0, 1, 1500)) << "queues have room of their own";
    EXPECT_TRUE(m_meter.Admit(2, 0, 1500)) << "and ports";
}

TEST_F(PauseMeterTest, ForgetsPausesOfALinkThatFell)
{
    m_meter.Admit(0, 5, 1400);
    m_meter.Reset(0);
    m_meter.Release(0, 5, 300); // still 1100: nothing to say
    EXPECT_EQ(m_signals, (std::vector<std::string>{"0 stop 5"}));
    m_meter.Admit(0, 5, 1);
    EXPECT_EQ(m_signals, (std::vector<std::string>{"0 stop 5", "0 stop 5"}));
}

TEST_F(PauseMeterTest, SignalsAlternateOverRandomTraffic)
{
    std::mt19937 random(1);
    std::vector<uint32_t> held;
    uint64_t sum = 0;
    for (int i = 0; i < 100000; ++i)
    {
        const uint32_t bytes = 1 + random() % 200;
        if (random() % 2 == 0)
        {
            const bool room = sum + bytes <= 1500;
            ASSERT_EQ(m_meter.Admit(0, 1, bytes), room);
            if (room)
            {
                held.push_back(bytes);
                sum += bytes;
            }
        }
        else if (!held.empty())
        {
            m_meter.Release(0, 1, held.back());
            sum -= held.back();
            held.pop_back();
        }
        ASSERT_EQ(m_meter.GetBytes(0, 1), sum);
    }
    ASSERT_GT(m_signals.size(), 100U);
    for (std::size_t i = 0; i < m_signals.size(); ++i)
    {
        EXPECT_EQ(m_signals[i], i % 2 == 0 ? "0 stop 1" : "0 go 1");
    }
}

} // namespace
} // namespace ns3::ddl
