// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tcp-host.h"

#include "ddl-tcp-stream.h"

#include "ns3/abort.h"
#include "ns3/ddl-host-address.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTcpHost");
NS_OBJECT_ENSURE_REGISTERED(TcpHost);

namespace
{

/** Number of source ports per flow label. */
constexpr uint32_t TURNS = ((1U << 16) - TcpHost::FIRST_SOURCE_PORT) / FlowKey::PATH_LABELS;

} // namespace

TypeId
TcpHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::TcpHost").SetParent<StreamHost>().SetGroupName("Ddl");
    return tid;
}

TcpHost::TcpHost(HostId host,
                 std::shared_ptr<StreamSettings> settings,
                 Ptr<Node> node,
                 const TcpOptions& options)
    : StreamHost(host, std::move(settings)),
      m_options(options),
      m_node(node),
      m_listener(CreateObject<StreamSocket>())
{
    NS_LOG_FUNCTION(this << host);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto port = DynamicCast<HostPort>(node->GetDevice(i)))
        {
            m_ports.push_back(port);
        }
    }
    m_listener->Configure(node, options);
    const int bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), LISTEN_PORT));
    NS_ABORT_MSG_IF(bound != 0,
                    "TCP port " << LISTEN_PORT << " of " << HostToAddress(host.value)
                                << " is taken");
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
    m_listener->SetForkedCallback(MakeCallback(&TcpHost::Connect, this));
}

TcpHost::~TcpHost()
{
    NS_LOG_FUNCTION(this);
    m_listener->Release();
}

void
TcpHost::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StreamHost::DoDispose(); // streams release ports and marks
    m_listener->Release();
    m_node = nullptr;
    m_ports.clear();
}

Ptr<StreamSocket>
TcpHost::CreateSocket(const TcpOptions& options, uint32_t flowLabel, uint16_t& port)
{
    const Ptr<StreamSocket> socket = CreateObject<StreamSocket>();
    socket->Configure(m_node, options);
    const Ipv4Address address = HostToAddress(GetHost().value);
    for (uint32_t tries = 0; tries < TURNS * FlowKey::PATH_LABELS; ++tries)
    {
        const uint32_t label = (flowLabel + tries / TURNS) % FlowKey::PATH_LABELS;
        port = FIRST_SOURCE_PORT + m_turns[label] * FlowKey::PATH_LABELS + label;
        m_turns[label] = (m_turns[label] + 1) % TURNS;
        if (socket->Bind(InetSocketAddress(address, port)) == 0)
        {
            return socket;
        }
    }
    NS_ABORT_MSG("all TCP ports of " << address << " carry streams");
}

void
TcpHost::TakeRequest(Ptr<Packet> request, const Address& from, const Address& to)
{
    m_listener->TakeRequest(request, from, to);
}

void
TcpHost::SetMark(const FlowKey& flow, Mark mark)
{
    for (const auto& port : m_ports) // the flow leaves by one of them
    {
        port->SetMark(flow, mark);
    }
}

void
TcpHost::ClearMark(const FlowKey& flow)
{
    for (const auto& port : m_ports)
    {
        port->ClearMark(flow);
    }
}

Ptr<SendingStream>
TcpHost::DoOpen(const StreamRequest& request, HostId destination, Mark mark, uint32_t flowLabel)
{
    const auto stream = CreateObject<TcpSendingStream>(request,
                                                       destination,
                                                       Ptr<TcpHost>(this),
                                                       flowLabel,
                                                       m_options);
    stream->SetMark(mark);
    stream->Connect();
    return stream;
}

Ptr<ReceivingStream>
TcpHost::DoMakeReceiving(const StreamName& name, HostId source)
{
    return CreateObject<TcpReceivingStream>(name, source, Ptr<TcpHost>(this), m_options.minRto);
}

/** \return whether the socket made for a request serves a stream */
bool
TcpHost::Connect(Ptr<StreamSocket> end, const Address& from, const StreamRequest& request)
{
    const auto peer = InetSocketAddress::ConvertFrom(from);
    NS_LOG_FUNCTION(this << peer.GetIpv4() << peer.GetPort() << request.name);
    const auto stream = DynamicCast<TcpReceivingStream>(Admit(request));
    if (!stream)
    {
        return false;
    }
    stream->Connect(end, peer.GetPort());
    return true;
}

} // namespace ns3::ddl
