// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wire.h"

#include "ddl-port.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

Wire::Wire(Port& to, Time delay)
    : m_context(to.GetContext()),
      m_delay(delay.GetTimeStep()),
      m_to(to)
{
}

Wire::~Wire() = default;

void
Wire::Send(Frame* frame, int64_t now, int64_t sent)
{
    const int64_t arrival = sent + m_delay;
    frame->arrival = arrival;
    frame->next = nullptr;
    switch (m_inFlight++)
    {
    case 0:
        m_head = frame;
        m_first = arrival;
        break;
    case 1:
        m_next = frame;
        m_second = arrival;
        break;
    default:
        Frame* const last = m_inFlight == 3 ? m_next : m_tail;
        last->next = frame;
        last->nextArrival = arrival;
        m_tail = frame;
    }
    if (m_due == NEVER)
    {
        ScheduleFirst(now);
    }
}

Frame*
Wire::Lose()
{
    Frame* frame = m_head;
    m_inFlight -= frame ? 1 : 0;
    m_head = m_next;
    m_first = m_second;
    if (m_inFlight > 1)
    {
        m_second = m_next->nextArrival;
        m_next = m_next->next;
    }
    else
    {
        m_next = nullptr;
    }
    return frame;
}

void
Wire::Foresee(unsigned step) const
{
    if (step == 0)
    {
        __builtin_prefetch(m_head);
    }
    else if (m_head)
    {
        ForeseeDelivery(*m_head, step);
    }
}

void
Wire::Close()
{
    Cancel();
    m_head = nullptr;
    m_next = nullptr;
    m_inFlight = 0;
}

PacketCount
Wire::CountInFlight() const
{
    PacketCount count;
    if (m_head)
    {
        count.Add(m_head->bytes);
    }
    for (const Frame* frame = m_next; frame; frame = frame->next)
    {
        count.Add(frame->bytes);
    }
    return count;
}

void
Wire::Notify()
{
    const int64_t now = std::exchange(m_due, NEVER); // asking the simulator takes 50 instructions
    // After a loss the event may find nothing, or a frame that is due later.
    while (m_head && m_first <= now)
    {
        Frame* frame = Lose();
        m_received.Add(frame->bytes);
        if (m_watched)
        {
            m_to.Sniff(frame);
        }
        Deliver(frame);
    }
    if (m_head && m_due == NEVER)
    {
        ScheduleFirst(now);
    }
}

void
Wire::ScheduleFirst(int64_t now)
{
    m_due = m_first;
    Ref(); // the scheduler gives up one reference when the event has run
    Simulator::ScheduleWithContext(m_context, TimeStep(m_first - now), this);
}

} // namespace ns3::ddl
