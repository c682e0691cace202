// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-in-band-control-plane.h"

#include "ns3/abort.h"
#include "ns3/ddl-transport.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(InBandControlPlane);

TypeId
InBandControlPlane::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::InBandControlPlane")
                            .SetParent<ControlPlane>()
                            .SetGroupName("Ddl")
                            .AddConstructor<InBandControlPlane>();
    return tid;
}

void
InBandControlPlane::DoDispose()
{
    for (const auto& [path, ends] : m_streams)
    {
        ends.receiving->SetReceiver(nullptr);
    }
    m_streams.clear();
    ControlPlane::DoDispose();
}

uint64_t
InBandControlPlane::DoSend(const Path& path, uint64_t bytes, const ControlMessage& message)
{
    Ends& ends = m_streams[path];
    if (!ends.sending)
    {
        Open(path, ends);
    }
    ends.transit.emplace_back(++m_sent, message);
    ends.sending->Send(bytes, {m_sent});
    return bytes;
}

void
InBandControlPlane::Open(const Path& path, Ends& ends)
{
    NS_ABORT_MSG_IF(!GetTransport(), "in-band control needs a transport");
    const bool toAgent = path.direction == Direction::TO_AGENT;
    const StreamName name{CONTROL_STREAMS,
                          static_cast<uint32_t>(path.direction),
                          path.source.value,
                          path.destination.value};
    ends.sending = GetTransport()
                       ->On(path.source)
                       ->Open(path.destination,
                              name,
                              CONTROL_MARK,
                              (toAgent ? path.destination : path.source).value);
    ends.receiving = GetTransport()->On(path.destination)->Accept(path.source, name, CONTROL_MARK);
    ends.receiving->SetReceiver([this, path, &ends](const MessageTag& tag) {
        if (ends.transit.empty() || ends.transit.front().first != tag.iteration)
        {
            return; // it was sent before the path was closed and opened again
        }
        const ControlMessage message = std::move(ends.transit.front().second);
        ends.transit.pop_front();
        Deliver(path, message); // which may close the path
    });
}

void
InBandControlPlane::DoClose(const Path& path)
{
    const auto ends = m_streams.extract(path);
    if (ends)
    {
        ends.mapped().sending->Close();
        ends.mapped().receiving->Close();
    }
}

} // namespace ns3::ddl
