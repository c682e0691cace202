// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-result-set.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-metric.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** One panel of a chart of distributions: a column of a table of results, a line for each set. */
struct CdfPanel
{
    /** A published percentile. */
    struct Mark
    {
        double value;
        double fraction;
    };

    std::string of;                          //!< name of the rows that are counted: "stages"
    std::string label;                       //!< label of the x axis
    std::vector<std::vector<double>> values; //!< values of each set, ascending
    std::vector<std::vector<Mark>> marks;    //!< published percentiles of each set
};

/** \return the published percentiles of a metric of a set */
std::vector<CdfPanel::Mark>
ListMarks(const ResultSet& set, const std::string& metric)
{
    std::vector<CdfPanel::Mark> marks;
    for (const auto& statistic : ListStatistics())
    {
        const auto value = FindPublished(set, nullptr, {metric, statistic});
        if (value && statistic[0] == 'p')
        {
            marks.push_back({*value, std::stod(statistic.substr(1)) / 100});
        }
    }
    return marks;
}

/** \return the least value of a panel and the greatest, 0 where there is none */
std::pair<double, double>
FindRange(const CdfPanel& panel)
{
    double least = 0;
    double most = 0;
    for (const auto& values : panel.values)
    {
        if (!values.empty())
        {
            least = least == 0 ? values.front() : std::min(least, values.front());
            most = std::max(most, values.back());
        }
    }
    for (const auto& marks : panel.marks)
    {
        for (const auto& mark : marks)
        {
            least = least == 0 ? mark.value : std::min(least, mark.value);
            most = std::max(most, mark.value);
        }
    }
    return {least, most};
}

/** \return tics at 1, 2 and 5 of each decade: of gnuplot's powers of 10 only one may be visible */
std::string
FormatLogarithmicTics(double least, double most)
{
    constexpr double FAR_APART = 1000;
    if (most / least > FAR_APART)
    {
        return "set xtics autofreq\n";
    }
    std::string tics;
    for (double decade = std::pow(10, std::floor(std::log10(least))); decade <= most; decade *= 10)
    {
        for (const double step : {1, 2, 5})
        {
            const bool isShown = step * decade >= least && step * decade <= most;
            tics += isShown ? (tics.empty() ? "" : ", ") + FormatReal(step * decade) : "";
        }
    }
    return "set xtics (" + tics + ")\n";
}

/** \return the x axis of a panel: from 0, or logarithmic if its values are far apart */
std::string
FormatAxis(const CdfPanel& panel)
{
    constexpr double MARGIN = 1.05;
    const auto [least, most] = FindRange(panel);
    if (!IsWide(least, most))
    {
        return "unset logscale x\nset xtics autofreq\nset xrange [0:" +
               (most > 0 ? FormatReal(most * MARGIN) : "*") + "]\n";
    }
    return "set logscale x\n" + FormatLogarithmicTics(least / MARGIN, most * MARGIN) +
           "set xrange [" + FormatReal(least / MARGIN) + ":" + FormatReal(most * MARGIN) + "]\n";
}

/** \return label of the y axis: "fraction of 33 stages", "fraction of stages (n = 31 to 33)" */
std::string
FormatFractionLabel(const CdfPanel& panel)
{
    std::vector<std::size_t> counts;
    for (const auto& values : panel.values)
    {
        counts.push_back(values.size());
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return *least == *most ? "fraction of " + std::to_string(*most) + " " + panel.of
                           : "fraction of " + panel.of + " (" + DescribeSamples(counts) + ")";
}

std::string
FormatPanel(const FigureFrame& frame, const CdfPanel& panel, std::size_t sets, bool hasKey)
{
    std::ostringstream script;
    script << FormatAxis(panel) << "set xlabel " << QuoteForGnuplot(panel.label) << "\nset ylabel "
           << QuoteForGnuplot(FormatFractionLabel(panel)) << "\nplot \\\n";
    std::string separator;
    std::string marks; // plot elements of the marks, drawn after all lines so that none hides them
    for (std::size_t s = 0; s < sets; ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        const std::string rows = "data skip 1 using ($1 == " + std::to_string(s + 1) +
                                 " && strcol(2) eq '" + panel.of + "'";
        const std::string data = "  " + rows;
        marks +=
            panel.marks[s].empty() ? "" : FormatGnuplotMarks(rows + " ? $6 : NaN):4", look.colour);
        if (panel.values[s].empty())
        {
            continue;
        }
        script << separator << data << " ? $3 : NaN):4 with steps linecolor rgb '#" << look.colour
               << "' dashtype " << look.dashes << " linewidth " << GetLineWidth(s, sets);
        if (sets > 1)
        {
            script << ", \\\n"
                   << data << " && $5 == 1 ? $3 : NaN):4 with points linecolor rgb '#"
                   << look.colour << "' pointtype " << look.marker << " linewidth 1.2";
        }
        separator = ", \\\n";
    }
    return script.str() + marks + (hasKey ? FormatGnuplotKey(frame, "linespoints") : "") + "\n";
}

/**
 * \return true if a step gets a marker. Each line has a few, at other heights than other lines, so
 * that each can be seen where several lines coincide
 */
bool
IsMarked(std::size_t step, std::size_t steps, std::size_t set, std::size_t sets)
{
    constexpr std::size_t MARKERS = 5;
    const double offset = (static_cast<double>(set) + 1) / (static_cast<double>(sets) + 1);
    for (std::size_t k = 0; k < MARKERS; ++k)
    {
        const double at = (static_cast<double>(k) + offset) / MARKERS;
        if (step == static_cast<std::size_t>(std::ceil(at * static_cast<double>(steps))))
        {
            return true;
        }
    }
    return false;
}

/**
 * \param sets sets, each with all its runs put together
 * \param of name of the table without its ending: "stages"
 * \param column name of the table's column
 * \param label label of the x axis
 * \param metric the column as a metric, whose percentiles a paper may give
 * \throws InputError when the table or the column is missing
 */
CdfPanel
ReadCdfPanel(const std::vector<ResultSet>& sets,
             const std::string& of,
             const std::string& column,
             const std::string& label,
             const std::string& metric)
{
    CdfPanel panel{of, label, {}, {}};
    for (const auto& set : sets)
    {
        panel.values.push_back(ReadColumn(set, of + ".csv", column));
        std::sort(panel.values.back().begin(), panel.values.back().end());
        panel.marks.push_back(ListMarks(set, metric));
    }
    return panel;
}

bool
IsEmpty(const CdfPanel& panel)
{
    return std::all_of(panel.values.begin(), panel.values.end(), [](const auto& values) {
        return values.empty();
    });
}

Chart::Panel
MakeChartPanel(const CdfPanel& panel, const std::vector<ResultSet>& sets)
{
    Chart::Panel drawn;
    drawn.kind = Chart::Kind::STEPS;
    drawn.xLabel = panel.label;
    drawn.yLabel = FormatFractionLabel(panel);
    const auto [least, most] = FindRange(panel);
    drawn.isLogarithmic = IsWide(least, most);
    for (std::size_t s = 0; s < sets.size(); ++s)
    {
        Chart::Series series{sets[s].label, panel.values[s], {}, {}, {}};
        for (std::size_t i = 1; i <= panel.values[s].size(); ++i)
        {
            series.y.emplace_back(static_cast<double>(i) /
                                  static_cast<double>(panel.values[s].size()));
        }
        for (const auto& mark : panel.marks[s])
        {
            series.markXs.push_back(mark.value);
            series.marks.emplace_back(mark.fraction);
        }
        drawn.series.push_back(std::move(series));
    }
    return drawn;
}

/**
 * Make a figure of empirical distributions: value i of n gets the fraction i/n. The first point
 * starts the line on the axis.
 *
 * \param name name of the figure
 * \param title title of the chart
 * \param column name of the values in the data
 * \param panels at least one panel; panels are drawn side by side
 */
FigureFiles
MakeFiles(const std::string& name,
          const std::string& title,
          const std::string& column,
          const std::vector<ResultSet>& sets,
          const std::vector<CdfPanel>& panels)
{
    FigureTable<uint64_t,
                std::string,
                std::optional<double>,
                double,
                uint64_t,
                std::optional<double>>
        table("set,of," + column + ",fraction,marked,published_" + column);
    for (const auto& panel : panels)
    {
        for (std::size_t s = 0; s < sets.size(); ++s)
        {
            const auto& values = panel.values[s];
            for (std::size_t i = 0; i <= values.size() && !values.empty(); ++i)
            {
                table.AddRow(s + 1,
                             panel.of,
                             values[i == 0 ? 0 : i - 1],
                             static_cast<double>(i) / static_cast<double>(values.size()),
                             IsMarked(i, values.size(), s, sets.size()),
                             std::nullopt,
                             sets[s].label);
            }
            for (const auto& mark : panel.marks[s])
            {
                table.AddRow(s + 1,
                             panel.of,
                             std::nullopt,
                             mark.fraction,
                             0,
                             mark.value,
                             sets[s].label);
            }
        }
    }
    FigureFrame frame{name, title, DescribeRuns(sets), {}, panels.size()};
    for (const auto& set : sets)
    {
        if (sets.size() > 1)
        {
            frame.key.push_back(set.label);
        }
    }
    const bool isMarked = std::any_of(panels.begin(), panels.end(), [](const CdfPanel& panel) {
        return std::any_of(panel.marks.begin(), panel.marks.end(), [](const auto& marks) {
            return !marks.empty();
        });
    });
    frame.mark = isMarked ? NameMarks(sets) : "";
    std::ostringstream script;
    script << BeginGnuplotScript(frame)
           << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set yrange [0:1]\nset offsets 0, graph 0.05, 0, 0\n";
    Chart chart{frame.title, frame.note, {}, frame.mark};
    for (std::size_t p = 0; p < panels.size(); ++p)
    {
        script << PlaceGnuplotPanel(p) << FormatPanel(frame, panels[p], sets.size(), p == 0);
        chart.panels.push_back(MakeChartPanel(panels[p], sets));
    }
    return table.MakeFiles(script.str() + EndGnuplotScript(), std::move(chart));
}

} // namespace

/**
 * Distribution of job completion times: which share of the jobs took less than x from submission to
 * end. It is the empirical distribution of `jct_s`, all seeds of a set together, with a line for
 * each set.
 */
class CdfJctFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::CdfJctFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<CdfJctFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "distribution of the completion time of jobs, a line for each result";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        const CdfPanel panel =
            ReadCdfPanel(sets, "jobs", "jct_s", FindMetric("jct_s").GetAxisTitle(), "jct_s");
        if (IsEmpty(panel))
        {
            return Nothing("no job was completed");
        }
        return MakeFiles(GetName(), "Distribution of job completion times", "jct_s", sets, {panel});
    }
};

NS_OBJECT_ENSURE_REGISTERED(CdfJctFigure);

/**
 * Distribution of slowdowns: which share of the stages, and of the jobs, was slowed down by less
 * than x. It is the empirical distribution of the `slowdown` columns, all seeds of a set together,
 * with a line for each set.
 */
class CdfSlowdownFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::CdfSlowdownFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<CdfSlowdownFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "distribution of the slowdown of stages and of jobs, a line for each result";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        std::vector<CdfPanel> panels;
        for (const std::string of : {"stages", "jobs"})
        {
            const std::string label = "slowdown of " + of + " (time / time alone)";
            const std::string metric = of == "stages" ? "stage_slowdown" : "job_slowdown";
            CdfPanel panel = ReadCdfPanel(sets, of, "slowdown", label, metric);
            if (!IsEmpty(panel))
            {
                panels.push_back(std::move(panel));
            }
        }
        if (panels.empty())
        {
            return Nothing(
                "no stage and no job has a slowdown (nothing was completed, or the runs alone were "
                "left out by output.alone=false)");
        }
        return MakeFiles(GetName(), "Distribution of slowdowns", "slowdown", sets, panels);
    }
};

NS_OBJECT_ENSURE_REGISTERED(CdfSlowdownFigure);

} // namespace ns3::ddl
