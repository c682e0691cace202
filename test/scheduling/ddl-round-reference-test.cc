// SPDX-License-Identifier: GPL-2.0-only
// Round schedulers against straightforward re-implementations of what the papers say, on random
// cases without a network. Times are whole milliseconds out of few, so that many things happen at
// one instant and many sizes are equal; the re-implementations calculate with whole numbers.
#include "ddl-round-play.h"

#include "ns3/ddl-loss-fit.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using test::MakeRoundScheduler;
using test::PlayedCurve;
using test::PlayedJob;
using test::PlayedTask;
using test::RoundPlay;

constexpr uint32_t RANDOM_CASES = 500; //!< of each scheduler
constexpr uint32_t REFERENCE_ALPHA = 6;

__extension__ typedef __int128 Whole; //!< products of some times of tasks in ms

/** Draws whole numbers. */
class Dice
{
  public:
    explicit Dice(uint32_t seed)
        : m_random(seed)
    {
    }

    uint32_t operator()(uint32_t least, uint32_t most)
    {
        return std::uniform_int_distribution<uint32_t>(least, most)(m_random);
    }

    template <typename T>
    T Of(const std::vector<T>& some)
    {
        return some[(*this)(0, static_cast<uint32_t>(some.size()) - 1)];
    }

  private:
    std::mt19937 m_random;
};

/** GPUs by type, and jobs. */
struct ReferenceCase
{
    std::vector<uint32_t> types;
    std::vector<PlayedJob> jobs;
    std::vector<std::vector<uint32_t>> ms; //!< [job][type], of a task
};

/** \param mostTasks of a round; jobs train one of two models, or of as many as there are jobs */
ReferenceCase
DrawCase(Dice& dice, uint32_t gpus, uint32_t jobs, uint32_t mostTasks, uint32_t mostRounds)
{
    ReferenceCase drawn;
    const uint32_t types = dice(1, 3);
    for (uint32_t i = 0; i < gpus; ++i)
    {
        drawn.types.push_back(i < types ? i : dice(0, types - 1));
    }
    std::vector<std::vector<uint32_t>> models;
    for (uint32_t i = dice(0, 1) == 0 ? 2 : jobs; i > 0; --i)
    {
        models.emplace_back();
        for (uint32_t type = 0; type < types; ++type)
        {
            models.back().push_back(dice.Of<uint32_t>({100, 200, 300, 347, 197, 275}));
        }
    }
    for (uint32_t id = 1; id <= jobs; ++id)
    {
        const std::vector<uint32_t> ms = dice.Of(models);
        const uint32_t tasks = std::min(mostTasks, dice.Of<uint32_t>({1, 1, 2, 3, 4, 5, 8}));
        PlayedJob job{id, tasks, dice(1, mostRounds), {}, MilliSeconds(100 * dice(0, 20))};
        for (const uint32_t time : ms)
        {
            job.seconds.push_back(time / 1000.0);
        }
        drawn.jobs.push_back(job);
        drawn.ms.push_back(ms);
    }
    return drawn;
}

/** What a re-implementation knows of a job. */
struct ReferenceJob
{
    PlayedJob played;
    std::vector<uint32_t> ms; //!< of a task by type
    bool isLive{false};
    uint64_t done{0};    //!< rounds
    uint32_t open{0};    //!< tasks of the round that nobody has
    uint32_t running{0}; //!< tasks
    uint32_t queue{0};
    Time entered;                //!< that queue
    uint64_t predicted{0};       //!< rounds (HLAS-P)
    std::vector<uint32_t> gpus;  //!< that a gang has
    Time begin;                  //!< of the round of a gang
    Time attained;               //!< GPU time of a gang
    std::vector<LossPoint> loss; //!< by rounds
    double accuracy{0};          //!< after the last round
};

/** Plays a case. At each instant tasks end as they began, then jobs arrive, then GPUs are given. */
class RoundReference
{
  public:
    explicit RoundReference(const ReferenceCase& given)
        : m_types(given.types),
          m_isIdle(given.types.size(), true)
    {
        for (std::size_t i = 0; i < given.jobs.size(); ++i)
        {
            m_jobs.emplace_back();
            m_jobs.back().played = given.jobs[i];
            m_jobs.back().ms = given.ms[i];
        }
    }

    virtual ~RoundReference() = default;

    std::vector<PlayedTask> Run()
    {
        std::set<Time> dates;
        for (const ReferenceJob& job : m_jobs)
        {
            dates.insert(job.played.arrival);
        }
        while (!dates.empty())
        {
            m_now = *dates.begin();
            dates.erase(dates.begin());
            for (const PlayedTask& task : m_tasks)
            {
                if (task.end == m_now)
                {
                    m_isIdle[task.gpu] = true;
                    EndTask(m_jobs[task.job - 1]);
                }
            }
            for (ReferenceJob& job : m_jobs)
            {
                if (job.played.arrival == m_now)
                {
                    job.isLive = true;
                    job.open = job.played.tasks;
                    job.entered = m_now;
                    Update(job);
                }
            }
            Dispatch();
            for (const PlayedTask& task : m_tasks)
            {
                if (task.begin == m_now)
                {
                    dates.insert(task.end);
                }
            }
        }
        return m_tasks;
    }

  protected:
    void Begin(ReferenceJob& job, uint32_t gpu)
    {
        m_isIdle[gpu] = false;
        --job.open;
        ++job.running;
        m_tasks.push_back({job.played.id, gpu, m_now, m_now + MilliSeconds(job.ms[m_types[gpu]])});
    }

    std::vector<uint32_t> m_types;
    std::vector<bool> m_isIdle;
    std::vector<ReferenceJob> m_jobs;
    std::map<std::string, std::vector<uint64_t>> m_past; //!< rounds of jobs that ended, by name
    Time m_now;

  private:
    /** After a job's arrival, and after each round but its last */
    virtual void Update(ReferenceJob& job) = 0;
    virtual void Dispatch() = 0;

    void EndTask(ReferenceJob& job)
    {
        if (--job.running > 0 || job.open > 0)
        {
            return;
        }
        ++job.done;
        job.open = job.played.tasks;
        job.attained += (m_now - job.begin) * int64_t{job.played.tasks};
        if (job.done == job.played.rounds)
        {
            job.isLive = false;
            job.gpus.clear();
            m_past[job.played.name].push_back(job.done);
            return;
        }
        if (const auto& curve = job.played.curve)
        {
            const auto done = static_cast<double>(job.done);
            job.loss.push_back({job.done, 1 / (curve->b0 * done + curve->b1) + curve->b2});
            job.accuracy = curve->accuracy * done;
        }
        Update(job);
    }

    std::vector<PlayedTask> m_tasks;
};

/** Limits of the queues of HLAS, in halves of the median mean round time. */
struct HlasRule
{
    uint32_t firstHalves{2};
    uint32_t factor{2}; //!< 1: limits are multiples of the first
    uint32_t queues{4};
    bool predicts{false};
};

/** Hare, Algorithms 1 to 3 on given groups, and §V with `predicts`. */
class HlasReference : public RoundReference
{
  public:
    HlasReference(const ReferenceCase& given, const GpuGroups& groups, const HlasRule& rule)
        : RoundReference(given),
          m_groups(groups),
          m_rule(rule)
    {
        std::vector<Fraction> times;
        for (const ReferenceJob& job : m_jobs)
        {
            times.push_back(FindRoundTime(job));
        }
        std::sort(times.begin(), times.end(), [](const Fraction& a, const Fraction& b) {
            return a.above * b.below < b.above * a.below;
        });
        const Fraction& high = times[times.size() / 2];
        const Fraction& low = times[(times.size() - 1) / 2];
        m_median = {low.above * high.below + high.above * low.below, 2 * low.below * high.below};
    }

    uint32_t equal{0}; //!< sizes that were equal to a limit

  private:
    struct Fraction
    {
        Whole above{0};
        Whole below{1};
    };

    /** \return D / s, s being the sum of speeds of all GPUs: the mean over groups is proportional,
     * with one factor for all jobs and limits */
    Fraction FindRoundTime(const ReferenceJob& job) const
    {
        Whole product = 1;
        for (const uint32_t ms : job.ms)
        {
            product *= ms;
        }
        Whole speed = 0;
        for (const uint32_t type : m_types)
        {
            speed += product / job.ms[type];
        }
        return {product * job.played.tasks, speed};
    }

    void Update(ReferenceJob& job) override
    {
        job.predicted -= job.predicted > 0 ? 1 : 0;
        if (m_rule.predicts && job.predicted == 0)
        {
            job.predicted = Predict(job);
        }
        const Fraction time = FindRoundTime(job);
        const Whole size = time.above * (job.done + job.predicted) * m_median.below * 2;
        const Whole first = m_median.above * m_rule.firstHalves * time.below;
        Whole limit = first;
        uint32_t queue = 0;
        while (queue + 1 < m_rule.queues && size >= limit)
        {
            equal += size == limit;
            limit = m_rule.factor == 1 ? limit + first : limit * m_rule.factor;
            ++queue;
        }
        if (queue != job.queue)
        {
            job.queue = queue;
            job.entered = m_now;
        }
    }

    /** Fig. 13: the loss, then history, then the search */
    uint64_t Predict(const ReferenceJob& job) const
    {
        const auto law = FitLoss(job.loss);
        const bool runsOn = law && FindConvergence(*law, 1) >= job.done + REFERENCE_ALPHA;
        uint64_t above = runsOn ? REFERENCE_ALPHA : 0;
        uint64_t below = 1;
        const auto past = m_past.find(job.played.name);
        if (!job.played.name.empty() && past != m_past.end())
        {
            const uint64_t count = past->second.size();
            above *= count;
            for (const uint64_t rounds : past->second)
            {
                above += rounds > job.done ? rounds - job.done : 0;
            }
            below = 2 * count;
        }
        std::vector<double> accuracies;
        for (const ReferenceJob& other : m_jobs)
        {
            if (other.isLive && other.done > 0 && other.played.search == job.played.search)
            {
                accuracies.push_back(other.accuracy);
            }
        }
        if (job.played.search > 0 && job.done > 0)
        {
            std::sort(accuracies.begin(), accuracies.end());
            const std::size_t count = accuracies.size();
            const double twice = accuracies[count / 2] + accuracies[(count - 1) / 2];
            below *= 2 * job.accuracy < twice ? 2 : 1;
        }
        return above / below;
    }

    void Dispatch() override
    {
        for (const auto& group : m_groups)
        {
            std::vector<uint32_t> gpus = group;
            if (!std::all_of(gpus.begin(), gpus.end(), [this](uint32_t i) { return m_isIdle[i]; }))
            {
                continue;
            }
            ReferenceJob* job = ChooseJob();
            if (!job)
            {
                return;
            }
            std::stable_sort(gpus.begin(), gpus.end(), [&](uint32_t a, uint32_t b) {
                return job->ms[m_types[a]] < job->ms[m_types[b]];
            });
            for (const uint32_t gpu : gpus)
            {
                if (job->open > 0)
                {
                    Begin(*job, gpu);
                }
            }
        }
    }

    /** \return of the first queue with such a job, one that has a task which nobody has */
    ReferenceJob* ChooseJob()
    {
        for (uint32_t queue = 0; queue < m_rule.queues; ++queue)
        {
            ReferenceJob* first = nullptr;
            for (ReferenceJob& job : m_jobs)
            {
                if (!job.isLive || job.open == 0 || job.queue != queue)
                {
                    continue;
                }
                if (job.open < job.played.tasks) // partly scheduled
                {
                    return &job;
                }
                // q1 by predicted rounds before q2; both first in, first out
                if (!first || job.predicted > first->predicted ||
                    (job.predicted == first->predicted && job.entered < first->entered))
                {
                    first = &job;
                }
            }
            if (first)
            {
                return first;
            }
        }
        return nullptr;
    }

    GpuGroups m_groups;
    HlasRule m_rule;
    Fraction m_median;
};

/** \return the least spread of all partitions of the GPUs into so many groups (Eq. 4 to 6) */
double
FindLeastSpread(const ReferenceCase& given,
                std::vector<std::vector<double>>& sums,
                std::size_t gpu,
                std::size_t used)
{
    const std::size_t groups = sums.front().size();
    if (groups - used > given.types.size() - gpu)
    {
        return 1e9; // a group would stay empty
    }
    if (gpu == given.types.size())
    {
        double spread = 0;
        for (const auto& ofJob : sums)
        {
            const auto ends = std::minmax_element(ofJob.begin(), ofJob.end());
            spread = std::max(spread, *ends.second - *ends.first);
        }
        return spread;
    }
    double least = 1e9;
    for (std::size_t group = 0; group < std::min(used + 1, groups); ++group)
    {
        const auto before = sums;
        for (std::size_t job = 0; job < sums.size(); ++job)
        {
            sums[job][group] += 1 / given.jobs[job].seconds[given.types[gpu]];
        }
        least = std::min(least, FindLeastSpread(given, sums, gpu + 1, std::max(used, group + 1)));
        sums = before;
    }
    return least;
}

/** Expect groups that are as alike as any. */
void
ExpectGoodGroups(const ReferenceCase& given, const GpuGroups& groups)
{
    std::vector<std::vector<double>> sums(given.jobs.size(), std::vector<double>(groups.size(), 0));
    const double least = FindLeastSpread(given, sums, 0, 0);
    double spread = 0;
    for (const PlayedJob& job : given.jobs)
    {
        double most = 0;
        double fewest = 1e9;
        for (const auto& group : groups)
        {
            const double speed =
                std::accumulate(group.begin(), group.end(), 0.0, [&](double sum, uint32_t gpu) {
                    return sum + 1 / job.seconds[given.types[gpu]];
                });
            most = std::max(most, speed);
            fewest = std::min(fewest, speed);
        }
        spread = std::max(spread, most - fewest);
    }
    EXPECT_NEAR(spread, least, 1e-9);
}

/** Compare HLAS, with or without predictions, on random cases. */
void
CompareHlas(const std::string& name, bool predicts)
{
    uint32_t equal = 0;
    uint32_t differences = 0;
    for (uint32_t seed = 1; seed <= RANDOM_CASES; ++seed)
    {
        Dice dice(seed);
        ReferenceCase drawn = DrawCase(dice, dice(1, 6), dice(2, 7), 8, predicts ? 24 : 12);
        HlasRule rule{dice(1, 4), dice(1, 3), dice(1, 6), predicts};
        std::map<std::string, std::string> attributes{
            {"Groups", std::to_string(dice(0, static_cast<uint32_t>(drawn.types.size())))},
            {"FirstLimit", std::to_string(rule.firstHalves / 2.0)},
            {"Factor", std::to_string(rule.factor)},
            {"Queues", std::to_string(rule.queues)}};
        if (predicts)
        {
            attributes["Alpha"] = std::to_string(REFERENCE_ALPHA);
            for (PlayedJob& job : drawn.jobs)
            {
                job.name = dice.Of<std::string>({"", "nightly", "weekly"});
                job.search = dice(0, 2);
                job.curve = PlayedCurve{dice(1, 20) / 20.0, 0.5, 0.25, dice(1, 3) / 64.0};
            }
        }
        const RoundPlay play(MakeRoundScheduler(name, attributes), drawn.jobs, drawn.types);
        ExpectGoodGroups(drawn, play.GetGroups());
        HlasReference reference(drawn, play.GetGroups(), rule);
        const bool isEqual = reference.Run() == play.tasks;
        EXPECT_TRUE(isEqual) << "seed " << seed;
        differences += !isEqual;
        equal += reference.equal;
    }
    EXPECT_EQ(differences, 0u);
    EXPECT_GT(equal, RANDOM_CASES); // else the cases would not show what happens at a limit
}

TEST(RoundReference, HlasIsAlgorithms1To3)
{
    CompareHlas("hlas", false);
}

TEST(RoundReference, HlasPIsSection5)
{
    CompareHlas("hlas-p", true);
}

/**
 * Tiresias' discretised 2D-LAS at the granularity of rounds: by queue of attained GPU time, then
 * arrival, jobs get GPUs as long as the cluster has enough for each of them; all others give way.
 */
class LasReference : public RoundReference
{
  public:
    LasReference(const ReferenceCase& given, std::vector<Time> thresholds)
        : RoundReference(given),
          m_thresholds(std::move(thresholds))
    {
    }

    uint32_t waits{0}; //!< times that a gang which should run waited for rounds to end

  private:
    void Update(ReferenceJob& job) override
    {
        job.queue = 0;
        for (const Time& threshold : m_thresholds)
        {
            job.queue += job.attained >= threshold ? 1 : 0;
        }
    }

    void Dispatch() override
    {
        std::vector<ReferenceJob*> order;
        for (ReferenceJob& job : m_jobs)
        {
            if (job.isLive)
            {
                order.push_back(&job);
            }
        }
        std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
            return std::tie(a->queue, a->played.arrival) < std::tie(b->queue, b->played.arrival);
        });
        std::vector<ReferenceJob*> running;
        std::size_t left = m_types.size();
        for (ReferenceJob* job : order)
        {
            if (job->played.tasks <= left)
            {
                left -= job->played.tasks;
                running.push_back(job);
            }
        }
        for (ReferenceJob* job : running)
        {
            if (job->running == 0)
            {
                BeginRound(*job, running);
            }
        }
    }

    void BeginRound(ReferenceJob& job, const std::vector<ReferenceJob*>& running)
    {
        for (uint32_t gpu = 0; gpu < m_types.size() && job.gpus.size() < job.played.tasks; ++gpu)
        {
            const bool isKept =
                std::any_of(m_jobs.begin(), m_jobs.end(), [&](const ReferenceJob& other) {
                    const bool mayKeep =
                        other.running > 0 || std::count(running.begin(), running.end(), &other) > 0;
                    return mayKeep && std::count(other.gpus.begin(), other.gpus.end(), gpu) > 0;
                });
            if (m_isIdle[gpu] && !isKept)
            {
                job.gpus.push_back(gpu);
            }
        }
        if (job.gpus.size() < job.played.tasks)
        {
            ++waits;
            job.gpus.clear(); // nobody else of those that should run lacks them
            return;
        }
        for (ReferenceJob& other : m_jobs)
        {
            const bool loses = std::any_of(job.gpus.begin(), job.gpus.end(), [&](uint32_t gpu) {
                return std::count(other.gpus.begin(), other.gpus.end(), gpu) > 0;
            });
            if (&other != &job && loses)
            {
                other.gpus.clear();
            }
        }
        job.begin = m_now;
        for (const uint32_t gpu : job.gpus)
        {
            Begin(job, gpu);
        }
    }

    std::vector<Time> m_thresholds;
};

TEST(RoundReference, TwoDimensionalLasIsThatOfTiresias)
{
    uint32_t waits = 0;
    uint32_t differences = 0;
    for (uint32_t seed = 1; seed <= RANDOM_CASES; ++seed)
    {
        Dice dice(seed);
        const uint32_t gpus = dice(1, 6);
        const ReferenceCase drawn = DrawCase(dice, gpus, dice(2, 8), gpus, 9);
        const uint32_t first = 100 * dice(1, 8); // ms
        const std::string both =
            std::to_string(first) + "ms," + std::to_string(first * dice(2, 4)) + "ms";
        const RoundPlay play(MakeRoundScheduler("2d-las", {{"Thresholds", both}}),
                             drawn.jobs,
                             drawn.types);
        const auto comma = both.find(',');
        LasReference reference(drawn, {Time(both.substr(0, comma)), Time(both.substr(comma + 1))});
        const bool isEqual = reference.Run() == play.tasks;
        EXPECT_TRUE(isEqual) << "seed " << seed;
        differences += !isEqual;
        waits += reference.waits;
    }
    EXPECT_EQ(differences, 0u);
    EXPECT_GT(waits, RANDOM_CASES); // else nothing would have been kept for a gang
}

/** Answers as AlloX does, and compares each answer with all that AlloX may answer. */
class CheckedAllox : public RoundScheduler
{
  public:
    CheckedAllox(Ptr<RoundScheduler> checked, bool isUnitSize)
        : m_checked(checked),
          m_isUnitSize(isUnitSize)
    {
    }

    std::string GetSummary() const override
    {
        return m_checked->GetSummary();
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

    bool IsGang() const override
    {
        return true;
    }

    uint32_t matchings{0};
    uint32_t ties{0}; //!< matchings of least cost beyond one for each question
    uint32_t differences{0};

  private:
    using Started = std::map<uint32_t, JobId>; //!< by GPU

    std::vector<RoundAssignment> DoAssign(const RoundView& view) override
    {
        const auto answer = m_checked->Assign(view);
        Started started;
        for (const RoundAssignment& assignment : answer)
        {
            differences += assignment.gpus.size() != 1;
            started[assignment.gpus.front()] = assignment.job;
        }
        differences += started.size() != answer.size();
        std::vector<const RoundJob*> waiting;
        std::vector<int64_t> left(view.gpus.size(), 0);
        std::vector<bool> isFree(view.gpus.size(), true);
        for (const RoundJob& job : view.jobs)
        {
            if (job.gpus.empty())
            {
                waiting.push_back(&job);
                continue;
            }
            // It has this GPU until its end, and goes on.
            const uint32_t gpu = job.gpus.front();
            isFree[gpu] = false;
            left[gpu] = GetWork(view, job, gpu);
            if (view.gpus[gpu].idle)
            {
                differences += !started.count(gpu) || started[gpu] != job.id;
                started.erase(gpu);
            }
        }
        if (waiting.empty() || view.changed < view.now ||
            std::count(isFree.begin(), isFree.end(), true) == 0)
        {
            differences += !started.empty();
            return answer;
        }
        CheckMatching(view, waiting, left, isFree, started);
        return answer;
    }

    int64_t GetWork(const RoundView& view, const RoundJob& job, uint32_t gpu) const
    {
        const uint64_t rounds = m_isUnitSize ? 1 : job.rounds - job.done;
        return static_cast<int64_t>(rounds * job.tasks) *
               job.taskTime[view.gpus[gpu].type].GetNanoSeconds();
    }

    /** Try all ways to deal the jobs to GPUs. On a GPU the shortest is first. */
    void CheckMatching(const RoundView& view,
                       const std::vector<const RoundJob*>& waiting,
                       const std::vector<int64_t>& left,
                       const std::vector<bool>& isFree,
                       const Started& started)
    {
        const std::size_t gpus = view.gpus.size();
        std::size_t ways = 1;
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            ways *= gpus;
        }
        int64_t least = std::numeric_limits<int64_t>::max();
        uint32_t best = 0;    // ways of that cost
        bool isAmong = false; // the answer, among those
        for (std::size_t way = 0; way < ways; ++way)
        {
            std::vector<std::vector<std::pair<int64_t, JobId>>> queues(gpus);
            std::size_t rest = way;
            for (const RoundJob* job : waiting)
            {
                const auto gpu = static_cast<uint32_t>(rest % gpus);
                queues[gpu].emplace_back(GetWork(view, *job, gpu), job->id);
                rest /= gpus;
            }
            int64_t cost = 0;
            for (uint32_t gpu = 0; gpu < gpus; ++gpu)
            {
                std::sort(queues[gpu].rbegin(), queues[gpu].rend());
                int64_t fromEnd = 0;
                for (const auto& [work, job] : queues[gpu])
                {
                    cost += ++fromEnd * work + left[gpu];
                }
            }
            if (cost > least)
            {
                continue;
            }
            best = cost < least ? 1 : best + 1;
            isAmong = cost < least ? false : isAmong;
            least = cost;
            isAmong |= StartsWith(queues, isFree, started);
        }
        ++matchings;
        ties += best - 1;
        differences += !isAmong;
    }

    /** \return whether just the free GPUs with jobs start one, which is one of the shortest */
    static bool StartsWith(const std::vector<std::vector<std::pair<int64_t, JobId>>>& queues,
                           const std::vector<bool>& isFree,
                           const Started& started)
    {
        for (uint32_t gpu = 0; gpu < queues.size(); ++gpu)
        {
            const auto job = started.find(gpu);
            const bool mayStart = isFree[gpu] && !queues[gpu].empty();
            if (mayStart != (job != started.end()))
            {
                return false;
            }
            if (mayStart && std::count(queues[gpu].begin(),
                                       queues[gpu].end(),
                                       std::make_pair(queues[gpu].back().first, job->second)) == 0)
            {
                return false;
            }
        }
        return true;
    }

    Ptr<RoundScheduler> m_checked;
    bool m_isUnitSize;
};

TEST(RoundReference, AlloxMatchesAtTheLeastCostOfAllMatchings)
{
    uint32_t ties = 0;
    uint32_t matchings = 0;
    for (uint32_t seed = 1; seed <= RANDOM_CASES; ++seed)
    {
        Dice dice(seed);
        const ReferenceCase drawn = DrawCase(dice, dice(1, 3), dice(2, 6), 8, 9);
        const bool isUnitSize = dice(0, 3) == 0;
        const auto checked = Create<CheckedAllox>(
            MakeRoundScheduler("sched-allox", {{"UnitSize", isUnitSize ? "true" : "false"}}),
            isUnitSize);
        const RoundPlay play(checked, drawn.jobs, drawn.types);
        EXPECT_EQ(checked->differences, 0u) << "seed " << seed;
        EXPECT_EQ(play.ends.size(), drawn.jobs.size());
        ties += checked->ties;
        matchings += checked->matchings;
    }
    EXPECT_GT(matchings, 2 * RANDOM_CASES);
    EXPECT_GT(ties, RANDOM_CASES / 2); // else the cases would not show what happens at equal costs
}

} // namespace
