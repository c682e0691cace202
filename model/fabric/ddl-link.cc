// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-link.h"

#include "ddl-port.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Link);

TypeId
Link::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Link")
                            .SetParent<Channel>()
                            .SetGroupName("Ddl")
                            .AddConstructor<Link>()
                            .AddTraceSource("Up",
                                            "The link fell (false) or came back (true). Routes "
                                            "are repaired after this.",
                                            MakeTraceSourceAccessor(&Link::m_upTrace),
                                            "ns3::ddl::Link::UpTracedCallback");
    return tid;
}

Link::Link() = default;
Link::~Link() = default;

void
Link::Connect(Ptr<Port> a, Ptr<Port> b, Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        throw InputError("the delay of a link cannot be negative");
    }
    NS_ABORT_MSG_UNLESS(a->GetNode() && b->GetNode(), "a port is added to its node before a link");
    m_ports = {a, b};
    for (uint32_t end = 0; end < 2; ++end)
    {
        m_wires[end] = m_ports[1 - end]->MakeIncoming(delay);
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        m_ports[end]->Attach(this, end, m_wires[end]);
    }
}

void
Link::SetUp(bool up)
{
    if (up == m_up)
    {
        return;
    }
    m_up = up;
    for (const auto& port : m_ports)
    {
        port->SetLinkUp(up);
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        LoseInFlight(end);
        m_ports[end]->NotifyLinkChange();
    }
    m_upTrace(up);
}

void
Link::LoseInFlight(uint32_t end)
{
    while (Frame* frame = m_wires[end]->Lose())
    {
        m_ports[end]->LoseOnWire(frame);
    }
}

PacketCount
Link::CountInFlight(uint32_t end) const
{
    return m_wires.at(end)->CountInFlight();
}

Time
Link::GetDelay() const
{
    return m_wires[0]->GetDelay();
}

Ptr<Port>
Link::GetPort(uint32_t end) const
{
    return m_ports.at(end);
}

std::size_t
Link::GetNDevices() const
{
    return m_ports[0] ? 2 : 0;
}

Ptr<NetDevice>
Link::GetDevice(std::size_t i) const
{
    return m_ports.at(i);
}

void
Link::DoDispose()
{
    for (const auto& wire : m_wires)
    {
        if (wire)
        {
            wire->Close();
        }
    }
    m_wires = {};
    m_ports = {};
    Channel::DoDispose();
}

} // namespace ns3::ddl
