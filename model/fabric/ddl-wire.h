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
 * One direction of a link: the frames in flight, of which only the first has an event pending.
 * Subclasses deliver them at the far end. The delay is constant, so they arrive in the order in
 * which they were sent.
 *
 * This object is itself the scheduled event: Notify() delivers the frames that are due. All that an
 * arriving frame needs of its ingress port is in this object, in two cache lines, which processors
 * fetch as a pair. Call Close() before the port at its end is destroyed.
 *
 * Invariants: frames are in order of arrival; while there is one, an event is pending; there is a
 * second only where there is a first.
 */
class alignas(128) Wire : public ForeseenEvent
{
  public:
    /** \param to port at the far end, which belongs to a node \param delay propagation delay, not
     * negative */
    Wire(Port& to, Time delay);
    ~Wire() override;
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /**
     * Put a frame in flight. O(1).
     * \param frame the frame, taken over
     * \param now present time, time steps
     * \param sent time at which its last bit leaves the sender, time steps; not before that of the
     *        frame sent before
     */
    void Send(Frame* frame, int64_t now, int64_t sent);

    /** Take the first frame out of flight. O(1). \return the frame, null when there is none */
    Frame* Lose();

    /** Forget the frames in flight: nothing arrives any more. */
    void Close();

    /** \return packets in flight. O(frames) */
    PacketCount CountInFlight() const;

    /** \return packets that have arrived */
    const PacketCount& GetReceived() const
    {
        return m_received;
    }

    /** \return propagation delay */
    Time GetDelay() const
    {
        return TimeStep(m_delay);
    }

    /** \return the flag that the port at the far end may have sniffers, for the port to set; the
     * sniffers see each frame */
    bool& GetWatched()
    {
        return m_watched;
    }

    void Foresee(unsigned step) const override;

  private:
    /** Called when a frame's last bit has arrived. \param frame the frame, taken over; its DSCP,
     * ECN and TTL may differ from those sent */
    virtual void Deliver(Frame* frame) = 0;
    /** Prefetch what Deliver needs. \param step 1 or 2, see ForeseenEvent::Foresee */
    virtual void ForeseeDelivery(const Frame& frame, unsigned step) const = 0;

    /** Deliver the frames that are due. */
    void Notify() override;
    void ScheduleFirst(int64_t now);

    static constexpr int64_t NEVER = -1;

    bool m_watched{false};
    uint32_t m_context;     //!< node id of the port at the far end
    uint32_t m_inFlight{0}; //!< number of frames in flight
    int64_t m_delay;        //!< propagation delay, time steps
    Frame* m_head{nullptr}; //!< first frame in flight, or null
    int64_t m_first{0};     //!< arrival of the first frame, time steps
    Frame* m_next{nullptr}; //!< second frame in flight, or null; most wires never hold more
    int64_t m_second{0};    //!< arrival of the second frame, time steps

    int64_t m_due{NEVER};   //!< time of the pending event, time steps; NEVER: none is pending
    Frame* m_tail{nullptr}; //!< last frame in flight, if there are three or more
    PacketCount m_received;
    Port& m_to;
};

} // namespace ns3::ddl

#endif // DDL_WIRE_H
