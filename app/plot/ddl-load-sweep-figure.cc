// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-sweep.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-metric.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** One plot of the picture. */
struct Panel
{
    std::string metric;
    std::string title;
    Sweep sweep;
};

/** \return true if a line has a confidence interval */
bool
HasIntervals(const Sweep::Line& line)
{
    return std::any_of(line.points.begin(), line.points.end(), [](const auto& point) {
        return point && point->halfWidth && *point->halfWidth > 0;
    });
}

/** \return true if the paper gives a value for any point of a line */
bool
HasPublished(const Sweep::Line& line)
{
    return std::any_of(line.published.begin(), line.published.end(), [](const auto& value) {
        return value.has_value();
    });
}

std::string
FormatTics(const Sweep& sweep)
{
    std::ostringstream tics;
    for (std::size_t x = 0; x < sweep.texts.size(); ++x)
    {
        tics << (x == 0 ? "" : ", ") << QuoteForGnuplot(sweep.texts[x]) << " "
             << FormatReal(sweep.numbers[x]);
    }
    return "set xtics nomirror (" + tics.str() + ")\n";
}

/**
 * The x axis: its range, and `dodge(x, line)`, which moves the points of each line a little aside,
 * so that neither markers nor intervals of several lines hide each other.
 */
std::string
FormatAxis(const Sweep& sweep)
{
    constexpr double MARGIN = 0.07; //!< margin at either end, over the axis
    constexpr double SPREAD = 0.06; //!< most distance of first and last line, over the axis
    const bool isWide = IsWide(sweep.numbers.front(), sweep.numbers.back());
    const auto place = [isWide](double number) { return isWide ? std::log10(number) : number; };
    const double first = place(sweep.numbers.front());
    const double length = place(sweep.numbers.back()) - first;
    double spread = SPREAD * length;
    for (std::size_t x = 1; x < sweep.numbers.size(); ++x)
    {
        spread = std::min(spread, (place(sweep.numbers[x]) - place(sweep.numbers[x - 1])) / 2);
    }
    const auto lines = static_cast<double>(sweep.lines.size());
    const auto back = [isWide](double at) { return isWide ? std::pow(10, at) : at; };
    std::ostringstream script;
    script << (isWide ? "set logscale x\n" : "") << "set xrange ["
           << FormatReal(back(first - MARGIN * length)) << ":"
           << FormatReal(back(first + (1 + MARGIN) * length)) << "]\n"
           << "dodge(x, line) = x " << (isWide ? "* 10**(" : "+ (") << "(line - " << (lines + 1) / 2
           << ") * " << FormatReal(lines > 1 ? spread / (lines - 1) : 0) << ")\n";
    return script.str();
}

std::string
FormatPanel(const FigureFrame& frame, const Panel& panel, bool hasKey)
{
    const Sweep& sweep = panel.sweep;
    std::ostringstream script;
    std::string marks; // plot elements of the marks, drawn after all lines so that none hides them
    script << "set ylabel " << QuoteForGnuplot(panel.title + ", ratio") << "\nplot \\\n";
    for (std::size_t i = 0; i < sweep.lines.size(); ++i)
    {
        const SeriesLook look = GetSeriesLook(i);
        const std::string number = std::to_string(i + 1);
        const std::string data = "data skip 1 using ($1 == " + number + " && strcol(2) eq '" +
                                 panel.metric + "' ? dodge($3, " + number + ") : NaN):";
        const std::string colour = " linecolor rgb '#" + look.colour + "'";
        if (HasIntervals(sweep.lines[i]))
        {
            script << "  " << data << "4:5 with yerrorbars" << colour
                   << " linewidth 0.7 pointtype 0, \\\n";
        }
        script << "  " << data << "4 with linespoints" << colour << " dashtype " << look.dashes
               << " linewidth " << GetLineWidth(i, sweep.lines.size()) << " pointtype "
               << look.marker << (i + 1 < sweep.lines.size() ? ", \\\n" : "");
        marks += HasPublished(sweep.lines[i]) ? FormatGnuplotMarks(data + "7", look.colour) : "";
    }
    return script.str() + marks + (hasKey ? FormatGnuplotKey(frame, "linespoints") : "") + "\n";
}

Chart::Panel
MakeChartPanel(const Panel& panel)
{
    const Sweep& sweep = panel.sweep;
    Chart::Panel drawn;
    drawn.kind = Chart::Kind::POINTS;
    drawn.xLabel = sweep.key;
    drawn.yLabel = panel.title + ", ratio";
    drawn.isLogarithmic = IsWide(sweep.numbers.front(), sweep.numbers.back());
    drawn.names = sweep.texts;
    drawn.ticks = sweep.numbers;
    for (const auto& line : sweep.lines)
    {
        Chart::Series series{line.label, sweep.numbers, {}, {}, {}, line.published};
        for (const auto& point : line.points)
        {
            series.y.push_back(point ? std::optional<double>(point->mean) : std::nullopt);
            series.halfWidths.push_back(point ? point->halfWidth : std::nullopt);
        }
        drawn.series.push_back(std::move(series));
    }
    return drawn;
}

/** \param name name of the figure. \param sets results that it shows */
FigureFiles
MakeFiles(const std::string& name,
          const std::vector<Panel>& panels,
          const std::vector<ResultSet>& sets)
{
    FigureTable<uint64_t,
                std::string,
                double,
                std::optional<double>,
                std::optional<double>,
                std::string,
                std::optional<double>>
        table("line,metric,x,ratio,ci95,value,published_ratio");
    for (const auto& panel : panels)
    {
        for (std::size_t i = 0; i < panel.sweep.lines.size(); ++i)
        {
            const auto& line = panel.sweep.lines[i];
            for (std::size_t x = 0; x < line.points.size(); ++x)
            {
                const auto& point = line.points[x];
                table.AddRow(i + 1,
                             panel.metric,
                             panel.sweep.numbers[x],
                             point ? std::optional<double>(point->mean) : std::nullopt,
                             point ? point->halfWidth : std::nullopt,
                             panel.sweep.texts[x],
                             line.published[x],
                             line.label);
            }
        }
    }
    const Sweep& sweep = panels[0].sweep;
    FigureFrame frame{name,
                      "Means by " + sweep.key + ", relative to " + sweep.relativeTo +
                          " (lower is better)",
                      DescribeRuns(sets),
                      {},
                      panels.size()};
    bool hasIntervals = false;
    for (const auto& line : sweep.lines)
    {
        frame.key.push_back(line.label);
        hasIntervals = hasIntervals || HasIntervals(line);
    }
    const bool isMarked = std::any_of(panels.begin(), panels.end(), [](const Panel& panel) {
        const auto& lines = panel.sweep.lines;
        return std::any_of(lines.begin(), lines.end(), [](const Sweep::Line& line) {
            return HasPublished(line);
        });
    });
    frame.mark = isMarked ? NameMarks(sets) : "";
    frame.note += hasIntervals ? "; bars: 95 % confidence intervals over seeds" : "";
    frame.note += frame.key.size() > 1 ? "; points side by side are at the same value" : "";
    Chart chart{frame.title, frame.note, {}, frame.mark};
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << FormatAxis(sweep) << FormatTics(sweep) << "set xlabel "
           << QuoteForGnuplot(sweep.key)
           << "\nset yrange [*:*]\nset offsets 0, 0, graph 0.08, graph 0.08\n";
    for (std::size_t p = 0; p < panels.size(); ++p)
    {
        script << PlaceGnuplotPanel(p) << FormatPanel(frame, panels[p], p == 0);
        chart.panels.push_back(MakeChartPanel(panels[p]));
    }
    return table.MakeFiles(script.str() + EndGnuplotScript(), std::move(chart));
}

/** \return the figure of name \p name, with a panel for SCT and one for JCT */
FigureFiles
MakeSweepFigure(const std::string& name, const std::vector<ResultSet>& sets, SweepBase base)
{
    std::vector<Panel> panels;
    for (const std::string metric : {"sct_s", "jct_s"})
    {
        Panel panel{metric, FindMetric(metric).label, MakeSweep(sets, {metric, "mean", ""}, base)};
        if (panel.sweep.HasPoints())
        {
            panels.push_back(std::move(panel));
        }
    }
    FigureFiles files;
    files.nothing = "no key was varied over several numbers (--vary=scheduler.period=1s,2s), or "
                    "nothing was completed";
    return panels.empty() ? files : MakeFiles(name, panels, sets);
}

} // namespace

/**
 * Lines that show how mean SCT and JCT change with a key that was varied over numbers (a load, a
 * ratio, a period): a line for each other combination, relative to the first, with 95 % confidence
 * intervals over the seeds. See MakeSweep.
 */
class LoadSweepFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::LoadSweepFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<LoadSweepFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "mean SCT and JCT against a key that was varied over numbers, relative to the first "
               "line";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        return MakeSweepFigure(GetName(), sets, SweepBase::FIRST_LINE);
    }
};

/** A LoadSweepFigure with each line relative to its own point at the key's least value. */
class GrowthFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GrowthFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GrowthFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "mean SCT and JCT against a key that was varied over numbers, relative to its least "
               "value";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        return MakeSweepFigure(GetName(), sets, SweepBase::FIRST_VALUE);
    }
};

NS_OBJECT_ENSURE_REGISTERED(LoadSweepFigure);
NS_OBJECT_ENSURE_REGISTERED(GrowthFigure);

} // namespace ns3::ddl
