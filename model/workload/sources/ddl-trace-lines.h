// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_LINES_H
#define DDL_TRACE_LINES_H

#include "ns3/ddl-error.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

inline constexpr double MOST_SECONDS = 100.0 * 365 * 24 * 3600; //!< longest time: a century
inline constexpr std::size_t MOST_COMPLAINTS = 20;              //!< errors shown per file

/**
 * A file of lines, read one by one, and the errors in them. Blank lines and lines that begin with
 * '#' are ignored; a carriage return or a byte-order mark is no part of a line.
 */
class TraceLines
{
  public:
    /**
     * \param input the text
     * \param name name of the file, for error messages
     */
    TraceLines(std::istream& input, const std::string& name);

    /** \return the next line; none at the end */
    std::optional<std::string> Next();

    /** \return the number of the line that Next() gave last, from 1 */
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /** Report an error in the line that Next() gave last. */
    void Refuse(const std::string& what);
    /** Report an error in another line. */
    void Refuse(uint64_t line, const std::string& what);

    /** \throws InputError with all errors, or the first MOST_COMPLAINTS, if there are any */
    void Finish() const;

  private:
    std::istream& m_input;
    std::string m_name;
    uint64_t m_number{0};
    uint64_t m_complaints{0};
    std::vector<Diagnostic> m_diagnostics;
};

/** \return the fields of a line, which commas separate, without blanks or quotes around them */
std::vector<std::string> SplitCsv(const std::string& line);

/** \return the finite number that the whole text is; none if it is anything else */
std::optional<double> ParseReal(const std::string& text);

/** \return the whole number from \p least to \p most that the whole text is ("3", "3.0"); none if
 * it is anything else */
std::optional<uint64_t> ParseWhole(const std::string& text, uint64_t least, uint64_t most);

} // namespace ns3::ddl

#endif // DDL_TRACE_LINES_H
