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
#include <vector>

namespace ns3::ddl
{

class Link;

/** Traffic of a queue that was not simulated. */
struct QueueCredit
{
    uint64_t packets{0};
    uint64_t bytes{0};
    uint64_t marked{0};
    Time busy; //!< how long it would have kept the wire busy

    /** \return the difference from an earlier reading \p before */
    QueueCredit Since(const QueueCredit& before) const
    {
        return {packets - before.packets,
                bytes - before.bytes,
                marked - before.marked,
                busy - before.busy};
    }

    QueueCredit& operator+=(const QueueCredit& other)
    {
        packets += other.packets;
        bytes += other.bytes;
        marked += other.marked;
        busy += other.busy;
        return *this;
    }
};

/**
 * One end of a link: egress queues, their service, and the transmitter.
 *
 * A packet of n bytes keeps the wire busy for (n + FramingBytes) * 8 / DataRate.
 *
 * Frames come from the queues, and, if the port has a source (the engine of a NIC), from that
 * source, which makes a frame only when its turn has come and the wire is free for it.
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

    /** \param pool the pool of this port's frames, shared with the port at the far end */
    void SetFramePool(std::shared_ptr<FramePool> pool);

    /** \param queues number of queues, 1 to 63 \param service a queue scheduler for this port alone
     * \throws InputError when its Configure does */
    void SetQueues(uint32_t queues, Ptr<QueueScheduler> service);

    /** Called by the link. \param link the port's link \param end the port's end of it, 0 or 1
     * \param wire the wire from here to the far end */
    void Attach(Ptr<Link> link, uint32_t end, Ptr<Wire> wire);

    /** Prefetch what the port needs to send a frame at once. */
    void Prefetch() const
    {
        __builtin_prefetch(&m_transmitter);
    }

    /**
     * Prefetch what the port needs beside Prefetch() to send a frame of a queue.
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

    /** \return time at which the last bit of the last packet leaves */
    Time GetFreeTime() const
    {
        return m_transmitter.GetFreeTime();
    }

    /** Called once by the link. \return a new wire from the far end to this port */
    Ptr<Wire> MakeIncoming(Time delay);

    /** Call the sniffers. \param frame a frame that came in */
    void Sniff(Frame* frame) const
    {
        Fire(m_snifferTrace, frame);
    }

    /**
     * The far end starts or ends a pause (IEEE 802.1Qbb). The packet that is being sent is
     * finished.
     *
     * \param queue queue of the far end: packets that its map puts there are not sent meanwhile
     * \param map the far end's map of codepoints to queues, outlives this
     */
    void SetPaused(uint32_t queue, bool paused, const DscpMap& map);

    /** Called by the link, at both ports before anything else. \param up the link's new state */
    void SetLinkUp(bool up)
    {
        m_up = up;
    }

    /** The link fell or came back: what waits is dropped when it fell. */
    void NotifyLinkChange();
    /** Called when a frame of this port was lost on the wire. \param frame taken over */
    void LoseOnWire(Frame* frame);

    /**
     * From now on, write a record into packets that ask for it (Frame::recorded). With strict
     * priorities it counts what goes before the packet, its own queue included, else all queues.
     *
     * \param rate index of this port's rate among those of the network
     * \param id number of this port in the network
     */
    void EnableTelemetry(uint32_t rate, uint32_t id);

    /** \return number of queues */
    uint32_t GetQueues() const
    {
        return m_queues;
    }

    /** \return the counters of a queue, with what was credited; those of the bank are without.
     * \param queue 0 to GetQueues() - 1 */
    QueueCounters GetCounters(uint32_t queue) const;
    /** \return bytes waiting in a queue. \param queue 0 to GetQueues() - 1 */
    uint64_t GetBacklog(uint32_t queue) const;
    /** \return time for which a queue's packets have kept the wire busy, framing included; with
     * what was credited */
    Time GetBusyTime(uint32_t queue) const;
    /** Count traffic of a queue that was not simulated, so many times: iterations that a leap
     * skipped. */
    void Credit(uint32_t queue, const QueueCredit& each, uint64_t times);

    /** \return packets that came in over the link */
    PacketCount GetReceived() const
    {
        return m_incoming ? m_incoming->GetReceived() : PacketCount();
    }

    /** \return packets that this port dropped, at all queues and after arrival */
    const DropCounts& GetDrops() const
    {
        return m_drops;
    }

    /** \return the port at the other end, null before this port is attached */
    Ptr<Port> GetPeer() const;

    /** \return bits per second on the wire */
    DataRate GetDataRate() const
    {
        return m_transmitter.GetDataRate();
    }

    /** \return the scheduler that chooses among the queues, null before SetQueues */
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

    /** \return id of the port's node, for events that concern this port */
    uint32_t GetContext() const
    {
        return m_context;
    }

    Ptr<Channel> GetChannel() const override;

    bool IsLinkUp() const override;
    void SetNode(Ptr<Node> node) override;

  protected:
    void DoDispose() override;

    /** \param map the map of codepoints to this port's queues, outlives the port */
    void SetMap(const DscpMap* map)
    {
        m_map = map;
    }

    /** \return the map of codepoints to this port's queues */
    const DscpMap* GetMap() const
    {
        return m_map;
    }

    /** Put a frame, which has just arrived, into its queue and send it when its turn comes.
     * \param frame taken over */
    void Enqueue(Frame* frame);

    /** Drop a frame that is in no queue yet. \param frame taken over */
    void Refuse(Frame* frame, DropReason reason);

    /** Count the drop of a packet that never became a frame of a queue. \param bytes its size */
    void CountDrop(DropReason reason, uint32_t bytes)
    {
        m_drops.Add(reason, bytes);
    }

    /** \param meter the switch's pause meter, told of frames that leave; outlives this; or null */
    void SetPauseMeter(PauseMeter* meter);

    /** Call before the first frame. \param buffer the switch's packet memory, or null */
    void SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer);

    /** \return the switch's pause meter, or null */
    PauseMeter* GetPauseMeter() const
    {
        return m_simple ? nullptr : m_meter;
    }

    /** \return time at which a link-layer control frame that is sent now, ahead of all queues,
     * reaches the far end. \param bytes the control frame's size on the wire */
    Time GetControlArrival(uint32_t bytes) const;

    /** \return queues of the far end that are paused now */
    QueueMask GetPaused() const
    {
        return m_paused;
    }

    /** \return the pool of this port's frames */
    FramePool& GetFramePool()
    {
        return *m_pool;
    }

    /** \param queues the mask of queues in which the source can send, which the source updates;
     * null: no source */
    void SetOffer(const QueueMask* queues)
    {
        m_offer = queues ? queues : &NOTHING;
        UpdateSimple();
    }

    /** \return queues in which the port's source can send */
    QueueMask GetOffered() const
    {
        return *m_offer;
    }

    /** Send what waits or is offered, as soon as the wire is free. \param now the present time */
    void Serve(Time now);

  private:
    /** \return queues whose first frame may not be sent; asked while something is paused */
    virtual QueueMask GetBlocked() const
    {
        return m_paused;
    }

    /** Called when a pause started or ended. \param map the far end's map; null: the link fell,
     * which ends all pauses */
    virtual void DoSetPaused(const DscpMap* /* map */)
    {
    }

    /** \return a new wire to this port. \param delay propagation delay, not negative */
    virtual Ptr<Wire> DoMakeIncoming(Time delay) = 0;

    /** Prefetch what the source needs to make a frame. \param step 0, then 1: the steps 1 and 2 of
     * ForeseenEvent */
    virtual void ForeseeSource(unsigned /* step */) const
    {
    }

    /** Called when the port has been attached to its link. */
    virtual void DoAttach()
    {
    }

    /** \return the queue that sends next, one of those that the view shows as non-empty */
    uint32_t Select(const QueueView& view)
    {
        return m_simple || m_strict ? QueueScheduler::First(view.nonEmpty)
                                    : m_service->Select(view);
    }

    /** Take the next frame to send, called while a source offers frames or the far end pauses
     * queues. \return the frame */
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
    void WriteTelemetry(Frame* frame, Time now) const;
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

    /** The event that the wire becomes free while a frame waits for it. */
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

    Ptr<Wire> m_incoming; //!< wire from the far end; kept, as trace sources refer to it
    std::shared_ptr<FramePool> m_pool;
    Ptr<Link> m_link;
    uint32_t m_queues{0};
    uint32_t m_end{0}; //!< this port's end of the link, 0 or 1
    DropCounts m_drops;
    std::vector<QueueCredit> m_credit; //!< credited traffic by queue; empty: none
    uint32_t m_rateIndex{0};           //!< for records, see EnableTelemetry
    uint32_t m_portNumber{0};          //!< for records, see EnableTelemetry
    QueueTrace m_dropTrace;
    QueueTrace m_markTrace;
    QueueTrace m_enqueueTrace;
    QueueTrace m_dequeueTrace;
    SnifferTrace m_snifferTrace;

    // These members are what a packet that has to wait needs.
    alignas(128) const QueueMask* m_offer{&NOTHING}; //!< queues in which the source can send
    PauseMeter* m_meter{nullptr};
    QueueMask m_paused{0}; //!< queues of the far end that are paused now
    Ptr<QueueScheduler> m_service;
    Ptr<TransmitEvent> m_event;
    uint32_t m_context{0}; //!< id of the port's node
    bool m_strict{false};  //!< whether the service is strict priority, and need not be asked

    // The members from here to the bank's mask are what a packet that can go out at once needs: one
    // cache line, the second of a pair. With thousands of hosts each line read is a cache miss.
    alignas(64) Transmitter m_transmitter;
    Ptr<Wire> m_wire;              //!< wire to the far end
    const DscpMap* m_map{nullptr}; //!< map of codepoints to this port's queues, see SetMap
    uint16_t m_framing{0};         //!< bytes on the wire beside each packet
    bool m_pending{false};         //!< whether a transmit event is pending
    bool m_up{false};              //!< whether the link is up
    bool m_simple{false};          //!< whether the short path can be taken, see UpdateSimple
    bool m_watched{false};         //!< whether Enqueue, Dequeue, Mark or Sniffer ever had a sink,
                                   //!< or telemetry is enabled
    QueueBank m_bank;
};

} // namespace ns3::ddl

#endif // DDL_PORT_H
