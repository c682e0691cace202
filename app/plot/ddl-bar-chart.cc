// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bar-chart.h"

#include "ddl-gnuplot.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

/** \return the frame around the bars */
FigureFrame
MakeFrame(const std::string& name, const BarChart& bars, ByWidth below)
{
    FigureFrame frame{name, bars.title, bars.note, {}, 1, below};
    if (HasIntervals(bars))
    {
        frame.note += "; lines: 95 % confidence intervals over seeds";
    }
    const bool hasCounts = std::any_of(bars.groups.begin(),
                                       bars.groups.end(),
                                       [](const auto& group) { return !group.count.empty(); });
    frame.note += hasCounts ? "; n: values per run" : "";
    for (const auto& series : bars.series)
    {
        frame.key.push_back(series.label);
    }
    return frame;
}

/** \return the plot command: boxes, intervals, and the texts above */
std::string
FormatPlot(const FigureFrame& frame, const BarChart& bars)
{
    const std::string data = "  " + QuoteForGnuplot(frame.name + "-data.csv") + " skip 1 using ";
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
        // light below dark: seen on any colour, and thin enough not to cover thin bars
        for (const std::string look :
             {"'#FFFFFF' linewidth thin ? 1.4 : 2.6", "'#222222' linewidth thin ? 0.6 : 0.9"})
        {
            script << data << "(x($1, $2)):($3 - $4):(0):(2 * $4) with vectors heads"
                   << " size graph whisker, 90 linecolor rgb " << look << ", \\\n";
        }
    }
    script << data << "(x($1, $2)):($3 + ci(4)):(labels ? strcol(5) : '') with labels @labelStyle";
    return script.str() + FormatGnuplotKey(frame, "boxes") + "\n";
}

/**
 * How the texts above the bars are written: side by side where there is room, else upright, or not
 * at all where even these run into each other.
 */
std::string
FormatLabelStyle(const BarChart& bars)
{
    std::size_t longest = 1;
    for (const auto& series : bars.series)
    {
        for (const auto& text : series.texts)
        {
            longest = std::max(longest, text.size());
        }
    }
    std::ostringstream script;
    script << "longest = " << longest << "  # letters above a bar\n"
           << "small = 0.75 * points * 2.54 / 72  # cm: their size\n"
           << "place = (across - "
           << "6 * line) / groups * 0.8 / series\n"
           << "thin = place < 0.15\n"
           << "labels = longest * 0.6 * small < 1.1 * place ? 1 : 1.15 * small < place ? 2 : 0\n"
           << "labelStyle = (labels == 2 ? 'rotate by 90 left offset 0, 0.5' : 'center offset 0, "
              "0.6') . sprintf(' font \",%g\"', 0.75 * points)\n"
           << "room = labels == 2 ? (longest * 0.6 * small + 0.3) / body : labels == 1 ? 2.2 * "
              "small / body : 0.03\n";
    return script.str();
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
    if (!mean)
    {
        return "";
    }
    char text[32]; // three digits, but all those before the point
    std::snprintf(text, sizeof text, std::abs(mean->mean) < 100 ? "%#.3g" : "%.0f", mean->mean);
    return text + unit;
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
FormatBarScript(const std::string& name, const BarChart& bars)
{
    std::vector<std::string> names;
    for (const auto& group : bars.groups)
    {
        names.push_back(group.title + (group.count.empty() ? "" : "\n" + group.count));
    }
    const AxisNames axis = LayOutAxisNames(names);
    const FigureFrame frame = MakeFrame(name, bars, axis.lines);
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << PlaceGnuplotPanel(0)
           << "\nseries = " << bars.series.size() << "\ngroups = " << bars.groups.size() << "\n"
           << "x(s, g) = g + (s - (series + 1) / 2.0) * 0.8 / series\n"
           << "ci(c) = valid(c) ? column(c) : 0\n"
           << "whisker = 0.25 * 0.8 / series / groups\n"
           << FormatLabelStyle(bars) << "set boxwidth 0.74 / series\n"
           << "set ylabel " << QuoteForGnuplot(bars.axis) << "\nset xrange [-0.5:groups - 0.5]\n"
           << "set yrange [0:*]\nset offsets 0, 0, graph room, 0\n"
           << axis.script;
    if (bars.hasReference)
    {
        script << "set arrow from graph 0, first 1 to graph 1, first 1 nohead dashtype 2"
               << " linewidth 0.7 linecolor rgb '#555555' front\n";
    }
    script << FormatPlot(frame, bars) << EndGnuplotScript();
    return script.str();
}

} // namespace ddl
} // namespace ns3
