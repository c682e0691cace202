// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cdf-slowdown-figure.h"

#include "ddl-gnuplot.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(CdfSlowdownFigure);

namespace
{

constexpr std::size_t MOST_INSIDE = 8;     //!< lines whose names fit into a panel
constexpr std::size_t LONGEST_INSIDE = 20; //!< characters of a name that fits into a panel
constexpr double WIDE = 20; //!< largest over smallest slowdown from which the axis is logarithmic

/** One panel: the slowdowns of stages, or of jobs. */
struct Panel
{
    std::string of;                             //!< "stages"
    std::string file;                           //!< "stages.csv"
    std::vector<std::vector<double>> slowdowns; //!< ascending, of each set
};

bool
IsEmpty(const Panel& panel)
{
    return std::all_of(panel.slowdowns.begin(), panel.slowdowns.end(), [](const auto& values) {
        return values.empty();
    });
}

Panel
ReadPanel(const std::vector<ResultSet>& sets, const std::string& of)
{
    Panel panel{of, of + ".csv", {}};
    for (const auto& set : sets)
    {
        panel.slowdowns.push_back(ReadColumn(set, panel.file, "slowdown"));
        std::sort(panel.slowdowns.back().begin(), panel.slowdowns.back().end());
    }
    return panel;
}

/** Value i of n gets the fraction i/n; the first point starts the line on the axis. The
 * label comes last: gnuplot cannot read the quotes that may be in it. */
std::string
FormatData(const std::vector<ResultSet>& sets, const std::vector<Panel>& panels)
{
    CsvWriter csv("set,of,slowdown,fraction,label");
    for (const auto& panel : panels)
    {
        for (std::size_t s = 0; s < sets.size(); ++s)
        {
            const auto& values = panel.slowdowns[s];
            for (std::size_t i = 0; i <= values.size() && !values.empty(); ++i)
            {
                csv.Cell(uint64_t{s + 1})
                    .Cell(panel.of)
                    .Cell(values[i == 0 ? 0 : i - 1])
                    .Cell(static_cast<double>(i) / static_cast<double>(values.size()))
                    .Cell(sets[s].label)
                    .EndRow();
            }
        }
    }
    return csv.GetText();
}

/** \return true if the slowdowns of a panel are too far apart for a linear axis */
bool
IsWide(const Panel& panel)
{
    double least = 0;
    double most = 0;
    for (const auto& values : panel.slowdowns)
    {
        if (!values.empty())
        {
            least = least == 0 ? values.front() : std::min(least, values.front());
            most = std::max(most, values.back());
        }
    }
    return least > 0 && most / least > WIDE;
}

std::string
FormatPanel(const std::string& name, const Panel& panel, const std::vector<ResultSet>& sets)
{
    std::ostringstream script;
    script << (IsWide(panel) ? "set logscale x\n" : "unset logscale x\n") << "set xlabel "
           << QuoteForGnuplot("slowdown of " + panel.of + " (time / time alone)") << "\nset ylabel "
           << QuoteForGnuplot("fraction of " + panel.of) << "\nplot \\\n";
    std::string separator;
    for (std::size_t s = 0; s < sets.size(); ++s)
    {
        if (panel.slowdowns[s].empty())
        {
            continue;
        }
        script << separator << "  " << QuoteForGnuplot(name + "-data.csv")
               << " skip 1 using ($1 == " << s + 1 << " && strcol(2) eq '" << panel.of
               << "' ? $3 : NaN):4 with steps linetype " << s + 1 << " dashtype " << s / 8 + 1
               << " linewidth 1.5 title " << QuoteForGnuplot(sets[s].label);
        separator = ", \\\n";
    }
    return script.str() + "\n";
}

/** \return where the names of the lines go: into the empty corner of a panel if they fit */
std::string
FormatKey(const std::vector<ResultSet>& sets)
{
    if (sets.size() == 1)
    {
        return "set key off\n";
    }
    const bool areShort = std::all_of(sets.begin(), sets.end(), [](const ResultSet& set) {
        return set.label.size() <= LONGEST_INSIDE;
    });
    return areShort && sets.size() <= MOST_INSIDE
               ? "set key inside bottom right Left reverse opaque samplen 2\n"
               : "set key bmargin center horizontal Left reverse samplen 1.5 height 1 font ',11'\n";
}

std::string
FormatScript(const std::string& name,
             const std::vector<Panel>& panels,
             const std::vector<ResultSet>& sets)
{
    const std::string scale = DescribeScale(sets);
    const std::string title = "Slowdown" + (sets.size() == 1 ? ": " + sets[0].label : "") +
                              (scale.empty() ? "" : "\n" + scale);
    std::ostringstream script;
    script << BeginGnuplotScript(name, title) << "unset title\n"
           << "set multiplot layout 1, " << panels.size() << " title " << QuoteForGnuplot(title)
           << " font ',18'\n"
           << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set yrange [0:1]\nset offsets 0, graph 0.05, 0, 0\n"
           << FormatKey(sets);
    for (const auto& panel : panels)
    {
        script << FormatPanel(name, panel, sets);
    }
    script << "unset multiplot\n" << EndGnuplotScript();
    return script.str();
}

} // namespace

TypeId
CdfSlowdownFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::CdfSlowdownFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<CdfSlowdownFigure>();
    return tid;
}

std::string
CdfSlowdownFigure::GetSummary() const
{
    return "distribution of the slowdown of stages and of jobs, a line for each result";
}

FigureFiles
CdfSlowdownFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    std::vector<Panel> panels;
    for (const std::string of : {"stages", "jobs"})
    {
        Panel panel = ReadPanel(sets, of);
        if (!IsEmpty(panel))
        {
            panels.push_back(std::move(panel));
        }
    }
    if (panels.empty())
    {
        return {"",
                "",
                "no stage and no job has a slowdown (nothing was completed, or the runs alone were "
                "left out by output.alone=false)"};
    }
    return {FormatData(sets, panels), FormatScript(GetName(), panels, sets), ""};
}

} // namespace ddl
} // namespace ns3
