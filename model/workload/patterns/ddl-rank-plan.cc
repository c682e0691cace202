// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rank-plan.h"

#include "ddl-communication-pattern.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ns3::ddl
{

namespace
{

using Ends = std::pair<uint32_t, uint32_t>; // ranks of source and destination

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

using Conditions = std::pair<uint32_t, std::vector<uint32_t>>; // bucket and earlier transfers

/** \return the transfers of each rank, grouped by what they wait for; groups in order of their
 * first transfer */
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

/** \return number of a rank's groups that belong to each bucket or to an earlier one */
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

/** The slots that the arrivals of transfers fill. */
struct Slots
{
    std::vector<uint32_t> inbound; //!< slot of each transfer at its destination
    std::vector<uint32_t> echo;    //!< slot of each transfer at its source, or NO_ECHO
    std::vector<uint32_t> counts;  //!< number of inbound slots of each rank
    std::vector<uint32_t> totals;  //!< number of all slots of each rank
};

/**
 * Add echoes for transfers of ranks to which nothing of a bucket is sent, so that they learn when
 * it is over, if they have transfers in a later one.
 */
void
AddBucketEchoes(const TransferPlan& plan, uint32_t serial, Slots& slots)
{
    std::set<std::pair<uint32_t, uint32_t>> receivers; // ranks and buckets of inbound transfers
    std::vector<uint32_t> last(serial, 0);             // last bucket of which each rank sends
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

/** Record what a rank has to do in each bucket before it may send the next one. */
void
FillBucketNeeds(std::vector<RankSteps>& ranks,
                const TransferPlan& plan,
                const Slots& slots,
                uint32_t buckets,
                uint32_t serial)
{
    for (uint32_t r = 0; r < serial; ++r)
    {
        RankSteps& rank = ranks[r];
        rank.bucketNeeds.assign(buckets, 0);
        rank.slotBuckets.assign(slots.totals[r], 0);
        for (uint32_t bucket = 0; bucket < buckets; ++bucket)
        {
            const uint32_t begin = bucket == 0 ? 0 : rank.bucketEnds[bucket - 1];
            rank.bucketNeeds[bucket] = rank.bucketEnds[bucket] - begin;
            for (uint32_t group = begin; bucket > 0 && group < rank.bucketEnds[bucket]; ++group)
            {
                ++rank.needs[group]; // the end of the previous bucket
            }
        }
    }
    const auto fill = [&](uint32_t r, uint32_t slot, uint32_t bucket) {
        if (r < serial && slot != RankPlan::NO_ECHO)
        {
            ranks[r].slotBuckets[slot] = bucket;
            ++ranks[r].bucketNeeds[bucket];
        }
    };
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        fill(plan[i].destination, slots.inbound[i], plan[i].bucket);
        fill(plan[i].source, slots.echo[i], plan[i].bucket);
    }
}

/** Record which groups of a rank wait for which of its slots. */
void
FillWaiters(RankSteps& rank, const std::vector<std::vector<uint32_t>>& waiters)
{
    for (const auto& groups : waiters)
    {
        rank.waiters.insert(rank.waiters.end(), groups.begin(), groups.end());
        rank.waiterEnds.push_back(rank.waiters.size());
    }
}

/** Builds the plan of a job whose ranks all do the same, bucket by bucket. */
class RotatedCompiler
{
  public:
    /** \param ranks number of ranks \param isSerial whether buckets are sent one after the other */
    RotatedCompiler(uint32_t ranks, bool isSerial)
        : m_ranks(ranks),
          m_isSerial(isSerial)
    {
    }

    /** Add a bucket. \param plan the bucket's plan; empty if it has no bytes */
    void AddBucket(const RotatedPlan& plan, uint64_t bytes)
    {
        const uint32_t bucket = m_steps.bucketEnds.size();
        const uint32_t offset = m_steps.inbound; // a rank gets each transfer once: its slot
        m_steps.inbound += plan.size();
        m_waiters.resize(m_steps.inbound);
        const auto groups = ListGroups(plan);
        for (const auto& group : groups)
        {
            const auto& after = plan[group.front()].after;
            for (const uint32_t earlier : after)
            {
                m_waiters[offset + earlier].push_back(m_steps.groupEnds.size());
            }
            for (const uint32_t i : group)
            {
                AddSend(plan[i], offset + i, bytes);
            }
            m_steps.groupEnds.push_back(m_steps.sends.size());
            m_steps.needs.push_back(after.size() + 1 + (m_isSerial && bucket > 0 ? 1 : 0));
        }
        m_steps.bucketEnds.push_back(m_steps.groupEnds.size());
        if (m_isSerial)
        {
            m_steps.bucketNeeds.push_back(groups.size() + plan.size());
            m_steps.slotBuckets.resize(m_steps.inbound, bucket);
        }
        m_bytes += plan.size() * bytes;
    }

    /** Call once. \return the plan */
    JobPlan Take()
    {
        FillWaiters(m_steps, m_waiters);
        JobPlan job;
        job.bytes = m_bytes;
        job.transfers = uint64_t{m_ranks} * m_steps.sends.size();
        const auto steps = std::make_shared<const RankSteps>(std::move(m_steps));
        std::map<uint32_t, std::vector<uint64_t>> bytes; // bytes from each rank, by distance
        for (const auto& [distance, link] : m_links)
        {
            bytes[distance] = link.Sum(m_ranks);
        }
        for (uint32_t r = 0; r < m_ranks; ++r)
        {
            job.ranks.push_back({steps, std::vector<uint32_t>(m_links.size()), r, m_ranks});
            std::map<uint32_t, uint32_t> distances; // distance to each destination
            for (const auto& entry : m_links)
            {
                distances[(r + entry.first) % m_ranks] = entry.first;
            }
            for (const auto& [destination, distance] : distances)
            {
                job.ranks.back().channels[m_links.at(distance).channel] = job.channels.size();
                job.channels.push_back({r, destination, bytes[distance][r]});
            }
        }
        return job;
    }

  private:
    /** The channels from each rank to the one at some distance. */
    struct Link
    {
        uint32_t channel{0}; //!< number of the channel in the steps
        uint64_t bytes{0};   //!< bytes per iteration that every rank sends
        /** Difference of rank r's further bytes from those of rank r - 1; rank r + N is rank r. */
        std::vector<int64_t> extra;

        /** \return bytes that each rank sends per iteration */
        std::vector<uint64_t> Sum(uint32_t ranks) const
        {
            std::vector<uint64_t> sums(ranks, bytes);
            int64_t here = 0;
            for (uint32_t i = 0; i < 2 * ranks; ++i)
            {
                here += extra[i];
                sums[i % ranks] += here;
            }
            return sums;
        }
    };

    /** \return transfers grouped by what they wait for; groups in order of their first transfer */
    static std::vector<std::vector<uint32_t>> ListGroups(const RotatedPlan& plan)
    {
        std::vector<std::vector<uint32_t>> groups;
        std::map<std::vector<uint32_t>, std::size_t> known;
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            const auto found = known.emplace(plan[i].after, groups.size());
            if (found.second)
            {
                groups.emplace_back();
            }
            groups[found.first->second].push_back(i);
        }
        return groups;
    }

    void AddSend(const RotatedTransfer& transfer, uint32_t slot, uint64_t bytes)
    {
        const auto larger = static_cast<uint32_t>(bytes % m_ranks);
        const auto [known, isNew] = m_links.try_emplace(transfer.distance % m_ranks, Link{});
        Link& link = known->second;
        if (isNew)
        {
            link.channel = m_links.size() - 1;
            link.extra.resize(2 * m_ranks, 0);
        }
        link.bytes += bytes / m_ranks;
        RankSteps::Send send;
        send.channel = link.channel;
        send.slot = slot;
        send.bytes = bytes / m_ranks;
        send.part = transfer.part % m_ranks;
        send.larger = larger;
        m_steps.sends.push_back(send);
        const uint32_t first = (m_ranks - send.part) % m_ranks; // the rank that sends part 0
        ++link.extra[first];
        --link.extra[first + larger];
    }

    uint32_t m_ranks;
    bool m_isSerial;
    RankSteps m_steps;
    std::map<uint32_t, Link> m_links;             //!< channels by distance
    std::vector<std::vector<uint32_t>> m_waiters; //!< groups that wait for each slot
    uint64_t m_bytes{0};
};

/** \return the plan if all ranks do the same in every bucket; otherwise nothing */
std::optional<JobPlan>
PlanRotatedJob(const CommunicationPattern& pattern,
               const PatternView& view,
               const std::vector<uint64_t>& buckets,
               bool isSerial)
{
    RotatedCompiler compiler(view.workers, isSerial);
    bool sends = false;
    for (const uint64_t bytes : buckets)
    {
        PatternView part = view;
        part.bytes = bytes;
        const RotatedPlan plan = bytes > 0 ? pattern.PlanRotated(part) : RotatedPlan();
        if (plan.empty() && bytes > 0)
        {
            return std::nullopt;
        }
        sends = sends || !plan.empty();
        compiler.AddBucket(plan, bytes);
    }
    return sends ? std::make_optional(compiler.Take()) : std::nullopt;
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
    std::vector<RankSteps> all(ranks);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        RankSteps& rank = all[r];
        rank.inbound = slots.counts[r];
        rank.bucketEnds = ListBucketEnds(plan, groups[r], buckets);
        std::map<uint32_t, uint32_t> own; // this rank's number of each channel of the job
        std::vector<std::vector<uint32_t>> waiters(slots.totals[r]);
        for (uint32_t group = 0; group < groups[r].size(); ++group)
        {
            for (const uint32_t i : groups[r][group])
            {
                const uint32_t channel = channels[{r, plan[i].destination}];
                const auto number = static_cast<uint32_t>(own.size());
                RankSteps::Send send;
                send.channel = own.emplace(channel, number).first->second;
                send.slot = slots.inbound[i];
                send.bytes = plan[i].bytes;
                send.echo = slots.echo[i];
                rank.sends.push_back(send);
            }
            const auto& after = plan[groups[r][group].front()].after;
            for (const uint32_t earlier : after)
            {
                const bool isOwn = plan[earlier].source == r;
                waiters[isOwn ? slots.echo[earlier] : slots.inbound[earlier]].push_back(group);
            }
            rank.groupEnds.push_back(rank.sends.size());
            rank.needs.push_back(after.size() + 1);
        }
        FillWaiters(rank, waiters);
        job.ranks[r].channels.resize(own.size());
        for (const auto& [channel, number] : own)
        {
            job.ranks[r].channels[number] = channel;
        }
    }
    FillBucketNeeds(all, plan, slots, buckets, serial);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        job.ranks[r].steps = std::make_shared<const RankSteps>(std::move(all[r]));
    }
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
    auto rotated = PlanRotatedJob(pattern, view, buckets.GetBytes(), buckets.IsSerial());
    return rotated ? std::move(*rotated)
                   : CompilePlan(PlanInBuckets(pattern, view, buckets.GetBytes()),
                                 view.workers + view.servers,
                                 buckets.GetCount(),
                                 buckets.IsSerial() ? view.workers : 0);
}

JobPlan
PlanJob(const CommunicationPattern& pattern, const PatternView& view)
{
    auto rotated = PlanRotatedJob(pattern, view, {view.bytes}, false);
    return rotated ? std::move(*rotated)
                   : CompilePlan(pattern.Plan(view), view.workers + view.servers);
}

} // namespace ns3::ddl
