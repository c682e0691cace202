// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-priority-book.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{
namespace ddl
{

UnitKey
GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint32_t iteration)
{
    switch (kind)
    {
    case UnitKind::STAGE:
        return {cojob, stage, JobId{0}, 0};
    case UnitKind::JOB:
        return {cojob, 0, job, 0};
    case UnitKind::COFLOW:
        return {cojob, 0, job, iteration};
    }
    return {};
}

void
StandingOrder::Set(const SchedulerView& view, const UnitOrder& order, UnitKind kind)
{
    m_places.clear();
    m_last = 0;
    for (const auto& group : order)
    {
        ++m_last;
        for (const uint32_t index : group)
        {
            const UnitView& unit = view.units[index];
            m_places[GetUnitKey(kind, unit.cojob, unit.stage, unit.job, unit.iteration)] = m_last;
        }
    }
}

uint32_t
StandingOrder::GetPlace(const UnitKey& unit)
{
    const auto [position, isNew] = m_places.try_emplace(unit, m_last + 1);
    if (isNew)
    {
        ++m_last;
    }
    return position->second;
}

namespace
{

/** \return places in the global order of the units that are present at each machine */
std::map<HostId, std::set<uint32_t>>
FindPlaces(const std::vector<PresentJob>& jobs)
{
    std::map<HostId, std::set<uint32_t>> places;
    for (const auto& job : jobs)
    {
        for (const HostId host : job.hosts)
        {
            places[host].insert(job.place);
        }
    }
    return places;
}

} // namespace

uint32_t
CountMostRanks(const std::vector<PresentJob>& jobs)
{
    std::size_t most = 0;
    for (const auto& [host, places] : FindPlaces(jobs))
    {
        most = std::max(most, places.size());
    }
    return static_cast<uint32_t>(most);
}

std::vector<JobRank>
RankLocally(const std::vector<PresentJob>& jobs, uint32_t last)
{
    const auto placesAt = FindPlaces(jobs);
    std::map<HostId, std::map<uint32_t, uint32_t>> rankAt;
    for (const auto& [host, places] : placesAt)
    {
        uint32_t rank = 0;
        for (const uint32_t place : places)
        {
            rank += rank < last;
            rankAt[host][place] = rank;
        }
    }
    std::vector<JobRank> ranks;
    for (const auto& job : jobs)
    {
        for (const HostId host : job.hosts)
        {
            ranks.push_back({job.job, job.stage, host, rankAt[host][job.place]});
        }
    }
    std::sort(ranks.begin(), ranks.end(), [](const JobRank& a, const JobRank& b) {
        return std::tie(a.job, a.host) < std::tie(b.job, b.host);
    });
    return ranks;
}

void
RankBook::AddJob(JobId job, const std::vector<HostId>& machines)
{
    m_jobs[job].machines = machines;
}

void
RankBook::RemoveJob(JobId job)
{
    m_jobs.erase(job);
}

RankBook::Changes
RankBook::Update(const std::vector<JobRank>& ranks)
{
    Changes changes;
    for (const auto& rank : ranks)
    {
        Entry& job = m_jobs.at(rank.job);
        uint32_t& told = job.told[rank.host]; // 0, which is no rank, when new
        if (told == rank.rank)
        {
            continue;
        }
        told = rank.rank;
        for (const HostId machine : job.machines)
        {
            changes[machine].push_back(rank);
        }
    }
    return changes;
}

} // namespace ddl
} // namespace ns3
