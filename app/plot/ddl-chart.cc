// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-chart.h"

#include <algorithm>

namespace ns3::ddl
{

bool
HasAny(const std::vector<std::optional<double>>& values)
{
    return std::any_of(values.begin(), values.end(), [](const auto& value) {
        return value.has_value();
    });
}

bool
HasAny(const Chart::Panel& panel, SeriesValues values)
{
    return std::any_of(panel.series.begin(), panel.series.end(), [values](const auto& series) {
        return HasAny(series.*values);
    });
}

bool
HasAny(const Chart& chart, SeriesValues values)
{
    return std::any_of(chart.panels.begin(), chart.panels.end(), [values](const auto& panel) {
        return HasAny(panel, values);
    });
}

std::pair<double, double>
FindStepsRange(const Chart::Panel& panel)
{
    std::optional<double> least;
    double most = 0;
    for (const auto& series : panel.series)
    {
        for (const auto* values : {&series.x, &series.markXs})
        {
            for (const double value : *values)
            {
                least = std::min(least.value_or(value), value);
                most = std::max(most, value);
            }
        }
    }
    return {least.value_or(0), most};
}

double
FindHighest(const Chart& chart)
{
    double highest = 0;
    for (const auto& panel : chart.panels)
    {
        for (const auto& series : panel.series)
        {
            for (std::size_t i = 0; i < series.y.size(); ++i)
            {
                const bool hasHalf = i < series.halfWidths.size();
                highest = std::max(highest,
                                   series.y[i].value_or(0) +
                                       (hasHalf ? series.halfWidths[i].value_or(0) : 0));
            }
            for (const auto& mark : series.marks)
            {
                highest = std::max(highest, mark.value_or(0));
            }
        }
    }
    return highest;
}

} // namespace ns3::ddl
