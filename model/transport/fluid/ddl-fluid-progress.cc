// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-progress.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

using Amount = FluidProgress::Amount;

constexpr int64_t LONGEST = int64_t{1} << 62; //!< longest prediction, time steps: 146 years of ns

Amount
FromBytes(uint64_t bytes)
{
    return Amount{bytes} << FluidProgress::FRACTION_BITS;
}

} // namespace

void
FluidProgress::SetGoal(uint64_t bytes)
{
    m_goal = FromBytes(bytes);
}

void
FluidProgress::SetRate(double bytesPerStep, int64_t now, int64_t memory)
{
    Advance(now);
    m_knots.Push(m_last);
    m_last = {now, m_position, static_cast<Amount>(std::ldexp(bytesPerStep, FRACTION_BITS))};
    const auto endOfFirst = [this] {
        return m_knots.GetSize() > 1 ? m_knots.Get(1).time : m_last.time;
    };
    while (!m_knots.IsEmpty() && endOfFirst() <= now - memory)
    {
        m_knots.Pop();
    }
}

Amount
FluidProgress::Advance(int64_t now)
{
    const Amount before = m_position;
    if (now > m_now)
    {
        m_position = std::min(m_goal, m_position + m_last.rate * static_cast<Amount>(now - m_now));
        m_now = now;
    }
    return m_position - before;
}

bool
FluidProgress::HasPassed(uint64_t byte) const
{
    return m_position >= FromBytes(byte);
}

int64_t
FluidProgress::PredictPassing(uint64_t byte) const
{
    const Amount rate = m_last.rate;
    if (HasPassed(byte))
    {
        return m_now;
    }
    if (rate == 0)
    {
        return NEVER;
    }
    const Amount left = FromBytes(byte) - m_position;
    const Amount steps = left / rate + (left % rate > 0 ? 1 : 0);
    return steps < Amount{LONGEST} ? m_now + static_cast<int64_t>(steps) : NEVER;
}

uint64_t
FluidProgress::GetPassed(int64_t when) const
{
    const Knot* knot = &m_last;
    Amount most = m_goal;
    for (std::size_t i = m_knots.GetSize(); i > 0 && knot->time > when; --i)
    {
        most = knot->position;
        knot = &m_knots.Get(i - 1);
    }
    const auto steps = static_cast<Amount>(std::max<int64_t>(0, when - knot->time));
    return static_cast<uint64_t>(std::min(knot->position + knot->rate * steps, most) >>
                                 FRACTION_BITS);
}

} // namespace ns3::ddl
