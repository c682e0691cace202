// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-switch-port.h"

#include "ddl-link.h"
#include "ddl-switch.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-queue-service.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(SwitchPort);

namespace
{
constexpr uint32_t PAUSE_FRAME_BYTES = 64 + 20; // IEEE 802.1Qbb, with preamble and gap

/** The wire to a switch. */
class SwitchWire final : public Wire
{
  public:
    SwitchWire(SwitchPort& to, Switch& node, FramePool& pool, Time delay)
        : Wire(to, delay),
          m_switch(node),
          m_pool(pool),
          m_ingress(static_cast<uint16_t>(to.GetIfIndex()))
    {
        Register(typeid(SwitchWire));
    }

  private:
    void Deliver(Frame* frame) override
    {
        frame->ingress = m_ingress;
        m_switch.Forward(frame, m_pool);
    }

    void ForeseeDelivery(const Frame& frame, unsigned step) const override
    {
        const SwitchPort* port = m_switch.Choose(frame.destination, frame.flowHash);
        if (port && step == 1)
        {
            port->Prefetch();
        }
        else if (port)
        {
            const bool waits = port->GetFreeTime() > TimeStep(frame.arrival);
            port->PrefetchQueue(port->GetQueue(frame.dscp), waits);
        }
    }

    Switch& m_switch;
    FramePool& m_pool;
    uint16_t m_ingress; //!< device index of the switch's port
};

static_assert(sizeof(SwitchWire) == 128, "what a frame reads of its wire is two cache lines");
} // namespace

TypeId
SwitchPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SwitchPort")
                            .SetParent<Port>()
                            .SetGroupName("Ddl")
                            .AddConstructor<SwitchPort>()
                            .AddTraceSource("Pause",
                                            "The far end is told to pause a queue, or to go on.",
                                            MakeTraceSourceAccessor(&SwitchPort::m_pauseTrace),
                                            "ns3::ddl::SwitchPort::PauseTracedCallback");
    return tid;
}

void
SwitchPort::Configure(const PortSpec& spec)
{
    DscpMap map(spec.queues);
    for (const auto& entry : spec.dscpToQueue)
    {
        map.Set(entry.first, entry.second);
    }
    SetSharedMap(map);
    SetQueues(spec.queues, CreateQueueService(spec));
    QueueBank& bank = GetBank();
    bank.SetLimit(spec.limit);
    bank.SetEcnThreshold(spec.ecnThreshold);
    SetSharedBuffer(m_switch->GetSharedBuffer());
    if (spec.pfc)
    {
        bank.SetLimit(QueueAccount::UNLIMITED); // flow control bounds what comes in instead
        m_pfcThreshold = spec.pfcThreshold;
        m_pfcHeadroom = spec.pfcHeadroom;
        SetPauseMeter(&m_switch->GetPauseMeter());
    }
}

void
SwitchPort::Forward(Frame* frame)
{
    frame->queue = GetMap()->GetQueue(frame->dscp);
    PauseMeter* const meter = GetPauseMeter();
    if (meter && !meter->Admit(frame->ingress, frame->queue, frame->bytes))
    {
        Refuse(frame, DropReason::NO_HEADROOM);
        return;
    }
    Enqueue(frame);
}

/** Set the limits of this ingress port. The default headroom is what arrives until a pause takes
 * effect: the bytes in flight for a round trip and three packets. */
void
SwitchPort::DoAttach()
{
    if (!GetPauseMeter())
    {
        return;
    }
    const uint64_t packet = GetMtu() + PAUSE_FRAME_BYTES;
    const Time roundTrip = 2 * DynamicCast<Link>(GetChannel())->GetDelay();
    const auto flight =
        static_cast<uint64_t>(roundTrip.GetSeconds() * GetDataRate().GetBitRate() / 8) + 1;
    PauseMeter::Limits limits;
    limits.threshold = m_pfcThreshold;
    limits.headroom = m_pfcHeadroom > 0 ? m_pfcHeadroom : flight + 3 * packet;
    limits.hysteresis = std::min(m_pfcThreshold, 2 * packet);
    GetPauseMeter()->SetLimits(GetIfIndex(), limits);
}

/** When the link fails, the far end forgets which queues were paused. */
void
SwitchPort::DoSetPaused(const DscpMap* map)
{
    if (!map && GetPauseMeter())
    {
        ++m_falls;
        GetPauseMeter()->Reset(GetIfIndex());
    }
}

void
SwitchPort::SendPause(uint32_t queue, bool paused)
{
    m_pauses += paused ? 1 : 0;
    m_pauseTrace(queue, paused);
    if (!IsLinkUp())
    {
        return;
    }
    const Time delay = GetControlArrival(PAUSE_FRAME_BYTES) - Simulator::Now();
    Simulator::ScheduleWithContext(GetPeer()->GetContext(),
                                   delay,
                                   &SwitchPort::DeliverPause,
                                   this,
                                   queue,
                                   paused,
                                   m_falls);
}

void
SwitchPort::DeliverPause(uint32_t queue, bool paused, uint32_t falls)
{
    if (falls == m_falls) // else the frame was lost with the link, even if that is up again
    {
        GetPeer()->SetPaused(queue, paused, *m_map);
    }
}

uint32_t
SwitchPort::GetQueue(uint8_t dscp) const
{
    return GetMap()->GetQueue(dscp);
}

void
SwitchPort::SetNode(Ptr<Node> node)
{
    Port::SetNode(node);
    m_switch = dynamic_cast<Switch*>(PeekPointer(node));
    if (!m_switch)
    {
        throw InputError("a SwitchPort belongs to a Switch");
    }
    SetSharedMap(DscpMap());
}

void
SwitchPort::SetSharedMap(const DscpMap& map)
{
    m_map = DscpMap::Share(map);
    SetMap(m_map.get());
}

bool
SwitchPort::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

Ptr<Wire>
SwitchPort::DoMakeIncoming(Time delay)
{
    return Create<SwitchWire>(*this, *m_switch, GetFramePool(), delay);
}

} // namespace ns3::ddl
