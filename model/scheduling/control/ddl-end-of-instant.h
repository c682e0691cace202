// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_END_OF_INSTANT_H
#define DDL_END_OF_INSTANT_H

#include "ns3/event-id.h"

#include <functional>
#include <vector>

namespace ns3::ddl
{

/**
 * Calls functions when all events of this instant of simulated time have run, those included that
 * were scheduled for the same instant meanwhile.
 *
 * It puts itself behind all events that are due now, and again as long as another event has run in
 * between. So there is to be one of these for all that wait for the end of an instant: two would
 * wait for each other. What the functions themselves bring about comes after the end.
 */
class EndOfInstant
{
  public:
    EndOfInstant() = default;
    ~EndOfInstant();
    EndOfInstant(const EndOfInstant&) = delete;
    EndOfInstant& operator=(const EndOfInstant&) = delete;

    /** \param function called once, behind those that were added before */
    void Add(std::function<void()> function);

    /** Call nothing any more. */
    void Cancel();

  private:
    void Wait();
    void Look(uint64_t events);

    EventId m_event;
    std::vector<std::function<void()>> m_functions;
};

} // namespace ns3::ddl

#endif // DDL_END_OF_INSTANT_H
