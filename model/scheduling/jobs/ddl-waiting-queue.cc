// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-waiting-queue.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

bool
JobDemand::operator<(const JobDemand& other) const
{
    const auto asTuple = [](const JobDemand& demand) {
        return std::tie(demand.workers, demand.servers, demand.memory, demand.service);
    };
    if (asTuple(*this) < asTuple(other) || asTuple(other) < asTuple(*this))
    {
        return asTuple(*this) < asTuple(other);
    }
    if (!placement || !other.placement)
    {
        return placement.has_value() < other.placement.has_value();
    }
    return std::tie(placement->workers, placement->servers) <
           std::tie(other.placement->workers, other.placement->servers);
}

GroupDemand
GetDemand(const CojobSpec& group, bool mindsLoads)
{
    const uint64_t iterations = CountIterations(group);
    GroupDemand demand;
    for (const auto& job : group.jobs)
    {
        demand.push_back(
            {job.workers,
             job.servers,
             job.model.gpuMemory,
             mindsLoads ? GetRemainingService(EstimateIteration(job), iterations) : Time(),
             job.placement});
    }
    // Given placements are taken first, so that nobody sees the load of the last other one.
    const auto last = std::find_if(demand.rbegin(), demand.rend(), [](const JobDemand& job) {
        return !job.placement;
    });
    if (last != demand.rend())
    {
        last->service = Time();
    }
    else if (demand.size() == 1)
    {
        demand.front().service = Time();
    }
    return demand;
}

uint32_t
CountWholeGpus(const GroupDemand& demand, bool isShared)
{
    uint32_t gpus = 0;
    for (const auto& job : demand)
    {
        if (!isShared || job.memory == 0)
        {
            gpus += job.placement ? ListGpus(*job.placement).size() : job.workers;
        }
    }
    return gpus;
}

void
WaitingQueue::Add(CojobId id, double priority, uint32_t gpus, const GroupDemand& demand)
{
    Bucket& bucket = m_buckets[gpus];
    const auto alike = bucket.demands.try_emplace(demand).first;
    Alike& groups = alike->second;
    const Position position{priority, m_added++};
    const bool isFirst = groups.empty() || position < groups.begin()->first;
    if (isFirst && !groups.empty())
    {
        bucket.heads.erase(groups.begin()->first);
    }
    groups.emplace(position, id);
    if (isFirst)
    {
        bucket.heads.emplace(position, alike);
    }
}

CojobId
WaitingQueue::RemoveHead(Buckets::iterator found, Position position)
{
    Bucket& bucket = found->second;
    const auto alike = bucket.heads.at(position);
    Alike& groups = alike->second;
    const CojobId id = groups.begin()->second;
    bucket.heads.erase(position);
    groups.erase(groups.begin());
    if (!groups.empty())
    {
        bucket.heads.emplace(groups.begin()->first, alike);
        return id;
    }
    bucket.demands.erase(alike);
    if (bucket.demands.empty())
    {
        m_buckets.erase(found);
    }
    return id;
}

std::optional<CojobId>
WaitingQueue::TakeFirst(uint32_t freeGpus, bool letsPass, const std::function<bool(CojobId)>& fits)
{
    // The heads of all buckets are merged; a bucket that needs more than is free only counts where
    // its first group holds up the others.
    struct Run
    {
        Buckets::iterator bucket;
        decltype(Bucket::heads)::iterator head;
    };

    std::vector<Run> runs;
    const auto end = letsPass ? m_buckets.upper_bound(freeGpus) : m_buckets.end();
    for (auto bucket = m_buckets.begin(); bucket != end; ++bucket)
    {
        runs.push_back({bucket, bucket->second.heads.begin()});
    }
    while (!runs.empty())
    {
        const auto next =
            std::min_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
                return a.head->first < b.head->first;
            });
        const CojobId id = next->head->second->second.begin()->second;
        if (next->bucket->first <= freeGpus && fits(id))
        {
            return RemoveHead(next->bucket, next->head->first);
        }
        if (!letsPass)
        {
            return std::nullopt;
        }
        if (++next->head == next->bucket->second.heads.end())
        {
            runs.erase(next);
        }
    }
    return std::nullopt;
}

} // namespace ns3::ddl
