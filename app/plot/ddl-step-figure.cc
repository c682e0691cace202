// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-step-figure.h"

#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include <algorithm>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** A row per step of a curve: time, panel, curve, value. */
using StepTable = FigureTable<double, uint64_t, uint64_t, std::optional<double>>;

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

Chart::Panel
MakeStepChart(const StepPanel& panel, const std::string& unit)
{
    Chart::Panel drawn;
    drawn.kind = Chart::Kind::CURVES;
    drawn.xLabel = "simulated time (" + unit + ")";
    drawn.yLabel = panel.label;
    for (const auto& curve : panel.curves)
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
    for (const auto& curve : panel.curves)
    {
        Chart::Series series{curve.name, {}, {}, {}, {}};
        for (std::size_t i = 0; i < drawn.times.size(); ++i)
        {
            series.y.push_back(FindValue(curve, i == 0 ? 0 : drawn.times[i - 1]));
        }
        drawn.series.push_back(std::move(series));
    }
    return drawn;
}

/** Add the rows of a curve. A gap needs the last value at its beginning, too. */
void
AddRows(StepTable& table, const StepCurve& curve, std::size_t panel, std::size_t number)
{
    std::optional<double> last;
    for (const auto& step : curve.steps)
    {
        if (last && !step.value)
        {
            table.AddRow(step.time, panel, number, last, curve.name);
        }
        table.AddRow(step.time, panel, number, step.value, curve.name);
        last = step.value;
    }
    if (!curve.steps.empty() && curve.steps.back().time < curve.end)
    {
        table.AddRow(curve.end, panel, number, last, curve.name);
    }
}

} // namespace

FigureFiles
MakeStepFigure(const StepFrame& step, const std::vector<StepPanel>& panels)
{
    FigureFrame frame{step.name, step.title, step.note, {}, panels.size()};
    for (const auto& curve : panels.front().curves)
    {
        frame.key.push_back(curve.name);
    }
    StepTable table("time_" + step.unit + ",panel,curve," + step.column);
    Chart chart{frame.title, frame.note, {}};
    std::ostringstream script;
    script << BeginGnuplotScript(frame)
           << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set xlabel 'simulated time (" << step.unit
           << ")'\nset xrange [0:*]\nset yrange [0:*]\n";
    for (std::size_t p = 0; p < panels.size(); ++p)
    {
        const auto& curves = panels[p].curves;
        chart.panels.push_back(MakeStepChart(panels[p], step.unit));
        script << PlaceGnuplotPanel(p) << "set ylabel " << QuoteForGnuplot(panels[p].label)
               << "\nplot ";
        for (std::size_t c = 0; c < curves.size(); ++c)
        {
            AddRows(table, curves[c], p, c);
            if (curves[c].steps.empty())
            {
                continue;
            }
            const SeriesLook look = GetSeriesLook(c);
            script << "\\\n  data skip 1 using ($2 == " << p << " && $3 == " << c
                   << " ? $1 : NaN):(strcol(4) eq '' ? NaN : real(strcol(4))) with steps"
                   << " linecolor rgb '#" << look.colour << "' dashtype "
                   << look.dashes << " linewidth " << GetLineWidth(c, curves.size()) << ", ";
        }
        script << "\\\n  NaN notitle" << (p == 0 ? FormatGnuplotKey(frame, "lines") : "") << "\n";
    }
    return table.MakeFiles(script.str() + EndGnuplotScript(), std::move(chart));
}

} // namespace ns3::ddl
