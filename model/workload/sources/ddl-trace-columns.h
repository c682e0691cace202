// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_COLUMNS_H
#define DDL_TRACE_COLUMNS_H

#include "ddl-trace-lines.h"

#include "ns3/nstime.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr uint64_t MOST_GPUS = 4096;          //!< most GPUs of a job of a trace
constexpr uint64_t MOST_TRACE_ID = 999999999; //!< largest number of a job of a trace

/** The positions of the columns of a CSV file, by their names. */
class TraceColumns
{
  public:
    /** \param header first line of the file */
    explicit TraceColumns(const std::string& header);

    bool Has(const std::string& name) const;
    bool HasAll(const std::vector<std::string>& names) const;
    /** Report those of the columns that are missing as errors. \return true if none is missing */
    bool Require(const std::vector<std::string>& names, TraceLines& lines) const;

    /** \return position of a column; none if it is missing */
    std::optional<std::size_t> Find(const std::string& name) const;

    std::size_t GetCount() const
    {
        return m_count;
    }

  private:
    std::map<std::string, std::size_t> m_columns;
    std::size_t m_count{0};
};

/** One line of a CSV file; reports errors in its fields. */
class TraceRow
{
  public:
    /** Reports an error if there are not as many fields as columns; then all fields are empty. */
    TraceRow(const TraceColumns& columns, const std::string& line, TraceLines& lines);

    /** \return true if there was no error in this row */
    bool IsGood() const
    {
        return m_isGood;
    }

    /** \return the field of a column; "" when the column is missing */
    const std::string& Text(const std::string& column) const;
    bool IsEmpty(const std::string& column) const;
    /** \return the whole number in a field; none, with an error, if it is anything else */
    std::optional<uint64_t> Whole(const std::string& column, uint64_t least, uint64_t most) const;
    /** \return the seconds in a field, 0 to a century; none, with an error, for anything else */
    std::optional<Time> Duration(const std::string& column) const;

    /** Report an error in a field. \param wanted what is legal: "a number from 1 to 8" */
    void Refuse(const std::string& column, const std::string& wanted) const;
    /** Report an error in the row. \param what the error */
    void Refuse(const std::string& what) const;

  private:
    const TraceColumns& m_columns;
    std::vector<std::string> m_fields;
    TraceLines& m_lines;
    mutable bool m_isGood{true};
};

} // namespace ns3::ddl

#endif // DDL_TRACE_COLUMNS_H
