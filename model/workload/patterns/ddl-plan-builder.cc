// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plan-builder.h"

#include "ddl-communication-pattern.h"

#include <array>

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
        std::vector<uint32_t> after; // of its data
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
