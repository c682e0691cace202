// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-mltcp-rdma-congestion-control.h"

#include "ns3/ddl-error.h"
#include "ns3/double.h"
#include "ns3/string.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(MltcpRdmaCongestionControl);

TypeId
MltcpRdmaCongestionControl::GetTypeId()
{
    using Self = MltcpRdmaCongestionControl;
    static TypeId tid =
        TypeId("ns3::ddl::MltcpRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<Self>()
            .AddAttribute("Control",
                          "The other control: dctcp, swift, hpcc or dcqcn.",
                          StringValue("dctcp"),
                          MakeStringAccessor(&Self::m_name),
                          MakeStringChecker())
            .AddAttribute("Slope",
                          "What the factor of the increase gains over an iteration.",
                          DoubleValue(1.75),
                          MakeDoubleAccessor(&Self::m_slope),
                          MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("Intercept",
                          "Factor of the increase at the start of an iteration.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&Self::m_intercept),
                          MakeDoubleChecker<double>(1e-3, 1000.0));
    return tid;
}

RdmaCongestionControl&
MltcpRdmaCongestionControl::GetControl() const
{
    if (!m_control)
    {
        const TypeId type = FindPolicy(RdmaCongestionControl::GetTypeId(), m_name);
        if (type == GetTypeId() || type.IsChildOf(GetTypeId()))
        {
            throw InputError("MltcpRdmaCongestionControl::Control: mltcp cannot scale itself");
        }
        const auto control = CreatePolicy<RdmaCongestionControl>(m_name);
        if (!control->ScaleIncrease(1))
        {
            throw InputError("MltcpRdmaCongestionControl::Control: " + m_name +
                             " has no additive increase to scale: use dctcp, swift, hpcc or dcqcn");
        }
        m_control = control;
    }
    return *m_control;
}

Ptr<RdmaCongestionControl>
MltcpRdmaCongestionControl::DoFork() const
{
    const auto copy = CopyObject<MltcpRdmaCongestionControl>(this);
    copy->m_control = GetControl().Fork();
    return copy;
}

void
MltcpRdmaCongestionControl::Start(const Path& path)
{
    GetControl().Start(path);
}

void
MltcpRdmaCongestionControl::OnAck(const RdmaAck& ack)
{
    GetControl().ScaleIncrease(ack.share ? GetFactor(*ack.share) : 1);
    GetControl().OnAck(ack);
}

void
MltcpRdmaCongestionControl::OnLoss(Time now)
{
    GetControl().OnLoss(now);
}

void
MltcpRdmaCongestionControl::OnNotification(Time now)
{
    GetControl().OnNotification(now);
}

bool
MltcpRdmaCongestionControl::PacesPackets() const
{
    return GetControl().PacesPackets();
}

void
MltcpRdmaCongestionControl::OnSend(uint32_t bytes, Time now)
{
    GetControl().OnSend(bytes, now);
}

uint32_t
MltcpRdmaCongestionControl::GetWindow() const
{
    return GetControl().GetWindow();
}

Time
MltcpRdmaCongestionControl::GetGap(uint32_t bytes) const
{
    return GetControl().GetGap(bytes);
}

RdmaFeedback
MltcpRdmaCongestionControl::GetFeedback() const
{
    return GetControl().GetFeedback();
}

Time
MltcpRdmaCongestionControl::GetNotificationInterval() const
{
    return GetControl().GetNotificationInterval();
}

} // namespace ns3::ddl
