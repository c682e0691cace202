// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHART_H
#define DDL_CHART_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * What a figure shows, for drawing it without gnuplot, as the page of `ddl report` does. It has the
 * numbers of NAME-data.csv, and the texts around them.
 */
struct Chart
{
    /** How a panel is drawn, and which of its members this uses. */
    enum class Kind
    {
        BARS,   //!< names: groups of bars; series: y, halfWidths, texts and marks for each group
        STACKS, //!< names: bars; series: y of each bar, one above the other
        STEPS,  //!< series: x and y, a level from each x to the next; markXs and marks
        POINTS, //!< names: labels of ticks; series: x, y, halfWidths and marks
        CURVES, //!< times; series: y of each interval
        AREAS,  //!< times; series: y of each interval, one area above the other
        BOXES,  //!< names: rows, "" for one that has none; boxes
        ROWS    //!< names: rows; series: y, halfWidths and marks of each row, y to the right
    };

    /** Values that are drawn in one colour. */
    struct Series
    {
        std::string name;
        std::vector<double> x;
        std::vector<std::optional<double>> y;
        std::vector<std::optional<double>> halfWidths; //!< those of 95 % intervals, or empty
        std::vector<std::string> texts;                //!< texts above the bars, or empty
        std::vector<std::optional<double>> marks{};    //!< published values, or empty
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
        double shade{1};       //!< strength of the colour, above 0, at most 1
        bool isWaiting{false}; //!< the time is a wait; the box is drawn dashed
    };

    /** One plot. */
    struct Panel
    {
        Kind kind{Kind::BARS};
        std::string xLabel;
        std::string yLabel;
        bool isLogarithmic{false};         //!< the x axis is logarithmic
        std::optional<double> reference{}; //!< value at which a line is drawn
        std::optional<double> most{};      //!< value that the axis of BARS reaches at least
        std::vector<std::string> names{};
        std::vector<double> ticks{}; //!< x value of each name
        std::vector<double> times{}; //!< ends of intervals, ascending; the first begins at 0
        std::vector<Series> series{};
        std::vector<Box> boxes{};
    };

    std::string title;
    std::string note; //!< a sentence on which runs are shown, or ""
    std::vector<Panel> panels;
    std::string mark{"published"}; //!< name of the marks in the key
};

} // namespace ns3::ddl

#endif // DDL_CHART_H
