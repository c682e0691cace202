// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-manager.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-place-all.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobManager");
NS_OBJECT_ENSURE_REGISTERED(JobManager);

TypeId
JobManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::JobManager")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<JobManager>()
            .AddTraceSource("CojobArrival",
                            "A cojob has arrived and waits for GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobArrival),
                            "ns3::ddl::JobManager::CojobArrivalCallback")
            .AddTraceSource("CojobStart",
                            "A cojob gets GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobStart),
                            "ns3::ddl::JobManager::CojobCallback")
            .AddTraceSource("StageStart",
                            "The first rank of the first job of a stage begins",
                            MakeTraceSourceAccessor(&JobManager::m_stageStart),
                            "ns3::ddl::JobManager::StageCallback")
            .AddTraceSource("StageEnd",
                            "The last worker of the last job of a stage has finished",
                            MakeTraceSourceAccessor(&JobManager::m_stageEnd),
                            "ns3::ddl::JobManager::StageCallback")
            .AddTraceSource("CojobEnd",
                            "The last job of a cojob has ended",
                            MakeTraceSourceAccessor(&JobManager::m_cojobEnd),
                            "ns3::ddl::JobManager::CojobCallback")
            .AddTraceSource("JobStart",
                            "A job has been launched; nothing moves yet",
                            MakeTraceSourceAccessor(&JobManager::m_jobStart),
                            "ns3::ddl::JobManager::JobStartCallback")
            .AddTraceSource("JobEnd",
                            "The last worker has finished the last stage, or the job was stopped "
                            "early (second argument)",
                            MakeTraceSourceAccessor(&JobManager::m_jobEnd),
                            "ns3::ddl::JobManager::JobEndCallback")
            .AddTraceSource("AllDone",
                            "The coordinator has heard that the last job stopped",
                            MakeTraceSourceAccessor(&JobManager::m_allDone),
                            "ns3::ddl::JobManager::AllDoneCallback");
    return tid;
}

JobManager::JobManager() = default;
JobManager::~JobManager() = default;

void
JobManager::DoDispose()
{
    m_runs.clear();
    m_waiting = {};
    m_book = {};
    m_fit = {};
    m_source.reset();
    m_parts = {};
    Object::DoDispose();
}

void
JobManager::Install(const JobManagerParts& parts)
{
    m_parts = parts;
    const ClusterView cluster = m_parts.cluster->GetView();
    m_book = ClusterBook(cluster);
    m_fit = FitCheck(cluster, m_parts.trial ? m_parts.trial : m_parts.placement);
    m_parts.coordinator->SetHandlers(
        [this](JobId job, uint32_t stage) { HandleStageDone(job, stage); },
        [this](JobId job) { HandleJobStopped(job); });
    m_parts.coordinator->GetGateKeeper().SetTruth(
        [this](JobId job) { return GetBusiestBytesLeft(job); });
}

void
JobManager::Submit(const std::vector<CojobSpec>& cojobs)
{
    auto complaints = CheckWorkload(cojobs, m_fit);
    for (const auto& cojob : cojobs)
    {
        if (m_runs.count(cojob.id) > 0)
        {
            complaints.push_back(
                {"", "", "cojob " + std::to_string(cojob.id.value) + " is there twice"});
        }
        for (const auto& job : cojob.jobs)
        {
            if (m_cojobOf.count(job.id) > 0)
            {
                complaints.push_back(
                    {"", "", "job " + std::to_string(job.id.value) + " is there twice"});
            }
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    for (const auto& spec : cojobs)
    {
        Take(spec);
    }
}

void
JobManager::Take(const CojobSpec& spec)
{
    NS_ABORT_MSG_UNLESS(m_runs.emplace(spec.id, spec).second,
                        "cojob " << spec.id << " is there twice");
    m_submitted.push_back(spec.id);
    for (const auto& job : spec.jobs)
    {
        NS_ABORT_MSG_UNLESS(m_cojobOf.emplace(job.id, spec.id).second,
                            "job " << job.id << " is there twice");
    }
    m_lastArrival = std::max(m_lastArrival, spec.submit);
    ClusterClock::Schedule(spec.submit - ClusterClock::Now(), &JobManager::Arrive, this, spec.id);
}

void
JobManager::TakeFromSource(const CojobSpec& spec)
{
    const auto complaints = m_fit.Check(spec);
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    Take(spec);
}

void
JobManager::SetSource(std::unique_ptr<CojobSource> source)
{
    m_source = std::move(source);
    TakeNext();
}

void
JobManager::TakeNext()
{
    m_taken.reset();
    const auto next = m_source->Next();
    if (next)
    {
        m_taken = next->id;
        TakeFromSource(*next);
    }
}

void
JobManager::LaunchSuccessor(CojobRun& run, const StageDecision& decision)
{
    const std::size_t live = run.GetCojob().GetLiveJobs().size();
    const bool isDown = live <= 1 && live + decision.stop.size() > 1;
    const bool wasAlone = live == 0 && run.GetSpec().jobs.size() == 1;
    if (!m_source || !(isDown || wasAlone))
    {
        return;
    }
    auto next = m_source->NextAfter(run.GetSpec(), ClusterClock::Now());
    if (next)
    {
        next->submit = ClusterClock::Now();
        TakeFromSource(*next);
    }
}

void
JobManager::Arrive(CojobId id)
{
    NS_LOG_FUNCTION(this << id);
    if (m_taken == id)
    {
        TakeNext();
    }
    m_runs.at(id).NoteArrival();
    const CojobRun& run = m_runs.at(id);
    const GroupDemand demand = GetDemand(run.GetSpec(), m_parts.placement->MindsLoads());
    m_waiting.Add(id,
                  m_parts.queue->GetPriority(run.AsWaitingGroup()),
                  CountWholeGpus(demand, m_book.IsShared()),
                  demand);
    m_cojobArrival(run.GetSpec());
    StartWaiting();
}

void
JobManager::StartWaiting()
{
    if (m_waiting.IsEmpty())
    {
        return;
    }
    m_book.UpdateLoads();
    std::vector<Placement> placements;
    while (const auto next = FindNext(placements))
    {
        Start(m_runs.at(*next), placements);
    }
}

/** \return the next group that fits, taken out of the queue, and where it goes; nothing if none
 */
std::optional<CojobId>
JobManager::FindNext(std::vector<Placement>& placements)
{
    const auto fits = [&](CojobId id) {
        const CojobSpec& spec = m_runs.at(id).GetSpec();
        const auto found =
            PlaceAll(m_parts.placement, m_book.GetView(), spec.jobs, CountIterations(spec));
        placements = found.value_or(std::vector<Placement>());
        return found.has_value();
    };
    return m_waiting.TakeFirst(m_book.CountFreeGpus(), m_parts.queue->LetsOthersPass(), fits);
}

void
JobManager::Start(CojobRun& run, const std::vector<Placement>& placements)
{
    const CojobSpec& spec = run.GetSpec();
    NS_LOG_FUNCTION(this << spec.id);
    m_cojobStart(spec.id);
    for (std::size_t i = 0; i < spec.jobs.size(); ++i)
    {
        Launch(run, spec.jobs[i], placements[i]);
    }
    m_parts.coordinator->AddCojob(run.AsLiveCojob());
    BeginStage(run, run.GetCojob().Begin());
}

void
JobManager::Launch(CojobRun& run, const JobSpec& spec, const Placement& placement)
{
    std::vector<HostId> hosts = ListRankHosts(placement);
    hosts.resize(spec.workers);
    const Ptr<Job> job =
        CreateObject<Job>(spec, run.GetSpec().id, placement, m_parts.cluster->ListServers(hosts));
    if (m_parts.coordinator->GetGateKeeper().IsAsked() && GetBusiestBytes(job->GetHostBytes()) > 0)
    {
        job->SetGated();
    }
    run.AddJob(job);
    job->TraceConnectWithoutContext("StageStart",
                                    MakeCallback(&JobManager::NotifyStageStart, this));
    job->TraceConnectWithoutContext("StageEnd", MakeCallback(&JobManager::NotifyStageEnd, this));
    job->TraceConnectWithoutContext("Stopped", MakeCallback(&JobManager::NotifyStopped, this));
    // Until a stage starts, streams only set up connections; its priorities come before its start.
    job->Launch(m_parts.cluster, m_parts.transport, CONTROL_MARK);
    m_book.Add(job);
    for (const HostId host : job->GetHosts())
    {
        m_parts.agents.at(host)->AddJob(job);
    }
    m_jobStart(job);
}

void
JobManager::BeginStage(CojobRun& run, const StageDecision& decision)
{
    run.BeginStage(decision);
    m_parts.coordinator->StartStage(run.GetSpec().id, decision.stage);
}

void
JobManager::NotifyStageStart(Ptr<const Job> job, uint32_t stage)
{
    NS_LOG_FUNCTION(this << job->GetId() << stage);
    StageBook& stages = m_runs.at(job->GetCojob()).GetStageBook();
    const auto first = stages.NoteStart(Simulator::Now());
    if (first)
    {
        m_stageStart(*first);
    }
}

void
JobManager::NotifyStageEnd(Ptr<const Job> job, uint32_t stage)
{
    NS_LOG_FUNCTION(this << job->GetId() << stage);
    CojobRun& run = m_runs.at(job->GetCojob());
    const auto last = run.GetStageBook().NoteEnd(job->GetId(), job->GetBytes(), Simulator::Now());
    if (last)
    {
        m_stageEnd(*last);
    }
    if (stage == run.GetCojob().GetStages())
    {
        EndJob(run, job->GetId(), false);
    }
}

void
JobManager::NotifyStopped(Ptr<const Job> job)
{
    m_book.Free(job);
    EndJob(m_runs.at(job->GetCojob()), job->GetId(), true);
}

/** No effect on a job that has ended before. */
void
JobManager::EndJob(CojobRun& run, JobId job, bool stoppedEarly)
{
    if (!run.NoteEnd(job))
    {
        return;
    }
    m_jobEnd(run.GetJob(job), stoppedEarly);
    if (run.IsEnded())
    {
        m_cojobEnd(run.GetSpec().id);
    }
}

void
JobManager::HandleStageDone(JobId job, uint32_t stage)
{
    NS_LOG_FUNCTION(this << job << stage);
    CojobRun& run = m_runs.at(m_cojobOf.at(job));
    const auto decision = run.GetCojob().FinishStage(job);
    if (!decision)
    {
        return;
    }
    LaunchSuccessor(run, *decision);
    if (!decision->stop.empty())
    {
        m_parts.coordinator->StopJobs(run.GetSpec().id, decision->stop);
    }
    if (!decision->go.empty())
    {
        BeginStage(run, *decision);
    }
}

void
JobManager::HandleJobStopped(JobId id)
{
    NS_LOG_FUNCTION(this << id);
    const auto known = m_cojobOf.find(id);
    const auto run = m_runs.find(known->second);
    run->second.RemoveJob(id);
    m_book.Remove(id);
    m_cojobOf.erase(known);
    if (run->second.IsGone())
    {
        m_runs.erase(run); // a long workload must not pile up
    }
    StartWaiting();
    if (IsDone())
    {
        m_allDone();
    }
}

/** As much of what goes through the busiest NIC as is left of all that the iteration moves. */
uint64_t
JobManager::GetBusiestBytesLeft(JobId id) const
{
    const Ptr<Job> job = m_runs.at(m_cojobOf.at(id)).GetJob(id);
    const double share = static_cast<double>(job->GetIterationBytesLeft()) /
                         static_cast<double>(job->GetIterationBytes());
    return std::llround(share * static_cast<double>(GetBusiestBytes(job->GetHostBytes())));
}

std::vector<UnfinishedJob>
JobManager::GetUnfinished() const
{
    std::vector<UnfinishedJob> unfinished;
    for (const CojobId id : m_submitted)
    {
        const auto run = m_runs.find(id);
        const auto more =
            run != m_runs.end() ? run->second.ListUnfinished() : std::vector<UnfinishedJob>();
        unfinished.insert(unfinished.end(), more.begin(), more.end());
    }
    return unfinished;
}

} // namespace ns3::ddl
