// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dcqcn-rdma-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnRdmaCongestionControl);

TypeId
DcqcnRdmaCongestionControl::GetTypeId()
{
    using Self = DcqcnRdmaCongestionControl;
    static TypeId tid =
        TypeId("ns3::ddl::DcqcnRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<Self>()
            .AddAttribute("Gain",
                          "Weight of the newest period in alpha (g, figure 14 of the paper).",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Self::m_gain),
                          MakeDoubleChecker<double>(1e-6, 1.0))
            // Missed periods are processed one by one, so timers must not be arbitrarily short.
            .AddAttribute("NotificationInterval",
                          "Least time between two notifications from a receiver (N, section 3.1).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Self::m_notificationInterval),
                          MakeTimeChecker(MicroSeconds(1), Seconds(1000)))
            .AddAttribute("AlphaTimer",
                          "Time without notification after which alpha decays (K).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Self::m_alphaTimer),
                          MakeTimeChecker(MicroSeconds(1), Seconds(1000)))
            .AddAttribute("RateTimer",
                          "Period of the timer that raises the rate (T).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Self::m_rateTimer),
                          MakeTimeChecker(MicroSeconds(1), Seconds(1000)))
            .AddAttribute("ByteCounter",
                          "Bytes after which the rate rises, too (B).",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&Self::m_byteCounter),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("FastRecovery",
                          "Steps of fast recovery (F).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_fastRecovery),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("AdditiveIncrease",
                          "Step of the target rate after fast recovery (R_AI).",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&Self::m_additive),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Step after both counters have passed F (R_HAI; QCN's ratio of ten).",
                          DataRateValue(DataRate("400Mbps")),
                          MakeDataRateAccessor(&Self::m_hyper),
                          MakeDataRateChecker())
            .AddAttribute("ClampTarget",
                          "Whether each notification lowers the target rate to the present one, "
                          "as in the paper; else only the first one after an increase does, as "
                          "in NICs (clamp_tgt_rate).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_clampTarget),
                          MakeBooleanChecker())
            .AddAttribute("MinRate",
                          "Rate below which it does not go.",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&Self::m_least),
                          MakeDataRateChecker())
            .AddAttribute("Window",
                          "Bytes that may be in flight.",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&Self::m_windowBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30));
    return tid;
}

void
DcqcnRdmaCongestionControl::Start(const Path& path)
{
    m_line = static_cast<double>(path.lineRate.GetBitRate());
    if (m_least.GetBitRate() == 0 || m_least > path.lineRate)
    {
        throw InputError("DcqcnRdmaCongestionControl::MinRate must be above 0 and not above the "
                         "rate of the NIC");
    }
    m_rate = m_line;
    m_target = m_line;
    m_window = std::max(1U, m_windowBytes / path.packetBytes);
}

void
DcqcnRdmaCongestionControl::OnLoss(Time now)
{
    OnNotification(now);
}

/** Apply Equation 1, and reset all counters. Where a queue outlasts a notification interval,
 * several come before the first increase: if each lowered the target, flows would have nothing to
 * recover to. */
void
DcqcnRdmaCongestionControl::OnNotification(Time now)
{
    Advance(now);
    if (m_clampTarget || m_timerStage > 0 || m_byteStage > 0)
    {
        m_target = m_rate;
    }
    m_rate = std::max(m_rate * (1 - m_alpha / 2), static_cast<double>(m_least.GetBitRate()));
    m_alpha = (1 - m_gain) * m_alpha + m_gain;
    m_limited = true;
    m_notified = true;
    m_nextAlpha = now + m_alphaTimer;
    m_nextIncrease = now + m_rateTimer;
    m_bytes = 0;
    m_timerStage = 0;
    m_byteStage = 0;
}

void
DcqcnRdmaCongestionControl::OnSend(uint32_t bytes, Time now)
{
    if (!m_limited)
    {
        return;
    }
    Advance(now);
    m_bytes += bytes;
    if (m_bytes >= m_byteCounter)
    {
        m_bytes -= m_byteCounter;
        ++m_byteStage;
        Increase();
    }
}

/** Apply the expiries of the timers since the last call. */
void
DcqcnRdmaCongestionControl::Advance(Time now)
{
    if (m_notified)
    {
        DecayAlpha(now);
    }
    while (m_limited && m_nextIncrease <= now)
    {
        m_nextIncrease += m_rateTimer;
        ++m_timerStage;
        Increase();
    }
}

/** Apply Equation 2, once per whole AlphaTimer since the last call. */
void
DcqcnRdmaCongestionControl::DecayAlpha(Time now)
{
    if (m_nextAlpha > now)
    {
        return;
    }
    const int64_t periods = 1 + (now - m_nextAlpha).GetTimeStep() / m_alphaTimer.GetTimeStep();
    m_alpha *= std::pow(1 - m_gain, static_cast<double>(periods));
    m_nextAlpha += TimeStep(periods * m_alphaTimer.GetTimeStep());
}

/** Increase the rate as in section 3.1, "rate increase", which is that of QCN. */
void
DcqcnRdmaCongestionControl::Increase()
{
    if (std::min(m_timerStage, m_byteStage) > m_fastRecovery)
    {
        const uint32_t steps = std::min(m_timerStage, m_byteStage) - m_fastRecovery;
        m_target += m_scale * steps * static_cast<double>(m_hyper.GetBitRate());
    }
    else if (std::max(m_timerStage, m_byteStage) >= m_fastRecovery)
    {
        m_target += m_scale * static_cast<double>(m_additive.GetBitRate());
    }
    m_target = std::min(m_target, m_line);
    m_rate = (m_rate + m_target) / 2;
    if (m_rate > 0.999 * m_line) // halving the distance would go on for ever
    {
        m_rate = m_line;
        m_target = m_line;
        m_limited = false;
    }
}

Time
DcqcnRdmaCongestionControl::GetGap(uint32_t bytes) const
{
    return m_limited ? Seconds(bytes * 8.0 / m_rate) : Time();
}

} // namespace ns3::ddl
