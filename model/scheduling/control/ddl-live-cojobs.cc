// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-live-cojobs.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

namespace
{

/** \tparam Jobs of them, const or not */
template <typename Jobs>
auto
FindIn(Jobs& jobs, JobId id)
{
    return std::find_if(jobs.begin(), jobs.end(), [id](const LiveJob& job) {
        return job.job == id;
    });
}

/** \return iterations of the stages before the current one */
uint64_t
CountBefore(const LiveCojob& cojob)
{
    return std::accumulate(cojob.iterations.begin(),
                           cojob.iterations.begin() + std::max(cojob.stage, 1U) - 1,
                           uint64_t{0});
}

} // namespace

void
LiveCojobs::Add(const LiveCojob& cojob)
{
    NS_ABORT_MSG_IF(!m_cojobs.emplace(cojob.id, cojob).second,
                    "cojob " << cojob.id << " runs already");
    for (const auto& job : cojob.jobs)
    {
        m_cojobOf[job.job] = cojob.id;
    }
}

const LiveCojob&
LiveCojobs::StartStage(CojobId id, uint32_t stage, Time now)
{
    LiveCojob& cojob = m_cojobs.at(id);
    NS_ABORT_MSG_IF(stage < 1 || stage > cojob.iterations.size(),
                    "cojob " << id << " has no stage " << stage);
    if (cojob.stage != stage) // else it goes on after a suspension
    {
        cojob.stage = stage;
        cojob.release = now;
        for (auto& job : cojob.jobs)
        {
            job.iterationsDone = 0;
        }
    }
    return cojob;
}

LiveJob
LiveCojobs::Remove(CojobId id, JobId job)
{
    auto& live = m_cojobs.at(id).jobs;
    const auto leaving = FindIn(live, job);
    NS_ABORT_MSG_IF(leaving == live.end(), "job " << job << " is not live");
    const LiveJob known = *leaving;
    live.erase(leaving);
    m_cojobOf.erase(job);
    if (live.empty())
    {
        m_cojobs.erase(id);
    }
    return known;
}

const LiveJob&
LiveCojobs::Get(JobId job) const
{
    const auto cojob = m_cojobOf.find(job);
    NS_ABORT_MSG_IF(cojob == m_cojobOf.end(), "job " << job << " is not live");
    return *FindIn(m_cojobs.at(cojob->second).jobs, job);
}

LiveJob*
LiveCojobs::Find(JobId job)
{
    const auto id = m_cojobOf.find(job);
    return id == m_cojobOf.end() ? nullptr : &*FindIn(m_cojobs.at(id->second).jobs, job);
}

void
LiveCojobs::NoteStarted(JobId job)
{
    if (LiveJob* known = Find(job))
    {
        known->inProgress = true;
    }
}

void
LiveCojobs::NoteDone(const StageDone& message)
{
    LiveJob* job = Find(message.job);
    if (!job)
    {
        return; // its run was told to stop before the coordinator heard of this
    }
    const LiveCojob& cojob = m_cojobs.at(m_cojobOf.at(message.job));
    NS_ABORT_MSG_IF(message.stage != cojob.stage,
                    "job " << message.job << " is not in stage " << message.stage);
    job->iterationsDone = cojob.iterations.at(message.stage - 1);
    job->inProgress = false;
}

void
LiveCojobs::NoteProgress(const JobProgress& progress)
{
    LiveJob* job = Find(progress.job);
    if (!job)
    {
        return;
    }
    const LiveCojob& cojob = m_cojobs.at(m_cojobOf.at(progress.job));
    const uint64_t before = CountBefore(cojob);
    if (progress.stage == cojob.stage && progress.iterationsDone > before)
    {
        job->iterationsDone = std::max(job->iterationsDone, progress.iterationsDone - before);
    }
}

bool
LiveCojobs::NoteCoflow(const CoflowStarted& message, Time now)
{
    LiveJob* job = Find(message.job);
    if (job)
    {
        job->coflows.push_back({message.iteration, now});
    }
    return job != nullptr;
}

bool
LiveCojobs::NoteCoflow(const CoflowEnded& message)
{
    LiveJob* job = Find(message.job);
    if (!job)
    {
        return false;
    }
    NS_ABORT_MSG_IF(job->coflows.empty() || job->coflows.front().iteration != message.iteration,
                    "coflow " << message.iteration << " of job " << message.job
                              << " ends out of turn");
    job->coflows.pop_front();
    return true;
}

void
LiveCojobs::NoteBytes(HostId machine, const JobBytes& bytes)
{
    LiveJob* const job = Find(bytes.job);
    if (job && job->run == bytes.run) // else the answer crossed the end of that run
    {
        job->moved[machine] = {bytes.sent, bytes.received};
    }
}

std::set<HostId>
LiveCojobs::ListCoflowMachines() const
{
    std::set<HostId> machines;
    for (const auto& [id, cojob] : m_cojobs)
    {
        for (const auto& job : cojob.jobs)
        {
            if (!job.coflows.empty())
            {
                machines.insert(job.machines.begin(), job.machines.end());
            }
        }
    }
    return machines;
}

std::set<HostId>
LiveCojobs::ListBusyLeaders() const
{
    std::set<HostId> leaders;
    for (const auto& [id, cojob] : m_cojobs)
    {
        for (const auto& job : cojob.jobs)
        {
            if (job.inProgress)
            {
                leaders.insert(job.leader);
            }
        }
    }
    return leaders;
}

std::vector<PresentJob>
LiveCojobs::ListPresentJobs(UnitKind kind) const
{
    std::vector<PresentJob> present;
    for (const auto& [id, cojob] : m_cojobs)
    {
        for (const auto& job : cojob.jobs)
        {
            if (kind == UnitKind::COFLOW && job.coflows.empty())
            {
                continue;
            }
            const uint64_t iteration = job.coflows.empty() ? 0 : job.coflows.front().iteration;
            const UnitKey unit = GetUnitKey(kind, id, cojob.stage, job.job, iteration);
            present.push_back({job.job, cojob.stage, unit, ListNetworkHosts(job.bytes)});
        }
    }
    return present;
}

} // namespace ns3::ddl
