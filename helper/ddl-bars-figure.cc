// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bars-figure.h"

#include "ddl-gnuplot.h"
#include "ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(BarsFigure);

namespace
{

constexpr std::size_t MOST_LABELLED = 4; //!< series up to which the numbers fit above the bars

/** Bars that stand together: a metric, or a completion time. */
struct Group
{
    std::string metric;
    std::string title;
    std::string unit;
};

/** Bars of one colour. */
struct Series
{
    std::string label;
    std::vector<std::optional<Estimate>> heights; //!< a bar a group
    std::vector<std::string> texts;               //!< above each bar
};

/** The whole picture. */
struct Bars
{
    std::string title;
    std::string axis;
    std::vector<Group> groups;
    std::vector<Series> series;
    bool hasReference{false}; //!< bars are ratios: a line at 1
};

/** \return those metrics that at least one set has a value for */
std::vector<Group>
FindGroups(const std::vector<ResultSet>& sets, const std::vector<Group>& wanted)
{
    std::vector<Group> groups;
    for (const auto& group : wanted)
    {
        bool isThere = false;
        for (const auto& set : sets)
        {
            for (const auto& value : ReadMetric(set, group.metric))
            {
                isThere = isThere || value.has_value();
            }
        }
        if (isThere)
        {
            groups.push_back(group);
        }
    }
    return groups;
}

/** \return mean over the replications that have a value, nothing if none has */
std::optional<Estimate>
EstimatePresent(const std::vector<std::optional<double>>& values)
{
    std::vector<double> present;
    for (const auto& value : values)
    {
        if (value)
        {
            present.push_back(*value);
        }
    }
    return present.empty() ? std::nullopt : std::optional<Estimate>(EstimateMean(present));
}

std::string
TextOf(const std::optional<Estimate>& mean, const std::string& unit)
{
    return mean ? FormatNumber(mean->mean, 3) + unit : "";
}

Bars
DescribeOne(const ResultSet& set)
{
    Bars bars{set.label.empty() ? "Completion times" : "Completion times: " + set.label,
              "seconds",
              FindGroups({set},
                         {{"sct_s", "stages (SCT)", ""},
                          {"jct_s", "jobs (JCT)", ""},
                          {"cojct_s", "cojobs (CoJCT)", ""}}),
              {},
              false};
    const std::vector<std::pair<std::string, std::string>> statistics{{"mean", "mean"},
                                                                      {"p50", "median"},
                                                                      {"p95", "95th percentile"},
                                                                      {"p99", "99th percentile"}};
    for (const auto& [statistic, label] : statistics)
    {
        Series series{label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto mean = EstimatePresent(ReadMetric(set, group.metric, statistic));
            series.heights.push_back(mean);
            series.texts.push_back(TextOf(mean, group.unit));
        }
        bars.series.push_back(series);
    }
    return bars;
}

Bars
DescribeSeveral(const std::vector<ResultSet>& sets)
{
    Bars bars{"Means relative to " + sets[0].label + " (lower is better)",
              "ratio",
              FindGroups(sets,
                         {{"sct_s", "SCT", " s"},
                          {"jct_s", "JCT", " s"},
                          {"cojct_s", "CoJCT", " s"},
                          {"stage_slowdown", "stage slowdown", ""},
                          {"job_slowdown", "job slowdown", ""},
                          {"makespan_s", "makespan", " s"}}),
              {},
              true};
    for (const auto& set : sets)
    {
        Series series{set.label, {}, {}};
        for (const auto& group : bars.groups)
        {
            const auto values = ReadMetric(set, group.metric);
            series.heights.push_back(EstimateRatio(values, ReadMetric(sets[0], group.metric)));
            series.texts.push_back(
                sets.size() > MOST_LABELLED ? "" : TextOf(EstimatePresent(values), group.unit));
        }
        bars.series.push_back(series);
    }
    return bars;
}

/** The label comes last: gnuplot cannot read the quotes that may be in it. */
std::string
FormatData(const Bars& bars)
{
    CsvWriter csv("series,group,value,ci95,text,metric,label");
    for (std::size_t s = 0; s < bars.series.size(); ++s)
    {
        for (std::size_t g = 0; g < bars.groups.size(); ++g)
        {
            const auto& height = bars.series[s].heights[g];
            csv.Cell(uint64_t{s + 1})
                .Cell(uint64_t{g})
                .Cell(height ? std::optional<double>(height->mean) : std::nullopt)
                .Cell(height ? height->halfWidth : std::nullopt)
                .Cell(bars.series[s].texts[g])
                .Cell(bars.groups[g].metric)
                .Cell(bars.series[s].label)
                .EndRow();
        }
    }
    return csv.GetText();
}

/** \return true if any bar has a confidence interval */
bool
HasIntervals(const Bars& bars)
{
    for (const auto& series : bars.series)
    {
        for (const auto& height : series.heights)
        {
            if (height && height->halfWidth)
            {
                return true;
            }
        }
    }
    return false;
}

/** \return the plot command: boxes, intervals, and the texts above */
std::string
FormatPlot(const std::string& name, const Bars& bars)
{
    const std::string data = "  " + QuoteForGnuplot(name + "-data.csv") + " skip 1 using ";
    std::ostringstream script;
    script << "plot \\\n";
    for (std::size_t s = 0; s < bars.series.size(); ++s)
    {
        script << data << "($1 == " << s + 1 << " ? x($1, $2) : NaN):3 with boxes linetype "
               << s + 1 << " title " << QuoteForGnuplot(bars.series[s].label) << ", \\\n";
    }
    if (HasIntervals(bars))
    {
        script << data << "(x($1, $2)):($3 - $4):(0):(2 * $4) with vectors heads"
               << " size graph 0.004, 90 linecolor rgb '#333333' linewidth 0.8 notitle, \\\n";
    }
    script << data << "(x($1, $2)):($3 + ci(4)):5 with labels offset 0, 0.6 font ',12' notitle\n";
    return script.str();
}

/** \return the names of the groups below their bars */
std::string
FormatTics(const std::vector<Group>& groups)
{
    std::string tics;
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        tics += (g == 0 ? "" : ", ") + QuoteForGnuplot(groups[g].title) + " " + std::to_string(g);
    }
    return "set xtics scale 0 (" + tics + ")\n";
}

std::string
FormatScript(const std::string& name, const Bars& bars, const std::string& scale)
{
    const std::string axis =
        bars.axis + (HasIntervals(bars) ? ", 95 % confidence interval over seeds" : "");
    std::ostringstream script;
    script << BeginGnuplotScript(name, bars.title + (scale.empty() ? "" : "\n" + scale))
           << "series = " << bars.series.size() << "\ngroups = " << bars.groups.size() << "\n"
           << "x(s, g) = g + (s - (series + 1) / 2.0) * 0.8 / series\n"
           << "ci(column) = valid(column) ? column(column) : 0\n"
           << "set style fill solid 0.9 noborder\nset boxwidth 0.74 / series\n"
           << "set key bmargin center horizontal Left reverse samplen 1.5 height 0.7\n"
           << "set ylabel " << QuoteForGnuplot(axis) << "\nset xrange [-0.5:groups - 0.5]\n"
           << "set yrange [0:*]\nset offsets 0, 0, graph 0.1, 0\n"
           << FormatTics(bars.groups);
    if (bars.hasReference)
    {
        script << "set arrow from graph 0, first 1 to graph 1, first 1 nohead dashtype 2"
               << " linecolor rgb '#555555' front\n";
    }
    script << FormatPlot(name, bars) << EndGnuplotScript();
    return script.str();
}

} // namespace

TypeId
BarsFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::BarsFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<BarsFigure>();
    return tid;
}

std::string
BarsFigure::GetSummary() const
{
    return "mean SCT, JCT and CoJCT; of several results, relative to the first";
}

FigureFiles
BarsFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    const Bars bars = sets.size() == 1 ? DescribeOne(sets[0]) : DescribeSeveral(sets);
    if (bars.groups.empty())
    {
        return {"", "", "no stage, job or cojob was completed"};
    }
    const auto& first = bars.series[0].heights;
    if (std::none_of(first.begin(), first.end(), [](const auto& height) { return !!height; }))
    {
        return {"",
                "",
                "\"" + sets[0].label + "\" has no results that others can be compared with"};
    }
    return {FormatData(bars), FormatScript(GetName(), bars, DescribeScale(sets)), ""};
}

} // namespace ddl
} // namespace ns3
