// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-chart.h"

#include <algorithm>

namespace ns3::ddl
{

bool
HasIntervals(const Chart::Series& series)
{
    return std::any_of(series.halfWidths.begin(), series.halfWidths.end(), [](const auto& half) {
        return half.has_value();
    });
}

bool
HasIntervals(const Chart::Panel& panel)
{
    return std::any_of(panel.series.begin(), panel.series.end(), [](const auto& series) {
        return HasIntervals(series);
    });
}

bool
HasIntervals(const Chart& chart)
{
    return std::any_of(chart.panels.begin(), chart.panels.end(), [](const auto& panel) {
        return HasIntervals(panel);
    });
}

bool
HasMarks(const Chart::Series& series)
{
    return std::any_of(series.marks.begin(), series.marks.end(), [](const auto& mark) {
        return mark.has_value();
    });
}

bool
HasMarks(const Chart& chart)
{
    return std::any_of(chart.panels.begin(), chart.panels.end(), [](const auto& panel) {
        return std::any_of(panel.series.begin(), panel.series.end(), [](const auto& series) {
            return HasMarks(series);
        });
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
