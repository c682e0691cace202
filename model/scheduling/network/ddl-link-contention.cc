// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-link-contention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::ddl
{

namespace
{

constexpr double ROUNDING = 1e-9; //!< relative difference of times that are equal

} // namespace

double
LinkJob::GetPeriod() const
{
    return std::max(compute, sendsFrom * compute + transfer);
}

SecondOnLink::SecondOnLink(const LinkJob& first, const LinkJob& second)
    : m_period(first.GetPeriod()),
      m_busy(first.transfer),
      m_from(first.sendsFrom * first.compute),
      m_second(second)
{
}

double
SecondOnLink::GetEnd(double begin) const
{
    const double computed = begin + m_second.compute;
    double now = begin + m_second.sendsFrom * m_second.compute;
    double left = m_second.transfer;
    if (m_busy <= 0 || left <= 0)
    {
        return std::max(computed, now + left);
    }
    const double free = m_period - m_busy;
    if (free <= ROUNDING * m_period)
    {
        return std::numeric_limits<double>::infinity();
    }
    double phase = std::fmod(now - m_from, m_period); // 0: the first job begins to send
    phase += phase < 0 ? m_period : 0;
    if (phase < m_busy)
    {
        now += m_busy - phase;
        phase = m_busy;
    }
    const double here = m_period - phase;
    const double tolerance = ROUNDING * m_period;
    if (left > here + tolerance)
    {
        left -= here;
        const double turns = std::ceil((left - tolerance) / free) - 1; // whole gaps that it fills
        now += here + turns * m_period + m_busy;
        left -= turns * free;
    }
    return std::max(computed, now + left);
}

LinkLoss
GetLoss(const LinkJob& first, const LinkJob& second)
{
    const double alone = second.GetPeriod();
    const double turn = first.GetPeriod();
    const SecondOnLink link(first, second);
    double now = 0;
    double marked = 0; // time and number of the iteration with which phases are compared (Brent)
    unsigned mark = 0;
    for (unsigned done = 1; done <= MOST_ITERATIONS_ON_LINK; ++done)
    {
        now = link.GetEnd(now);
        if (std::isinf(now))
        {
            return {second.transfer / alone, 0};
        }
        const double turns = (now - marked) / turn;
        const bool repeats = std::abs(turns - std::round(turns)) < ROUNDING * done;
        if (repeats || done == MOST_ITERATIONS_ON_LINK)
        {
            const double each = (now - marked) / (done - mark);
            const double rate = second.transfer * (1 / alone - 1 / each);
            const bool isLost = rate > 1e-6 * second.transfer / alone;
            return isLost ? LinkLoss{rate, 0}
                          : LinkLoss{0, (now - done * alone) * second.transfer / alone};
        }
        if (done == 2 * mark || mark == 0)
        {
            mark = done;
            marked = now;
        }
    }
    return {};
}

double
GetCorrection(const LinkJob& reference, const LinkJob& job)
{
    const LinkLoss own = GetLoss(reference, job);
    const LinkLoss other = GetLoss(job, reference);
    const bool isForever = own.rate > 0 || other.rate > 0;
    const double gain = isForever ? own.rate : own.once;
    const double price = isForever ? other.rate : other.once;
    const double nothing = ROUNDING * std::max(reference.transfer, job.transfer);
    if (gain <= nothing && price <= nothing)
    {
        return 1;
    }
    const double most = MOST_CORRECTION;
    return gain >= most * price ? most : std::max(1 / most, gain / price);
}

} // namespace ns3::ddl
