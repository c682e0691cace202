// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wire.h"

#include "ddl-port.h"

namespace ns3::ddl
{

Wire::Wire(Port* to)
    : m_to(to),
      m_event(Create<ArrivalEvent>(this))
{
}

Wire::~Wire()
{
    m_event->Cancel();
}

void
Wire::Send(Frame* frame, int64_t now)
{
    frame->next = nullptr;
    (m_head ? m_tail->next : m_head) = frame;
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
Wire::Arrive()
{
    const int64_t now = m_due;
    m_pending = false;
    // After a loss the event may find nothing, or a frame that is due later.
    while (m_head && m_head->arrival <= now)
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
    m_due = m_head->arrival;
    m_event->Schedule(m_to->GetContext(), TimeStep(m_due - now));
}

} // namespace ns3::ddl
