// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-scheduler.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRoundScheduler");
NS_OBJECT_ENSURE_REGISTERED(RoundScheduler);

TypeId
RoundScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::RoundScheduler").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::vector<RoundAssignment>
RoundScheduler::Assign(const RoundView& view)
{
    NS_LOG_FUNCTION(this << view.now << view.jobs.size());
    const Stopwatch stopwatch(*this);
    std::vector<RoundAssignment> answer = DoAssign(view);
    Check(view, answer);
    return answer;
}

GpuGroups
RoundScheduler::Group(const std::vector<RoundGpu>& gpus,
                      const std::vector<std::vector<Time>>& taskTimes)
{
    const Stopwatch stopwatch(*this);
    GpuGroups groups = DoGroup(gpus, taskTimes);
    std::vector<uint32_t> all;
    bool isWrong = false;
    for (const auto& group : groups)
    {
        isWrong |= group.empty();
        all.insert(all.end(), group.begin(), group.end());
    }
    std::sort(all.begin(), all.end());
    isWrong |= all.size() != gpus.size();
    for (uint32_t i = 0; !isWrong && i < all.size(); ++i)
    {
        isWrong = all[i] != i;
    }
    if (isWrong)
    {
        throw RunError(GetInstanceTypeId().GetName() +
                       ": its groups do not hold each GPU once, or one of them is empty");
    }
    return groups;
}

GpuGroups
RoundScheduler::DoGroup(const std::vector<RoundGpu>& gpus,
                        const std::vector<std::vector<Time>>& /* taskTimes */)
{
    GpuGroups groups;
    for (uint32_t i = 0; i < gpus.size(); ++i)
    {
        groups.push_back({i});
    }
    return groups;
}

uint32_t
RoundScheduler::FindQueue(const RoundView& view, const RoundJob& job)
{
    const Stopwatch stopwatch(*this);
    return DoFindQueue(view, job);
}

uint64_t
RoundScheduler::Predict(const RoundView& view, const RoundJob& job)
{
    const Stopwatch stopwatch(*this);
    return DoPredict(view, job);
}

void
RoundScheduler::Check(const RoundView& view, const std::vector<RoundAssignment>& answer) const
{
    const std::string name = GetInstanceTypeId().GetName();
    std::map<JobId, uint32_t> open;
    for (const RoundJob& job : view.jobs)
    {
        open[job.id] = job.open;
    }
    std::vector<bool> isTaken(view.gpus.size(), false);
    for (const RoundAssignment& assignment : answer)
    {
        const auto job = open.find(assignment.job);
        if (assignment.gpus.empty() || job == open.end() || job->second < assignment.gpus.size())
        {
            throw RunError(name + ": job " + std::to_string(assignment.job.value) +
                           " does not have the " + std::to_string(assignment.gpus.size()) +
                           " open tasks that it assigns");
        }
        job->second -= static_cast<uint32_t>(assignment.gpus.size());
        for (const uint32_t gpu : assignment.gpus)
        {
            if (gpu >= view.gpus.size() || !view.gpus[gpu].idle || isTaken[gpu])
            {
                throw RunError(name + ": GPU " + std::to_string(gpu) + " gets a task of job " +
                               std::to_string(assignment.job.value) + ", but is not idle");
            }
            isTaken[gpu] = true;
        }
    }
}

} // namespace ns3::ddl
