// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_NETWORK_H
#define DDL_FLUID_NETWORK_H

#include "ddl-fluid-allocator.h"
#include "ddl-fluid-progress.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-priority.h"
#include "ns3/ddl-queue-traffic.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Header and framing bytes of each of the packets that a fluid stream stands for. */
struct FluidWrapping
{
    uint32_t headers{40};  //!< bytes of an IP packet that are not payload
    bool hasFraming{true}; //!< whether what a port adds on the wire counts
};

/** The path of a fluid stream through the network at one moment. */
struct FluidRoute
{
    FluidPath path;         //!< empty when there is no way
    Time propagation;       //!< of all links
    double stepsPerByte{0}; //!< time steps that a byte takes on all wires but the first
};

/**
 * The fabric in the fluid model: its ports by index, in the order of Fabric::GetPorts, the routes
 * that packets would take, and what has passed each queue.
 */
class FluidNetwork
{
  public:
    /** \throws InputError when a port's queue service has no levels and weights */
    FluidNetwork(Ptr<Fabric> fabric, FluidWrapping wrapping);

    /** \return ports with their capacities in bytes of payload per time step */
    std::vector<FluidPort> ListPorts() const;

    /**
     * \param from the machine that sends
     * \param to the machine that receives
     * \param flow as its packets would have it: decides among equal-cost ports
     * \param mark band there, codepoint in switches
     * \return the way at this moment. O(hops)
     */
    FluidRoute FindRoute(HostId from, HostId to, const FlowKey& flow, Mark mark) const;

    /** Let the packets of a route have another mark. The way stays. \return whether that makes a
     * difference at any port. O(hops) */
    bool Remark(FluidRoute& route, Mark mark) const;

    /** \param amount of payload that has passed all queues of a path */
    void CountTraffic(const FluidPath& path, FluidProgress::Amount amount);
    /** \return what has been counted */
    QueueTraffic GetTraffic(Ptr<Port> port, uint32_t queue) const;

    Ptr<Port> GetPort(uint32_t port) const
    {
        return m_ports.at(port).device;
    }

    /** \return bytes of data in a full packet */
    uint32_t GetPayload() const
    {
        return m_mtu - m_wrapping.headers;
    }

    /** \return bytes on the wire of a packet. \param payload bytes of data in it */
    uint32_t GetWireBytes(uint32_t payload) const;

  private:
    /** A port, and what is behind it. */
    struct Egress
    {
        Ptr<Port> device;
        const SwitchPort* ofSwitch{nullptr}; //!< the same port, where it is a switch's
        Ptr<Switch> far;                     //!< the switch at the far end; null: a host
        const Node* end{nullptr};            //!< the node at the far end
        Time delay;                          //!< of the link
        double stepsPerByte{0};              //!< time steps that a byte takes
    };

    uint32_t IndexOf(const Port* port) const;
    /** Walk over the link behind a port. \return false when it is down */
    bool Cross(uint32_t port, Mark mark, FluidRoute& route) const;
    /** \return the queue of a mark at a port */
    uint32_t FindQueue(uint32_t port, Mark mark) const;

    Ptr<Fabric> m_fabric;
    FluidWrapping m_wrapping;
    uint32_t m_mtu{1500};
    uint32_t m_framing{0};
    std::vector<Egress> m_ports;
    std::unordered_map<const Port*, uint32_t> m_index;         //!< looked up, never walked
    std::vector<std::vector<FluidProgress::Amount>> m_traffic; //!< by port and queue
};

} // namespace ns3::ddl

#endif // DDL_FLUID_NETWORK_H
