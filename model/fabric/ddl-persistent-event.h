// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PERSISTENT_EVENT_H
#define DDL_PERSISTENT_EVENT_H

#include "ns3/ddl-foreseen-event.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3::ddl
{

/**
 * An event that is made once and scheduled again and again, so that nothing is allocated for it per
 * packet. The owner calls Cancel before it is destroyed; a pending event then does nothing.
 *
 * \tparam T class of the owner
 * \tparam METHOD method of the owner that is called when the event is due
 */
template <typename T, void (T::*METHOD)()>
class PersistentEvent : public ForeseenEvent
{
  public:
    /** \param owner the object that is called; it outlives this event, or cancels it */
    explicit PersistentEvent(T* owner)
        : m_owner(owner)
    {
    }

    /**
     * \param context id of the node on whose behalf the event runs
     * \param delay time from now until the event
     */
    void Schedule(uint32_t context, Time delay)
    {
        Ref(); // the scheduler gives up one reference when the event has run
        Simulator::ScheduleWithContext(context, delay, this);
    }

    /** From now on, a pending event does nothing. Do not schedule it again. */
    void Cancel()
    {
        m_owner = nullptr;
        EventImpl::Cancel();
    }

    void Foresee(unsigned /* step */) const override
    {
    }

  protected:
    /** \return the object that is called, null once cancelled */
    T* GetOwner() const
    {
        return m_owner;
    }

  private:
    void Notify() override
    {
        (m_owner->*METHOD)();
    }

    T* m_owner;
};

} // namespace ns3::ddl

#endif // DDL_PERSISTENT_EVENT_H
