// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-constant-rate-flow.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlConstantRateFlow");
NS_OBJECT_ENSURE_REGISTERED(ConstantRateFlow);
NS_OBJECT_ENSURE_REGISTERED(ConstantRateSink);

namespace
{

constexpr uint8_t UDP = 17; // IANA protocol number of UDP

Ptr<Socket>
OpenSocket(const Ptr<Node>& node)
{
    const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(socket->Bind() != 0, "no UDP port is left");
    return socket;
}

uint16_t
ReadPort(const Ptr<Socket>& socket)
{
    Address address;
    socket->GetSockName(address);
    return InetSocketAddress::ConvertFrom(address).GetPort();
}

} // namespace

TypeId
ConstantRateFlow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ConstantRateFlow").SetParent<Application>().SetGroupName("Ddl");
    return tid;
}

ConstantRateFlow::ConstantRateFlow(const BackgroundFlowSpec& flow,
                                   Ptr<HostPort> nic,
                                   Ipv4Address destination,
                                   uint16_t port)
    : m_flow(flow),
      m_nic(nic),
      m_destination(destination),
      m_port(port)
{
    NS_LOG_FUNCTION(this << flow.source << flow.destination << port);
}

void
ConstantRateFlow::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_socket = nullptr;
    m_nic = nullptr;
    Application::DoDispose();
}

void
ConstantRateFlow::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_socket = OpenSocket(GetNode());
    m_socket->ShutdownRecv();
    m_socket->Connect(InetSocketAddress(m_destination, m_port));
    m_nic->SetMark(FlowKey{m_destination, UDP, ReadPort(m_socket), m_port}, m_flow.mark);
    m_begin = Simulator::Now();
    SendNext();
}

void
ConstantRateFlow::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
}

void
ConstantRateFlow::SendNext()
{
    m_socket->Send(Create<Packet>(m_flow.packetSize - HEADER_BYTES));
    ++m_sent;
    const double bits = 8.0 * m_flow.packetSize * static_cast<double>(m_sent);
    const Time due = m_begin + Seconds(bits / static_cast<double>(m_flow.rate.GetBitRate()));
    m_next = Simulator::Schedule(due - Simulator::Now(), &ConstantRateFlow::SendNext, this);
}

TypeId
ConstantRateSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ConstantRateSink").SetParent<Application>().SetGroupName("Ddl");
    return tid;
}

ConstantRateSink::ConstantRateSink(Ptr<Node> node)
    : m_socket(OpenSocket(node))
{
    NS_LOG_FUNCTION(this);
    m_socket->SetRecvCallback(MakeCallback(&ConstantRateSink::Receive, this));
}

uint16_t
ConstantRateSink::GetPort() const
{
    return ReadPort(m_socket);
}

void
ConstantRateSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket = nullptr;
    Application::DoDispose();
}

void
ConstantRateSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
}

/** Do nothing: the socket stays open for packets in flight. */
void
ConstantRateSink::StopApplication()
{
    NS_LOG_FUNCTION(this);
}

void
ConstantRateSink::Receive(Ptr<Socket> socket)
{
    while (socket->Recv())
    {
        ++m_received;
    }
}

} // namespace ns3::ddl
