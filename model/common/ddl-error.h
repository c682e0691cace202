// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ERROR_H
#define DDL_ERROR_H

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** One error in the user's input, with its place. */
struct Diagnostic
{
    std::string where;   //!< "file:line", "--set", or empty
    std::string pointer; //!< JSON pointer ("/cluster/ports/queues"), or empty
    std::string what; //!< what is wrong, what is allowed, and "did you mean X?" where there is one

    /** \return "where: pointer: what", empty parts left out */
    std::string ToString() const;
};

/** Bad input: exit status 2. Carries everything that is wrong, in the order of the input. */
class InputError : public std::runtime_error
{
  public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    /** \param what a single complaint without a place */
    explicit InputError(const std::string& what);

    const std::vector<Diagnostic>& GetDiagnostics() const
    {
        return m_diagnostics;
    }

  private:
    std::vector<Diagnostic> m_diagnostics;
};

/** The simulation itself failed (folder not writable, disk full, work left over): exit status 1. */
class RunError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * \param given what the user wrote
 * \param legal the names that the user could have meant
 * \return the legal name with the least edit distance, or "" when none is near
 *         (distance above a third of the longer name's length, and never 0-length)
 */
std::string NearestName(const std::string& given, const std::vector<std::string>& legal);

/** \return the text in quotes, escaped and cut to a length that fits in a message */
std::string QuoteText(const std::string& text);

/** \return the names in one line: "a, b, c" */
std::string JoinNames(const std::vector<std::string>& names);

} // namespace ns3::ddl

#endif // DDL_ERROR_H
