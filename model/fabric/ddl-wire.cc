// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wire.h"

#include "ddl-port.h"

namespace ns3
{
namespace ddl
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
Wire::Send(Frame* frame)
{
    frame->next = nullptr;
    (m_head ? m_tail->next : m_head) = frame;
    m_tail = frame;
    if (!m_pending)
    {
        ScheduleFirst();
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

void
Wire::Arrive()
{
    m_pending = false;
    // After a loss the event may find nothing, or a frame that is due later.
    while (m_head && m_head->arrival <= Simulator::Now().GetTimeStep())
    {
        m_to->Receive(Lose());
    }
    if (m_head && !m_pending)
    {
        ScheduleFirst();
    }
}

void
Wire::ScheduleFirst()
{
    m_pending = true;
    m_event->Schedule(m_to->GetContext(), TimeStep(m_head->arrival) - Simulator::Now());
}

} // namespace ddl
} // namespace ns3
