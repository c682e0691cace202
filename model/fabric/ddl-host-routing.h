// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HOST_ROUTING_H
#define DDL_HOST_ROUTING_H

#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"

#include <set>
#include <tuple>

namespace ns3::ddl
{

/**
 * Routing of a host with one NIC: packets to its own address take the loopback, those to its
 * neighbours its second interface, a port to a scale-up switch, and all others the NIC; what comes
 * in is delivered, never forwarded. O(log(neighbours)). Unicast only.
 */
class HostRouting : public Ipv4RoutingProtocol
{
    /** Type of parameter I of a member function: newer versions of ns-3 pass callbacks by
     * reference. */
    template <std::size_t I, typename C, typename R, typename... A>
    static std::tuple_element_t<I, std::tuple<A...>> Parameter(R (C::*)(A...));
    template <std::size_t I>
    using InputParameter = decltype(Parameter<I>(&Ipv4RoutingProtocol::RouteInput));

  public:
    static TypeId GetTypeId();

    /** \param neighbours addresses of the other hosts at the scale-up switch of this one */
    void SetNeighbours(std::set<Ipv4Address> neighbours);

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<NetDevice> oif,
                               Socket::SocketErrno& error) override;
    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> device,
                    InputParameter<3> unicast,
                    InputParameter<4> multicast,
                    InputParameter<5> deliver,
                    InputParameter<6> error) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    bool IsOwn(Ipv4Address address) const;
    void Rebuild();
    Ptr<Ipv4Route> MakeRoute(uint32_t interface) const;

    Ptr<Ipv4> m_ipv4;
    Ipv4Address m_address;   //!< address of the NIC
    Ptr<Ipv4Route> m_out;    //!< route by the NIC, null before it has an address
    Ptr<Ipv4Route> m_inside; //!< route to the host itself, by loopback
    Ptr<Ipv4Route> m_aside;  //!< route to neighbours, null without
    std::set<Ipv4Address> m_neighbours;
};

/** Gives each host a HostRouting; for InternetStackHelper::SetRoutingHelper. */
class HostRoutingHelper : public Ipv4RoutingHelper
{
  public:
    HostRoutingHelper* Copy() const override;

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> /* node */) const override
    {
        return CreateObject<HostRouting>();
    }
};

} // namespace ns3::ddl

#endif // DDL_HOST_ROUTING_H
