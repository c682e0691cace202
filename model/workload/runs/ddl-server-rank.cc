// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-server-rank.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlServerRank");

bool
ServerRank::IsReadyFor(uint64_t iteration) const
{
    return iteration < m_known;
}

void
ServerRank::DoGrant()
{
    // Later iterations, which have no progress yet, are ready when they begin.
    const uint64_t begin = std::max(m_known, GetOldest());
    m_known = std::max(m_known, GetGranted()); // workers may have to stop earlier, servers serve
    for (uint64_t iteration = begin; iteration < std::min(m_seen, m_known); ++iteration)
    {
        SetReady(iteration);
    }
    RetireFinished();
}

void
ServerRank::DoArrive(uint64_t iteration)
{
    m_seen = std::max(m_seen, iteration + 1);
    RetireFinished();
}

void
ServerRank::DoAcknowledged(uint64_t /* iteration */)
{
    RetireFinished();
}

void
ServerRank::RetireFinished()
{
    while (GetOldest() < m_seen && At(GetOldest()).inbound == 0 &&
           At(GetOldest()).ready == GetBuckets() && At(GetOldest()).unsent == 0)
    {
        Retire();
    }
}

} // namespace ns3::ddl
