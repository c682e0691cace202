// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dscp-map.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-priority.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3::ddl
{

DscpMap::DscpMap(uint32_t queues)
    : m_queues(queues)
{
    if (queues < 1 || queues > UNLIMITED_QUEUES)
    {
        throw InputError("a port has 1 to 63 queues, not " + std::to_string(queues));
    }
    m_queue.fill(static_cast<uint8_t>(queues - 1));
    for (uint32_t queue = FIRST_PRIORITY; queue < queues; ++queue)
    {
        m_queue[QueueToCodepoint(queue)] = static_cast<uint8_t>(queue);
    }
    m_queue[CONTROL_DSCP] = CONTROL_QUEUE;
}

void
DscpMap::Set(uint32_t dscp, uint32_t queue)
{
    if (dscp >= CODEPOINTS || queue >= m_queues)
    {
        throw InputError("DSCP " + std::to_string(dscp) + " -> queue " + std::to_string(queue) +
                         ": codepoints are 0 to 63, queues of this port 0 to " +
                         std::to_string(m_queues - 1));
    }
    m_queue[dscp] = static_cast<uint8_t>(queue);
}

std::shared_ptr<const DscpMap>
DscpMap::Share(const DscpMap& map)
{
    static std::vector<std::weak_ptr<const DscpMap>> shared;
    for (const auto& entry : shared)
    {
        const auto known = entry.lock();
        if (known && *known == map)
        {
            return known;
        }
    }
    const auto isGone = [](const auto& entry) { return entry.expired(); };
    shared.erase(std::remove_if(shared.begin(), shared.end(), isGone), shared.end());
    const auto made = std::make_shared<const DscpMap>(map);
    shared.push_back(made);
    return made;
}

} // namespace ns3::ddl
