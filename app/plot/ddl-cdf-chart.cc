// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cdf-chart.h"

#include "ddl-gnuplot.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double WIDE = 20; //!< largest over smallest value from which the axis is logarithmic

/** \return the x axis of a panel: from 0, or logarithmic if its values are far apart */
std::string
FormatAxis(const CdfPanel& panel)
{
    constexpr double MARGIN = 1.05;
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
    const bool isWide = least > 0 && most / least > WIDE;
    return isWide
               ? "set logscale x\nset xrange [" + FormatReal(least / MARGIN) + ":" +
                     FormatReal(most * MARGIN) + "]\n"
               : "unset logscale x\nset xrange [0:" + (most > 0 ? FormatReal(most * MARGIN) : "*") +
                     "]\n";
}

/** \return "fraction of 33 stages", "fraction of stages (n = 31 to 33)" */
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
    for (std::size_t s = 0; s < sets; ++s)
    {
        if (panel.values[s].empty())
        {
            continue;
        }
        const SeriesLook look = GetSeriesLook(s);
        const std::string data = "  " + QuoteForGnuplot(frame.name + "-data.csv") +
                                 " skip 1 using ($1 == " + std::to_string(s + 1) +
                                 " && strcol(2) eq '" + panel.of + "'";
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
    return script.str() + (hasKey ? FormatGnuplotKey(frame, "linespoints") : "") + "\n";
}

/**
 * \return true if a step gets a marker: a few of each line, at other heights than those of other
 * lines, so that each shows where several are one
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

} // namespace

CdfPanel
ReadCdfPanel(const std::vector<ResultSet>& sets,
             const std::string& of,
             const std::string& column,
             const std::string& label)
{
    CdfPanel panel{of, label, {}};
    for (const auto& set : sets)
    {
        panel.values.push_back(ReadColumn(set, of + ".csv", column));
        std::sort(panel.values.back().begin(), panel.values.back().end());
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

/** Value i of n gets the fraction i/n; the first point starts the line on the axis. The
 * label comes last: gnuplot cannot read the quotes that may be in it. */
std::string
FormatCdfData(const std::string& column,
              const std::vector<ResultSet>& sets,
              const std::vector<CdfPanel>& panels)
{
    CsvWriter csv("set,of," + column + ",fraction,marked,label");
    for (const auto& panel : panels)
    {
        for (std::size_t s = 0; s < sets.size(); ++s)
        {
            const auto& values = panel.values[s];
            for (std::size_t i = 0; i <= values.size() && !values.empty(); ++i)
            {
                csv.Cell(uint64_t{s + 1})
                    .Cell(panel.of)
                    .Cell(values[i == 0 ? 0 : i - 1])
                    .Cell(static_cast<double>(i) / static_cast<double>(values.size()))
                    .Cell(uint64_t{IsMarked(i, values.size(), s, sets.size())})
                    .Cell(sets[s].label)
                    .EndRow();
            }
        }
    }
    return csv.GetText();
}

std::string
FormatCdfScript(const std::string& name,
                const std::string& what,
                const std::vector<ResultSet>& sets,
                const std::vector<CdfPanel>& panels)
{
    FigureFrame frame{name, what, DescribeRuns(sets), {}, panels.size()};
    for (const auto& set : sets)
    {
        if (sets.size() > 1)
        {
            frame.key.push_back(set.label);
        }
    }
    std::ostringstream script;
    script << BeginGnuplotScript(frame)
           << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set yrange [0:1]\nset offsets 0, graph 0.05, 0, 0\n";
    for (std::size_t p = 0; p < panels.size(); ++p)
    {
        script << PlaceGnuplotPanel(p) << FormatPanel(frame, panels[p], sets.size(), p == 0);
    }
    return script.str() + EndGnuplotScript();
}

} // namespace ddl
} // namespace ns3
