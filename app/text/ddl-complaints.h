// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPLAINTS_H
#define DDL_COMPLAINTS_H

#include "ns3/ddl-error.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** Collects what is wrong with the user's input, so that all of it is reported at once. */
class Complaints
{
  public:
    /** Do one thing; if it throws an InputError, keep its complaints for later. */
    void Try(const std::function<void()>& work)
    {
        try
        {
            work();
        }
        catch (const InputError& error)
        {
            Add(error.GetDiagnostics());
        }
    }

    /** Keep these for later. */
    void Add(const std::vector<Diagnostic>& more)
    {
        m_all.insert(m_all.end(), more.begin(), more.end());
    }

    bool IsEmpty() const
    {
        return m_all.empty();
    }

    /** \throws InputError if anything was wrong */
    void Throw() const
    {
        if (!m_all.empty())
        {
            throw InputError(m_all);
        }
    }

  private:
    std::vector<Diagnostic> m_all;
};

/**
 * \param given a name that is not legal
 * \param legal what it could have been
 * \param quote what stands around the name
 * \return `; did you mean "NAME"?` with the nearest legal name, or "" when none is near
 */
inline std::string
SuggestName(const std::string& given,
            const std::vector<std::string>& legal,
            const std::string& quote = "\"")
{
    const std::string nearest = NearestName(given, legal);
    return nearest.empty() ? "" : "; did you mean " + quote + nearest + quote + "?";
}

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPLAINTS_H
