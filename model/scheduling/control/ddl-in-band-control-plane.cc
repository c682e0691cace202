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
    m_toAgent.clear();
    m_toCoordinator.clear();
    ControlPlane::DoDispose();
}

uint64_t
InBandControlPlane::DoSend(HostId machine,
                           Direction direction,
                           uint64_t bytes,
                           Callback<void> delivered)
{
    NS_ABORT_MSG_IF(!GetTransport(), "in-band control needs a transport");
    const bool toAgent = direction == Direction::TO_AGENT;
    Ptr<MessageStream>& stream = (toAgent ? m_toAgent : m_toCoordinator)[machine];
    if (!stream)
    {
        const HostId source = toAgent ? GetCoordinator() : machine;
        const HostId destination = toAgent ? machine : GetCoordinator();
        stream =
            GetTransport()->Open(source, destination, CONTROL_MARK, CONTROL_MARK, machine.value);
    }
    stream->Send(bytes, delivered);
    return bytes;
}

} // namespace ns3::ddl
