// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-tcp-stream.h"

#include "ns3/abort.h"
#include "ns3/ddl-host-address.h"
#include "ns3/ddl-stream-tags.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTcpStream");
NS_OBJECT_ENSURE_REGISTERED(TcpSendingStream);
NS_OBJECT_ENSURE_REGISTERED(TcpReceivingStream);

namespace
{

/** Keep a socket until events that it scheduled for this instant have run: ns-3 gives them a bare
 * pointer. */
void
KeepSocket(Ptr<StreamSocket> /* socket */)
{
}

/** Release a socket's callbacks, timers and port. \param [in,out] socket the socket; null then */
void
ReleaseSocket(Ptr<StreamSocket>& socket)
{
    const Ptr<StreamSocket> released = std::exchange(socket, nullptr);
    released->Release();
    Simulator::ScheduleNow(&KeepSocket, released);
}

} // namespace

TypeId
TcpSendingStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::TcpSendingStream").SetParent<SendingStream>().SetGroupName("Ddl");
    return tid;
}

TcpSendingStream::TcpSendingStream(const StreamRequest& request,
                                   HostId destination,
                                   Ptr<TcpHost> host,
                                   uint32_t flowLabel,
                                   const TcpOptions& options)
    : SendingStream(request, destination),
      m_host(host),
      m_socket(host->CreateSocket(options, flowLabel, m_port))
{
    NS_LOG_FUNCTION(this << request.id << destination);
}

TcpSendingStream::~TcpSendingStream()
{
    NS_LOG_FUNCTION(this);
    Unregister();
}

void
TcpSendingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_final = GetCounters();
    Unregister();
    m_socket = nullptr;
    m_host = nullptr;
    SendingStream::DoDispose();
}

FlowKey
TcpSendingStream::GetFlow() const
{
    return {HostToAddress(GetDestination().value),
            TcpL4Protocol::PROT_NUMBER,
            m_port,
            TcpHost::LISTEN_PORT};
}

void
TcpSendingStream::Connect()
{
    NS_LOG_FUNCTION(this);
    m_socket->SetSendCallback(MakeCallback(&TcpSendingStream::Feed, this));
    m_socket->SetAcknowledgedCallback(MakeCallback(&TcpSendingStream::NotifyAcknowledged, this));
    m_socket->SetShareSource([this] { return GetIterationShare(); });
    m_socket->SetRequest(GetRequest());
    const int sent = m_socket->Connect(
        InetSocketAddress(HostToAddress(GetDestination().value), TcpHost::LISTEN_PORT));
    NS_ABORT_MSG_IF(sent != 0,
                    "no route from host " << GetSource() << " to host " << GetDestination());
}

StreamCounters
TcpSendingStream::GetCounters() const
{
    return m_socket ? m_socket->GetCounters() : m_final;
}

void
TcpSendingStream::DoSend(uint64_t bytes, const MessageTag& tag)
{
    NS_LOG_FUNCTION(this << bytes);
    m_waiting += bytes;
    m_socket->NoteEnd(GetSentBytes(), tag);
    Feed(m_socket, 0);
    m_socket->Push();
}

void
TcpSendingStream::Feed(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    if (m_waiting > 0)
    {
        m_waiting -= m_socket->Fill(m_waiting);
    }
}

void
TcpSendingStream::DoSetMark(Mark mark)
{
    m_host->SetMark(GetFlow(), mark);
}

void
TcpSendingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    m_waiting = 0;
    m_socket->Linger(MakeCallback(&TcpSendingStream::ScheduleRelease, this));
}

void
TcpSendingStream::ScheduleRelease()
{
    m_release = Simulator::ScheduleNow(&TcpSendingStream::Release, this);
}

void
TcpSendingStream::Release()
{
    NS_LOG_FUNCTION(this);
    const Ptr<TcpSendingStream> alive(this);
    m_final = GetCounters();
    Unregister();
    ReleaseSocket(m_socket);
    NotifyReleased();
}

void
TcpSendingStream::Unregister()
{
    m_release.Cancel();
    if (m_socket)
    {
        m_socket->Detach();
        m_host->ClearMark(GetFlow());
    }
}

TypeId
TcpReceivingStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::TcpReceivingStream").SetParent<ReceivingStream>().SetGroupName("Ddl");
    return tid;
}

TcpReceivingStream::TcpReceivingStream(const StreamName& name,
                                       HostId source,
                                       Ptr<TcpHost> host,
                                       Time quiet)
    : ReceivingStream(name, source, host->GetHost()),
      m_host(host),
      m_quiet(quiet)
{
    NS_LOG_FUNCTION(this << name << source);
}

TcpReceivingStream::~TcpReceivingStream()
{
    NS_LOG_FUNCTION(this);
    Unregister();
}

void
TcpReceivingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_counters = GetCounters();
    Unregister();
    m_socket = nullptr;
    m_host = nullptr;
    ReceivingStream::DoDispose();
}

/** \return the flow of the acknowledgements */
FlowKey
TcpReceivingStream::GetFlow() const
{
    return {HostToAddress(GetSource().value),
            TcpL4Protocol::PROT_NUMBER,
            TcpHost::LISTEN_PORT,
            m_port};
}

void
TcpReceivingStream::Connect(Ptr<StreamSocket> socket, uint16_t port)
{
    NS_LOG_FUNCTION(this << socket << port);
    m_socket = socket;
    m_port = port;
    m_socket->SetRecvCallback(MakeCallback(&TcpReceivingStream::Receive, this));
    m_socket->SetReplacedCallback(MakeCallback(&TcpReceivingStream::ScheduleReplacement, this));
    DoSetMark(GetMark());
}

StreamCounters
TcpReceivingStream::GetCounters() const
{
    StreamCounters counters = m_counters;
    return m_socket ? counters += m_socket->GetCounters() : counters;
}

void
TcpReceivingStream::DoSetMark(Mark mark)
{
    if (m_socket)
    {
        m_host->SetMark(GetFlow(), mark);
    }
}

void
TcpReceivingStream::Receive(Ptr<Socket> /* socket */)
{
    const Ptr<Packet> data = m_socket->Drain();
    if (!data || IsShut())
    {
        return;
    }
    const uint32_t size = data->GetSize();
    FindEnds(data);
    if (m_ends.empty())
    {
        NotifyArrived({size, std::nullopt});
        return;
    }
    const Ptr<TcpReceivingStream> alive(this); // a receiver may close this stream
    uint32_t told = 0;
    for (const End& end : std::exchange(m_ends, {}))
    {
        NotifyArrived({end.bytes - told, end.said});
        told = end.bytes;
    }
    NotifyArrived({size - told, std::nullopt});
}

/** Find the MessageEndTags among the tags of the data, which may include others (FlowMonitor's). */
void
TcpReceivingStream::FindEnds(const Ptr<const Packet>& data)
{
    ByteTagIterator tags = data->GetByteTagIterator();
    while (tags.HasNext())
    {
        const ByteTagIterator::Item item = tags.Next();
        if (item.GetTypeId() == MessageEndTag::GetTypeId())
        {
            MessageEndTag tag;
            item.GetTag(tag);
            m_ends.push_back({item.GetEnd(), tag.Get()});
        }
    }
    std::sort(m_ends.begin(), m_ends.end(), [](const End& a, const End& b) {
        return a.bytes < b.bytes;
    });
}

void
TcpReceivingStream::ScheduleReplacement(Ptr<Packet> request, const Address& from, const Address& to)
{
    m_release =
        Simulator::ScheduleNow(&TcpReceivingStream::GiveWay, this, request->Copy(), from, to);
}

/** Release this connection for a new one with the same addresses and ports, as RFC 9293 §3.6.1 lets
 * TIME-WAIT do. */
void
TcpReceivingStream::GiveWay(Ptr<Packet> request, Address from, Address to)
{
    NS_LOG_FUNCTION(this);
    const Ptr<TcpHost> host = m_host; // a copy, as the release may destroy this
    DoDisconnect();
    host->TakeRequest(request, from, to);
}

void
TcpReceivingStream::DoDisconnect()
{
    NS_LOG_FUNCTION(this);
    if (m_socket)
    {
        m_counters = GetCounters();
        Unregister();
        ReleaseSocket(m_socket);
    }
    if (IsShut())
    {
        ScheduleRelease();
    }
}

void
TcpReceivingStream::DoClose()
{
    NS_LOG_FUNCTION(this);
    if (m_socket)
    {
        m_socket->WaitForQuiet(m_quiet, MakeCallback(&TcpReceivingStream::ScheduleRelease, this));
    }
    else
    {
        NotifyReleased();
    }
}

void
TcpReceivingStream::ScheduleRelease()
{
    m_release = Simulator::ScheduleNow(&TcpReceivingStream::Release, this);
}

void
TcpReceivingStream::Release()
{
    NS_LOG_FUNCTION(this);
    const Ptr<TcpReceivingStream> alive(this);
    if (m_socket)
    {
        m_counters = GetCounters();
        Unregister();
        ReleaseSocket(m_socket);
    }
    NotifyReleased();
}

void
TcpReceivingStream::Unregister()
{
    m_release.Cancel();
    if (m_socket)
    {
        m_socket->Detach();
        m_host->ClearMark(GetFlow());
    }
}

} // namespace ns3::ddl
