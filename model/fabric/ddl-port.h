// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PORT_H
#define DDL_PORT_H

#include "ddl-fabric-device.h"
#include "ddl-frame-pool.h"
#include "ddl-ipv4-fields.h"
#include "ddl-packet-count.h"
#include "ddl-pause-meter.h"
#include "ddl-persistent-event.h"
#include "ddl-queue-bank.h"
#include "ddl-quiet-trace.h"
#include "ddl-transmitter.h"
#include "ddl-wire.h"

#include "ns3/ddl-dscp-map.h"

#include <memory>

namespace ns3::ddl
{

class Link;

/**
 * One end of a link: egress queues, their service, and the transmitter.
 *
 * A packet of n bytes keeps the wire busy for (n + FramingBytes) * 8 / DataRate.
 *
 * Frames come from the queues, and, where a source stands behind the port (the engine of a NIC),
 * from that source, which makes a frame only when its turn has come and the wire is free for it.
 *
 * Invariants: the wire is never idle while a frame waits or is offered and the link is up; a
 * transmit event is pending exactly when one waits for the wire (or waited when the link fell).
 */
class Port : public FabricDevice
{
  public:
    static TypeId GetTypeId();
    Port();
    ~Port() override;

    /** Trace signature: the packet with its IPv4 header as it is at this port, and its queue. */
    using QueueTracedCallback = void (*)(Ptr<const Packet> packet, uint32_t queue);
    /** Trace signature: the packet with its IPv4 header as it is at this port. */
    using SnifferTracedCallback = void (*)(Ptr<const Packet> packet);

    /** \param pool that frames of this port come from and return to, shared with its far end */
    void SetFramePool(std::shared_ptr<FramePool> pool);

    /** \param queues 1 to 63 \param service this port's own. \throws InputError by its Configure */
    void SetQueues(uint32_t queues, Ptr<QueueScheduler> service);

    /** Called by the link. \param link that this port is at \param end 0 or 1
     * \param wire from here to the far end */
    void Attach(Ptr<Link> link, uint32_t end, Ptr<Wire> wire);

    /** Prefetch what is needed to send a frame at once. */
    void Prefetch() const
    {
        __builtin_prefetch(&m_transmitter);
    }

    /**
     * Prefetch what else is needed to send a frame of a queue.
     * \param waits whether the frame has to wait for the wire
     */
    void PrefetchQueue(uint32_t queue, bool waits) const
    {
        m_bank.Prefetch(queue, waits);
        __builtin_prefetch(PeekPointer(m_wire));
        if (waits)
        {
            __builtin_prefetch(&m_event);
        }
    }

    /** \return when the last bit of the last packet is out */
    Time GetFreeTime() const
    {
        return m_transmitter.GetFreeTime();
    }

    /** Called by the link. \return the wire from the far end, once */
    Ptr<Wire> MakeIncoming(Time delay);

    /** Call the sniffers. \param frame that came in */
    void Sniff(Frame* frame) const
    {
        Fire(m_snifferTrace, frame);
    }

    /**
     * The far end asks for a pause, or ends one (IEEE 802.1Qbb). The packet that is being sent is
     * finished.
     *
     * \param queue of the far end's map: no packet that it would put there is sent meanwhile
     * \param map of the far end, outlives this
     */
    void SetPaused(uint32_t queue, bool paused, const DscpMap& map);

    /** Called by the link, at both ports before anything else. \param up from now on */
    void SetLinkUp(bool up)
    {
        m_up = up;
    }

    /** The link fell or came back: what waits is dropped when it fell. */
    void NotifyLinkChange();
    /** A frame of this port was lost on the wire. \param frame taken over */
    void LoseOnWire(Frame* frame);

    /** \return number of queues */
    uint32_t GetQueues() const
    {
        return m_queues;
    }

    /** \return what happened at a queue. \param queue 0 to GetQueues() - 1 */
    const QueueCounters& GetCounters(uint32_t queue) const;
    /** \return bytes waiting in a queue. \param queue 0 to GetQueues() - 1 */
    uint64_t GetBacklog(uint32_t queue) const;
    /** \return how long packets of a queue have kept the wire busy, framing included */
    Time GetBusyTime(uint32_t queue) const;

    /** \return packets that came in over the link */
    PacketCount GetReceived() const
    {
        return m_incoming ? m_incoming->GetReceived() : PacketCount();
    }

    /** \return packets dropped by this port: at all queues, and received ones */
    const DropCounts& GetDrops() const
    {
        return m_drops;
    }

    /** \return the other end, null before the port is attached */
    Ptr<Port> GetPeer() const;

    /** \return bits per second on the wire */
    DataRate GetDataRate() const
    {
        return m_transmitter.GetDataRate();
    }

    /** \return what chooses among the queues, null before SetQueues */
    Ptr<QueueScheduler> GetService() const
    {
        return m_service;
    }

    /** \return the port's queues, to set limits and thresholds before the first packet */
    QueueBank& GetBank()
    {
        return m_bank;
    }

    /** \return the port's queues */
    const QueueBank& GetBank() const
    {
        return m_bank;
    }

    /** \return id of the node, for events that concern this port */
    uint32_t GetContext() const
    {
        return m_context;
    }

    Ptr<Channel> GetChannel() const override;

    bool IsLinkUp() const override;
    void SetNode(Ptr<Node> node) override;

  protected:
    void DoDispose() override;

    /** \param map of codepoints to the queues of this port, outlives it */
    void SetMap(const DscpMap* map)
    {
        m_map = map;
    }

    /** \return what SetMap was given */
    const DscpMap* GetMap() const
    {
        return m_map;
    }

    /** Put a frame, which has just arrived, into its queue and send it when its turn comes.
     * \param frame taken over */
    void Enqueue(Frame* frame);

    /** Throw a frame away that is in no queue yet. \param frame taken over */
    void Refuse(Frame* frame, DropReason reason);

    /** A packet was thrown away that never became a frame of a queue. */
    void CountDrop(DropReason reason, uint32_t bytes)
    {
        m_drops.Add(reason, bytes);
    }

    /** \param meter of the switch, which counts frames that leave here; outlives this, or null */
    void SetPauseMeter(PauseMeter* meter);

    /** Before the first frame. \param buffer the switch's, or null */
    void SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer);

    /** \return what SetPauseMeter was given */
    PauseMeter* GetPauseMeter() const
    {
        return m_simple ? nullptr : m_meter;
    }

    /** A control frame of the link layer, ahead of all queues. \return when it reaches the far end
     */
    Time GetControlArrival(uint32_t bytes) const;

    /** \return queues at the far end that must not get anything now */
    QueueMask GetPaused() const
    {
        return m_paused;
    }

    /** \return the pool of frames */
    FramePool& GetFramePool()
    {
        return *m_pool;
    }

    /** \param queues in which the source can send, a mask that it keeps; null: no source */
    void SetOffer(const QueueMask* queues)
    {
        m_offer = queues ? queues : &NOTHING;
        UpdateSimple();
    }

    /** \return queues in which the source behind this port can send */
    QueueMask GetOffered() const
    {
        return *m_offer;
    }

    /** Send what waits or is offered, as soon as the wire is free. \param now the present time */
    void Serve(Time now);

  private:
    /** \return queues whose first frame must wait; asked while something is paused */
    virtual QueueMask GetBlocked() const
    {
        return m_paused;
    }

    /** The far end paused or went on. \param map of the far end; null: the link fell, all is over
     */
    virtual void DoSetPaused(const DscpMap* /* map */)
    {
    }

    /** \return a wire to this port. \param delay of propagation, not negative */
    virtual Ptr<Wire> DoMakeIncoming(Time delay) = 0;

    /** Prefetch what the source needs to make a frame. \param step 0, 1: see ForeseenEvent */
    virtual void ForeseeSource(unsigned /* step */) const
    {
    }

    /** The port is at its link. */
    virtual void DoAttach()
    {
    }

    /** \return the queue that sends next, of those with bits in the view */
    uint32_t Select(const QueueView& view)
    {
        return m_simple || m_strict ? QueueScheduler::First(view.nonEmpty)
                                    : m_service->Select(view);
    }

    /** Take the next frame where a source offers something or the far end has paused something. */
    virtual Frame* TakeNext(Time now);
    void UpdateSimple();
    void ReleaseMeter(const Frame& frame);

    bool HasNext() const
    {
        const QueueMask queued = m_bank.GetView().nonEmpty;
        if (m_simple)
        {
            return queued != 0;
        }
        return ((m_paused == 0 ? queued : queued & ~GetBlocked()) | *m_offer) != 0;
    }

    static constexpr QueueMask NOTHING = 0;

    bool IsFree(Time now) const;
    void Transmit(Frame* frame, Time now);
    void StartTransmission(Time now);
    void FinishTransmission();
    void ScheduleTransmission(Time now);
    void Drop(Frame* frame, DropReason reason);
    void SetDataRate(DataRate rate);
    void SetFraming(uint32_t bytes);

    uint32_t GetFraming() const
    {
        return m_framing;
    }

    void ForeseeTransmission(unsigned step) const;

    /** The wire is free, and a frame waits for it. */
    class TransmitEvent final : public PersistentEvent<Port, &Port::FinishTransmission>
    {
      public:
        explicit TransmitEvent(Port* port);
        void Foresee(unsigned step) const override;
    };

    using QueueTrace = QuietTrace<Ptr<const Packet>, uint32_t>;
    using SnifferTrace = QuietTrace<Ptr<const Packet>>;

    /**
     * Call the sinks with a copy of the packet as it is here; without sinks this costs one test.
     */
    static void Fire(const QueueTrace& trace, Frame* frame)
    {
        if (!trace.IsEmpty())
        {
            trace(CopyWithHeader(*frame), frame->queue);
        }
    }

    static void Fire(const SnifferTrace& trace, Frame* frame)
    {
        if (!trace.IsEmpty())
        {
            trace(CopyWithHeader(*frame));
        }
    }

    Ptr<Wire> m_incoming; //!< from the far end; kept, as trace sources know it
    std::shared_ptr<FramePool> m_pool;
    Ptr<Link> m_link;
    uint32_t m_queues{0};
    uint32_t m_end{0}; //!< of the link
    DropCounts m_drops;
    QueueTrace m_dropTrace;
    QueueTrace m_markTrace;
    QueueTrace m_enqueueTrace;
    QueueTrace m_dequeueTrace;
    SnifferTrace m_snifferTrace;

    // What a packet needs that has to wait.
    alignas(128) const QueueMask* m_offer{&NOTHING}; //!< see SetOffer
    PauseMeter* m_meter{nullptr};
    QueueMask m_paused{0}; //!< queues of the far end
    Ptr<QueueScheduler> m_service;
    Ptr<TransmitEvent> m_event;
    uint32_t m_context{0}; //!< node id
    bool m_strict{false};  //!< the lowest non-empty queue is next; the service is not asked

    // From here to the bank's mask, what a packet needs that can go out at once: one cache line,
    // the second of a pair. With thousands of hosts each line that is read is a cache miss.
    alignas(64) Transmitter m_transmitter;
    Ptr<Wire> m_wire;              //!< to the far end
    const DscpMap* m_map{nullptr}; //!< see SetMap
    uint16_t m_framing{0};         //!< bytes on the wire beside each packet
    bool m_pending{false};         //!< a transmit event is pending
    bool m_up{false};              //!< the link
    bool m_simple{false};          //!< see UpdateSimple
    bool m_watched{false};         //!< a sink was connected to Enqueue, Dequeue, Mark or Sniffer
    QueueBank m_bank;
};

} // namespace ns3::ddl

#endif // DDL_PORT_H
