// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/abort.h"
#include "ns3/log.h"

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

void
ControlPlane::DoDispose()
{
    m_transport = nullptr;
    m_agents.clear();
    m_coordinatorHandler = nullptr;
    m_contents.clear();
    Policy::DoDispose();
}

void
ControlPlane::Install(Ptr<Transport> transport, HostId coordinator)
{
    m_transport = transport;
    m_coordinator = coordinator;
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
    m_contents[machine].toAgent.push_back(message);
    Send(machine, Direction::TO_AGENT, message);
}

void
ControlPlane::ToCoordinator(HostId machine, const ControlMessage& message)
{
    NS_ABORT_MSG_IF(!m_coordinatorHandler, "no coordinator");
    m_contents[machine].toCoordinator.push_back(message);
    Send(machine, Direction::TO_COORDINATOR, message);
}

void
ControlPlane::Send(HostId machine, Direction direction, const ControlMessage& message)
{
    NS_LOG_FUNCTION(this << machine << static_cast<int>(direction) << message.index());
    ++m_messages;
    m_bytes += DoSend(machine,
                      direction,
                      GetWireBytes(message),
                      MakeBoundCallback(&ControlPlane::Deliver, this, machine.value, direction));
}

void
ControlPlane::Deliver(ControlPlane* plane, uint32_t machine, Direction direction)
{
    const HostId host{machine};
    const auto contents = plane->m_contents.find(host);
    if (contents == plane->m_contents.end())
    {
        return; // disposed of while bytes were under way
    }
    const bool toAgent = direction == Direction::TO_AGENT;
    auto& queue = toAgent ? contents->second.toAgent : contents->second.toCoordinator;
    NS_ABORT_MSG_IF(queue.empty(), "control bytes without contents at machine " << machine);
    const ControlMessage message = std::move(queue.front());
    queue.pop_front();
    if (toAgent)
    {
        plane->m_agents.at(host)(message);
    }
    else
    {
        plane->m_coordinatorHandler(host, message);
    }
}

} // namespace ns3::ddl
