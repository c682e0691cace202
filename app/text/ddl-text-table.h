// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TEXT_TABLE_H
#define DDL_TEXT_TABLE_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A table for the terminal: the first column is aligned left, all others right. */
class TextTable
{
  public:
    /** \param header names of the columns, at least one */
    explicit TextTable(std::vector<std::string> header);

    /** \param row a field per column, in UTF-8 */
    void AddRow(std::vector<std::string> row);
    /** \return the header and the rows below it */
    const std::vector<std::vector<std::string>>& GetRows() const;
    /** Print header, a rule, and rows, with two spaces between columns and none at line ends. */
    void Print(std::ostream& os) const;

  private:
    std::vector<std::vector<std::string>> m_rows; //!< header, and the rows below it
};

/**
 * \param value any number
 * \param digits number of significant digits; those before the point are never cut
 * \return text of the number, without an exponent if it is from 0.001 to 1e6: "6.500", "12.00"
 */
std::string FormatNumber(double value, int digits = 4);

/**
 * \param value any number
 * \param digits number of significant digits, at least 1; those before the point are never cut
 * \return text of the number in these digits, without an exponent if it is from 1e-4 to 1e9:
 *         "0.02114", "0" for 0
 */
std::string FormatSignificant(double value, int digits);

} // namespace ns3::ddl

#endif // DDL_TEXT_TABLE_H
