// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MESSAGE_STREAM_H
#define DDL_MESSAGE_STREAM_H

#include "ns3/callback.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-priority.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Packets that one stream, or all streams of a transport, sent, sent again or received late. */
struct StreamCounters
{
    uint64_t dataPackets{0};     //!< data packets sent, retransmissions included
    uint64_t retransmissions{0}; //!< data packets sent again
    uint64_t timeouts{0};  //!< expiries of a retransmission timer, connection requests included
    uint64_t reordered{0}; //!< new data packets that arrived behind a later one; a
                           //!< retransmission that fills a hole is one too

    /** \return what came since, to be multiplied */
    StreamCounters Since(const StreamCounters& before) const
    {
        return {dataPackets - before.dataPackets,
                retransmissions - before.retransmissions,
                timeouts - before.timeouts,
                reordered - before.reordered};
    }

    StreamCounters& operator+=(const StreamCounters& other)
    {
        dataPackets += other.dataPackets;
        retransmissions += other.retransmissions;
        timeouts += other.timeouts;
        reordered += other.reordered;
        return *this;
    }
};

/** What a message says to its receiver. It travels with the message, and counts no bytes. */
struct MessageTag
{
    uint64_t iteration{0}; //!< to which it belongs, from 0
    uint32_t rank{0};      //!< whom it is for, at the destination
    uint32_t slot{0};      //!< which of that rank's transfers it is
};

/**
 * An ordered sequence of messages from one machine to another, which stays open from one iteration
 * to the next.
 *
 * It has two ends, as a TCP connection or a pair of queue pairs has. Who holds the sending end
 * gives messages to Send and closes the stream; who holds the receiving end sets the receiver.
 * Neither knows more of the other than what the messages say.
 *
 * Messages have a length, and at most a tag as contents. Invariants, checked: messages are
 * delivered in the order in which they were sent, each exactly once; delivered bytes never exceed
 * sent bytes.
 *
 * Each end writes its own mark on what it sends: the source on the data, the destination on the
 * acknowledgements. A mark may change at any time; it holds for packets not yet handed to the NIC.
 * A stream may starve for any length of time and goes on when it is served again.
 */
class MessageStream : public Object
{
  public:
    /** Called at the source at the moment when the last byte of a message has arrived, behind the
     * receiver. It does not wait for an acknowledgement to come back. */
    using DeliveredCallback = Callback<void>;
    /** Called at the destination at that moment, with what the message says. */
    using Receiver = std::function<void(const MessageTag&)>;

    /** Which machine's packets: the source sends data, the destination acknowledgements. */
    enum class End
    {
        SOURCE,
        DESTINATION
    };

    static TypeId GetTypeId();

    MessageStream(StreamId id, HostId source, HostId destination);
    ~MessageStream() override;

    StreamId GetId() const
    {
        return m_id;
    }

    HostId GetSource() const
    {
        return m_source;
    }

    HostId GetDestination() const
    {
        return m_destination;
    }

    /**
     * Send one message behind those already given. Never calls back before it has returned.
     *
     * \param bytes length, 0 to 2^63 (and less than 2^64 over the life of the stream); a message of
     *        0 bytes takes its turn in the order and is delivered with the byte before it, or at
     *        once (an event at this same instant) when nothing is under way
     * \param delivered called at delivery; may be null
     */
    void Send(uint64_t bytes, DeliveredCallback delivered);

    /** Likewise, with something for the receiver. */
    void Send(uint64_t bytes, const MessageTag& tag, DeliveredCallback delivered);

    /** \param receiver at the destination, which gets the tags of messages that have one from now
     *         on; null: nobody */
    void SetReceiver(Receiver receiver);

    /**
     * Change what one end writes on its packets from now on. Without effect on a closed stream.
     *
     * \param end whose packets
     * \param mark band at that machine's NIC, and codepoint for the switches
     */
    void SetMark(End end, Mark mark);

    /** \return the mark in force at that end */
    Mark GetMark(End end) const;

    /** \return bytes of all messages given to Send */
    uint64_t GetSentBytes() const
    {
        return m_sent;
    }

    uint64_t GetDeliveredBytes() const; //!< bytes that have arrived, in order, to this moment

    /** \return true when all that was sent has been delivered */
    bool IsIdle() const
    {
        return m_delivered == m_sent && m_pending.empty();
    }

    /**
     * Let the priority of long messages fall: count how many thresholds the oldest message under
     * way has passed. Whoever sets the marks does it by this count.
     *
     * \param thresholds bytes of a message that have arrived, more than 0, ascending; none: no
     *        ladder
     * \param changed called at each change of GetDemotion(); may close the stream
     */
    void SetDemotionThresholds(const std::vector<uint64_t>& thresholds, Callback<void> changed);

    /** \return thresholds that the oldest message under way has passed; 0 when nothing is */
    uint32_t GetDemotion() const
    {
        return m_demotion;
    }

    virtual StreamCounters GetCounters() const = 0;

    /**
     * Count bytes of messages at all ports of the present way, as if they had passed there. Nothing
     * is sent, and nobody is told. Without effect where packets are what ports count.
     */
    virtual void CountAsPassed(uint64_t /* bytes */)
    {
    }

    /**
     * Give back what the stream holds. Messages still under way are lost, without a callback. Safe
     * to call from a delivered-callback, and twice.
     */
    virtual void Close() = 0;

    using MessageCallback = void (*)(StreamId, uint64_t);

  protected:
    void DoDispose() override;

    /** For the transport: `bytes` more have arrived in order; runs the callbacks that fall due. */
    void NotifyDelivered(uint64_t bytes);

    /** For the transport: from now on nothing is sent and nobody is called. \return true at first
     */
    bool Shut();

    /** \return true once Shut was called */
    bool IsShut() const
    {
        return m_shut;
    }

    /** For the transport: all has been given back; the counters do not change any more. */
    void NotifyReleased();

  private:
    friend class Transport;

    void Add(uint64_t bytes, const std::optional<MessageTag>& tag, DeliveredCallback delivered);
    /** New bytes were added behind those given before; never 0. */
    virtual void DoSend(uint64_t bytes) = 0;
    virtual void DoSetMark(End end, Mark mark) = 0;

    /** \return bytes that have arrived and of which NotifyDelivered was not told; never those that
     *          complete a message */
    virtual uint64_t DoCountUnreported() const
    {
        return 0;
    }

    /** Call back for every message whose last byte has arrived. */
    void Deliver();
    void UpdateDemotion();

    /** A message not yet delivered. */
    struct Message
    {
        uint64_t end;                //!< position of the byte behind its last one
        DeliveredCallback delivered; //!< may be null
        std::optional<MessageTag> tag;
    };

    StreamId m_id;
    HostId m_source;
    HostId m_destination;
    Mark m_marks[2];               //!< by End
    uint64_t m_sent{0};            //!< bytes given to Send
    uint64_t m_delivered{0};       //!< bytes arrived
    std::deque<Message> m_pending; //!< in order of sending
    uint64_t m_oldest{0};          //!< position of the first byte of the oldest pending message
    std::vector<uint64_t> m_thresholds; //!< thresholds
    uint32_t m_demotion{0};
    Callback<void> m_demotionChanged;
    Receiver m_receiver;      //!< null: nobody
    EventId m_wake;           //!< delivers empty messages when nothing is under way
    bool m_delivering{false}; //!< inside Deliver
    bool m_shut{false};       //!< closed or disposed
    Callback<void, StreamId> m_releasedCallback; //!< the transport wants to know

    TracedCallback<StreamId, uint64_t> m_messageSent;      //!< "MessageSent": bytes
    TracedCallback<StreamId, uint64_t> m_messageDelivered; //!< "MessageDelivered": bytes
};

} // namespace ns3::ddl

#endif // DDL_MESSAGE_STREAM_H
