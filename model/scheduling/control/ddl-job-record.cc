// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-record.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-training-job.h"

#include <array>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

namespace
{

// The tables of GroupRecord's comment.

constexpr std::array<std::pair<GroupState, GroupState>, 6> GROUP_CHANGES{
    {{GroupState::COMING, GroupState::WAITING},
     {GroupState::WAITING, GroupState::LAUNCHING},
     {GroupState::LAUNCHING, GroupState::RUNNING},
     {GroupState::LAUNCHING, GroupState::SUSPENDING},
     {GroupState::RUNNING, GroupState::SUSPENDING},
     {GroupState::SUSPENDING, GroupState::WAITING}}};

constexpr std::array<std::pair<JobState, JobState>, 7> JOB_CHANGES{
    {{JobState::IDLE, JobState::LAUNCHING},
     {JobState::IDLE, JobState::GONE},
     {JobState::LAUNCHING, JobState::RUNNING},
     {JobState::LAUNCHING, JobState::IDLE},
     {JobState::RUNNING, JobState::IDLE},
     {JobState::RUNNING, JobState::LEAVING},
     {JobState::LEAVING, JobState::GONE}}};

/** End the program unless the table has the change. \param what changes \param id its number */
template <typename Table, typename State, typename Id>
void
CheckChange(const Table& table, State from, State to, const char* what, Id id)
{
    NS_ABORT_MSG_UNLESS(std::count(table.begin(), table.end(), std::make_pair(from, to)) > 0,
                        what << id << " is in state " << static_cast<int>(from) << ", which "
                             << static_cast<int>(to) << " may not follow");
}

} // namespace

std::optional<uint64_t>
JobRecord::AskOracle() const
{
    const JobOracle* const oracle = group->m_table.GetOracle();
    return oracle && HoldsGpus() ? oracle->GetIterationsDone(GetId()) : std::nullopt;
}

uint64_t
JobRecord::GetIterationsDone() const
{
    return AskOracle().value_or(heard);
}

GroupRecord::GroupRecord(const CojobSpec& spec, JobTable& table)
    : m_cojob(spec),
      m_table(table),
      m_isPreemptible(std::all_of(spec.jobs.begin(),
                                  spec.jobs.end(),
                                  [](const JobSpec& job) { return job.preemptible; })),
      m_usesRounds(ddl::UsesRounds(spec))
{
    m_jobs.reserve(spec.jobs.size());
    for (const JobSpec& job : GetSpec().jobs)
    {
        m_jobs.emplace_back();
        m_jobs.back().group = this;
        m_jobs.back().spec = &job;
    }
}

/** Account for the time in the present state, and leave it. */
void
GroupRecord::Enter(GroupState state)
{
    CheckChange(GROUP_CHANGES, m_state, state, "group ", GetId());
    m_times = GetTimes();
    m_since = ClusterClock::Now();
    const GroupState before = std::exchange(m_state, state);
    if (state == GroupState::LAUNCHING)
    {
        m_lastStart = m_since;
    }
    m_table.NoteState(*this, before);
}

void
GroupRecord::Enter(JobRecord& job, JobState state)
{
    CheckChange(JOB_CHANGES, job.state, state, "job ", job.GetId());
    job.state = state;
    if (state == JobState::GONE)
    {
        m_table.m_jobs.erase(job.GetId());
    }
}

void
GroupRecord::NoteSuspension(const std::string& reason)
{
    Enter(GroupState::SUSPENDING);
    ++m_suspensions;
    m_suspensionReason = reason;
}

GroupTimes
GroupRecord::GetTimes() const
{
    GroupTimes times = m_times;
    const Time passed = ClusterClock::Now() - m_since;
    if (m_state == GroupState::WAITING)
    {
        times.waited += passed;
        times.firstWait += m_lastStart ? Time() : passed;
    }
    else if (m_state != GroupState::COMING)
    {
        times.occupied += passed;
        for (const JobRecord& job : m_jobs)
        {
            if (job.HoldsGpus())
            {
                times.service += Multiply(passed, job.run->job.CountGpus());
            }
        }
    }
    return times;
}

std::vector<JobSpec>
GroupRecord::ListLiveSpecs() const
{
    std::vector<JobSpec> specs;
    for (const JobRecord& job : m_jobs)
    {
        if (!job.IsStaying())
        {
            continue;
        }
        specs.push_back(*job.spec);
        if (job.estimate && job.estimate->gpuMemory > 0)
        {
            specs.back().model.gpuMemory = job.estimate->gpuMemory;
        }
    }
    return specs;
}

std::vector<JobId>
GroupRecord::ListStaying() const
{
    std::vector<JobId> staying;
    for (const JobRecord& job : m_jobs)
    {
        if (job.HoldsGpus() && job.IsStaying())
        {
            staying.push_back(job.GetId());
        }
    }
    std::sort(staying.begin(), staying.end());
    return staying;
}

std::vector<JobId>
GroupRecord::ListStayingOn(const std::set<HostId>& machines) const
{
    std::vector<JobId> there = ListStaying();
    const auto isElsewhere = [&](JobId job) {
        const std::vector<HostId>& hosts = m_table.GetJob(job).run->hosts;
        return std::none_of(hosts.begin(), hosts.end(), [&machines](HostId host) {
            return machines.count(host) > 0;
        });
    };
    there.erase(std::remove_if(there.begin(), there.end(), isElsewhere), there.end());
    return there;
}

void
GroupRecord::NoteRunStart(JobRecord& job, std::shared_ptr<const RunSpec> run)
{
    job.run = std::move(run);
    job.saved = job.run->first;
    job.isLost = false;
    Enter(job, JobState::LAUNCHING);
    m_heldGpus += ListGpus(job.GetPlacement()).size();
}

bool
GroupRecord::NoteLaunched(JobRecord& job)
{
    Enter(job, JobState::RUNNING);
    return !HasJob([](const JobRecord& each) { return each.state == JobState::LAUNCHING; });
}

void
GroupRecord::NoteStageDone(JobRecord& job)
{
    job.heard = CountIterationsBefore(m_stage + 1);
    job.saved = job.heard; // progress that was reported is not lost
}

/** \return whether it has not reported the present stage done. When the next stage is decided on
 * and has not begun, nobody is in a stage. */
bool
GroupRecord::IsInStage(const JobRecord& job) const
{
    return m_cojob.IsInStage(job.GetId()) && m_cojob.GetStage() == m_stage;
}

bool
GroupRecord::HasFinishedStage(const JobRecord& job, uint64_t iterations) const
{
    return IsInStage(job) && iterations == CountIterationsBefore(m_stage + 1);
}

void
GroupRecord::NoteRunEnd(JobRecord& job, const WorkerNoise& noise)
{
    m_times = GetTimes(); // the job held its GPUs until now
    m_since = ClusterClock::Now();
    for (const auto& [rank, times] : noise)
    {
        job.noise.insert_or_assign(rank, times);
    }
    m_heldGpus -= ListGpus(job.GetPlacement()).size();
    Enter(job, job.IsStaying() ? JobState::IDLE : JobState::GONE);
}

void
GroupRecord::NoteLeaving(JobRecord& job)
{
    Enter(job, job.HoldsGpus() ? JobState::LEAVING : JobState::GONE);
}

void
GroupRecord::BeginStage(const StageDecision& decision)
{
    m_stage = decision.stage;
    for (JobRecord& job : m_jobs)
    {
        if (job.live)
        {
            job.live->iterations = 0;
        }
    }
    m_release = ClusterClock::Now();
}

uint64_t
GroupRecord::CountIterationsBefore(uint32_t stage) const
{
    const auto& iterations = GetSpec().iterations;
    return std::accumulate(iterations.begin(),
                           iterations.begin() + std::max(stage, 1U) - 1,
                           uint64_t{0});
}

uint64_t
GroupRecord::CountIterationsLeft() const
{
    const uint64_t all = CountIterations(GetSpec());
    uint64_t done = m_lastStart ? all : 0;
    for (const JobRecord& job : m_jobs)
    {
        if (job.IsKnown() && job.IsStaying())
        {
            done = std::min(done, job.GetIterationsDone());
        }
    }
    return all - done;
}

GroupView
GroupRecord::AsView() const
{
    const CojobSpec& spec = GetSpec();
    const uint64_t iterations = CountIterationsLeft();
    GroupView group{spec.id, spec.submit, 0, 0};
    for (const JobRecord& record : m_jobs)
    {
        if (!record.IsStaying())
        {
            continue;
        }
        const JobSpec& job = *record.spec;
        ++group.jobs;
        const IterationCost cost = EstimateIteration(job);
        group.gpus += job.placement ? ListGpus(*job.placement).size() : job.CountGpus();
        group.remaining = Max(group.remaining, GetComputeTime(job, iterations));
        group.iteration = Max(group.iteration, GetComputeTime(job, 1));
        group.service = Multiply(group.service + GetRemainingService(cost, iterations), 1);
        if (record.IsKnown())
        {
            const uint64_t done = record.GetIterationsDone();
            group.computed = Max(group.computed, GetComputeTime(job, done));
        }
    }
    const GroupTimes times = GetTimes();
    group.running = m_state != GroupState::COMING && m_state != GroupState::WAITING;
    group.lasted = ClusterClock::Now() - (group.running ? *m_lastStart : m_since);
    group.lastStart = m_lastStart;
    group.waited = times.waited;
    group.occupied = times.occupied;
    group.attained = times.service;
    group.estimatedRemaining = group.remaining;
    return group;
}

bool
GroupRecord::MovesTo(const std::set<HostId>& machines) const
{
    return HasJob([&machines](const JobRecord& job) {
        const auto hosts = job.moveTo ? ListRankHosts(*job.moveTo) : std::vector<HostId>();
        return std::any_of(hosts.begin(), hosts.end(), [&machines](HostId host) {
            return machines.count(host) > 0;
        });
    });
}

GroupRequest
GroupRecord::AsRequest(const WaitHistory& waits) const
{
    const uint64_t left = CountIterationsLeft();
    GroupRequest request{ListLiveSpecs(), left, {}, ClusterClock::Now(), waits};
    const GroupTimes times = GetTimes();
    const bool isWaiting = m_state == GroupState::WAITING;
    for (const JobSpec& job : request.jobs)
    {
        const JobRecord& record = m_table.GetJob(job.id);
        JobView view = MakeJobView(job, left);
        view.group = GetId();
        view.submit = GetSpec().submit;
        view.waited = isWaiting ? request.now - m_since : Time();
        view.waitedBefore = times.waited - view.waited;
        view.occupied = times.occupied;
        view.attained = times.service;
        view.lastStart = m_lastStart;
        view.stopped = m_suspensionReason;
        view.usage = record.estimate ? std::make_optional(record.estimate->usage) : std::nullopt;
        if (record.IsKnown())
        {
            view.placement = record.GetPlacement();
            view.iterationsDone = record.GetIterationsDone();
        }
        request.views.push_back(std::move(view));
    }
    return request;
}

void
GroupRecord::NoteLive()
{
    for (JobRecord& job : m_jobs)
    {
        if (job.HoldsGpus())
        {
            const uint64_t first = job.run->first;
            job.live = LiveRun();
            job.live->iterations = first - std::min(first, CountIterationsBefore(m_stage));
        }
    }
    m_isCertifiable = FindCertifiable();
    m_table.m_live.insert(this);
}

void
GroupRecord::NoteNotLive(JobRecord& job)
{
    job.live.reset();
    if (!HasJob([](const JobRecord& other) { return other.live.has_value(); }))
    {
        m_table.m_live.erase(this);
    }
}

bool
GroupRecord::FindCertifiable() const
{
    return !GetSpec().plain && std::all_of(m_jobs.begin(), m_jobs.end(), [](const auto& job) {
        const ModelProfile& model = job.spec->model;
        return !job.IsKnown() ||
               (job.run->IsOnePhase() && (model.forward + model.backward).IsZero());
    });
}

std::vector<UnfinishedJob>
GroupRecord::ListUnfinished() const
{
    std::vector<UnfinishedJob> unfinished;
    for (const JobRecord& job : m_jobs)
    {
        if (job.state != JobState::GONE)
        {
            unfinished.push_back({GetId(), job.GetId(), DescribeState(job)});
        }
    }
    return unfinished;
}

std::string
GroupRecord::DescribeState(const JobRecord& job) const
{
    if (m_state == GroupState::COMING)
    {
        return "not arrived yet";
    }
    if (!job.run)
    {
        return "waiting for GPUs";
    }
    if (!job.HoldsGpus())
    {
        return "suspended after " + std::to_string(job.GetIterationsDone()) +
               " iterations, waiting for GPUs";
    }
    if (!job.IsStaying())
    {
        return "stopping";
    }
    if (m_state == GroupState::LAUNCHING)
    {
        return "being launched";
    }
    const std::string stage = "stage " + std::to_string(m_cojob.GetStage());
    if (!IsInStage(job))
    {
        return stage + " done";
    }
    const uint64_t all = m_cojob.GetIterations(m_cojob.GetStage());
    const uint64_t before = CountIterationsBefore(m_stage);
    const uint64_t done = job.GetIterationsDone();
    const uint64_t current = std::min(done - std::min(done, before) + 1, all);
    return stage + ", iteration " + std::to_string(current) + " of " + std::to_string(all) +
           (m_table.GetOracle() && m_table.GetOracle()->IsHeld(job.GetId()) ? ", waits for the gate"
                                                                            : "");
}

GroupRecord&
JobTable::Add(const CojobSpec& spec)
{
    const auto [added, isNew] = m_groups.emplace(std::piecewise_construct,
                                                 std::forward_as_tuple(spec.id),
                                                 std::forward_as_tuple(spec, *this));
    NS_ABORT_MSG_UNLESS(isNew, "cojob " << spec.id << " is there twice");
    for (JobRecord& job : added->second.m_jobs)
    {
        NS_ABORT_MSG_UNLESS(m_jobs.emplace(job.GetId(), &job).second,
                            "job " << job.GetId() << " is there twice");
    }
    return added->second;
}

void
JobTable::Remove(CojobId id)
{
    GroupRecord& group = Get(id);
    m_holders.erase(&group);
    if (group.GetLastStart())
    {
        m_ranked.erase(&group);
    }
    m_suspending.erase(&group);
    m_live.erase(&group);
    m_groups.erase(id);
}

GroupRecord*
JobTable::Find(CojobId group)
{
    const auto found = m_groups.find(group);
    return found == m_groups.end() ? nullptr : &found->second;
}

const GroupRecord*
JobTable::Find(CojobId group) const
{
    const auto found = m_groups.find(group);
    return found == m_groups.end() ? nullptr : &found->second;
}

GroupRecord&
JobTable::Get(CojobId group)
{
    return m_groups.at(group);
}

JobRecord*
JobTable::FindJob(JobId job) const
{
    const auto found = m_jobs.find(job);
    return found == m_jobs.end() ? nullptr : found->second;
}

JobRecord&
JobTable::GetJob(JobId job) const
{
    return *m_jobs.at(job);
}

void
JobTable::SetPriority(GroupRecord& group, const KnownPriority& priority)
{
    NS_ABORT_MSG_IF(m_ranked.erase(&group) == 0, "group " << group.GetId() << " has no GPUs");
    group.m_priority = priority;
    m_ranked.insert(&group);
}

void
JobTable::NoteState(GroupRecord& group, GroupState before)
{
    if (group.UsesRounds())
    {
        return;
    }
    if (group.GetState() == GroupState::LAUNCHING)
    {
        m_holders.insert(&group);
        m_ranked.insert(&group);
    }
    else if (group.GetState() == GroupState::SUSPENDING)
    {
        m_holders.erase(&group);
        m_ranked.erase(&group);
        m_suspending.insert(&group);
    }
    else if (before == GroupState::SUSPENDING)
    {
        m_suspending.erase(&group);
    }
}

} // namespace ns3::ddl
