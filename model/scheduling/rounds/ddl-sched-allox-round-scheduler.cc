// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-min-cost-matching.h"
#include "ddl-round-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * `sched-allox`: jobs, not tasks, are matched to GPUs so that the mean completion time is least
 * (AlloX, Le et al., EuroSys 2020; Sched_Allox in Hare, §VI-A).
 *
 * A job runs on one GPU until it ends; the tasks of its rounds follow each other there. A job that
 * takes time p on a GPU and is the k-th from the end there costs k p, since it delays k
 * completions, plus the time left of the job that runs there. All waiting jobs are matched to such
 * positions at the least cost, whenever a job has arrived or ended; on each idle GPU, the first of
 * its jobs starts. The others are matched again the next time.
 */
class SchedAlloxRoundScheduler : public RoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SchedAlloxRoundScheduler")
                .SetParent<RoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<SchedAlloxRoundScheduler>()
                .AddAttribute("UnitSize",
                              "whether all jobs count as having one round left, as if sizes were "
                              "unknown (Hare §VI-D)",
                              BooleanValue(false),
                              MakeBooleanAccessor(&SchedAlloxRoundScheduler::m_isUnitSize),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "whole jobs to single GPUs by matching of least cost (AlloX; clairvoyant)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

    bool IsGang() const override
    {
        return true;
    }

  private:
    std::vector<RoundAssignment> DoAssign(const RoundView& view) override
    {
        std::vector<RoundAssignment> answer;
        std::vector<double> left(view.gpus.size(), 0); // seconds until each GPU's job has ended
        std::vector<bool> isHeld(view.gpus.size(), false);
        std::vector<const RoundJob*> waiting;
        for (const RoundJob& job : view.jobs)
        {
            if (job.gpus.empty())
            {
                waiting.push_back(&job);
                continue;
            }
            const uint32_t gpu = job.gpus.front();
            isHeld[gpu] = true;
            left[gpu] = GetWork(view, job, gpu);
            if (job.open > 0 && view.gpus[gpu].idle)
            {
                answer.push_back({job.id, {gpu}});
            }
        }
        const bool isFull = std::find(isHeld.begin(), isHeld.end(), false) == isHeld.end();
        if (waiting.empty() || isFull || view.changed < view.now) // then they are matched already
        {
            return answer;
        }
        for (const auto& [gpu, job] : MatchJobs(view, waiting, left))
        {
            if (!isHeld[gpu])
            {
                answer.push_back({job->id, {gpu}});
            }
        }
        return answer;
    }

    /** \return seconds that a job needs on a GPU from now on */
    double GetWork(const RoundView& view, const RoundJob& job, uint32_t gpu) const
    {
        const double rounds = m_isUnitSize ? 1 : static_cast<double>(job.rounds - job.done);
        return rounds * job.tasks * job.taskTime[view.gpus[gpu].type].GetSeconds();
    }

    /** \return the first job of each GPU to which jobs are matched, by GPU */
    std::map<uint32_t, const RoundJob*> MatchJobs(const RoundView& view,
                                                  const std::vector<const RoundJob*>& waiting,
                                                  const std::vector<double>& left) const
    {
        const std::size_t gpus = view.gpus.size();
        std::size_t positions = std::min((waiting.size() - 1) / gpus + 2, waiting.size());
        for (;;)
        {
            // The columns are the last positions of all GPUs, then the last but one, ...
            std::vector<std::vector<double>> cost;
            for (const RoundJob* job : waiting)
            {
                cost.emplace_back();
                for (std::size_t column = 0; column < gpus * positions; ++column)
                {
                    const auto gpu = static_cast<uint32_t>(column % gpus);
                    const auto fromEnd = static_cast<double>(column / gpus + 1);
                    cost.back().push_back(fromEnd * GetWork(view, *job, gpu) + left[gpu]);
                }
            }
            const std::vector<uint32_t> columns = MatchAtLeastCost(cost);
            std::vector<std::size_t> first(gpus, 0); // number of positions used of each GPU
            std::map<uint32_t, const RoundJob*> firstJobs;
            for (std::size_t i = 0; i < waiting.size(); ++i)
            {
                const auto gpu = static_cast<uint32_t>(columns[i] % gpus);
                const std::size_t fromEnd = columns[i] / gpus + 1;
                if (fromEnd > first[gpu])
                {
                    first[gpu] = fromEnd;
                    firstJobs[gpu] = waiting[i];
                }
            }
            // If no GPU uses all its positions, more positions would not be used either.
            if (positions == waiting.size() ||
                *std::max_element(first.begin(), first.end()) < positions)
            {
                return firstJobs;
            }
            positions = std::min(2 * positions, waiting.size());
        }
    }

    bool m_isUnitSize{false};
};

NS_OBJECT_ENSURE_REGISTERED(SchedAlloxRoundScheduler);
DDL_POLICY_SOURCE(SchedAlloxRoundScheduler,
                  "AlloX, EuroSys",
                  2020,
                  "remaining rounds, speeds of GPUs");

} // namespace ns3::ddl
