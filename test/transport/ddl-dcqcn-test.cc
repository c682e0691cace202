// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"
#include "ddl-transport-fixture.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-dcqcn-rdma-congestion-control.h"
#include "ns3/ddl-error.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::ddl
{
namespace
{

constexpr double GAIN = 1.0 / 256;
constexpr double GIGA = 1e9;

Ptr<DcqcnRdmaCongestionControl>
MakeControl(uint64_t byteCounter = 10000000, bool clampTarget = true)
{
    auto control = CreateObject<DcqcnRdmaCongestionControl>();
    control->SetAttribute("ClampTarget", BooleanValue(clampTarget));
    control->SetAttribute("ByteCounter", UintegerValue(byteCounter));
    RdmaCongestionControl::Path path;
    path.lineRate = DataRate("10Gbps");
    path.packetBytes = 1500;
    control->Start(path);
    return control;
}

TEST(DcqcnTest, NotificationsCutTheRateByAlpha)
{
    const auto control = MakeControl();
    EXPECT_DOUBLE_EQ(control->GetRate(), 10 * GIGA);
    EXPECT_EQ(control->GetGap(1250), Time()) << "as fast as the NIC can";
    control->OnNotification(MicroSeconds(100)); // equation 1 with alpha 1
    EXPECT_DOUBLE_EQ(control->GetRate(), 5 * GIGA);
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 1);          // 255/256 x 1 + 1/256
    EXPECT_EQ(control->GetGap(1250), MicroSeconds(2)); // 10,000 bits at 5 Gbps
    // After 55 us without one: alpha x 255/256 (equation 2), and halfway back up.
    control->OnSend(1500, MicroSeconds(155));
    EXPECT_DOUBLE_EQ(control->GetAlpha(), 1 - GAIN);
    EXPECT_DOUBLE_EQ(control->GetRate(), 7.5 * GIGA);
    // 7.5 x (1 - 0.99609375 / 2) = 3.7646484375
    control->OnNotification(MicroSeconds(160));
    EXPECT_DOUBLE_EQ(control->GetRate(), 3.7646484375 * GIGA);
    EXPECT_DOUBLE_EQ(control->GetAlpha(), (1 - GAIN) * (1 - GAIN) + GAIN);
}

TEST(DcqcnTest, NotificationsInARowLeaveTheTarget)
{
    const auto control = MakeControl(10000000, false);
    control->OnNotification(MicroSeconds(0));
    control->OnNotification(MicroSeconds(50)); // target 10, rate 2.5
    EXPECT_DOUBLE_EQ(control->GetRate(), 2.5 * GIGA);
    control->OnSend(1500, MicroSeconds(105)); // (2.5 + 10) / 2
    EXPECT_DOUBLE_EQ(control->GetRate(), 6.25 * GIGA);
    control->OnNotification(MicroSeconds(106)); // after an increase: target 6.25
    const double rate = control->GetRate();
    control->OnSend(1500, MicroSeconds(161));
    EXPECT_DOUBLE_EQ(control->GetRate(), (rate + 6.25 * GIGA) / 2);
}

TEST(DcqcnTest, RecoversFastAndThenAdds)
{
    const auto control = MakeControl();
    control->OnNotification(MicroSeconds(0));
    control->OnNotification(MicroSeconds(10)); // target 5, rate 2.5
    EXPECT_DOUBLE_EQ(control->GetRate(), 2.5 * GIGA);
    // Timer stages 1 to 4 halve the distance of 2.5: 1.25, 0.625, 0.3125, 0.15625
    for (int stage = 1; stage <= 4; ++stage)
    {
        control->OnSend(1500, MicroSeconds(10 + 55 * stage));
        EXPECT_DOUBLE_EQ(control->GetRate(), (5 - 2.5 / (1 << stage)) * GIGA);
    }
    // Stage 5 = F: target 5.04, rate (4.84375 + 5.04) / 2
    control->OnSend(1500, MicroSeconds(10 + 55 * 5));
    EXPECT_DOUBLE_EQ(control->GetRate(), 4.941875 * GIGA);
    // Stage 6: target 5.08
    control->OnSend(1500, MicroSeconds(10 + 55 * 6));
    EXPECT_DOUBLE_EQ(control->GetRate(), 5.0109375 * GIGA);
}

TEST(DcqcnTest, HyperIncreaseWhereTimerAndBytesHavePassedF)
{
    const auto control = MakeControl(1000);
    control->OnNotification(MicroSeconds(0));
    control->OnNotification(MicroSeconds(10)); // target 5, rate 2.5
    for (int i = 0; i < 6; ++i)                // byte stages 1 to 6 of 1000 bytes
    {
        control->OnSend(1000, MicroSeconds(11));
    }
    EXPECT_DOUBLE_EQ(control->GetRate(), 5.0109375 * GIGA) << "as with the timer";
    // Timer stages 1 to 5: min(T, BC) <= F, five times 40 Mbps more: target 5.28
    double target = 5.08;
    double rate = 5.0109375;
    for (int stage = 1; stage <= 5; ++stage)
    {
        control->OnSend(0, MicroSeconds(10 + 55 * stage));
        target += 0.04;
        rate = (rate + target) / 2;
        EXPECT_NEAR(control->GetRate(), rate * GIGA, 10);
    }
    // Stage 6: min(6, 6) - 5 = 1 step of 400 Mbps: target 5.68
    control->OnSend(0, MicroSeconds(10 + 55 * 6));
    EXPECT_NEAR(control->GetRate(), (rate + 5.68) / 2 * GIGA, 10);
}

TEST(DcqcnTest, GoesBackToLineRateAndStaysAboveItsLeast)
{
    const auto control = MakeControl();
    for (int i = 0; i < 100; ++i)
    {
        control->OnNotification(MicroSeconds(50 * i));
    }
    EXPECT_DOUBLE_EQ(control->GetRate(), 0.01 * GIGA);
    control->OnSend(1500, Seconds(3600)); // all that an hour's timers would have done
    EXPECT_DOUBLE_EQ(control->GetRate(), 10 * GIGA);
    EXPECT_EQ(control->GetGap(1500), Time());
    EXPECT_LT(control->GetAlpha(), 1e-9);
}

TEST(DcqcnTest, RefusesALeastRateThatTheNicHasNot)
{
    auto control = CreateObject<DcqcnRdmaCongestionControl>();
    RdmaCongestionControl::Path path;
    path.packetBytes = 1500;
    path.lineRate = DataRate("1Mbps");
    EXPECT_THROW(control->Start(path), InputError);
    path.lineRate = DataRate("10Mbps");
    EXPECT_NO_THROW(control->Start(path));
    control->SetAttribute("MinRate", DataRateValue(DataRate("0bps")));
    EXPECT_THROW(control->Start(path), InputError);
}

/** The paper's algorithm with timers that really run, one step of time after the other. */
class EagerDcqcn
{
  public:
    EagerDcqcn(uint64_t byteCounter, bool clampTarget)
        : m_byteCounter(byteCounter),
          m_clampTarget(clampTarget)
    {
    }

    void Run(int64_t untilNs)
    {
        while (std::min(m_alphaAt, m_rateAt) <= untilNs)
        {
            if (m_alphaAt <= m_rateAt)
            {
                m_alpha *= 1 - GAIN;
                m_alphaAt += 55000;
            }
            else
            {
                m_rateAt += 55000;
                ++m_timer;
                Increase();
            }
        }
    }

    void Notify(int64_t now)
    {
        Run(now);
        m_target = m_clampTarget || m_timer + m_bytesStage > 0 ? m_rate : m_target;
        m_rate = std::max(m_rate * (1 - m_alpha / 2), 0.01 * GIGA);
        m_alpha = (1 - GAIN) * m_alpha + GAIN;
        m_alphaAt = now + 55000;
        m_rateAt = now + 55000;
        m_timer = m_bytesStage = 0;
        m_bytes = 0;
    }

    void Send(uint32_t bytes, int64_t now)
    {
        Run(now);
        if (m_rateAt == NEVER)
        {
            return;
        }
        m_bytes += bytes;
        if (m_bytes >= m_byteCounter)
        {
            m_bytes -= m_byteCounter;
            ++m_bytesStage;
            Increase();
        }
    }

    double m_rate{10 * GIGA};
    double m_alpha{1};

  private:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    void Increase()
    {
        const int least = std::min(m_timer, m_bytesStage);
        const int most = std::max(m_timer, m_bytesStage);
        const double step = least > 5 ? 0.4 * (least - 5) : most >= 5 ? 0.04 : 0;
        m_target = std::min(m_target + step * GIGA, 10 * GIGA);
        m_rate = (m_rate + m_target) / 2;
        if (m_rate > 9.99 * GIGA)
        {
            m_rate = m_target = 10 * GIGA;
            m_rateAt = NEVER;
        }
    }

    uint64_t m_byteCounter;
    bool m_clampTarget;
    double m_target{10 * GIGA};
    uint64_t m_bytes{0};
    int m_timer{0};
    int m_bytesStage{0};
    int64_t m_alphaAt{NEVER};
    int64_t m_rateAt{NEVER};
};

TEST(DcqcnTest, TimersEvaluatedLateEqualTimersThatRun)
{
    std::mt19937 random(7);
    for (const uint64_t byteCounter : {uint64_t{10000}, uint64_t{10000000}})
    {
        const bool clampTarget = byteCounter > 10000;
        const auto lazy = MakeControl(byteCounter, clampTarget);
        EagerDcqcn eager(byteCounter, clampTarget);
        int64_t now = 0;
        for (int i = 0; i < 200000; ++i)
        {
            const uint32_t longest = random() % 1000 == 0 ? 10000000 : 2000;
            now += random() % longest;
            if (random() % 200 == 0)
            {
                lazy->OnNotification(NanoSeconds(now));
                eager.Notify(now);
            }
            else
            {
                lazy->OnSend(1500, NanoSeconds(now));
                eager.Send(1500, now);
            }
            ASSERT_NEAR(lazy->GetRate(), eager.m_rate, 1e-6 * eager.m_rate) << "event " << i;
        }
        lazy->OnNotification(NanoSeconds(now));
        eager.Notify(now);
        EXPECT_NEAR(lazy->GetAlpha(), eager.m_alpha, 1e-9);
    }
}

/** Flows of 5 MB at 100 Gbps, in packets of 1000 bytes of data, held back by nothing else. */
class DcqcnNetwork : public TransportFixture
{
  protected:
    /** \return time of the last flow, us. \param threshold bytes above which the port marks */
    double Run(uint32_t flows, uint64_t threshold, bool clampTarget)
    {
        const std::string name = "ns3::ddl::DcqcnRdmaCongestionControl::";
        Config::SetDefault(name + "Window", UintegerValue(1U << 30));
        Config::SetDefault(name + "ClampTarget", BooleanValue(clampTarget));
        TopologySpec topology = SingleSwitch(flows + 1);
        topology.hostRate = DataRate("100Gbps");
        topology.mtu = 1044;
        PortSpec ports;
        ports.limit = 32'000'000;
        ports.ecnThreshold = threshold;
        const Attributes attributes{{"CongestionControl", "dcqcn"}, {"AckInterval", "1"}};
        Build(topology, attributes, ports, {}, "rdma");
        double last = 0;
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source <= flows; ++source)
            {
                Open(source, 0)->Send(5'000'000, Then([&last] {
                                          last = (Simulator::Now() - Seconds(1)).GetSeconds() * 1e6;
                                      }));
            }
        });
        Simulator::Run();
        EXPECT_EQ(CountDrops(), 0U);
        TransportFixture::TearDown();
        return last;
    }

    ProcessStateGuard m_guard;
};

/**
 * HPCC's authors' simulator (their third.cc: the same network, RATE_AI 40, RATE_HAI 400,
 * FAST_RECOVERY_TIMES 5, RP_TIMER 55, RATE_DECREASE_INTERVAL 50, no window, KMIN = KMAX) takes 419
 * us for one flow, and for the last of two 1095, 1088, 931, 882 and 844 us.
 */
TEST_F(DcqcnNetwork, TwoFlowsThatStartTogetherAreSoonFair)
{
    const double alone = Run(1, 100'000, false);
    EXPECT_NEAR(alone, 419, 0.05 * 419);
    const std::vector<std::pair<uint64_t, double>> theirs{{50'000, 1095},
                                                          {100'000, 1088},
                                                          {200'000, 931},
                                                          {400'000, 882},
                                                          {800'000, 844}};
    for (const auto& [threshold, last] : theirs)
    {
        EXPECT_NEAR(Run(2, threshold, false), last, 0.15 * last) << threshold;
        EXPECT_LT(Run(2, threshold, false), 2.4 * alone) << threshold;
    }
    EXPECT_GT(Run(2, 400'000, true), 5 * alone) << "each notification lowers the target";
}

} // namespace
} // namespace ns3::ddl
