// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hpcc-rdma-congestion-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HpccRdmaCongestionControl);

TypeId
HpccRdmaCongestionControl::GetTypeId()
{
    using Self = HpccRdmaCongestionControl;
    static TypeId tid =
        TypeId("ns3::ddl::HpccRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<Self>()
            .AddAttribute("TargetUtilisation",
                          "Part of a link that is to be used (eta).",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Self::m_target),
                          MakeDoubleChecker<double>(0.01, 1.0))
            .AddAttribute("MaxStage",
                          "Additive increases after which a multiplicative one follows (maxStage, "
                          "MI_THRESH; 5 in the paper, 0 in the authors' script).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_stages),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("AdditiveIncrease",
                          "Added to the rate each time (R_AI); 0: a 2500th of the NIC's rate, 10 "
                          "Mbps at 25 Gbps, as in the authors' script.",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&Self::m_additive),
                          MakeDataRateChecker())
            .AddAttribute("MinRate",
                          "Rate below which it does not go; a slower NIC's rate is its least.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&Self::m_least),
                          MakeDataRateChecker())
            .AddAttribute("BaseRtt",
                          "Round trip without queues, by which window and backlogs are measured "
                          "(T); 0: the longest one of the network.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_baseRtt),
                          MakeTimeChecker(Time(0), Seconds(1000)));
    return tid;
}

void
HpccRdmaCongestionControl::Start(const Path& path)
{
    constexpr double PART = 2500;
    m_line = static_cast<double>(path.lineRate.GetBitRate());
    const auto additive = static_cast<double>(m_additive.GetBitRate());
    m_increase = additive > 0 ? additive : m_line / PART;
    m_floor = std::clamp(static_cast<double>(m_least.GetBitRate()), 1.0, m_line);
    m_roundTrip = (m_baseRtt.IsZero() ? path.baseRtt : m_baseRtt).GetSeconds();
    m_packet = path.packetBytes;
    m_reference = m_line;
    m_rate = m_line;
    m_window = CountWindow();
}

/** \return packets that are in flight at the present rate within the base round trip, at least 1 */
uint32_t
HpccRdmaCongestionControl::CountWindow() const
{
    constexpr double MOST = 1U << 30; // as many packets as windows may have
    return static_cast<uint32_t>(
        std::clamp(std::ceil(m_rate * m_roundTrip / 8 / m_packet), 1.0, MOST));
}

void
HpccRdmaCongestionControl::OnAck(const RdmaAck& ack)
{
    if (!ack.path)
    {
        return;
    }
    const bool isComparable = IsComparable(ack);
    const bool isNewRound = ack.acknowledged > m_roundEnd;
    if (isComparable && Measure(*ack.path))
    {
        SetRate(isNewRound);
    }
    m_last = *ack.path;
    m_lastTime = ack.now;
    m_isKnown = true;
    if (isNewRound)
    {
        m_roundEnd = ack.next;
    }
}

/** \return whether the records can be compared with the last ones */
bool
HpccRdmaCongestionControl::IsComparable(const RdmaAck& ack) const
{
    constexpr int64_t HALF = int64_t{1}
                             << (PathTelemetry::TIME_BITS - 1); // ns, half a turn of the clocks
    return m_isKnown && ack.path->path == m_last.path && ack.path->hops == m_last.hops &&
           (ack.now - m_lastTime).GetNanoSeconds() < HALF;
}

/** Update U from the records (function MeasureInflight). \return whether time has passed */
bool
HpccRdmaCongestionControl::Measure(const PathTelemetry& path)
{
    double most = 0;
    double tau = 0;
    for (uint32_t i = 0; i < path.GetRecords(); ++i)
    {
        const auto& now = path.hop[i];
        const auto& before = m_last.hop[i];
        const double passed = now.TimeSince(before) * 1e-9;
        if (passed <= 0 || passed > 1e-9 * (1U << (PathTelemetry::TIME_BITS - 1)))
        {
            continue; // the answer to the same packet, or to an earlier one
        }
        const auto rate = static_cast<double>(now.rate.GetBitRate());
        const double sent = now.SentSince(before) * 8.0 / passed / rate; // line 5
        const double waits = std::min(now.backlog, before.backlog) * 8.0 / (rate * m_roundTrip);
        if (sent + waits > most) // lines 6 to 8
        {
            most = sent + waits;
            tau = passed;
        }
    }
    const double weight = std::min(tau, m_roundTrip) / m_roundTrip; // lines 9 and 10
    m_utilisation += weight * (most - m_utilisation);
    return tau > 0;
}

/** Set rate and window (function ComputeWind); the reference follows once per round. */
void
HpccRdmaCongestionControl::SetRate(bool isNewRound)
{
    const double excess = m_utilisation / m_target;
    const bool isMultiplicative = excess >= 1 || m_stage >= m_stages;
    const double rate = isMultiplicative ? m_reference / excess + m_scale * m_increase // line 13
                                         : m_reference + m_scale * m_increase;         // line 17
    m_rate = std::clamp(rate, m_floor, m_line);
    if (isNewRound)
    {
        m_stage = isMultiplicative ? 0 : m_stage + 1;
        m_reference = m_rate;
    }
    m_window = CountWindow();
}

Time
HpccRdmaCongestionControl::GetGap(uint32_t bytes) const
{
    return m_rate < m_line ? Seconds(bytes * 8.0 / m_rate) : Time();
}

} // namespace ns3::ddl
