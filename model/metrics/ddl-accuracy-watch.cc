// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-accuracy-watch.h"

#include "ns3/ddl-search-algorithm.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::ddl
{

namespace
{

uint64_t
CountIterations(const CojobSpec& group, uint32_t stages)
{
    return std::accumulate(group.iterations.begin(),
                           group.iterations.begin() + stages,
                           uint64_t{0});
}

/** \return the best accuracy that a job reaches before it is stopped; none if none is known */
std::optional<double>
FindBest(const CojobSpec& group, const std::vector<uint32_t>& lastStages)
{
    std::optional<double> best;
    for (std::size_t i = 0; i < group.jobs.size(); ++i)
    {
        const auto& curve = group.jobs[i].curve;
        const auto reached =
            curve ? GetAccuracy(*curve, CountIterations(group, lastStages[i])) : std::nullopt;
        best = std::max(best, reached); // std::nullopt is less than any accuracy
    }
    return best;
}

} // namespace

void
AccuracyWatch::AddGroup(const CojobSpec& group)
{
    const auto lastStages = PlanLastStages(group);
    const auto best = FindBest(group, lastStages);
    const uint64_t all = CountIterations(group, group.iterations.size());
    for (std::size_t i = 0; best && i < group.jobs.size(); ++i)
    {
        const JobSpec& job = group.jobs[i];
        const auto converged = job.curve ? GetAccuracy(*job.curve, all) : std::nullopt;
        if (!converged)
        {
            continue;
        }
        const uint64_t run = CountIterations(group, lastStages[i]);
        Target target;
        target.cojob = group.id;
        target.own = FindAccuracy(*job.curve, CONVERGED_PART * *converged, run).value_or(0);
        target.shared = FindAccuracy(*job.curve, CONVERGED_PART * *best, run).value_or(0);
        m_jobs[job.id] = target;
    }
}

bool
AccuracyWatch::IsWatched(JobId job) const
{
    return m_jobs.count(job) > 0;
}

void
AccuracyWatch::Note(const IterationLeap& iterations)
{
    const auto found = m_jobs.find(iterations.first.job);
    if (found == m_jobs.end())
    {
        return;
    }
    const auto findEnd = [&iterations](uint64_t wanted) {
        const uint64_t first = iterations.first.iteration;
        const bool isThere = wanted >= first && wanted - first < iterations.count;
        return isThere ? std::make_optional(iterations.Get(wanted - first).end) : std::nullopt;
    };
    Target& target = found->second;
    if (const auto end = findEnd(target.own))
    {
        target.time = end;
    }
    if (const auto end = findEnd(target.shared))
    {
        m_cojobs.emplace(target.cojob, *end); // has no effect unless it is the first
    }
}

std::optional<Time>
AccuracyWatch::GetTime(JobId job) const
{
    const auto found = m_jobs.find(job);
    return found != m_jobs.end() ? found->second.time : std::nullopt;
}

std::optional<Time>
AccuracyWatch::GetTime(CojobId cojob) const
{
    const auto found = m_cojobs.find(cojob);
    return found != m_cojobs.end() ? std::make_optional(found->second) : std::nullopt;
}

void
AccuracyWatch::Remove(JobId job)
{
    m_jobs.erase(job);
}

void
AccuracyWatch::Remove(CojobId cojob)
{
    m_cojobs.erase(cojob);
}

} // namespace ns3::ddl
