// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-csv-table.h"

#include "ns3/csv-reader.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-result-tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/**
 * \return text of the file, changed for CsvReader. CsvReader drops an empty field at the end of a
 *         line, so each line gets one more comma. It keeps the carriage return of a Windows file in
 *         a quoted last field, so carriage returns are removed
 */
std::string
ReadLines(const std::string& path)
{
    std::ifstream file(path);
    std::string text;
    std::string line;
    while (std::getline(file, line))
    {
        if (!line.empty() && line.back() == '\r')
        {
            line.pop_back();
        }
        const auto first = line.find_first_not_of(" \t");
        const bool isData = first != std::string::npos && line[first] != '#';
        text += (isData ? line + "," : "") + "\n";
    }
    if (!file.eof())
    {
        throw InputError({{path, "", "cannot be read"}});
    }
    return text;
}

} // namespace

CsvTable::CsvTable(const std::string& path)
    : m_path(path)
{
    std::istringstream text(ReadLines(path));
    CsvReader reader(text);
    std::vector<Diagnostic> complaints;
    while (reader.FetchNextRow())
    {
        Row row{reader.RowNumber(), std::vector<std::string>(reader.ColumnCount())};
        for (std::size_t i = 0; i < row.fields.size(); ++i)
        {
            reader.GetValue(i, row.fields[i]);
        }
        if (!row.fields.empty() && m_columns.empty())
        {
            ReadHeader(std::move(row));
        }
        else if (!row.fields.empty() && row.fields.size() == m_columns.size())
        {
            m_rows.push_back(std::move(row));
        }
        else if (!row.fields.empty())
        {
            complaints.push_back({path + ":" + std::to_string(row.line),
                                  "",
                                  std::to_string(row.fields.size()) + " fields (the header has " +
                                      std::to_string(m_columns.size()) + ")"});
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    if (m_columns.empty())
    {
        throw InputError({{path, "", "is empty (it should begin with a line of column names)"}});
    }
}

void
CsvTable::ReadHeader(Row header)
{
    std::set<std::string> seen;
    for (const auto& column : header.fields)
    {
        if (!seen.insert(column).second)
        {
            throw InputError({{m_path + ":" + std::to_string(header.line),
                               "",
                               "column \"" + column + "\" stands there twice"}});
        }
    }
    m_columns = std::move(header.fields);
}

std::size_t
CsvTable::GetRows() const
{
    return m_rows.size();
}

bool
CsvTable::HasColumn(const std::string& column) const
{
    return std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end();
}

const std::vector<std::string>&
CsvTable::GetColumns() const
{
    return m_columns;
}

std::size_t
CsvTable::FindColumn(const std::string& column) const
{
    const auto found = std::find(m_columns.begin(), m_columns.end(), column);
    if (found == m_columns.end())
    {
        throw InputError(
            {{m_path,
              "",
              "has no column \"" + column + "\" (it has " + JoinNames(m_columns) + ")"}});
    }
    return static_cast<std::size_t>(found - m_columns.begin());
}

std::string
CsvTable::Where(std::size_t row) const
{
    return m_path + ":" + std::to_string(m_rows.at(row).line);
}

const std::string&
CsvTable::GetText(std::size_t row, const std::string& column) const
{
    return m_rows.at(row).fields[FindColumn(column)];
}

std::optional<double>
CsvTable::GetNumber(std::size_t row, const std::string& column) const
{
    const std::string& text = GetText(row, column);
    if (text.empty())
    {
        return std::nullopt;
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(number))
    {
        throw InputError({{m_path + ":" + std::to_string(m_rows.at(row).line),
                           "",
                           "\"" + text + "\" in column \"" + column + "\" is not a number"}});
    }
    return number;
}

std::vector<double>
CsvTable::GetNumbers(const std::string& column) const
{
    std::vector<double> numbers;
    FindColumn(column);
    for (std::size_t row = 0; row < GetRows(); ++row)
    {
        if (const auto number = GetNumber(row, column))
        {
            numbers.push_back(*number);
        }
    }
    return numbers;
}

std::optional<CsvTable>
OpenTable(const std::string& folder, const std::string& name)
{
    const std::string path = folder + "/" + FindTable(name).GetFile();
    return std::filesystem::exists(path) ? std::make_optional<CsvTable>(path) : std::nullopt;
}

} // namespace ns3::ddl
