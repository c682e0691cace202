// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-columns.h"

#include <algorithm>

namespace ns3::ddl
{

TraceColumns::TraceColumns(const std::string& header)
{
    for (const auto& name : SplitCsv(header))
    {
        m_columns.emplace(name, m_count++); // of two columns with one name, the first one counts
    }
}

bool
TraceColumns::Has(const std::string& name) const
{
    return m_columns.count(name) > 0;
}

bool
TraceColumns::HasAll(const std::vector<std::string>& names) const
{
    return std::all_of(names.begin(), names.end(), [this](const auto& name) { return Has(name); });
}

bool
TraceColumns::Require(const std::vector<std::string>& names, TraceLines& lines) const
{
    for (const auto& name : names)
    {
        if (!Has(name))
        {
            lines.Refuse("has no column \"" + name + "\" (" + JoinNames(names) + " are needed)");
        }
    }
    return HasAll(names);
}

std::optional<std::size_t>
TraceColumns::Find(const std::string& name) const
{
    const auto column = m_columns.find(name);
    return column != m_columns.end() ? std::make_optional(column->second) : std::nullopt;
}

TraceRow::TraceRow(const TraceColumns& columns, const std::string& line, TraceLines& lines)
    : m_columns(columns),
      m_fields(SplitCsv(line)),
      m_lines(lines)
{
    if (m_fields.size() != columns.GetCount())
    {
        Refuse(std::to_string(m_fields.size()) + " fields under " +
               std::to_string(columns.GetCount()) + " columns");
        m_fields.assign(columns.GetCount(), "");
    }
}

const std::string&
TraceRow::Text(const std::string& column) const
{
    static const std::string none;
    const auto position = m_columns.Find(column);
    return position ? m_fields[*position] : none;
}

bool
TraceRow::IsEmpty(const std::string& column) const
{
    return Text(column).empty();
}

std::optional<uint64_t>
TraceRow::Whole(const std::string& column, uint64_t least, uint64_t most) const
{
    const auto number = ParseWhole(Text(column), least, most);
    if (!number)
    {
        Refuse(column,
               "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return number;
}

std::optional<Time>
TraceRow::Duration(const std::string& column) const
{
    const auto seconds = ParseReal(Text(column));
    if (!seconds || *seconds < 0 || *seconds > MOST_SECONDS)
    {
        Refuse(column, "seconds, 0 or more");
        return std::nullopt;
    }
    return Seconds(*seconds);
}

void
TraceRow::Refuse(const std::string& column, const std::string& wanted) const
{
    // A row with too few fields has been reported already.
    if (m_isGood)
    {
        m_lines.Refuse(column + " must be " + wanted + ", is \"" + Text(column) + "\"");
    }
    m_isGood = false;
}

void
TraceRow::Refuse(const std::string& what) const
{
    if (m_isGood)
    {
        m_lines.Refuse(what);
    }
    m_isGood = false;
}

} // namespace ns3::ddl
