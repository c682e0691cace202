// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-host-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/net-device.h"
#include "ns3/output-stream-wrapper.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HostRouting);

namespace
{
constexpr uint32_t LOOPBACK_INTERFACE = 0; // Ipv4L3Protocol makes it first
constexpr uint32_t NIC_INTERFACE = 1;
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

Ptr<Ipv4Route>
HostRouting::RouteOutput(Ptr<Packet> /* packet */,
                         const Ipv4Header& header,
                         Ptr<NetDevice> /* oif */,
                         Socket::SocketErrno& error)
{
    const Ipv4Address destination = header.GetDestination();
    const bool unicast = !destination.IsMulticast() && !destination.IsBroadcast();
    Ptr<Ipv4Route> route = IsOwn(destination) ? m_inside : m_out;
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
    m_address = Ipv4Address();
    if (m_ipv4->GetNInterfaces() <= NIC_INTERFACE || m_ipv4->GetNAddresses(NIC_INTERFACE) == 0)
    {
        return;
    }
    m_address = m_ipv4->GetAddress(NIC_INTERFACE, 0).GetLocal();
    m_inside = Create<Ipv4Route>();
    m_inside->SetSource(m_address);
    m_inside->SetGateway(Ipv4Address::GetAny());
    m_inside->SetOutputDevice(m_ipv4->GetNetDevice(LOOPBACK_INTERFACE));
    if (m_ipv4->IsUp(NIC_INTERFACE))
    {
        m_out = Create<Ipv4Route>();
        m_out->SetSource(m_address);
        m_out->SetGateway(Ipv4Address::GetAny());
        m_out->SetOutputDevice(m_ipv4->GetNetDevice(NIC_INTERFACE));
    }
}

void
HostRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit /* unit */) const
{
    *stream->GetStream() << m_address << " loopback, everything else interface " << NIC_INTERFACE
                         << std::endl;
}

void
HostRouting::DoDispose()
{
    m_ipv4 = nullptr;
    m_out = nullptr;
    m_inside = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

HostRoutingHelper*
HostRoutingHelper::Copy() const
{
    return new HostRoutingHelper(*this);
}

} // namespace ns3::ddl
