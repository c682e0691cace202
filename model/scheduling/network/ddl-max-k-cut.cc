// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-max-k-cut.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

namespace
{

/** Draws topological orders: of the jobs that may be next, a random one is. */
class OrderDraw
{
  public:
    OrderDraw(const ContentionGraph& graph, const std::vector<uint32_t>& order)
        : m_graph(graph),
          m_order(order),
          m_needs(graph.GetSize(), 0)
    {
        for (const auto& lower : graph.lower)
        {
            for (auto job = lower.find_first(); job != lower.npos; job = lower.find_next(job))
            {
                ++m_needs[job];
            }
        }
    }

    /** \return the jobs with edges; the others belong into no level in particular */
    std::vector<uint32_t> Draw(std::mt19937_64& random)
    {
        std::vector<uint32_t> needs = m_needs;
        std::vector<uint32_t> ready;
        std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(ready), [&](uint32_t job) {
            return needs[job] == 0 && m_graph.lower[job].any();
        });
        std::vector<uint32_t> drawn;
        while (!ready.empty())
        {
            m_isOnly = m_isOnly && ready.size() == 1;
            std::swap(ready[random() % ready.size()], ready.back());
            drawn.push_back(ready.back());
            ready.pop_back();
            const auto& lower = m_graph.lower[drawn.back()];
            for (auto job = lower.find_first(); job != lower.npos; job = lower.find_next(job))
            {
                if (--needs[job] == 0)
                {
                    ready.push_back(job);
                }
            }
        }
        return drawn;
    }

    /** \return whether there is but one order, as far as drawn */
    bool IsOnly() const
    {
        return m_isOnly;
    }

  private:
    const ContentionGraph& m_graph;
    const std::vector<uint32_t>& m_order;
    std::vector<uint32_t> m_needs; //!< edges to each job
    bool m_isOnly{true};
};

/** The best division of a topological order into consecutive parts. */
struct Division
{
    double weight{-1};
    std::vector<uint32_t> levels; //!< by job
};

/** \param order the jobs with edges \param parts number of parts, at most that of these jobs */
Division
DivideOrder(const ContentionGraph& graph, const std::vector<uint32_t>& order, uint32_t parts)
{
    const std::size_t jobs = order.size();
    const double none = -std::numeric_limits<double>::infinity();
    // best[k][i]: of the first i jobs in k parts; last[k][i]: jobs before the last of these parts.
    std::vector<std::vector<double>> best(parts + 1, std::vector<double>(jobs + 1, none));
    std::vector<std::vector<uint32_t>> last(parts + 1, std::vector<uint32_t>(jobs + 1, 0));
    best[0][0] = 0;
    std::vector<double> cut(jobs + 1, 0); // edges from the first j jobs to those after them, so far
    for (std::size_t i = 1; i <= jobs; ++i)
    {
        double weight = 0; // edges from the first j jobs to the i-th
        for (std::size_t j = 1; j < i; ++j)
        {
            const uint32_t from = order[j - 1];
            weight += graph.lower[from].test(order[i - 1]) ? graph.weights[from] : 0;
            cut[j] += weight;
        }
        for (uint32_t k = 1; k <= parts; ++k)
        {
            for (std::size_t j = k - 1; j < i; ++j)
            {
                const double whole = best[k - 1][j] + cut[j];
                if (whole > best[k][i])
                {
                    best[k][i] = whole;
                    last[k][i] = j;
                }
            }
        }
    }
    Division division{best[parts][jobs], std::vector<uint32_t>(graph.GetSize(), 0)};
    std::size_t end = jobs;
    for (uint32_t k = parts; k > 0; --k)
    {
        const std::size_t begin = last[k][end];
        for (std::size_t i = begin; i < end; ++i)
        {
            division.levels[order[i]] = k - 1;
        }
        end = begin;
    }
    return division;
}

} // namespace

ContentionGraph::ContentionGraph(std::size_t jobs)
    : weights(jobs, 0),
      lower(jobs, boost::dynamic_bitset<>(jobs))
{
}

double
GetCutWeight(const ContentionGraph& graph, const std::vector<uint32_t>& levels)
{
    double weight = 0;
    for (std::size_t from = 0; from < graph.GetSize(); ++from)
    {
        const auto& lower = graph.lower[from];
        for (auto to = lower.find_first(); to != lower.npos; to = lower.find_next(to))
        {
            weight += levels[from] != levels[to] ? graph.weights[from] : 0;
        }
    }
    return weight;
}

std::vector<uint32_t>
MoveUp(const ContentionGraph& graph,
       const std::vector<uint32_t>& order,
       const std::vector<uint32_t>& levels)
{
    std::vector<uint32_t> moved(levels.size(), 0);
    for (const uint32_t from : order)
    {
        const auto& lower = graph.lower[from];
        for (auto to = lower.find_first(); to != lower.npos; to = lower.find_next(to))
        {
            const uint32_t below = moved[from] + (levels[from] != levels[to] ? 1 : 0);
            moved[to] = std::max(moved[to], below);
        }
    }
    return moved;
}

std::vector<uint32_t>
CutIntoLevels(const ContentionGraph& graph,
              const std::vector<uint32_t>& order,
              uint32_t levels,
              uint32_t orders,
              std::mt19937_64& random)
{
    std::vector<uint32_t> apart(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        apart[order[i]] = i;
    }
    apart = MoveUp(graph, order, apart);
    const uint32_t needed = apart.empty() ? 0 : *std::max_element(apart.begin(), apart.end()) + 1;
    if (levels == 0 || needed <= levels)
    {
        return apart; // all edges are cut
    }
    OrderDraw draw(graph, order);
    Division best;
    for (uint32_t i = 0; i < orders && (i == 0 || !draw.IsOnly()); ++i)
    {
        Division division = DivideOrder(graph, draw.Draw(random), levels);
        if (division.weight > best.weight)
        {
            best = std::move(division);
        }
    }
    return MoveUp(graph, order, best.levels);
}

} // namespace ns3::ddl
