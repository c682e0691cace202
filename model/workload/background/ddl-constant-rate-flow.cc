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

namespace
{

constexpr uint8_t UDP = 17; // IANA protocol number

Ptr<Socket>
OpenSocket(const Ptr<Node>& node)
{
    const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(socket->Bind() != 0, "no UDP port is left");
    return socket;
}

uint16_t
GetPort(const Ptr<Socket>& socket)
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

ConstantRateFlow::ConstantRateFlow(const BackgroundFlowSpec& flow, Ptr<Fabric> fabric)
    : m_flow(flow),
      m_fabric(fabric)
{
    NS_LOG_FUNCTION(this << flow.source << flow.destination);
}

void
ConstantRateFlow::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_sender = nullptr;
    m_receiver = nullptr;
    m_fabric = nullptr;
    Application::DoDispose();
}

void
ConstantRateFlow::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_receiver = OpenSocket(m_fabric->GetHost(m_flow.destination));
    m_receiver->SetRecvCallback(MakeCallback(&ConstantRateFlow::Receive, this));
    m_sender = OpenSocket(GetNode());
    m_sender->ShutdownRecv();
    const Ipv4Address address = m_fabric->GetAddress(m_flow.destination);
    const uint16_t port = GetPort(m_receiver);
    m_sender->Connect(InetSocketAddress(address, port));
    m_fabric->GetHostPort(m_flow.source)
        ->SetMark(FlowKey{address, UDP, GetPort(m_sender), port}, m_flow.mark);
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
    m_sender->Send(Create<Packet>(m_flow.packetSize - HEADER_BYTES));
    ++m_sent;
    const double bits = 8.0 * m_flow.packetSize * static_cast<double>(m_sent);
    const Time due = m_begin + Seconds(bits / static_cast<double>(m_flow.rate.GetBitRate()));
    m_next = Simulator::Schedule(due - Simulator::Now(), &ConstantRateFlow::SendNext, this);
}

void
ConstantRateFlow::Receive(Ptr<Socket> socket)
{
    while (socket->Recv())
    {
        ++m_received;
    }
}

} // namespace ns3::ddl
