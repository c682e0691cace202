// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_STREAM_H
#define DDL_TCP_STREAM_H

#include "ddl-tcp-host.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/event-id.h"

#include <deque>
#include <vector>

namespace ns3::ddl
{

/**
 * The sending end of a stream over one TCP connection, which carries data one way.
 *
 * The socket gets no more bytes than its send buffer holds, and more when acknowledgements free it.
 * The machine's NIC writes the mark; the socket knows nothing of it, so ECN is not touched.
 *
 * After Close nothing new is sent; port and mark are released when all that was sent has been
 * acknowledged, or at the first expiry of the retransmission timer.
 */
class TcpSendingStream : public SendingStream
{
  public:
    static TypeId GetTypeId();

    /** \param request contents of the connection request \param destination the receiving machine
     * \param host this machine \param flowLabel the flow label, see StreamHost::Open
     * \param options options of the socket */
    TcpSendingStream(const StreamRequest& request,
                     HostId destination,
                     Ptr<TcpHost> host,
                     uint32_t flowLabel,
                     const TcpOptions& options);
    ~TcpSendingStream() override;

    /** Send the connection request. \pre the mark has been set */
    void Connect();

    StreamCounters GetCounters() const override;

    std::vector<FlowKey> ListFlows() const override
    {
        return {GetFlow()};
    }

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    void DoClose() override;

    /** Fill the socket's send buffer. */
    void Feed(Ptr<Socket> socket, uint32_t room);
    /** Release the socket in an event of its own, as it may be running now. */
    void ScheduleRelease();
    void Release();
    /** Drop the socket's callbacks, and clear the mark of its flow in the NIC. */
    void Unregister();
    FlowKey GetFlow() const;

    Ptr<TcpHost> m_host;
    uint16_t m_port{0};         //!< source port
    Ptr<StreamSocket> m_socket; //!< socket of the connection, null once released
    uint64_t m_waiting{0};      //!< bytes not yet given to the socket
    StreamCounters m_final;     //!< counters of the socket, once released
    EventId m_release;
};

/**
 * The receiving end of a stream over TCP: the socket that the listening one has made for the
 * request of this stream. A later request under the name of the stream replaces it.
 *
 * After Close it goes on to acknowledge what was in flight, as a TCP end does in TIME_WAIT, but
 * drops it. It is released when no data have arrived for the least retransmission timeout.
 */
class TcpReceivingStream : public ReceivingStream
{
  public:
    static TypeId GetTypeId();

    /** \param name the stream's name \param source machine that sends \param host this machine
     * \param quiet time without data after Close before the socket is released */
    TcpReceivingStream(const StreamName& name, HostId source, Ptr<TcpHost> host, Time quiet);
    ~TcpReceivingStream() override;

    /** Connect the stream. \param socket the socket that was made for a request for this stream
     * \param port source port of the sender */
    void Connect(Ptr<StreamSocket> socket, uint16_t port);

    StreamCounters GetCounters() const override;

  protected:
    void DoDispose() override;

  private:
    void DoSetMark(Mark mark) override;
    void DoDisconnect() override;
    void DoClose() override;

    void Receive(Ptr<Socket> socket);
    /** Find the ends of messages in received data. */
    void FindEnds(const Ptr<const Packet>& data);
    /** Call GiveWay in an event of its own, as the socket may be running now. */
    void ScheduleReplacement(Ptr<Packet> request, const Address& from, const Address& to);
    /** Release this connection for the request of another one with the same addresses and ports. */
    void GiveWay(Ptr<Packet> request, Address from, Address to);
    void ScheduleRelease();
    void Release();
    /** Drop the socket's callbacks, and clear the mark of its flow in the NIC. */
    void Unregister();
    FlowKey GetFlow() const;

    Ptr<TcpHost> m_host;
    Time m_quiet;
    uint16_t m_port{0};         //!< source port of the sender
    Ptr<StreamSocket> m_socket; //!< socket; null until the request arrives, and once released
    StreamCounters m_counters;  //!< counters of past connections
    EventId m_release;

    /** The end of a message in received data. */
    struct End
    {
        uint32_t bytes; //!< bytes of the data up to the message's last one
        MessageTag said;
    };

    std::vector<End> m_ends; //!< scratch of Receive
};

} // namespace ns3::ddl

#endif // DDL_TCP_STREAM_H
