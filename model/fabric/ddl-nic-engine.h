// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NIC_ENGINE_H
#define DDL_NIC_ENGINE_H

#include "ddl-frame.h"

#include "ns3/ddl-priority.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * A transport inside a NIC: it makes a packet only when the wire is free for it, so that no packet
 * waits in a host queue and each has the newest mark.
 *
 * Invariant: while bit b is set in the offer, Pull(b) gives a frame. HostPort::NotifyOffer is
 * called when bits have been set outside Pull.
 */
class NicEngine
{
  public:
    virtual ~NicEngine() = default;

    /** \return the offer: bit b is set while the engine can send in band b */
    const QueueMask& GetOffer() const
    {
        return m_offer;
    }

    /**
     * \param band a band that is offered
     * \param now the present time
     * \return the next frame of that band, from HostPort::TakeFrame, complete, with a packet or
     *         with header and format; its `queue` is the band
     */
    virtual Frame* Pull(uint32_t band, Time now) = 0;

    /** \param codepoints DSCPs that may not be offered or pulled now: bit d stands for DSCP d */
    virtual void SetPaused(uint64_t codepoints) = 0;

    /** A packet of another engine has arrived. \param frame its frame, which the port owns */
    virtual void Receive(const Frame& frame) = 0;

    /** Prefetch what Pull needs. \param step 0 or 1, see Port::ForeseeSource */
    virtual void ForeseePull(unsigned /* step */) const
    {
    }

    /** Prefetch what Receive needs. \param frame the frame that will arrive, with its header */
    virtual void ForeseeReceive(const Frame& /* frame */) const
    {
    }

  protected:
    QueueMask m_offer{0}; //!< bands in which the engine can send, see GetOffer
};

} // namespace ns3::ddl

#endif // DDL_NIC_ENGINE_H
