// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPLAINTS_H
#define DDL_COMPLAINTS_H

#include "ns3/ddl-error.h"

#include <functional>
#include <vector>

namespace ns3
{
namespace ddl
{

/** Gathers complaints, so that a user sees all of them at once. */
class Complaints
{
  public:
    /** Do one thing, and keep its complaint for later. */
    void Try(const std::function<void()>& work)
    {
        try
        {
            work();
        }
        catch (const InputError& error)
        {
            const auto& more = error.GetDiagnostics();
            m_all.insert(m_all.end(), more.begin(), more.end());
        }
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

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPLAINTS_H
