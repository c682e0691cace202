// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WIRE_H
#define DDL_WIRE_H

#include "ddl-frame-pool.h"
#include "ddl-packet-count.h"
#include "ddl-persistent-event.h"

namespace ns3::ddl
{

class Port;

/**
 * One direction of a link: the frames in flight, of which only the first has an event pending.
 * Delay is constant, so they arrive in the order in which they were sent.
 *
 * Invariant: frames stand in order of arrival, and while there is one an event is pending.
 */
class Wire
{
  public:
    /** \param to port at the far end; outlives this wire's events */
    explicit Wire(Port* to);
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /**
     * Take a frame into flight. O(1).
     * \param frame its arrival is set, not before the last one's
     * \param now present time, time steps
     */
    void Send(Frame* frame, int64_t now);

    /** Take the first frame out of flight. O(1). \return null when there is none */
    Frame* Lose();

    /** \return what is in flight. O(frames) */
    PacketCount CountInFlight() const;

  private:
    void Arrive();
    void ScheduleFirst(int64_t now);

    using ArrivalEvent = PersistentEvent<Wire, &Wire::Arrive>;

    Port* m_to;
    Ptr<ArrivalEvent> m_event;
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    int64_t m_due{0}; //!< of the pending event, time steps
    bool m_pending{false};
};

} // namespace ns3::ddl

#endif // DDL_WIRE_H
