// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-text-table.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return number of characters of a UTF-8 text: of bytes that do not continue a character */
std::size_t
Width(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
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

const std::vector<std::vector<std::string>>&
TextTable::GetRows() const
{
    return m_rows;
}

void
TextTable::Print(std::ostream& os) const
{
    std::vector<std::size_t> widths(m_rows[0].size());
    for (const auto& row : m_rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], Width(row[i]));
        }
    }
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        std::string line;
        std::size_t ruled = 0;
        for (std::size_t i = 0; i < widths.size(); ++i)
        {
            const std::string& field = m_rows[r][i];
            const std::string pad(widths[i] - Width(field), ' ');
            line += (i == 0 ? field + pad : "  " + pad + field);
            ruled += widths[i] + (i == 0 ? 0 : 2);
        }
        os << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
        if (r == 0)
        {
            os << std::string(ruled, '-') << '\n';
        }
    }
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

} // namespace ns3::ddl
