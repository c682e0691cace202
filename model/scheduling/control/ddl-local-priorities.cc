// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-local-priorities.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{
namespace ddl
{

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

} // namespace ddl
} // namespace ns3
