// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-port.h"

#include "ddl-flow-key.h"
#include "ddl-link.h"
#include "ddl-path-telemetry.h"

#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Port);

TypeId
Port::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Port")
            .SetParent<FabricDevice>()
            .SetGroupName("Ddl")
            .AddAttribute("DataRate",
                          "Bits per second on the wire, framing included.",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&Port::SetDataRate, &Port::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute("FramingBytes",
                          "Bytes on the wire beside each IPv4 packet. Default: Ethernet's preamble "
                          "8, header 14, FCS 4, gap 12. 2 equals ns3::PointToPointNetDevice.",
                          UintegerValue(38),
                          MakeUintegerAccessor(&Port::SetFraming, &Port::GetFraming),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddTraceSource("Enqueue",
                            "A packet entered a queue.",
                            MakeTraceSourceAccessor(&Port::m_enqueueTrace),
                            "ns3::ddl::Port::QueueTracedCallback")
            .AddTraceSource("Dequeue",
                            "A packet left a queue and its first bit goes out.",
                            MakeTraceSourceAccessor(&Port::m_dequeueTrace),
                            "ns3::ddl::Port::QueueTracedCallback")
            .AddTraceSource("Drop",
                            "A packet was refused, flushed, or lost on the wire of a fallen link.",
                            MakeTraceSourceAccessor(&Port::m_dropTrace),
                            "ns3::ddl::Port::QueueTracedCallback")
            .AddTraceSource("Mark",
                            "Congestion was marked on a packet that entered a queue.",
                            MakeTraceSourceAccessor(&Port::m_markTrace),
                            "ns3::ddl::Port::QueueTracedCallback")
            .AddTraceSource("Sniffer",
                            "A packet begins to go out, or its last bit came in.",
                            MakeTraceSourceAccessor(&Port::m_snifferTrace),
                            "ns3::ddl::Port::SnifferTracedCallback");
    return tid;
}

Port::Port()
    : m_event(Create<TransmitEvent>(this))
{
    m_enqueueTrace.SetWatched(m_watched);
    m_dequeueTrace.SetWatched(m_watched);
    m_markTrace.SetWatched(m_watched);
    m_snifferTrace.SetWatched(m_watched);
}

Port::~Port() = default;

Port::TransmitEvent::TransmitEvent(Port* port)
    : PersistentEvent(port)
{
    Register(typeid(TransmitEvent));
}

void
Port::TransmitEvent::Foresee(unsigned step) const
{
    if (const Port* port = GetOwner())
    {
        port->ForeseeTransmission(step);
    }
}

void
Port::ForeseeTransmission(unsigned step) const
{
    if (step == 0)
    {
        Prefetch();
        __builtin_prefetch(&m_offer);
        return;
    }
    const QueueMask queued = m_bank.GetView().nonEmpty;
    if (queued != 0)
    {
        const uint32_t queue = QueueScheduler::First(queued);
        if (step == 1)
        {
            PrefetchQueue(queue, true);
        }
        else
        {
            __builtin_prefetch(&m_bank.Peek(queue));
        }
    }
    if (m_offer != &NOTHING)
    {
        ForeseeSource(step - 1);
    }
}

Ptr<Wire>
Port::MakeIncoming(Time delay)
{
    m_incoming = DoMakeIncoming(delay);
    m_incoming->GetWatched() = !m_snifferTrace.IsEmpty();
    m_snifferTrace.SetWatched(m_incoming->GetWatched());
    return m_incoming;
}

void
Port::SetFramePool(std::shared_ptr<FramePool> pool)
{
    m_pool = std::move(pool);
}

void
Port::SetQueues(uint32_t queues, Ptr<QueueScheduler> service)
{
    service->Configure(queues);
    m_bank.SetQueues(queues);
    m_queues = queues;
    m_service = service;
    m_strict = service->IsStrict();
    UpdateSimple();
}

void
Port::Attach(Ptr<Link> link, uint32_t end, Ptr<Wire> wire)
{
    m_link = link;
    m_end = end;
    m_wire = wire;
    m_up = link->IsUp();
    Transmitter::Start();
    DoAttach();
}

/** \return whether a frame that arrives now can be sent at once, and no trace sink is connected */
bool
Port::IsFree(Time now) const
{
    return m_simple && m_bank.IsEmpty() && m_up && !m_watched && !m_pending &&
           now >= m_transmitter.GetFreeTime();
}

/**
 * The short path needs strict service, nothing paused, no source, no pause meter and no shared
 * buffer: all that it reads is in one cache line.
 */
void
Port::UpdateSimple()
{
    m_simple = m_strict && m_paused == 0 && m_offer == &NOTHING && !m_meter && !m_bank.HasBuffer();
}

void
Port::Enqueue(Frame* frame)
{
    const Time now = TimeStep(frame->arrival);
    const bool isFree = IsFree(now);
    if (!m_up)
    {
        ReleaseMeter(*frame);
        Refuse(frame, DropReason::LINK_DOWN);
        return;
    }
    const auto verdict = isFree ? m_bank.Pass(frame) : m_bank.Push(frame);
    if (verdict == QueueBank::Verdict::DROPPED)
    {
        ReleaseMeter(*frame);
        Drop(frame, DropReason::QUEUE_FULL);
        return;
    }
    if (isFree)
    {
        Transmit(frame, now);
        return;
    }
    if (m_watched)
    {
        if (verdict == QueueBank::Verdict::CONGESTED)
        {
            Fire(m_markTrace, frame);
        }
        Fire(m_enqueueTrace, frame);
    }
    Serve(now);
}

void
Port::Serve(Time now)
{
    if (m_pending || !HasNext() || !m_up) // a trace sink may have brought the link down
    {
        return;
    }
    if (now >= m_transmitter.GetFreeTime())
    {
        StartTransmission(now);
    }
    else
    {
        ScheduleTransmission(now);
    }
}

Frame*
Port::TakeNext(Time /* now */)
{
    QueueView view = m_bank.GetView();
    view.nonEmpty &= ~GetBlocked();
    return m_bank.Pop(Select(view));
}

void
Port::SetPaused(uint32_t queue, bool paused, const DscpMap& map)
{
    if (!IsLinkUp())
    {
        return; // the link fell while this was on its way
    }
    const QueueMask bit = QueueBit(queue);
    m_paused = paused ? m_paused | bit : m_paused & ~bit;
    UpdateSimple();
    DoSetPaused(&map);
    Serve(Simulator::Now());
}

void
Port::SetPauseMeter(PauseMeter* meter)
{
    m_meter = meter;
    UpdateSimple();
}

void
Port::SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer)
{
    m_bank.SetSharedBuffer(std::move(buffer));
    UpdateSimple();
}

Time
Port::GetControlArrival(uint32_t bytes) const
{
    const Time start = std::max(Simulator::Now(), m_transmitter.GetFreeTime());
    return start + GetDataRate().CalculateBytesTxTime(bytes) + m_link->GetDelay();
}

void
Port::StartTransmission(Time now)
{
    const bool isPlain = m_simple || (*m_offer | m_paused) == 0;
    Transmit(isPlain ? m_bank.Pop(Select(m_bank.GetView())) : TakeNext(now), now);
    if (HasNext() && !m_pending) // a trace sink may have sent another
    {
        ScheduleTransmission(now);
    }
}

/** The wire is free, and the frame is out of the bank. */
void
Port::Transmit(Frame* frame, Time now)
{
    if (!m_simple)
    {
        ReleaseMeter(*frame);
    }
    m_transmitter.Occupy(frame->bytes + m_framing, now);
    if (m_watched)
    {
        if (m_portNumber > 0 && frame->recorded) // hosts have sinks, but write nothing
        {
            WriteTelemetry(frame, now);
        }
        Fire(m_dequeueTrace, frame);
        Fire(m_snifferTrace, frame);
    }
    if (!m_up) // a trace sink, maybe one of the pause meter, has brought the link down
    {
        LoseOnWire(frame);
        return;
    }
    m_wire->Send(frame, now.GetTimeStep(), m_transmitter.GetFreeTime().GetTimeStep());
}

void
Port::EnableTelemetry(uint32_t rate, uint32_t id)
{
    m_rateIndex = rate;
    m_portNumber = id + 1;
    m_watched = true;
}

/** Write this port's record into a packet that is about to leave and is counted as sent. */
void
Port::WriteTelemetry(Frame* frame, Time now) const
{
    const uint32_t last = m_strict ? frame->queue : m_queues - 1;
    PathTelemetry::Record record;
    for (uint32_t queue = 0; queue <= last; ++queue)
    {
        const QueueAccount& account = m_bank.GetAccount(queue);
        record.sent += account.GetCounters().bytes + account.GetCounters().packets * m_framing;
        record.backlog += account.GetBacklog();
    }
    record.sent -= frame->bytes + m_framing;
    record.rate = m_rateIndex;
    record.id = static_cast<uint16_t>(MixBits(uint64_t{m_portNumber} << 8 | last));
    record.time = now.GetNanoSeconds();
    PathTelemetry::Write(frame->Telemetry(), record, GetDataRate());
    frame->packet = nullptr; // if a sink has seen it, the next one shall see the record, too
}

void
Port::ScheduleTransmission(Time now)
{
    m_pending = true;
    m_event->Schedule(m_context, m_transmitter.GetFreeTime() - now);
}

void
Port::FinishTransmission()
{
    m_pending = false;
    if (HasNext() && m_up) // the link may have fallen since
    {
        StartTransmission(m_transmitter.GetFreeTime());
    }
}

void
Port::NotifyLinkChange()
{
    if (!m_up)
    {
        m_paused = 0;
        UpdateSimple();
        DoSetPaused(nullptr);
        while (Frame* frame = m_bank.Flush())
        {
            ReleaseMeter(*frame);
            Drop(frame, DropReason::LINK_DOWN);
        }
        m_service->Configure(m_queues);
    }
    else
    {
        Serve(Simulator::Now());
    }
    FireLinkChange();
}

void
Port::LoseOnWire(Frame* frame)
{
    m_bank.GetAccount(frame->queue).CountLoss(frame->bytes);
    Drop(frame, DropReason::ON_WIRE);
}

/** Tell the pause meter that a frame leaves the switch. */
void
Port::ReleaseMeter(const Frame& frame)
{
    if (m_meter)
    {
        m_meter->Release(frame.ingress, frame.queue, frame.bytes);
    }
}

void
Port::Refuse(Frame* frame, DropReason reason)
{
    m_bank.GetAccount(frame->queue).CountDrop(frame->bytes);
    Drop(frame, reason);
}

void
Port::Drop(Frame* frame, DropReason reason)
{
    m_drops.Add(reason, frame->bytes);
    Fire(m_dropTrace, frame);
    m_pool->Release(frame);
}

void
Port::SetDataRate(DataRate rate)
{
    m_transmitter.SetDataRate(rate);
}

void
Port::SetFraming(uint32_t bytes)
{
    m_framing = static_cast<uint16_t>(bytes);
}

QueueCounters
Port::GetCounters(uint32_t queue) const
{
    QueueCounters counters = m_bank.GetAccount(queue).GetCounters();
    if (!m_credit.empty())
    {
        counters.packets += m_credit[queue].packets;
        counters.bytes += m_credit[queue].bytes;
        counters.marked += m_credit[queue].marked;
    }
    return counters;
}

void
Port::Credit(uint32_t queue, const QueueCredit& each, uint64_t times)
{
    m_credit.resize(m_queues);
    QueueCredit& sum = m_credit[queue];
    sum.packets += each.packets * times;
    sum.bytes += each.bytes * times;
    sum.marked += each.marked * times;
    sum.busy += TimeStep(each.busy.GetTimeStep() * times);
}

uint64_t
Port::GetBacklog(uint32_t queue) const
{
    return m_bank.GetAccount(queue).GetBacklog();
}

Time
Port::GetBusyTime(uint32_t queue) const
{
    const QueueCounters& counters = m_bank.GetAccount(queue).GetCounters();
    const Time busy = m_transmitter.GetDuration(counters.bytes + counters.packets * m_framing);
    return m_credit.empty() ? busy : busy + m_credit[queue].busy;
}

Ptr<Port>
Port::GetPeer() const
{
    return m_link ? m_link->GetPort(1 - m_end) : nullptr;
}

bool
Port::IsLinkUp() const
{
    return m_up;
}

void
Port::SetNode(Ptr<Node> node)
{
    FabricDevice::SetNode(node);
    m_context = node->GetId();
}

void
Port::DoDispose()
{
    m_event->Cancel();
    m_link = nullptr;
    m_wire = nullptr;
    m_up = false;
    m_service = nullptr;
    FabricDevice::DoDispose();
}

Ptr<Channel>
Port::GetChannel() const
{
    return m_link;
}

} // namespace ns3::ddl
