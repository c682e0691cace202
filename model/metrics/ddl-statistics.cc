// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-statistics.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace ns3::ddl
{

namespace
{

double
Mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

double
Percentile(const std::vector<double>& sorted, double percent)
{
    NS_ABORT_MSG_IF(sorted.empty(), "no percentile of no values");
    NS_ABORT_MSG_IF(percent < 0 || percent > 100, "there is no percentile " << percent);
    const double position = static_cast<double>(sorted.size() - 1) * percent / 100;
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] +
           (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Distribution
Describe(std::vector<double> values)
{
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    return {values.size(),
            Mean(values),
            Percentile(values, 50),
            Percentile(values, 90),
            Percentile(values, 95),
            Percentile(values, 99)};
}

double
StudentT975(std::size_t degrees)
{
    NS_ABORT_MSG_IF(degrees == 0, "Student's t has at least one degree of freedom");
    return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), 0.975);
}

Estimate
EstimateMean(const std::vector<double>& values)
{
    NS_ABORT_MSG_IF(values.empty(), "no mean of no values");
    const double mean = Mean(values);
    const auto count = static_cast<double>(values.size());
    if (values.size() == 1)
    {
        return {mean, std::nullopt, 1};
    }
    double squares = 0;
    for (const double value : values)
    {
        squares += (value - mean) * (value - mean);
    }
    return {mean,
            StudentT975(values.size() - 1) * std::sqrt(squares / (count - 1) / count),
            values.size()};
}

std::optional<Estimate>
EstimateRatio(const std::vector<std::optional<double>>& values,
              const std::vector<std::optional<double>>& base)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(values.size(), base.size()); ++i)
    {
        if (values[i] && base[i] && *base[i] != 0)
        {
            ratios.push_back(*values[i] / *base[i]);
        }
    }
    if (ratios.empty())
    {
        return std::nullopt;
    }
    return EstimateMean(ratios);
}

} // namespace ns3::ddl
