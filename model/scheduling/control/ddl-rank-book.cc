// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rank-book.h"

namespace ns3
{
namespace ddl
{

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
