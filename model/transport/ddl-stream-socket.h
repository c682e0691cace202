// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_SOCKET_H
#define DDL_STREAM_SOCKET_H

#include "ddl-stream-counters.h"
#include "ddl-tcp-options.h"

#include "ns3/callback.h"
#include "ns3/tcp-socket-base.h"

namespace ns3
{
namespace ddl
{

/**
 * ns-3's TCP socket with what a persistent stream between machines needs of it and attributes
 * cannot give:
 *
 *  - it never gives up: connection requests and their answers are repeated for ever, with a
 * back-off that stops growing below 60 s, as that of data does;
 *  - a timeout that has been backed off stays so until a round trip is measured anew (RFC 6298 §5,
 *    Karn's algorithm); ns-3 forgets it at the next acknowledgement, and a stream whose round trip
 *    has grown beyond its timeout then sends every packet several times;
 *  - ECN goes on past 2 GiB: ns-3 compares sequence numbers with that of the last mark, and takes a
 *    mark more than 2^31 bytes ago for one in the future;
 *  - it closes without FIN, RST or TIME_WAIT (240 s): both ends are in one program, so none needs
 *    to tell the other, and a listening end passes over what does not ask for a connection;
 *  - a repeated SYN or SYN+ACK on an open connection is answered by an acknowledgement (RFC 9293
 *    §3.10.7.4) and does not, as in ns-3, reset the window;
 *  - it counts.
 *
 * Bytes carry no contents. Has no TypeId of its own: attributes are those of TcpSocketBase.
 */
class StreamSocket : public TcpSocketBase
{
  public:
    /** A connection request has come; the socket given is the end that serves it. */
    using ForkedCallback = Callback<void, Ptr<StreamSocket>, const Address&>;

    StreamSocket();
    StreamSocket(const StreamSocket& other);
    ~StreamSocket() override;

    /** Give an unconnected socket on that node its parts and parameters. */
    void Configure(Ptr<Node> node, const TcpOptions& options);

    /** Add up to that many bytes, in whole segments where there are enough. \return bytes added */
    uint64_t Fill(uint64_t bytes);

    /** Send what the windows allow, at this instant; ns-3 does so by itself after each ACK. */
    void Push();

    /** Take what has arrived in order. \return its bytes */
    uint64_t Drain();

    /** Called on a listening socket for each connection, before the request is answered. */
    void SetForkedCallback(ForkedCallback forked);

    /**
     * Send nothing new, and wait until all that was sent is acknowledged, or for one expiry of the
     * retransmission timer.
     *
     * \param done called then; or before Linger returns when nothing is under way
     */
    void Linger(Callback<void> done);

    /** Let go of the callbacks, the timers and the port. Whoever calls keeps a reference. */
    void Release();

    /** Let go of the callbacks only. */
    void Detach();

    const StreamCounters& GetCounters() const;

  private:
    Ptr<TcpSocketBase> Fork() override;
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& header,
                      const Address& fromAddress,
                      const Address& toAddress) override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    void EstimateRtt(const TcpHeader& header) override;
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    void ReTxTimeout() override;
    uint32_t AvailableWindow() const override;

    /** End of Linger. */
    void Finish();
    /** Keep the timeout between the back-off in force and its limit. */
    void BoundRto();

    StreamCounters m_counters;
    SequenceNumber32 m_nextFresh; //!< behind the last byte of the latest data packet that has come
    ForkedCallback m_forked;
    Callback<void> m_done; //!< of Linger
    bool m_mute{false};    //!< send nothing new: Linger has been called
    Time m_backOff;        //!< least timeout until the next measured round trip
};

} // namespace ddl
} // namespace ns3

#endif // DDL_STREAM_SOCKET_H
