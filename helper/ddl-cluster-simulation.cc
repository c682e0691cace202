// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-simulation.h"

#include "ddl-cluster-helper.h"

#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-leaps.h"
#include "ns3/ddl-none-estimator.h"
#include "ns3/ddl-port-pcap.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-run-recorder.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-series-recorder.h"
#include "ns3/ddl-stall-watch.h"
#include "ns3/ddl-summary.h"
#include "ns3/ddl-timeline-recorder.h"
#include "ns3/ddl-training-job.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <set>
#include <sys/resource.h>

namespace ns3::ddl
{

namespace
{

// The only objects that the signal handler reads or writes.
volatile std::sig_atomic_t g_interrupted = 0; //!< nonzero: the run is to end
volatile std::sig_atomic_t g_running = 0;     //!< nonzero: the simulator runs

/** While an object of it lives, g_running says that the simulator runs. */
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

/** Repeat a Stop of Interrupt(), since Simulator::Run forgets one that came before it. */
void
StopIfInterrupted()
{
    if (g_interrupted)
    {
        Simulator::Stop();
    }
}

constexpr double REPORT_WALL_SECONDS = 0.05; //!< wanted wall-clock time between two reports, s
const Time FIRST_REPORT = MicroSeconds(10);  //!< simulated; later reports adapt their interval

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

/** \return time of the last change that the scenario itself plans */
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
    for (const auto& failure : scenario.cluster.failures)
    {
        last = std::max(
            last,
            failure.at + std::max(failure.lasts.value_or(Time()), scenario.scheduling.detection));
    }
    return last;
}

/** \return what the job manager does not know of what jobs meet in the scenario */
RunSetting
FindSetting(const Scenario& scenario)
{
    RunSetting setting;
    setting.leaps = scenario.leap.has_value();
    setting.samples = scenario.fidelity == Fidelity::SAMPLED;
    setting.failures = !scenario.cluster.failures.empty();
    setting.estimates = scenario.scheduling.estimator.GetTypeId() != NoneEstimator::GetTypeId();
    return setting;
}

/** \throws InputError when rules for sharing GPUs need other settings */
void
CheckSharing(const Scenario& scenario)
{
    const SchedulingSpec& scheduling = scenario.scheduling;
    if (!scheduling.sharing.IsAny())
    {
        return;
    }
    std::vector<Diagnostic> complaints;
    const auto refuse = [&complaints](bool isWrong, const std::string& what) {
        if (isWrong)
        {
            complaints.push_back({"", "", what});
        }
    };
    refuse(GetLargestGpuMemory(scenario.cluster) == 0,
           "scheduler.share and scheduler.preSchedule need GPUs that are held by their memory "
           "(cluster.hosts.gpuMemory)");
    refuse(scheduling.sharing.light && !scheduling.estimator.Create<Estimator>()->IsAsked(),
           "scheduler.share needs to know how much of a GPU jobs use (scheduler.estimator)");
    refuse(!scheduling.lease.IsZero() || scheduling.jobs.Create<JobQueuePolicy>()->IsPreemptive(),
           "scheduler.share and scheduler.preSchedule need jobs that keep their GPUs "
           "(scheduler.lease 0s, a policy of scheduler.jobs that preempts nobody)");
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
}

/** Facts on a scenario's work that are known before it runs. */
struct Outlook
{
    std::size_t stages{0};        //!< stages of all groups, an estimate if there are many
    std::vector<JobSpec> ofTasks; //!< jobs that use rounds in the first groups
    Time input;                   //!< longest ModelProfile::input in the first groups
    uint64_t bytes{0};            //!< most bytes of a model in the first groups
    std::vector<Time> services;   //!< of the first groups, if the job queue policy wants them
};

/** \return the longest time for which all jobs may stand still while they are switched or prepare
 * input: no GPU works then, and no message of a job is under way */
Time
FindLongestPause(const Scenario& scenario, const Outlook& outlook)
{
    const SwitchSpec& switching = scenario.scheduling.switching;
    const auto gpus = static_cast<double>(CountGpus(scenario.cluster));
    const auto add = [gpus](const SwitchCost& cost) {
        return (cost.launch + cost.save + cost.finish).GetSeconds() +
               gpus * (cost.launchPerGpu.GetSeconds() + cost.savePerGpu.GetSeconds());
    };
    double seconds = add(switching.cost);
    for (const ModelSwitchCost& cost : switching.models)
    {
        seconds = std::max(seconds, add(cost));
    }
    if (switching.storage) // all jobs load or save at the same time, over the storage's link
    {
        seconds += gpus * switching.storage->ratio * static_cast<double>(outlook.bytes) * 8 /
                   static_cast<double>(scenario.cluster.topology.hostRate.GetBitRate());
    }
    seconds += (scenario.scheduling.reports + outlook.input).GetSeconds();
    return Seconds(std::min(seconds, GetLongestTime().GetSeconds()));
}

/** \return service of a group over all its stages, as a job queue policy sees it on arrival */
Time
GetService(const CojobSpec& group)
{
    const uint64_t iterations = CountIterations(group);
    Time service;
    for (const JobSpec& job : group.jobs)
    {
        const Time own = GetRemainingService(EstimateIteration(job), iterations);
        service = Min(service + own, Time::Max() / 2); // each is at most that, so sums fit
    }
    return service;
}

/** Look at the first groups. \throws InputError when the scenario asks what jobs of their kinds
 * cannot do */
Outlook
LookAhead(const Scenario& scenario)
{
    Outlook outlook;
    constexpr uint64_t MOST_JOBS = 20000;
    std::size_t written = 0; // stages of groups that are written out
    std::size_t given = 0;   // stages of groups of the generator or the trace
    std::size_t left = scenario.workload.groups.size();
    const RunSetting setting = FindSetting(scenario);
    std::vector<Diagnostic> refused; // each once
    std::set<std::string> said;
    const bool wantsServices = scenario.scheduling.jobs.Create<JobQueuePolicy>()->WantsServices();
    const double factor = VisitSample(scenario, MOST_JOBS, [&](const CojobSpec& group) {
        const auto last = PlanLastStages(group);
        (left > 0 ? written : given) += *std::max_element(last.begin(), last.end());
        left -= left > 0 ? 1 : 0;
        for (const Diagnostic& each : CheckKinds(group, setting))
        {
            if (said.insert(each.what).second)
            {
                refused.push_back(each);
            }
        }
        for (const JobSpec& job : group.jobs)
        {
            outlook.input = std::max(outlook.input, job.model.input);
            outlook.bytes = std::max(outlook.bytes, job.model.bytes);
        }
        if (wantsServices)
        {
            outlook.services.push_back(GetService(group));
        }
        std::copy_if(group.jobs.begin(),
                     group.jobs.end(),
                     std::back_inserter(outlook.ofTasks),
                     [](const JobSpec& job) { return TrainingJob::Of(job.kind)->UsesRounds(); });
    });
    if (!refused.empty())
    {
        throw InputError(refused);
    }
    CheckSharing(scenario);
    outlook.stages = written + static_cast<std::size_t>(factor * static_cast<double>(given));
    return outlook;
}

uint64_t
PeakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

/** \return a training cluster on the scenario's topology */
Ptr<TrainingCluster>
Build(const Scenario& scenario)
{
    const ClusterSpec& spec = scenario.cluster;
    TopologySpec topology = spec.topology;
    topology.ecmpSeed = GetSeed(scenario);
    const auto fabric = BuildTopology(topology, spec.ports, spec.hosts);
    fabric->InstallStack();
    ClusterHelper helper(ChooseTransport(scenario), scenario.scheduling);
    helper.SetGpus(0); // default: none
    HostId host;
    for (const MachineGroup& machine : ListMachines(spec))
    {
        helper.SetGpus(host, machine.gpus, machine.gpuType);
        helper.SetGpuMemory(host, machine.gpuMemory);
        ++host.value;
    }
    if (scenario.leap)
    {
        helper.SetLeaps(*scenario.leap);
    }
    return helper.Install(fabric);
}

} // namespace

struct ClusterSimulation::Impl
{
    explicit Impl(const Scenario& given);

    RunResult Collect();
    void FinishFiles(RunResult& result);
    /** If both are wanted, add the series to the timeline as counters. */
    void ShowSeriesOnTimeline();
    std::string ExplainEnd() const;
    void Report(Time interval, double lastWall);

    ScaleSpec scale;   //!< scale as given
    Scenario scenario; //!< scenario with the scale applied
    SeedGuard seed;
    Outlook outlook;
    Ptr<TrainingCluster> cluster;
    ServerFailures failures;
    RunRecorder recorder;
    StallWatch watch;
    std::unique_ptr<SeriesRecorder> series;     //!< writes the series; null: not wanted
    std::unique_ptr<TimelineRecorder> timeline; //!< writes the timeline; null: not wanted
    std::vector<PortCapture> captures;
    uint64_t reports{0}; //!< number of calls of report
    std::function<void(Time, std::size_t, std::size_t)> report;
};

namespace
{

/** \return the scenario with a seed: its own, or that of RngSeedManager */
Scenario
WithSeed(Scenario scenario)
{
    scenario.seed = GetSeed(scenario);
    return scenario;
}

} // namespace

ClusterSimulation::Impl::Impl(const Scenario& given)
    : scale(given.scale),
      scenario(WithSeed(ApplyScale(given))),
      seed(*scenario.seed),
      outlook(LookAhead(scenario)),
      cluster(Build(scenario)),
      failures({cluster->GetFabric(),
                cluster->GetParts().agents,
                cluster->GetParts().control,
                cluster->GetCoordinator(),
                scenario.scheduling.detection,
                scenario.scheduling.switching.storage
                    ? std::make_optional(scenario.scheduling.switching.storage->host)
                    : std::nullopt}),
      recorder(cluster, scenario.output.tables, *scenario.seed),
      watch(scenario.stop.stall.IsZero()
                ? GetLongestTime()
                : std::min(scenario.stop.stall + FindLongestPause(scenario, outlook),
                           GetLongestTime()),
            FindLastPlanned(scenario))
{
    const TrainingClusterParts& parts = cluster->GetParts();
    for (const auto& event : scenario.cluster.links)
    {
        parts.fabric->ScheduleLinkUp(event.at, event.first, event.second, event.up);
        if (parts.leaps)
        {
            Simulator::Schedule(event.at, &Leaps::WakeAll, parts.leaps);
        }
    }
    for (const auto& failure : scenario.cluster.failures)
    {
        failures.Schedule(failure);
    }
    uint32_t flowLabel = 0;
    for (const auto& flow : scenario.workload.background)
    {
        StartBackgroundFlow(flow, parts.fabric, parts.transport, flowLabel++);
        if (parts.leaps)
        {
            parts.leaps->AddTraffic(flow.source, flow.destination);
        }
    }
    parts.jobManager->TraceConnectWithoutContext(
        "AllDone",
        MakeCallback(static_cast<void (*)()>(&Simulator::Stop)));
    if (!outlook.ofTasks.empty())
    {
        parts.jobManager->Expect(outlook.ofTasks);
    }
    if (!outlook.services.empty())
    {
        parts.jobQueue->NoteServices(outlook.services);
    }
    parts.jobManager->Submit(scenario.workload.groups);
    if (auto source = MakeCojobSource(scenario.workload))
    {
        parts.jobManager->SetSource(std::move(source));
    }
}

ClusterSimulation::ClusterSimulation(const Scenario& scenario)
    : m_impl(std::make_unique<Impl>(scenario))
{
}

ClusterSimulation::~ClusterSimulation()
{
    m_impl->watch.Forget();
    m_impl->cluster->Dispose();
    Simulator::Destroy();
}

void
ClusterSimulation::EnablePcap(const std::string& folder)
{
    for (const NamedPort& port : m_impl->cluster->GetFabric()->GetPorts())
    {
        const std::string name =
            folder + "/" + port.node + "-" + std::to_string(port.port) + "-" + port.peer;
        PortCapture capture = ddl::EnablePcap(name, port.device);
        std::filesystem::rename(capture.name, name + ".pcap"); // without ns-3's device numbers
        capture.name = name + ".pcap";
        m_impl->captures.push_back(capture);
    }
}

void
ClusterSimulation::EnableRows(const std::string& folder)
{
    m_impl->recorder.EnableFiles(folder);
}

void
ClusterSimulation::Impl::ShowSeriesOnTimeline()
{
    if (series && timeline)
    {
        series->SetListener([this](Time begin, Time end, const std::vector<SeriesRow>& rows) {
            timeline->AddCounters(begin, end, rows);
        });
    }
}

void
ClusterSimulation::EnableSeries(const std::string& file, Time interval)
{
    m_impl->series = std::make_unique<SeriesRecorder>(file, interval, m_impl->cluster);
    m_impl->ShowSeriesOnTimeline();
}

void
ClusterSimulation::EnableTimeline(const std::string& file)
{
    m_impl->timeline = std::make_unique<TimelineRecorder>(file);
    m_impl->timeline->Watch(m_impl->cluster->GetMachines());
    m_impl->timeline->Watch(m_impl->cluster->GetJobObserver());
    m_impl->ShowSeriesOnTimeline();
}

void
ClusterSimulation::SetReport(std::function<void(Time, std::size_t, std::size_t)> report)
{
    m_impl->report = std::move(report);
}

void
ClusterSimulation::WriteResults(const std::string& folder, const RunResult& result) const
{
    RunIdentity identity;
    identity.name = m_impl->scenario.name;
    identity.seed = GetSeed(m_impl->scenario);
    identity.modelScale = m_impl->scale.model;
    identity.iterationScale = m_impl->scale.iterations;
    ddl::WriteResults(folder, identity, result);
}

void
ClusterSimulation::Interrupt()
{
    g_interrupted = 1;
    if (g_running)
    {
        Simulator::Stop(); // only sets a flag, which the event loop reads
    }
}

Ptr<TrainingCluster>
ClusterSimulation::GetTrainingCluster() const
{
    return m_impl->cluster;
}

RunResult
ClusterSimulation::Run()
{
    const double wall = WallSeconds();
    const double cpu = ProcessCpuSeconds();
    if (m_impl->scenario.stop.time)
    {
        Simulator::Stop(*m_impl->scenario.stop.time);
    }
    if (m_impl->report)
    {
        Simulator::Schedule(FIRST_REPORT, &Impl::Report, m_impl.get(), FIRST_REPORT, wall);
    }
    m_impl->watch.Start(m_impl->cluster->GetMachines(),
                        m_impl->cluster->GetJobManager(),
                        m_impl->cluster->GetJobObserver());
    const RunningMark mark;
    Simulator::ScheduleNow(&StopIfInterrupted);
    Simulator::Run();
    RunResult result = m_impl->Collect();
    result.cpuSeconds = ProcessCpuSeconds() - cpu;
    result.wallSeconds = WallSeconds() - wall;
    return result;
}

void
ClusterSimulation::Impl::Report(Time interval, double lastWall)
{
    ++reports;
    report(Simulator::Now(), recorder.GetStagesDone(), outlook.stages);
    const double wall = WallSeconds();
    if (wall - lastWall < REPORT_WALL_SECONDS / 2)
    {
        interval = interval * 2;
    }
    else if (wall - lastWall > REPORT_WALL_SECONDS * 2 && interval > FIRST_REPORT)
    {
        interval = interval / 2;
    }
    Simulator::Schedule(interval, &Impl::Report, this, interval, wall);
}

RunResult
ClusterSimulation::Impl::Collect()
{
    RunResult result = recorder.TakeResult();
    result.events -= reports + (series ? series->GetEvents() : 0);
    result.peakBytes = PeakBytes();
    if (g_interrupted)
    {
        result.status = RunResult::Status::INTERRUPTED;
    }
    else if (!result.unfinished.empty())
    {
        result.reason = ExplainEnd();
    }
    FinishFiles(result);
    return result;
}

std::string
ClusterSimulation::Impl::ExplainEnd() const
{
    if (recorder.HasFailed())
    {
        return "its rows could not be written";
    }
    if (watch.HasFired())
    {
        const auto held = cluster->GetCoordinator()->GetGateKeeper().GetWaiting();
        const bool isLonger = watch.GetPatience() > scenario.stop.stall;
        return "no job moved for " + FormatDuration(watch.GetPatience()) + " (stop.stall" +
               (isLonger ? ", and as long as switching and input may take)" : ")") +
               (held > 0 ? "; the gate holds back " + std::to_string(held) +
                               (held > 1 ? " jobs" : " job") + " (scheduler.gate)"
                         : "");
    }
    return scenario.stop.time ? "the simulated time was up (stop.time)" : "";
}

/** Complete the files. An error becomes a failure of the result, so that other results are kept. */
void
ClusterSimulation::Impl::FinishFiles(RunResult& result)
{
    const auto finish = [&result](const std::string& what, const auto& file) {
        try
        {
            file();
        }
        catch (const RunError& error)
        {
            result.failures.push_back({what, error.what()});
        }
    };
    finish("rows", [this] { recorder.FinishFiles(); });
    if (series)
    {
        finish("series", [this] { series->Finish(); });
    }
    if (timeline)
    {
        finish("timeline", [this] { timeline->Finish(); });
    }
    for (const auto& capture : captures)
    {
        finish("capture", [&capture] {
            capture.file->Close(); // writes what is still in the buffer
            if (capture.file->Fail())
            {
                throw RunError("cannot write all packets to \"" + capture.name + "\"");
            }
        });
    }
}

} // namespace ns3::ddl
