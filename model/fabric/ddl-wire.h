// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WIRE_H
#define DDL_WIRE_H

#include "ddl-frame-pool.h"
#include "ddl-packet-count.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

class Port;

/**
 * One direction of a link: the frames in flight, of which only the first has an event pending.
 * Delay is constant, so they arrive in the order in which they were sent.
 *
 * This object is itself the scheduled event: Notify() delivers the frames that are due. It fits
 * into one cache line with what the event reads. Cancel() it before the port at its end is
 * destroyed.
 *
 * Invariant: frames stand in order of arrival, and while there is one an event is pending.
 */
class alignas(64) Wire final : public EventImpl
{
  public:
    /** \param to port at the far end, of a node \param delay of propagation, not negative */
    Wire(Port* to, Time delay);
    ~Wire() override;
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /**
     * Take a frame into flight. O(1).
     * \param frame taken over
     * \param now present time, time steps
     * \param sent when its last bit leaves the sender, time steps; not before the last one's
     */
    void Send(Frame* frame, int64_t now, int64_t sent);

    /** Take the first frame out of flight. O(1). \return null when there is none */
    Frame* Lose();

    /** \return what is in flight. O(frames) */
    PacketCount CountInFlight() const;

    /** \return propagation delay */
    Time GetDelay() const
    {
        return TimeStep(m_delay);
    }

  private:
    /** Frames arrive. */
    void Notify() override;
    void ScheduleFirst(int64_t now);

    uint32_t m_context;    //!< node id of the port
    bool m_pending{false}; //!< an event
    Port* m_to;
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    int64_t m_first{0}; //!< when the head arrives, time steps
    int64_t m_delay;    //!< time steps
};

} // namespace ns3::ddl

#endif // DDL_WIRE_H
