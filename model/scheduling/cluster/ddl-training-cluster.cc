// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-training-cluster.h"

#include "ddl-job-observer.h"
#include "ddl-leaps.h"

#include "ns3/config.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-parameter-server-communication-pattern.h"
#include "ns3/ddl-ring-communication-pattern.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(TrainingCluster);

TrainingClusterParts::TrainingClusterParts() = default;
TrainingClusterParts::TrainingClusterParts(const TrainingClusterParts& other) = default;
TrainingClusterParts& TrainingClusterParts::operator=(const TrainingClusterParts& other) = default;
TrainingClusterParts::~TrainingClusterParts() = default;

TypeId
TrainingCluster::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::TrainingCluster")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddAttribute("TrainingCluster",
                          "The cluster itself: paths begin with /TrainingCluster",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetSelf),
                          MakePointerChecker<TrainingCluster>())
            .AddAttribute("Fabric",
                          "The network",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetFabric),
                          MakePointerChecker<Fabric>())
            .AddAttribute("Transport",
                          "What moves the bytes",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetTransport),
                          MakePointerChecker<Transport>())
            .AddAttribute("Coordinator",
                          "Runs the network scheduler",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetCoordinator),
                          MakePointerChecker<Coordinator>())
            .AddAttribute("JobManager",
                          "Launches and ends jobs",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetJobManager),
                          MakePointerChecker<JobManager>())
            .AddAttribute("JobObserver",
                          "Tells what happens to jobs, stages and cojobs",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingCluster::GetJobObserver),
                          MakePointerChecker<JobObserver>())
            .AddAttribute("Machines",
                          "The machines, in host order",
                          TypeId::ATTR_GET,
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&TrainingCluster::GetMachine,
                                                   &TrainingCluster::GetMachineCount),
                          MakeObjectVectorChecker<Machine>())
            .AddAttribute("Agents",
                          "The agents of the machines, in host order",
                          TypeId::ATTR_GET,
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&TrainingCluster::GetAgent,
                                                   &TrainingCluster::GetMachineCount),
                          MakeObjectVectorChecker<Agent>());
    return tid;
}

TrainingCluster::TrainingCluster(const TrainingClusterParts& parts)
    : m_parts(parts)
{
}

TrainingCluster::~TrainingCluster() = default;

void
TrainingCluster::DoDispose()
{
    Config::UnregisterRootNamespaceObject(this);
    if (m_parts.leaps)
    {
        m_parts.leaps->Dispose();
    }
    // Streams and applications release each other here, before the nodes are disposed of.
    for (const auto& agent : m_parts.agents)
    {
        agent->Dispose();
    }
    m_parts.observer->Dispose();
    m_parts.jobManager->Dispose();
    m_parts.coordinator->Dispose();
    m_parts.control->Dispose();
    m_parts.machines->Dispose();
    m_parts.transport->Dispose();
    m_parts.fabric->Dispose();
    m_parts = {};
    Object::DoDispose();
}

JobId
TrainingCluster::Submit(const JobSpec& job, const std::vector<uint64_t>& iterations, Time arrival)
{
    JobSpec numbered = job;
    numbered.id = job.id.value > 0 ? job.id : JobId{m_lastJob + 1};
    CojobSpec group = MakePlainJob(numbered, arrival, iterations);
    group.id = m_groups.count(group.id) > 0 ? CojobId() : group.id;
    Take(std::move(group), arrival);
    return numbered.id;
}

CojobId
TrainingCluster::Submit(const CojobSpec& cojob, Time arrival)
{
    return Take(cojob, arrival);
}

/** Fill in what was left out. \return the group's number */
CojobId
TrainingCluster::Take(CojobSpec group, Time arrival)
{
    std::vector<Diagnostic> diagnostics;
    group.submit = arrival;
    if (group.id.value == 0)
    {
        group.id = CojobId{m_groups.empty() ? 1 : m_groups.rbegin()->value + 1};
    }
    if (!group.search.IsTypeIdSet())
    {
        group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    }
    uint32_t lastJob = m_lastJob;
    for (auto& job : group.jobs)
    {
        job.id = job.id.value > 0 ? job.id : JobId{lastJob + 1};
        lastJob = std::max(lastJob, job.id.value);
        if (!job.pattern.IsTypeIdSet())
        {
            job.pattern.SetTypeId(job.servers > 0 ? ParameterServerCommunicationPattern::GetTypeId()
                                                  : RingCommunicationPattern::GetTypeId());
        }
        const std::string refusal = job.workers == 0
                                        ? "it has no worker"
                                        : job.pattern.Create<CommunicationPattern>()->Refuse(
                                              {job.workers, job.servers, job.model.bytes});
        if (!refusal.empty())
        {
            diagnostics.push_back({"", "", "job " + std::to_string(job.id.value) + ": " + refusal});
        }
    }
    if (std::count(group.iterations.begin(), group.iterations.end(), 0U) > 0)
    {
        diagnostics.push_back({"", "", "a stage has no iteration"});
    }
    if (arrival < Simulator::Now())
    {
        diagnostics.push_back({"", "", "the time of arrival is in the past"});
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    m_parts.jobManager->Submit({group});
    m_lastJob = lastJob;
    m_groups.insert(group.id);
    return group.id;
}

Ptr<Fabric>
TrainingCluster::GetFabric() const
{
    return m_parts.fabric;
}

Ptr<Transport>
TrainingCluster::GetTransport() const
{
    return m_parts.transport;
}

Ptr<Cluster>
TrainingCluster::GetMachines() const
{
    return m_parts.machines;
}

Ptr<Coordinator>
TrainingCluster::GetCoordinator() const
{
    return m_parts.coordinator;
}

Ptr<JobManager>
TrainingCluster::GetJobManager() const
{
    return m_parts.jobManager;
}

Ptr<JobObserver>
TrainingCluster::GetJobObserver() const
{
    return m_parts.observer;
}

Ptr<Machine>
TrainingCluster::GetMachine(uint32_t index) const
{
    return m_parts.machines->GetMachine(m_parts.agents.at(index)->GetHost());
}

Ptr<Agent>
TrainingCluster::GetAgent(uint32_t index) const
{
    return m_parts.agents.at(index);
}

} // namespace ns3::ddl
