// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-published-picture.h"

#include "app/plot/ddl-figure-table.h"
#include "app/plot/ddl-gnuplot.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return ending of a panel's column names: "_percent" for "change, %", "_s" for "s" */
std::string
NamePublishedUnit(const Chart::Panel& panel)
{
    if (panel.reference) // a panel of changes
    {
        return "_percent";
    }
    std::string name = panel.xLabel == "value" ? "" : "_" + panel.xLabel;
    for (char& c : name)
    {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return panel.xLabel == "%" ? "_percent" : name;
}

/** \return the least and the greatest number of a panel, with room beyond them */
std::pair<double, double>
FindPublishedRange(const Chart::Panel& panel)
{
    constexpr double ROOM = 0.06;
    constexpr double FACTOR = 1.3;
    const auto& ours = panel.series.front();
    std::vector<double> numbers;
    if (panel.reference)
    {
        numbers.push_back(*panel.reference);
    }
    for (std::size_t i = 0; i < ours.y.size(); ++i)
    {
        const double half = ours.halfWidths[i].value_or(0);
        for (const double number : {*ours.y[i] - half, *ours.y[i] + half, *ours.marks[i]})
        {
            if (number > 0 || !panel.isLogarithmic)
            {
                numbers.push_back(number);
            }
        }
    }
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    if (panel.isLogarithmic)
    {
        return {*least / FACTOR, *most * FACTOR};
    }
    const double room = ROOM * (*most > *least ? *most - *least : std::max(1.0, std::abs(*most)));
    return {*least - room, *most + room};
}

std::string
FormatPublishedScript(const FigureFrame& frame, const Chart::Panel& panel, const RowNames& names)
{
    const auto [least, most] = FindPublishedRange(panel);
    const std::string data = "data skip 1 using ";
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << PlaceGnuplotPanel(0) << names.script << "set yrange ["
           << panel.names.size() << " - 0.5:-0.5]\n"
           << (panel.isLogarithmic ? "set logscale x\n" : "") << "set xrange [" << FormatReal(least)
           << ":" << FormatReal(most) << "]\nset xlabel " << QuoteForGnuplot(panel.xLabel)
           << "\nset grid x noytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "atLeast(x) = x < " << FormatReal(least) << " ? " << FormatReal(least) << " : x"
           << "\n";
    if (panel.reference)
    {
        script << "set arrow from first " << FormatReal(*panel.reference) << ", graph 0 to first "
               << FormatReal(*panel.reference)
               << ", graph 1 nohead dashtype 2 linewidth 0.7 linecolor rgb '#555555'\n";
    }
    script << "plot \\\n  " << data
           << "2:1:($4 - $2):(0) with vectors nohead linewidth 0.7 linecolor rgb '#999999', \\\n  "
           << data << "2:(valid(3) ? $1 : NaN):(atLeast($2 - $3)):($2 + $3) with xerrorbars "
           << "linewidth 1.2 pointtype 0 linecolor rgb '#" << GetSeriesLook(0).colour << "'"
           << FormatGnuplotMarks(data + "4:1")
           // our points are small and on top, so that both are visible where they are equal
           << ", \\\n  " << data << "2:1 with points linecolor rgb '#" << GetSeriesLook(0).colour
           << "' pointtype " << GetSeriesLook(0).marker << " pointsize 0.5 * markSize"
           << FormatGnuplotKey(frame, "linespoints") << "\n"
           << EndGnuplotScript();
    return script.str();
}

FigureFiles
MakePublishedPicture(const Chart& chart, const Chart::Panel& panel, const std::string& name)
{
    const std::string unit = NamePublishedUnit(panel);
    FigureTable<uint64_t, double, std::optional<double>, double> table("row,ours" + unit + ",ci95" +
                                                                       unit + ",published" + unit);
    const auto& ours = panel.series.front();
    for (std::size_t i = 0; i < panel.names.size(); ++i)
    {
        table.AddRow(i, *ours.y[i], ours.halfWidths[i], *ours.marks[i], panel.names[i]);
    }
    const bool hasIntervals = std::any_of(ours.halfWidths.begin(),
                                          ours.halfWidths.end(),
                                          [](const auto& half) { return half.has_value(); });
    const RowNames names = LayOutRowNames(panel.names);
    FigureFrame frame{name, chart.title, chart.note, {hasIntervals ? ours.name : "ours"}};
    frame.mark = chart.mark;
    frame.body = names.lines;
    return table.MakeFiles(FormatPublishedScript(frame, panel, names),
                           {chart.title, chart.note, {panel}, chart.mark});
}

} // namespace

std::vector<FigureFiles>
MakePublishedPictures(const Chart& chart)
{
    std::vector<FigureFiles> pictures;
    for (const auto& panel : chart.panels)
    {
        pictures.push_back(
            MakePublishedPicture(chart, panel, GetPublishedPictureName(pictures.size())));
    }
    return pictures;
}

std::string
GetPublishedPictureName(std::size_t panel)
{
    return panel == 0 ? "published" : "published-" + std::to_string(panel + 1);
}

} // namespace ns3::ddl
