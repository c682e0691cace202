// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_COMPLAINTS_H
#define DDL_GRAPH_COMPLAINTS_H

#include "ns3/ddl-error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What is wrong with a graph or its files. However much it is, memory and messages are bounded. */
class GraphComplaints
{
  public:
    static constexpr std::size_t MOST = 20; //!< complaints that are kept

    /**
     * \param file name of the file
     * \param place place in the file: "line 3", "rank 2, node 17", or ""
     * \param what what is wrong, and what is allowed
     */
    void Add(const std::string& file, const std::string& place, const std::string& what)
    {
        ++m_count;
        if (m_kept.size() < MOST)
        {
            m_kept.push_back({file, place, what});
        }
    }

    /** \return whether nothing is wrong */
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    /** \return the complaints that are kept, and if there are more, how many are not */
    std::vector<Diagnostic> GetAll() const
    {
        auto all = m_kept;
        if (m_count > all.size())
        {
            all.push_back(
                {"", "", std::to_string(m_count - m_kept.size()) + " more errors are not listed"});
        }
        return all;
    }

    /** \throws InputError if anything is wrong */
    void Finish() const
    {
        if (!IsEmpty())
        {
            throw InputError(GetAll());
        }
    }

  private:
    std::vector<Diagnostic> m_kept;
    uint64_t m_count{0};
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_COMPLAINTS_H
