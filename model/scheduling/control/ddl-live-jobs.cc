// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-live-jobs.h"

#include "ns3/abort.h"
#include "ns3/ddl-nic-bytes.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** \return the job, if it is live; null otherwise */
JobRecord*
FindLive(const JobTable& table, JobId id)
{
    JobRecord* const job = table.FindJob(id);
    return job && job->live ? job : nullptr;
}

/** \return machines that `list` adds, of all live jobs for which `isWanted` holds */
template <typename IsWanted, typename List>
std::set<HostId>
ListMachines(const JobTable::Groups& live, IsWanted isWanted, List list)
{
    std::set<HostId> machines;
    for (const GroupRecord* const group : live)
    {
        for (const JobRecord& job : group->GetJobs())
        {
            if (job.live && isWanted(*job.live))
            {
                list(*job.run, machines);
            }
        }
    }
    return machines;
}

} // namespace

void
NoteDone(const JobTable& table, const StageDone& message)
{
    JobRecord* const job = FindLive(table, message.job);
    if (!job)
    {
        return; // its run was told to stop before the coordinator heard of this
    }
    const GroupRecord& group = *job->group;
    NS_ABORT_MSG_IF(message.stage != group.GetStage(),
                    "job " << message.job << " is not in stage " << message.stage);
    job->live->iterations = group.GetSpec().iterations.at(message.stage - 1);
    job->live->inProgress = false;
}

void
NoteProgress(const JobTable& table, const JobProgress& progress)
{
    JobRecord* const job = FindLive(table, progress.job);
    if (!job || progress.stage != job->group->GetStage())
    {
        return;
    }
    const uint64_t before = job->group->CountIterationsBefore(progress.stage);
    const uint64_t done = progress.iterationsDone - std::min(progress.iterationsDone, before);
    job->live->iterations = std::max(job->live->iterations, done);
}

bool
NoteCoflow(const JobTable& table, const CoflowStarted& message, Time now)
{
    JobRecord* const job = FindLive(table, message.job);
    if (job)
    {
        job->live->coflows.push_back({message.iteration, now});
    }
    return job != nullptr;
}

bool
NoteCoflow(const JobTable& table, const CoflowEnded& message)
{
    JobRecord* const job = FindLive(table, message.job);
    if (!job)
    {
        return false;
    }
    auto& coflows = job->live->coflows;
    NS_ABORT_MSG_IF(coflows.empty() || coflows.front().iteration != message.iteration,
                    "coflow " << message.iteration << " of job " << message.job
                              << " ends out of turn");
    coflows.pop_front();
    return true;
}

void
NoteBytes(const JobTable& table, HostId machine, const JobBytes& bytes)
{
    JobRecord* const job = FindLive(table, bytes.job);
    if (job && job->run->number == bytes.run) // else the answer crossed the end of that run
    {
        job->live->moved[machine] = {bytes.sent, bytes.received};
    }
}

std::set<HostId>
ListBusyLeaders(const JobTable::Groups& live)
{
    return ListMachines(
        live,
        [](const LiveRun& run) { return run.inProgress; },
        [](const RunSpec& run, std::set<HostId>& machines) { machines.insert(run.GetLeader()); });
}

std::set<HostId>
ListCoflowMachines(const JobTable::Groups& live)
{
    return ListMachines(
        live,
        [](const LiveRun& run) { return !run.coflows.empty(); },
        [](const RunSpec& run, std::set<HostId>& machines) {
            machines.insert(run.machines.begin(), run.machines.end());
        });
}

std::vector<PresentJob>
ListPresentJobs(const JobTable::Groups& live, UnitKind kind)
{
    std::vector<PresentJob> present;
    for (GroupRecord* const group : live)
    {
        const uint32_t stage = group->GetStage();
        for (JobRecord& job : group->GetJobs())
        {
            if (!job.live || (kind == UnitKind::COFLOW && job.live->coflows.empty()))
            {
                continue;
            }
            const auto& coflows = job.live->coflows;
            const uint64_t iteration = coflows.empty() ? 0 : coflows.front().iteration;
            const UnitKey unit = GetUnitKey(kind, group->GetId(), stage, job.GetId(), iteration);
            present.push_back({&job, stage, unit, ListNetworkHosts(job.run->hostBytes)});
        }
    }
    return present;
}

} // namespace ns3::ddl
