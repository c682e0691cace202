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
    static const Placement NONE;
    const auto asTuple = [](const JobDemand& demand) {
        const Placement& given = demand.placement ? *demand.placement : NONE;
        return std::make_tuple(demand.workers,
                               demand.servers,
                               demand.serverGpus,
                               demand.memory,
                               demand.service,
                               demand.job,
                               demand.placement.has_value(),
                               std::cref(given.workers),
                               std::cref(given.servers));
    };
    return asTuple(*this) < asTuple(other);
}

GroupDemand
GetDemand(const std::vector<JobSpec>& jobs, uint64_t iterations, bool mindsLoads, bool looksAtJobs)
{
    GroupDemand demand;
    for (const auto& job : jobs)
    {
        demand.push_back(
            {job.workers,
             job.servers,
             job.model.gpuMemory,
             mindsLoads ? GetRemainingService(EstimateIteration(job), iterations) : Time(),
             job.placement,
             looksAtJobs ? std::make_optional(job.id) : std::nullopt,
             job.serverGpus});
    }
    // Jobs with given placements go first, so that no policy sees the load without them.
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
            gpus += job.placement ? ListGpus(*job.placement).size()
                                  : job.workers + job.servers * job.serverGpus;
        }
    }
    return gpus;
}

void
WaitingQueue::Add(CojobId id, double priority, uint32_t gpus, const GroupDemand& demand)
{
    Insert(id, {priority, m_added++}, gpus, demand);
}

double
WaitingQueue::GetFirstPriority() const
{
    const auto first =
        std::min_element(m_buckets.begin(), m_buckets.end(), [](const auto& a, const auto& b) {
            return a.second.heads.begin()->first < b.second.heads.begin()->first;
        });
    return first->second.heads.begin()->first.first;
}

void
WaitingQueue::SetPriority(CojobId id, double priority)
{
    const Place place = m_places.at(id);
    const GroupDemand demand = place.demand->first;
    Remove(id);
    Insert(id, {priority, place.position.second}, place.gpus, demand);
}

void
WaitingQueue::SetDemand(CojobId id, uint32_t gpus, const GroupDemand& demand)
{
    const Position position = m_places.at(id).position;
    Remove(id);
    Insert(id, position, gpus, demand);
}

void
WaitingQueue::Insert(CojobId id, Position position, uint32_t gpus, const GroupDemand& demand)
{
    Bucket& bucket = m_buckets[gpus];
    const auto alike = bucket.demands.try_emplace(demand).first;
    Alike& groups = alike->second;
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
    m_places[id] = {gpus, alike, position};
}

void
WaitingQueue::Remove(CojobId id)
{
    const auto place = m_places.find(id);
    const auto [gpus, alike, position] = place->second;
    m_places.erase(place);
    Bucket& bucket = m_buckets.at(gpus);
    Alike& groups = alike->second;
    const bool isFirst = groups.begin()->first == position;
    groups.erase(position);
    if (isFirst)
    {
        bucket.heads.erase(position);
    }
    if (isFirst && !groups.empty())
    {
        bucket.heads.emplace(groups.begin()->first, alike);
    }
    if (groups.empty())
    {
        bucket.demands.erase(alike);
    }
    if (bucket.demands.empty())
    {
        m_buckets.erase(gpus);
    }
}

std::optional<CojobId>
WaitingQueue::OfferInTurn(Supply supply,
                          bool letsPass,
                          const std::function<Reply(CojobId)>& offer) const
{
    // The heads of all buckets are merged; a bucket that needs more than there is only counts where
    // its first group holds up the others.
    struct Run
    {
        Buckets::const_iterator bucket;
        decltype(Bucket::heads)::const_iterator head;
    };

    uint64_t available = uint64_t{supply.free} + supply.coming;
    std::vector<Run> runs;
    const auto end = letsPass ? m_buckets.upper_bound(available) : m_buckets.end();
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
        const uint32_t gpus = next->bucket->first;
        const Alike& groups = next->head->second->second;
        const CojobId id = groups.begin()->second;
        const Reply reply =
            gpus <= std::min<uint64_t>(available, supply.free) ? offer(id) : Reply::NO_ROOM;
        if (reply == Reply::TAKES)
        {
            return id;
        }
        if (!letsPass)
        {
            return std::nullopt;
        }
        if (supply.coming > 0 && gpus > 0 && reply != Reply::DECLINES)
        {
            available -= std::min(available, uint64_t{gpus} * groups.size());
        }
        if (++next->head == next->bucket->second.heads.end())
        {
            runs.erase(next);
        }
    }
    return std::nullopt;
}

void
WaitingQueue::Visit(uint32_t mostGpus,
                    const std::function<bool(CojobId, double priority)>& visit) const
{
    using Run = std::pair<Alike::const_iterator, Alike::const_iterator>; // next, end
    std::vector<Run> runs; // a heap, the one with the first group on top
    const auto isLater = [](const Run& a, const Run& b) { return b.first->first < a.first->first; };
    const auto end = m_buckets.upper_bound(mostGpus);
    for (auto bucket = m_buckets.begin(); bucket != end; ++bucket)
    {
        for (const auto& [demand, groups] : bucket->second.demands)
        {
            runs.emplace_back(groups.begin(), groups.end());
        }
    }
    std::make_heap(runs.begin(), runs.end(), isLater);
    while (!runs.empty())
    {
        std::pop_heap(runs.begin(), runs.end(), isLater);
        Run& next = runs.back();
        if (!visit(next.first->second, next.first->first.first))
        {
            return;
        }
        if (++next.first == next.second)
        {
            runs.pop_back();
            continue;
        }
        std::push_heap(runs.begin(), runs.end(), isLater);
    }
}

} // namespace ns3::ddl
