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
    uint32_t headers{40};  //!< header bytes per IP packet
    bool hasFraming{true}; //!< whether the framing that a port adds is counted
};

/** The path of a fluid stream through the network at one moment. */
struct FluidRoute
{
    FluidPath path;         //!< queues on the path, or on all paths; empty when there is none
    Time propagation;       //!< sum of the delays of all links, mean over the paths
    double stepsPerByte{0}; //!< time steps per byte on all wires but the first, mean
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

    /** \return the ports, with capacities in bytes of payload per time step */
    std::vector<FluidPort> ListPorts() const;

    /**
     * \param from the machine that sends
     * \param to the machine that receives
     * \param flow the flow key of its packets, by which switches choose among equal-cost ports
     * \param mark band at the sender's NIC, and codepoint in switches
     * \return the path at this moment. O(hops)
     */
    FluidRoute FindRoute(HostId from, HostId to, const FlowKey& flow, Mark mark) const;

    /** Change the mark of a route, which takes other queues of the same ports. O(hops). \return
     * whether the queue changes at any port */
    bool Remark(FluidRoute& route, Mark mark) const;

    /** Count payload that has passed all queues of a path. \param amount bytes times 2^60 */
    void CountTraffic(const FluidPath& path, FluidProgress::Amount amount);
    /** \return the traffic counted at a queue so far */
    QueueTraffic GetTraffic(Ptr<Port> port, uint32_t queue) const;

    Ptr<Port> GetPort(uint32_t port) const
    {
        return m_ports.at(port).device;
    }

    /** \return bytes of payload in a full packet */
    uint32_t GetPayload() const
    {
        return m_mtu - m_wrapping.headers;
    }

    /** \return bytes that a packet takes on the wire. \param payload bytes of payload in it */
    uint32_t GetWireBytes(uint32_t payload) const;

  private:
    /** An egress port, and the link and node behind it. */
    struct Egress
    {
        Ptr<Port> device;
        const SwitchPort* ofSwitch{nullptr}; //!< the same port if it is a switch's, or null
        Ptr<Switch> far;                     //!< the switch at the far end; null: it is a host
        const Node* end{nullptr};            //!< the node at the far end
        Time delay;                          //!< propagation delay of the link
        double stepsPerByte{0};              //!< time steps per byte on the wire
    };

    uint32_t IndexOf(const Port* port) const;
    /** Append a port and its link to a route, which takes it with a part. \return false when the
     * link is down */
    bool Cross(uint32_t port, Mark mark, FluidRoute& route, double part = 1) const;
    /** \return the route by all equal-cost paths, with equal shares at each switch */
    FluidRoute FindSprayedRoute(HostId from, HostId to, Mark mark) const;
    /** \return the queue that packets with a mark take at a port */
    uint32_t FindQueue(uint32_t port, Mark mark) const;

    Ptr<Fabric> m_fabric;
    FluidWrapping m_wrapping;
    bool m_isSprayed{false}; //!< whether streams take all equal-cost paths
    uint32_t m_mtu{1500};
    uint32_t m_framing{0};
    std::vector<Egress> m_ports;
    std::unordered_map<const Port*, uint32_t> m_index; //!< index of each port; never iterated
    /** Payload that has passed each queue, bytes times 2^60, by port and queue. */
    std::vector<std::vector<FluidProgress::Amount>> m_traffic;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_NETWORK_H
