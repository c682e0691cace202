// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cdf-chart.h"

#include "ddl-gnuplot.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr std::size_t MOST_INSIDE = 8;     //!< lines whose names fit into a panel
constexpr std::size_t LONGEST_INSIDE = 20; //!< characters of a name that fits into a panel
constexpr double WIDE = 20; //!< largest over smallest value from which the axis is logarithmic

/** \return true if the values of a panel are too far apart for a linear axis */
bool
IsWide(const CdfPanel& panel)
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
    return least > 0 && most / least > WIDE;
}

std::string
FormatPanel(const std::string& name, const CdfPanel& panel, const std::vector<ResultSet>& sets)
{
    std::ostringstream script;
    script << (IsWide(panel) ? "set logscale x\n" : "unset logscale x\n") << "set xlabel "
           << QuoteForGnuplot(panel.label) << "\nset ylabel "
           << QuoteForGnuplot("fraction of " + panel.of) << "\nplot \\\n";
    std::string separator;
    for (std::size_t s = 0; s < sets.size(); ++s)
    {
        if (panel.values[s].empty())
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
    CsvWriter csv("set,of," + column + ",fraction,label");
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
    const std::string scale = DescribeScale(sets);
    const std::string title =
        what + (sets.size() == 1 ? ": " + sets[0].label : "") + (scale.empty() ? "" : "\n" + scale);
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

} // namespace ddl
} // namespace ns3
