// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-csv-writer.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ns3::ddl
{

CsvWriter::CsvWriter(const std::string& header)
    : m_text(header + "\n"),
      m_columns(1 + std::count(header.begin(), header.end(), ','))
{
}

CsvWriter&
CsvWriter::Cell(const std::string& text)
{
    const bool isPlain = text.find_first_of(",\"\n\r") == std::string::npos;
    Put(isPlain ? text : '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"');
    return *this;
}

CsvWriter&
CsvWriter::Cell(uint64_t number)
{
    Put(std::to_string(number));
    return *this;
}

CsvWriter&
CsvWriter::Cell(double number)
{
    Put(FormatReal(number));
    return *this;
}

CsvWriter&
CsvWriter::Cell(Time time)
{
    Put(FormatSeconds(time));
    return *this;
}

CsvWriter&
CsvWriter::Cell(CsvCount count)
{
    const double number = count.number;
    const bool isWhole = number == std::floor(number) && number > 0 && number < 1e18;
    return isWhole ? Cell(static_cast<uint64_t>(number)) : Cell(number);
}

CsvWriter&
CsvWriter::Cell(const std::optional<double>& number)
{
    return number ? Cell(*number) : Empty();
}

CsvWriter&
CsvWriter::Empty()
{
    Put("");
    return *this;
}

void
CsvWriter::EndRow()
{
    NS_ABORT_MSG_IF(m_cells != m_columns,
                    "CSV row with " << m_cells << " cells under " << m_columns << " columns");
    m_text += '\n';
    m_cells = 0;
}

std::string
CsvWriter::TakeText()
{
    NS_ABORT_MSG_IF(m_cells != 0, "a CSV row is taken before it is whole");
    return std::exchange(m_text, "");
}

void
CsvWriter::Put(const std::string& text)
{
    m_text += m_cells++ == 0 ? "" : ",";
    m_text += text;
}

std::string
FormatSeconds(Time time)
{
    const int64_t nanoseconds = time.GetNanoSeconds();
    char text[32];
    std::snprintf(text,
                  sizeof text,
                  "%lld.%09lld",
                  static_cast<long long>(nanoseconds / 1000000000),
                  static_cast<long long>(nanoseconds % 1000000000));
    return text;
}

std::string
FormatReal(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

} // namespace ns3::ddl
