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
        POINTS, //!< names: of the places in ticks; series: x, y, halfWidths and marks
        CURVES, //!< times; series: y of each interval
        AREAS,  //!< as CURVES, one above the other
        BOXES,  //!< names: rows, "" for one that has none; boxes
        ROWS    //!< names: rows; series: y, halfWidths and marks of each row, y to the right
    };

    /** Values that are drawn in one colour. */
    struct Series
    {
        std::string name;
        std::vector<double> x;
        std::vector<std::optional<double>> y;
        std::vector<std::optional<double>> halfWidths; //!< of 95 % confidence intervals; or empty
        std::vector<std::string> texts;                //!< above the bars; or empty
        std::vector<std::optional<double>> marks{};    //!< published values; or empty
        std::vector<double> markXs{};                  //!< of STEPS: where each mark is
    };

    /** An interval of time on a row. */
    struct Box
    {
        std::size_t row;
        double start;
        double end;
        std::optional<std::size_t> colour; //!< 0, 1, ... as of series
        std::string name;                  //!< what it is a part of: "job 3"
        std::string text;
        double shade{1};       //!< strength of its colour, over 0 to 1
        bool isWaiting{false}; //!< nothing is done meanwhile: drawn dashed
    };

    /** One plot. */
    struct Panel
    {
        Kind kind{Kind::BARS};
        std::string xLabel;
        std::string yLabel;
        bool isLogarithmic{false};         //!< the x axis
        std::optional<double> reference{}; //!< a line at this value
        std::optional<double> most{};      //!< of BARS: the axis reaches this value at least
        std::vector<std::string> names{};
        std::vector<double> ticks{}; //!< x of each name
        std::vector<double> times{}; //!< ends of intervals, ascending; the first begins at 0
        std::vector<Series> series{};
        std::vector<Box> boxes{};
    };

    std::string title;
    std::string note; //!< which runs, "" for nothing
    std::vector<Panel> panels;
    std::string mark{"published"}; //!< what the marks are
};

} // namespace ns3::ddl

#endif // DDL_CHART_H
