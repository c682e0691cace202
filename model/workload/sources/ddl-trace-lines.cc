// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-lines.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cmath>
#include <cstdlib>
#include <string_view>

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
    const std::string around = " \t\"";
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();)
    {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        const std::string_view field(line.data() + begin, end - begin);
        const auto first = std::min(field.find_first_not_of(around), field.size());
        const auto last = field.find_last_not_of(around);
        fields.emplace_back(first < field.size() ? field.substr(first, last + 1 - first) : "");
        begin = end + 1;
    }
    return fields;
}

std::optional<double>
ParseReal(const std::string& text)
{
    constexpr std::size_t EXACT_DIGITS = 15; // a double is exact for whole numbers of 15 digits
    const bool isPlain = !text.empty() && text.size() <= EXACT_DIGITS &&
                         text.find_first_not_of("0123456789") == std::string::npos;
    if (isPlain) // most fields of most traces: a conversion by stream takes ten times as long
    {
        return static_cast<double>(std::strtoull(text.c_str(), nullptr, 10));
    }
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
