// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DCTCP_FLOOR_H
#define DDL_DCTCP_FLOOR_H

#include "ns3/tcp-dctcp.h"

namespace ns3::ddl
{

/**
 * DCTCP (RFC 8257) whose window never shrinks below a few segments on a mark.
 *
 * RFC 8257 §3.3 reduces the window to (1 - alpha/2) cwnd and RFC 5681 Eq. (4) keeps ssthresh at 2
 * segments or more; ns3::TcpDctcp leaves the second out. With a window below one segment, a sender
 * that has nothing in flight may send nothing and waits for no timer: it stops for ever. Incast of
 * many senders reaches such windows. The floor is Linux's (tcp_dctcp.c: `max(cwnd - reduction,
 * 2U)`).
 */
class DctcpFloor : public TcpDctcp
{
  public:
    static TypeId GetTypeId();

    DctcpFloor() = default;
    DctcpFloor(const DctcpFloor& other);

    std::string GetName() const override
    {
        return "DctcpFloor";
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<DctcpFloor>(this);
    }

  private:
    uint32_t m_minSegments; //!< least window after a reduction, segments
};

} // namespace ns3::ddl

#endif // DDL_DCTCP_FLOOR_H
