// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NUMBERING_H
#define DDL_NUMBERING_H

#include "app/json/ddl-json-reader.h"
#include "ddl-job-keys.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3::ddl
{

/** Gives out the least numbers that are still free; complains about numbers given twice. */
template <typename Id>
class Numbering
{
  public:
    void Take(Id id, const std::string& what, const JsonObject& json)
    {
        if (id.value != NO_ID && !m_taken.insert(id.value).second)
        {
            json.Report(what + " " + std::to_string(id.value) + " is there twice");
        }
    }

    /** \return that number, or the least free one if it has been taken */
    Id GetFree(Id wanted)
    {
        return m_taken.insert(wanted.value).second ? wanted : GetFree();
    }

    Id GetFree()
    {
        while (!m_taken.insert(m_next).second)
        {
            ++m_next;
        }
        return Id{m_next};
    }

  private:
    std::set<uint32_t> m_taken;
    uint32_t m_next{1};
};

} // namespace ns3::ddl

#endif // DDL_NUMBERING_H
