// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_SOCKET_H
#define DDL_STREAM_SOCKET_H

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
    TypeId congestionControl;  //!< a TcpCongestionOps
    TypeId recovery;           //!< a TcpRecoveryOps
    uint32_t segmentSize{0};   //!< bytes of data in a full packet
    uint32_t sendBuffer{0};    //!< bytes
    uint32_t receiveBuffer{0}; //!< bytes
    uint32_t initialCwnd{0};   //!< segments
    uint32_t delAckCount{0};   //!< data packets per acknowledgement
    Time minRto;
    Time clockGranularity;
    Time connTimeout;       //!< wait for the first answer to a connection request; doubles
    bool ecn{false};        //!< DCTCP has it in any case
    bool timestamps{false}; //!< RFC 7323; 12 bytes per packet
};

/**
 * One end of a persistent stream: a PatientSocket that takes and gives bytes without contents, but
 * with what messages say on their last bytes (MessageEndTag), counts, and closes without FIN or
 * RST: machines hear from the control side when a stream is over.
 *
 * The request for the connection bears a StreamRequestTag.
 *
 * Has no TypeId of its own: attributes are those of TcpSocketBase.
 */
class StreamSocket : public PatientSocket
{
  public:
    /** A request has come; the socket given would serve it. Returns whether somebody wants it. */
    using ForkedCallback = Callback<bool, Ptr<StreamSocket>, const Address&, const StreamRequest&>;

    StreamSocket();
    StreamSocket(const StreamSocket& other);

    /** Give an unconnected socket on that node its parts and parameters. */
    void Configure(Ptr<Node> node, const TcpOptions& options);

    /** Before Connect. \param request that the request for the connection bears */
    void SetRequest(const StreamRequest& request);

    /** A message ends there. \param position of the byte behind its last one, from 0, of all bytes
     * that Fill adds; above those told before \param said what it says */
    void NoteEnd(uint64_t position, const MessageTag& said);

    /** Add up to that many bytes, in whole segments where there are enough. \return bytes added */
    uint64_t Fill(uint64_t bytes);

    /** Send what the windows allow, at this instant; ns-3 does so by itself after each ACK. */
    void Push();

    /** Called with the number of bytes that have been acknowledged since the last call. */
    void SetAcknowledgedCallback(Callback<void, uint64_t> acknowledged);

    /** Take what has arrived in order. \return it, null when there is nothing */
    Ptr<Packet> Drain();

    /** Called on a listening socket for each connection, before the request is answered. */
    void SetForkedCallback(ForkedCallback forked);

    /** A request for another connection by the same addresses and ports has come: this one is over.
     * Gets what TakeRequest wants. */
    using ReplacedCallback = Callback<void, Ptr<Packet>, const Address&, const Address&>;
    void SetReplacedCallback(ReplacedCallback replaced);

    /** On a listening socket: a request that another one has got. \param request TCP header and
     * what is behind it \param from its source \param to its destination */
    void TakeRequest(Ptr<Packet> request, const Address& from, const Address& to);

    /**
     * Send nothing new, and wait until all that was sent is acknowledged, or for one expiry of the
     * retransmission timer.
     *
     * \param done called then; or before Linger returns when nothing is under way
     */
    void Linger(Callback<void> done);

    /** Wait until no data has come for so long. \param done called then */
    void WaitForQuiet(Time quiet, Callback<void> done);

    /** Let go of the callbacks, the timers and the port. Whoever calls keeps a reference. */
    void Release();

    /** Let go of the callbacks only. */
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

    /** End of Linger. */
    void Finish();
    /** Write down in the request what it is for. */
    void TagRequest(Ptr<const Packet> request, const TcpHeader&, Ptr<const TcpSocketBase>);
    /** Write down in a segment where messages end. \param begin position of its first byte */
    void TagEnds(const Ptr<Packet>& segment, uint64_t begin);
    void LookForQuiet();

    /** A message that has not been added, or not all of it. */
    struct End
    {
        uint64_t position; //!< of the byte behind its last one
        MessageTag said;
    };

    StreamCounters m_counters;
    SequenceNumber32 m_nextFresh; //!< behind the last byte of the latest data packet that has come
    std::optional<StreamRequest> m_request; //!< of this connection
    std::deque<End> m_ends;                 //!< in order
    uint64_t m_filled{0};                   //!< bytes that Fill has added
    SequenceNumber32 m_acknowledged{1};     //!< behind the last byte that is
    Callback<void, uint64_t> m_acknowledgedCallback;
    ForkedCallback m_forked;
    ReplacedCallback m_replaced;
    Callback<void> m_done; //!< of Linger
    bool m_mute{false};    //!< send nothing new: Linger has been called
    Time m_quiet;          //!< of WaitForQuiet; 0: it was not called
    Time m_lastData;       //!< when data came last, once it was
    Callback<void> m_isQuiet;
    EventId m_quietTimer;
};

} // namespace ns3::ddl

#endif // DDL_STREAM_SOCKET_H
