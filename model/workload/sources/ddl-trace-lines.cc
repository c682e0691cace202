// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-lines.h"

#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cmath>

namespace ns3::ddl
{

namespace
{

const std::string BYTE_ORDER_MARK = "\xEF\xBB\xBF";

} // namespace

TraceLines::TraceLines(std::istream& input, const std::string& name)
    : m_input(input),
      m_name(name)
{
}

std::optional<std::string>
TraceLines::Next()
{
    std::string line;
    while (std::getline(m_input, line))
    {
        ++m_number;
        if (m_number == 1 && boost::starts_with(line, BYTE_ORDER_MARK))
        {
            line.erase(0, BYTE_ORDER_MARK.size());
        }
        boost::trim(line);
        if (!line.empty() && line.front() != '#')
        {
            return line;
        }
    }
    return std::nullopt;
}

void
TraceLines::Refuse(const std::string& what)
{
    Refuse(m_number, what);
}

void
TraceLines::Refuse(uint64_t line, const std::string& what)
{
    ++m_complaints;
    if (m_diagnostics.size() < MOST_COMPLAINTS)
    {
        m_diagnostics.push_back({m_name + ":" + std::to_string(line), "", what});
    }
}

void
TraceLines::Finish() const
{
    if (m_complaints == 0)
    {
        return;
    }
    auto all = m_diagnostics;
    if (m_complaints > all.size())
    {
        all.push_back({m_name,
                       "",
                       "there are " + std::to_string(m_complaints - all.size()) +
                           " more complaints like these"});
    }
    throw InputError(all);
}

std::vector<std::string>
SplitCsv(const std::string& line)
{
    std::vector<std::string> fields;
    boost::split(fields, line, boost::is_any_of(","));
    for (auto& field : fields)
    {
        boost::trim_if(field, boost::is_any_of(" \t\""));
    }
    return fields;
}

std::optional<double>
ParseReal(const std::string& text)
{
    double number = 0;
    const bool isNumber = boost::conversion::try_lexical_convert(text, number);
    return isNumber && std::isfinite(number) ? std::make_optional(number) : std::nullopt;
}

std::optional<uint64_t>
ParseWhole(const std::string& text, uint64_t least, uint64_t most)
{
    const auto number = ParseReal(text);
    if (!number || *number != std::floor(*number) || *number < static_cast<double>(least) ||
        *number > static_cast<double>(most))
    {
        return std::nullopt;
    }
    return static_cast<uint64_t>(*number);
}

} // namespace ns3::ddl
