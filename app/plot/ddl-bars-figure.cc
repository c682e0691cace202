// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-result-set.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-metric.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Groups of bars with a colour for each series: what both figures of this file draw. */
struct BarChart
{
    /** Bars that stand together: a metric, or a model. */
    struct Group
    {
        Measure measure;     //!< the measure; a bar shows its mean
        std::string title;   //!< text below the bars
        std::string unit;    //!< unit in the texts above bars, after a space
        std::string count{}; //!< number of values per bar: "n = 14", "" if not known
    };

    /** Bars of one colour. */
    struct Series
    {
        std::string label;
        std::vector<std::optional<Estimate>> heights; //!< height of the bar in each group
        std::vector<std::string> texts;               //!< text above each bar
        std::vector<std::optional<double>> published; //!< published value of each bar
    };

    std::string title;
    std::string note; //!< a sentence on which runs are shown
    std::string axis;
    std::vector<Group> groups;
    std::vector<Series> series{};
    bool hasReference{false}; //!< bars are ratios, and a line at 1 is drawn
    std::string panel{};      //!< name of the panel, if there are several charts
};

bool
HasBars(const BarChart::Series& series)
{
    return std::any_of(series.heights.begin(), series.heights.end(), [](const auto& height) {
        return height.has_value();
    });
}

bool
HasAnyBars(const BarChart& bars)
{
    return std::any_of(bars.series.begin(), bars.series.end(), HasBars);
}

/** \return true if any bar has a confidence interval */
bool
HasIntervals(const BarChart& bars)
{
    return std::any_of(bars.series.begin(), bars.series.end(), [](const auto& series) {
        return std::any_of(series.heights.begin(), series.heights.end(), [](const auto& height) {
            return height && height->halfWidth;
        });
    });
}

/** \return true if the paper gives a value for any bar */
bool
HasPublished(const BarChart& bars)
{
    return std::any_of(bars.series.begin(), bars.series.end(), [](const auto& series) {
        return std::any_of(series.published.begin(), series.published.end(), [](const auto& value) {
            return value.has_value();
        });
    });
}

/** The charts of a picture, each with a panel of its own. They have the same series. */
using BarCharts = std::vector<BarChart>;

/** \return the frame around the bars. \param mark name of the marks in the key, if any are drawn */
FigureFrame
MakeFrame(const std::string& name, const BarCharts& charts, ByWidth below, const std::string& mark)
{
    constexpr double AXIS_LABEL = 1.6; // lines of text
    FigureFrame frame{name, charts[0].title, charts[0].note, {}, charts.size(), below};
    if (!charts[0].panel.empty())
    {
        frame.below = {below.page + AXIS_LABEL, below.column + AXIS_LABEL};
    }
    if (std::any_of(charts.begin(), charts.end(), HasPublished))
    {
        frame.mark = mark;
    }
    if (std::any_of(charts.begin(), charts.end(), HasIntervals))
    {
        frame.note += "; lines: 95 % confidence intervals over seeds";
    }
    const bool hasCounts = std::any_of(charts.begin(), charts.end(), [](const BarChart& bars) {
        return std::any_of(bars.groups.begin(), bars.groups.end(), [](const auto& group) {
            return !group.count.empty();
        });
    });
    frame.note += hasCounts ? "; n: values per run" : "";
    for (const auto& series : charts[0].series)
    {
        frame.key.push_back(series.label);
    }
    return frame;
}

/** \return the plot command of a panel: boxes, intervals, and the texts above */
std::string
FormatPlot(const FigureFrame& frame, const BarChart& bars, bool hasKey)
{
    const std::string data = "  data skip 1 using ";
    std::ostringstream script;
    script << "plot \\\n";
    for (std::size_t s = 0; s < bars.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        script << data << "($1 == " << s + 1 << " ? x($1, $2) : NaN):3 with boxes linecolor rgb '#"
               << look.colour << "' " << look.filling << ", \\\n";
    }
    if (HasIntervals(bars))
    {
        // light below dark: visible on any colour, and thin enough not to cover thin bars
        for (const std::string look :
             {"'#FFFFFF' linewidth thin ? 1.4 : 2.6", "'#222222' linewidth thin ? 0.6 : 0.9"})
        {
            script << data << "(x($1, $2)):($3 - $4):(0):(2 * $4) with vectors heads"
                   << " size graph whisker, 90 linecolor rgb " << look << ", \\\n";
        }
    }
    script << data << "(x($1, $2)):("
           << (frame.mark.empty() ? "$3 + ci(4)" : "above($3 + ci(4), mark(7))")
           << "):(labels ? strcol(5) : '') with labels @labelStyle";
    if (!frame.mark.empty())
    {
        script << FormatGnuplotMarks("data skip 1 using (x($1, $2)):7");
    }
    return script.str() + (hasKey ? FormatGnuplotKey(frame, "boxes") : "") + "\n";
}

/** \return script that writes a panel's name below its bars' names; "" if it has no name */
std::string
FormatPanelName(const BarChart& bars)
{
    return bars.panel.empty()
               ? ""
               : "set label 3 " + QuoteForGnuplot(bars.panel) +
                     " at graph 0.5, screen 1 - (head + panel / panelsAcross * (body + below) + "
                     "body + below - 1.1 * line) / tall center\n";
}

/** \return the highest end of a bar, an interval or a mark */
double
FindHighest(const BarCharts& charts)
{
    double highest = 0;
    for (const auto& bars : charts)
    {
        for (const auto& series : bars.series)
        {
            for (std::size_t g = 0; g < series.heights.size(); ++g)
            {
                const auto& height = series.heights[g];
                const double top = height ? height->mean + height->halfWidth.value_or(0) : 0;
                highest = std::max({highest, top, series.published[g].value_or(0)});
            }
        }
    }
    return highest;
}

/**
 * \return script that sets the style of the texts above the bars: side by side where there is room,
 *         else upright; none where even upright texts would run into each other
 */
std::string
FormatLabelStyle(const FigureFrame& frame, const BarCharts& charts)
{
    std::size_t longest = 1;
    for (const auto& bars : charts)
    {
        for (const auto& series : bars.series)
        {
            for (const auto& text : series.texts)
            {
                longest = std::max(longest, text.size());
            }
        }
    }
    std::ostringstream script;
    script << "longest = " << longest << "  # letters above a bar\n"
           << "small = 0.75 * points * 2.54 / 72  # cm: their size\n"
           << "place = (across / panelsAcross - 6 * line) / groups * 0.8 / series\n"
           << "thin = place < 0.15\n"
           << "labels = longest * 0.6 * small < 1.1 * place ? 1 : 1.15 * small < place ? 2 : 0\n"
           << "labelStyle = (labels == 2 ? 'rotate by 90 left offset 0, 0.5' : 'center offset 0, "
              "0.6') . sprintf(' font \",%g\"', 0.75 * points)\n"
           << "room = labels == 2 ? (longest * 0.6 * small + 0.3) / body : labels == 1 ? 2.2 * "
              "small / body : 0.03\n";
    if (charts.size() > 1 || !frame.mark.empty())
    {
        script << "highest = " << FormatReal(FindHighest(charts)) << "\n";
    }
    if (!frame.mark.empty())
    {
        script << "# A text goes above the mark of a published value that would be in its way.\n"
               << "edge = 0.12 / body * highest * (1 + room)\n"
               << "mark(c) = valid(c) ? column(c) : -1\n"
               << "above(top, m) = m > top - edge && m < top + edge + room * highest ? m + edge : "
                  "top\n";
    }
    return script.str();
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

/** \return the names below the bars */
std::vector<std::string>
ListGroupNames(const BarChart& bars)
{
    std::vector<std::string> names;
    for (const auto& group : bars.groups)
    {
        names.push_back(group.title + (group.count.empty() ? "" : "\n" + group.count));
    }
    return names;
}

/** \param most greatest value of the shared axis; nothing if each panel has its own axis */
Chart::Panel
MakeChartPanel(const BarChart& bars, std::optional<double> most)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BARS;
    panel.xLabel = bars.panel;
    panel.yLabel = bars.axis;
    panel.most = most;
    panel.reference = bars.hasReference ? std::optional<double>(1) : std::nullopt;
    panel.names = ListGroupNames(bars);
    for (const auto& series : bars.series)
    {
        Chart::Series drawn{series.label, {}, {}, {}, series.texts, series.published};
        for (const auto& height : series.heights)
        {
            drawn.y.push_back(height ? std::optional<double>(height->mean) : std::nullopt);
            drawn.halfWidths.push_back(height ? height->halfWidth : std::nullopt);
        }
        panel.series.push_back(std::move(drawn));
    }
    return panel;
}

using BarTable = FigureTable<uint64_t,
                             uint64_t,
                             std::optional<double>,
                             std::optional<double>,
                             std::string,
                             std::string,
                             std::optional<double>,
                             uint64_t>;

void
AddBars(const BarChart& bars, std::size_t panel, BarTable& table)
{
    for (std::size_t s = 0; s < bars.series.size(); ++s)
    {
        const auto& series = bars.series[s];
        for (std::size_t g = 0; g < bars.groups.size(); ++g)
        {
            const auto& height = series.heights[g];
            const Measure& measure = bars.groups[g].measure;
            table.AddRow(s + 1,
                         g,
                         height ? std::optional<double>(height->mean) : std::nullopt,
                         height ? height->halfWidth : std::nullopt,
                         series.texts[g],
                         measure.model.empty() ? measure.metric : measure.model,
                         series.published[g],
                         panel,
                         series.label);
        }
    }
}

/**
 * \param name name of the figure
 * \param charts at least one chart, not empty; all have the same groups and series
 * \param mark name of the marks in the key, if any are drawn
 */
FigureFiles
MakeFiles(const std::string& name, const BarCharts& charts, const std::string& mark)
{
    const BarChart& first = charts[0];
    BarTable table(first.hasReference
                       ? "series,group,ratio,ci95,text,metric,published_ratio,panel"
                       : "series,group,value_s,ci95_s,text,metric,published_s,panel");
    const AxisNames axis = LayOutAxisNames(ListGroupNames(first), charts.size());
    const FigureFrame frame = MakeFrame(name, charts, axis.lines, mark);
    const bool isShared = charts.size() > 1; // one scale for all panels
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << "\nseries = " << first.series.size()
           << "\ngroups = " << first.groups.size() << "\n"
           << "x(s, g) = column(8) == panel ? g + (s - (series + 1) / 2.0) * 0.8 / series : NaN\n"
           << "ci(c) = valid(c) ? column(c) : 0\n"
           << "whisker = 0.25 * 0.8 / series / groups\n"
           << FormatLabelStyle(frame, charts) << "set boxwidth 0.74 / series\n"
           << "set ylabel " << QuoteForGnuplot(first.axis) << "\nset xrange [-0.5:groups - 0.5]\n"
           << (isShared ? "set yrange [0:1.05 * highest * (1 + room)]\n"
                        : "set yrange [0:*]\nset offsets 0, 0, graph room, 0\n")
           << axis.script;
    if (first.hasReference)
    {
        script << "set arrow from graph 0, first 1 to graph 1, first 1 nohead dashtype 2"
               << " linewidth 0.7 linecolor rgb '#555555' front\n";
    }
    Chart chart{frame.title, frame.note, {}, frame.mark};
    for (std::size_t p = 0; p < charts.size(); ++p)
    {
        AddBars(charts[p], p, table);
        script << PlaceGnuplotPanel(p) << FormatPanelName(charts[p])
               << FormatPlot(frame, charts[p], p == 0);
        chart.panels.push_back(
            MakeChartPanel(charts[p],
                           isShared ? std::optional<double>(FindHighest(charts)) : std::nullopt));
    }
    script << EndGnuplotScript();
    return table.MakeFiles(script.str(), std::move(chart));
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
AddRatios(const std::vector<ResultSet>& sets, BarChart& bars)
{
    const std::string first = sets[0].values.empty() ? "" : sets[0].values.back().second;
    for (const auto& set : sets)
    {
        BarChart::Series series{set.label, {}, {}, {}};
        const ResultSet* const base = FindBase(sets, set, first);
        for (const auto& group : bars.groups)
        {
            const auto values = ReadMeasure(set, group.measure);
            series.heights.push_back(base ? EstimateRatio(values, ReadMeasure(*base, group.measure))
                                          : std::nullopt);
            series.texts.push_back(LabelBar(EstimateMean(values), group.unit));
            series.published.push_back(base ? FindPublished(set, base, group.measure)
                                            : std::nullopt);
        }
        bars.series.push_back(series);
    }
}

/** A statistic of a metric, which a series of bars shows. */
struct Statistic
{
    std::string name; //!< name of the statistic in summary.json
    std::string label;
    std::size_t least; //!< number of values needed for one to lie beyond the statistic
};

const std::vector<Statistic> STATISTICS{{"mean", "mean", 0},
                                        {"p50", "median", 0},
                                        {"p95", "95th percentile", 20},
                                        {"p99", "99th percentile", 100}};

/** \return the wanted metrics that at least one set has a value for */
std::vector<BarChart::Group>
FindGroups(const std::vector<ResultSet>& sets, const std::vector<BarChart::Group>& wanted)
{
    std::vector<BarChart::Group> groups;
    std::copy_if(wanted.begin(),
                 wanted.end(),
                 std::back_inserter(groups),
                 [&sets](const BarChart::Group& group) {
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
AddCounts(const std::vector<ResultSet>& sets, std::vector<BarChart::Group>& groups)
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

BarChart
DescribeOne(const ResultSet& set)
{
    BarChart bars{"Completion times",
                  DescribeRuns({set}),
                  "seconds",
                  FindGroups({set},
                             {{{"sct_s"}, "stages (SCT)", ""},
                              {{"jct_s"}, "jobs (JCT)", ""},
                              {{"cojct_s"}, "cojobs (CoJCT)", ""}}),
                  {},
                  false};
    const auto counts = AddCounts({set}, bars.groups);
    for (const auto& statistic : STATISTICS)
    {
        BarChart::Series series{statistic.label, {}, {}, {}};
        for (std::size_t g = 0; g < bars.groups.size(); ++g)
        {
            const auto& group = bars.groups[g];
            const Measure measure{group.measure.metric, statistic.name};
            const auto mean = counts[g] < statistic.least ? std::nullopt
                                                          : EstimateMean(ReadMeasure(set, measure));
            series.heights.push_back(mean);
            series.texts.push_back(LabelBar(mean, group.unit));
            series.published.push_back(FindPublished(set, nullptr, measure));
        }
        if (HasBars(series) || statistic.least == 0)
        {
            bars.series.push_back(series);
        }
    }
    return bars;
}

/**
 * \return the metrics to compare: those that any of the sets has, but not the makespan of a single
 *         job, which equals its JCT
 */
std::vector<BarChart::Group>
FindComparedGroups(const std::vector<ResultSet>& sets)
{
    std::vector<BarChart::Group> wanted;
    const auto add = [&wanted](const std::string& name) {
        const Metric& metric = FindMetric(name);
        const std::string unit = metric.GetUnit();
        wanted.push_back({{name}, metric.label, (unit.empty() ? "" : " ") + unit});
    };
    for (const char* name :
         {"sct_s", "jct_s", "cojct_s", "tta90_s", "stage_slowdown", "job_slowdown"})
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

BarChart
DescribeSeveral(const std::vector<ResultSet>& sets, const std::vector<BarChart::Group>& groups)
{
    BarChart bars{"Means " + DescribeRelation(sets) + " (lower is better)",
                  DescribeRuns(sets),
                  "ratio",
                  groups,
                  {},
                  true};
    AddCounts(sets, bars.groups);
    AddRatios(sets, bars);
    return bars;
}

/** Give a chart the series of these labels, in this order; those that it lacks are empty. */
void
AlignSeries(const std::vector<std::string>& labels, BarChart& bars)
{
    std::vector<BarChart::Series> aligned;
    for (const auto& label : labels)
    {
        const auto found =
            std::find_if(bars.series.begin(), bars.series.end(), [&label](const auto& series) {
                return series.label == label;
            });
        const std::size_t groups = bars.groups.size();
        aligned.push_back(found != bars.series.end()
                              ? *found
                              : BarChart::Series{label,
                                                 std::vector<std::optional<Estimate>>(groups),
                                                 std::vector<std::string>(groups),
                                                 std::vector<std::optional<double>>(groups)});
    }
    bars.series = std::move(aligned);
}

/** \return a chart for each panel that sets name, in their order, with the same groups and series
 */
BarCharts
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
    BarCharts charts;
    for (const auto& [name, shown] : panels)
    {
        BarChart bars = DescribeSeveral(shown, groups);
        bars.panel = name;
        bars.note = DescribeRuns(sets);
        AlignSeries(labels, bars);
        charts.push_back(std::move(bars));
    }
    const bool isSame = std::all_of(charts.begin(), charts.end(), [&charts](const auto& bars) {
        return bars.title == charts[0].title;
    });
    charts[0].title =
        isSame ? charts[0].title : "Means relative to the first of each panel (lower is better)";
    return charts;
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

} // namespace

/**
 * Bars of how long things took. Of one set: mean and percentiles of the completion times of stages
 * (SCT), jobs (JCT) and cojobs (CoJCT), in seconds. Of several: each mean relative to that of the
 * set that FindBase says, with the 95 % confidence interval over the seeds, and the mean itself
 * written above the bar. Where sets name panels, each panel is drawn as if the others were not
 * there, on the same scale.
 */
class BarsFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::BarsFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<BarsFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "mean SCT, JCT and CoJCT; of several results, relative to the first";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        const BarCharts charts = Describe(sets);
        if (charts[0].groups.empty())
        {
            return Nothing("no stage, job or cojob was completed");
        }
        if (std::none_of(charts.begin(), charts.end(), HasAnyBars))
        {
            return Nothing("\"" + sets[0].label +
                           "\" has no results that others can be compared with");
        }
        return MakeFiles(GetName(), charts, NameMarks(sets));
    }

    static BarCharts Describe(const std::vector<ResultSet>& sets)
    {
        return !sets[0].panel.empty() ? DescribePanels(sets)
               : sets.size() == 1     ? BarCharts{DescribeOne(sets[0])}
                                      : BarCharts{DescribeSeveral(sets, FindComparedGroups(sets))};
    }
};

NS_OBJECT_ENSURE_REGISTERED(BarsFigure);

/**
 * Bars of the mean stage completion time of the cojobs of each model, relative as in BarsFigure,
 * with the 95 % confidence interval over the seeds. Models stand in the order of their SCT in the
 * first set.
 */
class BarsByModelFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::BarsByModelFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<BarsByModelFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "mean SCT of each model, of several results relative to the first";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        if (sets.size() < 2)
        {
            return Nothing("there is nothing to compare with");
        }
        BarChart bars{"Mean SCT " + DescribeRelation(sets) + " (lower is better)",
                      DescribeRuns(sets),
                      "ratio",
                      {},
                      {},
                      true};
        for (const auto& model : ListModels(sets[0]))
        {
            bars.groups.push_back({SctOf(model), model, " s"});
        }
        if (bars.groups.empty())
        {
            return Nothing("\"" + sets[0].label + "\" has no stage that was completed");
        }
        AddRatios(sets, bars);
        return MakeFiles(GetName(), {bars}, NameMarks(sets));
    }
};

NS_OBJECT_ENSURE_REGISTERED(BarsByModelFigure);

} // namespace ns3::ddl
