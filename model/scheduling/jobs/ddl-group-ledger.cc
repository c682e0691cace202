// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-group-ledger.h"

#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

GroupLedger::GroupLedger(const CojobSpec& spec, const JobOracle* oracle)
    : m_cojob(spec),
      m_oracle(oracle),
      m_isPreemptible(std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) {
          return job.preemptible;
      }))
{
    for (const auto& job : spec.jobs)
    {
        m_unended.insert(job.id);
    }
}

/** Put the time of the present state on its account. */
void
GroupLedger::EnterState(GroupState state)
{
    m_times = GetTimes();
    m_state = state;
    m_since = ClusterClock::Now();
}

void
GroupLedger::NoteArrival()
{
    EnterState(GroupState::WAITING);
}

void
GroupLedger::NoteStart()
{
    EnterState(GroupState::LAUNCHING);
    m_lastStart = m_since;
}

void
GroupLedger::NoteRunning()
{
    EnterState(GroupState::RUNNING);
}

void
GroupLedger::NoteSuspension(const std::string& reason)
{
    EnterState(GroupState::SUSPENDING);
    ++m_suspensions;
    m_suspensionReason = reason;
}

void
GroupLedger::NoteWaitsAgain()
{
    EnterState(GroupState::WAITING);
}

GroupTimes
GroupLedger::GetTimes() const
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
        for (const JobId job : m_running)
        {
            times.service += Multiply(passed, m_jobs.at(job).GetSpec().CountGpus());
        }
    }
    return times;
}

/** \return whether the job will run again, or go on running */
bool
GroupLedger::IsStaying(JobId job) const
{
    return m_unended.count(job) > 0 && !IsLeaving(job);
}

std::vector<JobSpec>
GroupLedger::ListLiveSpecs() const
{
    std::vector<JobSpec> specs;
    for (const auto& spec : GetSpec().jobs)
    {
        if (!IsStaying(spec.id))
        {
            continue;
        }
        specs.push_back(spec);
        const Estimate* const estimate = GetEstimate(spec.id);
        if (estimate && estimate->gpuMemory > 0)
        {
            specs.back().model.gpuMemory = estimate->gpuMemory;
        }
    }
    return specs;
}

const GroupLedger::Estimate*
GroupLedger::GetEstimate(JobId job) const
{
    const auto found = m_estimates.find(job);
    return found == m_estimates.end() ? nullptr : &found->second;
}

std::vector<JobId>
GroupLedger::ListStaying() const
{
    std::vector<JobId> staying;
    for (const JobId job : m_running)
    {
        if (!IsLeaving(job))
        {
            staying.push_back(job);
        }
    }
    return staying;
}

bool
GroupLedger::HasStaying() const
{
    return std::any_of(m_running.begin(), m_running.end(), [this](JobId job) {
        return !IsLeaving(job);
    });
}

void
GroupLedger::NoteRunStart(std::shared_ptr<const RunSpec> run)
{
    const JobId id = run->GetId();
    JobLedger& job = m_jobs[id];
    job.run = std::move(run);
    job.saved = job.run->first;
    job.isOver = false;
    job.isLost = false;
    job.oracle = m_oracle;
    m_running.insert(id);
    m_launching.insert(id);
    m_heldGpus += ListGpus(job.GetPlacement()).size();
}

bool
GroupLedger::NoteLaunched(JobId job)
{
    m_launching.erase(job);
    return m_launching.empty();
}

void
GroupLedger::NoteStageDone(JobId job)
{
    m_inStage.erase(job);
    NoteIterations(job, CountIterationsBefore(m_stage + 1));
    m_jobs.at(job).saved = m_jobs.at(job).heard; // what was reported does not go back
}

void
GroupLedger::NoteSaved(JobId job, uint64_t iterations)
{
    m_jobs.at(job).saved = iterations;
}

void
GroupLedger::NoteLost(JobId job)
{
    m_jobs.at(job).isLost = true;
}

bool
GroupLedger::HasFinishedStage(JobId job, uint64_t iterations) const
{
    return m_inStage.count(job) > 0 && iterations == CountIterationsBefore(m_stage + 1);
}

void
GroupLedger::NoteIterations(JobId job, uint64_t iterations)
{
    m_jobs.at(job).heard = iterations;
}

std::vector<JobId>
GroupLedger::ListStayingOn(const std::set<HostId>& machines) const
{
    std::vector<JobId> there;
    for (const JobId job : ListStaying())
    {
        const std::vector<HostId>& hosts = m_jobs.at(job).run->hosts;
        if (std::any_of(hosts.begin(), hosts.end(), [&machines](HostId host) {
                return machines.count(host) > 0;
            }))
        {
            there.push_back(job);
        }
    }
    return there;
}

void
GroupLedger::NoteRunEnd(JobId id, const WorkerNoise& noise)
{
    m_times = GetTimes(); // the job held its GPUs until now
    m_since = ClusterClock::Now();
    JobLedger& job = m_jobs.at(id);
    for (const auto& [rank, times] : noise)
    {
        job.noise.insert_or_assign(rank, times);
    }
    job.isOver = true;
    m_running.erase(id);
    m_launching.erase(id);
    m_heldGpus -= ListGpus(job.GetPlacement()).size();
}

const JobLedger*
GroupLedger::GetJob(JobId job) const
{
    const auto found = m_jobs.find(job);
    return found == m_jobs.end() ? nullptr : &found->second;
}

void
GroupLedger::RemoveJob(JobId job)
{
    m_jobs.erase(job);
    m_leaving.erase(job);
}

void
GroupLedger::BeginStage(const StageDecision& decision)
{
    m_stage = decision.stage;
    m_inStage = {decision.go.begin(), decision.go.end()};
    m_release = ClusterClock::Now();
}

/** \return iterations of the stages before that one, from 1 */
uint64_t
GroupLedger::CountIterationsBefore(uint32_t stage) const
{
    const auto& iterations = GetSpec().iterations;
    return std::accumulate(iterations.begin(),
                           iterations.begin() + std::max(stage, 1U) - 1,
                           uint64_t{0});
}

uint64_t
JobLedger::GetIterationsDone() const
{
    const auto known = oracle && !isOver ? oracle->GetIterationsDone(run->GetId()) : std::nullopt;
    return known.value_or(heard);
}

uint64_t
GroupLedger::CountIterationsLeft() const
{
    const uint64_t all = CountIterations(GetSpec());
    uint64_t done = m_lastStart ? all : 0;
    for (const auto& [id, job] : m_jobs)
    {
        done = std::min(done, IsLeaving(id) ? all : job.GetIterationsDone());
    }
    return all - done;
}

GroupView
GroupLedger::AsView() const
{
    const CojobSpec& spec = GetSpec();
    const uint64_t iterations = CountIterationsLeft();
    GroupView group{spec.id, spec.submit, 0, 0};
    for (const auto& job : spec.jobs)
    {
        if (!IsStaying(job.id))
        {
            continue;
        }
        ++group.jobs;
        const IterationCost cost = EstimateIteration(job);
        group.gpus += job.placement ? ListGpus(*job.placement).size() : job.CountGpus();
        group.remaining = Max(group.remaining, GetComputeTime(job, iterations));
        group.iteration = Max(group.iteration, GetComputeTime(job, 1));
        group.service = Multiply(group.service + GetRemainingService(cost, iterations), 1);
        const auto launched = m_jobs.find(job.id);
        if (launched != m_jobs.end())
        {
            const uint64_t done = launched->second.GetIterationsDone();
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

GroupRequest
GroupLedger::AsRequest(const WaitHistory& waits) const
{
    const uint64_t left = CountIterationsLeft();
    GroupRequest request{ListLiveSpecs(), left, {}, ClusterClock::Now(), waits};
    const GroupTimes times = GetTimes();
    const bool isWaiting = m_state == GroupState::WAITING;
    for (const JobSpec& job : request.jobs)
    {
        JobView view = MakeJobView(job, left);
        view.group = GetSpec().id;
        view.submit = GetSpec().submit;
        view.waited = isWaiting ? request.now - m_since : Time();
        view.waitedBefore = times.waited - view.waited;
        view.occupied = times.occupied;
        view.attained = times.service;
        view.lastStart = m_lastStart;
        view.stopped = m_suspensionReason;
        const Estimate* const estimate = GetEstimate(job.id);
        view.usage = estimate ? std::make_optional(estimate->usage) : std::nullopt;
        const auto launched = m_jobs.find(view.id);
        if (launched != m_jobs.end())
        {
            view.placement = launched->second.GetPlacement();
            view.iterationsDone = launched->second.GetIterationsDone();
        }
        request.views.push_back(std::move(view));
    }
    return request;
}

LiveCojob
GroupLedger::AsLiveCojob() const
{
    LiveCojob live;
    live.id = GetSpec().id;
    live.arrival = GetSpec().submit;
    live.iterations = GetSpec().iterations;
    live.certifiable = IsCertifiable();
    live.stage = m_nextStage ? 0 : m_stage;
    live.release = m_release;
    for (const JobId id : m_running)
    {
        const JobLedger& job = m_jobs.at(id);
        const RunSpec& run = *job.run;
        LiveJob known;
        known.run = run.number;
        known.iterationsDone = run.first - std::min(run.first, CountIterationsBefore(m_stage));
        known.iterationsBefore = run.first;
        known.job = id;
        known.leader = run.GetLeader();
        known.machines = run.ListMachines();
        known.hosts = run.hosts;
        known.bytes = run.hostBytes;
        known.weight = run.job.weight;
        known.cost = run.cost;
        known.lastStage = m_cojob.GetLastStage(id);
        live.jobs.push_back(known);
    }
    return live;
}

bool
GroupLedger::IsCertifiable() const
{
    return !GetSpec().plain && std::all_of(m_jobs.begin(), m_jobs.end(), [](const auto& entry) {
        const ModelProfile& model = entry.second.GetSpec().model;
        return entry.second.run->IsOnePhase() && (model.forward + model.backward).IsZero();
    });
}

std::vector<UnfinishedJob>
GroupLedger::ListUnfinished() const
{
    std::vector<UnfinishedJob> unfinished;
    for (const auto& spec : GetSpec().jobs)
    {
        if (m_unended.count(spec.id) > 0 || m_jobs.count(spec.id) > 0)
        {
            unfinished.push_back({GetSpec().id, spec.id, DescribeState(spec.id)});
        }
    }
    return unfinished;
}

std::string
GroupLedger::DescribeState(JobId id) const
{
    if (m_state == GroupState::COMING)
    {
        return "not arrived yet";
    }
    const auto launched = m_jobs.find(id);
    if (launched == m_jobs.end())
    {
        return "waiting for GPUs";
    }
    if (m_running.count(id) == 0)
    {
        return "suspended after " + std::to_string(launched->second.GetIterationsDone()) +
               " iterations, waiting for GPUs";
    }
    if (m_unended.count(id) == 0)
    {
        return "stopping";
    }
    if (m_state == GroupState::LAUNCHING)
    {
        return "being launched";
    }
    const std::string stage = "stage " + std::to_string(m_cojob.GetStage());
    if (m_inStage.count(id) == 0)
    {
        return stage + " done";
    }
    const uint64_t all = m_cojob.GetIterations(m_cojob.GetStage());
    const uint64_t before = CountIterationsBefore(m_stage);
    const uint64_t done = launched->second.GetIterationsDone();
    const uint64_t current = std::min(done - std::min(done, before) + 1, all);
    return stage + ", iteration " + std::to_string(current) + " of " + std::to_string(all) +
           (m_oracle && m_oracle->IsHeld(id) ? ", waits for the gate" : "");
}

} // namespace ns3::ddl
