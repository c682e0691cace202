// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_TABLE_H
#define DDL_FIGURE_TABLE_H

#include "ddl-figure.h"

#include "ns3/ddl-csv-writer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gnuplot-iostream.h>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A text among the data for gnuplot, which reads quotes around it but none within it. */
struct GnuplotText
{
    std::string text;
};

inline std::ostream&
operator<<(std::ostream& os, const GnuplotText& cell)
{
    return os << '"' << cell.text << '"';
}

/**
 * \return a cell as gnuplot-iostream sends it; a missing number is NaN. Numbers are rounded as in
 * the CSV file, so that a script that reads the file draws the same picture
 */
template <typename T>
auto
ToGnuplot(const T& cell)
{
    if constexpr (std::is_same_v<T, std::string>)
    {
        GnuplotText sent{cell};
        std::replace(sent.text.begin(), sent.text.end(), '"', '\'');
        return sent;
    }
    else if constexpr (std::is_same_v<T, double>)
    {
        return std::strtod(FormatReal(cell).c_str(), nullptr);
    }
    else if constexpr (std::is_same_v<T, std::optional<double>>)
    {
        return cell ? ToGnuplot(*cell) : std::numeric_limits<double>::quiet_NaN();
    }
    else
    {
        return cell;
    }
}

/**
 * The data of a figure, in typed rows. When the figure is drawn, the rows go through
 * gnuplot-iostream's stream. They also go into NAME-data.csv for the reader, with a header and a
 * label at the end of each row; this class writes that file, because files of gnuplot-iostream
 * (`file1d`) have neither commas nor column names. `send1d` ends the rows with a line "e". The rows
 * are sent once, as a data block that ends at this line, for all plots of the figure.
 *
 * \tparam Columns uint64_t, double, std::optional<double> or std::string
 */
template <typename... Columns>
class FigureTable
{
  public:
    /** \param header names of the columns, without the label's */
    explicit FigureTable(const std::string& header)
        : m_csv(header + ",label")
    {
    }

    /** \param label name of the row, for readers of the CSV file; the scripts ignore it */
    void AddRow(const Columns&... cells, const std::string& label)
    {
        (m_csv.Cell(cells), ...);
        m_csv.Cell(label).EndRow();
        m_rows.emplace_back(ToGnuplot(cells)...);
    }

    /**
     * \param script text of NAME.gp, which plots `data` (see BeginGnuplotScript)
     * \param chart the figure's content, for drawing it without gnuplot
     */
    FigureFiles MakeFiles(const std::string& script, Chart chart) const
    {
        return {m_csv.GetText(),
                script,
                "",
                [rows = m_rows](gnuplotio::Gnuplot& gnuplot) {
                    gnuplot << "data = '$data'\n$data << e\nheader\n";
                    gnuplot.send1d(rows);
                },
                std::move(chart)};
    }

  private:
    CsvWriter m_csv;
    std::vector<std::tuple<decltype(ToGnuplot(std::declval<Columns>()))...>> m_rows;
};

} // namespace ns3::ddl

#endif // DDL_FIGURE_TABLE_H
