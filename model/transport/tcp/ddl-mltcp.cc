// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-mltcp.h"

#include "ddl-congestion-control.h"

#include "ns3/ddl-error.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-state.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Mltcp);

TypeId
Mltcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Mltcp")
            .SetParent<TcpCongestionOps>()
            .SetGroupName("Ddl")
            .AddConstructor<Mltcp>()
            .AddAttribute("Control",
                          "Short name or full name of the other congestion control.",
                          StringValue("dctcp"),
                          MakeStringAccessor(&Mltcp::m_name),
                          MakeStringChecker())
            .AddAttribute("Slope",
                          "What the factor of the increase gains over an iteration.",
                          DoubleValue(1.75),
                          MakeDoubleAccessor(&Mltcp::m_slope),
                          MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("Intercept",
                          "Factor of the increase at the start of an iteration.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&Mltcp::m_intercept),
                          MakeDoubleChecker<double>(1e-3, 1000.0));
    return tid;
}

Mltcp::Mltcp(const Mltcp& other)
    : TcpCongestionOps(other),
      m_name(other.m_name),
      m_slope(other.m_slope),
      m_intercept(other.m_intercept),
      m_control(other.m_control ? other.m_control->Fork() : nullptr)
{
}

TcpCongestionOps&
Mltcp::GetControl() const
{
    if (!m_control)
    {
        const TypeId type = FindCongestionControl(m_name);
        ObjectFactory factory;
        factory.SetTypeId(type);
        if (type == GetTypeId())
        {
            throw InputError("Mltcp::Control: mltcp cannot scale itself");
        }
        const auto control = factory.Create<TcpCongestionOps>();
        if (control->HasCongControl())
        {
            throw InputError("Mltcp::Control: " + m_name + " has no additive increase to scale");
        }
        m_control = control;
    }
    return *m_control;
}

void
Mltcp::Init(Ptr<TcpSocketState> tcb)
{
    GetControl().Init(tcb);
}

uint32_t
Mltcp::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return GetControl().GetSsThresh(tcb, bytesInFlight);
}

void
Mltcp::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const uint32_t before = tcb->m_cWnd;
    const bool isSlowStart = before < tcb->m_ssThresh;
    GetControl().IncreaseWindow(tcb, segmentsAcked);
    const auto share = m_share ? m_share() : std::nullopt;
    const uint32_t after = tcb->m_cWnd;
    if (!share || isSlowStart || after <= before)
    {
        return;
    }
    const double more = (m_slope * *share + m_intercept) * (after - before) + m_rest;
    const auto whole = static_cast<uint32_t>(more);
    m_rest = more - whole;
    tcb->m_cWnd = before + whole;
}

void
Mltcp::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt)
{
    GetControl().PktsAcked(tcb, segmentsAcked, rtt);
}

void
Mltcp::CongestionStateSet(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCongState_t newState)
{
    GetControl().CongestionStateSet(tcb, newState);
}

void
Mltcp::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    GetControl().CwndEvent(tcb, event);
}

bool
Mltcp::HasCongControl() const
{
    return false;
}

void
Mltcp::CongControl(Ptr<TcpSocketState> tcb,
                   const TcpRateOps::TcpRateConnection& rc,
                   const TcpRateOps::TcpRateSample& rs)
{
    GetControl().CongControl(tcb, rc, rs);
}

} // namespace ns3::ddl
