// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-port.h"

#include "ddl-link.h"

#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

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
}

Port::~Port() = default;

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
}

void
Port::Attach(Ptr<Link> link, uint32_t end, Ptr<Wire> wire)
{
    m_link = link;
    m_end = end;
    m_wire = wire;
    m_up = link->IsUp();
    m_transmitter.Start();
    DoAttach();
}

void
Port::Receive(Frame* frame)
{
    m_received.Add(frame->bytes);
    Fire(m_snifferTrace, frame);
    DoReceive(frame);
}

void
Port::Enqueue(Frame* frame)
{
    const Time now = TimeStep(frame->arrival);
    if (!m_up)
    {
        ReleaseMeter(*frame);
        Refuse(frame, DropReason::LINK_DOWN);
        return;
    }
    const auto verdict = m_bank.Push(frame);
    if (verdict == QueueBank::Verdict::DROPPED)
    {
        ReleaseMeter(*frame);
        Drop(frame, DropReason::QUEUE_FULL);
        return;
    }
    if (verdict == QueueBank::Verdict::CONGESTED)
    {
        Fire(m_markTrace, frame);
    }
    Fire(m_enqueueTrace, frame);
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
    DoSetPaused(&map);
    Serve(Simulator::Now());
}

void
Port::SetPauseMeter(PauseMeter* meter)
{
    m_meter = meter;
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
    const bool plain = (*m_offer | m_paused) == 0;
    Frame* frame = plain ? m_bank.Pop(Select(m_bank.GetView())) : TakeNext(now);
    ReleaseMeter(*frame);
    m_transmitter.Occupy(frame->bytes, now);
    Fire(m_dequeueTrace, frame);
    Fire(m_snifferTrace, frame);
    if (m_up) // a trace sink may have brought the link down
    {
        m_wire->Send(frame, now.GetTimeStep(), m_transmitter.GetFreeTime().GetTimeStep());
    }
    else
    {
        LoseOnWire(frame);
    }
    if (HasNext() && !m_pending) // a trace sink may have sent another
    {
        ScheduleTransmission(now);
    }
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

/** The switch has one frame less. */
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
    m_transmitter.SetFraming(bytes);
}

const QueueCounters&
Port::GetCounters(uint32_t queue) const
{
    return m_bank.GetAccount(queue).GetCounters();
}

uint64_t
Port::GetBacklog(uint32_t queue) const
{
    return m_bank.GetAccount(queue).GetBacklog();
}

Time
Port::GetBusyTime(uint32_t queue) const
{
    const QueueCounters& counters = GetCounters(queue);
    return m_transmitter.GetDuration(counters.packets, counters.bytes);
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
