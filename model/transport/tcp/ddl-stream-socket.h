// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_SOCKET_H
#define DDL_STREAM_SOCKET_H

#include "ddl-mltcp.h"
#include "ddl-patient-socket.h"

#include "ns3/callback.h"
#include "ns3/ddl-stream.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::ddl
{

/** Settings of a StreamSocket; the attributes of TcpTransport explain each. */
struct TcpOptions
{
    TypeId congestionControl;  //!< TypeId of a TcpCongestionOps
    TypeId recovery;           //!< TypeId of a TcpRecoveryOps
    uint32_t segmentSize{0};   //!< bytes of data in a full packet
    uint32_t sendBuffer{0};    //!< size of the send buffer, bytes
    uint32_t receiveBuffer{0}; //!< size of the receive buffer, bytes
    uint32_t initialCwnd{0};   //!< initial congestion window, segments
    uint32_t delAckCount{0};   //!< data packets per acknowledgement
    Time minRto;
    Time clockGranularity;
    Time connTimeout;       //!< time before a connection request is sent again; doubles
    bool ecn{false};        //!< whether to use ECN; DCTCP uses it in any case
    bool timestamps{false}; //!< whether to use timestamps (RFC 7323): 12 bytes per packet
};

/**
 * One end of a persistent stream: a PatientSocket that sends and receives bytes without contents,
 * but with a MessageEndTag on the last byte of each message, counts packets, and closes without FIN
 * or RST: machines learn from the control side when a stream is over.
 *
 * The request for the connection carries a StreamRequestTag.
 *
 * It has no TypeId of its own: attributes are those of TcpSocketBase.
 */
class StreamSocket : public PatientSocket
{
  public:
    /** Called when a request has arrived, with the new socket that would serve it. Returns whether
     * a stream uses that socket. */
    using ForkedCallback = Callback<bool, Ptr<StreamSocket>, const Address&, const StreamRequest&>;

    StreamSocket();
    StreamSocket(const StreamSocket& other);

    /** Give an unconnected socket on that node its parts and parameters. */
    void Configure(Ptr<Node> node, const TcpOptions& options);

    /** Call before Connect. \param request the contents of the connection request */
    void SetRequest(const StreamRequest& request);

    /** Declare the end of a message. \param position position behind the message's last byte, from
     * 0, among all bytes that Fill adds; greater than in the last call \param said its contents */
    void NoteEnd(uint64_t position, const MessageTag& said);

    /** Add bytes to the send buffer, in whole segments where there are enough. \param bytes the
     * most to add \return bytes added */
    uint64_t Fill(uint64_t bytes);

    /** Send what the windows allow, at this instant; ns-3 does so by itself after each ACK. */
    void Push();

    /** \param acknowledged callback with the number of bytes acknowledged since the last call */
    void SetAcknowledgedCallback(Callback<void, uint64_t> acknowledged);

    /** \param share what tells Mltcp, if that is the congestion control, how far an iteration is */
    void SetShareSource(Mltcp::ShareSource share);

    /** Take the bytes that have arrived in order. \return the bytes, null when there are none */
    Ptr<Packet> Drain();

    /** \param forked callback of a listening socket for each connection, before the request is
     * answered */
    void SetForkedCallback(ForkedCallback forked);

    /** Called when a request for another connection with the same addresses and ports has arrived:
     * this one is over. The arguments are those of TakeRequest. */
    using ReplacedCallback = Callback<void, Ptr<Packet>, const Address&, const Address&>;
    void SetReplacedCallback(ReplacedCallback replaced);

    /** Hand a listening socket a request that another socket has received. \param request the TCP
     * header and what follows it \param from its source \param to its destination */
    void TakeRequest(Ptr<Packet> request, const Address& from, const Address& to);

    /**
     * Send nothing new, and wait until all that was sent is acknowledged, or for one expiry of the
     * retransmission timer.
     *
     * \param done callback at the end of the wait; before Linger returns when nothing is in flight
     */
    void Linger(Callback<void> done);

    /** Wait until no data has arrived for a time. \param quiet that time \param done callback */
    void WaitForQuiet(Time quiet, Callback<void> done);

    /** Release the callbacks, the timers and the port. The caller keeps a reference meanwhile. */
    void Release();

    /** Release the callbacks only. */
    void Detach();

    const StreamCounters& GetCounters() const
    {
        return m_counters;
    }

  private:
    Ptr<TcpSocketBase> Fork() override
    {
        return CopyObject<StreamSocket>(this);
    }

    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& header,
                      const Address& fromAddress,
                      const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    void NewAck(const SequenceNumber32& ack, bool resetRto) override;
    void ReTxTimeout() override;
    uint32_t AvailableWindow() const override;

    bool IsForeign(const Ptr<Packet>& request, const Address& from, const Address& to) override;

    /** End the wait of Linger. */
    void Finish();
    /** Add the StreamRequestTag to the connection request. */
    void TagRequest(Ptr<const Packet> request, const TcpHeader&, Ptr<const TcpSocketBase>);
    /** Add a MessageEndTag to a segment for each message that ends in it. \param begin position of
     * the segment's first byte */
    void TagEnds(const Ptr<Packet>& segment, uint64_t begin);
    void LookForQuiet();

    /** The end of a message that has not been added, or not all of it. */
    struct End
    {
        uint64_t position; //!< position behind the message's last byte
        MessageTag said;
    };

    StreamCounters m_counters;
    SequenceNumber32 m_nextFresh; //!< number behind the last byte of the latest data received
    std::optional<StreamRequest> m_request; //!< contents of the connection request
    std::deque<End> m_ends;                 //!< ends of messages, ascending
    uint64_t m_filled{0};                   //!< bytes that Fill has added
    SequenceNumber32 m_acknowledged{1};     //!< number behind the last acknowledged byte
    Callback<void, uint64_t> m_acknowledgedCallback;
    ForkedCallback m_forked;
    ReplacedCallback m_replaced;
    Callback<void> m_done; //!< callback of Linger
    bool m_mute{false};    //!< whether Linger has been called, so that nothing new is sent
    Time m_quiet;          //!< time without data in WaitForQuiet; 0: it was not called
    Time m_lastData;       //!< arrival of the last data, after WaitForQuiet was called
    Callback<void> m_isQuiet;
    EventId m_quietTimer;
};

} // namespace ns3::ddl

#endif // DDL_STREAM_SOCKET_H
