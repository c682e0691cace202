// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-device.h"

#include "ns3/node.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(FabricDevice);

namespace
{
constexpr uint16_t LEAST_MTU = 576; // RFC 791: every machine takes datagrams of 576 bytes
constexpr uint16_t MOST_MTU = 65535; // the largest IPv4 packet
} // namespace

TypeId
FabricDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::FabricDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Ddl")
            .AddAttribute("Mtu",
                          "Bytes of the largest IPv4 packet.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FabricDevice::SetMtu, &FabricDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(LEAST_MTU, MOST_MTU));
    return tid;
}

FabricDevice::FabricDevice()
    : m_mtu(0),
      m_address(Mac48Address::Allocate())
{
}

FabricDevice::~FabricDevice() = default;

void
FabricDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

void
FabricDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

bool
FabricDevice::SetMtu(const uint16_t mtu)
{
    if (mtu < LEAST_MTU || mtu > MOST_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

void
FabricDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

void
FabricDevice::FireLinkChange()
{
    m_linkChange();
}

Address
FabricDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

Address
FabricDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
FabricDevice::GetMulticast(Ipv6Address address) const
{
    return Mac48Address::GetMulticast(address);
}

bool
FabricDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

void
FabricDevice::SetNode(Ptr<Node> node)
{
    m_node = PeekPointer(node);
}

void
FabricDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
FabricDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

void
FabricDevice::DeliverToNode(Ptr<Packet> packet, const Address& from)
{
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, PROTOCOL_IPV4, from, m_address, PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, PROTOCOL_IPV4, from);
    }
}

void
FabricDevice::DoDispose()
{
    m_node = nullptr;
    m_receive = ReceiveCallback();
    m_promiscReceive = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

Ptr<Node>
FabricDevice::GetNode() const
{
    return m_node;
}

} // namespace ns3::ddl
