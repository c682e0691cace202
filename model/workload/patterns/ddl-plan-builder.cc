// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plan-builder.h"

#include "ddl-communication-pattern.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <map>

namespace ns3::ddl
{

PlanBuilder::PlanBuilder(uint32_t ranks)
    : m_arrivals(ranks),
      m_latest(ranks)
{
}

void
PlanBuilder::Send(uint32_t source, uint32_t destination, ByteRange range, bool copy, bool inTurn)
{
    if (range.bytes == 0)
    {
        return;
    }
    const auto after = inTurn ? ListBefore(source) : m_arrivals[source];
    m_latest[source].assign(1, static_cast<uint32_t>(m_plan.size()));
    m_plan.push_back({source, destination, range.bytes, after, range.offset, copy});
}

void
PlanBuilder::SendPart(uint32_t source, uint32_t destination, ByteRange range, bool copy)
{
    if (range.bytes == 0)
    {
        return;
    }
    // The latest goes first: a copy of all these bytes overwrites the earlier ones, which need not
    // be waited for.
    std::vector<uint32_t> after;
    const std::vector<uint32_t>& arrivals = m_arrivals[source];
    for (auto arrival = arrivals.rbegin(); arrival != arrivals.rend(); ++arrival)
    {
        const Transfer& earlier = m_plan[*arrival];
        const uint64_t end = range.offset + range.bytes;
        const uint64_t earlierEnd = earlier.offset + earlier.bytes;
        if (earlier.offset < end && range.offset < earlierEnd)
        {
            after.push_back(*arrival);
            if (earlier.copy && earlier.offset <= range.offset && end <= earlierEnd)
            {
                break;
            }
        }
    }
    std::reverse(after.begin(), after.end());
    m_plan.push_back({source, destination, range.bytes, after, range.offset, copy});
}

std::vector<uint32_t>
PlanBuilder::ListBefore(uint32_t rank) const
{
    std::vector<uint32_t> before = m_arrivals[rank];
    before.insert(before.end(), m_latest[rank].begin(), m_latest[rank].end());
    return before;
}

void
PlanBuilder::Exchange(uint32_t rank,
                      uint32_t partner,
                      ByteRange sent,
                      ByteRange received,
                      bool copy)
{
    struct Side
    {
        uint32_t from;
        uint32_t to;
        ByteRange range;
        std::vector<uint32_t> after; // transfers for which its data wait
    };

    std::array<Side, 2> sides = {Side{rank, partner, sent, ListBefore(rank)},
                                 Side{partner, rank, received, ListBefore(partner)}};
    const auto before = sides;
    for (std::size_t i = 0; i < sides.size(); ++i)
    {
        if (sides[i].range.bytes > 0)
        {
            const Side& other = before[1 - i];
            sides[i].after.push_back(m_plan.size());
            m_plan.push_back({other.from, other.to, 1, other.after, 0, false, true});
        }
    }
    for (const Side& side : sides)
    {
        if (side.range.bytes > 0)
        {
            m_latest[side.from].assign(1, static_cast<uint32_t>(m_plan.size()));
            m_plan.push_back(
                {side.from, side.to, side.range.bytes, side.after, side.range.offset, copy});
        }
    }
}

void
PlanBuilder::EndStep()
{
    for (; m_stepBegin < m_plan.size(); ++m_stepBegin)
    {
        if (!m_plan[m_stepBegin].clear)
        {
            m_arrivals[m_plan[m_stepBegin].destination].push_back(m_stepBegin);
        }
    }
}

TransferPlan
PlanBuilder::Take()
{
    TransferPlan plan;
    plan.swap(m_plan);
    m_stepBegin = 0;
    m_arrivals.assign(m_arrivals.size(), {});
    m_latest.assign(m_latest.size(), {});
    return plan;
}

std::vector<std::vector<uint32_t>>
GroupRanks(const std::vector<uint32_t>& ranks, const std::vector<uint32_t>& places)
{
    std::vector<std::vector<uint32_t>> groups;
    std::map<uint32_t, std::size_t> known;
    for (const uint32_t rank : ranks)
    {
        NS_ABORT_MSG_IF(rank >= places.size(), "worker " << rank << " has no known place");
        const auto [group, isNew] = known.emplace(places[rank], groups.size());
        if (isNew)
        {
            groups.emplace_back();
        }
        groups[group->second].push_back(rank);
    }
    return groups;
}

std::vector<std::vector<Ring>>
ListTiers(const Ring& ranks, const std::vector<const std::vector<uint32_t>*>& places)
{
    std::vector<Ring> rest(1, ranks); // groups of ranks that are in no common ring yet
    std::vector<std::vector<Ring>> tiers;
    for (const auto* const tier : places)
    {
        std::vector<Ring> rings;
        std::vector<Ring> above;
        bool even = !tier->empty();
        for (const Ring& group : rest)
        {
            const auto parts = even ? GroupRanks(group, *tier) : std::vector<Ring>{};
            for (const Ring& part : parts)
            {
                const Ring& first = rings.empty() ? parts.front() : rings.front();
                even = even && part.size() == first.size();
            }
            if (!even)
            {
                break;
            }
            rings.insert(rings.end(), parts.begin(), parts.end());
            for (std::size_t place = 0; place < parts.front().size(); ++place)
            {
                above.emplace_back();
                for (const Ring& part : parts)
                {
                    above.back().push_back(part[place]);
                }
            }
        }
        if (even && rings.front().size() > 1)
        {
            tiers.push_back(std::move(rings));
            rest = std::move(above);
        }
    }
    if (rest.front().size() > 1)
    {
        tiers.push_back(std::move(rest));
    }
    return tiers;
}

uint32_t
FloorPowerOfTwo(uint32_t n)
{
    uint32_t power = 1;
    while (power <= n / 2)
    {
        power *= 2;
    }
    return power;
}

void
AddFoldStep(PlanBuilder& builder, const PatternView& view, bool after)
{
    const uint32_t power = FloorPowerOfTwo(view.workers);
    const uint32_t extras = view.workers - power;
    for (uint32_t extra = 0; extra < extras; ++extra)
    {
        const uint32_t begin = SplitOffset(power, extras, extra);
        const uint32_t size = SplitBytes(power, extras, extra);
        for (uint32_t member = 0; member < size; ++member)
        {
            const ByteRange range{SplitOffset(view.bytes, size, member),
                                  SplitBytes(view.bytes, size, member)};
            const uint32_t inner = begin + member;
            const uint32_t outer = power + extra;
            builder.Send(after ? inner : outer, after ? outer : inner, range, after);
        }
    }
    builder.EndStep();
}

} // namespace ns3::ddl
