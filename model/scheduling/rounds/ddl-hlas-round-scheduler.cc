// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hlas-round-scheduler.h"

#include "ddl-gpu-grouping.h"
#include "ddl-loss-fit.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(HlasRoundScheduler);
DDL_POLICY_SOURCE(HlasRoundScheduler, "Hare, TCC", 2024, "past times of rounds");

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

/**
 * `hlas-p`: `hlas` with a careful prediction of how many rounds a job will do at least (Hare, §V-A
 * and Fig. 13).
 *
 * A law is fitted to the loss so far (FitLoss), and the job is assumed to end where the law has
 * converged (FindConvergence): if that is at least Alpha rounds away, the prediction is Alpha, else
 * 0. Then it is averaged with the rounds that past jobs of the same name (RoundJob::name) did
 * beyond those that this one has done. Then it is halved for a job of a search whose accuracy is
 * below the median of the search's live jobs. The paper gives the steps, not Alpha, nor by how much
 * the last two change the prediction.
 */
class HlasPRoundScheduler : public HlasRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::HlasPRoundScheduler")
                .SetParent<HlasRoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<HlasPRoundScheduler>()
                .AddAttribute("Alpha",
                              "rounds that are predicted if the loss has at least as many to "
                              "converge; otherwise 0; scaled by i",
                              DoubleValue(1000),
                              MakeDoubleAccessor(&HlasPRoundScheduler::m_alpha),
                              MakeDoubleChecker<double>(LEAST_NUMBER_OF_ROUNDS))
                .AddAttribute("UsesHistory",
                              "whether the prediction is averaged with past runs of the same "
                              "recurring job (`name` of a job)",
                              BooleanValue(true),
                              MakeBooleanAccessor(&HlasPRoundScheduler::m_usesHistory),
                              MakeBooleanChecker())
                .AddAttribute("UsesSearch",
                              "whether the prediction is halved for the worse half of a search",
                              BooleanValue(true),
                              MakeBooleanAccessor(&HlasPRoundScheduler::m_usesSearch),
                              MakeBooleanChecker());
        return tid;
    }

    std::vector<std::string> ListNumbersOfRounds() const override
    {
        return {"FirstLimit", "Alpha"};
    }

    std::string GetSummary() const override
    {
        return "hlas with careful predictions from loss, past jobs and the job's search (Hare)";
    }

  private:
    uint64_t DoPredict(const RoundView& view, const RoundJob& job) override
    {
        const auto law = FitLoss(job.losses);
        const auto done = static_cast<double>(job.done);
        const bool isFar =
            law &&
            static_cast<double>(FindConvergence(*law, job.losses.front().round)) >= done + m_alpha;
        double rounds = isFar ? m_alpha : 0;
        if (m_usesHistory)
        {
            rounds = AverageWithPast(view, job, rounds);
        }
        if (m_usesSearch && FallsBehind(view, job))
        {
            rounds /= 2;
        }
        return static_cast<uint64_t>(rounds);
    }

    static double AverageWithPast(const RoundView& view, const RoundJob& job, double rounds)
    {
        double sum = 0;
        double count = 0;
        for (const PastJob& past : view.past)
        {
            if (past.name == job.name)
            {
                sum += static_cast<double>(past.rounds - std::min(past.rounds, job.done));
                ++count;
            }
        }
        return count > 0 ? (rounds + sum / count) / 2 : rounds;
    }

    /** \return whether a job's accuracy is below the median of its search's live jobs */
    static bool FallsBehind(const RoundView& view, const RoundJob& job)
    {
        if (!job.search || !job.accuracy)
        {
            return false;
        }
        std::vector<double> accuracies;
        for (const RoundJob& other : view.jobs)
        {
            if (other.search == job.search && other.accuracy)
            {
                accuracies.push_back(*other.accuracy);
            }
        }
        std::sort(accuracies.begin(), accuracies.end());
        const std::size_t half = accuracies.size() / 2;
        const double median = accuracies.size() % 2 ? accuracies[half]
                                                    : (accuracies[half - 1] + accuracies[half]) / 2;
        return *job.accuracy < median;
    }

    double m_alpha{1000};
    bool m_usesHistory{true};
    bool m_usesSearch{true};
};

NS_OBJECT_ENSURE_REGISTERED(HlasPRoundScheduler);
DDL_POLICY_SOURCE(HlasPRoundScheduler, "Hare, TCC", 2024, "past times of rounds, loss, past jobs");

/** `hlas-l`: `hlas` that predicts all rounds until the fitted loss converges (Hare, §VI-D). */
class HlasLRoundScheduler : public HlasRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::HlasLRoundScheduler")
                                .SetParent<HlasRoundScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<HlasLRoundScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "hlas with the rounds that a fit of the loss says are left (Hare's HLAS-L)";
    }

  private:
    uint64_t DoPredict(const RoundView& /* view */, const RoundJob& job) override
    {
        const auto law = FitLoss(job.losses);
        const uint64_t end = law ? FindConvergence(*law, job.losses.front().round) : job.done;
        return end - std::min(end, job.done);
    }
};

NS_OBJECT_ENSURE_REGISTERED(HlasLRoundScheduler);
DDL_POLICY_SOURCE(HlasLRoundScheduler, "Hare, TCC", 2024, "past times of rounds, loss");

/** `oracle`: `hlas` that knows how many rounds each job has (clairvoyant); a bound for hlas-p. */
class OracleRoundScheduler : public HlasRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::OracleRoundScheduler")
                                .SetParent<HlasRoundScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<OracleRoundScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "hlas that knows how many rounds jobs have left (clairvoyant)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

  private:
    uint64_t DoPredict(const RoundView& /* view */, const RoundJob& job) override
    {
        return job.rounds - std::min(job.rounds, job.done);
    }
};

NS_OBJECT_ENSURE_REGISTERED(OracleRoundScheduler);
DDL_POLICY_SOURCE(OracleRoundScheduler, "Hare, TCC", 2024, "remaining rounds");

} // namespace ns3::ddl
