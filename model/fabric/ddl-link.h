// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LINK_H
#define DDL_LINK_H

#include "ddl-wire.h"

#include "ns3/channel.h"
#include "ns3/traced-callback.h"

#include <array>

namespace ns3::ddl
{

class Port;

/**
 * A full-duplex cable between two ports, with one delay both ways, that can fall and come back. The
 * ports send over its wires, one for each direction.
 *
 * When it falls, what is in flight is lost and what waits at its two ports is dropped; both are
 * counted as drops of the queue at the sending port.
 */
class Link : public Channel
{
  public:
    static TypeId GetTypeId();
    /** Trace signature: whether the link is up from now on. */
    using UpTracedCallback = void (*)(bool up);

    Link();
    ~Link() override;

    /**
     * Attach the link to its two ports; once, before any packet.
     * \param a the port at end 0
     * \param b the port at end 1
     * \param delay propagation delay, not negative
     */
    void Connect(Ptr<Port> a, Ptr<Port> b, Time delay);

    /** Take the link up or down. \param up the new state; no effect when it is the present one */
    void SetUp(bool up);

    /** \return whether the link carries frames */
    bool IsUp() const
    {
        return m_up;
    }

    /** \return packets in flight in one direction. \param end the sender's end, 0 or 1 */
    PacketCount CountInFlight(uint32_t end) const;

    /** \return propagation delay */
    Time GetDelay() const;
    /** \return the port at one end. \param end 0 or 1 */
    Ptr<Port> GetPort(uint32_t end) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    void LoseInFlight(uint32_t end);

    std::array<Ptr<Port>, 2> m_ports;
    std::array<Ptr<Wire>, 2> m_wires; //!< the wire of each direction, by the sender's end
    bool m_up{true};
    TracedCallback<bool> m_upTrace;
};

} // namespace ns3::ddl

#endif // DDL_LINK_H
