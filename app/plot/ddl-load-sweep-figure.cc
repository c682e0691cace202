// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-sweep.h"
#include "ddl-figure.h"

#include "ns3/ddl-metric.h"

namespace ns3::ddl
{

namespace
{

Chart::Panel
MakeSweepPanel(const Sweep& sweep, const std::string& title)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::POINTS;
    panel.x = {sweep.key, "", "x", IsWide(sweep.numbers.front(), sweep.numbers.back())};
    panel.y = {title + ", ratio", "", "ratio"};
    panel.names = sweep.texts;
    panel.ticks = sweep.numbers;
    for (const auto& line : sweep.lines)
    {
        Chart::Series series{line.label, sweep.numbers, {}, {}, {}, line.published};
        for (const auto& point : line.points)
        {
            series.y.push_back(point ? std::optional<double>(point->mean) : std::nullopt);
            series.halfWidths.push_back(point ? point->halfWidth : std::nullopt);
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

/** \return a chart with a panel for SCT and one for JCT */
Chart
MakeSweepChart(const std::vector<ResultSet>& sets, SweepBase base)
{
    Chart chart;
    for (const std::string metric : {"sct_s", "jct_s"})
    {
        const Sweep sweep = MakeSweep(sets, {metric, "mean", ""}, base);
        if (sweep.HasPoints())
        {
            chart.title = "Means by " + sweep.key + ", relative to " + sweep.relativeTo +
                          " (lower is better)";
            chart.panels.push_back(MakeSweepPanel(sweep, FindMetric(metric).label));
        }
    }
    if (chart.panels.empty())
    {
        return NothingToDraw("no key was varied over several numbers "
                             "(--vary=scheduler.period=1s,2s), or nothing was completed");
    }
    chart.note = DescribeRuns(sets);
    chart.note += HasAny(chart, &Chart::Series::halfWidths)
                      ? "; bars: 95 % confidence intervals over seeds"
                      : "";
    chart.note +=
        chart.panels[0].series.size() > 1 ? "; points side by side are at the same value" : "";
    chart.mark = HasAny(chart, &Chart::Series::marks) ? NameMarks(sets) : "";
    return chart;
}

/**
 * Lines that show how mean SCT and JCT change with a key that was varied over numbers (a load, a
 * ratio, a period): a line for each other combination, relative to the first, with 95 % confidence
 * intervals over the seeds. See MakeSweep.
 */
Chart
MakeLoadSweep(const std::vector<ResultSet>& sets)
{
    return MakeSweepChart(sets, SweepBase::FIRST_LINE);
}

constexpr FigureEntry LOAD_SWEEP{"ns3::ddl::LoadSweepFigure",
                                 "mean SCT and JCT against a key that was varied over numbers, "
                                 "relative to the first line",
                                 MakeLoadSweep};
const TypeId LOAD_SWEEP_FIGURE = FigureOf<LOAD_SWEEP>::GetTypeId();

/** A load sweep with each line relative to its own point at the key's least value. */
Chart
MakeGrowth(const std::vector<ResultSet>& sets)
{
    return MakeSweepChart(sets, SweepBase::FIRST_VALUE);
}

constexpr FigureEntry GROWTH{"ns3::ddl::GrowthFigure",
                             "mean SCT and JCT against a key that was varied over numbers, "
                             "relative to its least value",
                             MakeGrowth};
const TypeId GROWTH_FIGURE = FigureOf<GROWTH>::GetTypeId();

} // namespace

} // namespace ns3::ddl
