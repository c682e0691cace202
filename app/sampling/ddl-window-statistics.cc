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

/** Least adjusted time over the measured one, to keep logarithms finite. A choice far below the
 * adjustments that occur, which are as large as beats: 30 % (doc/full-size.md). */
constexpr double LEAST_ADJUSTED = 0.05;
/** Least lasting variance over that between windows. A choice between both extremes: beats as long
 * as a window make its halves differ (which looks as if all of it passed) though its mean does not
 * vary (RatioEstimator::Stratum). */
constexpr double LEAST_LASTING = 0.5;
constexpr double ROUNDED = 1e-9; //!< a sum or a whole number may be wrong by this share of it

/** \return stratum at a level; a row with fewer strata stays in its widest one */
const std::string&
NameAt(const std::vector<std::string>& strata, std::size_t level)
{
    return strata[std::min(level, strata.size() - 1)];
}

/** \param excess cheap time less expected time */
double
Adjust(double dear, double excess, double slope)
{
    return std::max(dear - slope * excess, LEAST_ADJUSTED * dear);
}

} // namespace

void
RatioEstimator::Sums::Add(const WindowRow& row, double slope)
{
    const double adjusted = Adjust(row.dear, row.cheap - row.expected, slope);
    dear += row.weight * row.dear;
    excess += row.weight * (row.cheap - row.expected);
    expected += row.weight * row.expected;
    const double share = row.weight * row.expected;
    const double ratio = std::log(adjusted / row.expected);
    const double step = (row.dearStep - slope * row.cheapStep) / adjusted;
    weight += share;
    log += share * ratio;
    squaredLog += share * ratio * ratio;
    steps += share * step * step;
    oneIteration += share * step * step * row.iterations;
    squaredWeight += share * share;
}

double
RatioEstimator::Sums::GetRatio(double slope) const
{
    return Adjust(dear, excess, slope) / expected;
}

double
RatioEstimator::Sums::GetLasting() const
{
    const double rest = weight - squaredWeight / weight; // effective weight; 0 for one row
    if (!(rest > ROUNDED * weight))
    {
        return 0;
    }
    const double variance = std::max(0.0, squaredLog - log * log / weight) / rest;
    return std::max(variance - steps / weight, LEAST_LASTING * variance);
}

double
RatioEstimator::Sums::GetPassing() const
{
    return weight > 0 ? oneIteration / weight : 0;
}

RatioEstimator::RatioEstimator(const std::vector<Window>& windows)
    : m_groups(std::max<uint32_t>(2, std::min<std::size_t>(SAMPLE_GROUPS, windows.size())))
{
    Rows rows;
    for (std::size_t i = 0; i < windows.size(); ++i)
    {
        for (const WindowRow& row : windows[i])
        {
            if (row.dear > 0 && row.expected > 0) // rows that took no time are left out
            {
                rows.emplace_back(i, &row);
            }
        }
    }
    DropShort(rows);
    CountAll(rows);
    for (uint32_t group = 0; group < m_groups; ++group)
    {
        m_slopes.push_back(FindSlope(rows, group));
    }
    m_slope = FindSlope(rows, std::nullopt);
    CountAll(rows);
}

void
RatioEstimator::DropShort(Rows& rows) const
{
    Rows longs;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(longs), [](const auto& row) {
        return row.second->isLong;
    });
    const auto strata = Count(longs, 0);
    const auto isShort = [&strata](const auto& row) {
        const auto stratum = strata.find(row.second->strata.front());
        return !row.second->isLong && stratum != strata.end() &&
               stratum->second.windows >= LEAST_WINDOWS;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), isShort), rows.end());
}

void
RatioEstimator::CountAll(const Rows& all)
{
    std::size_t levels = 1;
    for (const auto& [window, row] : all)
    {
        levels = std::max(levels, row->strata.size());
    }
    Rows rows = all;
    m_levels.clear();
    m_widest = Count(rows, levels - 1);
    for (std::size_t level = 0; level < levels; ++level)
    {
        const uint32_t least = level + 1 < levels ? LEAST_WINDOWS : 1;
        auto standing = Count(rows, level);
        for (auto stratum = standing.begin(); stratum != standing.end();)
        {
            const bool stands =
                stratum->second.windows >= least && stratum->second.all.expected > 0;
            stratum = stands ? std::next(stratum) : standing.erase(stratum);
        }
        const auto belongs = [&](const auto& row) {
            return standing.count(NameAt(row.second->strata, level)) > 0;
        };
        rows.erase(std::remove_if(rows.begin(), rows.end(), belongs), rows.end());
        m_levels.push_back(std::move(standing));
    }
}

/** \return slope of the regression of dear on cheap in strata. \param without group left out */
double
RatioEstimator::FindSlope(const Rows& rows, std::optional<uint32_t> without) const
{
    struct Moments
    {
        double weight{0};
        double x{0};
        double y{0};
        double xx{0};
        double xy{0};
    };

    std::map<std::string, Moments> strata;
    Sums all;
    for (const auto& [window, row] : rows)
    {
        const auto [name, counted] = Choose(row->strata);
        if (counted && without != window % m_groups)
        {
            Moments& sums = strata[name];
            const double weight = row->weight * row->expected;
            const double x = row->cheap / row->expected;
            const double y = row->dear / row->expected;
            sums.weight += weight;
            sums.x += weight * x;
            sums.y += weight * y;
            sums.xx += weight * x * x;
            sums.xy += weight * x * y;
            all.Add(*row, 0);
        }
    }
    double variance = 0;
    double covariance = 0;
    for (const auto& [stratum, sums] : strata)
    {
        variance += sums.xx - sums.x * sums.x / sums.weight;
        covariance += sums.xy - sums.x * sums.y / sums.weight;
    }
    return variance > 0 ? std::clamp(covariance / variance, 0.0, all.GetRatio(0)) : 0;
}

std::map<std::string, RatioEstimator::Counted>
RatioEstimator::Count(const Rows& rows, std::size_t level) const
{
    std::map<std::string, Counted> strata;
    std::map<std::string, std::size_t> last; // window of each stratum that was counted last
    for (const auto& [window, row] : rows)
    {
        const std::string& name = NameAt(row->strata, level);
        Counted& stratum = strata[name];
        stratum.groups.resize(m_groups);
        const auto [seen, isNew] = last.emplace(name, window);
        stratum.windows += isNew || seen->second != window ? 1 : 0;
        seen->second = window;
        stratum.all.Add(*row, m_slope);
        stratum.groups[window % m_groups].Add(*row, m_slope);
    }
    return strata;
}

/** \return name and sums of the stratum that answers for these; null: none does */
std::pair<std::string, const RatioEstimator::Counted*>
RatioEstimator::Choose(const std::vector<std::string>& strata) const
{
    for (std::size_t level = 0; level < m_levels.size(); ++level)
    {
        const auto found = m_levels[level].find(NameAt(strata, level));
        if (found != m_levels[level].end())
        {
            return {found->first, &found->second};
        }
    }
    const auto found = m_widest.find(strata.back());
    const bool isUseful = found != m_widest.end() && found->second.all.expected > 0;
    return isUseful ? std::pair(found->first, &found->second)
                    : std::pair<std::string, const Counted*>();
}

RatioEstimator::Stratum
RatioEstimator::Find(const std::vector<std::string>& strata) const
{
    const auto [name, found] = Choose(strata);
    if (!found)
    {
        return {};
    }
    const auto all = m_widest.find(strata.back());
    const Sums& varied =
        found->windows >= LEAST_WINDOWS || all == m_widest.end() ? found->all : all->second.all;
    return {name,
            found->windows,
            found->all.GetRatio(m_slope),
            varied.GetLasting(),
            varied.GetPassing(),
            name != strata.front()};
}

double
RatioEstimator::GetRatioWithout(const std::vector<std::string>& strata, uint32_t group) const
{
    const Counted* found = Choose(strata).second;
    if (!found)
    {
        return 1;
    }
    Sums rest;
    for (uint32_t other = 0; other < m_groups; ++other)
    {
        if (other != group)
        {
            rest.dear += found->groups[other].dear;
            rest.excess += found->groups[other].excess;
            rest.expected += found->groups[other].expected;
        }
    }
    return rest.expected > 0 ? rest.GetRatio(m_slopes[group]) : found->all.GetRatio(m_slope);
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
GetHalfWidth(const std::vector<VarianceEstimate>& parts)
{
    double sum = 0;
    double squares = 0;
    for (const VarianceEstimate& part : parts)
    {
        sum += part.variance;
        squares += part.variance * part.variance / part.degrees;
    }
    if (!(sum > 0))
    {
        return 0;
    }
    const double degrees = sum * sum / squares * (1 + ROUNDED);
    return StudentT975(static_cast<std::size_t>(degrees)) * std::sqrt(sum);
}

} // namespace ns3::ddl
