// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/abort.h"
#include "ns3/ddl-transport.h"
#include "ns3/log.h"

#include <iterator>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlControlPlane");
NS_OBJECT_ENSURE_REGISTERED(ControlPlane);

TypeId
ControlPlane::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::ControlPlane").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

ControlPlane::ControlPlane() = default;

ControlPlane::~ControlPlane() = default;

Ptr<Transport>
ControlPlane::GetTransport() const
{
    return m_transport;
}

void
ControlPlane::DoDispose()
{
    m_transport = nullptr;
    m_agents.clear();
    m_coordinatorHandler = nullptr;
    m_joined.clear();
    Policy::DoDispose();
}

void
ControlPlane::Install(Ptr<Transport> transport, HostId coordinator)
{
    m_transport = transport;
    m_coordinator = coordinator;
}

ControlEnd::ControlEnd(Ptr<ControlPlane> plane, HostId machine)
    : m_plane(plane),
      m_machine(machine)
{
}

ControlEnd::~ControlEnd() = default;

ControlEnd::ControlEnd(const ControlEnd& other) = default;

void
ControlEnd::SetHandler(Handler handler)
{
    m_plane->SetAgentHandler(m_machine, std::move(handler));
}

void
ControlEnd::ToCoordinator(const ControlMessage& message)
{
    m_plane->ToCoordinator(m_machine, message);
}

void
ControlEnd::ToPeer(HostId destination, const ControlMessage& message)
{
    m_plane->ToPeer(m_machine, destination, message);
}

void
ControlEnd::Join(HostId destination)
{
    m_plane->Join(m_machine, destination);
}

void
ControlEnd::Leave(HostId destination)
{
    m_plane->Leave(m_machine, destination);
}

ControlEnd
ControlPlane::On(HostId machine)
{
    return {Ptr<ControlPlane>(this), machine};
}

void
ControlPlane::SetAgentHandler(HostId machine, AgentHandler handler)
{
    m_agents[machine] = std::move(handler);
}

void
ControlPlane::SetCoordinatorHandler(CoordinatorHandler handler)
{
    m_coordinatorHandler = std::move(handler);
}

void
ControlPlane::ToAgent(HostId machine, const ControlMessage& message)
{
    NS_ABORT_MSG_IF(m_agents.count(machine) == 0, "no agent on machine " << machine);
    Send({m_coordinator, machine, Direction::TO_AGENT}, message);
}

void
ControlPlane::ToCoordinator(HostId machine, const ControlMessage& message)
{
    NS_ABORT_MSG_IF(!m_coordinatorHandler, "no coordinator");
    Send({machine, m_coordinator, Direction::TO_COORDINATOR}, message);
}

void
ControlPlane::ToPeer(HostId source, HostId destination, const ControlMessage& message)
{
    const Path path{source, destination, Direction::BETWEEN_AGENTS};
    NS_ABORT_MSG_IF(m_joined.count(path) == 0,
                    "machine " << source << " writes to machine " << destination
                               << " without a path");
    Send(path, message);
}

void
ControlPlane::Join(HostId source, HostId destination)
{
    ++m_joined[{source, destination, Direction::BETWEEN_AGENTS}];
}

void
ControlPlane::Leave(HostId source, HostId destination)
{
    const auto joined = m_joined.find({source, destination, Direction::BETWEEN_AGENTS});
    NS_ABORT_MSG_IF(joined == m_joined.end(), "nobody has joined that path");
    if (--joined->second == 0)
    {
        DoClose(joined->first);
        m_joined.erase(joined);
    }
}

void
ControlPlane::SetUp(HostId machine, bool up)
{
    NS_LOG_FUNCTION(this << machine << up);
    NS_ABORT_MSG_IF(machine == m_coordinator, "the coordinator's machine does not fail");
    if (up)
    {
        m_down.erase(machine);
        return;
    }
    m_down.insert(machine);
    std::set<Path> lost{{m_coordinator, machine, Direction::TO_AGENT},
                        {machine, m_coordinator, Direction::TO_COORDINATOR}};
    for (auto joined = m_joined.begin(); joined != m_joined.end();)
    {
        const Path path = joined->first;
        const bool isSource = path.source == machine;
        if (isSource || path.destination == machine)
        {
            lost.insert(path);
        }
        joined = isSource ? m_joined.erase(joined) : std::next(joined);
    }
    for (const Path& path : lost)
    {
        DoClose(path);
    }
}

void
ControlPlane::Send(const Path& path, const ControlMessage& message)
{
    NS_LOG_FUNCTION(this << path.source << path.destination << message.index());
    if (m_down.count(path.source) > 0 || m_down.count(path.destination) > 0)
    {
        return;
    }
    const auto* report = std::get_if<WorkersReport>(&message);
    if (report && report->isForGate)
    {
        ++m_gateReports.messages;
        m_gateReports.bytes += GetWireBytes(message);
    }
    ++m_messages;
    m_bytes += DoSend(path, GetWireBytes(message), message);
}

void
ControlPlane::Deliver(const Path& path, const ControlMessage& message)
{
    if (path.direction == Direction::TO_COORDINATOR)
    {
        m_coordinatorHandler(path.source, message);
    }
    else
    {
        m_agents.at(path.destination)(message);
    }
}

} // namespace ns3::ddl
