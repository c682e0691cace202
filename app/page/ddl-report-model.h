// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPORT_MODEL_H
#define DDL_REPORT_MODEL_H

#include "app/plot/ddl-chart.h"
#include "app/results/ddl-result-set.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::ddl
{

/** A judgement that a text expresses. On a page it decides the colour; the words say it, too. */
enum class Tone
{
    NONE,
    GOOD,
    OPEN, //!< the judgement is not decided
    BAD
};

/**
 * What a command says about results: sections with texts, tables and charts. It is made once, and
 * printed as an HTML page (FormatPage) and as plain text (FormatText). Texts may have any
 * characters.
 */
struct Report
{
    /** A field of a table, a tile, or a line below the title. */
    struct Cell
    {
        std::string text;
        Tone tone{Tone::NONE};
    };

    using Row = std::vector<Cell>;

    /** The beginning of a part of a section. */
    struct Heading
    {
        std::string text;
    };

    /** A paragraph. */
    struct Text
    {
        std::string text;
    };

    /** A highlighted text of several paragraphs. */
    struct Warning
    {
        std::vector<std::string> lines;
        bool isBad{false};
    };

    /** The most important numbers, each with what it means. */
    struct Tiles
    {
        std::vector<std::pair<Cell, std::string>> tiles;
    };

    /** A table whose first column is aligned left; if isText, all columns are. */
    struct Table
    {
        std::vector<std::string> header;
        std::vector<Row> rows{};
        bool isText{false};
    };

    /** A chart, which a page draws, and the files of its picture, which a plain text names. */
    struct Picture
    {
        Chart chart;
        std::string group{};              //!< charts over time of a group are zoomed together
        std::vector<std::string> files{}; //!< paths from the folder of the report
    };

    /** A long text that a click unfolds. */
    struct Code
    {
        std::string summary;
        std::string text;
    };

    using Block = std::variant<Heading, Text, Warning, Tiles, Table, Picture, Code>;

    /** A section, which the list on top of a page leads to. */
    struct Section
    {
        std::string title; //!< "" of the first one, which stands before all others
        std::vector<Block> blocks{};
    };

    std::string kind{};  //!< what the report is about: "Run"
    std::string title{}; //!< heading of the report
    std::vector<Cell> leads{};
    std::vector<Section> sections{Section{""}};

    /** Begin a section. One that has nothing in it is dropped when the next begins. */
    void Begin(const std::string& section);
    /** Add a block to the last section. */
    void Add(Block block);
};

/**
 * Add a figure of `ddl plot` to a report, or nothing where it has nothing to show.
 *
 * \param name name of the figure
 * \param sets results that the figure shows
 * \param report gets the chart, or a warning when files of results are missing or damaged
 * \param title text behind the figure's own title; "": none
 * \param group group of charts (Report::Picture)
 * \return true if the report got a chart
 */
bool AddFigure(const std::string& name,
               const std::vector<ResultSet>& sets,
               Report& report,
               const std::string& title = "",
               const std::string& group = "");

/**
 * \param width most characters of a line, where it can be broken; tables of numbers may be wider
 * \param most most rows of a table, paragraphs of a warning, and lines of a long text: what has
 *        more is cut, and says so
 * \return the report as plain text in UTF-8, for terminals and mail; charts are named only
 */
std::string FormatText(const Report& report, std::size_t width = 100, std::size_t most = 1000);

} // namespace ns3::ddl

#endif // DDL_REPORT_MODEL_H
