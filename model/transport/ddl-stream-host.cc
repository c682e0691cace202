// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream-host.h"

#include "ddl-local-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlStreamHost");
NS_OBJECT_ENSURE_REGISTERED(StreamHost);

TypeId
StreamHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::StreamHost").SetParent<Object>().SetGroupName("Ddl");
    return tid;
}

StreamHost::StreamHost(HostId host, std::shared_ptr<StreamSettings> settings)
    : m_host(host),
      m_settings(std::move(settings))
{
    NS_LOG_FUNCTION(this << host);
}

StreamHost::~StreamHost()
{
    NS_LOG_FUNCTION(this);
}

void
StreamHost::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& [id, stream] : std::exchange(m_sending, {}))
    {
        m_closed += stream->GetCounters();
        stream->Dispose();
    }
    for (const auto& [number, stream] : std::exchange(m_receiving, {}))
    {
        m_closed += stream->GetCounters();
        stream->Dispose();
    }
    m_names.clear();
    Object::DoDispose();
}

Ptr<SendingStream>
StreamHost::Open(HostId destination, const StreamName& name, Mark mark, uint32_t flowLabel)
{
    NS_LOG_FUNCTION(this << destination << name << flowLabel);
    NS_ABORT_MSG_IF(destination.value >= m_settings->hosts,
                    "stream from host " << m_host << " to host " << destination
                                        << ", but there are " << m_settings->hosts << " hosts");
    const StreamRequest request{{m_settings->streams++}, name, m_host};
    const Ptr<SendingStream> stream = MakeSending(request, destination, mark, flowLabel);
    stream->m_releasedCallback = MakeCallback(&StreamHost::ForgetSending, this);
    m_sending.emplace(request.id, stream);
    return stream;
}

bool
StreamHost::IsInServer(HostId other) const
{
    const auto& numbers = m_settings->server.numbers;
    return other != m_host && !numbers.empty() &&
           numbers.at(other.value) == numbers.at(m_host.value);
}

Ptr<SendingStream>
StreamHost::MakeSending(const StreamRequest& request,
                        HostId destination,
                        Mark mark,
                        uint32_t flowLabel)
{
    Ptr<SendingStream> stream;
    if (destination == m_host)
    {
        stream = CreateObject<LocalStream>(request,
                                           *this,
                                           m_settings->localRate,
                                           m_settings->localDelay);
    }
    else if (IsInServer(destination))
    {
        const auto& server = m_settings->server;
        stream = CreateObject<LocalStream>(request,
                                           destination,
                                           server.machines,
                                           server.rate,
                                           server.delay);
    }
    else
    {
        return DoOpen(request, destination, mark, flowLabel);
    }
    stream->SetMark(mark);
    return stream;
}

Ptr<ReceivingStream>
StreamHost::Accept(HostId source, const StreamName& name, Mark mark)
{
    NS_LOG_FUNCTION(this << source << name);
    const auto known = m_names.find(name);
    const Ptr<ReceivingStream> stream =
        known == m_names.end() ? MakeReceiving(name, source) : known->second;
    NS_ABORT_MSG_IF(stream->m_isAccepted, "the stream " << name << " is waited for already");
    stream->m_isAccepted = true;
    Simulator::Remove(std::exchange(stream->m_giveUp, EventId()));
    stream->SetMark(mark);
    return stream;
}

Ptr<ReceivingStream>
StreamHost::Admit(const StreamRequest& request, bool expires)
{
    NS_LOG_FUNCTION(this << request.id << request.name);
    const auto known = m_names.find(request.name);
    if (known != m_names.end() && known->second->m_id && request.id < *known->second->m_id)
    {
        return nullptr;
    }
    const Ptr<ReceivingStream> stream =
        known == m_names.end() ? MakeReceiving(request.name, request.source) : known->second;
    if (stream->m_id && *stream->m_id != request.id)
    {
        stream->Disconnect();
    }
    stream->m_id = request.id;
    if (!stream->m_isAccepted && expires && stream->m_giveUp.IsExpired())
    {
        stream->m_giveUp =
            Simulator::Schedule(GetPatience(), &ReceivingStream::Close, PeekPointer(stream));
    }
    return stream;
}

Ptr<ReceivingStream>
StreamHost::MakeReceiving(const StreamName& name, HostId source)
{
    const Ptr<ReceivingStream> stream = source == m_host || IsInServer(source)
                                            ? CreateObject<ReceivingStream>(name, source, m_host)
                                            : DoMakeReceiving(name, source);
    stream->m_number = m_numbers++;
    stream->m_shutCallback = MakeCallback(&StreamHost::NoteShut, this);
    stream->m_releasedCallback = MakeCallback(&StreamHost::ForgetReceiving, this);
    m_receiving.emplace(stream->m_number, stream);
    m_names.emplace(name, stream);
    return stream;
}

Ptr<ReceivingStream>
StreamHost::DoMakeReceiving(const StreamName& name, HostId source)
{
    return CreateObject<ReceivingStream>(name, source, m_host);
}

void
StreamHost::ForgetSending(StreamId id)
{
    NS_LOG_FUNCTION(this << id);
    const auto stream = m_sending.find(id);
    m_closed += stream->second->GetCounters();
    m_sending.erase(stream);
}

void
StreamHost::NoteShut(uint64_t number)
{
    m_names.erase(m_receiving.at(number)->GetName());
}

void
StreamHost::ForgetReceiving(uint64_t number)
{
    NS_LOG_FUNCTION(this << number);
    const auto stream = m_receiving.find(number);
    m_closed += stream->second->GetCounters();
    m_receiving.erase(stream);
}

StreamCounters
StreamHost::GetCounters() const
{
    StreamCounters sum = m_closed;
    for (const auto& [id, stream] : m_sending)
    {
        sum += stream->GetCounters();
    }
    for (const auto& [number, stream] : m_receiving)
    {
        sum += stream->GetCounters();
    }
    return sum;
}

} // namespace ns3::ddl
