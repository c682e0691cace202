// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gang-round-scheduler.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GangRoundScheduler);

namespace
{

/** \return whether a task of the job's present round has been assigned */
bool
IsInRound(const RoundJob& job)
{
    return job.open < job.tasks;
}

} // namespace

TypeId
GangRoundScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::GangRoundScheduler").SetParent<RoundScheduler>().SetGroupName("Ddl");
    return tid;
}

std::vector<RoundAssignment>
GangRoundScheduler::DoAssign(const RoundView& view)
{
    if (!IsPreemptive() && view.changed < view.now)
    {
        return GoOn(view); // no GPU has become free for waiting jobs
    }
    const std::vector<const RoundJob*> taken = TakeJobs(view);
    std::vector<bool> isHeld(view.gpus.size(), false);
    const auto hold = [&isHeld](const RoundJob& job) {
        for (const uint32_t gpu : job.gpus)
        {
            isHeld[gpu] = true;
        }
    };
    for (const RoundJob* job : taken)
    {
        hold(*job);
    }
    for (const RoundJob& job : view.jobs)
    {
        if (IsInRound(job))
        {
            hold(job); // all its GPUs until the round ends, also those whose task has ended
        }
    }
    std::vector<RoundAssignment> answer;
    for (const RoundJob* job : taken)
    {
        if (IsInRound(*job))
        {
            continue;
        }
        if (!job->gpus.empty())
        {
            answer.push_back({job->id, job->gpus});
            continue;
        }
        std::vector<uint32_t> idle;
        for (uint32_t gpu = 0; gpu < view.gpus.size(); ++gpu)
        {
            if (view.gpus[gpu].idle && !isHeld[gpu])
            {
                idle.push_back(gpu);
            }
        }
        const std::vector<uint32_t> picked =
            idle.size() < job->tasks ? std::vector<uint32_t>() : PickGpus(view, *job, idle);
        if (picked.size() == job->tasks)
        {
            answer.push_back({job->id, picked});
            for (const uint32_t gpu : picked)
            {
                isHeld[gpu] = true;
            }
        }
        else if (BlocksAtHead())
        {
            // Later jobs that wait for GPUs have to wait for this one.
            break;
        }
    }
    return answer;
}

/** \return assignments of the next rounds of jobs that have GPUs */
std::vector<RoundAssignment>
GangRoundScheduler::GoOn(const RoundView& view)
{
    std::vector<RoundAssignment> answer;
    for (const RoundJob& job : view.jobs)
    {
        if (!IsInRound(job) && !job.gpus.empty())
        {
            answer.push_back({job.id, job.gpus});
        }
    }
    return answer;
}

/** \return the taken jobs, in their order; jobs that cannot lose their GPUs first */
std::vector<const RoundJob*>
GangRoundScheduler::TakeJobs(const RoundView& view)
{
    std::vector<std::tuple<bool, double, Time, JobId, const RoundJob*>> order;
    for (const RoundJob& job : view.jobs)
    {
        const bool keeps = !IsPreemptive() && !job.gpus.empty();
        order.emplace_back(!keeps, GetKey(view, job), job.arrival, job.id, &job);
    }
    std::sort(order.begin(), order.end());
    std::vector<const RoundJob*> taken;
    std::size_t free = view.gpus.size();
    for (const auto& entry : order)
    {
        const RoundJob* job = std::get<const RoundJob*>(entry);
        if (job->tasks <= free)
        {
            taken.push_back(job);
            free -= job->tasks;
        }
        else if (BlocksAtHead())
        {
            break;
        }
    }
    return taken;
}

std::vector<uint32_t>
GangRoundScheduler::PickGpus(const RoundView& /* view */,
                             const RoundJob& job,
                             const std::vector<uint32_t>& idle) const
{
    return {idle.begin(), idle.begin() + job.tasks};
}

} // namespace ns3::ddl
