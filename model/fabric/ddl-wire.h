// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WIRE_H
#define DDL_WIRE_H

#include "ddl-frame-pool.h"
#include "ddl-packet-count.h"

#include "ns3/ddl-foreseen-event.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

class Port;

/**
 * One direction of a link: the frames in flight, of which only the first has an event pending, and
 * what becomes of them at the far end, which subclasses know. Delay is constant, so they arrive in
 * the order in which they were sent.
 *
 * This object is itself the scheduled event: Notify() delivers the frames that are due. All that a
 * frame reads of the port by which it comes in stands here, in two cache lines, which processors
 * fetch as a pair. Close() it before the port at its end is destroyed.
 *
 * Invariants: frames stand in order of arrival, and while there is one an event is pending; there
 * is a second only where there is a first.
 */
class alignas(128) Wire : public ForeseenEvent
{
  public:
    /** \param to port at the far end, of a node \param delay of propagation, not negative */
    Wire(Port& to, Time delay);
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

    /** Nothing arrives any more. */
    void Close();

    /** \return what is in flight. O(frames) */
    PacketCount CountInFlight() const;

    /** \return what has arrived */
    const PacketCount& GetReceived() const
    {
        return m_received;
    }

    /** \return propagation delay */
    Time GetDelay() const
    {
        return TimeStep(m_delay);
    }

    /** \return to be set while the port at the far end may have sniffers: they see each frame */
    bool& GetWatched()
    {
        return m_watched;
    }

    void Foresee(unsigned step) const override;

  private:
    /** A frame's last bit came in. \param frame taken over; its header may have changed */
    virtual void Deliver(Frame* frame) = 0;
    /** Prefetch what Deliver needs. \param step 1, 2: see ForeseenEvent */
    virtual void ForeseeDelivery(const Frame& frame, unsigned step) const = 0;

    /** Frames arrive. */
    void Notify() override;
    void ScheduleFirst(int64_t now);

    bool m_pending{false}; //!< an event
    bool m_watched{false};
    uint32_t m_context;     //!< node id of the port
    uint32_t m_inFlight{0}; //!< frames
    int64_t m_delay;        //!< time steps
    Frame* m_head{nullptr}; //!< first in flight
    int64_t m_first{0};     //!< when it arrives, time steps
    Frame* m_next{nullptr}; //!< second in flight: most wires never hold more
    int64_t m_second{0};    //!< when it arrives

    Frame* m_tail{nullptr}; //!< last in flight, if there are three
    PacketCount m_received;
    Port& m_to;
};

} // namespace ns3::ddl

#endif // DDL_WIRE_H
