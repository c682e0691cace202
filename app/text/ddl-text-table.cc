// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-text-table.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <numeric>
#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t GAP = 2;        //!< spaces between columns
constexpr std::size_t NARROWEST = 10; //!< least width to which a column of texts is cut
constexpr std::size_t NARROW = 40;    //!< least width to which the first column of numbers is cut

/** The lines of each cell of each row of a table. */
using CellLines = std::vector<std::vector<std::vector<std::string>>>;

/** \return for each column, the most characters of a line in it */
std::vector<std::size_t>
MeasureColumns(const CellLines& rows)
{
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            for (const auto& line : row[i])
            {
                widths[i] = std::max(widths[i], CountCharacters(line));
            }
        }
    }
    return widths;
}

/** \return width of a table with columns of these widths */
std::size_t
SumWidths(const std::vector<std::size_t>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), GAP * (widths.size() - 1));
}

/** \return the widths of columns, of which the widest are cut so that a table fits into a width */
std::vector<std::size_t>
NarrowColumns(const std::vector<std::size_t>& widths, std::size_t width, bool isText)
{
    auto narrow = widths;
    if (!isText)
    {
        const std::size_t others = SumWidths(widths) - widths[0];
        narrow[0] = others + NARROW <= width ? width - others : widths[0];
        return narrow;
    }
    auto widest = std::max_element(narrow.begin(), narrow.end());
    while (SumWidths(narrow) > width && *widest > NARROWEST)
    {
        --*widest;
        widest = std::max_element(narrow.begin(), narrow.end());
    }
    return narrow;
}

/** \return true unless a byte of a text in UTF-8 continues a character */
bool
BeginsCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/** \param size number whose first digit counts as the first significant one */
std::string
Format(double value, int digits, bool isScientific, double size)
{
    std::ostringstream stream;
    const int whole = static_cast<int>(std::floor(std::log10(size))) + 1; // -1 for 0.02
    stream << (isScientific ? std::scientific : std::fixed)
           << std::setprecision(isScientific ? digits - 1 : std::max(0, digits - whole)) << value;
    return stream.str();
}

} // namespace

TextTable::TextTable(std::vector<std::string> header)
    : m_rows{std::move(header)}
{
    NS_ABORT_MSG_IF(m_rows[0].empty(), "a table has at least one column");
}

void
TextTable::AddRow(std::vector<std::string> row)
{
    NS_ABORT_MSG_IF(row.size() != m_rows[0].size(), "a row has one field a column");
    m_rows.push_back(std::move(row));
}

void
TextTable::Print(std::ostream& os, std::size_t width, bool isText) const
{
    CellLines rows;
    for (const auto& row : m_rows)
    {
        auto& cells = rows.emplace_back();
        for (const auto& field : row)
        {
            cells.push_back({field});
        }
    }
    auto widths = MeasureColumns(rows);
    if (SumWidths(widths) > width)
    {
        const auto narrow = NarrowColumns(widths, width, isText);
        for (auto& cells : rows)
        {
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                cells[i] = WrapText(cells[i][0], narrow[i]);
            }
        }
        widths = MeasureColumns(rows);
    }
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        std::size_t height = 1;
        for (const auto& cell : rows[r])
        {
            height = std::max(height, cell.size());
        }
        for (std::size_t l = 0; l < height; ++l)
        {
            std::string line;
            for (std::size_t i = 0; i < widths.size(); ++i)
            {
                const std::string field = l < rows[r][i].size() ? rows[r][i][l] : "";
                const std::string pad(widths[i] - CountCharacters(field), ' ');
                line += std::string(i == 0 ? 0 : GAP, ' ') +
                        (i == 0 || isText ? field + pad : pad + field);
            }
            os << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
        }
        if (r == 0)
        {
            os << std::string(SumWidths(widths), '-') << '\n';
        }
    }
}

std::size_t
CountCharacters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), BeginsCharacter));
}

std::size_t
FindCharacter(const std::string& text, std::size_t number)
{
    std::size_t place = 0;
    while (place < text.size() && !(BeginsCharacter(text[place]) && number-- == 0))
    {
        ++place;
    }
    return place;
}

std::vector<std::string>
WrapText(const std::string& text, std::size_t width, bool breaksWords)
{
    std::vector<std::string> lines;
    std::istringstream paragraphs(text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);)
    {
        lines.emplace_back();
        std::istringstream words(paragraph);
        for (std::string word; std::getline(words, word, ' ');)
        {
            const bool isFull = !lines.back().empty() &&
                                CountCharacters(lines.back()) + 1 + CountCharacters(word) > width;
            if (isFull)
            {
                lines.emplace_back();
            }
            lines.back() += (lines.back().empty() ? "" : " ") + word;
            while (breaksWords && CountCharacters(lines.back()) > width)
            {
                const std::string line = lines.back();
                const std::size_t end = FindCharacter(line, width);
                lines.back() = line.substr(0, end);
                lines.push_back(line.substr(end));
            }
        }
    }
    return lines.empty() ? std::vector<std::string>{""} : lines;
}

std::string
FormatNumber(double value, int digits)
{
    const double size = std::fabs(value);
    return Format(value, digits, size != 0 && (size < 1e-3 || size >= 1e6), std::max(size, 1.0));
}

std::string
FormatSignificant(double value, int digits)
{
    const double size = std::fabs(value);
    return size == 0 ? "0" : Format(value, digits, size < 1e-4 || size >= 1e9, size);
}

std::string
FormatSize(double bytes)
{
    constexpr double KILO = 1000;
    const std::vector<std::string> units{" B", " kB", " MB", " GB", " TB"};
    std::size_t unit = 0;
    while (bytes >= KILO && unit + 1 < units.size())
    {
        bytes /= KILO;
        ++unit;
    }
    char text[40];
    std::snprintf(text, sizeof text, unit == 0 || bytes >= 100 ? "%.0f" : "%.1f", bytes);
    return text + units[unit];
}

} // namespace ns3::ddl
