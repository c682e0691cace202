// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-recorder.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ddl
{

RunRecorder::RunRecorder(bool iterations)
    : m_iterations(iterations)
{
}

void
RunRecorder::EnableFiles(const std::filesystem::path& folder, RowFiles::Choice choice)
{
    m_files = std::make_unique<RowFiles>(folder, choice);
}

void
RunRecorder::FinishFiles()
{
    if (m_files)
    {
        m_files->Finish();
    }
}

Time
RunRecorder::GetFirstArrival() const
{
    return m_firstArrival;
}

void
RunRecorder::Watch(Ptr<JobManager> manager)
{
    manager->TraceConnectWithoutContext("CojobArrival",
                                        MakeCallback(&RunRecorder::NotifyArrival, this));
    manager->TraceConnectWithoutContext("StageEnd",
                                        MakeCallback(&RunRecorder::NotifyStageEnd, this));
    manager->TraceConnectWithoutContext("CojobEnd",
                                        MakeCallback(&RunRecorder::NotifyCojobEnd, this));
    manager->TraceConnectWithoutContext("JobStart",
                                        MakeCallback(&RunRecorder::NotifyJobStart, this));
    manager->TraceConnectWithoutContext("JobEnd", MakeCallback(&RunRecorder::NotifyJobEnd, this));
}

void
RunRecorder::Watch(Ptr<Coordinator> coordinator)
{
    coordinator->TraceConnectWithoutContext("Schedule",
                                            MakeCallback(&RunRecorder::NotifySchedule, this));
}

void
RunRecorder::Watch(Ptr<Agent> agent)
{
    agent->TraceConnectWithoutContext("Remark", MakeCallback(&RunRecorder::NotifyRemark, this));
}

std::size_t
RunRecorder::GetStagesDone() const
{
    return m_stagesDone;
}

RunResult
RunRecorder::TakeResult()
{
    Time last;
    for (const auto& row : m_result.jobs)
    {
        last = std::max(last, row.end);
    }
    m_result.makespan = m_result.jobs.empty() ? Time(0) : last - m_firstArrival;
    return std::move(m_result);
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
        m_result.stages.push_back({stage.cojob,
                                   stage.stage,
                                   stage.jobs,
                                   stage.release,
                                   stage.start,
                                   stage.end,
                                   stage.bytes,
                                   std::nullopt});
        if (m_files)
        {
            m_files->Add(m_result.stages.back());
        }
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
    if (m_iterations || m_accuracy.IsWatched(job->GetId()))
    {
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&RunRecorder::NotifyIteration, this));
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
    row.communication = job->GetCommunicationTime();
    row.compute = job->GetComputeTime();
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
    row.gateWait = job->GetGateWait();
    if (m_files)
    {
        m_files->Add(row);
    }
    m_result.jobs.push_back(std::move(row));
}

void
RunRecorder::NotifyIteration(const IterationRecord& iteration)
{
    m_accuracy.Note(iteration);
    if (m_files)
    {
        m_files->Add(iteration);
    }
    else if (m_iterations)
    {
        m_result.iterations.push_back(iteration);
    }
}

void
RunRecorder::NotifyRemark(const RemarkRecord& remark)
{
    ++m_result.remarkCount;
    m_files ? m_files->Add(remark) : m_result.remarks.push_back(remark);
}

void
RunRecorder::NotifySchedule(const ScheduleRecord& schedule)
{
    ++m_result.schedulerRuns;
    m_files ? m_files->Add(schedule) : m_result.schedule.push_back(schedule);
}

namespace
{

/** What a port has counted of its packets. */
void
FillFromPackets(const Port& port, Time duration, PortRow& row)
{
    const QueueCounters& counters = port.GetCounters(row.queue);
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

} // namespace

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
            transport->HasPackets()
                ? FillFromPackets(*port.device, duration, row)
                : FillFromTraffic(transport->GetTraffic(port.device, queue), duration, row);
            if (queue < MAX_QUEUES || HasTraffic(row)) // an ideal port has many that nobody uses
            {
                rows.push_back(row);
            }
        }
    }
    return rows;
}

} // namespace ddl
} // namespace ns3
