// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CSV_WRITER_H
#define DDL_CSV_WRITER_H

#include "ns3/nstime.h"

#include <optional>
#include <string>

namespace ns3::ddl
{

/** A number that is often a count, which may have more than nine digits. */
struct CsvCount
{
    double number{0};
};

/**
 * Builds the text of a CSV file, cell by cell. Numbers are written the same way on every machine:
 * times in seconds to the nanosecond, other reals with 9 significant digits.
 */
class CsvWriter
{
  public:
    /** \param header column names, comma-separated */
    explicit CsvWriter(const std::string& header);

    CsvWriter& Cell(const std::string& text); //!< Add a text, quoted if it must be.
    CsvWriter& Cell(uint64_t number);
    CsvWriter& Cell(double number);
    CsvWriter& Cell(Time time);
    CsvWriter& Cell(CsvCount count); //!< Add a number, with all digits if it is whole.
    CsvWriter& Cell(const std::optional<double>& number);            //!< Add a number; none: empty.
    CsvWriter& Cell(const std::optional<uint64_t>& number) = delete; // as double it loses digits
    CsvWriter& Empty();

    /** End the row. Aborts unless it has as many cells as the header. */
    void EndRow();

    const std::string& GetText() const
    {
        return m_text;
    }

    /** \return bytes of the text */
    std::size_t GetSize() const
    {
        return m_text.size();
    }

    /** Take the text so far, between two rows. \return the text; the next one has no header */
    std::string TakeText();

  private:
    void Put(const std::string& text);

    std::string m_text;
    std::size_t m_columns;
    std::size_t m_cells{0};
};

/** \return a time in seconds, with nine decimals */
std::string FormatSeconds(Time time);

/** \return a number with nine significant digits, without trailing zeros */
std::string FormatReal(double number);

} // namespace ns3::ddl

#endif // DDL_CSV_WRITER_H
