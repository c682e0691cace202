// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-host-port.h"

#include "ddl-host-address.h"

#include "ns3/ddl-dscp-map.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-strict-priority-queue-scheduler.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/queue-item.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <typeinfo>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlHostPort");

NS_OBJECT_ENSURE_REGISTERED(HostPort);

TypeId
HostPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::HostPort")
                            .SetParent<Port>()
                            .SetGroupName("Ddl")
                            .AddConstructor<HostPort>();
    return tid;
}

HostPort::HostPort() = default;

HostPort::~HostPort() = default;

void
HostPort::Configure(const HostSpec& spec, uint32_t host)
{
    SetQueues(spec.bands, CreateObject<StrictPriorityQueueScheduler>());
    GetBank().SetEcnThreshold(spec.ecnThreshold);
    m_host = host;
    m_band.fill(static_cast<uint8_t>(spec.bands - 1));
    for (uint32_t priority = FIRST_PRIORITY; priority < PRIORITIES; ++priority)
    {
        m_band[priority] = PriorityToQueue(priority, spec.bands);
    }
    KeepPriorityTag();
}

/** Keep ns-3's traffic control layer from removing the SocketPriorityTag, as it does where the
 * device has one transmission queue. */
void
HostPort::KeepPriorityTag()
{
    if (GetObject<NetDeviceQueueInterface>())
    {
        return;
    }
    auto queues =
        CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues", UintegerValue(MAX_QUEUES));
    queues->SetSelectQueueCallback([](Ptr<QueueItem>) -> std::size_t { return 0; });
    AggregateObject(queues);
}

void
HostPort::SetBand(uint32_t priority, uint32_t band)
{
    if (priority >= PRIORITIES || band >= GetQueues())
    {
        throw InputError(
            "priority " + std::to_string(priority) + " -> band " + std::to_string(band) +
            ": priorities are 0 to 15, bands of this host 0 to " + std::to_string(GetQueues() - 1));
    }
    m_band[priority] = static_cast<uint8_t>(band);
}

void
HostPort::CheckMark(Mark mark) const
{
    if (mark.band >= GetQueues() || mark.dscp >= DscpMap::CODEPOINTS)
    {
        throw InputError("mark with band " + std::to_string(mark.band) + " and DSCP " +
                         std::to_string(mark.dscp) + ": bands of this host are 0 to " +
                         std::to_string(GetQueues() - 1) + ", codepoints 0 to 63");
    }
}

void
HostPort::SetMark(const FlowKey& flow, Mark mark)
{
    CheckMark(mark);
    NS_LOG_LOGIC("host " << m_host << " marks port " << flow.sourcePort << " to "
                         << flow.destination << ":" << flow.destinationPort << " band "
                         << +mark.band << " DSCP " << +mark.dscp);
    m_marks[flow] = mark;
}

void
HostPort::ClearMark(const FlowKey& flow)
{
    m_marks.erase(flow);
}

void
HostPort::SetEngine(NicEngine* engine)
{
    NS_ABORT_MSG_IF(m_engine && engine,
                    "a NIC has one engine: one transport of this kind a fabric");
    m_engine = engine;
    SetOffer(engine ? &engine->GetOffer() : nullptr);
    if (engine)
    {
        engine->SetPaused(m_pausedCodepoints);
    }
}

void
HostPort::NotifyOffer(Time now)
{
    Serve(now);
}

Frame*
HostPort::TakeFrame(Time now)
{
    Frame* frame = m_frames->Take();
    frame->arrival = now.GetTimeStep();
    return frame;
}

void
HostPort::SendFrame(Frame* frame)
{
    m_offeredPackets.Add(frame->bytes);
    Enqueue(frame);
}

/** Strict priority between bands; within one, the queue and the engine take turns. */
Frame*
HostPort::TakeNext(Time now)
{
    const QueueMask offered = GetOffered();
    const QueueMask queued = GetBank().GetView().nonEmpty & ~(GetPaused() == 0 ? 0 : GetBlocked());
    const uint32_t band = QueueScheduler::First(queued | offered);
    const QueueMask bit = QueueBit(band);
    const bool pull = (offered & bit) != 0 && (queued & m_queueIsNext & bit) == 0;
    m_queueIsNext = pull ? m_queueIsNext | bit : m_queueIsNext & ~bit;
    if (!pull)
    {
        return GetBank().Pop(band);
    }
    Frame* frame = m_engine->Pull(band, now);
    m_offeredPackets.Add(frame->bytes);
    GetBank().CountSent(band, frame->bytes);
    return frame;
}

/** A band holds packets of any codepoint: a paused one blocks those behind it. */
QueueMask
HostPort::GetBlocked() const
{
    QueueMask blocked = 0;
    for (uint32_t band = 0; band < GetQueues(); ++band)
    {
        const bool waits = (GetBank().GetView().nonEmpty & QueueBit(band)) != 0;
        if (waits && ((m_pausedCodepoints >> GetBank().Peek(band).dscp) & 1U) != 0)
        {
            blocked |= QueueBit(band);
        }
    }
    return blocked;
}

/** A pause of a queue at the far end holds for the codepoints that it maps to that queue. */
void
HostPort::DoSetPaused(const DscpMap* map)
{
    m_pausedCodepoints = 0;
    for (uint8_t dscp = 0; map && dscp < DscpMap::CODEPOINTS; ++dscp)
    {
        m_pausedCodepoints |= uint64_t{(GetPaused() >> map->GetQueue(dscp)) & 1U} << dscp;
    }
    if (m_engine)
    {
        m_engine->SetPaused(m_pausedCodepoints);
    }
}

bool
HostPort::Send(Ptr<Packet> packet, const Address& /* dest */, uint16_t protocol)
{
    Ipv4Fields fields;
    m_offeredPackets.Add(packet->GetSize());
    if (protocol != PROTOCOL_IPV4 || packet->GetSize() > GetMtu() || !GetChannel() ||
        !ReadIpv4Fields(*packet, fields))
    {
        CountDrop(DropReason::REFUSED, packet->GetSize());
        return false;
    }
    Enqueue(MakeFrame(packet, fields));
    return true;
}

Frame*
HostPort::MakeFrame(Ptr<Packet> packet, const Ipv4Fields& fields)
{
    Frame* frame = TakeFrame(Simulator::Now());
    frame->packet = packet;
    frame->bytes = packet->GetSize();
    frame->destination = AddressToHost(fields.flow.destination);
    frame->flowHash = fields.flow.PathHash(fields.source);
    frame->dscp = fields.tos >> 2;
    frame->ecn = fields.tos & 3;
    frame->ttl = fields.ttl;
    Classify(frame, fields);
    return frame;
}

void
HostPort::Classify(Frame* frame, const Ipv4Fields& fields)
{
    SocketPriorityTag tag;
    const bool tagged = frame->packet->RemovePacketTag(tag);
    const auto found = m_marks.empty() ? m_marks.end() : m_marks.find(fields.flow);
    const bool marked = found != m_marks.end();
    if (!marked && !fields.resetsConnection)
    {
        const uint32_t priority = tagged ? tag.GetPriority() : 0;
        frame->queue = m_band[priority < PRIORITIES ? priority : 0];
        return;
    }
    // A late packet of a closed connection draws a reset, whose mark is gone with the connection.
    const bool control = fields.opensConnection || fields.resetsConnection;
    const Mark mark = control ? CONTROL_MARK : found->second;
    frame->queue = mark.band;
    frame->rewritten = frame->dscp != mark.dscp;
    frame->dscp = mark.dscp;
}

void
HostPort::DoAttach()
{
    m_frames = &GetFramePool();
}

void
HostPort::ForeseeSource(unsigned step) const
{
    if (step == 0)
    {
        PrefetchCounts();
    }
    m_engine->ForeseePull(step);
}

/** The wire to a NIC. */
class HostPort::IncomingWire final : public Wire
{
  public:
    IncomingWire(HostPort& to, Time delay)
        : Wire(to, delay),
          m_nic(to)
    {
        Register(typeid(IncomingWire));
    }

  private:
    void Deliver(Frame* frame) override
    {
        m_nic.Deliver(frame);
    }

    void ForeseeDelivery(const Frame& frame, unsigned step) const override
    {
        if (step == 1)
        {
            m_nic.PrefetchCounts();
            __builtin_prefetch(&frame.header);
            __builtin_prefetch(m_nic.m_engine);
        }
        else if (m_nic.m_engine && frame.offloaded)
        {
            m_nic.m_engine->ForeseeReceive(frame);
        }
    }

    HostPort& m_nic;
};

Ptr<Wire>
HostPort::DoMakeIncoming(Time delay)
{
    return Create<IncomingWire>(*this, delay);
}

void
HostPort::Deliver(Frame* frame)
{
    const bool ours = frame->destination == m_host;
    ours ? m_delivered.Add(frame->bytes) : CountDrop(DropReason::MISROUTED, frame->bytes);
    if (ours && frame->offloaded && m_engine)
    {
        m_engine->Receive(*frame);
        m_frames->Release(frame);
        return;
    }
    if (!ours)
    {
        m_frames->Release(frame);
        return;
    }
    Ptr<Packet> packet = frame->SeePacket();
    if (frame->rewritten)
    {
        WriteIpv4Fields(*frame, packet);
    }
    m_frames->Release(frame);
    DeliverToNode(packet, GetPeer()->GetAddress());
}

} // namespace ns3::ddl
