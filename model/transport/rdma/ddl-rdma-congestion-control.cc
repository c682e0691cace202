// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(RdmaCongestionControl);

TypeId
RdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::RdmaCongestionControl").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

void
RdmaCongestionControl::OnNotification(Time /* now */)
{
}

void
RdmaCongestionControl::OnSend(uint32_t /* bytes */, Time /* now */)
{
}

Time
RdmaCongestionControl::GetGap(uint32_t /* bytes */) const
{
    return Time();
}

Time
RdmaCongestionControl::GetNotificationInterval() const
{
    return Time();
}

} // namespace ns3::ddl
