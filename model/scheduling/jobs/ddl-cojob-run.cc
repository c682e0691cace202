// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cojob-run.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>

namespace ns3::ddl
{

CojobRun::CojobRun(const CojobSpec& spec)
    : m_cojob(spec),
      m_stages(spec.id, spec.submit)
{
    for (const auto& job : spec.jobs)
    {
        m_unended.insert(job.id);
    }
}

void
CojobRun::NoteArrival()
{
    m_arrived = true;
}

void
CojobRun::AddJob(Ptr<Job> job)
{
    m_jobs[job->GetId()] = job;
    job->SetIterations(CountIterations(GetSpec()));
}

Ptr<Job>
CojobRun::GetJob(JobId job) const
{
    return m_jobs.at(job);
}

void
CojobRun::RemoveJob(JobId job)
{
    m_jobs.erase(job);
}

bool
CojobRun::NoteEnd(JobId job)
{
    return m_unended.erase(job) > 0;
}

void
CojobRun::BeginStage(const StageDecision& decision)
{
    std::vector<StageBook::Participant> participants;
    for (const JobId job : decision.go)
    {
        participants.push_back({job, m_jobs.at(job)->GetBytes()});
    }
    m_stages.Begin(decision.stage, participants);
}

WaitingGroup
CojobRun::AsWaitingGroup() const
{
    const CojobSpec& spec = GetSpec();
    const uint64_t iterations = CountIterations(spec);
    WaitingGroup group{spec.id, spec.submit, static_cast<uint32_t>(spec.jobs.size()), 0};
    for (const auto& job : spec.jobs)
    {
        const IterationCost cost = EstimateIteration(job);
        group.gpus += job.placement ? ListGpus(*job.placement).size() : job.workers;
        group.remaining = Max(group.remaining, GetComputeTime(job, iterations));
        group.service = Multiply(group.service + GetRemainingService(cost, iterations), 1);
    }
    return group;
}

LiveCojob
CojobRun::AsLiveCojob() const
{
    LiveCojob live;
    live.id = GetSpec().id;
    live.arrival = GetSpec().submit;
    live.iterations = GetSpec().iterations;
    live.certifiable = IsCertifiable();
    for (const auto& [id, job] : m_jobs)
    {
        LiveJob known;
        known.job = id;
        known.leader = job->GetLeader();
        known.machines = job->GetHosts();
        known.bytes = job->GetHostBytes();
        known.weight = job->GetSpec().weight;
        known.cost = job->GetIterationCost();
        known.lastStage = m_cojob.GetLastStage(id);
        live.jobs.push_back(known);
    }
    return live;
}

bool
CojobRun::IsCertifiable() const
{
    return !GetSpec().plain && std::all_of(m_jobs.begin(), m_jobs.end(), [](const auto& entry) {
        const ModelProfile& model = entry.second->GetSpec().model;
        return entry.second->IsOnePhase() && (model.forward + model.backward).IsZero();
    });
}

std::vector<UnfinishedJob>
CojobRun::ListUnfinished() const
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
CojobRun::DescribeState(JobId id) const
{
    if (!m_arrived)
    {
        return "not arrived yet";
    }
    const auto launched = m_jobs.find(id);
    if (launched == m_jobs.end())
    {
        return "waiting for GPUs";
    }
    if (m_unended.count(id) == 0)
    {
        return "stopping";
    }
    const std::string stage = "stage " + std::to_string(m_cojob.GetStage());
    if (!m_stages.IsIn(id))
    {
        return stage + " done";
    }
    // Until its ranks have been told to start, the job still counts the stage before.
    const Job& job = *launched->second;
    const bool started = job.GetStage() == m_cojob.GetStage();
    const uint64_t all = m_cojob.GetIterations(m_cojob.GetStage());
    const uint64_t current = started ? std::min(job.GetStageIterationsDone() + 1, all) : 1;
    return stage + ", iteration " + std::to_string(current) + " of " + std::to_string(all) +
           (job.IsHeld() ? ", waits for the gate" : "");
}

} // namespace ns3::ddl
