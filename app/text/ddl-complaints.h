// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPLAINTS_H
#define DDL_COMPLAINTS_H

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Collects what is wrong with the user's input, so that all of it is reported at once. */
class Complaints
{
  public:
    /** Call a function; if it throws an InputError, keep its complaints for later. */
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

    /** Keep complaints for later. */
    void Add(const std::vector<Diagnostic>& more)
    {
        m_all.insert(m_all.end(), more.begin(), more.end());
    }

    bool IsEmpty() const
    {
        return m_all.empty();
    }

    /** \throws InputError with all complaints, if there are any */
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

} // namespace ns3::ddl

#endif // DDL_COMPLAINTS_H
