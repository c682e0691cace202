// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-load-sweep-figure.h"

#include "ddl-gnuplot.h"
#include "ddl-sweep.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(LoadSweepFigure);

namespace
{

constexpr double WIDE = 20; //!< greatest over least value that asks for a logarithmic axis
constexpr std::size_t MANY_LINES = 8; //!< colours that can be told apart

/** One plot of the picture. */
struct Panel
{
    std::string metric;
    std::string title;
    Sweep sweep;
};

bool
HasPoints(const Sweep& sweep)
{
    return std::any_of(sweep.lines.begin(), sweep.lines.end(), [](const Sweep::Line& line) {
        return std::any_of(line.points.begin(), line.points.end(), [](const auto& point) {
            return point.has_value();
        });
    });
}

/** \return true if a line has a confidence interval */
bool
HasIntervals(const Sweep::Line& line)
{
    return std::any_of(line.points.begin(), line.points.end(), [](const auto& point) {
        return point && point->halfWidth && *point->halfWidth > 0;
    });
}

/** The label comes last: gnuplot cannot read the quotes that may be in it. */
std::string
FormatData(const std::vector<Panel>& panels)
{
    CsvWriter csv("line,metric,x,ratio,ci95,value,label");
    for (const auto& panel : panels)
    {
        for (std::size_t i = 0; i < panel.sweep.lines.size(); ++i)
        {
            const auto& line = panel.sweep.lines[i];
            for (std::size_t x = 0; x < line.points.size(); ++x)
            {
                const auto& point = line.points[x];
                csv.Cell(uint64_t{i + 1})
                    .Cell(panel.metric)
                    .Cell(panel.sweep.numbers[x])
                    .Cell(point ? std::optional<double>(point->mean) : std::nullopt)
                    .Cell(point ? point->halfWidth : std::nullopt)
                    .Cell(panel.sweep.texts[x])
                    .Cell(line.label)
                    .EndRow();
            }
        }
    }
    return csv.GetText();
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

std::string
FormatPanel(const std::string& name, const Panel& panel)
{
    const Sweep& sweep = panel.sweep;
    std::ostringstream script;
    script << "set ylabel " << QuoteForGnuplot(panel.title + " relative to " + sweep.lines[0].label)
           << "\nplot \\\n";
    for (std::size_t i = 0; i < sweep.lines.size(); ++i)
    {
        const std::string data = "  " + QuoteForGnuplot(name + "-data.csv") +
                                 " skip 1 using ($1 == " + std::to_string(i + 1) +
                                 " && strcol(2) eq '" + panel.metric + "' ? $3 : NaN):4";
        const std::string look = " linetype " + std::to_string(i + 1) + " dashtype " +
                                 std::to_string(i / MANY_LINES + 1);
        if (HasIntervals(sweep.lines[i]))
        {
            script << data << ":5 with yerrorbars" << look << " pointtype 0 notitle, \\\n";
        }
        script << data << " with linespoints" << look << " pointtype " << i + 4
               << " linewidth 1.5 title " << QuoteForGnuplot(sweep.lines[i].label)
               << (i + 1 < sweep.lines.size() ? ", \\\n" : "\n");
    }
    return script.str();
}

std::string
FormatScript(const std::string& name, const std::vector<Panel>& panels, const std::string& scale)
{
    const Sweep& sweep = panels[0].sweep;
    const double least = sweep.numbers.front();
    const bool isWide = least > 0 && sweep.numbers.back() / least > WIDE;
    const std::string title =
        "Means by " + sweep.key + " (lower is better)" + (scale.empty() ? "" : "\n" + scale);
    std::ostringstream script;
    script << BeginGnuplotScript(name, title) << "unset title\nset multiplot layout 1, "
           << panels.size() << " title " << QuoteForGnuplot(title) << " font ',18'\n"
           << (isWide ? "set logscale x\n" : "") << FormatTics(sweep) << "set xlabel "
           << QuoteForGnuplot(sweep.key)
           << "\nset yrange [*:*]\nset offsets graph 0.05, graph 0.05, graph 0.1, graph 0.1\n"
           << "set key bmargin center horizontal Left reverse samplen 1.5 height 0.7 font ',12'\n";
    for (const auto& panel : panels)
    {
        script << FormatPanel(name, panel);
    }
    script << "unset multiplot\n" << EndGnuplotScript();
    return script.str();
}

} // namespace

TypeId
LoadSweepFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::LoadSweepFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<LoadSweepFigure>();
    return tid;
}

std::string
LoadSweepFigure::GetSummary() const
{
    return "mean SCT and JCT against a key that was varied over numbers, relative to the first "
           "line";
}

FigureFiles
LoadSweepFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    std::vector<Panel> panels;
    for (const auto& [metric, title] :
         std::vector<std::pair<std::string, std::string>>{{"sct_s", "SCT"}, {"jct_s", "JCT"}})
    {
        Panel panel{metric, title, MakeSweep(sets, {metric, "mean", ""})};
        if (HasPoints(panel.sweep))
        {
            panels.push_back(std::move(panel));
        }
    }
    if (panels.empty())
    {
        return {
            "",
            "",
            "no key was varied over several numbers (--vary=scheduler.period=1s,2s), or nothing "
            "was completed"};
    }
    return {FormatData(panels), FormatScript(GetName(), panels, DescribeScale(sets)), ""};
}

} // namespace ddl
} // namespace ns3
