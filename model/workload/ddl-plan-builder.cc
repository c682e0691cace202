// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plan-builder.h"

#include "ddl-split-bytes.h"

namespace ns3
{
namespace ddl
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
    Transfer transfer{source, destination, range.bytes, m_arrivals[source], range.offset, copy};
    if (inTurn)
    {
        const auto& latest = m_latest[source];
        transfer.after.insert(transfer.after.end(), latest.begin(), latest.end());
    }
    m_latest[source].assign(1, static_cast<uint32_t>(m_plan.size()));
    m_plan.push_back(std::move(transfer));
}

void
PlanBuilder::EndStep()
{
    for (; m_stepBegin < m_plan.size(); ++m_stepBegin)
    {
        m_arrivals[m_plan[m_stepBegin].destination].push_back(m_stepBegin);
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

} // namespace ddl
} // namespace ns3
