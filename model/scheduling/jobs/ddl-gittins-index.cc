// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gittins-index.h"

#include <algorithm>
#include <functional>

namespace ns3::ddl
{

namespace
{

/** \return services of past jobs in time steps, ascending; those that are not above 0 are left out
 */
std::vector<int64_t>
SortServices(const std::vector<Time>& services)
{
    std::vector<int64_t> sorted;
    for (const Time& each : services)
    {
        if (each.IsStrictlyPositive())
        {
            sorted.push_back(each.GetTimeStep());
        }
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/**
 * \param services of past jobs, ascending
 * \param first index of the first one above a; there is one
 * \param attained a
 * \return G(a), per time step
 */
double
ComputeGittins(const std::vector<int64_t>& services,
               std::size_t first,
               int64_t attained,
               const GittinsRule& rule)
{
    const int64_t quantum = rule.quantum.GetTimeStep();
    // P / E, both times the number of services above a.
    const auto divide = [&](std::size_t next, double sum, int64_t delta) {
        const auto others = static_cast<double>(services.size() - next);
        return static_cast<double>(next - first) / (sum + others * static_cast<double>(delta));
    };
    double sum = 0; // what the services up to a + Delta add to E
    double greatest = 0;
    std::size_t next = first;
    for (; next < services.size(); ++next)
    {
        const int64_t left = services[next] - attained;
        if (quantum > 0 && left > quantum)
        {
            break;
        }
        sum += static_cast<double>(rule.countsWhole ? services[next] : left);
        const bool isRepeated = next + 1 < services.size() && services[next + 1] == services[next];
        // Between two services P stays and E grows: the best quantum ends with one of them.
        if (quantum == 0 && !isRepeated)
        {
            greatest = std::max(greatest, divide(next + 1, sum, left));
        }
    }
    return quantum > 0 ? divide(next, sum, quantum) : greatest;
}

} // namespace

GittinsIndex::GittinsIndex(const std::vector<Time>& services, const GittinsRule& rule)
{
    const std::vector<int64_t> sorted = SortServices(services);
    const auto perSecond = static_cast<double>(Seconds(1).GetTimeStep());
    int64_t attained = 0;
    for (auto next = sorted.begin(); next != sorted.end();)
    {
        const double index =
            perSecond * ComputeGittins(sorted, next - sorted.begin(), attained, rule);
        if (m_steps.empty() || m_steps.back().index != index)
        {
            m_steps.push_back({TimeStep(attained), index});
        }
        attained = *next;
        next = std::upper_bound(next, sorted.end(), attained);
    }
    if (!m_steps.empty() && m_steps.back().index > 0)
    {
        m_steps.push_back({TimeStep(attained), 0});
    }
    Rank();
}

void
GittinsIndex::Rank()
{
    std::vector<double> values;
    for (const Step& step : m_steps)
    {
        values.push_back(step.index);
    }
    std::sort(values.begin(), values.end(), std::greater<>());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (Step& step : m_steps)
    {
        step.rank = std::lower_bound(values.begin(), values.end(), step.index, std::greater<>()) -
                    values.begin();
    }
    m_ranks = values.size();
}

/** \return the step in which a service is. There is one */
std::vector<GittinsIndex::Step>::const_iterator
GittinsIndex::Find(Time attained) const
{
    const auto isBefore = [](const Time& service, const Step& step) {
        return service < step.start;
    };
    return std::upper_bound(m_steps.begin() + 1, m_steps.end(), attained, isBefore) - 1;
}

double
GittinsIndex::Get(Time attained) const
{
    return IsEmpty() ? 0 : Find(attained)->index;
}

std::size_t
GittinsIndex::GetRank(Time attained) const
{
    return IsEmpty() ? 0 : Find(attained)->rank;
}

Time
GittinsIndex::GetNextChange(Time attained) const
{
    const auto next = IsEmpty() ? m_steps.end() : Find(attained) + 1;
    return next == m_steps.end() ? Time::Max() : next->start;
}

} // namespace ns3::ddl
