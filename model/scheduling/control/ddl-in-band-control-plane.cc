// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-in-band-control-plane.h"

#include "ns3/abort.h"

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
    m_streams.clear();
    ControlPlane::DoDispose();
}

uint64_t
InBandControlPlane::DoSend(const Path& path, uint64_t bytes, Callback<void> delivered)
{
    NS_ABORT_MSG_IF(!GetTransport(), "in-band control needs a transport");
    Ptr<MessageStream>& stream = m_streams[path];
    if (!stream)
    {
        const bool toAgent = path.direction == Direction::TO_AGENT;
        stream = GetTransport()->Open(path.source,
                                      path.destination,
                                      CONTROL_MARK,
                                      CONTROL_MARK,
                                      (toAgent ? path.destination : path.source).value);
    }
    stream->Send(bytes, delivered);
    return bytes;
}

void
InBandControlPlane::DoClose(const Path& path)
{
    const auto stream = m_streams.find(path);
    if (stream != m_streams.end())
    {
        stream->second->Close();
        m_streams.erase(stream);
    }
}

} // namespace ns3::ddl
