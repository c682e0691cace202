// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_END_OF_INSTANT_H
#define DDL_END_OF_INSTANT_H

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <functional>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Calls functions at the end of the current instant of simulated time: after all its events,
 * including those that are scheduled for this instant meanwhile.
 *
 * It puts itself behind all events that are due now, and again as long as another event has run in
 * between. Therefore all users must share one such object: two would wait for each other. Events
 * that the functions schedule for the same instant come after the end.
 */
class EndOfInstant
{
  public:
    EndOfInstant() = default;

    ~EndOfInstant()
    {
        Cancel();
    }

    EndOfInstant(const EndOfInstant&) = delete;
    EndOfInstant& operator=(const EndOfInstant&) = delete;

    /** \param function called once, behind those that were added before */
    void Add(std::function<void()> function)
    {
        m_functions.push_back(std::move(function));
        if (m_event.IsExpired())
        {
            Wait();
        }
    }

    /** Call nothing any more. */
    void Cancel()
    {
        m_event.Cancel();
        m_functions.clear();
    }

  private:
    void Wait()
    {
        m_event = Simulator::ScheduleNow(&EndOfInstant::Look, this, Simulator::GetEventCount());
    }

    /** \param events that had run when this one was scheduled */
    void Look(uint64_t events)
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

    EventId m_event;
    std::vector<std::function<void()>> m_functions;
};

} // namespace ns3::ddl

#endif // DDL_END_OF_INSTANT_H
