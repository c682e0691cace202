// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORESEEN_EVENT_H
#define DDL_FORESEEN_EVENT_H

#include "ns3/event-impl.h"

#include <array>
#include <typeinfo>

namespace ns3::ddl
{

/**
 * An event that knows what memory it will read. The event list calls Foresee some events before
 * this one is due, so that the memory is in the cache by then.
 *
 * Each class of such events calls Register, as an EventImpl does not tell its class. The list
 * reads no event before the first call. An event is foreseen while it is pending, even when its
 * owner is gone: it must be safe then.
 */
class ForeseenEvent : public EventImpl
{
  public:
    static constexpr unsigned STEPS = 3; //!< number of prefetch steps per event, see Foresee

    /**
     * Prefetch what the event will read. Changes nothing.
     * \param step 0 three events before this one, 1 two before and 2 just before it, so that each
     *        step can read what the one before has prefetched. When other events are inserted in
     *        between, steps are skipped or repeated
     */
    virtual void Foresee(unsigned step) const = 0;

    /** \param type a class derived from this one; beyond the fourth it is not foreseen */
    static void Register(const std::type_info& type)
    {
        for (const std::type_info*& known : m_types)
        {
            if (!known || known == &type)
            {
                known = &type;
                return;
            }
        }
    }

    /** \return whether any class of foreseen events is registered */
    static bool IsUsed()
    {
        return m_types.front() != nullptr;
    }

    /** Call Foresee if the event's class is registered. \param event a pending event */
    static void ForeseeIfKnown(const EventImpl* event, unsigned step)
    {
        const std::type_info* const type = &typeid(*event);
        if (type == m_types[0] || type == m_types[1] || type == m_types[2] || type == m_types[3])
        {
            static_cast<const ForeseenEvent*>(event)->Foresee(step);
        }
    }

  private:
    static inline std::array<const std::type_info*, 4> m_types{};
};

} // namespace ns3::ddl

#endif // DDL_FORESEEN_EVENT_H
