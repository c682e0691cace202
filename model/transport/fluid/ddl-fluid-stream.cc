// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-stream.h"

#include "ddl-fluid-engine.h"
#include "ddl-fluid-host.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFluidStream");
NS_OBJECT_ENSURE_REGISTERED(FluidStream);

TypeId
FluidStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::FluidStream").SetParent<SendingStream>().SetGroupName("Ddl");
    return tid;
}

FluidStream::FluidStream(const StreamRequest& request,
                         HostId destination,
                         FlowKey flow,
                         std::shared_ptr<FluidEngine> engine,
                         const StreamCrossing::Machines& machines)
    : SendingStream(request, destination),
      m_engine(std::move(engine)),
      m_flow(flow),
      m_crossing(machines, *this)
{
    NS_LOG_FUNCTION(this << request.id << destination);
}

FluidStream::~FluidStream()
{
    NS_LOG_FUNCTION(this);
    m_arrival.Cancel();
}

void
FluidStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_arrival.Cancel();
    m_waiting.Clear();
    m_underWay.Clear();
    m_due = FluidProgress::NEVER;
    if (m_entry.key != Entry::NONE)
    {
        m_engine->NotifyChange(this);
    }
    m_crossing.Close();
    SendingStream::DoDispose();
}

/** Count what has arrived of a message as acknowledged. */
void
FluidStream::DoPrepareClose()
{
    Advance();
    const uint64_t untold = DoCountUntold();
    m_told += untold;
    m_crossing.Carry({untold, std::nullopt});
    NotifyAcknowledged(untold);
}

void
FluidStream::Credit(uint64_t bytes)
{
    if (m_route.path.empty())
    {
        Reroute(); // nothing was sent yet
    }
    m_engine->GetNetwork().CountTraffic(m_route.path,
                                        FluidProgress::Amount{bytes}
                                            << FluidProgress::FRACTION_BITS);
}

void
FluidStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    m_arrival.Cancel();
    m_waiting.Clear();
    m_underWay.Clear();
    UpdateDue();
    m_crossing.Close();
    m_engine->NotifyChange(this);
    NotifyReleased();
}

void
FluidStream::Reroute()
{
    Advance(); // on the old path
    m_route = m_engine->GetNetwork().FindRoute(GetSource(), GetDestination(), m_flow, GetMark());
    m_entry.isMoved = true;
}

void
FluidStream::SetRate(double bytesPerStep)
{
    if (bytesPerStep == m_rate)
    {
        return;
    }
    Advance();
    m_rate = bytesPerStep;
    ApplyRate();
}

void
FluidStream::SetPace(double pace)
{
    if (pace == m_pace || IsShut())
    {
        return;
    }
    Advance();
    m_pace = pace;
    if (m_rate > 0)
    {
        ApplyRate();
        m_engine->NotifyChange(this); // its next message may leave before any other
    }
}

void
FluidStream::ApplyRate()
{
    const int64_t memory = GetLatency(m_engine->GetNetwork().GetPayload()).GetTimeStep();
    m_progress.SetRate(m_rate / m_pace, Simulator::Now().GetTimeStep(), memory);
    UpdateDue();
}

void
FluidStream::UpdateDue()
{
    m_due =
        IsBacklogged() ? m_progress.PredictPassing(m_waiting.GetFront().end) : FluidProgress::NEVER;
    m_engine->NotifyDue(*this);
}

void
FluidStream::Advance()
{
    const auto moved = m_progress.Advance(Simulator::Now().GetTimeStep());
    if (moved > 0)
    {
        m_engine->GetNetwork().CountTraffic(m_route.path, moved);
    }
    if (!IsBacklogged() || !m_progress.HasPassed(m_waiting.GetFront().end))
    {
        return;
    }
    while (IsBacklogged() && m_progress.HasPassed(m_waiting.GetFront().end))
    {
        Depart();
    }
    UpdateDue();
    if (!IsBacklogged())
    {
        m_engine->NotifyChange(this);
    }
}

void
FluidStream::Depart()
{
    Message message = m_waiting.GetFront();
    m_waiting.Pop();
    message.arrival = Simulator::Now() + GetLatency(message.bytes);
    if (!m_underWay.IsEmpty()) // messages do not overtake each other on a shorter path
    {
        message.arrival = Max(message.arrival, m_underWay.GetBack().arrival);
    }
    m_underWay.Push(message);
    if (m_underWay.GetSize() == 1)
    {
        ScheduleArrival();
    }
}

Time
FluidStream::GetLatency(uint64_t bytes) const
{
    const FluidNetwork& network = m_engine->GetNetwork();
    const auto last = static_cast<uint32_t>(std::min<uint64_t>(bytes, network.GetPayload()));
    const double steps = m_route.stepsPerByte * network.GetWireBytes(last);
    const Time packet = TimeStep(static_cast<uint64_t>(std::ceil(steps)));
    return m_route.propagation + m_engine->GetOptions().delay +
           (m_engine->GetOptions().storesAndForwards ? packet : Time(0));
}

void
FluidStream::ScheduleArrival()
{
    const Time left = m_underWay.GetFront().arrival - Simulator::Now();
    m_arrival = Simulator::Schedule(left, &FluidStream::Arrive, this);
}

void
FluidStream::Arrive()
{
    NS_LOG_FUNCTION(this);
    const Ptr<FluidStream> alive(this);
    const Message message = m_underWay.GetFront();
    const uint64_t bytes = message.end - std::exchange(m_told, message.end);
    m_underWay.Pop();
    if (!m_underWay.IsEmpty())
    {
        ScheduleArrival();
    }
    m_crossing.Carry({bytes, message.tag});
    NotifyAcknowledged(bytes);
}

uint64_t
FluidStream::DoCountUntold() const
{
    if (IsShut() || (m_underWay.IsEmpty() && m_waiting.IsEmpty()))
    {
        return 0;
    }
    const Time back = GetLatency(m_engine->GetNetwork().GetPayload());
    const uint64_t passed = m_progress.GetPassed((Simulator::Now() - back).GetTimeStep());
    const uint64_t most = (m_underWay.IsEmpty() ? m_waiting : m_underWay).GetFront().end - 1;
    return std::min(most, std::max(passed, m_told)) - m_told;
}

void
FluidStream::DoSend(uint64_t bytes, const MessageTag& tag)
{
    NS_LOG_FUNCTION(this << bytes);
    Advance(); // to the old goal first, which may be reached at this moment
    const bool wasBacklogged = IsBacklogged();
    m_goal += bytes;
    m_progress.SetGoal(m_goal);
    m_waiting.Push({m_goal, bytes, tag, Time()});
    if (!wasBacklogged)
    {
        Reroute();
        m_engine->NotifyBacklogged(this);
        UpdateDue();
    }
}

bool
FluidStream::DoSetPath(uint32_t flowLabel)
{
    m_flow = FluidHost::MakeFlow(GetDestination(), flowLabel, m_engine->GetOptions().hasRdmaPaths);
    if (IsBacklogged())
    {
        Reroute();
        m_engine->NotifyRoute(this);
    }
    return true;
}

void
FluidStream::DoSetMark(Mark mark)
{
    NS_LOG_FUNCTION(this << +mark.band << +mark.dscp);
    if (IsBacklogged())
    {
        Advance(); // under the old mark
        if (m_engine->GetNetwork().Remark(m_route, mark))
        {
            m_engine->NotifyRoute(this);
        }
    }
}

} // namespace ns3::ddl
