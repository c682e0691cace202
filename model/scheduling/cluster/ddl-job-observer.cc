// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-observer.h"

#include "ns3/abort.h"
#include "ns3/ddl-agent.h"
#include "ns3/ddl-compute-usage.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobObserver");
NS_OBJECT_ENSURE_REGISTERED(JobObserver);

StageBook::StageBook(CojobId cojob, Time release)
{
    m_record.cojob = cojob;
    m_record.release = release;
}

void
StageBook::Begin(uint32_t stage, const std::map<JobId, uint64_t>& bytesBefore)
{
    NS_ABORT_MSG_IF(!m_in.empty(),
                    "cojob " << m_record.cojob << " is still in stage " << m_record.stage);
    StageRecord next;
    next.cojob = m_record.cojob;
    next.stage = stage;
    next.jobs = bytesBefore.size();
    next.release = m_record.release;
    m_record = next;
    m_started = false;
    m_in = bytesBefore;
}

std::optional<StageRecord>
StageBook::NoteStart(Time now)
{
    if (m_started)
    {
        return std::nullopt;
    }
    m_started = true;
    m_record.start = now;
    StageRecord record = m_record;
    record.bytes = 0;
    return record;
}

std::optional<StageRecord>
StageBook::NoteEnd(JobId job, uint64_t bytes, Time now)
{
    const auto in = m_in.find(job);
    NS_ABORT_MSG_IF(in == m_in.end(), "job " << job << " is not in a stage");
    m_record.bytes += bytes - in->second;
    m_in.erase(in);
    if (!m_in.empty())
    {
        return std::nullopt;
    }
    m_record.end = now;
    return m_record;
}

TypeId
JobObserver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::JobObserver")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<JobObserver>()
            .AddTraceSource("StageStart",
                            "The first rank of the first job of a stage begins",
                            MakeTraceSourceAccessor(&JobObserver::m_stageStart),
                            "ns3::ddl::JobObserver::StageCallback")
            .AddTraceSource("StageEnd",
                            "The last worker of the last job of a stage has finished",
                            MakeTraceSourceAccessor(&JobObserver::m_stageEnd),
                            "ns3::ddl::JobObserver::StageCallback")
            .AddTraceSource("CojobEnd",
                            "The last job of a cojob has ended",
                            MakeTraceSourceAccessor(&JobObserver::m_cojobEnd),
                            "ns3::ddl::JobObserver::CojobCallback")
            .AddTraceSource("JobStart",
                            "A job has got GPUs for the first time; nothing moves yet",
                            MakeTraceSourceAccessor(&JobObserver::m_jobStart),
                            "ns3::ddl::JobObserver::JobStartCallback")
            .AddTraceSource("JobEnd",
                            "The last worker has finished the last stage, or the job was stopped "
                            "early (second argument)",
                            MakeTraceSourceAccessor(&JobObserver::m_jobEnd),
                            "ns3::ddl::JobObserver::JobEndCallback")
            .AddTraceSource("RunEnd",
                            "A run of a job is over: its GPUs are free",
                            MakeTraceSourceAccessor(&JobObserver::m_runEnd),
                            "ns3::ddl::JobObserver::RunCallback");
    return tid;
}

void
JobObserver::DoDispose()
{
    m_groups.clear();
    m_jobs.clear();
    Object::DoDispose();
}

void
JobObserver::Watch(Ptr<JobManager> manager, const std::vector<Ptr<Agent>>& agents)
{
    using Self = JobObserver;
    manager->TraceConnectWithoutContext("CojobArrival", MakeCallback(&Self::NotifyArrival, this));
    manager->TraceConnectWithoutContext("Grant", MakeCallback(&Self::NotifyGrant, this));
    manager->TraceConnectWithoutContext("StageRelease", MakeCallback(&Self::NotifyRelease, this));
    manager->TraceConnectWithoutContext("Revocation", MakeCallback(&Self::NotifyRevocation, this));
    manager->TraceConnectWithoutContext("Return", MakeCallback(&Self::NotifyReturn, this));
    for (const auto& agent : agents)
    {
        agent->TraceConnectWithoutContext("Rank", MakeCallback(&Self::NotifyRank, this));
        agent->TraceConnectWithoutContext("StreamOpened", MakeCallback(&Self::NotifyOpened, this));
        agent->TraceConnectWithoutContext("StreamAccepted",
                                          MakeCallback(&Self::NotifyAccepted, this));
    }
}

const Job*
JobObserver::Find(JobId job) const
{
    const auto watched = m_jobs.find(job);
    return watched == m_jobs.end() ? nullptr : PeekPointer(watched->second.job);
}

std::optional<uint64_t>
JobObserver::GetIterationsDone(JobId id) const
{
    const Job* const job = Find(id);
    return job ? std::make_optional(job->GetIterationsDone()) : std::nullopt;
}

/** As much of what goes through the busiest NIC as is left of all that the iteration moves. */
uint64_t
JobObserver::GetBusiestBytesLeft(JobId id) const
{
    const Job* const job = Find(id);
    if (!job)
    {
        return 0;
    }
    const double share = static_cast<double>(job->GetIterationBytesLeft()) /
                         static_cast<double>(job->GetIterationBytes());
    return std::llround(share * static_cast<double>(GetBusiestBytes(job->GetHostBytes())));
}

bool
JobObserver::IsHeld(JobId id) const
{
    const Job* const job = Find(id);
    return job && job->IsHeld();
}

std::optional<JobUsage>
JobObserver::GetUsage(JobId id) const
{
    const Job* const job = Find(id);
    if (!job || job->GetIterationsDone() == 0)
    {
        return std::nullopt;
    }
    return ComputeUsage(job->GetSpec(),
                        {job->GetLog().GetComputeTime(),
                         job->GetLog().GetCommunicationTime(),
                         job->GetIterationsDone(),
                         job->GetLog().GetShareDeviation()});
}

StreamId
JobObserver::FindStream(const StreamName& name) const
{
    const Job* const job = Find(name.job);
    return job ? job->FindStream(name) : StreamId{UINT32_MAX};
}

void
JobObserver::NotifyArrival(const CojobSpec& cojob)
{
    Group group{StageBook(cojob.id, cojob.submit),
                static_cast<uint32_t>(cojob.iterations.size()),
                {}};
    for (const auto& job : cojob.jobs)
    {
        group.unended.insert(job.id);
    }
    m_groups.emplace(cojob.id, std::move(group));
}

void
JobObserver::NotifyGrant(std::shared_ptr<const RunSpec> run)
{
    Watched& watched = m_jobs[run->GetId()];
    watched.isRevoked = false;
    if (watched.job)
    {
        watched.job->BeginRun(run);
        return;
    }
    const auto job = CreateObject<Job>(run);
    watched.job = job;
    job->TraceConnectWithoutContext("StageStart",
                                    MakeCallback(&JobObserver::NotifyStageStart, this));
    job->TraceConnectWithoutContext("StageEnd", MakeCallback(&JobObserver::NotifyStageEnd, this));
    job->TraceConnectWithoutContext("Stopped", MakeCallback(&JobObserver::NotifyStopped, this));
    m_jobStart(job);
}

void
JobObserver::NotifyRelease(CojobId cojob, const StageDecision& decision)
{
    std::map<JobId, uint64_t> bytes;
    for (const JobId job : decision.go)
    {
        bytes[job] = m_jobs.at(job).job->GetBytes();
    }
    m_groups.at(cojob).stages.Begin(decision.stage, bytes);
}

void
JobObserver::NotifyRevocation(const RevocationRecord& revocation)
{
    for (const JobId id : revocation.jobs)
    {
        const auto watched = m_jobs.find(id);
        if (watched == m_jobs.end())
        {
            continue;
        }
        watched->second.isRevoked = true;
        watched->second.reason = revocation.reason;
        watched->second.isLeaving = revocation.reason.empty();
        if (watched->second.isLeaving && !watched->second.job->IsRunning())
        {
            EndJob(id, true); // it was suspended while others finished the stage
            m_jobs.erase(id);
        }
    }
}

/** Nothing is known of a run whose machines failed before its launch message reached them. */
void
JobObserver::NotifyReturn(JobId id)
{
    const auto watched = m_jobs.find(id);
    if (watched != m_jobs.end())
    {
        const Ptr<Job> job = watched->second.job;
        job->EndRun();
    }
}

void
JobObserver::NotifyRank(const RankEvent& event)
{
    const Ptr<Job> job = m_jobs.at(event.job).job; // the job may be forgotten meanwhile
    job->Note(event);
}

void
JobObserver::NotifyOpened(JobId job, Ptr<SendingStream> stream)
{
    m_jobs.at(job).job->NoteStream(stream);
}

void
JobObserver::NotifyAccepted(JobId job, Ptr<ReceivingStream> stream)
{
    m_jobs.at(job).job->NoteStream(stream);
}

void
JobObserver::NotifyStageStart(Ptr<const Job> job, uint32_t stage)
{
    NS_LOG_FUNCTION(this << job->GetId() << stage);
    const auto first = m_groups.at(job->GetCojob()).stages.NoteStart(Simulator::Now());
    if (first)
    {
        m_stageStart(*first);
    }
}

void
JobObserver::NotifyStageEnd(Ptr<const Job> job, uint32_t stage)
{
    NS_LOG_FUNCTION(this << job->GetId() << stage);
    const auto known = m_groups.find(job->GetCojob());
    if (known == m_groups.end() || !known->second.stages.IsIn(job->GetId()))
    {
        return; // it had ended before: a machine failed before the coordinator heard of it
    }
    Group& group = known->second;
    const auto last = group.stages.NoteEnd(job->GetId(), job->GetBytes(), Simulator::Now());
    if (last)
    {
        m_stageEnd(*last);
    }
    if (stage == group.lastStage)
    {
        EndJob(job->GetId(), false);
    }
}

void
JobObserver::NotifyStopped(Ptr<const Job> job)
{
    const JobId id = job->GetId();
    const auto watched = m_jobs.find(id);
    if (watched == m_jobs.end() || !(watched->second.isRevoked || job->HasFailed()))
    {
        return; // the simulation is being taken apart
    }
    const RunSpec& run = job->GetRun();
    const bool hasEnded =
        m_groups.count(run.cojob) == 0 || m_groups.at(run.cojob).unended.count(id) == 0;
    JobRunRecord record;
    record.job = id;
    record.run = run.number;
    record.start = job->GetRunStart();
    record.end = Simulator::Now();
    record.reason = !watched->second.isLeaving
                        ? (job->HasFailed() ? "failed" : watched->second.reason)
                    : hasEnded ? "done"
                               : "stopped-early";
    record.placement = run.placement;
    record.iterations = job->GetIterationsDone() - run.first;
    record.bytes = job->GetRunBytes();
    const Job::Overhead& overhead = job->GetOverhead();
    record.switching = overhead.loading + overhead.saving;
    record.checkpoints = overhead.checkpoints;
    record.stateBytes = overhead.stateBytes;
    record.repeated = overhead.repeated;
    record.lost = overhead.lost;
    record.training = job->GetTraining();
    m_runEnd(record);
    if (watched->second.isLeaving)
    {
        EndJob(id, true);
        m_jobs.erase(id); // a long workload must not pile up
    }
}

/** No effect on a job that has ended before. */
void
JobObserver::EndJob(JobId id, bool stoppedEarly)
{
    const Ptr<Job> job = m_jobs.at(id).job;
    const auto group = m_groups.find(job->GetCojob());
    if (group == m_groups.end() || group->second.unended.erase(id) == 0)
    {
        return;
    }
    m_jobEnd(job, stoppedEarly);
    if (group->second.unended.empty())
    {
        m_cojobEnd(group->first);
        m_groups.erase(group);
    }
}

} // namespace ns3::ddl
