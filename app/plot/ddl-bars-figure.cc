// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-result-set.h"
#include "ddl-figure.h"

#include "ns3/ddl-metric.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>

namespace ns3::ddl
{

namespace
{

/** Bars that stand together: a metric, or a model. */
struct BarGroup
{
    Measure measure;     //!< the measure; a bar shows its mean
    std::string title;   //!< text below the bars
    std::string unit;    //!< unit in the texts above bars, after a space
    std::string count{}; //!< number of values per bar: "n = 14", "" if not known
};

using BarGroups = std::vector<BarGroup>;

/** \return a panel without bars. \param isRatio bars are ratios, and a line at 1 is drawn */
Chart::Panel
StartBars(const BarGroups& groups, bool isRatio)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BARS;
    panel.y = isRatio ? Chart::Axis{"ratio", "", "ratio"} : Chart::Axis{"seconds", "s", "value_s"};
    panel.reference = isRatio ? std::optional<double>(1) : std::nullopt;
    for (const auto& group : groups)
    {
        panel.names.push_back(group.title + (group.count.empty() ? "" : "\n" + group.count));
    }
    return panel;
}

void
AddBar(Chart::Series& series,
       const std::optional<Estimate>& height,
       const std::string& text,
       const std::optional<double>& published)
{
    series.y.push_back(height ? std::optional<double>(height->mean) : std::nullopt);
    series.halfWidths.push_back(height ? height->halfWidth : std::nullopt);
    series.texts.push_back(text);
    series.marks.push_back(published);
}

/** Say what is drawn beside the bars. */
Chart
FinishBars(Chart chart, const std::vector<ResultSet>& sets)
{
    const bool hasCounts =
        std::any_of(chart.panels.begin(), chart.panels.end(), [](const Chart::Panel& panel) {
            return std::any_of(panel.names.begin(), panel.names.end(), [](const auto& name) {
                return name.find("\nn = ") != std::string::npos;
            });
        });
    chart.note = DescribeRuns(sets);
    chart.note += HasAny(chart, &Chart::Series::halfWidths)
                      ? "; lines: 95 % confidence intervals over seeds"
                      : "";
    chart.note += hasCounts ? "; n: values per run" : "";
    chart.mark = HasAny(chart, &Chart::Series::marks) ? NameMarks(sets) : "";
    return chart;
}

/** \return text of a mean in three digits with its unit, "" if there is no mean */
std::string
LabelBar(const std::optional<Estimate>& mean, const std::string& unit)
{
    if (!mean)
    {
        return "";
    }
    char text[32]; // three significant digits, but never fewer than stand before the point
    std::snprintf(text, sizeof text, std::abs(mean->mean) < 100 ? "%#.3g" : "%.0f", mean->mean);
    return text + unit;
}

/**
 * \return which set the bars are relative to: "relative to sptf", or, where several keys vary,
 *         "relative to period=1s with the same other values"
 */
std::string
DescribeRelation(const std::vector<ResultSet>& sets)
{
    const auto& values = sets[0].values;
    if (values.size() < 2 || !AreOneComparison(sets))
    {
        return "relative to " + sets[0].label;
    }
    const auto& [path, value] = values.back();
    return "relative to " + path.substr(path.rfind('.') + 1) + "=" + value +
           " with the same other values";
}

/** Add a series for each set: its means relative to those of the set that it is compared with. */
void
AddRatios(const std::vector<ResultSet>& sets, const BarGroups& groups, Chart::Panel& panel)
{
    const std::string first = sets[0].values.empty() ? "" : sets[0].values.back().second;
    for (const auto& set : sets)
    {
        Chart::Series series{set.label};
        const ResultSet* const base = FindBase(sets, set, first);
        for (const auto& group : groups)
        {
            const auto values = ReadMeasure(set, group.measure);
            AddBar(series,
                   base ? EstimateRatio(values, ReadMeasure(*base, group.measure)) : std::nullopt,
                   LabelBar(EstimateMean(values), group.unit),
                   base ? FindPublished(set, base, group.measure) : std::nullopt);
        }
        panel.series.push_back(std::move(series));
    }
}

/** A statistic of a metric, which a series of bars shows. */
struct ShownStatistic
{
    std::string name; //!< name of the statistic in summary.json
    std::string label;
    std::size_t least; //!< number of values needed for one to lie beyond the statistic
};

const std::vector<ShownStatistic> SHOWN{{"mean", "mean", 0},
                                        {"p50", "median", 0},
                                        {"p95", "95th percentile", 20},
                                        {"p99", "99th percentile", 100}};

/** \return the wanted metrics that at least one set has a value for */
BarGroups
FindGroups(const std::vector<ResultSet>& sets, const BarGroups& wanted)
{
    BarGroups groups;
    std::copy_if(wanted.begin(),
                 wanted.end(),
                 std::back_inserter(groups),
                 [&sets](const BarGroup& group) {
                     return std::any_of(sets.begin(), sets.end(), [&group](const ResultSet& set) {
                         return EstimateMean(ReadMeasure(set, group.measure)).has_value();
                     });
                 });
    return groups;
}

/** \return the number of values of a metric in each run */
std::vector<std::size_t>
CountValues(const std::vector<ResultSet>& sets, const std::string& metric)
{
    std::vector<std::size_t> counts;
    for (const auto& set : sets)
    {
        for (const auto& count : ReadMeasure(set, {metric, "count"}))
        {
            if (count)
            {
                counts.push_back(static_cast<std::size_t>(*count));
            }
        }
    }
    return counts;
}

/**
 * Write below the bars how many values they are made of.
 *
 * \return the least number of values of each group, 0 where it is not known
 */
std::vector<std::size_t>
AddCounts(const std::vector<ResultSet>& sets, BarGroups& groups)
{
    std::vector<std::size_t> least;
    for (auto& group : groups)
    {
        const auto counts = FindMetric(group.measure.metric).values
                                ? CountValues(sets, group.measure.metric)
                                : std::vector<std::size_t>{};
        group.count = DescribeSamples(counts);
        least.push_back(counts.empty() ? 0 : *std::min_element(counts.begin(), counts.end()));
    }
    return least;
}

Chart
DescribeOne(const ResultSet& set)
{
    BarGroups groups = FindGroups({set},
                                  {{{"sct_s"}, "stages (SCT)", ""},
                                   {{"jct_s"}, "jobs (JCT)", ""},
                                   {{"cojct_s"}, "cojobs (CoJCT)", ""}});
    const auto counts = AddCounts({set}, groups);
    Chart::Panel panel = StartBars(groups, false);
    for (const auto& statistic : SHOWN)
    {
        Chart::Series series{statistic.label};
        for (std::size_t g = 0; g < groups.size(); ++g)
        {
            const Measure measure{groups[g].measure.metric, statistic.name};
            const auto mean = counts[g] < statistic.least ? std::nullopt
                                                          : EstimateMean(ReadMeasure(set, measure));
            AddBar(series,
                   mean,
                   LabelBar(mean, groups[g].unit),
                   FindPublished(set, nullptr, measure));
        }
        if (HasAny(series.y) || statistic.least == 0)
        {
            panel.series.push_back(std::move(series));
        }
    }
    return {"Completion times", "", {std::move(panel)}};
}

/**
 * \return the metrics to compare: those that any of the sets has, but not the makespan of a single
 *         job, which equals its JCT
 */
BarGroups
FindComparedGroups(const std::vector<ResultSet>& sets)
{
    BarGroups wanted;
    const auto add = [&wanted](const std::string& name) {
        const Metric& metric = FindMetric(name);
        const std::string unit = metric.GetUnit();
        wanted.push_back({{name}, metric.label, (unit.empty() ? "" : " ") + unit});
    };
    for (const char* name :
         {"sct_s", "jct_s", "cojct_s", "tta90_s", "stage_slowdown", "job_slowdown", "exposed_s"})
    {
        add(name);
    }
    const auto jobs = CountValues(sets, "jct_s");
    const bool isSingle = !jobs.empty() && *std::max_element(jobs.begin(), jobs.end()) == 1;
    if (!isSingle)
    {
        add("makespan_s");
    }
    return FindGroups(sets, wanted);
}

Chart
DescribeSeveral(const std::vector<ResultSet>& sets, BarGroups groups)
{
    AddCounts(sets, groups);
    Chart::Panel panel = StartBars(groups, true);
    AddRatios(sets, groups, panel);
    return {"Means " + DescribeRelation(sets) + " (lower is better)", "", {std::move(panel)}};
}

/** Give a panel the series of these labels, in this order; those that it lacks are empty. */
void
AlignSeries(const std::vector<std::string>& labels, Chart::Panel& panel)
{
    const std::vector<std::optional<double>> none(panel.names.size());
    const std::vector<std::string> texts(panel.names.size());
    std::vector<Chart::Series> aligned;
    for (const auto& label : labels)
    {
        const auto found =
            std::find_if(panel.series.begin(), panel.series.end(), [&label](const auto& series) {
                return series.name == label;
            });
        aligned.push_back(found != panel.series.end()
                              ? *found
                              : Chart::Series{label, {}, none, none, texts, none});
    }
    panel.series = std::move(aligned);
}

/** \return a panel for each that sets name, in their order, with the same groups and series */
Chart
DescribePanels(const std::vector<ResultSet>& sets)
{
    const auto groups = FindComparedGroups(sets);
    std::vector<std::pair<std::string, std::vector<ResultSet>>> panels;
    std::vector<std::string> labels;
    for (const auto& set : sets)
    {
        auto panel = std::find_if(panels.begin(), panels.end(), [&set](const auto& other) {
            return other.first == set.panel;
        });
        panel = panel != panels.end() ? panel : panels.insert(panels.end(), {set.panel, {}});
        panel->second.push_back(set);
        if (std::find(labels.begin(), labels.end(), set.label) == labels.end())
        {
            labels.push_back(set.label);
        }
    }
    Chart chart;
    for (const auto& [name, shown] : panels)
    {
        Chart one = DescribeSeveral(shown, groups);
        const bool isSame = chart.panels.empty() || one.title == chart.title;
        chart.title =
            isSame ? one.title : "Means relative to the first of each panel (lower is better)";
        chart.panels.push_back(std::move(one.panels.front()));
        chart.panels.back().x.label = name;
        AlignSeries(labels, chart.panels.back());
    }
    return chart;
}

Measure
SctOf(const std::string& model)
{
    return {"sct_s", "mean", model};
}

/** \return the models of a set's cojobs, the one with the least SCT first */
std::vector<std::string>
ListModels(const ResultSet& set)
{
    std::set<std::string> names;
    for (const auto& run : set.ListRuns())
    {
        const CsvTable jobs(run + "/jobs.csv");
        for (std::size_t row = 0; row < jobs.GetRows(); ++row)
        {
            names.insert(jobs.GetText(row, "model"));
        }
    }
    std::vector<std::pair<double, std::string>> models;
    for (const auto& name : names)
    {
        if (const auto sct = EstimateMean(ReadMeasure(set, SctOf(name))))
        {
            models.emplace_back(sct->mean, name);
        }
    }
    std::sort(models.begin(), models.end());
    std::vector<std::string> sorted;
    for (const auto& [sct, name] : models)
    {
        sorted.push_back(name);
    }
    return sorted;
}

/**
 * Bars of how long things took. Of one set: mean and percentiles of the completion times of stages
 * (SCT), jobs (JCT) and cojobs (CoJCT), in seconds. Of several: each mean relative to that of the
 * set that FindBase says, with the 95 % confidence interval over the seeds, and the mean itself
 * written above the bar. Where sets name panels, each panel is drawn as if the others were not
 * there, on the same scale.
 */
Chart
MakeBars(const std::vector<ResultSet>& sets)
{
    const Chart chart = !sets[0].panel.empty() ? DescribePanels(sets)
                        : sets.size() == 1     ? DescribeOne(sets[0])
                                               : DescribeSeveral(sets, FindComparedGroups(sets));
    if (chart.panels[0].names.empty())
    {
        return NothingToDraw("no stage, job or cojob was completed");
    }
    if (!HasAny(chart, &Chart::Series::y))
    {
        return NothingToDraw("\"" + sets[0].label +
                             "\" has no results that others can be compared with");
    }
    return FinishBars(chart, sets);
}

constexpr FigureEntry BARS{"ns3::ddl::BarsFigure",
                           "mean SCT, JCT and CoJCT; of several results, relative to the first",
                           MakeBars};
const TypeId BARS_FIGURE = FigureOf<BARS>::GetTypeId();

/**
 * Bars of the mean stage completion time of the cojobs of each model, relative as in `bars`, with
 * the 95 % confidence interval over the seeds. Models stand in the order of their SCT in the first
 * set.
 */
Chart
MakeBarsByModel(const std::vector<ResultSet>& sets)
{
    if (sets.size() < 2)
    {
        return NothingToDraw("there is nothing to compare with");
    }
    BarGroups groups;
    for (const auto& model : ListModels(sets[0]))
    {
        groups.push_back({SctOf(model), model, " s"});
    }
    if (groups.empty())
    {
        return NothingToDraw("\"" + sets[0].label + "\" has no stage that was completed");
    }
    Chart::Panel panel = StartBars(groups, true);
    AddRatios(sets, groups, panel);
    return FinishBars(
        {"Mean SCT " + DescribeRelation(sets) + " (lower is better)", "", {std::move(panel)}},
        sets);
}

constexpr FigureEntry BARS_BY_MODEL{"ns3::ddl::BarsByModelFigure",
                                    "mean SCT of each model, of several results relative to the "
                                    "first",
                                    MakeBarsByModel};
const TypeId BARS_BY_MODEL_FIGURE = FigureOf<BARS_BY_MODEL>::GetTypeId();

} // namespace

} // namespace ns3::ddl
