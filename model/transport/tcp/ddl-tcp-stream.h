// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_STREAM_H
#define DDL_TCP_STREAM_H

#include "ddl-tcp-host.h"

#include "ns3/ddl-message-stream.h"

namespace ns3::ddl
{

/**
 * A message stream over one TCP connection, which carries data one way.
 *
 * The socket is given no more than its send buffer holds, and more when acknowledgements free it.
 * Marks live in the two machines' NICs; the sockets know nothing of them, so ECN is not touched.
 *
 * After Close nothing new is sent; ports and marks are given back when all that was sent has been
 * acknowledged, or at the first expiry of the retransmission timer.
 */
class TcpStream : public MessageStream
{
  public:
    static TypeId GetTypeId();

    /** One end as its machine names it. */
    struct Place
    {
        HostId id;
        Ptr<TcpHost> host;
    };

    /** \param flowLabel of Transport::Open \param options of the sending socket */
    TcpStream(StreamId id,
              Place source,
              Place destination,
              uint32_t flowLabel,
              const TcpOptions& options);
    ~TcpStream() override;

    /** Send the connection request; the marks have been set. */
    void Connect();

    StreamCounters GetCounters() const override;
    void Close() override;

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes) override;
    void DoSetMark(End end, Mark mark) override;

    /** Give the socket what it has room for. */
    void Feed(Ptr<Socket> socket, uint32_t room);
    void Accept(Ptr<StreamSocket> receiver);
    void Receive(Ptr<Socket> socket);
    /** In an event of its own: a socket is not taken away while it works. */
    void ScheduleRelease();
    void Release();
    /** Leave the tables of both machines. */
    void Unregister();

    Ptr<TcpHost> m_sourceHost;
    Ptr<TcpHost> m_destinationHost;
    uint16_t m_port{0};           //!< source port
    Ptr<StreamSocket> m_sender;   //!< null once released
    Ptr<StreamSocket> m_receiver; //!< null until the request has come, and once released
    uint64_t m_waiting{0};        //!< bytes not yet given to the socket
    StreamCounters m_final;       //!< once released
    EventId m_release;
};

} // namespace ns3::ddl

#endif // DDL_TCP_STREAM_H
