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

constexpr double SLACK = 1 - 1e-12; //!< shares that differ by rounding are equal

} // namespace

FluidAllocator::FluidAllocator(std::vector<FluidPort> ports)
    : m_specs(std::move(ports)),
      m_ports(m_specs.begin(), m_specs.end())
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
        m_ports[port].groups.Refresh();
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
        Port& used = m_ports[port];
        used.groups.Clear();
        used.waiters.clear();
        used.isQueued = false;
        used.isTouched = false;
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
            ++m_ports[hop.port].groups.Use(hop.queue).size;
        }
    }
    uint32_t first = 0;
    for (const uint32_t port : m_used)
    {
        m_ports[port].isTouched = false;
        for (QueueMask rest = m_ports[port].groups.GetUsed(); rest != 0; rest &= rest - 1)
        {
            Group& group = m_ports[port].groups.Get(QueueScheduler::First(rest));
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
            Group& group = m_ports[hop.port].groups.Get(hop.queue);
            m_members[group.first + group.unsettled++] = stream;
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
    const double least = m_ports[port].groups.GetLeastShare();
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
    const FluidGroups& groups = m_ports[port].groups;
    for (QueueMask rest = groups.GetUsed(); rest != 0; rest &= rest - 1)
    {
        const Group& group = groups.Get(QueueScheduler::First(rest));
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
        if (m_ports[hop.port].groups.Get(hop.queue).share < share * SLACK)
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
    FluidGroups& groups = m_ports[port].groups;
    for (QueueMask rest = groups.GetUsed(); rest != 0; rest &= rest - 1)
    {
        Group& group = groups.Get(QueueScheduler::First(rest));
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
        Group& group = port.groups.Get(hop.queue);
        group.held += rate;
        --group.unsettled;
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
        m_ports[port].groups.Refresh();
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
