// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FABRIC_DEVICE_H
#define DDL_FABRIC_DEVICE_H

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

namespace ns3::ddl
{

/**
 * The parts of ns-3's NetDevice interface that are the same for every device at one end of a cable
 * with bare IPv4 packets: no broadcast, no multicast, no bridge, no ARP.
 */
class FabricDevice : public NetDevice
{
  public:
    static TypeId GetTypeId();
    FabricDevice();
    ~FabricDevice() override;

    void SetIfIndex(const uint32_t index) override;

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetAddress(Address address) override;

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    void AddLinkChangeCallback(Callback<void> callback) override;

    bool IsBroadcast() const override
    {
        return false;
    }

    Address GetBroadcast() const override;

    bool IsMulticast() const override
    {
        return false;
    }

    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address address) const override;

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return true;
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;

    Ptr<Node> GetNode() const override;

    void SetNode(Ptr<Node> node) override;

    bool NeedsArp() const override
    {
        return false;
    }

    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;

    bool SupportsSendFrom() const override
    {
        return false;
    }

  protected:
    void DoDispose() override;

    /** \return the device's node, null before SetNode; without counting a reference */
    Node* PeekNode() const
    {
        return m_node;
    }

    /** Call the callbacks that AddLinkChangeCallback registered. */
    void FireLinkChange();
    /** Hand an IPv4 packet to the node. \param packet the packet, taken over
     * \param from address of the device at the far end */
    void DeliverToNode(Ptr<Packet> packet, const Address& from);

    static constexpr uint16_t PROTOCOL_IPV4 = 0x0800; //!< EtherType of IPv4

  private:
    Node* m_node{nullptr}; //!< the node that owns this device
    uint32_t m_ifIndex{0};
    uint16_t m_mtu; //!< bytes of the largest IPv4 packet
    Mac48Address m_address;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    TracedCallback<> m_linkChange;
};

} // namespace ns3::ddl

#endif // DDL_FABRIC_DEVICE_H
