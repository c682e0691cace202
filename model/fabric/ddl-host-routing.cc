// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-host-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/net-device.h"
#include "ns3/output-stream-wrapper.h"

#include <utility>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HostRouting);

namespace
{
constexpr uint32_t LOOPBACK_INTERFACE = 0; // Ipv4L3Protocol makes it first
constexpr uint32_t NIC_INTERFACE = 1;
constexpr uint32_t SCALE_UP_INTERFACE = 2;
} // namespace

TypeId
HostRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::HostRouting")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("Ddl")
                            .AddConstructor<HostRouting>();
    return tid;
}

bool
HostRouting::IsOwn(Ipv4Address address) const
{
    return address == m_address || address.IsLocalhost();
}

void
HostRouting::SetNeighbours(std::set<Ipv4Address> neighbours)
{
    m_neighbours = std::move(neighbours);
    Rebuild();
}

Ptr<Ipv4Route>
HostRouting::RouteOutput(Ptr<Packet> /* packet */,
                         const Ipv4Header& header,
                         Ptr<NetDevice> /* oif */,
                         Socket::SocketErrno& error)
{
    const Ipv4Address destination = header.GetDestination();
    const bool unicast = !destination.IsMulticast() && !destination.IsBroadcast();
    const Ptr<Ipv4Route>& out = m_neighbours.count(destination) > 0 ? m_aside : m_out;
    const Ptr<Ipv4Route> route = IsOwn(destination) ? m_inside : out;
    if (!unicast || !route)
    {
        error = Socket::ERROR_NOROUTETOHOST;
        return nullptr;
    }
    // No caller keeps a route after its packet is sent, so one object is enough.
    route->SetDestination(destination);
    error = Socket::ERROR_NOTERROR;
    return route;
}

bool
HostRouting::RouteInput(Ptr<const Packet> packet,
                        const Ipv4Header& header,
                        Ptr<const NetDevice> device,
                        InputParameter<3> /* unicast */,
                        InputParameter<4> /* multicast */,
                        InputParameter<5> deliver,
                        InputParameter<6> /* error */)
{
    if (!IsOwn(header.GetDestination()) || deliver.IsNull())
    {
        return false;
    }
    deliver(packet, header, m_ipv4->GetInterfaceForDevice(device));
    return true;
}

void
HostRouting::NotifyInterfaceUp(uint32_t /* interface */)
{
    Rebuild();
}

void
HostRouting::NotifyInterfaceDown(uint32_t /* interface */)
{
    Rebuild();
}

void
HostRouting::NotifyAddAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
    Rebuild();
}

void
HostRouting::NotifyRemoveAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
    Rebuild();
}

void
HostRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    m_ipv4 = ipv4;
    Rebuild();
}

void
HostRouting::Rebuild()
{
    m_out = nullptr;
    m_inside = nullptr;
    m_aside = nullptr;
    m_address = Ipv4Address();
    if (m_ipv4->GetNInterfaces() <= NIC_INTERFACE || m_ipv4->GetNAddresses(NIC_INTERFACE) == 0)
    {
        return;
    }
    m_address = m_ipv4->GetAddress(NIC_INTERFACE, 0).GetLocal();
    m_inside = MakeRoute(LOOPBACK_INTERFACE);
    if (m_ipv4->IsUp(NIC_INTERFACE))
    {
        m_out = MakeRoute(NIC_INTERFACE);
    }
    if (!m_neighbours.empty() && m_ipv4->IsUp(SCALE_UP_INTERFACE))
    {
        m_aside = MakeRoute(SCALE_UP_INTERFACE);
    }
}

Ptr<Ipv4Route>
HostRouting::MakeRoute(uint32_t interface) const
{
    auto route = Create<Ipv4Route>();
    route->SetSource(m_address);
    route->SetGateway(Ipv4Address::GetAny());
    route->SetOutputDevice(m_ipv4->GetNetDevice(interface));
    return route;
}

void
HostRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit /* unit */) const
{
    *stream->GetStream() << m_address << " loopback, " << m_neighbours.size()
                         << " neighbours interface " << SCALE_UP_INTERFACE
                         << ", everything else interface " << NIC_INTERFACE << std::endl;
}

void
HostRouting::DoDispose()
{
    m_ipv4 = nullptr;
    m_out = nullptr;
    m_inside = nullptr;
    m_aside = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

HostRoutingHelper*
HostRoutingHelper::Copy() const
{
    return new HostRoutingHelper(*this);
}

} // namespace ns3::ddl
