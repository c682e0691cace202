// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-allocator.h"

#include "ddl-settle-fluids.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double NOTHING = 1e-9;    //!< of a capacity: what rounding leaves over
constexpr double SLACK = 1 - 1e-12; //!< shares that differ by rounding are equal

} // namespace

FluidAllocator::FluidAllocator(std::vector<FluidPort> ports)
    : m_specs(std::move(ports)),
      m_ports(m_specs.size())
{
}

const std::vector<double>&
FluidAllocator::Allocate(const FluidPaths& paths)
{
    m_paths = &paths;
    Clear(paths.size());
    Collect(paths);
    FillGroups(paths);
    for (const uint32_t port : m_used)
    {
        Refresh(port);
        Offer(port);
    }
    while (!m_candidates.empty())
    {
        std::pop_heap(m_candidates.begin(), m_candidates.end(), IsLater);
        const uint32_t port = m_candidates.back().second;
        m_candidates.pop_back();
        m_ports[port].isQueued = false;
        Examine(port);
    }
    if (m_left > 0)
    {
        Iterate();
    }
    m_paths = nullptr;
    return m_rates;
}

void
FluidAllocator::Clear(std::size_t streams)
{
    m_left = streams;
    m_rates.assign(streams, 0);
    m_settled.assign(streams, 0);
    for (const uint32_t port : m_used)
    {
        m_ports[port] = Port();
    }
    m_used.clear();
}

/** Sort the streams by port and queue. */
void
FluidAllocator::Collect(const FluidPaths& paths)
{
    for (const FluidPath* path : paths)
    {
        for (const FluidHop& hop : *path)
        {
            if (!m_ports[hop.port].isTouched)
            {
                m_ports[hop.port].isTouched = true;
                m_used.push_back(hop.port);
            }
            ++m_ports[hop.port].queues[hop.queue].size;
        }
    }
    uint32_t first = 0;
    for (const uint32_t port : m_used)
    {
        m_ports[port].isTouched = false;
        for (Group& group : m_ports[port].queues)
        {
            group.first = first;
            first += group.size;
        }
    }
    m_members.resize(first);
}

void
FluidAllocator::FillGroups(const FluidPaths& paths)
{
    for (uint32_t stream = 0; stream < paths.size(); ++stream)
    {
        for (const FluidHop& hop : *paths[stream])
        {
            Group& group = m_ports[hop.port].queues[hop.queue];
            m_members[group.first + group.unsettled++] = stream;
        }
    }
}

std::pair<double, double>
FluidAllocator::MeasureLevel(uint32_t port, uint32_t level) const
{
    const FluidPort& spec = m_specs[port];
    double room = spec.capacity;
    double weights = 0;
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        const Group& group = m_ports[port].queues[queue];
        const QueueShare& share = spec.shares[queue];
        const bool isOpen = share.level == level && group.unsettled > 0;
        weights += isOpen ? share.weight : 0;
        room -= isOpen ? 0 : group.held;
    }
    return {room, weights};
}

void
FluidAllocator::Refresh(uint32_t port)
{
    const QueueShares& shares = m_specs[port].shares;
    uint32_t level = std::numeric_limits<uint32_t>::max();
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        const bool isOpen = m_ports[port].queues[queue].unsettled > 0;
        level = isOpen ? std::min(level, shares[queue].level) : level;
    }
    const auto [room, weights] = MeasureLevel(port, level);
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        Group& group = m_ports[port].queues[queue];
        group.share = -1;
        if (group.unsettled > 0 && shares[queue].level == level)
        {
            const double part = room * shares[queue].weight / weights - group.held;
            const bool isNothing = part <= NOTHING * m_specs[port].capacity;
            group.share = isNothing ? 0 : part / group.unsettled;
        }
    }
}

bool
FluidAllocator::IsLater(const std::pair<double, uint32_t>& a, const std::pair<double, uint32_t>& b)
{
    return a > b;
}

/** Let a port be examined when its turn comes. */
void
FluidAllocator::Offer(uint32_t port)
{
    double least = std::numeric_limits<double>::infinity();
    for (const Group& group : m_ports[port].queues)
    {
        least = group.share >= 0 ? std::min(least, group.share) : least;
    }
    if (m_ports[port].isQueued || least == std::numeric_limits<double>::infinity())
    {
        return;
    }
    m_ports[port].isQueued = true;
    m_candidates.emplace_back(least, port);
    std::push_heap(m_candidates.begin(), m_candidates.end(), IsLater);
}

void
FluidAllocator::Examine(uint32_t port)
{
    const uint32_t obstacle = FindObstacle(port);
    if (obstacle != port)
    {
        m_ports[obstacle].waiters.push_back(port);
        return;
    }
    SettlePort(port);
    Spread();
}

uint32_t
FluidAllocator::FindObstacle(uint32_t port) const
{
    for (const Group& group : m_ports[port].queues)
    {
        const bool isOpen = group.unsettled > 0 && group.share > 0; // nothing need not wait
        for (uint32_t i = 0; isOpen && i < group.size; ++i)
        {
            const uint32_t obstacle = FindTighter(m_members[group.first + i], group.share, port);
            if (obstacle != port)
            {
                return obstacle;
            }
        }
    }
    return port;
}

uint32_t
FluidAllocator::FindTighter(uint32_t stream, double share, uint32_t port) const
{
    if (m_settled[stream])
    {
        return port;
    }
    for (const FluidHop& hop : *(*m_paths)[stream])
    {
        if (m_ports[hop.port].queues[hop.queue].share < share * SLACK)
        {
            return hop.port;
        }
    }
    return port;
}

/** The first level gets its shares, which fill the port, and the levels below nothing. */
void
FluidAllocator::SettlePort(uint32_t port)
{
    for (Group& group : m_ports[port].queues)
    {
        if (group.unsettled > 0)
        {
            SettleGroup(group, std::max(0.0, group.share));
        }
    }
}

void
FluidAllocator::SettleGroup(Group& group, double rate)
{
    for (uint32_t i = group.first; i < group.first + group.size; ++i)
    {
        if (!m_settled[m_members[i]])
        {
            Settle(m_members[i], rate);
        }
    }
}

void
FluidAllocator::Settle(uint32_t stream, double rate)
{
    m_settled[stream] = 1;
    m_rates[stream] = rate;
    --m_left;
    for (const FluidHop& hop : *(*m_paths)[stream])
    {
        Port& port = m_ports[hop.port];
        port.queues[hop.queue].held += rate;
        --port.queues[hop.queue].unsettled;
        if (!port.isTouched)
        {
            port.isTouched = true;
            m_touched.push_back(hop.port);
        }
    }
}

/** Ports at which something was settled give more, or another level is first. */
void
FluidAllocator::Spread()
{
    for (const uint32_t port : m_touched)
    {
        m_ports[port].isTouched = false;
        Refresh(port);
    }
    for (const uint32_t port : m_touched)
    {
        Offer(port);
        for (const uint32_t waiter : m_ports[port].waiters)
        {
            Offer(waiter);
        }
        m_ports[port].waiters.clear();
    }
    m_touched.clear();
}

/** Ports wait for each other: find stable rates of the rest step by step. */
void
FluidAllocator::Iterate()
{
    const SettledFluids settled = SettleFluids(m_specs, *m_paths, m_settled, m_rates);
    m_iterated += m_left;
    m_compromises += settled.isStable ? 0 : m_left;
    m_rates = settled.rates;
}

} // namespace ddl
} // namespace ns3
