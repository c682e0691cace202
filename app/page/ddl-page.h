// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAGE_H
#define DDL_PAGE_H

#include "app/plot/ddl-chart.h"
#include "app/results/ddl-result-set.h"
#include "app/text/ddl-text-table.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The greatest size of a page, bytes. */
constexpr std::size_t MOST_PAGE_BYTES = 5000000;

/** A judgement that a text on a page expresses; it decides the colour of the text. */
enum class Tone
{
    NONE,
    GOOD,
    OPEN, //!< the judgement is not decided
    BAD
};

/** A field of a table, or a tile. */
struct PageCell
{
    std::string text;
    Tone tone{Tone::NONE};
};

/**
 * One HTML page that needs no other file: style, script, numbers and texts are in it, and it loads
 * nothing. Texts may have any characters. The script draws the charts, from numbers in the page.
 */
class Page
{
  public:
    /**
     * \param kind what the page shows: "Run"
     * \param title heading of the page
     */
    Page(std::string kind, std::string title);

    /** Add a line below the heading. */
    void AddLead(const std::string& text, Tone tone = Tone::NONE);
    /** Begin a section, which the list on top leads to. */
    void AddSection(const std::string& title);
    /** Begin a part of a section. */
    void AddHeading(const std::string& title);
    void AddText(const std::string& text);
    /** Add a highlighted text. \param lines paragraphs of the text */
    void AddWarning(const std::vector<std::string>& lines, bool isBad = false);
    /** Add a row of large numbers. \param tiles each number, and what it means */
    void AddTiles(const std::vector<std::pair<PageCell, std::string>>& tiles);
    /** Add a table. Its first column is aligned left; if \p isText, all columns are. */
    void AddTable(const std::vector<std::string>& header,
                  const std::vector<std::vector<PageCell>>& rows,
                  bool isText = false);
    void AddTable(const TextTable& table);
    /**
     * Add a chart.
     *
     * \param chart the chart
     * \param group name of a group: its charts over time are zoomed together
     */
    void AddChart(const Chart& chart, const std::string& group = "");
    /** Add a long text that a click unfolds. */
    void AddCode(const std::string& summary, const std::string& text);

    /**
     * \param most greatest size of the page, bytes. If the page would be larger, charts, tables and
     *        long texts show less, and say so; headings, texts and warnings stay
     * \return HTML of the page; equal for equal contents
     */
    std::string Format(std::size_t most = MOST_PAGE_BYTES) const;

  private:
    std::string m_kind;
    std::string m_title;
    std::string m_leads;                 //!< HTML of the lines below the heading
    std::vector<std::string> m_sections; //!< titles of the sections
    std::vector<std::function<std::string(std::size_t)>> m_blocks; //!< give HTML at some detail
};

/**
 * Add a figure of `ddl plot` to a page, or nothing where it has nothing to show.
 *
 * \param name name of the figure
 * \param sets results that the figure shows
 * \param page gets the chart, or a warning when files of results are missing or damaged
 * \param title title in place of the figure's own; "": the figure's own
 * \param group group of charts (Page::AddChart)
 * \return true if the page got a chart
 */
bool AddFigure(const std::string& name,
               const std::vector<ResultSet>& sets,
               Page& page,
               const std::string& title = "",
               const std::string& group = "");

/** \return text of a size: "12 B", "3.4 kB", "5.6 MB" */
std::string FormatSize(double bytes);

} // namespace ns3::ddl

#endif // DDL_PAGE_H
