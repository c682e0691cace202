// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-service-level.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

void
ServiceLevel::Watch(const std::vector<uint64_t>& thresholds, ChangedCallback changed)
{
    NS_ABORT_MSG_UNLESS(std::is_sorted(thresholds.begin(), thresholds.end()),
                        "the thresholds of a service level do not ascend");
    m_thresholds = thresholds;
    m_changed = changed;
    m_level = 0;
}

void
ServiceLevel::Update(uint64_t attained)
{
    uint32_t level = 0;
    while (level < m_thresholds.size() && m_thresholds[level] <= attained)
    {
        ++level;
    }
    if (level != m_level)
    {
        m_level = level;
        const ChangedCallback changed = m_changed; // which may stop the watching
        changed(level);
    }
}

} // namespace ddl
} // namespace ns3
