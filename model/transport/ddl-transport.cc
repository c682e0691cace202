// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport.h"

#include "ddl-local-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlTransport");
NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Transport")
            .SetParent<Policy>()
            .SetGroupName("Ddl")
            .AddAttribute("LocalRate",
                          "Rate of a stream whose ends are on one machine. The default is what "
                          "PCI Express 3.0 x16 carries: 16 lanes of 8 GT/s in 128b/130b code.",
                          DataRateValue(DataRate("126Gbps")),
                          MakeDataRateAccessor(&Transport::m_localRate),
                          MakeDataRateChecker())
            .AddAttribute("LocalDelay",
                          "Time from the end of a local message's transfer to its delivery.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Transport::m_localDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Transport::~Transport()
{
    NS_LOG_FUNCTION(this);
    for (auto& entry : m_streams)
    {
        entry.second->m_releasedCallback = MakeNullCallback<void, StreamId>();
    }
}

void
Transport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& entry : m_streams)
    {
        m_closed += entry.second->GetCounters();
        entry.second->Dispose();
    }
    m_streams.clear();
    m_awaited.clear();
    m_unaccepted.clear();
    m_fabric = nullptr;
    Policy::DoDispose();
}

void
Transport::Install(Ptr<Fabric> fabric)
{
    NS_LOG_FUNCTION(this << fabric);
    NS_ABORT_MSG_IF(m_fabric, "a transport is installed once");
    NS_ABORT_MSG_UNLESS(fabric, "a transport needs a fabric");
    NS_ABORT_MSG_IF(m_localRate.GetBitRate() == 0, "Transport::LocalRate must be above 0");
    m_fabric = fabric;
    DoInstall();
}

Ptr<MessageStream>
Transport::Open(HostId source,
                HostId destination,
                Mark sourceMark,
                Mark destinationMark,
                uint32_t flowLabel,
                const std::optional<StreamName>& name)
{
    NS_LOG_FUNCTION(this << source << destination << flowLabel);
    NS_ABORT_MSG_UNLESS(m_fabric, "install the transport before opening a stream");
    const uint32_t hosts = m_fabric->GetHosts();
    NS_ABORT_MSG_IF(source.value >= hosts || destination.value >= hosts,
                    "stream from host " << source << " to host " << destination
                                        << ", but there are " << hosts << " hosts");
    const StreamId id{m_opened++};
    Ptr<MessageStream> stream;
    if (source == destination)
    {
        stream = CreateObject<LocalStream>(id, source, m_localRate, m_localDelay);
        stream->SetMark(MessageStream::End::SOURCE, sourceMark);
        stream->SetMark(MessageStream::End::DESTINATION, destinationMark);
    }
    else
    {
        stream = DoOpen(id, source, destination, sourceMark, destinationMark, flowLabel);
    }
    stream->m_releasedCallback = MakeCallback(&Transport::Forget, this);
    m_streams.emplace(id, stream);
    if (name)
    {
        const auto awaited = m_awaited.extract(*name);
        awaited ? awaited.mapped()(stream) : void(m_unaccepted[*name] = stream);
    }
    return stream;
}

std::vector<Ptr<Port>>
Transport::ListPorts(HostId source, HostId destination, uint32_t /* flowLabel */) const
{
    std::vector<Ptr<Port>> ports = m_fabric->ListPortsBetween(source, destination);
    const auto back = m_fabric->ListPortsBetween(destination, source);
    ports.insert(ports.end(), back.begin(), back.end());
    return ports;
}

void
Transport::Accept(const StreamName& name, AcceptCallback accepted)
{
    const auto open = m_unaccepted.extract(name);
    open ? accepted(open.mapped()) : void(m_awaited[name] = std::move(accepted));
}

void
Transport::Refuse(const StreamName& name)
{
    m_awaited.erase(name);
}

void
Transport::Forget(StreamId id)
{
    NS_LOG_FUNCTION(this << id);
    const auto stream = m_streams.find(id);
    m_closed += stream->second->GetCounters();
    m_streams.erase(stream);
    for (auto open = m_unaccepted.begin(); open != m_unaccepted.end();)
    {
        open = open->second->GetId() == id ? m_unaccepted.erase(open) : std::next(open);
    }
}

StreamCounters
Transport::GetCounters() const
{
    StreamCounters sum = m_closed;
    for (const auto& entry : m_streams)
    {
        sum += entry.second->GetCounters();
    }
    return sum;
}

} // namespace ns3::ddl
