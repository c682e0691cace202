// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HOST_PORT_H
#define DDL_HOST_PORT_H

#include "ddl-flow-key.h"
#include "ddl-ipv4-fields.h"
#include "ddl-nic-engine.h"
#include "ddl-port.h"

#include "ns3/ddl-ids.h"
#include "ns3/ddl-port-spec.h"

#include <array>
#include <unordered_map>

namespace ns3::ddl
{

/**
 * The NIC of a host, or its port to a scale-up switch. Its queues, called bands, are served by
 * strict priority, as in Linux's prio queue discipline.
 *
 * The band of a packet is that of its flow's mark. Without a mark it follows from the packet's
 * SocketPriorityTag, by the table that SetBand changes; by default priority p in 1 to 15 -> band
 * min(p, bands - 1), 0 (no tag) -> the last band. A mark also sets the DSCP; the two ECN bits stay.
 * The segments that open a marked TCP connection go as control traffic. A new mark applies to
 * packets that are sent later, not to those that wait here.
 *
 * Bands mark congestion but have no limit, since a machine waits rather than lose its own packets:
 * their depth is bounded by the senders' windows, and not at all for a sender without one.
 */
class HostPort : public Port
{
  public:
    static TypeId GetTypeId();
    HostPort();
    ~HostPort() override;

    static constexpr uint32_t PRIORITIES = 16; //!< socket priorities, as in Linux

    /**
     * Set the NIC up, before the first packet.
     * \param spec number of bands and their ECN threshold
     * \param host index of this host
     * \throws InputError when they are out of range
     */
    void Configure(const HostSpec& spec, uint32_t host);

    /** \return index of this port's host, by Configure */
    HostId GetHost() const
    {
        return HostId{m_host};
    }

    /** Set the band of unmarked packets. \param priority that of their SocketPriorityTag, 0 to 15
     * \param band 0 to bands - 1. \throws InputError otherwise */
    void SetBand(uint32_t priority, uint32_t band);

    /** \throws InputError when this NIC has no such band, or the codepoint is above 63 */
    void CheckMark(Mark mark) const;

    /** From now on, write this mark on the packets of a flow. \throws InputError out of range */
    void SetMark(const FlowKey& flow, Mark mark);
    /** From now on, leave the packets of a flow as they are. No effect when it has no mark. */
    void ClearMark(const FlowKey& flow);

    /** \return packets that the stack and the engine gave to this NIC, refused ones included */
    const PacketCount& GetOfferedPackets() const
    {
        return m_offeredPackets;
    }

    /** \return packets that came in and went to the node's stack or to the engine */
    const PacketCount& GetDelivered() const
    {
        return m_delivered;
    }

    /**
     * Put a transport into the NIC: bands are shared between what Send queued and what the engine
     * offers, and packets that engines made go to it instead of the node's stack.
     *
     * \param engine the only one; outlives this port's events, or is taken out again with null
     */
    void SetEngine(NicEngine* engine);

    /** Called by the engine when it offers more than before: sent as soon as the wire is free. */
    void NotifyOffer(Time now);

    /** \return a frame for the engine to fill; it comes back by Pull or SendFrame */
    Frame* TakeFrame(Time now);

    /** Queue a frame of the engine behind what waits in frame->queue. \param frame taken over */
    void SendFrame(Frame* frame);

    /**
     * Hand a packet to the NIC.
     * \param packet a packet that starts with its IPv4 header; taken over
     * \param protocol EtherType 0x0800; others are refused
     * \return whether the packet was accepted
     */
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;

  private:
    class IncomingWire;

    Ptr<Wire> DoMakeIncoming(Time delay) override;
    void ForeseeSource(unsigned step) const override;

    void PrefetchCounts() const
    {
        __builtin_prefetch(&m_engine);
    }

    void DoAttach() override;
    void Deliver(Frame* frame);
    Frame* TakeNext(Time now) override;
    QueueMask GetBlocked() const override;
    void DoSetPaused(const DscpMap* map) override;
    Frame* MakeFrame(Ptr<Packet> packet, const Ipv4Fields& fields);
    void Classify(Frame* frame, const Ipv4Fields& fields);
    void KeepPriorityTag();

    // What each packet reads and changes: one cache line.
    alignas(64) NicEngine* m_engine{nullptr};
    FramePool* m_frames{nullptr}; //!< pool from which TakeFrame takes, that of this port
    QueueMask m_queueIsNext{0};   //!< bands in which the queue's frame goes before the engine's
    PacketCount m_offeredPackets;
    PacketCount m_delivered;
    uint32_t m_host{0};

    uint64_t m_pausedCodepoints{0}; //!< bit d is set while the far end pauses DSCP d
    std::array<uint8_t, PRIORITIES> m_band{};
    std::unordered_map<FlowKey, Mark, FlowKeyHash> m_marks; //!< marks by flow; never iterated
};

} // namespace ns3::ddl

#endif // DDL_HOST_PORT_H
