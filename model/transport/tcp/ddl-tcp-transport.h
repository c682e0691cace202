// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_TRANSPORT_H
#define DDL_TCP_TRANSPORT_H

#include "ddl-tcp-host.h"

#include "ns3/ddl-transport.h"

#include <string>

namespace ns3::ddl
{

/**
 * Streams over ns-3's TCP, one connection each, DCTCP by default.
 *
 * The defaults keep ns-3's TCP from the stalls that its own defaults run into within a data centre
 * (doc/transport.md explains each): classic recovery, an acknowledgement for each packet, a least
 * timeout of 5 ms, and DctcpFloor. Sockets are set one by one; nothing global is touched.
 */
class TcpTransport : public Transport
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "ns-3's TCP, one persistent connection a stream, DCTCP by default (RFC 8257)";
    }

  private:
    void DoInstall() override;
    Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) override;

    /** \return the attributes, checked, and the segment size that fits the hosts' least MTU */
    TcpOptions ReadOptions() const;
    /** \return bytes of data in a packet of the hosts' least MTU */
    uint32_t DeriveSegmentSize() const;

    std::string m_congestionControl;
    TypeId m_recovery;
    uint32_t m_segmentSize;
    uint32_t m_sendBuffer;
    uint32_t m_receiveBuffer;
    uint32_t m_initialCwnd;
    uint32_t m_delAckCount;
    Time m_minRto;
    Time m_clockGranularity;
    Time m_connTimeout;
    bool m_useEcn;
    bool m_timestamps;

    TcpOptions m_options; //!< the answer of ReadOptions at Install
};

} // namespace ns3::ddl

#endif // DDL_TCP_TRANSPORT_H
