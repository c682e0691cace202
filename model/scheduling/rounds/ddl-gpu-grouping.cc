// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-grouping.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double RELATIVE_GAIN = 1e-12; //!< least gain that counts, as a fraction of the spread

/** Sum of the speeds of each group's GPUs: [model][group]. */
using SpeedSums = std::vector<std::vector<double>>;

SpeedSums
SumSpeeds(const GroupingProblem& problem, const std::vector<std::vector<uint32_t>>& groups)
{
    SpeedSums sums(problem.speed.size(), std::vector<double>(groups.size(), 0));
    for (std::size_t model = 0; model < problem.speed.size(); ++model)
    {
        for (std::size_t group = 0; group < groups.size(); ++group)
        {
            for (std::size_t type = 0; type < problem.gpus.size(); ++type)
            {
                sums[model][group] += groups[group][type] * problem.speed[model][type];
            }
        }
    }
    return sums;
}

double
FindSpread(const SpeedSums& sums)
{
    double spread = 0;
    for (const auto& ofModel : sums)
    {
        const auto ends = std::minmax_element(ofModel.begin(), ofModel.end());
        spread = std::max(spread, *ends.second - *ends.first);
    }
    return spread;
}

bool
IsBetter(double spread, double than)
{
    return spread < than - RELATIVE_GAIN * than;
}

/**
 * Tries all partitions. Groups are filled one after the other, each with no more GPUs, as a vector
 * of counts by type, than the one before it: partitions that differ in the order of groups are
 * tried once.
 */
class GroupingEnumeration
{
  public:
    explicit GroupingEnumeration(const GroupingProblem& problem)
        : m_problem(problem),
          m_left(problem.gpus),
          m_groups(problem.groups, std::vector<uint32_t>(problem.gpus.size(), 0))
    {
        m_best.spread = std::numeric_limits<double>::infinity();
        FillGroup(0, 0, true);
    }

    const Grouping& GetBest() const
    {
        return m_best;
    }

  private:
    /** Fill a group from a type on. \param atBound whether the counts of all types before are those
     * of the group before */
    void FillGroup(uint32_t group, std::size_t type, bool atBound)
    {
        if (type == m_left.size())
        {
            group + 1 == m_problem.groups ? Judge() : FillGroup(group + 1, 0, true);
            return;
        }
        const bool isBound = atBound && group > 0;
        const uint32_t most =
            isBound ? std::min(m_left[type], m_groups[group - 1][type]) : m_left[type];
        const bool isLast = group + 1 == m_problem.groups;
        if (isLast && m_left[type] > most)
        {
            return; // the last group takes all that is left
        }
        for (uint32_t count = isLast ? m_left[type] : 0; count <= most; ++count)
        {
            m_groups[group][type] = count;
            m_left[type] -= count;
            FillGroup(group, type + 1, isBound && count == m_groups[group - 1][type]);
            m_left[type] += count;
        }
        m_groups[group][type] = 0;
    }

    void Judge()
    {
        const double spread = FindSpread(SumSpeeds(m_problem, m_groups));
        if (m_best.gpus.empty() || IsBetter(spread, m_best.spread))
        {
            m_best = {m_groups, spread};
        }
    }

    const GroupingProblem& m_problem;
    std::vector<uint32_t> m_left; //!< GPUs in no group yet, by type
    std::vector<std::vector<uint32_t>> m_groups;
    Grouping m_best;
};

/** The largest and smallest sums of a model's speeds: three each, so that two groups can be left
 * out. */
struct ModelEnds
{
    std::vector<std::pair<double, std::size_t>> largest;  //!< largest sums and their groups
    std::vector<std::pair<double, std::size_t>> smallest; //!< smallest sums and their groups
};

ModelEnds
FindEnds(const std::vector<double>& sums)
{
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t group = 0; group < sums.size(); ++group)
    {
        order.emplace_back(sums[group], group);
    }
    std::sort(order.begin(), order.end());
    const std::size_t count = std::min<std::size_t>(3, order.size());
    ModelEnds ends;
    ends.smallest.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    ends.largest.assign(order.rbegin(), order.rbegin() + static_cast<std::ptrdiff_t>(count));
    return ends;
}

/** A move of one GPU from a group to another, and perhaps of one of another type back. */
struct Exchange
{
    std::size_t from;
    std::size_t to;
    std::size_t type;
    std::size_t back; //!< type of the GPU moved back; the number of types: none
};

/** \return the spread after an exchange, in O(models) */
double
FindSpreadAfter(const GroupingProblem& problem,
                const SpeedSums& sums,
                const std::vector<ModelEnds>& ends,
                const Exchange& exchange)
{
    double spread = 0;
    for (std::size_t model = 0; model < sums.size(); ++model)
    {
        const auto& speed = problem.speed[model];
        const double moved =
            speed[exchange.type] - (exchange.back < speed.size() ? speed[exchange.back] : 0);
        double most =
            std::max(sums[model][exchange.from] - moved, sums[model][exchange.to] + moved);
        double least =
            std::min(sums[model][exchange.from] - moved, sums[model][exchange.to] + moved);
        const auto isOther = [&exchange](const auto& sum) {
            return sum.second != exchange.from && sum.second != exchange.to;
        };
        const auto& [largest, smallest] = ends[model];
        const auto largestOther = std::find_if(largest.begin(), largest.end(), isOther);
        const auto smallestOther = std::find_if(smallest.begin(), smallest.end(), isOther);
        most = largestOther == largest.end() ? most : std::max(most, largestOther->first);
        least = smallestOther == smallest.end() ? least : std::min(least, smallestOther->first);
        spread = std::max(spread, most - least);
    }
    return spread;
}

/** \return all exchanges that a grouping allows */
std::vector<Exchange>
ListExchanges(const std::vector<std::vector<uint32_t>>& groups)
{
    std::vector<Exchange> exchanges;
    const std::size_t types = groups.front().size();
    for (std::size_t from = 0; from < groups.size(); ++from)
    {
        for (std::size_t to = 0; to < groups.size(); ++to)
        {
            for (std::size_t type = 0; type < types; ++type)
            {
                for (std::size_t back = 0; back <= types; ++back)
                {
                    const bool isMove = back == types;
                    // A swap is listed once, from its first group; one of equals has no effect.
                    if (from != to && groups[from][type] > 0 && back != type &&
                        (isMove || (from < to && groups[to][back] > 0)))
                    {
                        exchanges.push_back({from, to, type, back});
                    }
                }
            }
        }
    }
    return exchanges;
}

} // namespace

uint64_t
CountGroupings(const GroupingProblem& problem, uint64_t most)
{
    // The number is the product over types of binomials (count + groups - 1 over groups - 1).
    double ways = 1;
    for (const uint32_t count : problem.gpus)
    {
        for (uint32_t i = 1; i <= count && ways <= static_cast<double>(most); ++i)
        {
            ways = ways * (problem.groups - 1.0 + i) / i;
        }
    }
    return ways > static_cast<double>(most) ? most : static_cast<uint64_t>(ways + 0.5);
}

Grouping
EnumerateGroupings(const GroupingProblem& problem)
{
    return GroupingEnumeration(problem).GetBest();
}

Grouping
DealGpus(const GroupingProblem& problem)
{
    const std::size_t types = problem.gpus.size();
    std::vector<double> mean(types, 0);
    for (const auto& ofModel : problem.speed)
    {
        for (std::size_t type = 0; type < types; ++type)
        {
            mean[type] += ofModel[type] / static_cast<double>(problem.speed.size());
        }
    }
    std::vector<std::size_t> order(types);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&mean](std::size_t a, std::size_t b) {
        return mean[a] > mean[b];
    });
    Grouping grouping{{problem.groups, std::vector<uint32_t>(types, 0)}, 0};
    SpeedSums sums = SumSpeeds(problem, grouping.gpus);
    std::vector<double> meanSum(problem.groups, 0);
    for (const std::size_t type : order)
    {
        for (uint32_t i = 0; i < problem.gpus[type]; ++i)
        {
            std::size_t best = 0;
            double bestSpread = std::numeric_limits<double>::infinity();
            for (std::size_t group = 0; group < problem.groups; ++group)
            {
                SpeedSums after = sums;
                for (std::size_t model = 0; model < sums.size(); ++model)
                {
                    after[model][group] += problem.speed[model][type];
                }
                const double spread = FindSpread(after);
                if (group == 0 || IsBetter(spread, bestSpread) ||
                    (!IsBetter(bestSpread, spread) && meanSum[group] < meanSum[best]))
                {
                    best = group;
                    bestSpread = spread;
                }
            }
            ++grouping.gpus[best][type];
            meanSum[best] += mean[type];
            for (std::size_t model = 0; model < sums.size(); ++model)
            {
                sums[model][best] += problem.speed[model][type];
            }
        }
    }
    grouping.spread = FindSpread(SumSpeeds(problem, grouping.gpus));
    return grouping;
}

Grouping
ImproveGrouping(const GroupingProblem& problem, Grouping grouping)
{
    for (;;)
    {
        const SpeedSums sums = SumSpeeds(problem, grouping.gpus);
        grouping.spread = FindSpread(sums);
        std::vector<ModelEnds> ends;
        for (const auto& ofModel : sums)
        {
            ends.push_back(FindEnds(ofModel));
        }
        const Exchange* best = nullptr;
        double bestSpread = grouping.spread;
        const std::vector<Exchange> exchanges = ListExchanges(grouping.gpus);
        for (const Exchange& exchange : exchanges)
        {
            const double spread = FindSpreadAfter(problem, sums, ends, exchange);
            if (IsBetter(spread, bestSpread))
            {
                best = &exchange;
                bestSpread = spread;
            }
        }
        if (!best)
        {
            return grouping;
        }
        --grouping.gpus[best->from][best->type];
        ++grouping.gpus[best->to][best->type];
        if (best->back < problem.gpus.size())
        {
            --grouping.gpus[best->to][best->back];
            ++grouping.gpus[best->from][best->back];
        }
    }
}

Grouping
GroupGpus(const GroupingProblem& problem)
{
    return CountGroupings(problem, MOST_ENUMERATED + 1) <= MOST_ENUMERATED
               ? EnumerateGroupings(problem)
               : ImproveGrouping(problem, DealGpus(problem));
}

} // namespace ns3::ddl
