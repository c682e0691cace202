// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-helper.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/ddl-agent.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-contention-model.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fabric-map.h"
#include "ns3/ddl-fair-share-network-scheduler.h"
#include "ns3/ddl-fifo-task-queue-policy.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-leaps.h"
#include "ns3/double.h"
#include "ns3/ipv4.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr int64_t REPORT_STREAM = 0x7265706f7274; // RNG stream of report phases alone

/** \return the cost of contention on a transport, by the slowest of the NICs */
ContentionModel
FindContentionModel(Ptr<Transport> transport, const std::vector<DataRate>& rates)
{
    StringValue congestionControl; // stays empty if the transport has none
    transport->GetAttributeFailSafe("CongestionControl", congestionControl);
    return GetCalibratedModel(GetShortName(Transport::GetTypeId(), transport->GetInstanceTypeId()),
                              congestionControl.Get(),
                              *std::min_element(rates.begin(), rates.end()));
}

/** \return the greatest number of queues of any switch port; 1 if there is no switch */
uint32_t
CountQueues(Ptr<Fabric> fabric)
{
    uint32_t queues = 1;
    for (const NamedPort& port : fabric->GetPorts())
    {
        queues = DynamicCast<SwitchPort>(port.device) ? std::max(queues, port.device->GetQueues())
                                                      : queues;
    }
    return queues;
}

/** \return default value of an attribute, which Config::SetDefault may have changed */
Ptr<const AttributeValue>
FindDefault(TypeId type, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(attribute, &info);
    return info.initialValue;
}

} // namespace

ClusterHelper::ClusterHelper()
    : ClusterHelper(Scenario().transport, Scenario().scheduling)
{
    m_scheduling.period =
        DynamicCast<const TimeValue>(FindDefault(Coordinator::GetTypeId(), "Period"))->Get();
    m_scheduling.controlAcks =
        DynamicCast<const BooleanValue>(FindDefault(Agent::GetTypeId(), "ControlAcks"))->Get();
    m_scheduling.commonPriorities =
        DynamicCast<const BooleanValue>(FindDefault(Coordinator::GetTypeId(), "CommonPriorities"))
            ->Get();
}

ClusterHelper::ClusterHelper(const ObjectFactory& transport, const SchedulingSpec& scheduling)
    : m_transport(transport),
      m_scheduling(scheduling)
{
}

void
ClusterHelper::Choose(ObjectFactory& factory, const char* family, const std::string& type)
{
    factory = ObjectFactory();
    factory.SetTypeId(FindPolicy(TypeId::LookupByName(family), type));
}

void
ClusterHelper::SetAttribute(ObjectFactory& factory,
                            const std::string& name,
                            const AttributeValue& value)
{
    const std::string problem = CheckAttribute(factory.GetTypeId(), name, value);
    if (!problem.empty())
    {
        throw InputError(name + ": " + problem);
    }
    factory.Set(name, value);
}

void
ClusterHelper::SetGpus(uint32_t gpus, const GpuType& type)
{
    m_machine = {1, gpus, type};
}

void
ClusterHelper::SetGpus(HostId host, uint32_t gpus, const GpuType& type)
{
    m_machines[host] = {1, gpus, type};
}

void
ClusterHelper::SetGpuMemory(uint64_t bytes)
{
    m_gpuMemory = bytes;
}

void
ClusterHelper::SetGpuMemory(HostId host, uint64_t bytes)
{
    m_gpuMemories[host] = bytes;
}

void
ClusterHelper::SetCoordinator(HostId host)
{
    m_scheduling.coordinator = host;
}

void
ClusterHelper::SetPeriod(Time period)
{
    m_scheduling.period = period;
}

void
ClusterHelper::SetControlAcks(bool isControl)
{
    m_scheduling.controlAcks = isControl;
}

void
ClusterHelper::SetCommonPriorities(bool isCommon)
{
    m_scheduling.commonPriorities = isCommon;
}

/** Check the settings. \throws InputError that lists why no cluster can be installed */
void
ClusterHelper::Check(Ptr<Fabric> fabric) const
{
    std::vector<Diagnostic> diagnostics;
    const auto report = [&diagnostics](const std::string& what) {
        diagnostics.push_back({"", "", what});
    };
    const uint32_t hosts = fabric->GetHosts();
    const std::string count = "; the fabric has " + std::to_string(hosts);
    const auto name = [](HostId host) { return "host " + std::to_string(host.value); };
    if (hosts == 0)
    {
        report("the fabric has no host: call Fabric::AddHost and Connect");
    }
    if (!fabric->IsRouted())
    {
        report("the fabric has no routes: call Fabric::ComputeRoutes");
    }
    if (hosts > 0 && !fabric->GetHost(HostId{0})->GetObject<Ipv4>())
    {
        report("the hosts have no IP stack: call Fabric::InstallStack");
    }
    if (m_scheduling.coordinator.value >= hosts)
    {
        report("the coordinator is on " + name(m_scheduling.coordinator) + count);
    }
    for (std::size_t i = 0; i < Config::GetRootNamespaceObjectN(); ++i)
    {
        if (DynamicCast<TrainingCluster>(Config::GetRootNamespaceObject(i)))
        {
            report("there is a training cluster already: Simulator::Destroy ends it");
        }
    }
    for (const auto& machine : m_machines)
    {
        if (machine.first.value >= hosts)
        {
            report("GPUs are on " + name(machine.first) + count);
        }
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
}

Ptr<TrainingCluster>
ClusterHelper::Install(Ptr<Fabric> fabric) const
{
    Check(fabric);
    TrainingClusterParts parts;
    parts.fabric = fabric;
    parts.transport = m_transport.Create<Transport>();
    parts.transport->Install(fabric);
    AddMachines(parts);
    AddControl(parts);
    AddJobManager(parts);
    auto cluster = CreateObject<TrainingCluster>(parts);
    Config::RegisterRootNamespaceObject(cluster);
    Simulator::ScheduleDestroy(&TrainingCluster::Dispose, cluster);
    return cluster;
}

void
ClusterHelper::AddMachines(TrainingClusterParts& parts) const
{
    parts.machines = CreateObject<Cluster>(parts.fabric);
    for (uint32_t host = 0; host < parts.fabric->GetHosts(); ++host)
    {
        const auto own = m_machines.find(HostId{host});
        const MachineGroup& machine = own == m_machines.end() ? m_machine : own->second;
        const auto memory = m_gpuMemories.find(HostId{host});
        parts.machines->AddMachine(HostId{host},
                                   machine.gpus,
                                   machine.gpuType,
                                   memory == m_gpuMemories.end() ? m_gpuMemory : memory->second);
        for (uint32_t gpu = 0; gpu < machine.gpus; ++gpu)
        {
            parts.taskQueues.push_back(m_scheduling.tasks.Create<TaskQueuePolicy>());
            parts.machines->GetGpu({HostId{host}, gpu})->SetQueuePolicy(parts.taskQueues.back());
        }
    }
}

void
ClusterHelper::AddControl(TrainingClusterParts& parts) const
{
    parts.scheduler = m_scheduling.network.Create<NetworkScheduler>();
    parts.control = m_scheduling.control.Create<ControlPlane>();
    parts.control->Install(parts.transport, m_scheduling.coordinator);
    const uint32_t queues = CountQueues(parts.fabric);
    const auto phases = CreateObject<UniformRandomVariable>(); // of machines' reports
    phases->SetStream(REPORT_STREAM);
    uint32_t most = std::max(queues, 2U); // the larger number of queues and bands
    for (const HostId host : parts.machines->GetHosts())
    {
        const uint32_t bands = parts.fabric->GetHostPort(host)->GetQueues();
        most = std::max(most, bands);
        auto agent = CreateObject<Agent>(parts.machines->GetMachine(host),
                                         parts.transport->On(host),
                                         parts.control->On(host));
        agent->SetAttribute("Bands", UintegerValue(bands));
        agent->SetAttribute("Queues", UintegerValue(queues));
        agent->SetAttribute("ControlAcks", BooleanValue(m_scheduling.controlAcks));
        agent->SetAttribute("ReportInterval", TimeValue(m_scheduling.reports));
        if (!m_scheduling.reports.IsZero())
        {
            const double phase = phases->GetValue(0, m_scheduling.reports.GetDouble());
            agent->SetAttribute("ReportPhase", TimeValue(TimeStep(static_cast<uint64_t>(phase))));
        }
        agent->SetScheduler(parts.scheduler);
        parts.agents.push_back(agent);
    }
    const auto rates = parts.fabric->GetHostRates();
    parts.coordinator = CreateObject<Coordinator>();
    parts.coordinator->SetAttribute("Period", TimeValue(m_scheduling.period));
    parts.coordinator->SetAttribute("LastPriority",
                                    UintegerValue(most - 1)); // queue 0 is for control
    // Transfers meet at switches; NICs only count where switches tell no data apart.
    parts.coordinator->SetAttribute("Levels", UintegerValue((queues > 2 ? queues : most) - 1));
    parts.coordinator->SetAttribute("CommonPriorities",
                                    BooleanValue(m_scheduling.commonPriorities));
    std::vector<uint32_t> servers;
    for (uint32_t host = 0; host < parts.fabric->GetHosts(); ++host)
    {
        servers.push_back(parts.fabric->GetPlace(HostId{host}).server);
    }
    parts.coordinator->Install(parts.scheduler, parts.control, rates, servers);
    parts.coordinator->SetMap(std::make_shared<FabricMap>(parts.fabric, parts.transport));
    parts.gate = m_scheduling.gate.Create<CommunicationGate>();
    parts.coordinator->GetGateKeeper().Install(parts.gate,
                                               parts.control,
                                               FindContentionModel(parts.transport, rates),
                                               parts.gate->WantsTraffic() ? LinkMap(*parts.fabric)
                                                                          : LinkMap());
}

void
ClusterHelper::AddJobManager(TrainingClusterParts& parts) const
{
    parts.jobQueue = m_scheduling.jobs.Create<JobQueuePolicy>();
    parts.placement = m_scheduling.placement.Create<PlacementPolicy>();
    parts.rounds = m_scheduling.rounds.Create<RoundScheduler>();
    parts.estimator = m_scheduling.estimator.Create<Estimator>();
    const auto scorer = m_scheduling.scorer.Create<PlacementScorer>();
    const bool isScored = scorer->CountCandidates() > 1;
    parts.observer = CreateObject<JobObserver>();
    parts.jobManager = CreateObject<JobManager>();
    parts.jobManager->SetAttribute("Lease", TimeValue(m_scheduling.lease));
    parts.jobManager->SetAttribute("MinRun", TimeValue(m_scheduling.minRun));
    parts.jobManager->SetAttribute("BatchWindow", TimeValue(m_scheduling.batchWindow));
    parts.jobManager->SetAttribute("Improve", TimeValue(m_scheduling.improve));
    parts.jobManager->Install({parts.machines,
                               parts.coordinator,
                               parts.jobQueue,
                               parts.placement,
                               m_scheduling.placement.Create<PlacementPolicy>(),
                               m_scheduling.switching,
                               PeekPointer(parts.observer),
                               parts.rounds,
                               parts.estimator,
                               m_scheduling.sharing,
                               isScored ? scorer : nullptr,
                               isScored ? LinkMap(*parts.fabric) : LinkMap()});
    parts.observer->Watch(parts.jobManager, parts.agents);
    if (m_leap)
    {
        parts.leaps = CreateObject<Leaps>();
        parts.leaps->SetAttribute("Tolerance", DoubleValue(m_leap->tolerance));
        parts.leaps->SetAttribute("Shared", DoubleValue(m_leap->shared));
        parts.leaps->SetAttribute("Guard", UintegerValue(m_leap->guard));
        parts.leaps->SetAttribute("Memo", BooleanValue(m_leap->memo));
        parts.leaps->SetAttribute("Error", DoubleValue(m_leap->error));
        const bool isFair =
            parts.scheduler->GetInstanceTypeId() == FairShareNetworkScheduler::GetTypeId();
        parts.leaps->Watch({parts.fabric,
                            parts.transport,
                            parts.agents,
                            parts.jobManager,
                            parts.observer,
                            isFair,
                            parts.scheduler->ChoosesPaths(),
                            m_scheduling.tasks.GetTypeId() == FifoTaskQueuePolicy::GetTypeId()});
    }
}

} // namespace ns3::ddl
