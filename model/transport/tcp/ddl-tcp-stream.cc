// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tcp-stream.h"

#include "ns3/abort.h"
#include "ns3/ddl-transport.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTcpStream");
NS_OBJECT_ENSURE_REGISTERED(TcpStream);

namespace
{

/** Keeps a socket until events that it scheduled for this instant have run: ns-3 gives them a bare
    pointer. */
void
Keep(Ptr<StreamSocket> /* socket */)
{
}

} // namespace

TypeId
TcpStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::TcpStream").SetParent<MessageStream>().SetGroupName("Ddl");
    return tid;
}

TcpStream::TcpStream(StreamId id,
                     Place source,
                     Place destination,
                     uint32_t flowLabel,
                     const TcpOptions& options)
    : MessageStream(id, source.id, destination.id),
      m_sourceHost(source.host),
      m_destinationHost(destination.host),
      m_sender(source.host->CreateSocket(options, flowLabel, m_port))
{
    NS_LOG_FUNCTION(this << id << source.id << destination.id);
}

TcpStream::~TcpStream()
{
    NS_LOG_FUNCTION(this);
    Unregister();
}

void
TcpStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_final = GetCounters();
    Unregister();
    m_sender = nullptr;
    m_receiver = nullptr;
    m_sourceHost = nullptr;
    m_destinationHost = nullptr;
    MessageStream::DoDispose();
}

void
TcpStream::Connect()
{
    NS_LOG_FUNCTION(this);
    m_destinationHost->Expect(m_sourceHost->GetAddress(),
                              m_port,
                              MakeCallback(&TcpStream::Accept, this));
    m_sender->SetSendCallback(MakeCallback(&TcpStream::Feed, this));
    const int sent = m_sender->Connect(
        InetSocketAddress(m_destinationHost->GetAddress(), Transport::LISTEN_PORT));
    NS_ABORT_MSG_IF(sent != 0,
                    "no route from host " << GetSource() << " to host " << GetDestination());
}

StreamCounters
TcpStream::GetCounters() const
{
    StreamCounters sum = m_final;
    for (const auto& socket : {m_sender, m_receiver})
    {
        if (socket)
        {
            sum += socket->GetCounters();
        }
    }
    return sum;
}

void
TcpStream::DoSend(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_waiting += bytes;
    Feed(m_sender, 0);
    m_sender->Push();
}

void
TcpStream::Feed(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    if (m_waiting > 0)
    {
        m_waiting -= m_sender->Fill(m_waiting);
    }
}

void
TcpStream::DoSetMark(End end, Mark mark)
{
    const bool isSource = end == End::SOURCE;
    const auto& here = isSource ? m_sourceHost : m_destinationHost;
    const auto& there = isSource ? m_destinationHost : m_sourceHost;
    here->SetMark({there->GetAddress(),
                   TcpL4Protocol::PROT_NUMBER,
                   isSource ? m_port : Transport::LISTEN_PORT,
                   isSource ? Transport::LISTEN_PORT : m_port},
                  mark);
}

void
TcpStream::Accept(Ptr<StreamSocket> receiver)
{
    NS_LOG_FUNCTION(this << receiver);
    m_receiver = receiver;
    m_receiver->SetRecvCallback(MakeCallback(&TcpStream::Receive, this));
}

void
TcpStream::Receive(Ptr<Socket> /* socket */)
{
    NotifyDelivered(m_receiver->Drain());
}

void
TcpStream::Close()
{
    NS_LOG_FUNCTION(this);
    if (Shut())
    {
        m_waiting = 0;
        m_sender->Linger(MakeCallback(&TcpStream::ScheduleRelease, this));
    }
}

void
TcpStream::ScheduleRelease()
{
    m_release = Simulator::ScheduleNow(&TcpStream::Release, this);
}

void
TcpStream::Release()
{
    NS_LOG_FUNCTION(this);
    const Ptr<TcpStream> alive(this);
    m_final = GetCounters();
    Unregister();
    for (auto* socket : {&m_sender, &m_receiver})
    {
        if (*socket)
        {
            (*socket)->Release();
            Simulator::ScheduleNow(&Keep, *socket);
            *socket = nullptr;
        }
    }
    NotifyReleased();
}

void
TcpStream::Unregister()
{
    m_release.Cancel();
    if (!m_sender)
    {
        return;
    }
    m_sender->Detach();
    if (m_receiver)
    {
        m_receiver->Detach();
    }
    const Ipv4Address source = m_sourceHost->GetAddress();
    const Ipv4Address destination = m_destinationHost->GetAddress();
    const uint8_t tcp = TcpL4Protocol::PROT_NUMBER;
    m_destinationHost->Forget(source, m_port);
    m_sourceHost->ClearMark({destination, tcp, m_port, Transport::LISTEN_PORT});
    m_destinationHost->ClearMark({source, tcp, Transport::LISTEN_PORT, m_port});
}

} // namespace ns3::ddl
