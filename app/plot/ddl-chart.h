// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHART_H
#define DDL_CHART_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * What a figure shows: numbers, and the texts around them. A figure makes a chart and knows no
 * drawing; FormatForGnuplot draws any chart for print, and the page of `ddl report` draws it as
 * SVG. All panels of a chart are of one kind.
 */
struct Chart
{
    /** How a panel is drawn, and which of its members this uses. */
    enum class Kind
    {
        BARS,   //!< names: groups of bars; series: y, halfWidths, texts and marks for each group
        STACKS, //!< names: bars; series: y of each bar, one above the other
        STEPS,  //!< series: x and y from 0 to 1, a level from each x to the next; markXs and marks
        POINTS, //!< names: labels of ticks; series: x, y, halfWidths and marks
        CURVES, //!< times; series: y of each interval
        AREAS,  //!< times; series: y of each interval, one area above the other
        BOXES,  //!< names: rows, "" for one that has none; boxes; key
        ROWS,   //!< names: rows; series: y, halfWidths and marks of each row, y to the right
        NETWORK //!< nodes; wires; times of the intervals and trails, if they are known
    };

    /** One axis of a panel. */
    struct Axis
    {
        std::string label;         //!< text at the axis, with the unit: "simulated time (s)"
        std::string unit{};        //!< unit of the values: "s"; "" for ratios and counts
        std::string column{};      //!< name of the values in NAME-data.csv: "time_s"
        bool isLogarithmic{false}; //!< for x axes of STEPS, POINTS and ROWS
    };

    /** Values that are drawn in one colour. */
    struct Series
    {
        std::string name;
        std::vector<double> x{};
        std::vector<std::optional<double>> y{};
        std::vector<std::optional<double>> halfWidths{}; //!< those of 95 % intervals, or empty
        std::vector<std::string> texts{};                //!< texts above the bars, or empty
        std::vector<std::optional<double>> marks{};      //!< published values, or empty
        std::vector<double> markXs{}; //!< x of each mark, if the panel is of kind STEPS
    };

    /** An interval of time on a row. */
    struct Box
    {
        std::size_t row;
        double start;
        double end;
        std::optional<std::size_t> colour; //!< number of a colour, as series 0, 1, ... have them
        std::string name;                  //!< name of what the box is a part of: "job 3"
        std::string text;
        double shade{1};                       //!< strength of the colour, above 0, at most 1
        std::optional<std::size_t> hatching{}; //!< 0 to 3: hatched or dashed, such as a wait
    };

    /** What a colour, a shade or a hatching of boxes means. */
    struct KeyEntry
    {
        std::string name;
        std::optional<std::size_t> colour{}; //!< none: the entry is grey
        double shade{1};
        std::optional<std::size_t> hatching{};
    };

    /** A node of a network, or several hosts that are drawn as one. */
    struct Node
    {
        std::string name;
        double x;             //!< 0 to 1, from left to right
        double y;             //!< level, 0 for hosts
        std::size_t hosts{0}; //!< number of hosts that it stands for; 0: a switch
    };

    /** One direction of the cables between two nodes. Utilisations are means of the cables,
     * weighted by their rates. */
    struct Wire
    {
        std::size_t from;                             //!< node that sends
        std::size_t to;                               //!< node that receives
        std::string name;                             //!< "h0 to leaf0"
        std::size_t cables{0};                        //!< number of cables
        double rate{0};                               //!< bits per second of all; 0: not known
        double used{0};                               //!< utilisation over the run, 0 to 1
        double bytes{0};                              //!< bytes over the run
        std::vector<std::pair<int, double>> queues{}; //!< queues that carried bytes: these bytes
        std::string busiest{};                        //!< the cable with the greatest utilisation
        double busiestUsed{0};                        //!< its utilisation over the run
        std::vector<double> usedOver{};               //!< utilisation in each interval, 0 to 1
        std::vector<double> bytesOver{};              //!< bytes in each interval
        std::vector<bool> isDown{};                   //!< whether all are down at its end
    };

    /** The links of a network that streams of a job use, each by the path that it took last. */
    struct Trail
    {
        std::string name;               //!< "job 3"
        std::size_t links{0};           //!< number of these links, each direction for itself
        std::vector<std::size_t> wires; //!< indices of the wires that stand for them, ascending
    };

    /** One plot. */
    struct Panel
    {
        Kind kind{Kind::BARS};
        Axis x{};
        Axis y{};
        std::optional<double> reference{}; //!< value of BARS or ROWS at which a line is drawn
        std::vector<std::string> names{};
        std::vector<double> ticks{}; //!< x value of each name
        std::vector<double> times{}; //!< ends of intervals, ascending; the first begins at 0
        std::vector<Series> series{};
        std::vector<Box> boxes{};
        std::vector<KeyEntry> key{};
        std::vector<Node> nodes{};
        std::vector<Wire> wires{};
        std::vector<Trail> trails{}; //!< by job, if they are known
    };

    std::string title;
    std::string note; //!< a sentence on which runs are shown, or ""
    std::vector<Panel> panels;
    std::string mark{"published"}; //!< name of the marks in the key
    std::string nothing{};         //!< why there is nothing to draw, and no panel; "" otherwise
};

/** \return a chart of nothing. \param why a sentence on why there is nothing to draw */
inline Chart
NothingToDraw(const std::string& why)
{
    Chart chart;
    chart.nothing = why;
    return chart;
}

/** \return true if these values are too far apart for one linear axis */
inline bool
IsWide(double least, double most)
{
    constexpr double WIDE = 20;
    return least > 0 && most / least > WIDE;
}

/** A list of values of a series: `y`, `halfWidths` or `marks`. */
using SeriesValues = std::vector<std::optional<double>> Chart::Series::*;

/** \return true if one of these values is there, be it 0 */
bool HasAny(const std::vector<std::optional<double>>& values);
bool HasAny(const Chart::Panel& panel, SeriesValues values); //!< As above, in any series.
bool HasAny(const Chart& chart, SeriesValues values);        //!< As above, in any panel.

/** \return the least x of the steps and marks of a panel and the greatest, 0 if there are none */
std::pair<double, double> FindStepsRange(const Chart::Panel& panel);

/** \return the highest end of a bar, an interval or a mark in all panels; at least 0 */
double FindHighest(const Chart& chart);

} // namespace ns3::ddl

#endif // DDL_CHART_H
