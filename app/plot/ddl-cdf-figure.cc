// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-result-set.h"
#include "ddl-figure.h"

#include "ns3/ddl-metric.h"
#include "ns3/ddl-result-tables.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** Add the published percentiles of a metric of a set. */
void
AddPercentiles(const ResultSet& set, const std::string& metric, Chart::Series& series)
{
    for (const auto& statistic : ListStatistics())
    {
        const auto value = FindPublished(set, nullptr, {metric, statistic});
        if (value && statistic[0] == 'p')
        {
            series.markXs.push_back(*value);
            series.marks.emplace_back(std::stod(statistic.substr(1)) / 100);
        }
    }
}

/** \return label of the y axis: "fraction of 33 stages", "fraction of stages (n = 31 to 33)" */
std::string
FormatFractionLabel(const Chart::Panel& panel, const std::string& of)
{
    std::vector<std::size_t> counts;
    for (const auto& series : panel.series)
    {
        counts.push_back(series.x.size());
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return *least == *most ? "fraction of " + std::to_string(*most) + " " + of
                           : "fraction of " + of + " (" + DescribeSamples(counts) + ")";
}

/**
 * Make a panel of empirical distributions, a line for each set: value i of n gets the fraction i/n.
 *
 * \param sets sets, each with all its runs put together
 * \param name name of a metric over a column, whose percentiles a paper may give
 * \param label label of the x axis
 * \throws InputError when the table or the column is missing
 */
Chart::Panel
MakeDistribution(const std::vector<ResultSet>& sets,
                 const std::string& name,
                 const std::string& label)
{
    const Metric& metric = FindMetric(name);
    Chart::Panel panel;
    panel.kind = Chart::Kind::STEPS;
    for (const auto& set : sets)
    {
        Chart::Series series{set.label,
                             ReadColumn(set, FindTable(metric.table).GetFile(), metric.column)};
        std::sort(series.x.begin(), series.x.end());
        for (std::size_t i = 1; i <= series.x.size(); ++i)
        {
            series.y.emplace_back(static_cast<double>(i) / static_cast<double>(series.x.size()));
        }
        AddPercentiles(set, name, series);
        panel.series.push_back(std::move(series));
    }
    const auto [least, most] = FindStepsRange(panel);
    panel.x = {label, "", metric.column, IsWide(least, most)};
    panel.y = {FormatFractionLabel(panel, metric.table), "", "fraction"};
    return panel;
}

/**
 * Distribution of job completion times: which share of the jobs took less than x from submission to
 * end. It is the empirical distribution of `jct_s`, all seeds of a set together, with a line for
 * each set.
 */
Chart
MakeCdfJct(const std::vector<ResultSet>& sets)
{
    const auto panel = MakeDistribution(sets, "jct_s", FindMetric("jct_s").GetAxisTitle());
    Chart chart{"Distribution of job completion times", DescribeRuns(sets), {panel}};
    chart.mark = HasAny(chart, &Chart::Series::marks) ? NameMarks(sets) : "";
    return HasAny(panel, &Chart::Series::y) ? chart : NothingToDraw("no job was completed");
}

constexpr FigureEntry CDF_JCT{"ns3::ddl::CdfJctFigure",
                              "distribution of the completion time of jobs, a line for each result",
                              MakeCdfJct};
const TypeId CDF_JCT_FIGURE = FigureOf<CDF_JCT>::GetTypeId();

/**
 * Distribution of slowdowns: which share of the stages, and of the jobs, was slowed down by less
 * than x. It is the empirical distribution of the `slowdown` columns, all seeds of a set together,
 * with a line for each set.
 */
Chart
MakeCdfSlowdown(const std::vector<ResultSet>& sets)
{
    Chart chart{"Distribution of slowdowns", DescribeRuns(sets), {}};
    for (const std::string of : {"stage", "job"})
    {
        auto panel =
            MakeDistribution(sets, of + "_slowdown", "slowdown of " + of + "s (time / time alone)");
        if (HasAny(panel, &Chart::Series::y))
        {
            chart.panels.push_back(std::move(panel));
        }
    }
    chart.mark = HasAny(chart, &Chart::Series::marks) ? NameMarks(sets) : "";
    return !chart.panels.empty()
               ? chart
               : NothingToDraw("no stage and no job has a slowdown (nothing was completed, or the "
                               "runs alone were left out by output.alone=false)");
}

constexpr FigureEntry CDF_SLOWDOWN{
    "ns3::ddl::CdfSlowdownFigure",
    "distribution of the slowdown of stages and of jobs, a line for each result",
    MakeCdfSlowdown};
const TypeId CDF_SLOWDOWN_FIGURE = FigureOf<CDF_SLOWDOWN>::GetTypeId();

} // namespace

} // namespace ns3::ddl
