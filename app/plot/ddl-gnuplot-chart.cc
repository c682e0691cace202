// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gnuplot-chart.h"

#include "ddl-gnuplot.h"

#include "ns3/abort.h"
#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <cmath>
#include <gnuplot-iostream.h>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::ddl
{

namespace
{

using Kind = Chart::Kind;

constexpr std::size_t MOST_DATA_ROWS = 200000; //!< most rows that a picture over time is drawn of
constexpr std::size_t MOST_BOX_ROWS = 4096;    //!< most rows of boxes
constexpr std::size_t MOST_ROW_NAMES = 24;     //!< most names of rows that the axis has room for
constexpr std::size_t JOB_COLOURS = 7;         //!< number of colours of boxes
const std::string GRID = "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n";
const std::string DATA = "data skip 1 using ";

// ---- Data

/** A cell as gnuplot gets it: a number, nothing, or a text. */
using GnuplotCell = std::variant<uint64_t, std::optional<double>, std::string>;

/** A row as gnuplot gets it. */
struct GnuplotRow
{
    std::vector<GnuplotCell> cells;
};

/** Write a cell; numbers as in the CSV file, so that a script that reads it draws the same. */
struct CellWriter
{
    std::ostream& os;

    void operator()(uint64_t number) const
    {
        os << number;
    }

    void operator()(const std::optional<double>& number) const
    {
        os << (number ? FormatReal(*number) : "NaN");
    }

    /** gnuplot reads quotes around a text, but none within it. */
    void operator()(std::string text) const
    {
        std::replace(text.begin(), text.end(), '"', '\'');
        os << '"' << text << '"';
    }
};

std::ostream&
operator<<(std::ostream& os, const GnuplotRow& row)
{
    for (const auto& cell : row.cells)
    {
        std::visit(CellWriter{os}, cell);
        os << ' ';
    }
    return os;
}

/**
 * The data of a chart, in typed rows. When the chart is drawn, the rows go through
 * gnuplot-iostream's stream. They also go into NAME-data.csv for the reader, with a header and
 * names at the end of each row; this class writes that file, because files of gnuplot-iostream
 * (`file1d`) have neither commas nor column names. `send1d` ends the rows with a line "e". The rows
 * are sent once, as a data block that ends at this line, for all plots of the picture.
 */
class ChartData
{
  public:
    explicit ChartData(const std::string& header)
        : m_csv(header)
    {
    }

    /** Begin a panel of several. \param title its title, the last cell of each row */
    void BeginPanel(const std::string& title)
    {
        m_title = title;
    }

    /** \param names the last cells, for readers of the CSV file; the scripts do not use them */
    template <typename... Cells>
    void Add(const std::vector<std::string>& names, const Cells&... cells)
    {
        (m_csv.Cell(cells), ...);
        for (std::string name : names)
        {
            std::replace(name.begin(), name.end(), '\n', ' ');
            m_csv.Cell(name);
        }
        if (m_title)
        {
            m_csv.Cell(*m_title);
        }
        m_csv.EndRow();
        m_rows.push_back({{GnuplotCell(cells)...}});
    }

    std::size_t CountRows() const
    {
        return m_rows.size();
    }

    const std::string& GetText() const
    {
        return m_csv.GetText();
    }

    void Send(gnuplotio::Gnuplot& gnuplot) const
    {
        gnuplot << "data = '$data'\n$data << e\nheader\n";
        gnuplot.send1d(m_rows);
    }

  private:
    CsvWriter m_csv;
    std::optional<std::string> m_title; //!< title of the panel; none: it is the only one
    std::vector<GnuplotRow> m_rows;
};

/** \return the header of NAME-data.csv */
std::string
FormatHeader(const Chart::Panel& panel)
{
    const auto name = [](const Chart::Axis& axis, const std::string& usual) {
        return axis.column.empty() ? usual : axis.column;
    };
    const std::string x = name(panel.x, "x");
    const std::string y = name(panel.y, "y");
    switch (panel.kind)
    {
    case Kind::BARS:
        return "panel,series,group," + y + ",ci95,published,text,name,label";
    case Kind::STACKS:
        return "panel,series,bar,from_" + y + ",to_" + y + ",name,label";
    case Kind::STEPS:
        return "panel,series," + x + "," + y + ",published,marker,label";
    case Kind::POINTS:
        return "panel,series," + x + "," + y + ",ci95,published,name,label";
    case Kind::CURVES:
        return "panel,series," + x + "," + y + ",label";
    case Kind::AREAS:
        return "panel,series," + x + ",from_" + y + ",to_" + y + ",label";
    case Kind::BOXES:
        return "panel,row,from_" + x + ",to_" + x + ",colour,shade,hatching,label";
    case Kind::ROWS:
        return "panel,series,row," + x + ",ci95,published,name,label";
    case Kind::NETWORK:
        return "panel,series,from_x,from_y,to_x,to_y," + y + ",bytes,name,label";
    }
    NS_ABORT_MSG("no kind of panel");
}

/** \return the label of an axis that tells a panel from the others of its chart */
const std::string&
GetPanelTitle(const Chart& chart, const Chart::Panel& panel)
{
    const bool differ = chart.panels.front().x.label != chart.panels.back().x.label;
    return differ ? panel.x.label : panel.y.label;
}

/** \return entry i of a list, nothing where the list is shorter */
template <typename T>
T
GetEntry(const std::vector<T>& list, std::size_t i)
{
    return i < list.size() ? list[i] : T();
}

/**
 * \return true if a step gets a marker. Each line has a few, at other heights than other lines, so
 * that each can be seen where several lines coincide
 */
bool
IsMarked(std::size_t step, std::size_t steps, std::size_t series, std::size_t of)
{
    constexpr std::size_t MARKERS = 5;
    const double offset = (static_cast<double>(series) + 1) / (static_cast<double>(of) + 1);
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

/** Add the steps of a series, and its marks. The first row starts the line on the axis. */
void
AddSteps(const Chart::Panel& panel, uint64_t p, uint64_t s, ChartData& data)
{
    const auto& series = panel.series[s];
    const std::size_t steps = series.x.size();
    for (std::size_t i = 0; i <= steps && steps > 0; ++i)
    {
        data.Add({series.name},
                 p,
                 s,
                 series.x[i == 0 ? 0 : i - 1],
                 i == 0 ? std::optional<double>(0) : series.y[i - 1],
                 std::optional<double>(),
                 uint64_t{IsMarked(i, steps, s, panel.series.size())});
    }
    for (std::size_t i = 0; i < series.markXs.size(); ++i)
    {
        data.Add({series.name},
                 p,
                 s,
                 std::optional<double>(),
                 series.marks[i],
                 series.markXs[i],
                 uint64_t{0});
    }
}

/** Add a row wherever a curve changes. A gap and the end need the last value, too. */
void
AddCurve(const Chart::Panel& panel, uint64_t p, uint64_t s, ChartData& data)
{
    const auto& series = panel.series[s];
    std::optional<double> last;
    double start = 0;
    for (std::size_t i = 0; i < panel.times.size(); ++i)
    {
        if (last && !series.y[i])
        {
            data.Add({series.name}, p, s, start, last);
        }
        if (last != series.y[i])
        {
            data.Add({series.name}, p, s, start, series.y[i]);
        }
        last = series.y[i];
        start = panel.times[i];
    }
    if (last)
    {
        data.Add({series.name}, p, s, start, last);
    }
}

/** Add the stacked parts of bars, or areas: two rows for each interval of time. */
void
AddStacked(const Chart::Panel& panel, uint64_t p, ChartData& data)
{
    const bool isTime = panel.kind == Kind::AREAS;
    std::vector<double> floor(isTime ? panel.times.size() : panel.names.size());
    for (uint64_t s = 0; s < panel.series.size(); ++s)
    {
        const auto& series = panel.series[s];
        for (uint64_t i = 0; i < floor.size(); ++i)
        {
            const double top = floor[i] + series.y[i].value_or(0);
            if (isTime)
            {
                const double start = i == 0 ? 0 : panel.times[i - 1];
                data.Add({series.name}, p, s, start, floor[i], top);
                data.Add({series.name}, p, s, panel.times[i], floor[i], top);
            }
            else
            {
                data.Add({panel.names[i], series.name}, p, s, i, floor[i], top);
            }
            floor[i] = top;
        }
    }
}

/** Add values at named places: bars, points and rows. */
void
AddPlaces(const Chart::Panel& panel, uint64_t p, uint64_t s, ChartData& data)
{
    const auto& series = panel.series[s];
    for (uint64_t i = 0; i < series.y.size(); ++i)
    {
        const std::vector<std::string> names{GetEntry(panel.names, i), series.name};
        const auto half = GetEntry(series.halfWidths, i);
        const auto mark = GetEntry(series.marks, i);
        if (panel.kind == Kind::BARS)
        {
            data.Add(names, p, s, i, series.y[i], half, mark, GetEntry(series.texts, i));
        }
        else if (panel.kind == Kind::POINTS)
        {
            data.Add(names, p, s, series.x[i], series.y[i], half, mark);
        }
        else
        {
            data.Add(names, p, s, i, series.y[i], half, mark);
        }
    }
}

void
AddBoxes(const Chart::Panel& panel, uint64_t p, ChartData& data)
{
    for (const auto& box : panel.boxes)
    {
        data.Add({box.text},
                 p,
                 uint64_t{box.row},
                 box.start,
                 box.end,
                 uint64_t{box.colour ? *box.colour % JOB_COLOURS : JOB_COLOURS},
                 box.shade,
                 box.hatching ? std::optional<double>(*box.hatching) : std::nullopt);
    }
}

constexpr uint64_t WIRES = 0;            //!< series of the rows of a network's links
constexpr uint64_t NODES = 1;            //!< series of the rows of its nodes
constexpr std::size_t MOST_LETTERS = 80; //!< most letters of the names of a level that are drawn
constexpr std::size_t MANY_NODES = 24;   //!< nodes of a level from which on links are thin
constexpr double MOST_BETWEEN = 0.0035;  //!< half the distance of the two directions of a link

/** \return number of nodes of the fullest level */
std::size_t
CountWidest(const Chart::Panel& panel)
{
    std::map<double, std::size_t> levels;
    std::size_t widest = 1;
    for (const auto& node : panel.nodes)
    {
        widest = std::max(widest, ++levels[node.y]);
    }
    return widest;
}

/** A row for each direction of a link and one for each node; names of full levels are left out. */
void
AddNetwork(const Chart::Panel& panel, uint64_t p, ChartData& data)
{
    const double between = std::min(MOST_BETWEEN, 0.1 / static_cast<double>(CountWidest(panel)));
    for (const auto& wire : panel.wires)
    {
        const auto& from = panel.nodes[wire.from];
        const auto& to = panel.nodes[wire.to];
        // each direction on its right side
        const double across = (from.y < to.y ? 1 : from.y > to.y ? -1 : 0) * between;
        const double up = from.y != to.y ? 0 : (from.x < to.x ? -1 : 1) * 5 * between;
        data.Add({wire.name},
                 p,
                 WIRES,
                 from.x + across,
                 from.y + up,
                 to.x + across,
                 to.y + up,
                 std::optional<double>(wire.used),
                 wire.bytes,
                 std::string());
    }
    std::map<double, std::size_t> letters; // of each level
    for (const auto& node : panel.nodes)
    {
        letters[node.y] += node.name.size();
    }
    for (const auto& node : panel.nodes)
    {
        data.Add({node.name},
                 p,
                 NODES,
                 node.x,
                 node.y,
                 node.x,
                 node.y,
                 std::optional<double>(),
                 0.0,
                 letters[node.y] <= MOST_LETTERS ? node.name : std::string());
    }
}

void
AddPanel(const Chart::Panel& panel, uint64_t p, ChartData& data)
{
    if (panel.kind == Kind::NETWORK)
    {
        AddNetwork(panel, p, data);
        return;
    }
    if (panel.kind == Kind::BOXES)
    {
        AddBoxes(panel, p, data);
        return;
    }
    if (panel.kind == Kind::AREAS || panel.kind == Kind::STACKS)
    {
        AddStacked(panel, p, data);
        return;
    }
    for (uint64_t s = 0; s < panel.series.size(); ++s)
    {
        panel.kind == Kind::STEPS    ? AddSteps(panel, p, s, data)
        : panel.kind == Kind::CURVES ? AddCurve(panel, p, s, data)
                                     : AddPlaces(panel, p, s, data);
    }
}

// ---- Scripts

/** The part of a script that draws one panel. */
struct PanelScript
{
    std::string setup; //!< definitions, written before the first panel that has them
    std::string axes;  //!< what is set for this panel alone
    std::vector<std::string> elements; //!< elements of the plot command
};

std::string
FormatAxisLabels(const Chart::Panel& panel)
{
    return (panel.x.label.empty() ? "" : "set xlabel " + QuoteForGnuplot(panel.x.label) + "\n") +
           "set ylabel " + QuoteForGnuplot(panel.y.label) + "\n";
}

/** \return condition under which a row is of a series of the panel that is drawn */
std::string
Is(std::size_t series)
{
    return "is(" + std::to_string(series) + ")";
}

std::string
FormatColour(const SeriesLook& look)
{
    return " linecolor rgb '#" + look.colour + "' ";
}

std::string
FormatDashes(std::size_t series, std::size_t of)
{
    std::ostringstream dashes;
    dashes << "dashtype " << GetSeriesLook(series).dashes << " linewidth "
           << GetLineWidth(series, of);
    return dashes.str();
}

/** \return script that writes a panel's name below its bars' names; "" if it has no name */
std::string
FormatPanelName(const Chart::Panel& panel)
{
    return panel.x.label.empty()
               ? ""
               : "set label 3 " + QuoteForGnuplot(panel.x.label) +
                     " at graph 0.5, screen 1 - (head + panel / panelsAcross * (body + below) + "
                     "body + below - 1.1 * line) / tall center\n";
}

/**
 * \return script that sets the style of the texts above the bars: side by side where there is room,
 *         else upright; none where even upright texts would run into each other
 */
std::string
FormatLabelStyle(const Chart& chart)
{
    std::size_t longest = 1;
    for (const auto& panel : chart.panels)
    {
        for (const auto& series : panel.series)
        {
            for (const auto& text : series.texts)
            {
                longest = std::max(longest, text.size());
            }
        }
    }
    std::ostringstream script;
    script << "longest = " << longest << "  # letters above a bar\n"
           << "small = 0.75 * points * 2.54 / 72  # cm: their size\n"
           << "place = (across / panelsAcross - 6 * line) / groups * 0.8 / series\n"
           << "thin = place < 0.15\n"
           << "labels = longest * 0.6 * small < 1.1 * place ? 1 : 1.15 * small < place ? 2 : 0\n"
           << "labelStyle = (labels == 2 ? 'rotate by 90 left offset 0, 0.5' : 'center offset 0, "
              "0.6') . sprintf(' font \",%g\"', 0.75 * points)\n"
           << "room = labels == 2 ? (longest * 0.6 * small + 0.3) / body : labels == 1 ? 2.2 * "
              "small / body : 0.03\n";
    if (chart.panels.size() > 1 || HasAny(chart, &Chart::Series::marks))
    {
        script << "highest = " << FormatReal(FindHighest(chart)) << "\n";
    }
    if (HasAny(chart, &Chart::Series::marks))
    {
        script << "# A text goes above the mark of a published value that would be in its way.\n"
               << "edge = 0.12 / body * highest * (1 + room)\n"
               << "mark(c) = valid(c) ? column(c) : -1\n"
               << "above(top, m) = m > top - edge && m < top + edge + room * highest ? m + edge : "
                  "top\n";
    }
    return script.str();
}

/** Groups of bars: boxes, intervals, and the texts above. */
PanelScript
DrawBars(const Chart& chart, const Chart::Panel& panel)
{
    PanelScript script;
    std::ostringstream setup;
    setup << "series = " << panel.series.size() << "\ngroups = " << panel.names.size() << "\n"
          << "x(s, g) = column(1) == panel ? g + (s - (series - 1) / 2.0) * 0.8 / series : NaN\n"
          << "ci(c) = valid(c) ? column(c) : 0\nwhisker = 0.25 * 0.8 / series / groups\n"
          << FormatLabelStyle(chart) << "set boxwidth 0.74 / series\n"
          << "set xrange [-0.5:groups - 0.5]\n"
          << (chart.panels.size() > 1 ? "set yrange [0:1.05 * highest * (1 + room)]\n"
                                      : "set yrange [0:*]\nset offsets 0, 0, graph room, 0\n")
          << LayOutAxisNames(panel.names, chart.panels.size()).script;
    if (panel.reference)
    {
        const std::string at = ", first " + FormatReal(*panel.reference);
        setup << "set arrow 1 from graph 0" << at << " to graph 1" << at
              << " nohead dashtype 2 linewidth 0.7 linecolor rgb '#555555' front\n";
    }
    script.setup = setup.str();
    script.axes = "set ylabel " + QuoteForGnuplot(panel.y.label) + "\n" + FormatPanelName(panel);
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        script.elements.push_back(DATA + "(" + Is(s) + " ? x($2, $3) : NaN):4 with boxes" +
                                  FormatColour(look) + look.filling);
    }
    if (HasAny(panel, &Chart::Series::halfWidths))
    {
        // light below dark: visible on any colour, and thin enough not to cover thin bars
        for (const std::string look :
             {"'#FFFFFF' linewidth thin ? 1.4 : 2.6", "'#222222' linewidth thin ? 0.6 : 0.9"})
        {
            script.elements.push_back(DATA + "(x($2, $3)):($4 - $5):(0):(2 * $5) with vectors " +
                                      "heads size graph whisker, 90 linecolor rgb " + look);
        }
    }
    script.elements.push_back(
        DATA + "(x($2, $3)):(" +
        (HasAny(chart, &Chart::Series::marks) ? "above($4 + ci(5), mark(6))" : "$4 + ci(5)") +
        "):(labels ? strcol(7) : '') with labels @labelStyle");
    if (HasAny(chart, &Chart::Series::marks))
    {
        script.elements.push_back(FormatGnuplotMarks(DATA + "(x($2, $3)):6"));
    }
    return script;
}

/** Bars of parts, one above the other. */
PanelScript
DrawStacks(const Chart& chart, const Chart::Panel& panel)
{
    PanelScript script;
    script.setup = LayOutAxisNames(panel.names, chart.panels.size()).script +
                   "set yrange [0:*]\nset xrange [-0.7:" + std::to_string(panel.names.size()) +
                   " - 0.3]\n";
    script.axes = FormatAxisLabels(panel);
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        script.elements.push_back(DATA + "(" + Is(s) +
                                  " ? $3 : NaN):4:($3 - 0.4):($3 + 0.4):4:5 with boxxyerror" +
                                  FormatColour(look) + look.filling);
    }
    return script;
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

/** \return the x axis of steps: from 0, or logarithmic if its values are far apart */
std::string
FormatStepsAxis(const Chart::Panel& panel)
{
    constexpr double MARGIN = 1.05;
    const auto [least, most] = FindStepsRange(panel);
    if (!panel.x.isLogarithmic)
    {
        return "unset logscale x\nset xtics autofreq\nset xrange [0:" +
               (most > 0 ? FormatReal(most * MARGIN) : "*") + "]\n";
    }
    return "set logscale x\n" + FormatLogarithmicTics(least / MARGIN, most * MARGIN) +
           "set xrange [" + FormatReal(least / MARGIN) + ":" + FormatReal(most * MARGIN) + "]\n";
}

/** Distributions. Marks are drawn after all lines so that none hides them. */
PanelScript
DrawSteps(const Chart::Panel& panel)
{
    PanelScript script;
    script.setup = GRID + "set yrange [0:1]\nset offsets 0, graph 0.05, 0, 0\n";
    script.axes = FormatStepsAxis(panel) + FormatAxisLabels(panel);
    std::vector<std::string> marks;
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        if (HasAny(panel.series[s].marks))
        {
            marks.push_back(FormatGnuplotMarks(DATA + "(" + Is(s) + " ? $5 : NaN):4", look.colour));
        }
        if (panel.series[s].x.empty())
        {
            continue;
        }
        script.elements.push_back(DATA + "(" + Is(s) + " ? $3 : NaN):4 with steps" +
                                  FormatColour(look) + FormatDashes(s, panel.series.size()));
        if (panel.series.size() > 1)
        {
            script.elements.push_back(DATA + "(" + Is(s) + " && $6 == 1 ? $3 : NaN):4 with points" +
                                      FormatColour(look) + "pointtype " +
                                      std::to_string(look.marker) + " linewidth 1.2");
        }
    }
    script.elements.insert(script.elements.end(), marks.begin(), marks.end());
    return script;
}

/**
 * The x axis of points: its range, and `dodge(x, line)`, which moves the points of each line a
 * little aside, so that neither markers nor intervals of several lines hide each other.
 */
std::string
FormatPointsAxis(const Chart::Panel& panel)
{
    constexpr double MARGIN = 0.07; //!< margin at either end, over the axis
    constexpr double SPREAD = 0.06; //!< most distance of first and last line, over the axis
    const bool isWide = panel.x.isLogarithmic;
    const auto place = [isWide](double number) { return isWide ? std::log10(number) : number; };
    const auto back = [isWide](double at) { return isWide ? std::pow(10, at) : at; };
    const auto& ticks = panel.ticks;
    const double first = place(ticks.front());
    const double length = place(ticks.back()) - first;
    double spread = SPREAD * length;
    for (std::size_t x = 1; x < ticks.size(); ++x)
    {
        spread = std::min(spread, (place(ticks[x]) - place(ticks[x - 1])) / 2);
    }
    const auto lines = static_cast<double>(panel.series.size());
    std::ostringstream script;
    script << (isWide ? "set logscale x\n" : "") << "set xrange ["
           << FormatReal(back(first - MARGIN * length)) << ":"
           << FormatReal(back(first + (1 + MARGIN) * length)) << "]\n"
           << "dodge(x, line) = x " << (isWide ? "* 10**(" : "+ (") << "(line - " << (lines - 1) / 2
           << ") * " << FormatReal(lines > 1 ? spread / (lines - 1) : 0)
           << ")\nset xtics nomirror (";
    for (std::size_t x = 0; x < ticks.size(); ++x)
    {
        script << (x == 0 ? "" : ", ") << QuoteTic(panel.names[x]) << " " << FormatReal(ticks[x]);
    }
    script << ")\n";
    return script.str();
}

/** Lines through means, with intervals. */
PanelScript
DrawPoints(const Chart::Panel& panel)
{
    PanelScript script;
    script.setup =
        FormatPointsAxis(panel) + "set yrange [*:*]\nset offsets 0, 0, graph 0.08, graph 0.08\n";
    script.axes = FormatAxisLabels(panel);
    std::vector<std::string> marks;
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        const std::string dodged = " ? dodge($3, " + std::to_string(s) + ") : NaN):";
        const std::string data = DATA + "(" + Is(s) + dodged;
        if (HasAny(panel.series[s].halfWidths))
        {
            script.elements.push_back(DATA + "(" + Is(s) + " && valid(5) && $5 > 0" + dodged +
                                      "4:5 with yerrorbars" + FormatColour(look) +
                                      "linewidth 0.7 pointtype 0");
        }
        script.elements.push_back(data + "4 with linespoints" + FormatColour(look) +
                                  FormatDashes(s, panel.series.size()) + " pointtype " +
                                  std::to_string(look.marker));
        if (HasAny(panel.series[s].marks))
        {
            marks.push_back(FormatGnuplotMarks(data + "6", look.colour));
        }
    }
    script.elements.insert(script.elements.end(), marks.begin(), marks.end());
    return script;
}

/** Curves or areas over time. */
PanelScript
DrawTime(const Chart::Panel& panel)
{
    PanelScript script;
    script.setup = GRID +
                   "set xrange [0:" + (panel.times.empty() ? "*" : FormatReal(panel.times.back())) +
                   "]\nset yrange [0:*]\n";
    script.axes = FormatAxisLabels(panel);
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        const std::string data = DATA + "(" + Is(s) + " ? $3 : NaN):";
        script.elements.push_back(
            panel.kind == Kind::AREAS
                ? data + "4:5 with filledcurves" + FormatColour(look) + look.filling
                : data + "(strcol(4) eq '' ? NaN : real(strcol(4))) with steps" +
                      FormatColour(look) + FormatDashes(s, panel.series.size()));
    }
    return script;
}

/** \return colour "RRGGBB" of boxes: as in SeriesLook, but brown for black, as shades are grey */
std::string
GetBoxColour(std::size_t colour)
{
    return colour + 1 < JOB_COLOURS ? GetSeriesLook(colour).colour
           : colour < JOB_COLOURS   ? "7F5539"
                                    : "808080";
}

std::string
FormatPattern(std::size_t hatching)
{
    static const std::vector<std::string> patterns{"4", "5", "1", "2"};
    return "pattern " + patterns[hatching % patterns.size()] + " border";
}

/** \return number of the rows above those that have hatched boxes */
std::size_t
CountPlainRows(const Chart::Panel& panel)
{
    std::size_t rows = panel.names.size();
    for (const auto& box : panel.boxes)
    {
        rows = box.hatching ? std::min(rows, box.row) : rows;
    }
    return rows;
}

/** \return names at the y axis, each in the middle of its rows, and lines between them */
std::string
FormatRowNames(const Chart::Panel& panel, std::size_t plain)
{
    std::vector<std::size_t> firsts; // first rows of plain names
    for (std::size_t row = 0; row < plain; ++row)
    {
        if (!panel.names[row].empty())
        {
            firsts.push_back(row);
        }
    }
    const std::size_t step = 1 + firsts.size() / MOST_ROW_NAMES;
    std::ostringstream tics;
    std::ostringstream borders;
    for (std::size_t i = 0; i < firsts.size(); ++i)
    {
        const std::size_t end = i + 1 < firsts.size() ? firsts[i + 1] : plain;
        if (i % step == 0)
        {
            tics << (i == 0 ? "" : ", ") << QuoteTic(panel.names[firsts[i]]) << " "
                 << static_cast<double>(firsts[i] + end - 1) / 2;
        }
        if (i > 0 && firsts.size() <= 2 * MOST_ROW_NAMES)
        {
            borders << "set arrow from graph 0, first " << firsts[i] << " - 0.5 to graph 1, first "
                    << firsts[i] << " - 0.5 nohead linecolor rgb '#C0C0C0' back\n";
        }
    }
    if (plain < panel.names.size())
    {
        tics << (firsts.empty() ? "" : ", ") << QuoteForGnuplot(panel.names[plain])
             << " lane(lines + (lanes - 1) / 2.0)";
        borders << "set arrow from graph 0, first lines - 0.25 to graph 1, first lines - 0.25 "
                   "nohead linecolor rgb '#555555' back\n";
    }
    return "set ytics (" + tics.str() + ")\n" + borders.str();
}

/** Intervals of time on rows. Rows of hatched boxes stand below the others, and are lower. */
PanelScript
DrawBoxes(const Chart::Panel& panel)
{
    const std::size_t plain = CountPlainRows(panel);
    std::set<std::size_t> hatchings;
    for (const auto& box : panel.boxes)
    {
        if (box.hatching)
        {
            hatchings.insert(*box.hatching);
        }
    }
    std::ostringstream setup;
    setup << "lines = " << plain << "  # rows of boxes\n"
          << "lanes = " << panel.names.size() - plain << "  # rows of hatched boxes\n"
          << "high = lanes > 0 ? (1.0 * lanes > 0.5 * lines + 1 ? (0.5 * lines + 1) / lanes : 1) "
             ": 1\n"
          << "lane(row) = lines + (row - lines + 0.5) * high\n"
          << "set yrange [lines - 0.5 + (lanes > 0 ? 0.5 + lanes * high : 0):-0.5]\n"
          << "set xrange [0:*]\n"
          << FormatRowNames(panel, plain) << "set style fill solid 1 border rgb 'white'\n"
          << "# Colours are lighter where the shade is below 1.\n"
          << "tint(c, t) = int(255 - (255 - c) * t)\n"
          << "colour(c, t) = 65536 * tint(int(c) / 65536, t) + 256 * tint(int(c) / 256 % 256, t) "
             "+ tint(int(c) % 256, t)\n"
          << "base(n) = int(word('";
    for (std::size_t colour = 0; colour <= JOB_COLOURS; ++colour)
    {
        setup << (colour == 0 ? "" : " ") << std::stoul(GetBoxColour(colour), nullptr, 16);
    }
    setup << "', int(n) + 1))\n";
    PanelScript script{setup.str(), FormatAxisLabels(panel), {}};
    script.elements.push_back(
        DATA + "($1 == panel && !valid(7) ? ($3 + $4) / 2 : NaN):2:3:4:($2 - 0.45):($2 + 0.45)" +
        ":(colour(base($5), $6)) with boxxyerror linewidth 0.3 linecolor rgb variable");
    for (const std::size_t hatching : hatchings)
    {
        script.elements.push_back(
            DATA + "($1 == panel && valid(7) && $7 == " + std::to_string(hatching) +
            " ? ($3 + $4) / 2 : NaN):(lane($2)):3:4:(lane($2) - 0.4 * high):(lane($2) + 0.4 * "
            "high):(base($5)) with boxxyerror fillstyle " +
            FormatPattern(hatching) + " linewidth 0.6 linecolor rgb variable");
    }
    return script;
}

/** \return the least and the greatest number of rows of numbers, with room beyond them */
std::pair<double, double>
FindRowsRange(const Chart::Panel& panel)
{
    constexpr double ROOM = 0.06;
    constexpr double FACTOR = 1.3;
    std::vector<double> numbers;
    const auto add = [&](const std::optional<double>& number) {
        if (number && (*number > 0 || !panel.x.isLogarithmic))
        {
            numbers.push_back(*number);
        }
    };
    add(panel.reference);
    for (const auto& series : panel.series)
    {
        for (std::size_t i = 0; i < series.y.size(); ++i)
        {
            const double half = GetEntry(series.halfWidths, i).value_or(0);
            add(series.y[i] ? std::optional<double>(*series.y[i] - half) : std::nullopt);
            add(series.y[i] ? std::optional<double>(*series.y[i] + half) : std::nullopt);
            add(GetEntry(series.marks, i));
        }
    }
    if (numbers.empty())
    {
        return {0, 1};
    }
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    if (panel.x.isLogarithmic)
    {
        return {*least / FACTOR, *most * FACTOR};
    }
    const double room = ROOM * (*most > *least ? *most - *least : std::max(1.0, std::abs(*most)));
    return {*least - room, *most + room};
}

/** Numbers beside their published values, a row each. */
PanelScript
DrawRows(const Chart::Panel& panel)
{
    const auto [least, most] = FindRowsRange(panel);
    std::ostringstream axes;
    axes << LayOutRowNames(panel.names).script << "set yrange [" << panel.names.size()
         << " - 0.5:-0.5]\n"
         << (panel.x.isLogarithmic ? "set logscale x\n" : "") << "set xrange [" << FormatReal(least)
         << ":" << FormatReal(most) << "]\n"
         << FormatAxisLabels(panel)
         << "set grid x noytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
         << "atLeast(x) = x < " << FormatReal(least) << " ? " << FormatReal(least) << " : x\n";
    if (panel.reference)
    {
        const std::string at = "first " + FormatReal(*panel.reference);
        axes << "set arrow from " << at << ", graph 0 to " << at
             << ", graph 1 nohead dashtype 2 linewidth 0.7 linecolor rgb '#555555'\n";
    }
    PanelScript script{"", axes.str(), {}};
    for (std::size_t s = 0; s < panel.series.size(); ++s)
    {
        const SeriesLook look = GetSeriesLook(s);
        const std::string row = "(" + Is(s) + " ? $3 : NaN)";
        script.elements.insert(
            script.elements.end(),
            {DATA + "4:" + row +
                 ":($6 - $4):(0) with vectors nohead linewidth 0.7 linecolor rgb '#999999'",
             DATA + "4:(" + Is(s) + " && valid(5) ? $3 : NaN):(atLeast($4 - $5)):($4 + $5) with " +
                 "xerrorbars linewidth 1.2 pointtype 0" + FormatColour(look),
             FormatGnuplotMarks(DATA + "6:" + row),
             // our points are small and on top, so that both are visible where they are equal
             DATA + "4:" + row + " with points" + FormatColour(look) + "pointtype " +
                 std::to_string(look.marker) + " pointsize 0.5 * markSize"});
    }
    return script;
}

/** A network: links coloured by how busy they were, and nodes. The colours are those of `inferno`
 * of matplotlib, whose lightness falls with the value, so that they are read without colours, too.
 */
PanelScript
DrawNetwork(const Chart::Panel& panel)
{
    double top = 0;
    for (const auto& node : panel.nodes)
    {
        top = std::max(top, node.y);
    }
    const bool isFull = CountWidest(panel) > MANY_NODES;
    const std::string wires = DATA + "(" + Is(WIRES) + " ? $3 : NaN):4:($5-$3):($6-$4):";
    const std::string nodes = DATA + "(" + Is(NODES) + " ? $3 : NaN):4";
    PanelScript script;
    script.setup =
        "unset border\nunset xtics\nunset ytics\nset xrange [-0.02:1.02]\nset yrange [" +
        FormatReal(-0.15 * (top + 1)) + ":" + FormatReal(top + 0.15 * (top + 1)) +
        "]\nset palette defined (0 '#E3E3DC', 0.15 '#F9C932', 0.35 '#F98C0A', 0.6 "
        "'#CF4446', 0.8 '#781C6D', 1 '#1B0C41')\nset cbrange [0:1]\n"
        "set cbtics ('0' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1) scale 0.4\n"
        "set colorbox horizontal user origin screen 0.3, screen 2.6 * line / tall size "
        "screen 0.4, screen 0.5 * line / tall\n";
    const std::string width = isFull ? "0.7" : "2";
    script.elements = {wires + "7 with vectors nohead linewidth " + width + " linecolor palette",
                       nodes + " with points pointtype 5 pointsize " + (isFull ? "0.25" : "0.7") +
                           " linecolor rgb '#444444'"};
    for (const bool isHost : {true, false}) // names of hosts stand below them, others above
    {
        script.elements.push_back(DATA + "(" + Is(NODES) + " && $4 " + (isHost ? "==" : ">") +
                                  " 0 ? $3 : NaN):4:(strcol(9)) with labels offset 0," +
                                  (isHost ? "-0.9" : "0.9") + " textcolor rgb '#222222'");
    }
    return script;
}

PanelScript
DrawPanel(const Chart& chart, const Chart::Panel& panel)
{
    switch (panel.kind)
    {
    case Kind::BARS:
        return DrawBars(chart, panel);
    case Kind::STACKS:
        return DrawStacks(chart, panel);
    case Kind::STEPS:
        return DrawSteps(panel);
    case Kind::POINTS:
        return DrawPoints(panel);
    case Kind::CURVES:
    case Kind::AREAS:
        return DrawTime(panel);
    case Kind::BOXES:
        return DrawBoxes(panel);
    case Kind::ROWS:
        return DrawRows(panel);
    case Kind::NETWORK:
        return DrawNetwork(panel);
    }
    NS_ABORT_MSG("no kind of panel");
}

/** \return how the key shows series s of a kind of panel */
std::string
FormatKeyLook(Kind kind, std::size_t s)
{
    const SeriesLook look = GetSeriesLook(s);
    if (kind == Kind::BARS || kind == Kind::STACKS || kind == Kind::AREAS)
    {
        return "boxes" + FormatColour(look) + look.filling;
    }
    return (kind == Kind::CURVES ? "lines" : "linespoints") + FormatColour(look) +
           "linewidth 2 dashtype " + std::to_string(look.dashes) +
           (kind == Kind::CURVES ? "" : " pointtype " + std::to_string(look.marker));
}

/** \return how the key shows what a look of boxes means */
std::string
FormatKeyLook(const Chart::KeyEntry& entry)
{
    // the colour stands first: behind a border it would be the border's
    return "boxes linecolor rgb '#" + (entry.colour ? GetBoxColour(*entry.colour) : "444444") +
           "' fillstyle " +
           (entry.hatching ? FormatPattern(*entry.hatching) : "solid " + FormatReal(entry.shade));
}

/** \return the frame around the panels: texts, key, and the room that names need */
FigureFrame
MakeFrame(const std::string& name, const Chart& chart)
{
    constexpr double PANEL_NAME = 1.6; // lines of text
    const Chart::Panel& first = chart.panels.front();
    FigureFrame frame{name, chart.title, chart.note, {}, chart.panels.size()};
    frame.mark = HasAny(chart, &Chart::Series::marks) ? chart.mark : "";
    for (const auto& entry : first.key)
    {
        frame.key.push_back({entry.name, FormatKeyLook(entry)});
    }
    for (std::size_t s = 0; s < first.series.size(); ++s)
    {
        if (first.kind != Kind::STEPS || first.series.size() > 1)
        {
            frame.key.push_back({first.series[s].name, FormatKeyLook(first.kind, s)});
        }
    }
    for (const auto& panel : chart.panels)
    {
        if (panel.kind == Kind::BARS || panel.kind == Kind::STACKS)
        {
            const ByWidth lines = LayOutAxisNames(panel.names, chart.panels.size()).lines;
            const double more = panel.x.label.empty() ? 0 : PANEL_NAME;
            const bool isFirst = &panel == &first;
            frame.below = {std::max(isFirst ? 0 : frame.below.page, lines.page + more),
                           std::max(isFirst ? 0 : frame.below.column, lines.column + more)};
        }
        else if (panel.kind == Kind::ROWS)
        {
            const ByWidth lines = LayOutRowNames(panel.names).lines;
            frame.body = {std::max(frame.body.page, lines.page),
                          std::max(frame.body.column, lines.column)};
        }
    }
    return frame;
}

/** \return why a chart is too much for one picture, "" if it is not */
std::string
FindExcess(const Chart& chart, const ChartData& data)
{
    const Chart::Panel& first = chart.panels.front();
    const bool isBoxes = first.kind == Kind::BOXES;
    const bool isOverTime = isBoxes || first.kind == Kind::CURVES || first.kind == Kind::AREAS;
    const bool isTooMuch = (isOverTime && data.CountRows() > MOST_DATA_ROWS) ||
                           (isBoxes && first.names.size() > MOST_BOX_ROWS);
    return !isTooMuch ? ""
           : isBoxes
               ? std::to_string(data.CountRows()) + " boxes on " +
                     std::to_string(first.names.size()) + " rows are too many for one picture"
               : std::to_string(first.times.size()) + " intervals are too many for one picture";
}

} // namespace

GnuplotFiles
FormatForGnuplot(const std::string& name, const Chart& chart)
{
    if (chart.panels.empty())
    {
        return {"", "", chart.nothing};
    }
    const bool hasSeveral = chart.panels.size() > 1;
    const std::string header =
        FormatHeader(chart.panels.front()) + (hasSeveral ? ",panel_title" : "");
    ChartData data(header);
    for (std::size_t p = 0; p < chart.panels.size(); ++p)
    {
        NS_ABORT_MSG_IF(chart.panels[p].kind != chart.panels[0].kind,
                        "panels of several kinds in chart " << name);
        if (hasSeveral)
        {
            data.BeginPanel(GetPanelTitle(chart, chart.panels[p]));
        }
        AddPanel(chart.panels[p], p, data);
    }
    std::string nothing = FindExcess(chart, data);
    if (nothing.empty() && data.CountRows() == 0)
    {
        nothing = "all values are missing";
    }
    if (!nothing.empty())
    {
        return {"", "", nothing};
    }
    const FigureFrame frame = MakeFrame(name, chart);
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << "\n# Columns: " << header
           << "\n# A row of series s of the panel that is drawn:\n"
           << "is(s) = column(1) == panel && column(2) == s\n";
    std::string setup;
    for (std::size_t p = 0; p < chart.panels.size(); ++p)
    {
        PanelScript panel = DrawPanel(chart, chart.panels[p]);
        script << (panel.setup == setup ? "" : panel.setup) << PlaceGnuplotPanel(p) << panel.axes
               << "plot \\\n";
        setup = panel.setup;
        if (p == 0)
        {
            const auto key = ListGnuplotKey(frame);
            panel.elements.insert(panel.elements.end(), key.begin(), key.end());
        }
        std::string separator = "  ";
        for (const auto& element : panel.elements)
        {
            script << separator << element;
            separator = ", \\\n  ";
        }
        script << (panel.elements.empty() ? "  NaN notitle\n" : "\n");
    }
    return {data.GetText(),
            script.str() + EndGnuplotScript(),
            "",
            [data = std::move(data)](gnuplotio::Gnuplot& gnuplot) { data.Send(gnuplot); }};
}

} // namespace ns3::ddl
