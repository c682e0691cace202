// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-recorder.h"

#include "ddl-bound-recorder.h"
#include "ddl-graph-recorder.h"
#include "ddl-path-recorder.h"
#include "ddl-result-tables.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-leaps.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

/** Fill a row with what a port has counted of its packets. */
void
FillFromPackets(const Port& port, Time duration, PortRow& row)
{
    const QueueCounters counters = port.GetCounters(row.queue);
    row.packets = counters.packets;
    row.bytes = counters.bytes;
    row.dropped = counters.dropped;
    row.marked = counters.marked;
    row.maxBacklogBytes = counters.maxBacklogBytes;
    row.utilisation = port.GetBusyTime(row.queue).GetSeconds() / duration.GetSeconds();
}

bool
HasTraffic(const PortRow& row)
{
    return row.bytes > 0 || row.dropped > 0 || row.maxBacklogBytes > 0;
}

void
FillFromTraffic(const QueueTraffic& traffic, Time duration, PortRow& row)
{
    row.bytes = static_cast<uint64_t>(std::llround(traffic.bytes));
    row.utilisation = traffic.busy.GetSeconds() / duration.GetSeconds();
}

/** \return one row per queue of each port; counters of packets are empty in transports without */
std::vector<PortRow>
ReadPorts(Ptr<Fabric> fabric, Ptr<Transport> transport, Time duration)
{
    std::vector<PortRow> rows;
    for (const NamedPort& port : fabric->GetPorts())
    {
        for (uint32_t queue = 0; queue < port.device->GetQueues(); ++queue)
        {
            PortRow row;
            row.node = port.node;
            row.port = port.port;
            row.peer = port.peer;
            row.queue = queue;
            row.rate = port.device->GetDataRate();
            transport->HasPackets()
                ? FillFromPackets(*port.device, duration, row)
                : FillFromTraffic(transport->GetTraffic(port.device, queue), duration, row);
            if (queue < MAX_QUEUES || HasTraffic(row)) // an ideal port has many unused queues
            {
                rows.push_back(row);
            }
        }
    }
    return rows;
}

/** \return number of pauses that the ports of all switches have asked for */
uint64_t
CountPauses(Ptr<Fabric> fabric)
{
    uint64_t pauses = 0;
    for (const auto& port : fabric->GetPorts())
    {
        const auto device = DynamicCast<SwitchPort>(port.device);
        pauses += device ? device->GetPauses() : 0;
    }
    return pauses;
}

double
SumCpuSeconds(const std::vector<Ptr<TaskQueuePolicy>>& policies)
{
    double seconds = 0;
    for (const auto& policy : policies)
    {
        seconds += policy->GetCpuSeconds();
    }
    return seconds;
}

/** \return whether jobs may share a GPU: GPUs then have memory sizes */
bool
AreGpusShared(Ptr<const Cluster> machines)
{
    const ClusterView view = machines->GetView();
    return std::any_of(view.machines.begin(), view.machines.end(), [](const auto& machine) {
        return !machine.gpus.empty() && machine.gpus.front().memory > 0;
    });
}

NetworkTotals
SumPackets(const std::vector<PortRow>& ports)
{
    NetworkTotals totals;
    for (const auto& row : ports)
    {
        totals.packetHops += row.packets.value_or(0);
        totals.marks += row.marked.value_or(0);
    }
    return totals;
}

/** Append the gaps between trainings. \param trainings the trainings on one GPU \param gaps the
 * gaps, seconds */
void
AddGaps(std::vector<TrainingSpan> trainings, std::vector<double>& gaps)
{
    std::sort(trainings.begin(), trainings.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    });
    std::optional<Time> end;
    for (const TrainingSpan& next : trainings)
    {
        if (end && next.start >= *end) // otherwise both share the GPU
        {
            gaps.push_back((next.start - *end).GetSeconds());
        }
        end = end ? Max(*end, next.end) : next.end;
    }
}

} // namespace

RunRecorder::RunRecorder(Ptr<TrainingCluster> cluster,
                         const std::set<std::string>& tables,
                         uint32_t seed)
    : m_cluster(cluster),
      m_seed(seed),
      m_bound(std::make_unique<BoundRecorder>())
{
    for (const auto& name : tables)
    {
        const ResultTable& table = FindTable(name); // throws
        if (!table.IsChoice() && !table.key.empty())
        {
            throw InputError(table.GetFile() + " is not written by its name, but by " + table.key);
        }
    }
    std::set<std::string> wanted = tables;
    if (cluster->GetParts().estimator->IsAsked())
    {
        wanted.insert("estimates");
    }
    m_rows = std::make_unique<ResultRows>(wanted, m_result);
    for (const auto& agent : cluster->GetParts().agents)
    {
        agent->TraceConnectWithoutContext("Remark", MakeCallback(&RunRecorder::NotifyRemark, this));
    }
    cluster->GetCoordinator()->TraceConnectWithoutContext(
        "Schedule",
        MakeCallback(&RunRecorder::NotifySchedule, this));
    const auto manager = cluster->GetJobManager();
    manager->TraceConnectWithoutContext("CojobArrival",
                                        MakeCallback(&RunRecorder::NotifyArrival, this));
    const auto observer = cluster->GetJobObserver();
    observer->TraceConnectWithoutContext("StageEnd",
                                         MakeCallback(&RunRecorder::NotifyStageEnd, this));
    observer->TraceConnectWithoutContext("CojobEnd",
                                         MakeCallback(&RunRecorder::NotifyCojobEnd, this));
    observer->TraceConnectWithoutContext("RunEnd", MakeCallback(&RunRecorder::NotifyRunEnd, this));
    m_rows->Connect(*cluster);
    if (m_rows->IsWanted<EstimateRow>())
    {
        manager->TraceConnectWithoutContext("Estimate",
                                            MakeCallback(&RunRecorder::NotifyEstimate, this));
    }
    if (m_rows->IsWanted<TimersRecord>())
    {
        manager->TraceConnectWithoutContext("Timers",
                                            MakeCallback(&RunRecorder::NotifyTimers, this));
    }
    observer->TraceConnectWithoutContext("JobStart",
                                         MakeCallback(&RunRecorder::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("JobEnd", MakeCallback(&RunRecorder::NotifyJobEnd, this));
    if (m_rows->IsWanted<TrainingRow>() || m_rows->IsWanted<CollectiveRow>())
    {
        m_graphs = std::make_unique<GraphRecorder>(cluster, *m_rows);
    }
    if (m_rows->IsWanted<PathRow>())
    {
        m_paths = std::make_unique<PathRecorder>(cluster, *m_rows);
    }
    m_bound->Watch(manager, observer, cluster->GetFabric()->GetHostRates());
}

RunRecorder::~RunRecorder() = default;

void
RunRecorder::EnableFiles(const std::filesystem::path& folder)
{
    m_rows->EnableFiles(folder);
}

void
RunRecorder::FinishFiles()
{
    m_rows->Finish();
}

bool
RunRecorder::HasFailed() const
{
    return m_rows->HasFailed();
}

RunResult
RunRecorder::TakeResult()
{
    if (const auto leaps = m_cluster->GetParts().leaps)
    {
        leaps->Settle();
    }
    RunResult result = std::move(m_result);
    result.timerMeans = m_timers.GetMeans();
    Time last;
    for (const auto& row : result.jobs)
    {
        last = std::max(last, row.end);
    }
    result.makespan = result.jobs.empty() ? Time(0) : last - m_firstArrival;
    result.end = Simulator::Now();
    for (const auto& job : m_cluster->GetJobManager()->GetUnfinished())
    {
        result.unfinished.push_back({"job " + std::to_string(job.job.value), job.state});
    }
    result.imbalances = AuditPackets(m_cluster->GetFabric());
    result.reason = result.imbalances.empty() ? "" : "packets are not accounted for";
    result.status = result.unfinished.empty() && result.imbalances.empty()
                        ? RunResult::Status::DONE
                        : RunResult::Status::UNFINISHED;
    AddTotals(result);
    return result;
}

void
RunRecorder::AddTotals(RunResult& result) const
{
    const TrainingClusterParts& parts = m_cluster->GetParts();
    result.ports = ReadPorts(parts.fabric, parts.transport, std::max(result.end, NanoSeconds(1)));
    if (parts.leaps)
    {
        result.leaps = {parts.leaps->GetLeaps(),
                        parts.leaps->GetIterations(),
                        parts.leaps->GetMeanLeaps(),
                        parts.leaps->GetDelayBound()};
    }
    if (parts.transport->HasPackets())
    {
        result.network = SumPackets(result.ports);
        result.network->drops = SumDrops(parts.fabric);
        result.network->pauses = CountPauses(parts.fabric);
        result.network->streams = parts.transport->GetCounters();
    }
    result.certificate = m_bound->GetCertificate();
    result.controlMessages = parts.control->GetMessages();
    result.controlBytes = parts.control->GetBytes();
    result.mostPriorities = parts.coordinator->GetMostPriorities();
    // After a failure, a job may run again although its last iteration had been done.
    const bool isClean = result.unfinished.empty() && result.runTotals.failures == 0;
    const Time span = isClean ? result.makespan : result.end - m_firstArrival;
    const double gpuSeconds = parts.machines->GetGpuCount() * span.GetSeconds();
    result.gpuUtilisation =
        gpuSeconds > 0 ? parts.machines->GetBusyTime().GetSeconds() / gpuSeconds : 0;
    const GpuTimes gpus = parts.machines->GetGpuTimes();
    const Time held = gpus.busy + gpus.waiting;
    if (held.IsStrictlyPositive())
    {
        result.gpuWaiting = gpus.waiting.GetSeconds() / held.GetSeconds();
    }
    for (const auto& [gpu, trainings] : m_trainings)
    {
        AddGaps(trainings, result.gpuIdle);
    }
    result.events = Simulator::GetEventCount();
    result.policies = {{"network", parts.scheduler->GetCpuSeconds()},
                       {"jobs", parts.jobQueue->GetCpuSeconds()},
                       {"placement", parts.placement->GetCpuSeconds()}};
    if (parts.jobManager->UsesRounds())
    {
        result.policies.push_back({"rounds", parts.rounds->GetCpuSeconds()});
    }
    if (AreGpusShared(parts.machines))
    {
        result.policies.push_back({"tasks", SumCpuSeconds(parts.taskQueues)});
    }
    if (parts.estimator->IsAsked())
    {
        result.policies.push_back({"estimator", parts.estimator->GetCpuSeconds()});
    }
    if (parts.gate->IsAsked())
    {
        result.gate = parts.coordinator->GetGateKeeper().GetTotals();
        result.gate->messages += parts.control->GetGateReports().messages;
        result.gate->bytes += parts.control->GetGateReports().bytes;
        result.policies.push_back({"gate", parts.gate->GetCpuSeconds()});
    }
}

void
RunRecorder::NotifyArrival(const CojobSpec& cojob)
{
    m_groups[cojob.id] = {cojob.plain, Simulator::Now()};
    m_firstArrival = std::min(m_firstArrival, Simulator::Now());
    m_accuracy.AddGroup(cojob);
}

void
RunRecorder::NotifyStageEnd(const StageRecord& stage)
{
    ++m_stagesDone;
    if (!m_groups.at(stage.cojob).plain)
    {
        m_rows->Add(StageRow{stage, std::nullopt});
    }
}

void
RunRecorder::NotifyCojobEnd(CojobId cojob)
{
    const Group& group = m_groups.at(cojob);
    if (!group.plain)
    {
        m_result.cojobs.push_back(
            {cojob, group.submit, Simulator::Now(), m_accuracy.GetTime(cojob)});
    }
    m_accuracy.Remove(cojob);
    m_groups.erase(cojob);
}

void
RunRecorder::NotifyJobStart(Ptr<Job> job)
{
    job->TraceConnectWithoutContext("StageStart",
                                    MakeCallback(&RunRecorder::NotifyJobStageStart, this));
    job->TraceConnectWithoutContext("Launched", MakeCallback(&RunRecorder::NotifyLaunch, this));
    if (m_rows->IsWanted<IterationRecord>() || m_rows->IsWanted<CoflowRow>() ||
        m_accuracy.IsWatched(job->GetId()))
    {
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&RunRecorder::NotifyIteration, this));
        job->TraceConnectWithoutContext("Leap", MakeCallback(&RunRecorder::NotifyLeap, this));
    }
}

void
RunRecorder::NotifyJobStageStart(Ptr<const Job> job, uint32_t)
{
    m_started.emplace(job->GetId(), Simulator::Now());
}

void
RunRecorder::NotifyJobEnd(Ptr<Job> job, bool stoppedEarly)
{
    const Group& group = m_groups.at(job->GetCojob());
    const JobSpec& spec = job->GetSpec();
    JobRow row;
    row.job = job->GetId();
    row.cojob = group.plain ? std::nullopt : std::make_optional(job->GetCojob());
    row.model = spec.model.name;
    row.workers = spec.workers;
    row.servers = spec.servers;
    row.pattern = GetShortName(CommunicationPattern::GetTypeId(), spec.pattern.GetTypeId());
    row.submit = group.submit;
    row.start = m_started.at(row.job);
    row.end = Simulator::Now();
    row.communication = job->GetLog().GetCommunicationTime();
    row.compute = job->GetLog().GetComputeTime();
    row.iterations = job->GetIterationsDone();
    row.stoppedEarly = stoppedEarly;
    row.bytes = job->GetBytes();
    row.placement = job->GetPlacement();
    if (spec.curve)
    {
        row.accuracy = GetAccuracy(*spec.curve, row.iterations);
        row.loss = GetLoss(*spec.curve, row.iterations);
        row.nearConverged = m_accuracy.GetTime(row.job);
    }
    m_accuracy.Remove(row.job);
    m_started.erase(row.job);
    m_left.erase(row.job);
    row.runs = job->GetRun().number;
    row.occupied = job->GetOccupiedTime();
    row.gateWait = job->GetGateWait();
    row.weight = spec.weight;
    if (const auto leaps = m_cluster->GetParts().leaps)
    {
        row.leapError = leaps->GetHalfWidth(job->GetId());
    }
    m_rows->Add(row);
}

void
RunRecorder::NotifyTimers(const TimersRecord& timers)
{
    if (m_timers.Note(timers))
    {
        m_rows->Add(timers);
    }
}

void
RunRecorder::NotifyEstimate(const EstimateRecord& estimate)
{
    const auto valueOf = [](const JobUsage& usage, const JobLabel& label) {
        return Get(label.isServer ? usage.server : usage.worker, label.label);
    };
    for (const JobLabel& label : ListLabels(estimate.hasServers))
    {
        EstimateRow row;
        row.job = estimate.job;
        row.label = label.name;
        row.predicted = estimate.predicted ? std::make_optional(valueOf(*estimate.predicted, label))
                                           : std::nullopt;
        row.actual = valueOf(estimate.actual, label);
        row.seed = m_seed;
        m_rows->Add(row);
    }
}

void
RunRecorder::NotifyRunEnd(const JobRunRecord& run)
{
    RunTotals& totals = m_result.runTotals;
    ++totals.runs;
    totals.switching += run.switching;
    totals.checkpoints += run.checkpoints;
    totals.stateBytes += run.stateBytes;
    totals.repeated += run.repeated;
    totals.lost += run.lost;
    if (run.reason != "done" && run.reason != "stopped-early")
    {
        run.reason == "failed" ? ++totals.failures : ++totals.preemptions;
        m_left[run.job] = run.placement;
    }
    for (const GpuId& gpu : run.training ? ListGpus(run.placement) : std::vector<GpuId>())
    {
        m_trainings[gpu].push_back(*run.training);
    }
    m_rows->Add(run);
}

/** Called when a run after the first is launched. */
void
RunRecorder::NotifyLaunch(Ptr<const Job> job)
{
    const auto left = m_left.find(job->GetId());
    if (left != m_left.end())
    {
        m_result.runTotals.migrations += left->second == job->GetPlacement() ? 0 : 1;
        m_left.erase(left);
    }
}

void
RunRecorder::NotifyIteration(const IterationRecord& iteration)
{
    m_accuracy.Note({iteration, 1, Time(), Time()});
    AddIteration(iteration);
}

void
RunRecorder::NotifyLeap(const IterationLeap& leap)
{
    m_accuracy.Note(leap);
    const bool isWanted = m_rows->IsWanted<IterationRecord>() || m_rows->IsWanted<CoflowRow>();
    for (uint64_t i = 0; isWanted && i < leap.count; ++i)
    {
        AddIteration(leap.Get(i));
    }
}

void
RunRecorder::AddIteration(const IterationRecord& iteration)
{
    m_rows->Add(iteration);
    if (iteration.flows > 0) // a single worker moves nothing
    {
        m_rows->Add(CoflowRow{iteration, ++m_coflows});
    }
}

void
RunRecorder::NotifyRemark(const RemarkRecord& remark)
{
    ++m_result.remarkCount;
    RemarkRecord numbered = remark;
    numbered.stream = m_cluster->GetJobObserver()->FindStream(remark.name);
    m_rows->Add(numbered);
}

void
RunRecorder::NotifySchedule(const ScheduleRecord& schedule)
{
    ++m_result.schedulerRuns;
    m_rows->Add(schedule);
}

} // namespace ns3::ddl
