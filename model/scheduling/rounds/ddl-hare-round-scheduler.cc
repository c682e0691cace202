// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-scheduler.h"

#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * `hare`: clairvoyant task scheduling (Hare, §III and §VI-C; our reading).
 *
 * The algorithm is in the conference paper (HPDC 2022), which this one does not repeat. We take
 * jobs by weighted shortest remaining work, rounds left x mean time of a round over the weight, and
 * put each of their open tasks, in this order, on the GPU where it would end first, after the tasks
 * put there before. The first task of an idle GPU is assigned; the rest is planned again at the
 * next invocation. From memory, the original orders tasks by midpoints of a relaxed program
 * instead.
 */
class HareRoundScheduler : public RoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::HareRoundScheduler")
                                .SetParent<RoundScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<HareRoundScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "weighted shortest remaining work first, tasks to the GPU of the earliest end "
               "(Hare offline, our reading; clairvoyant)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

  private:
    /** The time at which a GPU has done its planned tasks, and its number; the earliest first. */
    using Free = std::pair<Time, uint32_t>;
    using FreeGpus = std::priority_queue<Free, std::vector<Free>, std::greater<>>;

    std::vector<RoundAssignment> DoAssign(const RoundView& view) override
    {
        std::vector<FreeGpus> freeOf = ListGpus(view);
        std::size_t idle = 0;
        for (const RoundGpu& gpu : view.gpus)
        {
            idle += gpu.idle;
        }
        std::vector<bool> hasTask(view.gpus.size(), false); // whether each has a planned task
        std::vector<RoundAssignment> answer;
        for (const RoundJob* job : OrderJobs(view))
        {
            RoundAssignment assignment{job->id, {}};
            for (uint32_t task = 0; task < job->open && idle > 0; ++task)
            {
                const uint32_t gpu = PutTask(*job, freeOf);
                if (view.gpus[gpu].idle && !hasTask[gpu])
                {
                    hasTask[gpu] = true;
                    assignment.gpus.push_back(gpu);
                    --idle;
                }
            }
            if (!assignment.gpus.empty())
            {
                answer.push_back(assignment);
            }
        }
        return answer;
    }

    /** \return expected end of a task that has begun: when it is due or, if it is overdue, as long
     * from now as it is overdue. Otherwise tasks would be planned for a GPU that waits for the
     * network, and idle ones would get none. */
    static Time FindEnd(Time now, Time since, Time taskTime)
    {
        const Time due = since + taskTime;
        return due > now ? due : now + (now - due);
    }

    /** \return GPUs by type; one with a task is free at the expected end of that */
    static std::vector<FreeGpus> ListGpus(const RoundView& view)
    {
        std::map<JobId, const RoundJob*> jobs;
        for (const RoundJob& job : view.jobs)
        {
            jobs[job.id] = &job;
        }
        std::vector<FreeGpus> freeOf;
        for (uint32_t gpu = 0; gpu < view.gpus.size(); ++gpu)
        {
            const auto& [type, isIdle, since, job] = view.gpus[gpu];
            freeOf.resize(std::max<std::size_t>(freeOf.size(), type + 1));
            freeOf[type].push(
                {isIdle ? view.now : FindEnd(view.now, since, jobs.at(job)->taskTime[type]), gpu});
        }
        return freeOf;
    }

    static std::vector<const RoundJob*> OrderJobs(const RoundView& view)
    {
        std::vector<std::tuple<double, Time, JobId, const RoundJob*>> order;
        for (const RoundJob& job : view.jobs)
        {
            if (job.open > 0)
            {
                const double left = static_cast<double>(job.rounds - job.done);
                order.emplace_back(left * job.roundTime.seconds / job.weight,
                                   job.arrival,
                                   job.id,
                                   &job);
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<const RoundJob*> jobs;
        for (const auto& entry : order)
        {
            jobs.push_back(std::get<const RoundJob*>(entry));
        }
        return jobs;
    }

    /** Plan a task on the GPU where it would end first. \return that GPU */
    static uint32_t PutTask(const RoundJob& job, std::vector<FreeGpus>& freeOf)
    {
        std::size_t best = freeOf.size();
        Time earliest;
        for (std::size_t type = 0; type < freeOf.size(); ++type)
        {
            if (freeOf[type].empty())
            {
                continue;
            }
            const Time end = freeOf[type].top().first + job.taskTime[type];
            if (best == freeOf.size() || end < earliest)
            {
                best = type;
                earliest = end;
            }
        }
        const uint32_t gpu = freeOf[best].top().second;
        freeOf[best].pop();
        freeOf[best].push({earliest, gpu});
        return gpu;
    }
};

NS_OBJECT_ENSURE_REGISTERED(HareRoundScheduler);
DDL_POLICY_SOURCE(HareRoundScheduler, "Hare, TCC", 2024, "remaining rounds, speeds of GPUs");

} // namespace ns3::ddl
