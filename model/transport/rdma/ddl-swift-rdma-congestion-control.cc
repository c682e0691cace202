// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-swift-rdma-congestion-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(SwiftRdmaCongestionControl);

TypeId
SwiftRdmaCongestionControl::GetTypeId()
{
    using Self = SwiftRdmaCongestionControl;
    static TypeId tid =
        TypeId("ns3::ddl::SwiftRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<Self>()
            .AddAttribute("BaseTarget",
                          "Target of the round trip of a large window, without switches.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Self::m_base),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
            .AddAttribute("HopTarget",
                          "Added to the target for each switch that data pass; by default 20 us "
                          "/ 6.55.",
                          TimeValue(NanoSeconds(3053)),
                          MakeTimeAccessor(&Self::m_perHop),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("ScalingRange",
                          "Most that is added to the target of a small window (fs_range).",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Self::m_range),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("MinScaledWindow",
                          "Window up to which all of ScalingRange is added, packets.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Self::m_leastScaled),
                          MakeDoubleChecker<double>(1e-3, 1.0))
            .AddAttribute("MaxScaledWindow",
                          "Window from which on nothing is added, packets.",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Self::m_mostScaled),
                          MakeDoubleChecker<double>(2.0, 1e6))
            .AddAttribute("Increase",
                          "Packets that a round trip below the target adds (ai).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_additive),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("Beta",
                          "Part of the excess over the target by which the window shrinks.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Self::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("MaxDecrease",
                          "Most by which the window shrinks at once, as a part of it (max_mdf).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_maxFactor),
                          MakeDoubleChecker<double>(0.0, 0.999))
            .AddAttribute("InitialWindow",
                          "Bytes sent before the first acknowledgement, one packet at least.",
                          UintegerValue(18000),
                          MakeUintegerAccessor(&Self::m_initialBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("MaxWindow",
                          "Bytes that may be in flight.",
                          UintegerValue(4000000),
                          MakeUintegerAccessor(&Self::m_maxBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("MinWindow",
                          "Least window, packets.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Self::m_leastWindow),
                          MakeDoubleChecker<double>(1e-3, 1.0));
    return tid;
}

void
SwiftRdmaCongestionControl::Start(const Path& path)
{
    const double packet = path.packetBytes;
    m_most = std::max(1.0, m_maxBytes / packet);
    m_window = std::clamp(m_initialBytes / packet, 1.0, m_most);
    // Section 3.2: all of the range at the least window, nothing at the greatest.
    const double low = 1 / std::sqrt(m_leastScaled);
    const double high = 1 / std::sqrt(m_mostScaled);
    m_alpha = m_range.GetSeconds() / (low - high);
    m_offset = -m_alpha * high;
}

Time
SwiftRdmaCongestionControl::GetTarget(uint32_t hops) const
{
    const double scaling = m_alpha / std::sqrt(m_window) + m_offset;
    return m_base + TimeStep(hops * m_perHop.GetTimeStep()) +
           Seconds(std::clamp(scaling, 0.0, m_range.GetSeconds()));
}

void
SwiftRdmaCongestionControl::OnAck(const RdmaAck& ack)
{
    if (!ack.roundTrip.IsStrictlyPositive())
    {
        return;
    }
    const Time target = GetTarget(ack.hops);
    if (ack.roundTrip < target)
    {
        if (ack.windowLimited)
        {
            m_window += m_scale * m_additive * ack.packets / std::max(1.0, m_window);
            m_window = std::min(m_window, m_most);
        }
    }
    else
    {
        const double excess = (ack.roundTrip - target).GetSeconds() / ack.roundTrip.GetSeconds();
        Shrink(std::max(1 - m_beta * excess, 1 - m_maxFactor), ack.now);
    }
    m_roundTrip = m_roundTrip.IsZero() ? ack.roundTrip : (7 * m_roundTrip + ack.roundTrip) / 8;
}

void
SwiftRdmaCongestionControl::OnLoss(Time now)
{
    Shrink(1 - m_maxFactor, now);
}

/** Shrink the window, once per round trip. */
void
SwiftRdmaCongestionControl::Shrink(double factor, Time now)
{
    if (!m_decreased || now - m_lastDecrease >= m_roundTrip)
    {
        m_decreased = true;
        m_lastDecrease = now;
        m_window = std::max(m_window * factor, m_leastWindow);
    }
}

Time
SwiftRdmaCongestionControl::GetGap(uint32_t /* bytes */) const
{
    return m_window < 1 ? Seconds(std::min(1.0, m_roundTrip.GetSeconds() / m_window)) : Time();
}

} // namespace ns3::ddl
