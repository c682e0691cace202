// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fixed-rdma-congestion-control.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FixedRdmaCongestionControl);

TypeId
FixedRdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::FixedRdmaCongestionControl")
            .SetParent<RdmaCongestionControl>()
            .SetGroupName("Ddl")
            .AddConstructor<FixedRdmaCongestionControl>()
            .AddAttribute("Window",
                          "Bytes that may be in flight.",
                          UintegerValue(60000),
                          MakeUintegerAccessor(&FixedRdmaCongestionControl::m_bytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30));
    return tid;
}

void
FixedRdmaCongestionControl::Start(const Path& path)
{
    m_window = std::max(1U, m_bytes / path.packetBytes);
}

} // namespace ns3::ddl
