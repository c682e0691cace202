// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hlas-round-scheduler.h"

#include "ddl-gpu-grouping.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HlasRoundScheduler);

namespace
{

/** \return whether job a is served before job b. \param openOfA, openOfB unassigned tasks */
bool
IsServedBefore(const RoundJob& a, uint32_t openOfA, const RoundJob& b, uint32_t openOfB)
{
    const auto key = [](const RoundJob& job, uint32_t open) {
        const bool isWhole = open == job.tasks; // whether no task of this round is assigned
        const bool isUnpredicted = job.predicted == 0;
        return std::make_tuple(job.queue,
                               isWhole,
                               isUnpredicted,
                               UNKNOWN_ROUNDS - job.predicted,
                               job.queued,
                               job.id);
    };
    return key(a, openOfA) < key(b, openOfB);
}

/** \return groups all of whose GPUs are idle */
GpuGroups
ListIdleGroups(const RoundView& view)
{
    GpuGroups idle;
    for (const auto& group : view.groups)
    {
        if (std::all_of(group.begin(), group.end(), [&view](uint32_t gpu) {
                return view.gpus[gpu].idle;
            }))
        {
            idle.push_back(group);
        }
    }
    return idle;
}

} // namespace

TypeId
HlasRoundScheduler::GetTypeId()
{
    using Self = HlasRoundScheduler;
    static TypeId tid =
        TypeId("ns3::ddl::HlasRoundScheduler")
            .SetParent<RoundScheduler>()
            .SetGroupName("Ddl")
            .AddConstructor<HlasRoundScheduler>()
            .AddAttribute("Groups",
                          "groups of GPUs; 0, and more than there are GPUs: one per GPU, as "
                          "Algorithms 1 and 3 loop over GPUs",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_groups),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Normalise",
                          "whether speeds of a model are divided by their mean before GPUs are "
                          "grouped; else they are tasks per second",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_isNormalised),
                          MakeBooleanChecker())
            .AddAttribute("Queues",
                          "number of queues",
                          UintegerValue(10),
                          MakeUintegerAccessor(&Self::m_queues),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FirstLimit",
                          "size at which a job leaves the first queue, in rounds of the median "
                          "mean round time of this run's jobs; scaled by i",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Self::m_firstLimit),
                          MakeDoubleChecker<double>(LEAST_NUMBER_OF_ROUNDS))
            .AddAttribute("Factor",
                          "ratio of a queue's limit to the limit before; 1: limits are multiples "
                          "of the first",
                          DoubleValue(2),
                          MakeDoubleAccessor(&Self::m_factor),
                          MakeDoubleChecker<double>(1));
    return tid;
}

std::string
HlasRoundScheduler::GetSummary() const
{
    return "least rounds x mean round time first, in queues; GPUs in groups of equal speed (Hare)";
}

GpuGroups
HlasRoundScheduler::DoGroup(const std::vector<RoundGpu>& gpus,
                            const std::vector<std::vector<Time>>& taskTimes)
{
    if (m_groups == 0 || m_groups >= gpus.size())
    {
        return RoundScheduler::DoGroup(gpus, taskTimes);
    }
    GroupingProblem problem;
    problem.groups = m_groups;
    const std::size_t types = taskTimes.front().size();
    std::vector<std::vector<uint32_t>> gpusOf(types);
    for (uint32_t gpu = 0; gpu < gpus.size(); ++gpu)
    {
        gpusOf.at(gpus[gpu].type).push_back(gpu);
    }
    for (const auto& ofType : gpusOf)
    {
        problem.gpus.push_back(static_cast<uint32_t>(ofType.size()));
    }
    for (const auto& times : taskTimes)
    {
        std::vector<double> speed;
        double sum = 0;
        for (const Time& time : times)
        {
            speed.push_back(1 / time.GetSeconds());
            sum += speed.back();
        }
        for (double& value : speed)
        {
            value /= m_isNormalised ? sum / static_cast<double>(types) : 1;
        }
        problem.speed.push_back(speed);
    }
    GpuGroups groups;
    std::vector<std::size_t> dealt(types, 0);
    for (const auto& counts : GroupGpus(problem).gpus)
    {
        groups.emplace_back();
        for (std::size_t type = 0; type < types; ++type)
        {
            for (uint32_t i = 0; i < counts[type]; ++i)
            {
                groups.back().push_back(gpusOf[type][dealt[type]++]);
            }
        }
        std::sort(groups.back().begin(), groups.back().end());
    }
    std::sort(groups.begin(), groups.end());
    return groups;
}

uint32_t
HlasRoundScheduler::DoFindQueue(const RoundView& view, const RoundJob& job)
{
    // The size is in units of the first limit, and exact, since equality demotes.
    const Ratio size = Ratio(job.done + job.predicted) * job.roundTime.nanoseconds /
                       (view.medianRoundTime * Ratio::Of(m_firstLimit));
    if (m_factor == 1)
    {
        return static_cast<uint32_t>(size.Floor(m_queues - 1));
    }
    double limit = 1;
    uint32_t queue = 0;
    for (; queue + 1 < m_queues && !(size < Ratio::Of(limit)); ++queue)
    {
        limit *= m_factor;
    }
    return queue;
}

std::vector<RoundAssignment>
HlasRoundScheduler::DoAssign(const RoundView& view)
{
    std::vector<uint32_t> open;
    for (const RoundJob& job : view.jobs)
    {
        open.push_back(job.open);
    }
    std::vector<RoundAssignment> answer;
    for (std::vector<uint32_t> group : ListIdleGroups(view))
    {
        std::size_t next = view.jobs.size();
        for (std::size_t i = 0; i < view.jobs.size(); ++i)
        {
            if (open[i] > 0 && (next == view.jobs.size() ||
                                IsServedBefore(view.jobs[i], open[i], view.jobs[next], open[next])))
            {
                next = i;
            }
        }
        if (next == view.jobs.size())
        {
            break;
        }
        const RoundJob& job = view.jobs[next];
        std::stable_sort(group.begin(), group.end(), [&](uint32_t a, uint32_t b) {
            return job.taskTime[view.gpus[a].type] < job.taskTime[view.gpus[b].type];
        });
        group.resize(std::min<std::size_t>(group.size(), open[next]));
        open[next] -= static_cast<uint32_t>(group.size());
        answer.push_back({job.id, group});
    }
    return answer;
}

} // namespace ns3::ddl
