// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-manager.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-compute-usage.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

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
            .AddAttribute("Lease",
                          "Time for which a group gets GPUs; then it competes for them again, "
                          "under any job queue policy; 0: until it is done or preempted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::SetLease, &JobManager::GetLease),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRun",
                          "Time for which a group that has got GPUs is not preempted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::SetMinRun, &JobManager::GetMinRun),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "BatchWindow",
                "Time for which offers of GPUs are collected, to be made together; 0: each is "
                "made at once",
                TimeValue(Time(0)),
                MakeTimeAccessor(&JobManager::SetBatchWindow, &JobManager::GetBatchWindow),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Improve",
                          "Time after which the placement policy is asked again whether running "
                          "groups should move; 0: never",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::SetImprove, &JobManager::GetImprove),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Wait",
                            "A cojob waits for GPUs, or goes on waiting for another reason",
                            MakeTraceSourceAccessor(&JobManager::m_wait),
                            "ns3::ddl::JobManager::WaitCallback")
            .AddTraceSource("Timers",
                            "A job was offered GPUs: until when it declines some, as the placement "
                            "policy says",
                            MakeTraceSourceAccessor(&JobManager::m_timers),
                            "ns3::ddl::JobManager::TimersCallback")
            .AddTraceSource("CojobArrival",
                            "A cojob has arrived and waits for GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobArrival),
                            "ns3::ddl::JobManager::CojobArrivalCallback")
            .AddTraceSource("CojobStart",
                            "A cojob gets GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobStart),
                            "ns3::ddl::JobManager::CojobCallback")
            .AddTraceSource("Grant",
                            "A job gets GPUs, for the first time or again: the run that begins",
                            MakeTraceSourceAccessor(&JobManager::m_grant),
                            "ns3::ddl::JobManager::GrantCallback")
            .AddTraceSource("StageRelease",
                            "Jobs of a cojob may begin a stage: cojob, decision",
                            MakeTraceSourceAccessor(&JobManager::m_stageRelease),
                            "ns3::ddl::JobManager::StageCallback")
            .AddTraceSource("Revocation",
                            "Jobs are told to give back their GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_revocation),
                            "ns3::ddl::JobManager::RevocationCallback")
            .AddTraceSource("Estimate",
                            "A job leaves: what was expected of it, and what it has used",
                            MakeTraceSourceAccessor(&JobManager::m_estimate),
                            "ns3::ddl::JobManager::EstimateCallback")
            .AddTraceSource("Return",
                            "The coordinator has heard that a run of a job is over",
                            MakeTraceSourceAccessor(&JobManager::m_return),
                            "ns3::ddl::JobManager::JobCallback")
            .AddTraceSource("AllDone",
                            "The coordinator has heard that the last job stopped",
                            MakeTraceSourceAccessor(&JobManager::m_allDone),
                            "ns3::ddl::JobManager::AllDoneCallback");
    return tid;
}

JobManager::JobManager() = default;
JobManager::~JobManager() = default;

void
JobManager::SetLease(Time lease)
{
    m_offers.lease = lease;
}

Time
JobManager::GetLease() const
{
    return m_offers.lease;
}

void
JobManager::SetMinRun(Time minRun)
{
    m_offers.minRun = minRun;
}

Time
JobManager::GetMinRun() const
{
    return m_offers.minRun;
}

void
JobManager::SetBatchWindow(Time window)
{
    m_offers.batchWindow = window;
}

Time
JobManager::GetBatchWindow() const
{
    return m_offers.batchWindow;
}

void
JobManager::SetImprove(Time interval)
{
    m_offers.improve = interval;
}

Time
JobManager::GetImprove() const
{
    return m_offers.improve;
}

std::optional<Time>
JobManager::GetIdleUntil() const
{
    return m_offers.GetIdleUntil();
}

void
JobManager::DoDispose()
{
    m_offers.Stop();
    m_rounds.Stop();
    m_table.Clear();
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
    if (parts.placement->HoldsPartial() &&
        (!m_offers.lease.IsZero() || parts.queue->IsPreemptive()))
    {
        throw InputError(parts.placement->GetInstanceTypeId().GetName() +
                         " lets jobs hold some of their GPUs while they wait: nobody may give way "
                         "(scheduler.lease 0s, a policy of scheduler.jobs that preempts nobody)");
    }
    const ClusterView cluster = m_parts.cluster->GetView();
    m_book = ClusterBook(cluster);
    m_fit = FitCheck(cluster, m_parts.trial ? m_parts.trial : m_parts.placement);
    m_largestGpu = FindGpuMemory(cluster);
    m_offers.Install(
        {m_parts.queue,
         m_parts.placement,
         &m_table,
         &m_book,
         m_parts.oracle,
         [this](GroupRecord& group,
                const std::vector<Placement>& placements,
                std::optional<JobId> after) { Start(group, placements, after); },
         [this](GroupRecord& group, const std::string& reason) { Suspend(group, reason); },
         &m_wait,
         m_parts.sharing,
         &m_parts.switching,
         &m_timers});
    m_parts.coordinator->Serve(m_table, *this);
    m_rounds.Install(m_table, m_parts.rounds, m_parts.coordinator, m_parts.cluster);
    m_parts.coordinator->GetGateKeeper().SetTruth(
        [this](JobId job) { return m_parts.oracle->GetBusiestBytesLeft(job); });
}

void
JobManager::Submit(const std::vector<CojobSpec>& cojobs)
{
    auto complaints = CheckWorkload(cojobs, m_fit);
    for (const auto& cojob : cojobs)
    {
        if (m_table.Find(cojob.id) != nullptr)
        {
            complaints.push_back(
                {"", "", "cojob " + std::to_string(cojob.id.value) + " is there twice"});
        }
        for (const auto& job : cojob.jobs)
        {
            if (m_table.FindJob(job.id) != nullptr)
            {
                complaints.push_back(
                    {"", "", "job " + std::to_string(job.id.value) + " is there twice"});
            }
        }
        const auto ofTasks = CheckTasks(cojob);
        complaints.insert(complaints.end(), ofTasks.begin(), ofTasks.end());
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
    m_table.Add(spec, m_parts.oracle);
    m_lastArrival = std::max(m_lastArrival, spec.submit);
    m_arrivals.insert(spec.submit);
    ClusterClock::Schedule(spec.submit - ClusterClock::Now(),
                           &JobManager::Arrive,
                           Ptr<JobManager>(this), // which may be disposed of meanwhile
                           spec.id);
}

void
JobManager::TakeFromSource(const CojobSpec& spec)
{
    auto complaints = m_fit.Check(spec);
    const auto ofTasks = CheckTasks(spec);
    complaints.insert(complaints.end(), ofTasks.begin(), ofTasks.end());
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    Take(spec);
}

/** Jobs of tasks and others do not share GPUs: all are one kind. */
std::vector<Diagnostic>
JobManager::CheckTasks(const CojobSpec& group)
{
    const bool areTasks = ddl::HasTasks(group);
    std::vector<Diagnostic> complaints;
    if (areTasks && !m_parts.rounds)
    {
        return {{"", "", "jobs of tasks need a round scheduler (JobManagerParts::rounds)"}};
    }
    if (areTasks)
    {
        complaints = m_rounds.Check(group);
        if (m_parts.switching.checkpointEvery > 0 || m_parts.switching.storage)
        {
            complaints.push_back({"", "", "jobs of tasks make no checkpoints (scheduler.switch)"});
        }
    }
    if (m_areTasks.value_or(areTasks) != areTasks)
    {
        complaints.push_back({"", "", "some jobs are made of tasks and others are not"});
    }
    m_areTasks = areTasks;
    return complaints;
}

void
JobManager::Expect(const std::vector<JobSpec>& jobs)
{
    m_rounds.Expect(jobs);
}

/** \return where the parameter servers of its jobs are: each where there are fewest */
std::vector<Placement>
JobManager::PlaceTaskServers(const CojobSpec& group)
{
    std::vector<Placement> placements;
    std::map<HostId, uint32_t> added;
    const auto& machines = m_book.GetView().machines;
    for (const JobSpec& job : group.jobs)
    {
        const auto fewest =
            std::min_element(machines.begin(), machines.end(), [&](const auto& a, const auto& b) {
                return a.servers + added[a.host] < b.servers + added[b.host];
            });
        ++added[fewest->host];
        placements.push_back(job.placement.value_or(Placement{{}, {{fewest->host, NO_GPU}}}));
    }
    return placements;
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
JobManager::LaunchSuccessor(GroupRecord& run, const StageDecision& decision)
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
    if (m_table.Find(id) == nullptr)
    {
        return; // disposed of
    }
    if (m_taken == id)
    {
        TakeNext();
    }
    GroupRecord& group = m_table.Get(id);
    m_arrivals.erase(m_arrivals.find(group.GetSpec().submit));
    group.NoteArrival();
    if (group.HasTasks())
    {
        m_cojobArrival(group.GetSpec());
        Start(group, PlaceTaskServers(group.GetSpec())); // its tasks wait for GPUs, not the job
        return;
    }
    EstimateJobs(group);
    m_offers.Enqueue(group);
    m_cojobArrival(group.GetSpec());
    m_offers.Offer();
}

void
JobManager::Start(GroupRecord& group,
                  const std::vector<Placement>& placements,
                  std::optional<JobId> after)
{
    NS_LOG_FUNCTION(this << group.GetId());
    const JobRecord* const first = after ? m_table.FindJob(*after) : nullptr;
    group.behind = first && first->IsStaying() ? after : std::nullopt;
    const bool isFirst = group.GetSuspensions() == 0;
    group.NoteStart();
    if (!group.HasTasks())
    {
        m_offers.NoteStart(group);
    }
    if (isFirst)
    {
        m_cojobStart(group.GetId());
    }
    const auto specs = group.ListLiveSpecs();
    for (std::size_t i = 0; i < specs.size(); ++i)
    {
        Launch(m_table.GetJob(specs[i].id), specs[i], placements[i]);
    }
}

/** \param spec of the job, with what was estimated */
void
JobManager::Launch(JobRecord& job, const JobSpec& spec, const Placement& placement)
{
    const CojobId cojob = job.group->GetId();
    RunSpec run =
        spec.hasTasks
            ? MakeTaskRunSpec(spec, cojob, placement.servers.front().host, *m_parts.cluster)
            : MakeRunSpec(spec, cojob, placement, *m_parts.cluster, m_plans);
    const auto gpus = ListGpus(placement).size();
    const bool usesNetwork = GetBusiestBytes(run.hostBytes) > 0;
    run.number = job.run ? job.run->number + 1 : 1;
    run.first = job.heard;
    run.iterations = CountIterations(job.group->GetSpec());
    run.isGated = usesNetwork && m_parts.coordinator->GetGateKeeper().IsAsked();
    run.reportsIterations = usesNetwork && m_parts.coordinator->OrdersCoflows();
    const SwitchSpec& switching = m_parts.switching;
    const SwitchCost& cost = switching.Get(spec.model.name);
    run.launch = cost.GetLaunch(gpus);
    run.save = cost.GetSave(gpus);
    run.finish = cost.finish;
    run.checkpointEvery = switching.checkpointEvery;
    const double state =
        switching.storage ? switching.storage->ratio * static_cast<double>(spec.model.bytes) : 0;
    if (state >= 1)
    {
        run.SetStorage({switching.storage->host, static_cast<uint64_t>(state)});
    }
    const auto shared = std::make_shared<const RunSpec>(std::move(run));
    job.group->NoteRunStart(job, shared);
    m_book.Add(job);
    m_grant(shared);
    m_parts.coordinator->LaunchRun(job);
}

void
JobManager::HandleLaunched(JobId id)
{
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    if (!group.NoteLaunched(job))
    {
        return;
    }
    if (group.behind)
    {
        group.isLoaded = true;
        return;
    }
    Begin(group);
}

/** The job has trained, or must give back its GPU: the job that has loaded behind it now trains. */
void
JobManager::BeginNext(JobId job)
{
    const JobTable::Groups& holders = m_table.GetHolders();
    const auto next = std::find_if(holders.begin(), holders.end(), [job](const auto* group) {
        return group->behind == job;
    });
    if (next == holders.end())
    {
        return;
    }
    GroupRecord& group = **next;
    group.behind.reset();
    if (std::exchange(group.isLoaded, false))
    {
        Begin(group);
    }
}

/** The jobs of the group have been launched: they run their stage. */
void
JobManager::Begin(GroupRecord& group)
{
    group.NoteRunning();
    m_parts.coordinator->AddGroup(group);
    if (group.GetStage() == 0)
    {
        BeginStage(group, group.GetCojob().Begin());
        BeginRounds(group);
    }
    else if (group.GetNextStage())
    {
        BeginStage(group, *std::exchange(group.GetNextStage(), std::nullopt));
    }
    else
    {
        m_parts.coordinator->StartStage(group);
    }
    if (m_parts.queue->IsPreemptive() || m_parts.sharing.next)
    {
        m_offers.Offer(); // it may give way now, or let another load
    }
}

/** No effect on jobs that are not made of tasks. */
void
JobManager::BeginRounds(GroupRecord& group)
{
    for (JobRecord& job : group.GetJobs())
    {
        if (job.spec->hasTasks)
        {
            m_rounds.Begin(job);
        }
    }
}

void
JobManager::BeginStage(GroupRecord& run, const StageDecision& decision)
{
    run.BeginStage(decision);
    m_stageRelease(run.GetSpec().id, decision);
    m_parts.coordinator->StartStage(run);
}

void
JobManager::HandleStageDone(JobId id, uint32_t stage)
{
    NS_LOG_FUNCTION(this << id << stage);
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    group.NoteStageDone(job);
    const auto decision = group.GetCojob().FinishStage(id);
    if (!decision)
    {
        return;
    }
    LaunchSuccessor(group, *decision);
    StopForGood(group, decision->stop);
    if (!decision->go.empty() && group.GetState() == GroupState::SUSPENDING)
    {
        group.GetNextStage() = *decision;
    }
    else if (!decision->go.empty())
    {
        BeginStage(group, *decision);
    }
}

void
JobManager::StopForGood(GroupRecord& group, const std::vector<JobId>& jobs)
{
    LearnFrom(group, jobs);
    m_revocation({jobs, ""});
    std::vector<JobId> running;
    for (const JobId job : jobs)
    {
        JobRecord& record = m_table.GetJob(job);
        if (record.live)
        {
            running.push_back(job);
        }
        group.NoteLeaving(record);
    }
    if (!running.empty())
    {
        m_parts.coordinator->StopJobs(running, true);
    }
    for (const JobId job : jobs)
    {
        BeginNext(job);
    }
}

/** What a job would use alone, each rank on a machine of its own. */
EstimateQuestion
JobManager::MakeQuestion(const JobRecord& job) const
{
    const JobSpec& spec = *job.spec;
    const HostId any = m_parts.cluster->GetHosts().front();
    return {spec,
            CountIterations(job.group->GetSpec()),
            ComputeUsage(spec,
                         {spec.model.input + spec.model.forward + spec.model.backward,
                          GetUncontendedTime(spec, m_parts.cluster->GetRate(any)),
                          1,
                          0})};
}

/** What the jobs of a group that waits will use. Of GPUs that are shared, a plain job gets the
 * memory that is estimated, and no more (Liquid §6.2). */
void
JobManager::EstimateJobs(GroupRecord& group)
{
    if (!IsEstimating())
    {
        return;
    }
    for (JobRecord& job : group.GetJobs())
    {
        const auto usage = m_parts.estimator->Estimate(MakeQuestion(job));
        JobEstimate estimate{usage.value_or(MakeDefaultUsage()), usage.has_value(), 0};
        const bool isSure = group.GetSpec().plain && !job.spec->placement; // fits an empty cluster
        if (m_book.IsShared() && isSure && job.spec->model.gpuMemory > 0)
        {
            const double bytes = Get(estimate.usage.worker, UsageLabel::GPU_MEMORY);
            estimate.gpuMemory = static_cast<uint64_t>(
                std::clamp(std::ceil(bytes), 1.0, static_cast<double>(m_largestGpu)));
        }
        job.estimate = estimate;
    }
}

bool
JobManager::IsEstimating() const
{
    return m_parts.estimator && m_parts.estimator->IsAsked();
}

/** The estimator learns what jobs that leave have used; others that wait may get other estimates.
 */
void
JobManager::LearnFrom(const GroupRecord& group, const std::vector<JobId>& jobs)
{
    bool isChanged = false;
    for (const JobRecord& record : group.GetJobs())
    {
        const JobSpec& job = *record.spec;
        const bool isLeaving = std::find(jobs.begin(), jobs.end(), job.id) != jobs.end();
        auto used = isLeaving && IsEstimating() ? m_parts.oracle->GetUsage(job.id) : std::nullopt;
        const std::optional<JobEstimate>& expected = record.estimate;
        if (!used || !expected)
        {
            continue;
        }
        // What it needs, whatever it was given.
        const auto memory = static_cast<double>(job.model.gpuMemory);
        Get(used->worker, UsageLabel::GPU_MEMORY) = memory;
        Get(used->server, UsageLabel::GPU_MEMORY) =
            job.servers > 0 && job.serverGpus > 0 ? memory : 0;
        m_estimate({job.id,
                    job.servers > 0,
                    expected->isPredicted ? std::make_optional(expected->usage) : std::nullopt,
                    *used});
        isChanged = m_parts.estimator->Learn(MakeQuestion(record), *used) || isChanged;
    }
    if (!isChanged)
    {
        return; // without going through all who wait
    }
    for (auto& [id, waiting] : m_table.GetGroups())
    {
        if (waiting.GetState() == GroupState::WAITING)
        {
            EstimateJobs(waiting);
            m_offers.NoteDemand(waiting);
        }
    }
}

bool
JobManager::IsRunning(CojobId id) const
{
    const GroupRecord* const group = m_table.Find(id);
    return group && group->GetState() == GroupState::RUNNING;
}

void
JobManager::TakeBack(GroupRecord& group, const std::string& reason)
{
    group.NoteSuspension(reason);
    m_revocation({group.ListStaying(), reason});
    m_offers.NoteSuspension(group);
}

void
JobManager::Suspend(CojobId id)
{
    Suspend(m_table.Get(id), "suspended");
}

void
JobManager::Suspend(GroupRecord& group, const std::string& reason)
{
    NS_LOG_FUNCTION(this << group.GetId());
    NS_ABORT_MSG_IF(group.GetState() != GroupState::RUNNING,
                    "group " << group.GetId() << " does not run");
    NS_ABORT_MSG_IF(group.HasTasks(), "group " << group.GetId() << " holds no GPUs to take");
    TakeBack(group, reason);
    m_parts.coordinator->PauseJobs(group.ListStaying());
}

void
JobManager::Kill(CojobId id)
{
    NS_LOG_FUNCTION(this << id);
    GroupRecord& group = m_table.Get(id);
    NS_ABORT_MSG_IF(group.GetState() != GroupState::RUNNING, "group " << id << " does not run");
    NS_ABORT_MSG_IF(group.HasTasks(), "group " << id << " holds no GPUs to take");
    TakeBack(group, "killed");
    m_parts.coordinator->StopJobs(group.ListStaying());
}

void
JobManager::HandlePaused(JobId id, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << id << iterations);
    JobRecord& job = m_table.GetJob(id);
    job.heard = iterations;
    job.saved = iterations;
    m_parts.coordinator->StopJobs({id});
}

void
JobManager::HandleSaved(JobId id, uint32_t run, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << id << run << iterations);
    JobRecord* const job = m_table.FindJob(id);
    if (job && job->HoldsGpus() && job->run->number == run) // else that run has ended meanwhile
    {
        job->saved = iterations;
    }
}

void
JobManager::HandleStopped(JobId id, std::optional<uint64_t> iterations, const WorkerNoise& noise)
{
    NS_LOG_FUNCTION(this << id);
    m_return(id);
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    const bool isLost = job.isLost;
    const uint64_t done = isLost ? job.saved : iterations.value_or(job.saved);
    if (job.IsStaying() && group.HasFinishedStage(job, done))
    {
        HandleStageDone(id, group.GetStage()); // it was killed before its leader could say so
    }
    job.heard = done;
    group.NoteRunEnd(job, noise);
    if (!isLost) // else who has loaded behind it is lost with it
    {
        BeginNext(id); // unless that was done when it had trained
    }
    group.behind.reset();
    group.isLoaded = false;
    m_book.Remove(job);
    if (group.IsGone())
    {
        m_offers.Forget(group);
        m_table.Remove(group.GetId()); // a long workload must not pile up
    }
    else if (group.GetState() == GroupState::SUSPENDING && !group.HasRuns())
    {
        group.NoteWaitsAgain();
        EstimateJobs(group);
        m_offers.Enqueue(group);
    }
    m_offers.Offer();
    if (IsDone())
    {
        m_allDone();
    }
}

/** What runs there is lost, and goes on elsewhere from where it was last saved. */
void
JobManager::HandleFailed(const std::set<HostId>& machines)
{
    if (m_areTasks.value_or(false))
    {
        throw RunError("a server fails while jobs of tasks run, which cannot go on without it");
    }
    m_book.NoteFailed(machines);
    m_offers.NoteFailed(machines);
    for (auto& [id, group] : m_table.GetGroups())
    {
        const std::vector<JobId> there = group.ListStayingOn(machines);
        if (!there.empty())
        {
            EndRuns(group, there);
        }
    }
}

/** All jobs of a group lose their GPUs; of one that is losing them, those that are there. */
void
JobManager::EndRuns(GroupRecord& group, const std::vector<JobId>& there)
{
    std::vector<JobId> others;
    const bool isLaunching = group.GetState() == GroupState::LAUNCHING;
    if (group.GetState() != GroupState::SUSPENDING)
    {
        const std::vector<JobId> all = group.ListStaying();
        std::set_difference(all.begin(),
                            all.end(),
                            there.begin(),
                            there.end(),
                            std::back_inserter(others));
        group.NoteSuspension("failed");
        m_offers.NoteSuspension(group);
        m_revocation({others, "failed"});
    }
    m_revocation({there, "failed"});
    std::vector<JobId> live;
    std::vector<JobId> launching;
    for (const std::vector<JobId>* jobs : {&there, &std::as_const(others)})
    {
        for (const JobId job : *jobs)
        {
            JobRecord& record = m_table.GetJob(job);
            record.isLost = true;
            if (isLaunching)
            {
                launching.push_back(job);
            }
            else if (record.live) // else its machines were told to stop
            {
                live.push_back(job);
            }
        }
    }
    m_parts.coordinator->AbandonRuns(launching);
    m_parts.coordinator->StopJobs(live);
}

void
JobManager::HandleReturned(HostId machine)
{
    m_book.NoteReturned(machine);
}

void
JobManager::HandleSettled()
{
    m_offers.Offer();
}

void
JobManager::HandleTaskEnded(JobId job, GpuId gpu, uint64_t round)
{
    m_rounds.NoteTaskEnded(job, gpu, round);
}

void
JobManager::HandleRoundEnded(JobId job, uint64_t rounds)
{
    m_rounds.NoteRoundEnded(job, rounds);
}

Time
JobManager::GetNextChange() const
{
    const Time arrival = m_arrivals.empty() ? Time::Max() : *m_arrivals.begin();
    return std::min(arrival, m_offers.GetNextOffer());
}

std::vector<UnfinishedJob>
JobManager::GetUnfinished() const
{
    std::vector<UnfinishedJob> unfinished;
    for (const auto& [id, group] : m_table.GetGroups())
    {
        const std::string wait = m_offers.DescribeWait(id);
        for (UnfinishedJob& job : group.ListUnfinished())
        {
            job.state += wait.empty() ? "" : ": " + wait;
            unfinished.push_back(job);
        }
    }
    return unfinished;
}

} // namespace ns3::ddl
