// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-crux-optimum.h"

#include "ns3/boolean.h"
#include "ns3/ddl-max-k-cut.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

namespace
{

/** \return level of each unit in an order */
std::vector<uint32_t>
ToLevels(const UnitOrder& order, std::size_t units)
{
    std::vector<uint32_t> levels(units, 0);
    for (uint32_t level = 0; level < order.size(); ++level)
    {
        for (const uint32_t unit : order[level])
        {
            levels[unit] = level;
        }
    }
    return levels;
}

/** Let the first digit below `base` rise, and clear those before it. \return false: all were over
 */
bool
Count(std::vector<uint32_t>& digits, uint32_t base)
{
    for (uint32_t& digit : digits)
    {
        if (++digit < base)
        {
            return true;
        }
        digit = 0;
    }
    return false;
}

} // namespace

CruxOptimum::CruxOptimum(const SmallCluster& cluster, uint32_t levels)
    : m_cluster(cluster),
      m_levels(levels)
{
}

double
CruxOptimum::GetUtilisation(const SmallClusterModel& model, const Levels& levels)
{
    std::size_t index = 0;
    for (const uint32_t level : levels)
    {
        index = index * m_levels + level;
    }
    m_known.resize(std::max(m_known.size(), index + 1));
    if (!m_known[index])
    {
        m_known[index] = model.GetUtilisation(levels);
    }
    return *m_known[index];
}

/** \return Crux's answer on these paths. \param levels, corrects as its attributes */
UnitOrder
CruxOptimum::Order(const PathChoice& paths, uint32_t levels, bool corrects) const
{
    SchedulerView view = m_cluster.AsView();
    for (std::size_t job = 0; job < paths.size(); ++job)
    {
        for (std::size_t flow = 0; flow < paths[job].size(); ++flow)
        {
            view.units[job].each.flows[flow].path = paths[job][flow];
        }
    }
    const auto crux = CreatePolicy<NetworkScheduler>("crux");
    crux->SetAttribute("Levels", UintegerValue(levels));
    crux->SetAttribute("Correction", BooleanValue(corrects));
    return crux->Order(view);
}

/** \return the best of all levels in which nobody is above a job that goes before it in the order
 * and shares a link. \param order place of each job; none: all levels */
double
CruxOptimum::FindBest(const SmallClusterModel& model, const std::optional<Levels>& order)
{
    const uint32_t jobs = m_cluster.jobs.size();
    double best = 0;
    Levels levels(jobs, 0);
    do
    {
        bool isAllowed = true;
        for (uint32_t a = 0; order && a < jobs; ++a)
        {
            for (uint32_t b = 0; b < jobs; ++b)
            {
                isAllowed = isAllowed && !(order->at(a) < order->at(b) && levels[a] > levels[b] &&
                                           model.Share(a, b));
            }
        }
        best = isAllowed ? std::max(best, GetUtilisation(model, levels)) : best;
    } while (Count(levels, m_levels));
    return best;
}

/** \return the best of all orders of the jobs, each compressed as Crux does */
double
CruxOptimum::FindBestCompressed(const SmallClusterModel& model)
{
    const uint32_t jobs = m_cluster.jobs.size();
    std::vector<uint32_t> order(jobs);
    std::iota(order.begin(), order.end(), 0);
    double best = 0;
    do
    {
        ContentionGraph graph(jobs);
        for (uint32_t i = 0; i < jobs; ++i)
        {
            const SmallJob& job = m_cluster.jobs[order[i]];
            graph.weights[order[i]] = job.compute * job.gpus / model.GetTransfer(order[i]);
            for (uint32_t j = i + 1; j < jobs; ++j)
            {
                graph.lower[order[i]][order[j]] = model.Share(order[i], order[j]);
            }
        }
        std::mt19937_64 random(1);
        best = std::max(best,
                        GetUtilisation(model, CutIntoLevels(graph, order, m_levels, 10, random)));
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

/** Go on to the next paths. The two upper switches are equal, so the first flow with a choice never
 * changes. \return false: these were the last */
bool
CruxOptimum::NextPaths(PathChoice& paths) const
{
    bool isFirst = true;
    for (std::size_t job = 0; job < paths.size(); ++job)
    {
        for (std::size_t flow = 0; flow < paths[job].size(); ++flow)
        {
            const bool isFixed = m_cluster.jobs[job].flows[flow].size() == 1 || isFirst;
            isFirst = isFirst && m_cluster.jobs[job].flows[flow].size() == 1;
            if (isFixed)
            {
                continue;
            }
            if (++paths[job][flow] < m_cluster.jobs[job].flows[flow].size())
            {
                return true;
            }
            paths[job][flow] = 0;
        }
    }
    return false;
}

CruxQuality
CruxOptimum::Rate()
{
    const auto crux = CreatePolicy<NetworkScheduler>("crux");
    const PathChoice chosen = crux->ChoosePaths(m_cluster.AsView());
    CruxQuality quality;
    {
        const SmallClusterModel model(m_cluster, chosen);
        m_known.clear();
        quality.paths = FindBest(model, std::nullopt);
        const std::size_t jobs = m_cluster.jobs.size();
        quality.whole = GetUtilisation(model, ToLevels(Order(chosen, m_levels), jobs));
        quality.uncorrected = GetUtilisation(model, ToLevels(Order(chosen, m_levels, false), jobs));
        quality.pathsOnly = GetUtilisation(model, Levels(jobs, 0));
    }
    PathChoice paths;
    for (const SmallJob& job : m_cluster.jobs)
    {
        paths.emplace_back(job.flows.size(), 0);
    }
    quality.unordered =
        SmallClusterModel(m_cluster, paths).GetUtilisation(Levels(m_cluster.jobs.size(), 0));
    do
    {
        const SmallClusterModel model(m_cluster, paths);
        m_known.clear();
        const Levels order = ToLevels(Order(paths, 0), m_cluster.jobs.size());
        quality.best = std::max(quality.best, FindBest(model, std::nullopt));
        quality.priorities = std::max(quality.priorities, FindBest(model, order));
        quality.levels = std::max(quality.levels, FindBestCompressed(model));
    } while (NextPaths(paths));
    return quality;
}

} // namespace ns3::ddl
