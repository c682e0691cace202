// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TEXT_TABLE_H
#define DDL_TEXT_TABLE_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A table in plain text. */
class TextTable
{
  public:
    /** \param header names of the columns, at least one */
    explicit TextTable(std::vector<std::string> header);

    /** \param row a field per column, in UTF-8 */
    void AddRow(std::vector<std::string> row);
    /**
     * Print header, a rule, and rows, with two spaces between columns and none at line ends.
     *
     * \param width most characters of a line. Where a table would be wider, cells of texts, or the
     *        first cells of a table of numbers if that suffices, are broken into several lines
     * \param isText whether all columns are aligned left; else the first is, and the others right
     */
    void Print(std::ostream& os, std::size_t width = SIZE_MAX, bool isText = false) const;

  private:
    std::vector<std::vector<std::string>> m_rows; //!< header, and the rows below it
};

/** \return number of characters of a text in UTF-8 */
std::size_t CountCharacters(const std::string& text);

/** \return the byte at which character \p number of a text in UTF-8 begins, from 0 on; the text's
 * size if it has no more characters */
std::size_t FindCharacter(const std::string& text, std::size_t number);

/**
 * \param width most characters of a line, at least 1
 * \param breaksWords whether a longer word is broken, too; else it has a line of its own
 * \return the lines of a text, at least one, broken at spaces
 */
std::vector<std::string> WrapText(const std::string& text,
                                  std::size_t width,
                                  bool breaksWords = false);

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

/** \return text of a size: "12 B", "3.4 kB", "5.6 MB" */
std::string FormatSize(double bytes);

} // namespace ns3::ddl

#endif // DDL_TEXT_TABLE_H
