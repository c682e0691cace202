// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-allocator.h"

#include <algorithm>
#include <functional>

namespace ns3::ddl
{

namespace
{

constexpr double NOTHING = 1e-9;    //!< rate that rounding may leave over, per capacity
constexpr double SLACK = 1 - 1e-12; //!< factor within which shares are equal, for rounding
constexpr double INFINITE = std::numeric_limits<double>::infinity();

} // namespace

FluidAllocator::FluidAllocator(const std::vector<FluidPort>& ports, FluidContention contention)
    : m_contention(contention)
{
    m_ports.reserve(ports.size());
    for (const FluidPort& spec : ports)
    {
        Port port;
        port.full = spec.capacity;
        port.capacity = spec.capacity;
        port.first = static_cast<uint32_t>(m_groups.size());
        for (const QueueShare& share : spec.shares)
        {
            Group group;
            group.level = share.level;
            group.weight = share.weight;
            m_groups.push_back(std::move(group));
        }
        m_scale = std::max(m_scale, spec.capacity);
        m_ports.push_back(std::move(port));
    }
}

FluidAllocator::Stream
FluidAllocator::Add(const FluidPath& path)
{
    auto stream = static_cast<Stream>(m_streams.size());
    if (m_free.empty())
    {
        m_streams.emplace_back();
    }
    else
    {
        std::pop_heap(m_free.begin(), m_free.end(), std::greater<>());
        stream = m_free.back();
        m_free.pop_back();
    }
    m_streams[stream].isNew = true;
    Link(stream, path);
    return stream;
}

void
FluidAllocator::Move(Stream stream, const FluidPath& path)
{
    Unlink(stream);
    Link(stream, path);
}

void
FluidAllocator::Remove(Stream stream)
{
    Unlink(stream);
    Entry& entry = m_streams[stream];
    m_iteratedNow -= entry.isIterated ? 1 : 0;
    entry.isIterated = false;
    entry.rate = 0;
    m_free.push_back(stream);
    std::push_heap(m_free.begin(), m_free.end(), std::greater<>());
}

void
FluidAllocator::SetCapacity(uint32_t port, double capacity)
{
    m_ports[port].full = capacity;
    m_ports[port].capacity = capacity;
    m_scale = 0;
    for (const Port& each : m_ports)
    {
        m_scale = std::max(m_scale, each.full);
    }
    MarkDirty(port, 0);
}

void
FluidAllocator::Link(Stream stream, const FluidPath& path)
{
    std::vector<Hop>& hops = m_streams[stream].hops;
    hops.clear();
    for (const FluidHop& hop : path)
    {
        Port& port = m_ports[hop.port];
        Group& group = m_groups[port.first + hop.queue];
        port.used |= QueueBit(hop.queue);
        hops.push_back({hop.port,
                        port.first + hop.queue,
                        static_cast<uint32_t>(group.members.size()),
                        hop.part});
        group.split += hop.part != 1 ? 1 : 0;
        group.members.push_back({stream, static_cast<uint32_t>(hops.size() - 1)});
        MarkDirty(hop.port, group.level);
    }
}

/** Take a stream out of its queues. Without a rate, it changes no other rate, unless other streams'
 * bounds depended on it. */
void
FluidAllocator::Unlink(Stream stream)
{
    const Entry& entry = m_streams[stream];
    const bool isMissed = entry.rate > 0 || m_iteratedNow > 0 || m_contention.HasCost();
    for (const Hop& hop : entry.hops)
    {
        Group& group = m_groups[hop.group];
        const Member last = group.members.back();
        group.members[hop.slot] = last;
        m_streams[last.stream].hops[last.hop].slot = hop.slot;
        group.members.pop_back();
        group.split -= hop.part != 1 ? 1 : 0;
        if (group.members.empty())
        {
            m_ports[hop.port].used &= ~QueueBit(hop.group - m_ports[hop.port].first);
            group.held = 0;
        }
        if (isMissed)
        {
            MarkDirty(hop.port, group.level);
        }
    }
}

void
FluidAllocator::MarkDirty(uint32_t index, uint32_t level)
{
    Port& port = m_ports[index];
    if (level >= port.dirty)
    {
        return;
    }
    if (port.dirty == NONE)
    {
        m_dirty.push_back(index);
    }
    port.dirty = level;
    if (!port.isCollecting)
    {
        port.isCollecting = true;
        m_work.push_back(index);
    }
}

const std::vector<FluidAllocator::Stream>&
FluidAllocator::Update()
{
    m_changed.clear();
    if (m_dirty.empty())
    {
        return m_changed;
    }
    ApplyContention();
    Collect();
    Prepare();
    Fill();
    if (m_left > 0)
    {
        Iterate();
    }
    Publish();
    return m_changed;
}

/** Recompute the loss by sharing at the dirty ports; streams came or went only there. */
void
FluidAllocator::ApplyContention()
{
    for (std::size_t i = 0; m_contention.HasCost() && i < m_dirty.size(); ++i)
    {
        Port& port = m_ports[m_dirty[i]];
        uint32_t first = NONE;
        std::size_t sharers = 0;
        ForEachGroup(port, [&](const Group& group) {
            sharers = group.level < first ? 0 : sharers;
            first = std::min(first, group.level);
            sharers += group.level == first ? group.members.size() : 0;
        });
        const double capacity = port.full * m_contention.GetPart(sharers);
        if (capacity != port.capacity)
        {
            port.capacity = capacity;
            MarkDirty(m_dirty[i], 0);
        }
    }
}

/** Find all streams that the changes may reach. */
void
FluidAllocator::Collect()
{
    m_anew.clear();
    for (std::size_t i = 0; i < m_work.size(); ++i)
    {
        Port& port = m_ports[m_work[i]];
        port.isCollecting = false;
        const uint32_t from = port.dirty;
        const uint32_t to = port.collected;
        port.collected = from;
        ForEachGroup(port, [&](const Group& group) {
            for (std::size_t m = 0;
                 group.level >= from && group.level < to && m < group.members.size();
                 ++m)
            {
                Take(group.members[m].stream);
            }
        });
    }
    m_work.clear();
    m_computed += m_anew.size();
}

void
FluidAllocator::Take(Stream stream)
{
    Entry& entry = m_streams[stream];
    if (!entry.isAnew)
    {
        entry.isAnew = true;
        m_anew.push_back(stream);
        for (const Hop& hop : entry.hops)
        {
            MarkDirty(hop.port, m_groups[hop.group].level);
        }
    }
}

void
FluidAllocator::Prepare()
{
    m_left = m_anew.size();
    m_rates.resize(m_streams.size());
    for (const Stream stream : m_anew)
    {
        Entry& entry = m_streams[stream];
        entry.isSettled = false;
        m_iteratedNow -= entry.isIterated ? 1 : 0;
        entry.isIterated = false;
    }
    for (const uint32_t index : m_dirty)
    {
        Port& port = m_ports[index];
        port.isStale = true;
        port.room = port.capacity;
        ForEachGroup(port, [this, &port](Group& group) {
            if (group.level < port.dirty)
            {
                port.room -= group.held;
                return;
            }
            group.held = 0;
            group.unsettled = static_cast<uint32_t>(group.members.size());
            group.load = group.unsettled;
            if (group.split > 0)
            {
                group.load = 0;
                for (const Member& member : group.members)
                {
                    group.load += m_streams[member.stream].hops[member.hop].part;
                }
            }
        });
    }
}

void
FluidAllocator::Fill()
{
    for (const uint32_t port : m_dirty)
    {
        Offer(port);
    }
    while (!m_candidates.empty())
    {
        const auto [key, port] = m_candidates.front();
        std::pop_heap(m_candidates.begin(), m_candidates.end(), IsLater);
        m_candidates.pop_back();
        m_ports[port].isQueued = false;
        const bool wasStale = m_ports[port].isStale;
        const double least = wasStale ? GetLeastShare(port) : key;
        if (wasStale && !m_candidates.empty() && least > m_candidates.front().first)
        {
            Offer(port); // its turn comes later
        }
        else if (least < INFINITE)
        {
            Examine(port);
        }
    }
}

/** Find the first level with unsettled streams, and what it gives. O(queues in use). */
void
FluidAllocator::Refresh(Port& port)
{
    port.isStale = false;
    port.checkedQueue = 0;
    port.checkedMember = 0;
    uint32_t level = NONE;
    double weights = 0; // sum of the weights of the level's open queues
    ForEachGroup(port, [&](const Group& group) {
        if (group.level >= port.dirty && group.unsettled > 0)
        {
            weights = group.level < level ? 0 : weights;
            level = std::min(level, group.level);
            weights += group.level == level ? group.weight : 0;
        }
    });
    double room = port.room; // the capacity that the level may use
    ForEachGroup(port, [&](Group& group) {
        const bool isOpen = group.level == level && group.unsettled > 0;
        room -= isOpen || group.level < port.dirty ? 0 : group.held;
        group.share = -1;
    });
    ForEachGroup(port, [&](Group& group) {
        if (group.level == level && group.unsettled > 0)
        {
            const double part = room * group.weight / weights - group.held;
            const bool isNothing = part <= NOTHING * port.capacity;
            group.share = isNothing ? 0 : part / group.load;
        }
    });
}

/** \return the least share of all groups that have one; infinity when none has */
double
FluidAllocator::GetLeastShare(uint32_t index)
{
    Port& port = m_ports[index];
    if (port.isStale)
    {
        Refresh(port);
    }
    double least = INFINITE;
    ForEachGroup(port, [&](const Group& group) {
        const bool isOpen = group.level >= port.dirty && group.unsettled > 0 && group.share >= 0;
        least = isOpen ? std::min(least, group.share) : least;
    });
    return least;
}

bool
FluidAllocator::IsLater(const std::pair<double, uint32_t>& a, const std::pair<double, uint32_t>& b)
{
    return a > b;
}

/** Queue a port to be examined, by its least share. */
void
FluidAllocator::Offer(uint32_t port)
{
    if (m_ports[port].isQueued)
    {
        return; // queued with a share no greater than its present one, or examined again later
    }
    const double least = GetLeastShare(port);
    if (least < INFINITE)
    {
        m_ports[port].isQueued = true;
        m_candidates.emplace_back(least, port);
        std::push_heap(m_candidates.begin(), m_candidates.end(), IsLater);
    }
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
FluidAllocator::FindObstacle(uint32_t index)
{
    Port& port = m_ports[index];
    const QueueMask before = QueueBit(port.checkedQueue) - 1;
    for (QueueMask rest = port.used & ~before; rest != 0; rest &= rest - 1)
    {
        const uint32_t queue = QueueScheduler::First(rest);
        const Group& group = m_groups[port.first + queue];
        const bool isOpen = group.level >= port.dirty && group.unsettled > 0 &&
                            group.share > 0; // a share of nothing need not wait
        const uint32_t from = queue == port.checkedQueue ? port.checkedMember : 0;
        for (uint32_t i = from; isOpen && i < group.members.size(); ++i)
        {
            const uint32_t obstacle = FindTighter(group.members[i].stream, group.share, index);
            if (obstacle != index)
            {
                port.checkedQueue = queue; // shares elsewhere only grow: earlier ones stay clear
                port.checkedMember = i;
                return obstacle;
            }
        }
    }
    return index;
}

uint32_t
FluidAllocator::FindTighter(Stream stream, double share, uint32_t port)
{
    const Entry& entry = m_streams[stream];
    if (entry.isSettled)
    {
        return port;
    }
    for (const Hop& hop : entry.hops)
    {
        if (hop.port == port)
        {
            continue;
        }
        if (m_ports[hop.port].isStale)
        {
            Refresh(m_ports[hop.port]);
        }
        if (m_groups[hop.group].share < share * SLACK)
        {
            return hop.port;
        }
    }
    return port;
}

/** Settle the streams of the first level at their shares, which fill the port, and those of later
 * levels at 0. */
void
FluidAllocator::SettlePort(uint32_t index)
{
    Port& port = m_ports[index];
    ForEachGroup(port, [&](Group& group) {
        const double rate = std::max(0.0, group.share);
        for (std::size_t i = 0;
             group.level >= port.dirty && group.unsettled > 0 && i < group.members.size();
             ++i)
        {
            if (!m_streams[group.members[i].stream].isSettled)
            {
                Settle(group.members[i].stream, rate);
            }
        }
    });
}

void
FluidAllocator::Settle(Stream stream, double rate)
{
    m_streams[stream].isSettled = true;
    m_rates[stream] = rate;
    --m_left;
    for (const Hop& hop : m_streams[stream].hops)
    {
        Port& port = m_ports[hop.port];
        Group& group = m_groups[hop.group];
        group.held += rate * hop.part;
        group.load -= hop.part;
        --group.unsettled;
        port.isStale = true;
        if (!port.isTouched)
        {
            port.isTouched = true;
            m_touched.push_back(hop.port);
        }
    }
}

/** Queue the ports at which streams were settled: they give more now, or another level is first. */
void
FluidAllocator::Spread()
{
    for (const uint32_t index : m_touched)
    {
        Port& port = m_ports[index];
        port.isTouched = false;
        Offer(index);
        for (const uint32_t waiter : port.waiters)
        {
            Offer(waiter);
        }
        port.waiters.clear();
    }
    m_touched.clear();
}

/** Find stable rates of the unsettled streams by iteration, as their ports wait for each other. */
void
FluidAllocator::Iterate()
{
    for (const Stream stream : m_anew)
    {
        if (!m_streams[stream].isSettled)
        {
            IteratePart(stream);
        }
    }
}

/** Find the rates of all unsettled streams that are connected with \p first. */
void
FluidAllocator::IteratePart(Stream first)
{
    FindPart(first);
    std::sort(m_part.begin(),
              m_part.end()); // so that the answer does not depend on the order of the search
    std::sort(m_partPorts.begin(), m_partPorts.end());
    if (HasSplit())
    {
        SettleRoughly();
        return;
    }
    m_stuck.Clear();
    for (std::size_t i = 0; i < m_part.size(); ++i)
    {
        const Entry& entry = m_streams[m_part[i]];
        m_stuck.before.push_back(entry.isNew ? StuckFluids::NEW : entry.rate);
        m_rates[m_part[i]] = static_cast<double>(i); // its index in m_part, until the rate is known
    }
    for (const uint32_t port : m_partPorts)
    {
        AddStuckPort(m_ports[port]);
    }
    m_stuck.Finish();
    const SettledFluids settled = SettleFluids(m_stuck, m_scale);
    m_iterated += m_part.size();
    m_iteratedNow += m_part.size();
    m_compromises += settled.isStable ? 0 : m_part.size();
    for (std::size_t i = 0; i < m_part.size(); ++i)
    {
        Settle(m_part[i], settled.rates[i]);
    }
    for (const uint32_t port : m_touched)
    {
        m_ports[port].isTouched = false;
    }
    m_touched.clear();
}

/** \return whether a stream of m_part takes several paths */
bool
FluidAllocator::HasSplit() const
{
    return std::any_of(m_part.begin(), m_part.end(), [this](Stream stream) {
        const auto& hops = m_streams[stream].hops;
        return std::any_of(hops.begin(), hops.end(), [](const Hop& hop) { return hop.part != 1; });
    });
}

/** Settle the streams of m_part at rates that fit, equal shares of what is left at each port: a
 * compromise, without regard to levels and weights, that may leave capacity over. */
void
FluidAllocator::SettleRoughly()
{
    std::vector<double> rates;
    for (const Stream stream : m_part)
    {
        double rate = INFINITE;
        for (const Hop& hop : m_streams[stream].hops)
        {
            Port& port = m_ports[hop.port];
            double room = port.room;
            double load = 0;
            ForEachGroup(port, [&](const Group& group) {
                const bool isAnew = group.level >= port.dirty;
                room -= isAnew ? group.held : 0;
                load += isAnew && group.unsettled > 0 ? group.load : 0;
            });
            rate = std::min(rate, std::max(0.0, room) / load);
        }
        rates.push_back(rate);
    }
    m_iterated += m_part.size();
    m_iteratedNow += m_part.size();
    m_compromises += m_part.size();
    for (std::size_t i = 0; i < m_part.size(); ++i)
    {
        Settle(m_part[i], rates[i]);
    }
    for (const uint32_t port : m_touched)
    {
        m_ports[port].isTouched = false;
    }
    m_touched.clear();
}

/** Fill m_part and m_partPorts with what is connected with \p first. Streams in m_part are marked
 * as settled by iteration. */
void
FluidAllocator::FindPart(Stream first)
{
    const auto take = [this](Stream stream) {
        Entry& entry = m_streams[stream];
        if (!entry.isSettled)
        {
            entry.isSettled = true;
            entry.isIterated = true;
            m_part.push_back(stream);
        }
    };
    m_part.clear();
    m_partPorts.clear();
    take(first);
    for (std::size_t i = 0; i < m_part.size(); ++i)
    {
        for (const Hop& hop : m_streams[m_part[i]].hops)
        {
            Port& port = m_ports[hop.port];
            if (port.isInPart)
            {
                continue;
            }
            port.isInPart = true;
            m_partPorts.push_back(hop.port);
            ForEachGroup(port, [&](const Group& group) {
                const bool isOpen = group.level >= port.dirty && group.unsettled > 0;
                for (std::size_t m = 0; isOpen && m < group.members.size(); ++m)
                {
                    take(group.members[m].stream);
                }
            });
        }
    }
    for (const uint32_t port : m_partPorts)
    {
        m_ports[port].isInPart = false;
    }
}

/** Append a port of m_partPorts to m_stuck, with all rates that are settled there. */
void
FluidAllocator::AddStuckPort(const Port& port)
{
    m_stuck.ports.push_back({port.capacity, static_cast<uint32_t>(m_stuck.queues.size())});
    m_stuckGroups.clear();
    for (QueueMask rest = port.used; rest != 0; rest &= rest - 1)
    {
        m_stuckGroups.push_back(port.first + QueueScheduler::First(rest));
    }
    std::stable_sort(m_stuckGroups.begin(), m_stuckGroups.end(), [this](uint32_t a, uint32_t b) {
        return m_groups[a].level < m_groups[b].level;
    });
    for (const uint32_t index : m_stuckGroups)
    {
        const Group& group = m_groups[index];
        const auto settled = static_cast<uint32_t>(m_stuck.settled.size());
        m_stuck.queues.push_back(
            {group.level, group.weight, settled, static_cast<uint32_t>(m_stuck.seekers.size())});
        if (group.level < port.dirty || group.unsettled == 0)
        {
            m_stuck.settled.push_back(group.held);
            continue;
        }
        for (const Member& member : group.members)
        {
            if (m_streams[member.stream].isIterated)
            {
                m_stuck.seekers.push_back(static_cast<uint32_t>(m_rates[member.stream]));
            }
            else
            {
                m_stuck.settled.push_back(m_rates[member.stream]);
            }
        }
        std::sort(m_stuck.settled.begin() + settled, m_stuck.settled.end());
    }
}

void
FluidAllocator::Publish()
{
    for (const Stream stream : m_anew)
    {
        Entry& entry = m_streams[stream];
        entry.isAnew = false;
        entry.isNew = false;
        if (m_rates[stream] != entry.rate)
        {
            entry.rate = m_rates[stream];
            m_changed.push_back(stream);
        }
    }
    for (const uint32_t index : m_dirty)
    {
        Port& port = m_ports[index];
        port.dirty = NONE;
        port.collected = NONE;
        port.isStale = false;
        port.waiters.clear();
    }
    m_dirty.clear();
}

} // namespace ns3::ddl
