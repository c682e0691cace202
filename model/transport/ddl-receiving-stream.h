// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RECEIVING_STREAM_H
#define DDL_RECEIVING_STREAM_H

#include "ddl-stream.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::ddl
{

class StreamCrossing;

/**
 * The receiving end of a stream, on its machine; SendingStream is the other end. It is created when
 * the receiving machine calls StreamHost::Accept, or when the request for its connection arrives,
 * whichever is first. A subclass finds out which packets belong to it.
 *
 * This class itself serves transports without packets: bytes come over a StreamCrossing.
 */
class ReceivingStream : public Object
{
  public:
    /** Called when the last byte of a message has arrived, with the tag of the message. */
    using Receiver = std::function<void(const MessageTag&)>;

    static TypeId GetTypeId();

    /** \param name of the stream \param source machine that sends \param host this machine */
    ReceivingStream(const StreamName& name, HostId source, HostId host);
    ~ReceivingStream() override;

    const StreamName& GetName() const
    {
        return m_name;
    }

    HostId GetSource() const
    {
        return m_source;
    }

    HostId GetDestination() const
    {
        return m_host;
    }

    /** \return number of the stream; none before its request has arrived */
    std::optional<StreamId> GetId() const
    {
        return m_id;
    }

    /** \param receiver called for messages that are complete from now on; null: they are dropped */
    void SetReceiver(Receiver receiver);

    /** Change what is written on acknowledgements from now on. Without effect on a closed end.
     * \param mark band at this machine's NIC, and codepoint for the switches */
    void SetMark(Mark mark);

    Mark GetMark() const
    {
        return m_mark;
    }

    uint64_t GetReceivedBytes() const; //!< bytes that have arrived, in order, to this moment

    /** \return packets that arrived late, and timeouts of answers to connection requests */
    virtual StreamCounters GetCounters() const
    {
        return {};
    }

    /**
     * Accept no more bytes. The other end is not informed. Safe to call from a receiver, and twice.
     */
    void Close();

    using MessageCallback = void (*)(const StreamName&, uint64_t);

  protected:
    void DoDispose() override;

    /** For the kind: bytes have arrived in order; calls the receiver when a message has ended. */
    void NotifyArrived(const MessagePiece& piece);

    /** \return true once this end is closed or disposed of */
    bool IsShut() const
    {
        return m_shut;
    }

    /** For the kind: all has been given back. */
    void NotifyReleased();

  private:
    friend class StreamCrossing;
    friend class StreamHost;

    virtual void DoSetMark(Mark /* mark */)
    {
    }

    virtual void DoDisconnect()
    {
    }

    /** This end was open, and is shut. Calls NotifyReleased, now or later. */
    virtual void DoClose()
    {
        NotifyReleased();
    }

    /** The connection is over, as a later request has come. */
    void Disconnect();

    StreamName m_name;
    HostId m_source;
    HostId m_host;
    std::optional<StreamId> m_id;
    Mark m_mark{CONTROL_MARK};
    Receiver m_receiver;                 //!< null: none
    StreamCrossing* m_crossing{nullptr}; //!< not owned; over which bytes come, without packets

    // Of the machine
    uint64_t m_number{0};     //!< of its receiving ends
    bool m_isAccepted{false}; //!< Accept has been called for it
    EventId m_giveUp;         //!< closes it if Accept is not called in time
    Callback<void, uint64_t> m_shutCallback;
    Callback<void, uint64_t> m_releasedCallback;

    TracedCallback<const StreamName&, uint64_t> m_messageDelivered; //!< "MessageDelivered": bytes

    // Last, next to what a derived class needs for each packet.
    uint64_t m_messageBegin{0}; //!< position of the first byte of the message under way
    uint64_t m_received{0};     //!< bytes
    bool m_shut{false};         //!< closed or disposed of
};

} // namespace ns3::ddl

#endif // DDL_RECEIVING_STREAM_H
