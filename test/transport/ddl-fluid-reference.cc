// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::ddl
{

namespace
{

using PerQueue = std::vector<double>;

/**
 * Weighted max-min of one level: what a queue gets that wants everything, while the others of its
 * level want what they want.
 */
double
ShareOfGreedy(uint32_t greedy, const QueueShares& shares, const PerQueue& wanted, double room)
{
    double weights = 0;
    std::array<uint32_t, UNLIMITED_QUEUES> order{};
    uint32_t count = 0;
    for (uint32_t queue = 0; queue < shares.size(); ++queue)
    {
        if (queue != greedy && shares[queue].level == shares[greedy].level && wanted[queue] > 0)
        {
            order[count++] = queue;
            weights += shares[queue].weight;
        }
    }
    weights += shares[greedy].weight;
    const auto demand = [&](uint32_t queue) { return wanted[queue] / shares[queue].weight; };
    std::sort(order.begin(), order.begin() + count, [&](uint32_t a, uint32_t b) {
        return demand(a) < demand(b);
    });
    for (uint32_t i = 0; i < count && demand(order[i]) * weights < room; ++i)
    {
        room -= wanted[order[i]]; // satisfied below the level of the rest
        weights -= shares[order[i]].weight;
    }
    return room * shares[greedy].weight / weights;
}

/** \return x so that all but one, each up to x, and x itself fill the room */
double
LevelForOne(const std::vector<double>& sorted,
            const std::vector<double>& sums,
            std::size_t one,
            double room)
{
    const std::size_t n = sorted.size();
    // The answer for a number k of streams, from the smallest, that stay below the level.
    const auto level = [&](std::size_t k) {
        const bool isBelow = one < k;
        const double below = sums[k] - (isBelow ? sorted[one] : 0);
        const std::size_t others = k - (isBelow ? 1 : 0);
        return (room - below) / static_cast<double>(n - others);
    };
    std::size_t low = 0;
    std::size_t high = n;
    while (low < high) // the first k at which the next stream is not below the level
    {
        const std::size_t k = (low + high) / 2;
        if (sorted[k] < level(k))
        {
            low = k + 1;
        }
        else
        {
            high = k;
        }
    }
    return std::max(0.0, level(low));
}

} // namespace

ReferenceOffers::ReferenceOffers(const std::vector<FluidPort>& ports, const FluidPaths& paths)
    : m_ports(ports),
      m_count(paths.size())
{
    std::vector<uint32_t> index(ports.size(), std::numeric_limits<uint32_t>::max());
    for (uint32_t stream = 0; stream < paths.size(); ++stream)
    {
        for (const FluidHop& hop : *paths[stream])
        {
            if (index[hop.port] >= m_users.size())
            {
                index[hop.port] = static_cast<uint32_t>(m_users.size());
                m_users.emplace_back();
                m_users.back().port = hop.port;
                m_users.back().streams.resize(ports[hop.port].shares.size());
            }
            m_users[index[hop.port]].streams[hop.queue].push_back(stream);
        }
    }
}

std::vector<double>
ReferenceOffers::Compute(const std::vector<double>& rates)
{
    m_offers.assign(m_count, std::numeric_limits<double>::infinity());
    for (Users& users : m_users)
    {
        OfferAtPort(users, rates);
    }
    return m_offers;
}

void
ReferenceOffers::OfferAtPort(Users& users, const std::vector<double>& rates)
{
    PerQueue wanted(users.streams.size(), 0);
    for (uint32_t queue = 0; queue < wanted.size(); ++queue)
    {
        for (const uint32_t stream : users.streams[queue])
        {
            wanted[queue] += rates[stream];
        }
    }
    for (uint32_t queue = 0; queue < wanted.size(); ++queue)
    {
        if (!users.streams[queue].empty())
        {
            const double room = ShareOfQueue(queue, m_ports[users.port], wanted);
            OfferInQueue(users.streams[queue], room, rates);
        }
    }
}

double
ReferenceOffers::ShareOfQueue(uint32_t queue, const FluidPort& port, const PerQueue& wanted)
{
    double left = port.capacity;
    for (uint32_t other = 0; other < wanted.size(); ++other)
    {
        left -= port.shares[other].level < port.shares[queue].level ? wanted[other] : 0;
    }
    return left > 0 ? ShareOfGreedy(queue, port.shares, wanted, left) : 0;
}

void
ReferenceOffers::OfferInQueue(std::vector<uint32_t>& streams,
                              double room,
                              const std::vector<double>& rates)
{
    std::sort(streams.begin(), streams.end(), [&rates](uint32_t a, uint32_t b) {
        return rates[a] != rates[b] ? rates[a] < rates[b] : a < b;
    });
    std::vector<double> sorted(streams.size());
    std::transform(streams.begin(), streams.end(), sorted.begin(), [&rates](uint32_t stream) {
        return rates[stream];
    });
    std::vector<double> sums(streams.size() + 1, 0);
    std::partial_sum(sorted.begin(), sorted.end(), sums.begin() + 1);
    for (std::size_t i = 0; i < streams.size(); ++i)
    {
        double& offer = m_offers[streams[i]];
        offer = std::min(offer, LevelForOne(sorted, sums, i, room));
    }
}

namespace
{

using Rates = std::vector<double>;

constexpr uint32_t MOST_BOUNDS = 100; //!< rounds of narrowing the bounds
constexpr uint32_t MOST_STEPS = 1000; //!< half-way steps between them
constexpr double TOLERANCE = 1e-13;   //!< of the largest capacity

double
Distance(const Rates& a, const Rates& b)
{
    double distance = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        distance = std::max(distance, std::abs(a[i] - b[i]));
    }
    return distance;
}

Rates
Middle(const Rates& a, const Rates& b)
{
    Rates middle(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        middle[i] = (a[i] + b[i]) / 2;
    }
    return middle;
}

/** F for the streams whose rates are sought; the others keep theirs. */
class Image
{
  public:
    Image(const std::vector<FluidPort>& ports,
          const FluidPaths& paths,
          const std::vector<char>& isFixed)
        : m_offers(ports, paths),
          m_isFixed(isFixed)
    {
    }

    Rates Of(const Rates& rates)
    {
        Rates image = m_offers.Compute(rates);
        for (std::size_t i = 0; i < image.size(); ++i)
        {
            image[i] = m_isFixed[i] ? rates[i] : image[i];
        }
        return image;
    }

  private:
    ReferenceOffers m_offers;
    const std::vector<char>& m_isFixed;
};

/** Scale streams down where a port would carry more than it can. */
void
Fit(const std::vector<FluidPort>& ports, const FluidPaths& paths, Rates& rates)
{
    Rates load(ports.size(), 0);
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        for (const FluidHop& hop : *paths[i])
        {
            load[hop.port] += rates[i];
        }
    }
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        double factor = 1;
        for (const FluidHop& hop : *paths[i])
        {
            const bool isOver = load[hop.port] > ports[hop.port].capacity;
            factor = isOver ? std::min(factor, ports[hop.port].capacity / load[hop.port]) : factor;
        }
        rates[i] *= factor;
    }
}

/** Narrow the bounds until they meet or stay. \return the middle between them */
Rates
Narrow(Image& image, Rates low, double tolerance)
{
    Rates high = image.Of(low);
    double change = Distance(low, high);
    for (uint32_t round = 0; round < MOST_BOUNDS && change > tolerance; ++round)
    {
        low = image.Of(high);
        const Rates before = high;
        high = image.Of(low);
        change = Distance(low, high) > tolerance ? Distance(before, high) : 0;
    }
    return Middle(low, high);
}

/** Go half-way to the image until it is near. \return whether it came near */
bool
Approach(Image& image, Rates& rates, double tolerance)
{
    for (uint32_t step = 0; step < MOST_STEPS; ++step)
    {
        const Rates moved = image.Of(rates);
        if (Distance(rates, moved) <= tolerance)
        {
            return true;
        }
        rates = Middle(rates, moved);
    }
    return false;
}

/** What IterateReference found. */
struct ReferenceRates
{
    std::vector<double> rates; //!< by stream; feasible
    bool isStable{true};       //!< each stream has a bottleneck, to 1e-10 of the largest capacity
};

/**
 * Rates by iteration, for what ReferenceAllocator cannot settle port by port. The map F of
 * ReferenceOffers is antitone, so F(F(0)), F(F(F(F(0))))... rises and F(0), F(F(F(0)))... falls,
 * and every fixed point lies between. Where the two meet, it is the only one; between them, the
 * middle is moved half the way to its image until it stays. Where even that finds none within a
 * bound of steps, rates are scaled down until they fit, and said not to be stable.
 *
 * \param ports all ports
 * \param paths of all streams
 * \param isFixed by stream: not 0 when its rate is given
 * \param rates given ones, 0 for the rest
 */
ReferenceRates
IterateReference(const std::vector<FluidPort>& ports,
                 const FluidPaths& paths,
                 const std::vector<char>& isFixed,
                 const std::vector<double>& rates)
{
    double scale = 0;
    for (const FluidPort& port : ports)
    {
        scale = std::max(scale, port.capacity);
    }
    Image image(ports, paths, isFixed);
    ReferenceRates settled{Narrow(image, rates, TOLERANCE * scale)};
    settled.isStable = Approach(image, settled.rates, TOLERANCE * scale);
    Fit(ports, paths, settled.rates);
    return settled;
}

} // namespace

namespace
{

constexpr double NOTHING = 1e-9; //!< of a capacity: what rounding leaves over

} // namespace

ReferenceGroups::ReferenceGroups(const FluidPort& port)
    : m_port(&port),
      m_groups(port.shares.size())
{
}

void
ReferenceGroups::Clear()
{
    for (; m_used != 0; m_used &= m_used - 1)
    {
        m_groups[QueueScheduler::First(m_used)] = Group();
    }
}

uint32_t
ReferenceGroups::FindFirstLevel() const
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
ReferenceGroups::Refresh()
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
ReferenceGroups::GetLeastShare() const
{
    double least = std::numeric_limits<double>::infinity();
    for (QueueMask rest = m_used; rest != 0; rest &= rest - 1)
    {
        const double share = m_groups[QueueScheduler::First(rest)].share;
        least = share >= 0 ? std::min(least, share) : least;
    }
    return least;
}

namespace
{

constexpr double SLACK = 1 - 1e-12; //!< shares that differ by rounding are equal

} // namespace

ReferenceAllocator::ReferenceAllocator(std::vector<FluidPort> ports)
    : m_specs(std::move(ports)),
      m_ports(m_specs.begin(), m_specs.end())
{
}

const std::vector<double>&
ReferenceAllocator::Allocate(const FluidPaths& paths)
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
ReferenceAllocator::Clear(std::size_t streams)
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
ReferenceAllocator::Collect(const FluidPaths& paths)
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
ReferenceAllocator::FillGroups(const FluidPaths& paths)
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
ReferenceAllocator::IsLater(const std::pair<double, uint32_t>& a,
                            const std::pair<double, uint32_t>& b)
{
    return a > b;
}

/** Let a port be examined when its turn comes. */
void
ReferenceAllocator::Offer(uint32_t port)
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
ReferenceAllocator::Examine(uint32_t port)
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
ReferenceAllocator::FindObstacle(uint32_t port) const
{
    const ReferenceGroups& groups = m_ports[port].groups;
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
ReferenceAllocator::FindTighter(uint32_t stream, double share, uint32_t port) const
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
ReferenceAllocator::SettlePort(uint32_t port)
{
    ReferenceGroups& groups = m_ports[port].groups;
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
ReferenceAllocator::SettleGroup(Group& group, double rate)
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
ReferenceAllocator::Settle(uint32_t stream, double rate)
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
ReferenceAllocator::Spread()
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
ReferenceAllocator::Iterate()
{
    const ReferenceRates settled = IterateReference(m_specs, *m_paths, m_settled, m_rates);
    m_iterated += m_left;
    m_compromises += settled.isStable ? 0 : m_left;
    m_rates = settled.rates;
}

} // namespace ns3::ddl
