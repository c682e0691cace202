// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-scheduler.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>
#include <numeric>

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
    std::vector<uint32_t> each(gpus.size());
    std::iota(each.begin(), each.end(), 0);
    if (isWrong || all != each)
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
    if (answer.empty())
    {
        return;
    }
    const std::string name = GetInstanceTypeId().GetName();
    std::map<JobId, std::size_t> tasks;
    std::vector<bool> isTaken(view.gpus.size(), false);
    for (const RoundAssignment& assignment : answer)
    {
        const auto job =
            std::find_if(view.jobs.begin(), view.jobs.end(), [&assignment](const RoundJob& each) {
                return each.id == assignment.job;
            });
        std::size_t& sum = tasks[assignment.job];
        sum += assignment.gpus.size();
        if (assignment.gpus.empty() || job == view.jobs.end() || job->open < sum)
        {
            throw RunError(name + ": job " + std::to_string(assignment.job.value) +
                           " does not have the " + std::to_string(sum) +
                           " open tasks that it assigns");
        }
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
