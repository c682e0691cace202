// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hlas-round-scheduler.h"
#include "ddl-loss-fit.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

#include <algorithm>
#include <vector>

namespace ns3::ddl
{

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

} // namespace ns3::ddl
