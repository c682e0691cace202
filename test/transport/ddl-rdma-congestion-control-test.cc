// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"
#include "ddl-slow.h"

#include "ns3/ddl-dctcp-rdma-congestion-control.h"
#include "ns3/ddl-fixed-rdma-congestion-control.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <random>
#include <typeinfo>

namespace ns3::ddl
{
namespace
{

RdmaCongestionControl::Path
MakeRoute(const std::string& rate = "10Gbps", uint32_t bytes = 1500)
{
    RdmaCongestionControl::Path path;
    path.lineRate = DataRate(rate);
    path.packetBytes = bytes;
    return path;
}

/** What every congestion control must do. Runs over all registered ones. */
class RdmaCongestionControlConformance : public ::testing::TestWithParam<test::Variant>
{
  protected:
    void ExpectSane(const RdmaCongestionControl& control)
    {
        EXPECT_GE(control.GetWindow(), 1U);
        for (const uint32_t bytes : {44, 1500, 9000})
        {
            EXPECT_FALSE(control.GetGap(bytes).IsStrictlyNegative());
            EXPECT_TRUE(control.PacesPackets() || control.GetGap(bytes).IsZero());
            EXPECT_LE(control.GetGap(bytes), Seconds(1));
        }
        EXPECT_EQ(control.GetNotificationInterval(), m_interval) << "asked for once, at the start";
    }

    /** One random event. */
    void Step(RdmaCongestionControl& control)
    {
        m_now += NanoSeconds(m_random() % (m_random() % 10 == 0 ? 1000000000 : 20000));
        const uint32_t what = m_random() % 10;
        if (what < 5)
        {
            control.OnSend(64 + m_random() % 8937, m_now);
            ++m_next;
        }
        else if (what < 8)
        {
            RdmaAck ack;
            ack.packets = static_cast<uint32_t>(m_random() % (m_next - m_acknowledged + 1));
            m_acknowledged += ack.packets;
            ack.marked = m_random() % 3 == 0 ? m_random() % 100 : 0; // more than packets: copies
            ack.acknowledged = m_acknowledged;
            ack.next = m_next;
            ack.windowLimited = m_random() % 2 == 0;
            ack.now = m_now;
            ack.roundTrip = NanoSeconds(m_random() % 2 == 0 ? m_random() % 1000000000 : 0);
            ack.hops = m_random() % 16;
            const PathTelemetry path = MakePath(); // any: links change, and answers overtake
            ack.path = m_random() % 4 > 0 ? &path : nullptr;
            control.OnAck(ack);
        }
        else if (what == 8)
        {
            control.OnLoss(m_now);
            m_next = m_acknowledged;
        }
        else
        {
            control.OnNotification(m_now);
        }
    }

    PathTelemetry MakePath()
    {
        PathTelemetry path;
        path.hops = m_random() % 16;
        path.path = m_random() % 2;
        for (auto& hop : path.hop)
        {
            hop.rate = DataRate(m_random() % 2 == 0 ? "10Mbps" : "400Gbps");
            hop.time = m_random() % (1U << PathTelemetry::TIME_BITS);
            hop.sent = m_random() % (1U << PathTelemetry::SENT_BITS);
            hop.backlog = m_random() % 5000000;
        }
        return path;
    }

    std::mt19937 m_random{1};
    Time m_now;
    Time m_interval;
    uint64_t m_next{0};
    uint64_t m_acknowledged{0};
};

TEST_P(RdmaCongestionControlConformance, StaysSaneWhateverHappens)
{
    const int steps = HowOften(5000, 20000);
    for (const std::string rate : {"10Mbps", "10Gbps", "400Gbps"})
    {
        for (const uint32_t bytes : {576, 1500, 9000})
        {
            const auto control = GetParam().Create<RdmaCongestionControl>();
            control->Start(MakeRoute(rate, bytes));
            m_interval = control->GetNotificationInterval();
            ExpectSane(*control);
            EXPECT_TRUE(control->GetGap(1500).IsZero()) << "line rate until something is seen";
            for (int i = 0; i < steps; ++i)
            {
                Step(*control);
                ExpectSane(*control);
                ASSERT_FALSE(HasFailure());
            }
        }
    }
}

TEST_P(RdmaCongestionControlConformance, AnswersNoAcknowledgementOfNothing)
{
    const auto control = GetParam().Create<RdmaCongestionControl>();
    control->Start(MakeRoute());
    const uint32_t window = control->GetWindow();
    for (int i = 0; i < 100; ++i)
    {
        control->OnAck(RdmaAck());
    }
    EXPECT_EQ(control->GetWindow(), window);
}

TEST_P(RdmaCongestionControlConformance, ForksAreOfItsClassAndIndependent)
{
    const auto control = GetParam().Create<RdmaCongestionControl>();
    const auto fork = control->Fork();
    EXPECT_EQ(typeid(*PeekPointer(fork)), typeid(*PeekPointer(control)));
    EXPECT_EQ(fork->GetInstanceTypeId(), control->GetInstanceTypeId());
    control->Start(MakeRoute());
    fork->Start(MakeRoute());
    const uint32_t window = control->GetWindow();
    m_interval = fork->GetNotificationInterval();
    for (int i = 0; i < 100; ++i)
    {
        Step(*fork);
    }
    EXPECT_EQ(control->GetWindow(), window);
}

TEST_P(RdmaCongestionControlConformance, HasASummary)
{
    EXPECT_FALSE(GetParam().Create<RdmaCongestionControl>()->GetSummary().empty());
}

INSTANTIATE_TEST_SUITE_P(
    All,
    RdmaCongestionControlConformance,
    testing::ValuesIn(test::ListVariants(RdmaCongestionControl::GetTypeId(),
                                         {{"MinRate", {"1Mbps"}},
                                          {"AdditiveIncrease", {"0bps", "100Gbps"}},
                                          {"HyperIncrease", {"0bps", "100Gbps"}}})),
    test::NameOf);

/** One that does not say how it is copied. */
class PlainDctcp : public DctcpRdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::test::PlainDctcp")
                                .SetParent<DctcpRdmaCongestionControl>()
                                .AddConstructor<PlainDctcp>();
        return tid;
    }
};

TEST(RdmaCongestionControlTest, ForksAreNotOfTheBaseClass)
{
    const auto fork = CreateObject<PlainDctcp>()->Fork();
    EXPECT_TRUE(DynamicCast<PlainDctcp>(fork));
    EXPECT_EQ(fork->GetInstanceTypeId(), PlainDctcp::GetTypeId());
}

RdmaAck
MakeAck(uint32_t packets, uint32_t marked, uint64_t acknowledged, uint64_t next)
{
    RdmaAck ack;
    ack.packets = packets;
    ack.marked = marked;
    ack.acknowledged = acknowledged;
    ack.next = next;
    ack.windowLimited = true;
    return ack;
}

TEST(DctcpRdmaCongestionControlTest, ThreeWindowsByHand)
{
    const auto control = CreateObject<DctcpRdmaCongestionControl>();
    control->Start(MakeRoute());
    EXPECT_EQ(control->GetWindow(), 10U); // 15000 / 1500
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 1);
    // No mark: alpha = 15/16. Slow start: a packet for each that is acknowledged.
    control->OnAck(MakeAck(10, 0, 10, 30));
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 0.9375);
    EXPECT_EQ(control->GetWindow(), 20U);
    // Half of the first ten of the second window: no new alpha before its end at 30, but at the
    // first mark the window is cut at once, 20 x (1 - 0.9375 / 2) = 10.625
    control->OnAck(MakeAck(10, 5, 20, 40));
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 0.9375);
    EXPECT_EQ(control->GetWindow(), 10U);
    // All of the other ten: 15 of 20 in all, alpha = 0.9375 + (0.75 - 0.9375) / 16 = 0.92578125.
    // The cut was within a window (up to packet 40): not again.
    control->OnAck(MakeAck(10, 10, 30, 40));
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 0.92578125);
    EXPECT_EQ(control->GetWindow(), 10U);
    // Behind the cut: 10.625 + 10 / 10.625 = 11.566; no mark in this window, alpha x 15/16
    control->OnAck(MakeAck(10, 0, 40, 51));
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 0.92578125 * 15 / 16);
    EXPECT_EQ(control->GetWindow(), 11U);
    // 11.566 + 11 / 11.566 = 12.517: one packet a round trip
    control->OnAck(MakeAck(11, 0, 51, 63));
    EXPECT_EQ(control->GetWindow(), 12U);
}

TEST(DctcpRdmaCongestionControlTest, AlphaTendsToTheShareOfMarks)
{
    const auto control = CreateObject<DctcpRdmaCongestionControl>();
    control->Start(MakeRoute());
    for (uint64_t i = 1; i <= 200; ++i)
    {
        control->OnAck(MakeAck(4, 1, 4 * i, 4 * i + 4));
    }
    EXPECT_NEAR(control->GetAlpha(), 0.25, 1e-5); // 0.75 x (15/16)^200 = 2e-6 is left of 1 - 0.25
}

TEST(DctcpRdmaCongestionControlTest, CopiesWithMarksAreNoMoreThanAll)
{
    const auto control = CreateObject<DctcpRdmaCongestionControl>();
    control->Start(MakeRoute());
    for (uint64_t i = 1; i <= 100; ++i)
    {
        control->OnAck(MakeAck(1, 50, i, i + 1));
    }
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 1);
    EXPECT_EQ(control->GetWindow(), 1U);
}

TEST(DctcpRdmaCongestionControlTest, GrowsOnlyWhereTheWindowHoldsItBack)
{
    const auto control = CreateObject<DctcpRdmaCongestionControl>();
    control->Start(MakeRoute());
    RdmaAck ack = MakeAck(4, 0, 4, 8);
    ack.windowLimited = false;
    control->OnAck(ack);
    EXPECT_EQ(control->GetWindow(), 10U);
}

TEST(DctcpRdmaCongestionControlTest, WindowsAreBoundedAndLossesHalve)
{
    const auto control = CreateObject<DctcpRdmaCongestionControl>();
    control->SetAttribute("MaxWindow", UintegerValue(30000));
    control->Start(MakeRoute());
    control->OnAck(MakeAck(1000, 0, 1000, 2000));
    EXPECT_EQ(control->GetWindow(), 20U);
    control->OnLoss(Time());
    EXPECT_EQ(control->GetWindow(), 10U);
    const auto jumbo = CreateObject<DctcpRdmaCongestionControl>();
    jumbo->Start(MakeRoute("10Gbps", 9000));
    EXPECT_EQ(jumbo->GetWindow(), 1U); // 15000 / 9000
}

TEST(FixedRdmaCongestionControlTest, NeverChanges)
{
    const auto control = CreateObject<FixedRdmaCongestionControl>();
    control->Start(MakeRoute());
    EXPECT_EQ(control->GetWindow(), 40U); // 60000 / 1500
    control->OnLoss(Time());
    control->OnAck(MakeAck(10, 10, 10, 20));
    EXPECT_EQ(control->GetWindow(), 40U);
    control->SetAttribute("Window", UintegerValue(1));
    control->Start(MakeRoute());
    EXPECT_EQ(control->GetWindow(), 1U);
}

} // namespace
} // namespace ns3::ddl
