// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dctcp-rdma-congestion-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(DctcpRdmaCongestionControl);

TypeId
DctcpRdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::DctcpRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<DctcpRdmaCongestionControl>()
            .AddAttribute("Gain",
                          "Weight of the newest share of marked packets (g of RFC 8257).",
                          DoubleValue(0.0625),
                          MakeDoubleAccessor(&DctcpRdmaCongestionControl::m_gain),
                          MakeDoubleChecker<double>(1e-6, 1.0))
            .AddAttribute("InitialWindow",
                          "Bytes sent before the first acknowledgement, one packet at least: ten "
                          "packets of 1500 bytes (RFC 6928).",
                          UintegerValue(15000),
                          MakeUintegerAccessor(&DctcpRdmaCongestionControl::m_initialBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("MaxWindow",
                          "Bytes that may be in flight.",
                          UintegerValue(4000000),
                          MakeUintegerAccessor(&DctcpRdmaCongestionControl::m_maxBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30));
    return tid;
}

void
DctcpRdmaCongestionControl::Start(const Path& path)
{
    const double packet = path.packetBytes;
    m_most = std::max(1.0, m_maxBytes / packet);
    m_window = std::clamp(m_initialBytes / packet, 1.0, m_most);
    m_threshold = m_most;
}

void
DctcpRdmaCongestionControl::OnAck(const RdmaAck& ack)
{
    UpdateAlpha(ack);
    if (ack.acknowledged < m_reductionEnd)
    {
        return; // the window has already been reduced for these marks
    }
    if (ack.marked > 0)
    {
        Reduce(1.0 - m_alpha / 2); // RFC 8257, section 3.3, step 4
        m_reductionEnd = ack.next;
    }
    else if (ack.windowLimited)
    {
        Grow(ack.packets);
    }
}

/** Update alpha once per window of packets (RFC 8257, section 3.3, steps 1 to 3). */
void
DctcpRdmaCongestionControl::UpdateAlpha(const RdmaAck& ack)
{
    m_acked += ack.packets;
    m_marked += ack.marked;
    if (ack.acknowledged < m_alphaEnd || m_acked == 0)
    {
        return;
    }
    const double share = std::min(1.0, static_cast<double>(m_marked) / m_acked);
    m_alpha += m_gain * (share - m_alpha);
    m_acked = 0;
    m_marked = 0;
    m_alphaEnd = ack.next;
}

void
DctcpRdmaCongestionControl::OnLoss(Time /* now */)
{
    Reduce(0.5);
}

void
DctcpRdmaCongestionControl::Reduce(double factor)
{
    m_window = std::max(1.0, m_window * factor);
    m_threshold = m_window;
}

void
DctcpRdmaCongestionControl::Grow(uint32_t packets)
{
    m_window += m_window < m_threshold ? packets : m_scale * packets / m_window;
    m_window = std::min(m_window, m_most);
}

} // namespace ns3::ddl
