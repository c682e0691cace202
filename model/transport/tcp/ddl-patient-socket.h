// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATIENT_SOCKET_H
#define DDL_PATIENT_SOCKET_H

#include "ns3/nstime.h"
#include "ns3/tcp-socket-base.h"

namespace ns3::ddl
{

/**
 * ns-3's TCP socket, changed for connections that live long and may starve for any time. These
 * changes could not be made by attributes:
 *
 *  - it never gives up: connection requests and their answers are repeated for ever, with a
 *    back-off that stops growing below 60 s, as that of data does;
 *  - a timeout that has been backed off stays so until a round trip is measured anew (RFC 6298 §5,
 *    Karn's algorithm), and never exceeds 60 s. ns-3 forgets it at the next acknowledgement: a
 *    stream whose round trip has grown beyond its timeout then sends every packet several times;
 *  - ECN goes on past 2 GiB: ns-3 compares sequence numbers with that of the last mark, and takes a
 *    mark more than 2^31 bytes ago for one in the future;
 *  - a repeated SYN or SYN+ACK on an open connection is answered by an acknowledgement (RFC 9293
 *    §3.10.7.4) and does not, as in ns-3, reset the window;
 *  - a listening socket ignores all packets but connection requests.
 */
class PatientSocket : public TcpSocketBase
{
  public:
    PatientSocket();
    PatientSocket(const PatientSocket& other);

  protected:
    /** \param connTimeout time before a connection request is sent again; doubles each time */
    void SetPatience(Time connTimeout);

    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    void ReTxTimeout() override;

  private:
    /** \return whether a connection request that has arrived here is for another connection with
     * the same addresses and ports; if so, this socket ignores it */
    virtual bool IsForeign(const Ptr<Packet>& /* request */,
                           const Address& /* from */,
                           const Address& /* to */)
    {
        return false;
    }

    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;
    void EstimateRtt(const TcpHeader& header) override;

    /** Keep the timeout between the back-off in force and its limit. */
    void BoundRto();

    Time m_backOff; //!< least timeout until the next measured round trip
};

} // namespace ns3::ddl

#endif // DDL_PATIENT_SOCKET_H
