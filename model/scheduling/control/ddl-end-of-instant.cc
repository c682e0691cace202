// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-end-of-instant.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

EndOfInstant::~EndOfInstant()
{
    Cancel();
}

void
EndOfInstant::Add(std::function<void()> function)
{
    m_functions.push_back(std::move(function));
    if (m_event.IsExpired())
    {
        Wait();
    }
}

void
EndOfInstant::Cancel()
{
    m_event.Cancel();
    m_functions.clear();
}

void
EndOfInstant::Wait()
{
    m_event = Simulator::ScheduleNow(&EndOfInstant::Look, this, Simulator::GetEventCount());
}

/** \param events that had run when this one was scheduled */
void
EndOfInstant::Look(uint64_t events)
{
    if (Simulator::GetEventCount() > events + 1) // another one than this
    {
        Wait();
        return;
    }
    for (const auto& function : std::exchange(m_functions, {}))
    {
        function();
    }
}

} // namespace ns3::ddl
