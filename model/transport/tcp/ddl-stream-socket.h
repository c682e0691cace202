// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_SOCKET_H
#define DDL_STREAM_SOCKET_H

#include "ddl-patient-socket.h"

#include "ns3/callback.h"
#include "ns3/ddl-message-stream.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>

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
    bool timestamps{false}; //!< RFC 7323; 12 bytes a packet
};

/**
 * One end of a persistent stream: a PatientSocket that takes and gives bytes without contents,
 * counts, and closes without FIN, RST or TIME_WAIT (240 s): both ends are in one program, so none
 * needs to tell the other.
 *
 * Has no TypeId of its own: attributes are those of TcpSocketBase.
 */
class StreamSocket : public PatientSocket
{
  public:
    /** A request has come; the socket given would serve it. Returns whether somebody wants it. */
    using ForkedCallback = Callback<bool, Ptr<StreamSocket>, const Address&>;

    StreamSocket();
    StreamSocket(const StreamSocket& other);

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

    /** End of Linger. */
    void Finish();

    StreamCounters m_counters;
    SequenceNumber32 m_nextFresh; //!< behind the last byte of the latest data packet that has come
    ForkedCallback m_forked;
    Callback<void> m_done; //!< of Linger
    bool m_mute{false};    //!< send nothing new: Linger has been called
};

} // namespace ns3::ddl

#endif // DDL_STREAM_SOCKET_H
