// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tcp-host.h"

#include "ns3/abort.h"
#include "ns3/ddl-transport.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTcpHost");

namespace
{

/** Source ports of one flow label. */
constexpr uint32_t TURNS = ((1U << 16) - Transport::FIRST_SOURCE_PORT) / FlowKey::PATH_LABELS;

} // namespace

TcpHost::TcpHost(Ptr<Node> node, Ptr<HostPort> nic, Ipv4Address address, const TcpOptions& options)
    : m_node(node),
      m_nic(nic),
      m_address(address),
      m_listener(CreateObject<StreamSocket>())
{
    NS_LOG_FUNCTION(this << address);
    m_listener->Configure(node, options);
    const int bound =
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), Transport::LISTEN_PORT));
    NS_ABORT_MSG_IF(bound != 0,
                    "TCP port " << Transport::LISTEN_PORT << " of " << address << " is taken");
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeCallback(&TcpHost::IsExpected, this),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
    m_listener->SetForkedCallback(MakeCallback(&TcpHost::Accept, this));
}

TcpHost::~TcpHost()
{
    NS_LOG_FUNCTION(this);
    m_listener->Release();
}

Ptr<StreamSocket>
TcpHost::CreateSocket(const TcpOptions& options, uint32_t flowLabel, uint16_t& port)
{
    const Ptr<StreamSocket> socket = CreateObject<StreamSocket>();
    socket->Configure(m_node, options);
    for (uint32_t tries = 0; tries < TURNS * FlowKey::PATH_LABELS; ++tries)
    {
        const uint32_t label = (flowLabel + tries / TURNS) % FlowKey::PATH_LABELS;
        port = Transport::FIRST_SOURCE_PORT + m_turns[label] * FlowKey::PATH_LABELS + label;
        m_turns[label] = (m_turns[label] + 1) % TURNS;
        if (socket->Bind(InetSocketAddress(m_address, port)) == 0)
        {
            return socket;
        }
    }
    NS_ABORT_MSG("all TCP ports of " << m_address << " carry streams");
}

void
TcpHost::Expect(Ipv4Address source, uint16_t port, AcceptedCallback accepted)
{
    m_expected[{source, port}] = accepted;
}

void
TcpHost::Forget(Ipv4Address source, uint16_t port)
{
    m_expected.erase({source, port});
}

void
TcpHost::SetMark(const FlowKey& flow, Mark mark)
{
    m_nic->SetMark(flow, mark);
}

void
TcpHost::ClearMark(const FlowKey& flow)
{
    m_nic->ClearMark(flow);
}

bool
TcpHost::IsExpected(Ptr<Socket> /* listener */, const Address& from)
{
    const auto peer = InetSocketAddress::ConvertFrom(from);
    return m_expected.count({peer.GetIpv4(), peer.GetPort()}) > 0;
}

bool
TcpHost::Accept(Ptr<StreamSocket> end, const Address& from)
{
    const auto peer = InetSocketAddress::ConvertFrom(from);
    NS_LOG_FUNCTION(this << peer.GetIpv4() << peer.GetPort());
    const auto expected = m_expected.find({peer.GetIpv4(), peer.GetPort()});
    if (expected == m_expected.end())
    {
        return false;
    }
    expected->second(end);
    return true;
}

} // namespace ns3::ddl
