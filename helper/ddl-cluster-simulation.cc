// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-simulation.h"

#include "ddl-scenario.h"

#include "ns3/boolean.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>

namespace ns3
{
namespace ddl
{

namespace
{

// The only things that a signal handler may touch.
volatile std::sig_atomic_t g_interrupted = 0; //!< the run shall end
volatile std::sig_atomic_t g_running = 0;     //!< there is a simulator, and it runs

/** The simulator runs while one of these lives. */
struct RunningMark
{
    RunningMark()
    {
        g_running = 1;
    }

    ~RunningMark()
    {
        g_running = 0;
        g_interrupted = 0;
    }
};

/** Simulator::Run forgets a Stop that came before it. */
void
StopIfInterrupted()
{
    if (g_interrupted)
    {
        Simulator::Stop();
    }
}

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

/** \return when the last thing happens that the scenario itself brings about */
Time
FindLastPlanned(const Scenario& scenario)
{
    Time last;
    for (const auto& group : scenario.workload.groups)
    {
        last = std::max(last, group.submit);
    }
    for (const auto& flow : scenario.workload.background)
    {
        last = std::max({last, flow.start, flow.stop});
    }
    for (const auto& event : scenario.cluster.links)
    {
        last = std::max(last, event.at);
    }
    return last;
}

/** \return how many stages of all groups will run, to tell progress: about, where there are many */
std::size_t
CountStages(const Scenario& scenario)
{
    constexpr uint64_t MOST_GROUPS = 20000;
    std::size_t written = 0; // stages of groups that are written out
    std::size_t given = 0;   // by the generator or the trace
    std::size_t left = scenario.workload.groups.size();
    const double factor = VisitSample(scenario, MOST_GROUPS, [&](const CojobSpec& group) {
        const auto last = PlanLastStages(group);
        (left > 0 ? written : given) += *std::max_element(last.begin(), last.end());
        left -= left > 0 ? 1 : 0;
    });
    return written + static_cast<std::size_t>(factor * static_cast<double>(given));
}

} // namespace

ClusterSimulation::ClusterSimulation(const Scenario& scenario)
    : m_scenario(ApplyScale(scenario)),
      m_recorder(scenario.output.iterations || scenario.output.coflows),
      m_watch(m_scenario.stop.stall.IsZero() ? GetLongestTime() : m_scenario.stop.stall,
              FindLastPlanned(m_scenario)),
      m_stages(CountStages(m_scenario))
{
    RngSeedManager::SetSeed(m_scenario.seed);
    BuildNetwork();
    BuildMachines();
    BuildScheduling();
    StartBackground();
    m_manager->Submit(m_scenario.workload.groups);
    if (auto source = MakeCojobSource(m_scenario.workload))
    {
        m_manager->SetSource(std::move(source));
    }
}

ClusterSimulation::~ClusterSimulation()
{
    // Streams and apps let go of each other here; the simulator's own end finds nothing of ours.
    m_manager->Dispose();
    m_watch.Forget();
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
    uint32_t host = 0;
    for (const MachineGroup& machine : ListMachines(m_scenario.cluster))
    {
        m_cluster->AddMachine(HostId{host},
                              machine.gpus,
                              machine.gpuType,
                              m_scenario.cluster.gpuMemory);
        for (uint32_t gpu = 0; gpu < machine.gpus; ++gpu)
        {
            m_tasks.push_back(m_scenario.scheduling.tasks.Create<TaskQueuePolicy>());
            m_cluster->GetGpu({HostId{host}, gpu})->SetQueuePolicy(m_tasks.back());
        }
        ++host;
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
        agent->SetScheduler(m_scheduler);
        m_recorder.Watch(agent);
        m_agents[host] = agent;
    }
    m_coordinator = CreateObject<Coordinator>();
    m_coordinator->SetAttribute("Period", TimeValue(spec.period));
    const uint32_t queues =
        std::max({m_scenario.cluster.hosts.bands, m_scenario.cluster.ports.queues, 2U});
    m_coordinator->SetAttribute("LastRank", UintegerValue(queues - 1)); // queue 0 is for control
    const std::vector<DataRate> rates(m_fabric->GetHosts(), m_scenario.cluster.topology.hostRate);
    m_coordinator->Install(m_scheduler, m_control, rates);
    m_gate = spec.gate.Create<CommunicationGate>();
    m_coordinator->GetGateKeeper().Install(m_gate, m_control, FindContentionModel());
    m_recorder.Watch(m_coordinator);

    m_jobQueue = spec.jobs.Create<JobQueuePolicy>();
    m_placement = spec.placement.Create<PlacementPolicy>();
    m_manager = CreateObject<JobManager>();
    m_manager->Install({m_cluster,
                        m_transport,
                        m_coordinator,
                        m_agents,
                        m_jobQueue,
                        m_placement,
                        spec.placement.Create<PlacementPolicy>()});
    m_recorder.Watch(m_manager);
    m_bound.Watch(m_manager, rates);
    m_manager->TraceConnectWithoutContext("AllDone",
                                          MakeCallback(static_cast<void (*)()>(&Simulator::Stop)));
}

ContentionModel
ClusterSimulation::FindContentionModel() const
{
    StringValue congestionControl; // stays empty for a transport that has none
    m_transport->GetAttributeFailSafe("CongestionControl", congestionControl);
    return GetCalibratedModel(
        GetShortName(Transport::GetTypeId(), m_transport->GetInstanceTypeId()),
        congestionControl.Get(),
        m_scenario.cluster.topology.hostRate);
}

void
ClusterSimulation::StartBackground()
{
    uint32_t flowLabel = 0;
    for (const auto& flow : m_scenario.workload.background)
    {
        StartBackgroundFlow(flow, m_fabric, m_transport, flowLabel++);
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
    if (g_running)
    {
        Simulator::Stop(); // sets a flag that the event loop looks at
    }
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
    m_watch.Start(m_cluster, m_manager);
    const RunningMark mark;
    Simulator::ScheduleNow(&StopIfInterrupted);
    Simulator::Run();
    RunResult result = Collect(g_interrupted != 0);
    result.cpuSeconds = ProcessCpuSeconds() - cpu;
    result.wallSeconds = WallSeconds() - wall;
    return result;
}

void
ClusterSimulation::Report(Time interval, double lastWall)
{
    ++m_reports;
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

} // namespace ddl
} // namespace ns3
