// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-groups.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double NOTHING = 1e-9; //!< of a capacity: what rounding leaves over

} // namespace

FluidGroups::FluidGroups(const FluidPort& port)
    : m_port(&port),
      m_groups(port.shares.size())
{
}

void
FluidGroups::Clear()
{
    for (; m_used != 0; m_used &= m_used - 1)
    {
        m_groups[QueueScheduler::First(m_used)] = Group();
    }
}

uint32_t
FluidGroups::FindFirstLevel() const
{
    uint32_t level = std::numeric_limits<uint32_t>::max();
    for (QueueMask rest = m_used; rest != 0; rest &= rest - 1)
    {
        const uint32_t queue = QueueScheduler::First(rest);
        const bool isOpen = m_groups[queue].unsettled > 0;
        level = isOpen ? std::min(level, m_port->shares[queue].level) : level;
    }
    return level;
}

void
FluidGroups::Refresh()
{
    const uint32_t level = FindFirstLevel();
    double room = m_port->capacity; // that the level may use
    double weights = 0;             // of its open queues
    for (QueueMask rest = m_used; rest != 0; rest &= rest - 1)
    {
        const uint32_t queue = QueueScheduler::First(rest);
        Group& group = m_groups[queue];
        const QueueShare& share = m_port->shares[queue];
        const bool isOpen = share.level == level && group.unsettled > 0;
        weights += isOpen ? share.weight : 0;
        room -= isOpen ? 0 : group.held;
        group.share = -1;
    }
    for (QueueMask rest = m_used; rest != 0; rest &= rest - 1)
    {
        const uint32_t queue = QueueScheduler::First(rest);
        Group& group = m_groups[queue];
        const QueueShare& share = m_port->shares[queue];
        if (group.unsettled > 0 && share.level == level)
        {
            const double part = room * share.weight / weights - group.held;
            const bool isNothing = part <= NOTHING * m_port->capacity;
            group.share = isNothing ? 0 : part / group.unsettled;
        }
    }
}

double
FluidGroups::GetLeastShare() const
{
    double least = std::numeric_limits<double>::infinity();
    for (QueueMask rest = m_used; rest != 0; rest &= rest - 1)
    {
        const double share = m_groups[QueueScheduler::First(rest)].share;
        least = share >= 0 ? std::min(least, share) : least;
    }
    return least;
}

} // namespace ddl
} // namespace ns3
