// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MESSAGE_STREAM_H
#define DDL_MESSAGE_STREAM_H

#include "ns3/callback.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-priority.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace ddl
{

/** What went wrong, or late, on one stream or on all of a transport's. */
struct StreamCounters
{
    uint64_t dataPackets{0};     //!< data packets sent, retransmissions included
    uint64_t retransmissions{0}; //!< data packets sent again
    uint64_t timeouts{0};        //!< expiries of a retransmission timer
    uint64_t reordered{0};       //!< data packets that arrived behind a later one

    StreamCounters& operator+=(const StreamCounters& other);
};

/**
 * An ordered sequence of messages from one machine to another, which stays open from one iteration
 * to the next.
 *
 * Messages have a length and no contents: what they mean is known to whoever asked to be told of
 * their delivery. Invariants, checked at the end of a run: messages are delivered in the order in
 * which they were sent, each exactly once; delivered bytes never exceed sent bytes.
 *
 * Each end writes its own mark on what it sends: the source on the data, the destination on the
 * acknowledgements. A mark may change at any time; it holds for packets not yet handed to the NIC.
 * A stream may starve for any length of time and goes on when it is served again.
 */
class MessageStream : public Object
{
  public:
    /** Called at the destination at the moment when the last byte of a message has arrived. */
    using DeliveredCallback = Callback<void>;

    /** Which machine's packets: the source sends data, the destination acknowledgements. */
    enum class End
    {
        SOURCE,
        DESTINATION
    };

    static TypeId GetTypeId();

    MessageStream(StreamId id, HostId source, HostId destination);
    ~MessageStream() override;

    StreamId GetId() const;
    HostId GetSource() const;
    HostId GetDestination() const;

    /**
     * Send one message behind those already given.
     *
     * \param bytes length, 0 to 2^63; a message of 0 bytes takes its turn in the order and is
     *        delivered with the byte before it, or at once when nothing is under way
     * \param delivered called at delivery; may be null
     */
    void Send(uint64_t bytes, DeliveredCallback delivered);

    /**
     * Change what one end writes on its packets from now on.
     *
     * \param end whose packets
     * \param mark band at that machine's NIC, and codepoint for the switches
     */
    void SetMark(End end, Mark mark);

    /** \return the mark in force at that end */
    Mark GetMark(End end) const;

    uint64_t GetSentBytes() const;      //!< bytes of all messages given to Send
    uint64_t GetDeliveredBytes() const; //!< bytes that have arrived, in order

    /** \return true when all that was sent has been delivered */
    bool IsIdle() const;

    virtual StreamCounters GetCounters() const = 0;

    /** Give back what the stream holds. Messages still under way are lost, without a callback. */
    virtual void Close() = 0;

  protected:
    void DoDispose() override;

    /** For the transport: `bytes` more have arrived in order; runs the callbacks that fall due. */
    void NotifyDelivered(uint64_t bytes);

  private:
    /** New bytes were added behind those given before. */
    virtual void DoSend(uint64_t bytes) = 0;
    virtual void DoSetMark(End end, Mark mark) = 0;

    struct Private;
    std::unique_ptr<Private> m_private;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_MESSAGE_STREAM_H
