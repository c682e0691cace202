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

std::vector<JobRank>
RankLocally(const std::vector<PresentJob>& jobs, uint32_t last)
{
    std::map<HostId, std::set<uint32_t>> placesAt;
    for (const auto& job : jobs)
    {
        for (const HostId host : job.hosts)
        {
            placesAt[host].insert(job.place);
        }
    }
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
