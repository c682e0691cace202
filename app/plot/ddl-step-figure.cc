// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-step-figure.h"

#include <algorithm>
#include <iterator>

namespace ns3::ddl
{

namespace
{

/** \return the value of a curve from a date on; nothing before its first step or behind its end */
std::optional<double>
FindValue(const StepCurve& curve, double time)
{
    const auto next = std::upper_bound(curve.steps.begin(),
                                       curve.steps.end(),
                                       time,
                                       [](double at, const Step& step) { return at < step.time; });
    return next == curve.steps.begin() || time >= curve.end ? std::nullopt : std::prev(next)->value;
}

} // namespace

Chart::Panel
MakeStepPanel(const Chart::Axis& value,
              const std::string& unit,
              const std::vector<StepCurve>& curves)
{
    Chart::Panel drawn;
    drawn.kind = Chart::Kind::CURVES;
    drawn.x = {"simulated time (" + unit + ")", unit, "time_" + unit};
    drawn.y = value;
    for (const auto& curve : curves)
    {
        drawn.times.push_back(curve.end);
        for (const auto& step : curve.steps)
        {
            drawn.times.push_back(step.time);
        }
    }
    std::sort(drawn.times.begin(), drawn.times.end());
    drawn.times.erase(std::unique(drawn.times.begin(), drawn.times.end()), drawn.times.end());
    if (!drawn.times.empty() && drawn.times.front() == 0)
    {
        drawn.times.erase(drawn.times.begin()); // the first interval begins there
    }
    for (const auto& curve : curves)
    {
        Chart::Series series{curve.name};
        for (std::size_t i = 0; i < drawn.times.size(); ++i)
        {
            series.y.push_back(FindValue(curve, i == 0 ? 0 : drawn.times[i - 1]));
        }
        drawn.series.push_back(std::move(series));
    }
    return drawn;
}

} // namespace ns3::ddl
