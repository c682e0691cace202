// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bar-chart.h"

#include "ddl-gnuplot.h"
#include "ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"

#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return true if any bar has a confidence interval */
bool
HasIntervals(const BarChart& bars)
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
FormatPlot(const std::string& name, const BarChart& bars)
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

/** \return the text as a label of a tic, which gnuplot takes for a number format when it has a % */
std::string
FormatTicLabel(const std::string& text)
{
    std::string format;
    for (const char c : text)
    {
        format += c == '%' ? "%%" : std::string(1, c);
    }
    return QuoteForGnuplot(format);
}

/** \return the names of the groups below their bars */
std::string
FormatTics(const std::vector<BarChart::Group>& groups)
{
    std::string tics;
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        tics += (g == 0 ? "" : ", ") + FormatTicLabel(groups[g].title) + " " + std::to_string(g);
    }
    return "set xtics scale 0 (" + tics + ")\n";
}

} // namespace

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
LabelBar(const std::optional<Estimate>& mean, const std::string& unit)
{
    return mean ? FormatNumber(mean->mean, 3) + unit : "";
}

std::string
FormatBarData(const BarChart& bars)
{
    // The label comes last: gnuplot cannot read the quotes that may be in it.
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
                .Cell(bars.groups[g].key)
                .Cell(bars.series[s].label)
                .EndRow();
        }
    }
    return csv.GetText();
}

std::string
FormatBarScript(const std::string& name, const BarChart& bars, const std::string& scale)
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

} // namespace ddl
} // namespace ns3
