// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-server-failures.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fabric.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlServerFailures");

ServerFailures::ServerFailures(const Parts& parts)
    : m_parts(parts)
{
    for (const auto& agent : m_parts.agents)
    {
        m_servers[m_parts.fabric->GetPlace(agent->GetHost()).server].agents.push_back(agent);
    }
}

ServerFailures::~ServerFailures()
{
    for (EventId& event : m_events)
    {
        event.Cancel();
    }
}

void
ServerFailures::Schedule(const ServerFailure& failure)
{
    const auto server = m_servers.find(failure.server);
    const std::string name = "server " + std::to_string(failure.server);
    if (server == m_servers.end())
    {
        throw InputError("there is no " + name);
    }
    for (const auto& agent : server->second.agents)
    {
        if (agent->GetHost() == m_parts.plane->GetCoordinator())
        {
            throw InputError(name + " cannot fail: the coordinator runs there");
        }
        if (agent->GetHost() == m_parts.storage)
        {
            throw InputError(name + " cannot fail: checkpoints are kept there");
        }
    }
    const Time delay = failure.at - Simulator::Now();
    m_events.push_back(Simulator::Schedule(delay, &ServerFailures::Fail, this, failure.server));
    if (failure.lasts)
    {
        m_events.push_back(Simulator::Schedule(delay + *failure.lasts,
                                               &ServerFailures::Return,
                                               this,
                                               failure.server));
    }
}

void
ServerFailures::Fail(uint32_t server)
{
    NS_LOG_FUNCTION(this << server);
    if (m_servers.at(server).down++ > 0)
    {
        return;
    }
    SetLinks(server, false);
    for (const auto& agent : m_servers.at(server).agents)
    {
        agent->Fail();
        m_parts.plane->SetUp(agent->GetHost(), false);
    }
    const uint64_t failure = ++m_servers.at(server).last;
    m_events.push_back(ClusterClock::Schedule(m_parts.detection,
                                              &ServerFailures::NoteSilence,
                                              this,
                                              server,
                                              failure));
}

void
ServerFailures::Return(uint32_t server)
{
    NS_LOG_FUNCTION(this << server);
    if (--m_servers.at(server).down > 0)
    {
        return;
    }
    SetLinks(server, true);
    for (const auto& agent : m_servers.at(server).agents)
    {
        m_parts.plane->SetUp(agent->GetHost(), true);
    }
    m_servers.at(server).agents.front()->Return(ListMachines(server));
}

void
ServerFailures::SetLinks(uint32_t server, bool up)
{
    for (uint32_t link = 0; link < m_parts.fabric->GetLinks(); ++link)
    {
        const Ptr<Link> cable = m_parts.fabric->GetLink(link);
        for (const auto& agent : m_servers.at(server).agents)
        {
            const Ptr<Node> host = m_parts.fabric->GetHost(agent->GetHost());
            if (cable->GetPort(0)->GetNode() == host || cable->GetPort(1)->GetNode() == host)
            {
                m_parts.fabric->SetLinkUp(link, up);
            }
        }
    }
}

/** The coordinator learns that the server is silent, unless the failure of that number is over. */
void
ServerFailures::NoteSilence(uint32_t server, uint64_t failure)
{
    if (m_servers.at(server).down > 0 && m_servers.at(server).last == failure)
    {
        m_parts.coordinator->NoteFailed(ListMachines(server));
    }
}

std::vector<HostId>
ServerFailures::ListMachines(uint32_t server) const
{
    std::vector<HostId> machines;
    for (const auto& agent : m_servers.at(server).agents)
    {
        machines.push_back(agent->GetHost());
    }
    return machines;
}

} // namespace ns3::ddl
