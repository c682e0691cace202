// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FABRIC_TEST_SUPPORT_H
#define DDL_FABRIC_TEST_SUPPORT_H

#include "ns3/ddl-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{

/** Bytes in front of a datagram's payload: 20 of IPv4, 8 of UDP. */
constexpr uint32_t UDP_HEADERS = 28;

/** What to send: datagrams between two hosts, as flow (fromPort, toPort). */
struct Datagrams
{
    uint32_t from{0};
    uint32_t to{1};
    uint32_t bytes{1000}; //!< of each IPv4 packet
    uint32_t count{1};
    Time start{MicroSeconds(1)};
    Time gap{0}; //!< between two; 0 = all at once
    uint8_t tos{0};
    uint8_t priority{0}; //!< of the socket
    uint16_t fromPort{1000};
    uint16_t toPort{2000};
};

/** A datagram that came in. */
struct Received
{
    Time time;
    uint32_t host;
    uint16_t port;
    uint32_t bytes; //!< of the IPv4 packet
    uint8_t tos;
    uint8_t ttl;
    uint16_t fromPort;
};

/** Stock UDP sockets over a fabric: what is sent, and what comes in, in order. */
class FabricTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_sockets.clear();
        m_fabric = nullptr;
        Simulator::Destroy();
    }

    /** Build with IP stacks. */
    void Build(const TopologySpec& topology,
               const PortSpec& ports = PortSpec(),
               const HostSpec& hosts = HostSpec())
    {
        m_fabric = BuildTopology(topology, ports, hosts);
        m_fabric->InstallStack();
    }

    /** \return the socket, to send more on */
    Ptr<Socket> Send(const Datagrams& what)
    {
        auto socket = MakeSocket(what.from);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), what.fromPort));
        socket->Connect(InetSocketAddress(m_fabric->GetAddress(HostId{what.to}), what.toPort));
        socket->SetIpTos(what.tos); // Connect sets another, and this sets a priority, too
        socket->SetPriority(what.priority);
        SendOn(socket, what);
        return socket;
    }

    void SendOn(Ptr<Socket> socket, const Datagrams& what)
    {
        for (uint32_t i = 0; i < what.count; ++i)
        {
            Simulator::Schedule(what.start + TimeStep(i * what.gap.GetTimeStep()),
                                &FabricTest::SendOne,
                                this,
                                socket,
                                what);
        }
    }

    void Listen(uint32_t host, uint16_t port = 2000)
    {
        auto socket = MakeSocket(host);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        socket->SetIpRecvTos(true);
        socket->SetIpRecvTtl(true);
        socket->SetAttribute("RcvBufSize", UintegerValue(1U << 30));
        socket->SetRecvCallback([this, host, port](Ptr<Socket> s) { Note(s, host, port); });
    }

    Ptr<Port> GetPort(const std::string& node, const std::string& peer, uint32_t n = 0)
    {
        return m_fabric->GetPort(node, peer, n);
    }

    Ptr<Fabric> m_fabric;
    std::vector<Received> m_received;

  private:
    Ptr<Socket> MakeSocket(uint32_t host)
    {
        m_sockets.push_back(
            Socket::CreateSocket(m_fabric->GetHost(HostId{host}), UdpSocketFactory::GetTypeId()));
        return m_sockets.back();
    }

    void SendOne(Ptr<Socket> socket, Datagrams what)
    {
        socket->Send(Create<Packet>(what.bytes - UDP_HEADERS));
    }

    void Note(Ptr<Socket> socket, uint32_t host, uint16_t port)
    {
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            SocketIpTosTag tos;
            SocketIpTtlTag ttl;
            packet->RemovePacketTag(tos);
            packet->RemovePacketTag(ttl);
            m_received.push_back({Simulator::Now(),
                                  host,
                                  port,
                                  packet->GetSize() + UDP_HEADERS,
                                  tos.GetTos(),
                                  ttl.GetTtl(),
                                  InetSocketAddress::ConvertFrom(from).GetPort()});
        }
    }

    std::vector<Ptr<Socket>> m_sockets;
};

} // namespace ns3::ddl

#endif // DDL_FABRIC_TEST_SUPPORT_H
