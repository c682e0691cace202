// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-collective-plan.h"

#include "ddl-collective-layout.h"
#include "ddl-double-tree.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

namespace
{

using Algorithm = CollectiveAlgorithm;
using Indices = std::vector<uint32_t>; // transfers of a plan

/** Builds the plan of one collective. */
class Planner
{
  public:
    Planner(Collective collective, const PatternView& view, const CollectiveChoice& choice)
        : m_collective(collective),
          m_ranks(view.workers),
          m_bytes(view.bytes),
          m_choice(choice),
          m_layout(view)
    {
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            m_plan.parts.push_back(GetPart({0, m_bytes}, m_ranks, rank));
        }
    }

    CollectivePlan Plan(const PatternView& view, const ObjectFactory& pattern)
    {
        switch (m_choice.algorithm)
        {
        case Algorithm::RING:
            PlanRings();
            break;
        case Algorithm::TREE:
            PlanTrees();
            break;
        case Algorithm::HIERARCHICAL:
        case Algorithm::TIERED:
            PlanTiers(m_layout.ListTiers(m_choice.algorithm == Algorithm::TIERED));
            break;
        case Algorithm::DIRECT:
            PlanDirect();
            break;
        case Algorithm::PAIRWISE:
            PlanPairwise();
            break;
        case Algorithm::CHAIN:
            PlanChains();
            break;
        case Algorithm::PATTERN:
            m_plan.transfers = pattern.Create<CommunicationPattern>()->Plan(view);
            break;
        }
        return std::move(m_plan);
    }

  private:
    bool Reduces() const
    {
        return m_collective != Collective::ALL_GATHER;
    }

    bool Gathers() const
    {
        return m_collective != Collective::REDUCE_SCATTER;
    }

    /** \return the bytes of a channel */
    ByteRange GetChannel(uint32_t channel) const
    {
        return GetPart({0, m_bytes}, m_choice.channels, channel);
    }

    /** \return the ring of a channel, from the root of a broadcast on */
    Ring ListFromRoot(uint32_t channel) const
    {
        Ring ring = m_layout.ListRing(channel);
        std::rotate(ring.begin(), std::find(ring.begin(), ring.end(), 0), ring.end());
        return ring;
    }

    uint32_t Add(uint32_t source, uint32_t to, const ByteRange& range, Indices after, bool copy)
    {
        m_plan.transfers.push_back({source, to, range.bytes, std::move(after), range.offset, copy});
        return m_plan.transfers.size() - 1;
    }

    /** Each part of a rank is divided among the channels. */
    void PlanRings()
    {
        for (uint32_t channel = 0; channel < m_choice.channels; ++channel)
        {
            const Ring ring = m_layout.ListRing(channel);
            std::vector<ByteRange> parts;
            for (const uint32_t rank : ring)
            {
                parts.push_back(GetPart(m_plan.parts[rank], m_choice.channels, channel));
            }
            std::vector<Indices> ready(m_ranks);
            if (Reduces())
            {
                Turn(ring, parts, ready, false);
            }
            if (Gathers())
            {
                Turn(ring, parts, ready, true);
            }
        }
    }

    /**
     * Send every part once round a ring: a reduce-scatter, after which the i-th rank has the sum of
     * the i-th part, or an all-gather, which begins so.
     *
     * \param ring the ranks
     * \param parts the part of each of them
     * \param ready by rank: the transfers that must have arrived before it takes part, to which
     *        those of which its result is made are appended
     * \param gather whether it is an all-gather
     */
    void Turn(const Ring& ring,
              const std::vector<ByteRange>& parts,
              std::vector<Indices>& ready,
              bool gather)
    {
        const std::size_t n = ring.size();
        Indices last(n, 0); // last transfer of each part
        std::vector<Indices> arrived(n);
        for (std::size_t step = 0; step + 1 < n; ++step)
        {
            for (std::size_t part = 0; part < n; ++part)
            {
                if (parts[part].bytes == 0)
                {
                    continue;
                }
                const std::size_t from = (part + step + (gather ? 0 : 1)) % n;
                const std::size_t to = (from + 1) % n;
                Indices after = gather && step > 0 ? Indices() : ready[ring[from]];
                if (step > 0)
                {
                    after.push_back(last[part]);
                }
                last[part] = Add(ring[from], ring[to], parts[part], std::move(after), gather);
                if (gather || step + 2 == n)
                {
                    arrived[to].push_back(last[part]);
                }
            }
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            Indices& all = ready[ring[i]];
            all.insert(all.end(), arrived[i].begin(), arrived[i].end());
        }
    }

    /** Reduce-scatter tier by tier upwards, gather tier by tier downwards. */
    void PlanTiers(const std::vector<std::vector<Ring>>& tiers)
    {
        // A rank's number has its place in each tier as digits, that of the lowest tier first.
        std::vector<uint32_t> numbers(m_ranks, 0);
        for (const auto& rings : tiers)
        {
            for (const Ring& ring : rings)
            {
                for (std::size_t i = 0; i < ring.size(); ++i)
                {
                    numbers[ring[i]] = numbers[ring[i]] * ring.size() + i;
                }
            }
        }
        const std::vector<uint64_t> offsets = Reorder(numbers);
        std::vector<Indices> ready(m_ranks);
        std::vector<uint32_t> widths = {m_ranks}; // parts that a ring of each tier shares
        for (const auto& rings : tiers)
        {
            widths.push_back(widths.back() / rings.front().size());
        }
        const auto pass = [&](std::size_t tier, bool gather) {
            for (const Ring& ring : tiers[tier])
            {
                const uint32_t begin = numbers[ring.front()] / widths[tier] * widths[tier];
                std::vector<ByteRange> parts;
                for (std::size_t i = 0; i < ring.size(); ++i)
                {
                    const uint64_t from = offsets[begin + i * widths[tier + 1]];
                    parts.push_back({from, offsets[begin + (i + 1) * widths[tier + 1]] - from});
                }
                Turn(ring, parts, ready, gather);
            }
        };
        for (std::size_t tier = 0; tier < tiers.size() && Reduces(); ++tier)
        {
            pass(tier, false);
        }
        for (std::size_t tier = tiers.size(); tier-- > 0 && Gathers();)
        {
            pass(tier, true);
        }
    }

    /** Lay the parts of the ranks in the order of their numbers. \return offset of each number, and
     * the end */
    std::vector<uint64_t> Reorder(const std::vector<uint32_t>& numbers)
    {
        std::vector<uint32_t> order(m_ranks);
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            order[numbers[rank]] = rank;
        }
        std::vector<uint64_t> offsets = {0};
        for (const uint32_t rank : order)
        {
            m_plan.parts[rank].offset = offsets.back();
            offsets.push_back(offsets.back() + m_plan.parts[rank].bytes);
        }
        return offsets;
    }

    void PlanTrees()
    {
        for (uint32_t channel = 0; channel < m_choice.channels; ++channel)
        {
            if (m_collective == Collective::BROADCAST)
            {
                AddDoubleTreeBroadcast(m_plan.transfers,
                                       ListFromRoot(channel),
                                       GetChannel(channel),
                                       m_choice.chunks);
            }
            else
            {
                AddDoubleTreeAllReduce(m_plan.transfers,
                                       m_layout.ListRing(channel),
                                       GetChannel(channel),
                                       m_choice.chunks);
            }
        }
    }

    void PlanChains()
    {
        for (uint32_t channel = 0; channel < m_choice.channels; ++channel)
        {
            const Ring chain = ListFromRoot(channel);
            Indices last(m_choice.chunks, 0);
            for (std::size_t i = 0; i + 1 < chain.size(); ++i)
            {
                for (uint32_t chunk = 0; chunk < m_choice.chunks; ++chunk)
                {
                    const ByteRange part = GetPart(GetChannel(channel), m_choice.chunks, chunk);
                    if (part.bytes > 0)
                    {
                        const Indices after = i > 0 ? Indices{last[chunk]} : Indices{};
                        last[chunk] = Add(chain[i], chain[i + 1], part, after, true);
                    }
                }
            }
        }
    }

    /** \return what a rank sends to another one in an all-to-all */
    ByteRange GetMessage(uint32_t rank, uint32_t to) const
    {
        return {rank * m_bytes + SplitOffset(m_bytes, m_ranks, to),
                SplitBytes(m_bytes, m_ranks, to)};
    }

    /** Each rank sends a part of its bytes to each other one, to its neighbour first. */
    void PlanDirect()
    {
        for (uint32_t distance = 1; distance < m_ranks; ++distance)
        {
            for (uint32_t rank = 0; rank < m_ranks; ++rank)
            {
                const uint32_t to = (rank + distance) % m_ranks;
                const ByteRange message = GetMessage(rank, to);
                if (message.bytes == 0)
                {
                    continue;
                }
                const uint32_t relay = m_choice.pxn ? FindRelay(rank, to) : rank;
                Indices after;
                if (relay != rank)
                {
                    after.push_back(Add(rank, relay, message, {}, true));
                }
                Add(relay, to, message, std::move(after), true);
            }
        }
    }

    /** \return the rank of the sender's server that has the receiver's rail, if these are on
     * different servers; else the sender */
    uint32_t FindRelay(uint32_t rank, uint32_t to) const
    {
        const uint32_t rail = m_layout.GetRail(to);
        if (m_layout.GetServer(rank) == m_layout.GetServer(to) || m_layout.GetRail(rank) == rail)
        {
            return rank;
        }
        const Ring& server = m_layout.GetServers()[m_layout.GetServer(rank)];
        const auto relay = std::find_if(server.begin(), server.end(), [&](uint32_t other) {
            return m_layout.GetRail(other) == rail;
        });
        return relay == server.end() ? rank : *relay;
    }

    /** As MPI_Sendrecv: a rank begins a step when both messages of the one before have arrived. */
    void PlanPairwise()
    {
        std::vector<Indices> before(m_ranks);
        for (uint32_t distance = 1; distance < m_ranks; ++distance)
        {
            std::vector<Indices> now(m_ranks);
            for (uint32_t rank = 0; rank < m_ranks; ++rank)
            {
                const uint32_t to = (rank + distance) % m_ranks;
                const ByteRange message = GetMessage(rank, to);
                if (message.bytes > 0)
                {
                    const uint32_t index = Add(rank, to, message, before[rank], true);
                    now[rank].push_back(index);
                    now[to].push_back(index);
                }
            }
            for (uint32_t rank = 0; rank < m_ranks; ++rank)
            {
                if (!now[rank].empty())
                {
                    before[rank] = std::move(now[rank]);
                }
            }
        }
    }

    const Collective m_collective;
    const uint32_t m_ranks;
    const uint64_t m_bytes;
    const CollectiveChoice m_choice;
    const CollectiveLayout m_layout;
    CollectivePlan m_plan;
};

} // namespace

CollectivePlan
PlanCollective(Collective collective,
               const PatternView& view,
               const CollectiveChoice& choice,
               const ObjectFactory& pattern)
{
    const bool isBarrier = collective == Collective::BARRIER;
    const bool isWhole = collective == Collective::BROADCAST || choice.algorithm == Algorithm::TREE;
    PatternView all = view;
    if (isBarrier || (view.bytes > 0 && !isWhole))
    {
        all.bytes = std::max<uint64_t>(view.bytes, view.workers); // every rank has to be heard
    }
    if (all.workers < 2 || all.bytes == 0)
    {
        return {{}, std::vector<ByteRange>(all.workers, {0, all.bytes})};
    }
    return Planner(isBarrier ? Collective::ALL_REDUCE : collective, all, choice).Plan(all, pattern);
}

} // namespace ns3::ddl
