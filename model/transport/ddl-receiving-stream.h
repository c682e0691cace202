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

    /** \param name the stream's name \param source machine that sends \param host this machine */
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

    /** \return the stream's number; none before its request has arrived */
    std::optional<StreamId> GetId() const
    {
        return m_id;
    }

    /** \param receiver callback for messages completed from now on; null: they are dropped */
    void SetReceiver(Receiver receiver);

    /** Change the mark of acknowledgements from now on. Without effect on a closed end.
     * \param mark band at this machine's NIC, and codepoint for the switches */
    void SetMark(Mark mark);

    Mark GetMark() const
    {
        return m_mark;
    }

    uint64_t GetReceivedBytes() const; //!< \return bytes that have arrived in order so far

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

    /** For subclasses: bytes have arrived in order; calls the receiver when a message has ended. */
    void NotifyArrived(const MessagePiece& piece);

    /** \return true once this end is closed or disposed of */
    bool IsShut() const
    {
        return m_shut;
    }

    /** For subclasses: all resources have been released. */
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

    /** Release the resources of this end, which is shut now. Calls NotifyReleased, now or later. */
    virtual void DoClose()
    {
        NotifyReleased();
    }

    /** End the connection, as a later request for this stream has arrived. */
    void Disconnect();

    StreamName m_name;
    HostId m_source;
    HostId m_host;
    std::optional<StreamId> m_id;
    Mark m_mark{CONTROL_MARK};
    Receiver m_receiver;                 //!< callback for complete messages, or null
    StreamCrossing* m_crossing{nullptr}; //!< source of bytes without packets; not owned

    // The machine's StreamHost sets these members.
    uint64_t m_number{0};     //!< this end's number on its machine
    bool m_isAccepted{false}; //!< whether Accept has been called for this end
    EventId m_giveUp;         //!< event that closes this end if Accept is not called in time
    Callback<void, uint64_t> m_shutCallback;
    Callback<void, uint64_t> m_releasedCallback;

    TracedCallback<const StreamName&, uint64_t> m_messageDelivered; //!< trace source

    // These members are last, next to what a derived class needs for each packet.
    uint64_t m_messageBegin{0}; //!< position of the first byte of the message in transit
    uint64_t m_received{0};     //!< bytes that have arrived in order
    bool m_shut{false};         //!< whether this end is closed or disposed of
};

} // namespace ns3::ddl

#endif // DDL_RECEIVING_STREAM_H
