// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-sending-stream.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Has acknowledged what the test says. */
class ManualStream : public SendingStream
{
  public:
    ManualStream()
        : SendingStream({{0}, {}, {0}}, {1})
    {
    }

    void Arrive(uint64_t bytes)
    {
        NotifyAcknowledged(bytes);
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

  private:
    void DoSend(uint64_t, const MessageTag&) override
    {
    }

    void DoSetMark(Mark) override
    {
    }

    void DoClose() override
    {
        NotifyReleased();
    }
};

class DemotionTest : public testing::Test
{
  protected:
    void SetDemotionThresholds(const std::vector<uint64_t>& thresholds)
    {
        m_stream->SetDemotionThresholds(thresholds, MakeCallback(&DemotionTest::Note, this));
    }

    void Note()
    {
        m_demotions.push_back(m_stream->GetDemotion());
        if (m_closeAt == m_stream->GetDemotion())
        {
            m_stream->Close();
        }
    }

    Ptr<ManualStream> m_stream{CreateObject<ManualStream>()};
    std::vector<uint32_t> m_demotions;
    uint32_t m_closeAt{UINT32_MAX};
};

using Demotions = std::vector<uint32_t>;

TEST_F(DemotionTest, RisesWithTheBytesOfAMessageAndFallsWithTheNext)
{
    SetDemotionThresholds({10, 20});
    m_stream->Send(30);
    m_stream->Send(15);
    m_stream->Arrive(9);
    EXPECT_EQ(m_demotions, Demotions{});
    m_stream->Arrive(1); // 10 of 30
    m_stream->Arrive(15);
    EXPECT_EQ(m_demotions, (Demotions{1, 2}));
    m_stream->Arrive(5); // 30 of 30: the second one has nothing yet
    EXPECT_EQ(m_demotions, (Demotions{1, 2, 0}));
    m_stream->Arrive(10);
    m_stream->Arrive(5);
    EXPECT_EQ(m_demotions, (Demotions{1, 2, 0, 1, 0})); // idle
}

TEST_F(DemotionTest, SkipsDemotionsAndMessages)
{
    SetDemotionThresholds({1, 2, 3});
    m_stream->Send(5);
    m_stream->Send(5);
    m_stream->Send(5);
    m_stream->Arrive(12); // 2 bytes into the third
    EXPECT_EQ(m_demotions, (Demotions{2}));
}

TEST_F(DemotionTest, WithoutOneNobodyIsCalled)
{
    m_stream->Send(5);
    m_stream->Arrive(5);
    EXPECT_TRUE(m_demotions.empty());
}

TEST_F(DemotionTest, MayCloseTheStream)
{
    m_closeAt = 1;
    SetDemotionThresholds({1});
    m_stream->Send(5);
    m_stream->Arrive(2);
    EXPECT_EQ(m_demotions, Demotions{1});
    EXPECT_TRUE(m_stream->GetSentBytes() > 0);
}

} // namespace
