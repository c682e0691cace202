// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERVICE_LEVEL_H
#define DDL_SERVICE_LEVEL_H

#include "ns3/callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace ddl
{

/** How many of given thresholds the bytes that a message has attained have reached. */
class ServiceLevel
{
  public:
    using ChangedCallback = Callback<void, uint32_t>; //!< argument: the new level

    /**
     * \param thresholds bytes, more than 0, ascending; none: nobody watches
     * \param changed called at each change of level, which is 0 before
     */
    void Watch(const std::vector<uint64_t>& thresholds, ChangedCallback changed);

    /** \param attained bytes; O(thresholds) */
    void Update(uint64_t attained);

  private:
    std::vector<uint64_t> m_thresholds;
    ChangedCallback m_changed;
    uint32_t m_level{0};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SERVICE_LEVEL_H
