// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-simulation.h"

#include "ddl-scale.h"

#include "ns3/boolean.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-port-pcap.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <sys/resource.h>

namespace ns3
{
namespace ddl
{

namespace
{

volatile std::sig_atomic_t g_interrupted = 0; // the only thing that a signal handler may write

constexpr double REPORT_WALL_SECONDS = 0.05; //!< wanted between two reports
const Time FIRST_REPORT = MicroSeconds(10);  //!< simulated; the interval then finds its length

double
WallSeconds()
{
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double
ProcessCpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

uint64_t
PeakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

/** \return how many stages of all groups will run */
std::size_t
CountStages(const std::vector<CojobSpec>& groups)
{
    std::size_t stages = 0;
    for (const auto& group : groups)
    {
        const auto last = PlanLastStages(group);
        stages += *std::max_element(last.begin(), last.end());
    }
    return stages;
}

} // namespace

ClusterSimulation::ClusterSimulation(const Scenario& scenario)
    : m_scenario(ApplyScale(scenario)),
      m_recorder(scenario.output.iterations),
      m_stages(CountStages(m_scenario.workload.groups))
{
    g_interrupted = 0;
    RngSeedManager::SetSeed(m_scenario.seed);
    BuildNetwork();
    BuildMachines();
    BuildScheduling();
    StartBackground();
    m_manager->Submit(m_scenario.workload.groups);
}

ClusterSimulation::~ClusterSimulation()
{
    // Streams and apps let go of each other here; the simulator's own end finds nothing of ours.
    m_manager->Dispose();
    m_coordinator->Dispose();
    for (const auto& [host, agent] : m_agents)
    {
        agent->Dispose();
    }
    m_control->Dispose();
    m_cluster->Dispose();
    m_transport->Dispose();
    m_fabric->Dispose();
    Simulator::Destroy();
}

void
ClusterSimulation::BuildNetwork()
{
    ClusterSpec& cluster = m_scenario.cluster;
    cluster.topology.ecmpSeed = m_scenario.seed;
    m_fabric = BuildTopology(cluster.topology, cluster.ports, cluster.hosts);
    m_fabric->InstallStack();
    m_transport = m_scenario.transport.Create<Transport>();
    m_transport->Install(m_fabric);
    for (const auto& event : cluster.links)
    {
        m_fabric->ScheduleLinkUp(event.at, event.first, event.second, event.up);
    }
}

void
ClusterSimulation::BuildMachines()
{
    m_cluster = CreateObject<Cluster>(m_fabric);
    for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
    {
        m_cluster->AddMachine(HostId{host}, m_scenario.cluster.gpus, m_scenario.cluster.gpuType);
    }
}

void
ClusterSimulation::BuildScheduling()
{
    const SchedulingSpec& spec = m_scenario.scheduling;
    m_scheduler = spec.network.Create<NetworkScheduler>();
    m_control = spec.control.Create<ControlPlane>();
    m_control->Install(m_transport, spec.coordinator);
    for (const HostId host : m_cluster->GetHosts())
    {
        auto agent = CreateObject<Agent>(host, m_control);
        agent->SetAttribute("Bands", UintegerValue(m_scenario.cluster.hosts.bands));
        agent->SetAttribute("Queues", UintegerValue(m_scenario.cluster.ports.queues));
        agent->SetAttribute("ControlAcks", BooleanValue(spec.controlAcks));
        m_recorder.Watch(agent);
        m_agents[host] = agent;
    }
    m_coordinator = CreateObject<Coordinator>();
    m_coordinator->SetAttribute("Period", TimeValue(spec.period));
    const std::vector<DataRate> rates(m_fabric->GetHosts(), m_scenario.cluster.topology.hostRate);
    m_coordinator->Install(m_scheduler, m_control, rates);
    m_recorder.Watch(m_coordinator);

    m_manager = CreateObject<JobManager>();
    m_manager->Install({m_cluster,
                        m_transport,
                        m_coordinator,
                        m_agents,
                        spec.jobs.Create<JobQueuePolicy>(),
                        spec.placement.Create<PlacementPolicy>()});
    m_recorder.Watch(m_manager);
    m_manager->TraceConnectWithoutContext("AllDone",
                                          MakeCallback(static_cast<void (*)()>(&Simulator::Stop)));
}

void
ClusterSimulation::StartBackground()
{
    for (const auto& flow : m_scenario.workload.background)
    {
        StartBackgroundFlow(flow, m_fabric, m_transport);
    }
}

void
ClusterSimulation::EnablePcap(const std::string& folder)
{
    for (const NamedPort& port : m_fabric->GetPorts())
    {
        ddl::EnablePcap(folder + "/" + port.node + "-" + std::to_string(port.port) + "-" +
                            port.peer + ".pcap",
                        port.device);
    }
}

void
ClusterSimulation::SetReport(std::function<void(Time, std::size_t, std::size_t)> report)
{
    m_report = std::move(report);
}

void
ClusterSimulation::Interrupt()
{
    g_interrupted = 1;
    Simulator::Stop(); // sets a flag that the event loop looks at
}

RunResult
ClusterSimulation::Run()
{
    const double wall = WallSeconds();
    const double cpu = ProcessCpuSeconds();
    if (m_scenario.stop.time)
    {
        Simulator::Stop(*m_scenario.stop.time);
    }
    if (m_report)
    {
        Simulator::Schedule(FIRST_REPORT, &ClusterSimulation::Report, this, FIRST_REPORT, wall);
    }
    if (!m_scenario.stop.stall.IsZero())
    {
        Watch(GetWorkDone());
    }
    Simulator::Run();
    RunResult result = Collect();
    result.cpuSeconds = ProcessCpuSeconds() - cpu;
    result.wallSeconds = WallSeconds() - wall;
    return result;
}

void
ClusterSimulation::Report(Time interval, double lastWall)
{
    if (Simulator::IsFinished())
    {
        return; // nothing else is left to happen: do not keep the run alive
    }
    m_report(Simulator::Now(), m_recorder.GetStagesDone(), m_stages);
    const double wall = WallSeconds();
    if (wall - lastWall < REPORT_WALL_SECONDS / 2)
    {
        interval = interval * 2;
    }
    else if (wall - lastWall > REPORT_WALL_SECONDS * 2 && interval > FIRST_REPORT)
    {
        interval = interval / 2;
    }
    Simulator::Schedule(interval, &ClusterSimulation::Report, this, interval, wall);
}

uint64_t
ClusterSimulation::GetWorkDone() const
{
    const StreamCounters counters = m_transport->GetCounters();
    return counters.dataPackets - counters.retransmissions +
           static_cast<uint64_t>(m_cluster->GetBusyTime().GetTimeStep());
}

void
ClusterSimulation::Watch(uint64_t workBefore)
{
    const uint64_t work = GetWorkDone();
    if (work == workBefore && !Simulator::Now().IsZero())
    {
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(m_scenario.stop.stall, &ClusterSimulation::Watch, this, work);
}

RunResult
ClusterSimulation::Collect() const
{
    RunResult result = m_recorder.GetResult();
    result.end = Simulator::Now();
    for (const auto& job : m_manager->GetUnfinished())
    {
        result.unfinished.push_back({"job " + std::to_string(job.job.value), job.state});
    }
    result.status = g_interrupted               ? RunResult::Status::INTERRUPTED
                    : result.unfinished.empty() ? RunResult::Status::DONE
                                                : RunResult::Status::UNFINISHED;
    AddTotals(result);
    return result;
}

void
ClusterSimulation::AddTotals(RunResult& result) const
{
    result.ports = ReadPorts(m_fabric, std::max(result.end, NanoSeconds(1)));
    for (const auto& row : result.ports)
    {
        result.network.packetHops += row.packets;
        result.network.drops += row.dropped;
        result.network.marks += row.marked;
    }
    result.network.streams = m_transport->GetCounters();
    result.controlMessages = m_control->GetMessages();
    result.controlBytes = m_control->GetBytes();
    const double gpuSeconds = m_cluster->GetGpuCount() * result.makespan.GetSeconds();
    result.gpuUtilisation = gpuSeconds > 0 ? m_cluster->GetBusyTime().GetSeconds() / gpuSeconds : 0;
    result.events = Simulator::GetEventCount();
    result.schedulerCpuSeconds = m_scheduler->GetCpuSeconds();
    result.peakBytes = PeakBytes();
}

Ptr<Fabric>
ClusterSimulation::GetFabric() const
{
    return m_fabric;
}

Ptr<Cluster>
ClusterSimulation::GetCluster() const
{
    return m_cluster;
}

Ptr<Transport>
ClusterSimulation::GetTransport() const
{
    return m_transport;
}

Ptr<Coordinator>
ClusterSimulation::GetCoordinator() const
{
    return m_coordinator;
}

Ptr<JobManager>
ClusterSimulation::GetJobManager() const
{
    return m_manager;
}

} // namespace ddl
} // namespace ns3
