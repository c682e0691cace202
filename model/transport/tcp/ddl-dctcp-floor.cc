// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dctcp-floor.h"

#include "ns3/log.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlDctcpFloor");
NS_OBJECT_ENSURE_REGISTERED(DctcpFloor);

TypeId
DctcpFloor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::DctcpFloor")
                            .SetParent<TcpDctcp>()
                            .SetGroupName("Ddl")
                            .AddConstructor<DctcpFloor>()
                            .AddAttribute("MinSegments",
                                          "Least window, in segments, that a reduction leaves.",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&DctcpFloor::m_minSegments),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

DctcpFloor::DctcpFloor(const DctcpFloor& other)
    : TcpDctcp(other),
      m_minSegments(other.m_minSegments)
{
    NS_LOG_FUNCTION(this);
}

uint32_t
DctcpFloor::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(TcpDctcp::GetSsThresh(tcb, bytesInFlight), m_minSegments * tcb->m_segmentSize);
}

} // namespace ns3::ddl
