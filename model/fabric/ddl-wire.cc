// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wire.h"

#include "ddl-port.h"

#include "ns3/simulator.h"

namespace ns3::ddl
{

static_assert(sizeof(Wire) == 64, "the event of an arrival reads one cache line of its wire");

Wire::Wire(Port* to, Time delay)
    : m_context(to->GetContext()),
      m_to(to),
      m_delay(delay.GetTimeStep())
{
}

Wire::~Wire() = default;

void
Wire::Send(Frame* frame, int64_t now, int64_t sent)
{
    frame->arrival = sent + m_delay;
    frame->next = nullptr;
    if (m_head)
    {
        m_tail->next = frame;
        m_tail->nextArrival = frame->arrival;
    }
    else
    {
        m_head = frame;
        m_first = frame->arrival;
    }
    m_tail = frame;
    if (!m_pending)
    {
        ScheduleFirst(now);
    }
}

Frame*
Wire::Lose()
{
    Frame* frame = m_head;
    if (frame)
    {
        m_head = frame->next;
        m_first = frame->nextArrival;
    }
    return frame;
}

PacketCount
Wire::CountInFlight() const
{
    PacketCount count;
    for (const Frame* frame = m_head; frame; frame = frame->next)
    {
        count.Add(frame->bytes);
    }
    return count;
}

void
Wire::Notify()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_pending = false;
    // After a loss the event may find nothing, or a frame that is due later.
    while (m_head && m_first <= now)
    {
        m_to->Receive(Lose());
    }
    if (m_head && !m_pending)
    {
        ScheduleFirst(now);
    }
}

void
Wire::ScheduleFirst(int64_t now)
{
    m_pending = true;
    Ref(); // the scheduler gives up one reference when the event has run
    Simulator::ScheduleWithContext(m_context, TimeStep(m_first - now), this);
}

} // namespace ns3::ddl
