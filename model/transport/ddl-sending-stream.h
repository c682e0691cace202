// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SENDING_STREAM_H
#define DDL_SENDING_STREAM_H

#include "ddl-stream.h"

#include "ns3/callback.h"
#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-priority.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * The sending end of a stream: an ordered sequence of messages from one machine to another, which
 * stays open from one iteration to the next. The other end is a ReceivingStream. Each end is an
 * object of its machine; they find each other by the contents of packets, as TCP connections and
 * queue pairs do.
 *
 * A message has a length of at least one byte, and a tag as contents. It is complete when its last
 * byte has arrived at the receiver; this end knows when it has been acknowledged. Invariants,
 * checked: messages are delivered in the order of sending, each exactly once; acknowledged bytes
 * never exceed sent bytes.
 *
 * This end writes its mark on data, the other end its own mark on acknowledgements. A mark may
 * change at any time; it holds for packets not yet handed to the NIC. A stream may starve for any
 * length of time, and goes on when it is served again.
 */
class SendingStream : public Object
{
  public:
    /** Called when the last byte of a message has been acknowledged. */
    using AcknowledgedCallback = Callback<void>;

    static TypeId GetTypeId();

    /**
     * \param request contents of the connection request
     * \param destination the receiving machine
     */
    SendingStream(const StreamRequest& request, HostId destination);
    ~SendingStream() override;

    StreamId GetId() const
    {
        return m_request.id;
    }

    const StreamName& GetName() const
    {
        return m_request.name;
    }

    HostId GetSource() const
    {
        return m_request.source;
    }

    HostId GetDestination() const
    {
        return m_destination;
    }

    /**
     * Send one message, after those given before. Callbacks run after this call has returned.
     *
     * \param bytes length of the message, 1 to 2^63 (less than 2^64 over the life of the stream)
     * \param tag contents of the message, for the receiver
     * \param acknowledged callback when the last byte has been acknowledged; may be null
     */
    void Send(uint64_t bytes,
              const MessageTag& tag = {},
              AcknowledgedCallback acknowledged = AcknowledgedCallback());

    /**
     * Change the mark of data from now on. Without effect on a closed stream.
     * \param mark band at this machine's NIC, and codepoint for the switches
     */
    void SetMark(Mark mark);

    Mark GetMark() const
    {
        return m_mark;
    }

    /**
     * Pin the stream to another of the equal-cost paths, for a scheduler that chooses paths. Data
     * take it from the moment on in which none is in flight, acknowledgements follow.
     * Transport::ListPaths says which label takes which path.
     *
     * \param flowLabel see StreamHost::Open
     * \return whether the transport lets a stream change its path; a closed stream has none
     */
    bool SetPath(uint32_t flowLabel)
    {
        return !m_shut && DoSetPath(flowLabel);
    }

    /**
     * \return the flows that carry the data, one for each queue pair, with the path that was set
     *         last; none within a machine or server, for a closed stream, and where each packet has
     *         a source port of its own
     */
    virtual std::vector<FlowKey> ListFlows() const
    {
        return {};
    }

    /** \return bytes of all messages given to Send */
    uint64_t GetSentBytes() const
    {
        return m_sent;
    }

    uint64_t GetAcknowledgedBytes() const; //!< \return bytes acknowledged so far

    /** \return true when all that was sent has been acknowledged */
    bool IsIdle() const
    {
        return m_acknowledged == m_sent;
    }

    /**
     * Say how many bytes this stream sends per iteration, before the first message: then congestion
     * controls that ask (MLTCP) know how far an iteration is. Messages name theirs by
     * MessageTag::iteration.
     *
     * \param bytes bytes of all messages of one iteration; 0: unknown
     */
    void SetIterationBytes(uint64_t bytes);

    /** \return part of the bytes of the present iteration, that of the first unacknowledged byte,
     * that has been acknowledged, 0 to 1; none without SetIterationBytes */
    std::optional<double> GetIterationShare() const;

    /**
     * Count how many thresholds the oldest message in transit has passed, so that the priority of
     * long messages can fall. The caller changes the mark accordingly.
     *
     * \param thresholds acknowledged bytes of a message, more than 0, ascending; none: no demotion
     * \param changed callback at each change of GetDemotion(); may close the stream
     */
    void SetDemotionThresholds(const std::vector<uint64_t>& thresholds, Callback<void> changed);

    /** \return number of thresholds that the oldest message in transit has passed; 0 without one */
    uint32_t GetDemotion() const
    {
        return m_demotion;
    }

    /**
     * Count bytes of messages that were not simulated at all ports of the present path. Without
     * effect on transports with packets: there Port::Credit and Transport::Credit count packets.
     */
    virtual void Credit(uint64_t /* bytes */)
    {
    }

    /** \return counters of sent packets; only the other end counts late arrivals */
    virtual StreamCounters GetCounters() const = 0;

    /**
     * Release the resources of this end. Messages that have not left are lost, and there are no
     * more callbacks. The other end is not informed. Safe to call from a callback, and twice.
     */
    void Close();

    using MessageCallback = void (*)(const StreamName&, uint64_t);

  protected:
    void DoDispose() override;

    const StreamRequest& GetRequest() const
    {
        return m_request;
    }

    /** For subclasses: more bytes are known to have arrived; runs the callbacks of the messages
     * that they complete. \param bytes number of these bytes */
    void NotifyAcknowledged(uint64_t bytes);

    /** \return true once this end is closed or disposed of */
    bool IsShut() const
    {
        return m_shut;
    }

    /** For subclasses: all resources have been released; the counters do not change any more. */
    void NotifyReleased();

  private:
    friend class StreamCrossing;
    friend class StreamHost;

    /** Send a message, after those given before. */
    virtual void DoSend(uint64_t bytes, const MessageTag& tag) = 0;
    virtual void DoSetMark(Mark mark) = 0;

    /** \return whether the stream will take the path of that label */
    virtual bool DoSetPath(uint32_t /* flowLabel */)
    {
        return false;
    }

    /** Release the resources of this end, which is shut now. Calls NotifyReleased, now or later. */
    virtual void DoClose() = 0;

    /** Called when the end is about to be closed: the last chance to call NotifyAcknowledged. */
    virtual void DoPrepareClose()
    {
    }

    /**
     * \return bytes that have arrived and for which NotifyAcknowledged has not been called yet,
     *         without those that complete a message. Only for transports without packets
     */
    virtual uint64_t DoCountUntold() const
    {
        return 0;
    }

    void Shut();
    void UpdateDemotion();
    void NoteIteration(uint64_t iteration);

    /** Where the messages of an iteration begin. */
    struct Iteration
    {
        uint64_t number;
        uint64_t start; //!< position of the first byte
    };

    /** A message that is not yet acknowledged. */
    struct Message
    {
        uint64_t end; //!< position behind the message's last byte
        AcknowledgedCallback acknowledged;
    };

    StreamRequest m_request;
    HostId m_destination;
    Mark m_mark;
    uint32_t m_demotion{0};
    Callback<void> m_demotionChanged;
    Callback<void, StreamId> m_releasedCallback;               //!< the machine's
    TracedCallback<const StreamName&, uint64_t> m_messageSent; //!< trace source "MessageSent"

    uint64_t m_iterationBytes{0};                 //!< bytes per iteration; 0: unknown
    mutable std::deque<Iteration> m_iterations{}; //!< those that are not wholly acknowledged

    // These members are last, next to what a derived class needs for each packet.
    uint64_t m_oldest{0}; //!< position of the first byte of the oldest pending message
    std::vector<uint64_t> m_thresholds;
    std::deque<Message> m_pending; //!< unacknowledged messages, in order of sending
    uint64_t m_sent{0};            //!< bytes given to Send
    uint64_t m_acknowledged{0};    //!< bytes acknowledged
    bool m_telling{false};         //!< whether NotifyAcknowledged is running
    bool m_shut{false};            //!< whether this end is closed or disposed of
};

} // namespace ns3::ddl

#endif // DDL_SENDING_STREAM_H
