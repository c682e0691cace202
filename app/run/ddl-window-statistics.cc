// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-window-statistics.h"

#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ns3::ddl
{

namespace
{

/** \return the name at that level; a row with fewer names is in its widest stratum from there on */
const std::string&
NameAt(const std::vector<std::string>& strata, std::size_t level)
{
    return strata[std::min(level, strata.size() - 1)];
}

} // namespace

void
RatioEstimator::Sums::Add(const WindowRow& row)
{
    dear += row.weight * row.dear;
    cheap += row.weight * row.cheap;
    if (row.dear > 0 && row.cheap > 0)
    {
        const double share = row.weight * row.cheap;
        const double ratio = std::log(row.dear / row.cheap);
        weight += share;
        log += share * ratio;
        squaredLog += share * ratio * ratio;
    }
}

double
RatioEstimator::Sums::GetSpread() const
{
    const double mean = weight > 0 ? log / weight : 0;
    return weight > 0 ? std::sqrt(std::max(0.0, squaredLog / weight - mean * mean)) : 0;
}

RatioEstimator::RatioEstimator(const std::vector<Window>& windows)
    : m_groups(std::max<uint32_t>(2, std::min<std::size_t>(SAMPLE_GROUPS, windows.size())))
{
    Rows rows;
    std::size_t levels = 1;
    for (std::size_t i = 0; i < windows.size(); ++i)
    {
        for (const WindowRow& row : windows[i])
        {
            rows.emplace_back(i, &row);
            levels = std::max(levels, row.strata.size());
        }
    }
    m_widest = Count(rows, levels - 1);
    for (std::size_t level = 0; level < levels; ++level)
    {
        const uint32_t least = level + 1 < levels ? LEAST_WINDOWS : 1;
        auto standing = Count(rows, level);
        for (auto stratum = standing.begin(); stratum != standing.end();)
        {
            const bool stands = stratum->second.windows >= least && stratum->second.all.cheap > 0 &&
                                stratum->second.all.dear > 0;
            stratum = stands ? std::next(stratum) : standing.erase(stratum);
        }
        const auto belongs = [&](const auto& row) {
            return standing.count(NameAt(row.second->strata, level)) > 0;
        };
        rows.erase(std::remove_if(rows.begin(), rows.end(), belongs), rows.end());
        m_levels.push_back(std::move(standing));
    }
}

std::map<std::string, RatioEstimator::Counted>
RatioEstimator::Count(const Rows& rows, std::size_t level) const
{
    std::map<std::string, Counted> strata;
    std::map<std::string, std::size_t> last; // window that was counted last
    for (const auto& [window, row] : rows)
    {
        const std::string& name = NameAt(row->strata, level);
        Counted& stratum = strata[name];
        stratum.groups.resize(m_groups);
        const auto [seen, isNew] = last.emplace(name, window);
        stratum.windows += isNew || seen->second != window ? 1 : 0;
        seen->second = window;
        stratum.all.Add(*row);
        stratum.groups[window % m_groups].Add(*row);
    }
    return strata;
}

const RatioEstimator::Counted*
RatioEstimator::Choose(const std::vector<std::string>& strata, std::string* name) const
{
    for (std::size_t level = 0; level < m_levels.size(); ++level)
    {
        *name = NameAt(strata, level);
        const auto found = m_levels[level].find(*name);
        if (found != m_levels[level].end())
        {
            return &found->second;
        }
    }
    const auto found = m_widest.find(strata.back());
    const bool isUseful =
        found != m_widest.end() && found->second.all.cheap > 0 && found->second.all.dear > 0;
    return isUseful ? &found->second : nullptr;
}

RatioEstimator::Stratum
RatioEstimator::Find(const std::vector<std::string>& strata) const
{
    Stratum stratum;
    const Counted* found = Choose(strata, &stratum.name);
    if (!found)
    {
        return {};
    }
    stratum.windows = found->windows;
    stratum.ratio = found->all.dear / found->all.cheap;
    const auto all = m_widest.find(strata.back());
    stratum.spread = found->windows >= LEAST_WINDOWS || all == m_widest.end()
                         ? found->all.GetSpread()
                         : all->second.all.GetSpread();
    stratum.isPooled = stratum.name != strata.front();
    return stratum;
}

double
RatioEstimator::GetRatioWithout(const std::vector<std::string>& strata, uint32_t group) const
{
    std::string name;
    const Counted* found = Choose(strata, &name);
    if (!found)
    {
        return 1;
    }
    Sums rest;
    for (uint32_t other = 0; other < m_groups; ++other)
    {
        rest.dear += other == group ? 0 : found->groups[other].dear;
        rest.cheap += other == group ? 0 : found->groups[other].cheap;
    }
    return rest.cheap > 0 && rest.dear > 0 ? rest.dear / rest.cheap
                                           : found->all.dear / found->all.cheap;
}

double
JackknifeVariance(double full, const std::vector<double>& without)
{
    return (static_cast<double>(without.size()) - 1) * StretchedVariance(full, without);
}

double
StretchRatio(double full, double without, uint32_t groups)
{
    return full * std::pow(without / full, std::sqrt(groups - 1.0));
}

double
StretchedVariance(double full, const std::vector<double>& replicates)
{
    double sum = 0;
    for (const double replicate : replicates)
    {
        sum += (replicate - full) * (replicate - full);
    }
    return sum / static_cast<double>(replicates.size());
}

double
GetHalfWidth(double variance, uint32_t groups)
{
    return StudentT975(groups - 1) * std::sqrt(variance);
}

uint64_t
PlanWindows(uint64_t windows, double error, double target, uint64_t most)
{
    const double needed = static_cast<double>(windows) * std::pow(error / target, 2);
    const double bounded = std::min(std::ceil(needed), static_cast<double>(most));
    return std::max(windows, static_cast<uint64_t>(std::max(bounded, 0.0)));
}

} // namespace ns3::ddl
