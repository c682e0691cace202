// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rank-plan.h"

#include "ddl-communication-pattern.h"

#include <map>
#include <set>
#include <utility>

namespace ns3::ddl
{

namespace
{

using Ends = std::pair<uint32_t, uint32_t>; // source, destination

/** Number the pairs of ranks that exchange anything, in order. */
std::map<Ends, uint32_t>
ListChannels(const TransferPlan& plan, JobPlan& job)
{
    std::map<Ends, uint32_t> channels;
    for (const Transfer& transfer : plan)
    {
        channels[{transfer.source, transfer.destination}] = 0;
    }
    for (auto& entry : channels)
    {
        entry.second = job.channels.size();
        job.channels.push_back({entry.first.first, entry.first.second, 0});
    }
    for (const Transfer& transfer : plan)
    {
        job.channels[channels[{transfer.source, transfer.destination}]].bytes += transfer.bytes;
        job.bytes += transfer.bytes;
        ++job.transfers;
    }
    return channels;
}

using Conditions = std::pair<uint32_t, std::vector<uint32_t>>; // bucket, earlier transfers

/** \return the transfers of each rank, by what they wait for: groups in order of first mention */
std::vector<std::vector<std::vector<uint32_t>>>
ListGroups(const TransferPlan& plan, uint32_t ranks)
{
    std::vector<std::vector<std::vector<uint32_t>>> groups(ranks);
    std::vector<std::map<Conditions, uint32_t>> known(ranks);
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        const uint32_t rank = plan[i].source;
        const auto found =
            known[rank].emplace(Conditions{plan[i].bucket, plan[i].after}, groups[rank].size());
        if (found.second)
        {
            groups[rank].emplace_back();
        }
        groups[rank][found.first->second].push_back(i);
    }
    return groups;
}

/** \return how many of a rank's groups belong to each bucket or to one before it */
std::vector<uint32_t>
ListBucketEnds(const TransferPlan& plan,
               const std::vector<std::vector<uint32_t>>& groups,
               uint32_t buckets)
{
    std::vector<uint32_t> ends;
    uint32_t end = 0;
    for (uint32_t bucket = 0; bucket < buckets; ++bucket)
    {
        while (end < groups.size() && plan[groups[end].front()].bucket == bucket)
        {
            ++end;
        }
        ends.push_back(end);
    }
    return ends;
}

/** Where the arrival of a transfer counts. */
struct Slots
{
    std::vector<uint32_t> inbound; //!< of each transfer at its destination
    std::vector<uint32_t> echo;    //!< of each transfer at its source, or NO_ECHO
    std::vector<uint32_t> counts;  //!< inbound slots of each rank
    std::vector<uint32_t> totals;  //!< all slots of each rank
};

/**
 * Echoes for transfers of ranks that are sent nothing of a bucket, so that they learn when it is
 * over; if they have something to send in a later one.
 */
void
AddBucketEchoes(const TransferPlan& plan, uint32_t serial, Slots& slots)
{
    std::set<std::pair<uint32_t, uint32_t>> receivers; // rank, bucket
    std::vector<uint32_t> last(serial, 0);             // bucket of which a rank sends something
    for (const Transfer& transfer : plan)
    {
        receivers.emplace(transfer.destination, transfer.bucket);
        if (transfer.source < serial)
        {
            last[transfer.source] = transfer.bucket;
        }
    }
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        const uint32_t rank = plan[i].source;
        const uint32_t bucket = plan[i].bucket;
        if (rank < serial && bucket < last[rank] && slots.echo[i] == RankPlan::NO_ECHO &&
            receivers.count({rank, bucket}) == 0)
        {
            slots.echo[i] = slots.totals[rank]++;
        }
    }
}

Slots
ListSlots(const TransferPlan& plan, uint32_t ranks)
{
    Slots slots;
    slots.counts.resize(ranks, 0);
    for (const Transfer& transfer : plan)
    {
        slots.inbound.push_back(slots.counts[transfer.destination]++);
    }
    slots.totals = slots.counts;
    slots.echo.resize(plan.size(), RankPlan::NO_ECHO);
    for (const Transfer& transfer : plan)
    {
        for (const uint32_t earlier : transfer.after)
        {
            if (plan[earlier].source == transfer.source && slots.echo[earlier] == RankPlan::NO_ECHO)
            {
                slots.echo[earlier] = slots.totals[transfer.source]++;
            }
        }
    }
    return slots;
}

/** Write down what a rank has to do with each bucket before it may send of the next one. */
void
FillBucketNeeds(JobPlan& job,
                const TransferPlan& plan,
                const Slots& slots,
                uint32_t buckets,
                uint32_t serial)
{
    for (uint32_t r = 0; r < serial; ++r)
    {
        RankPlan& rank = job.ranks[r];
        rank.bucketNeeds.assign(buckets, 0);
        rank.slotBuckets.assign(slots.totals[r], 0);
        for (uint32_t bucket = 0; bucket < buckets; ++bucket)
        {
            const uint32_t begin = bucket == 0 ? 0 : rank.bucketEnds[bucket - 1];
            rank.bucketNeeds[bucket] = rank.bucketEnds[bucket] - begin;
            for (uint32_t group = begin; bucket > 0 && group < rank.bucketEnds[bucket]; ++group)
            {
                ++rank.needs[group]; // the bucket before
            }
        }
    }
    const auto fill = [&](uint32_t r, uint32_t slot, uint32_t bucket) {
        if (r < serial && slot != RankPlan::NO_ECHO)
        {
            job.ranks[r].slotBuckets[slot] = bucket;
            ++job.ranks[r].bucketNeeds[bucket];
        }
    };
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        fill(plan[i].destination, slots.inbound[i], plan[i].bucket);
        fill(plan[i].source, slots.echo[i], plan[i].bucket);
    }
}

/** Write down which groups of a rank wait for which of its slots. */
void
FillWaiters(RankPlan& rank, const std::vector<std::vector<uint32_t>>& waiters)
{
    for (const auto& groups : waiters)
    {
        rank.waiters.insert(rank.waiters.end(), groups.begin(), groups.end());
        rank.waiterEnds.push_back(rank.waiters.size());
    }
}

} // namespace

JobPlan
CompilePlan(const TransferPlan& plan, uint32_t ranks, uint32_t buckets, uint32_t serial)
{
    JobPlan job;
    job.ranks.resize(ranks);
    auto channels = ListChannels(plan, job);
    Slots slots = ListSlots(plan, ranks);
    AddBucketEchoes(plan, serial, slots);
    const auto groups = ListGroups(plan, ranks);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        RankPlan& rank = job.ranks[r];
        rank.inbound = slots.counts[r];
        rank.bucketEnds = ListBucketEnds(plan, groups[r], buckets);
        std::vector<std::vector<uint32_t>> waiters(slots.totals[r]);
        for (uint32_t group = 0; group < groups[r].size(); ++group)
        {
            for (const uint32_t i : groups[r][group])
            {
                rank.sends.push_back({channels[{r, plan[i].destination}],
                                      slots.inbound[i],
                                      plan[i].bytes,
                                      slots.echo[i]});
            }
            const auto& after = plan[groups[r][group].front()].after;
            for (const uint32_t earlier : after)
            {
                const bool own = plan[earlier].source == r;
                waiters[own ? slots.echo[earlier] : slots.inbound[earlier]].push_back(group);
            }
            rank.groupEnds.push_back(rank.sends.size());
            rank.needs.push_back(after.size() + 1);
        }
        FillWaiters(rank, waiters);
    }
    FillBucketNeeds(job, plan, slots, buckets, serial);
    return job;
}

TransferPlan
PlanInBuckets(const CommunicationPattern& pattern,
              const PatternView& view,
              const std::vector<uint64_t>& buckets)
{
    TransferPlan all;
    uint64_t offset = 0;
    for (uint32_t bucket = 0; bucket < buckets.size(); ++bucket)
    {
        PatternView part = view;
        part.bytes = buckets[bucket];
        const uint32_t begin = all.size();
        for (Transfer transfer : pattern.Plan(part))
        {
            transfer.bucket = bucket;
            transfer.offset += offset;
            for (uint32_t& earlier : transfer.after)
            {
                earlier += begin;
            }
            all.push_back(std::move(transfer));
        }
        offset += part.bytes;
    }
    return all;
}

JobPlan
PlanJob(const CommunicationPattern& pattern, const PatternView& view, const BucketPlan& buckets)
{
    return CompilePlan(PlanInBuckets(pattern, view, buckets.GetBytes()),
                       view.workers + view.servers,
                       buckets.GetCount(),
                       buckets.IsSerial() ? view.workers : 0);
}

} // namespace ns3::ddl
