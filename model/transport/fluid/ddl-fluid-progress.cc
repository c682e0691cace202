// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-progress.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

using Amount = FluidProgress::Amount;

constexpr int64_t LONGEST = int64_t{1} << 62; //!< time steps: 146 years of ns

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
    const auto rate = static_cast<Amount>(std::ldexp(bytesPerStep, FRACTION_BITS));
    m_knots.push_back({now, m_position, rate});
    while (m_knots.size() > 1 && m_knots[1].time <= now - memory)
    {
        m_knots.pop_front();
    }
}

Amount
FluidProgress::Advance(int64_t now)
{
    const Amount before = m_position;
    if (now > m_now)
    {
        m_position =
            std::min(m_goal, m_position + m_knots.back().rate * static_cast<Amount>(now - m_now));
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
    const Amount rate = m_knots.back().rate;
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
    auto knot = m_knots.rbegin();
    while (knot + 1 != m_knots.rend() && knot->time > when)
    {
        ++knot;
    }
    const auto steps = static_cast<Amount>(std::max<int64_t>(0, when - knot->time));
    const Amount most = knot == m_knots.rbegin() ? m_goal : (knot - 1)->position;
    return static_cast<uint64_t>(std::min(knot->position + knot->rate * steps, most) >>
                                 FRACTION_BITS);
}

} // namespace ns3::ddl
