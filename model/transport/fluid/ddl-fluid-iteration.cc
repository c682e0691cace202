// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::ddl
{

namespace
{

using Rates = std::vector<double>;

constexpr double TOLERANCE = 1e-10;    //!< error of stable rates, per largest capacity
constexpr double UNCHANGED = 1e-12;    //!< change that is ignored, per largest capacity
constexpr uint32_t MOST_SERVICES = 50; //!< most services per port in Relax, on average
constexpr uint32_t MOST_STEPS = 1000;  //!< most half-way steps
constexpr std::size_t SORT_FROM = 100; //!< queue length from which std::sort is used

} // namespace

void
StuckFluids::Clear()
{
    before.clear();
    ports.clear();
    queues.clear();
    settled.clear();
    seekers.clear();
}

void
StuckFluids::Finish()
{
    ports.push_back({0, static_cast<uint32_t>(queues.size())});
    queues.push_back(
        {0, 1, static_cast<uint32_t>(settled.size()), static_cast<uint32_t>(seekers.size())});
}

FluidImage::FluidImage(const StuckFluids& fluids)
    : m_fluids(fluids),
      m_firstHop(fluids.before.size() + 1, 0),
      m_hops(fluids.seekers.size()),
      m_portOf(fluids.seekers.size()),
      m_levelOf(fluids.seekers.size()),
      m_firstMember(fluids.queues.size()),
      m_settled(fluids.queues.size(), 0),
      m_wanted(fluids.queues.size(), 0),
      m_offers(fluids.seekers.size(), 0),
      m_image(fluids.before.size()),
      m_isStale(fluids.ports.size(), 0)
{
    for (const uint32_t stream : fluids.seekers)
    {
        ++m_firstHop[stream + 1];
    }
    for (uint32_t stream = 0; stream < fluids.before.size(); ++stream)
    {
        m_firstHop[stream + 1] += m_firstHop[stream];
    }
    std::vector<uint32_t> next(m_firstHop.begin(), m_firstHop.end() - 1);
    m_members.reserve(fluids.settled.size() + fluids.seekers.size());
    for (uint32_t port = 0; port + 1 < fluids.ports.size(); ++port)
    {
        for (uint32_t q = fluids.ports[port].firstQueue; q < fluids.ports[port + 1].firstQueue; ++q)
        {
            m_firstMember[q] = static_cast<uint32_t>(m_members.size());
            for (uint32_t i = fluids.queues[q].firstSeeker; i < fluids.queues[q + 1].firstSeeker;
                 ++i)
            {
                m_portOf[i] = port;
                m_levelOf[i] = fluids.queues[q].level;
                m_hops[next[fluids.seekers[i]]++] = i;
                m_members.push_back({0, i});
            }
            for (uint32_t i = fluids.queues[q].firstSettled; i < fluids.queues[q + 1].firstSettled;
                 ++i)
            {
                m_settled[q] += fluids.settled[i];
                m_members.push_back({fluids.settled[i], SETTLED});
            }
        }
    }
    m_firstMember.back() = static_cast<uint32_t>(m_members.size());
}

const Rates&
FluidImage::Of(const Rates& rates)
{
    const bool isFirst = m_rates.empty();
    m_ports.clear();
    for (uint32_t stream = 0; stream < m_fluids.before.size(); ++stream)
    {
        if (!isFirst && rates[stream] == m_rates[stream])
        {
            continue;
        }
        for (uint32_t hop = m_firstHop[stream]; hop < m_firstHop[stream + 1]; ++hop)
        {
            MarkStale(m_portOf[m_hops[hop]]);
        }
    }
    m_rates = rates;
    for (const uint32_t port : m_ports)
    {
        m_isStale[port] = 0;
        OfferAtPort(port);
    }
    for (uint32_t stream = 0; stream < m_fluids.before.size(); ++stream)
    {
        double least = std::numeric_limits<double>::infinity();
        for (uint32_t hop = m_firstHop[stream]; hop < m_firstHop[stream + 1]; ++hop)
        {
            least = std::min(least, m_offers[m_hops[hop]]);
        }
        m_image[stream] = least;
    }
    return m_image;
}

void
FluidImage::OfferAtPort(uint32_t port)
{
    const uint32_t end = m_fluids.ports[port + 1].firstQueue;
    double left = m_fluids.ports[port].capacity;
    for (uint32_t first = m_fluids.ports[port].firstQueue; first < end;)
    {
        uint32_t behind = first; // the first queue of the next level
        double wanted = 0;
        for (; behind < end && m_fluids.queues[behind].level == m_fluids.queues[first].level;
             ++behind)
        {
            m_wanted[behind] = m_settled[behind];
            for (uint32_t i = m_fluids.queues[behind].firstSeeker;
                 i < m_fluids.queues[behind + 1].firstSeeker;
                 ++i)
            {
                m_wanted[behind] += m_rates[m_fluids.seekers[i]];
            }
            wanted += m_wanted[behind];
        }
        OfferAtLevel(first, behind, left);
        left -= wanted;
        first = behind;
    }
}

/** Offer room to the queues of one level. \param first first queue of the level \param end queue
 * behind its last \param room capacity for the level */
void
FluidImage::OfferAtLevel(uint32_t first, uint32_t end, double room)
{
    for (uint32_t queue = first; queue < end; ++queue)
    {
        if (m_fluids.queues[queue].firstSeeker < m_fluids.queues[queue + 1].firstSeeker)
        {
            const bool isAlone = end == first + 1;
            OfferInQueue(queue,
                         room <= 0 ? 0
                         : isAlone ? room
                                   : ShareOfGreedy(queue, first, end, room));
        }
    }
}

/**
 * Weighted max-min of one level. \return what a queue gets if it wants everything, while the other
 * queues of the level want the sum of their rates
 */
double
FluidImage::ShareOfGreedy(uint32_t greedy, uint32_t first, uint32_t end, double room)
{
    const std::vector<StuckFluids::Queue>& queues = m_fluids.queues;
    double weights = queues[greedy].weight;
    m_order.clear();
    for (uint32_t queue = first; queue < end; ++queue)
    {
        if (queue != greedy && m_wanted[queue] > 0)
        {
            m_order.push_back(queue);
            weights += queues[queue].weight;
        }
    }
    const auto demand = [&](uint32_t queue) { return m_wanted[queue] / queues[queue].weight; };
    std::sort(m_order.begin(), m_order.end(), [&](uint32_t a, uint32_t b) {
        return demand(a) < demand(b);
    });
    for (const uint32_t queue : m_order)
    {
        if (demand(queue) * weights >= room)
        {
            break;
        }
        room -= m_wanted[queue]; // satisfied with less than its fair share
        weights -= queues[queue].weight;
    }
    return room * queues[greedy].weight / weights;
}

/** Sort the members of a queue by rate, and compute m_sums. */
void
FluidImage::Sort(uint32_t queue)
{
    Member* const members = m_members.data() + m_firstMember[queue];
    const std::size_t n = m_firstMember[queue + 1] - m_firstMember[queue];
    const auto isLess = [](const Member& a, const Member& b) {
        return a.rate != b.rate ? a.rate < b.rate : a.place < b.place;
    };
    if (n >= SORT_FROM)
    {
        std::sort(members, members + n, isLess);
    }
    for (std::size_t i = 1; i < n; ++i) // nearly in order since the last time
    {
        const Member member = members[i];
        std::size_t to = i;
        for (; to > 0 && isLess(member, members[to - 1]); --to)
        {
            members[to] = members[to - 1];
        }
        members[to] = member;
    }
    m_sums.resize(n + 1);
    m_sums[0] = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        m_sums[i + 1] = m_sums[i] + members[i].rate;
    }
}

/**
 * Offer each stream a rate x such that x and the others' rates, each cut to x, fill the room.
 * \param room capacity for the queue
 */
void
FluidImage::OfferInQueue(uint32_t queue, double room)
{
    Member* const members = m_members.data() + m_firstMember[queue];
    const std::size_t n = m_firstMember[queue + 1] - m_firstMember[queue];
    if (n == 1)
    {
        m_offers[members->place] = room;
        return;
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        const bool isSettled = members[i].place == SETTLED;
        members[i].rate = isSettled ? members[i].rate : m_rates[m_fluids.seekers[members[i].place]];
    }
    Sort(queue);
    std::size_t k = 0; // number of streams with rates below x; nearly the same for all
    for (std::size_t one = 0; one < n; ++one)
    {
        if (members[one].place == SETTLED)
        {
            continue;
        }
        const auto level = [&](std::size_t count) {
            const bool isBelow = one < count;
            const double below = m_sums[count] - (isBelow ? members[one].rate : 0);
            const std::size_t others = count - (isBelow ? 1 : 0);
            return (room - below) / static_cast<double>(n - others);
        };
        while (k < n && members[k].rate < level(k))
        {
            ++k;
        }
        while (k > 0 && members[k - 1].rate >= level(k - 1))
        {
            --k;
        }
        m_offers[members[one].place] = std::max(0.0, level(k));
    }
}

void
FluidImage::MarkStale(uint32_t port)
{
    if (!m_isStale[port])
    {
        m_isStale[port] = 1;
        m_ports.push_back(port);
    }
}

bool
FluidImage::Relax(double tolerance, uint32_t most, Rates& rates)
{
    m_tolerance = tolerance;
    for (std::size_t place = 0; place < m_offers.size(); ++place)
    {
        const double before = m_fluids.before[m_fluids.seekers[place]];
        m_offers[place] =
            before == StuckFluids::NEW ? m_fluids.ports[m_portOf[place]].capacity / 2 : before;
    }
    m_taken.resize(m_fluids.queues.size());
    m_staleLevel.assign(m_fluids.ports.size(), NOT_STALE);
    const auto ports = static_cast<uint32_t>(m_fluids.ports.size() - 1);
    for (uint32_t port = 0; port < ports; ++port)
    {
        MarkLevelStale(port, m_fluids.queues[m_fluids.ports[port].firstQueue].level);
    }
    uint64_t left = uint64_t{most} * ports;
    for (uint32_t level = 0; level < m_waiting.size() && left > 0;)
    {
        if (m_waiting[level].IsEmpty())
        {
            ++level;
            continue;
        }
        const uint32_t port = m_waiting[level].GetFront();
        m_waiting[level].Pop();
        if (m_staleLevel[port] == level) // else it has been served from an earlier level
        {
            m_staleLevel[port] = NOT_STALE;
            m_leastStale = level;
            ServePort(port, level);
            level = m_leastStale;
            --left;
        }
    }
    for (auto& waiting : m_waiting)
    {
        waiting.Clear();
    }
    m_rates.clear(); // the offers no longer belong to the rates of a call of Of
    rates.assign(m_fluids.before.size(), std::numeric_limits<double>::infinity());
    for (std::size_t place = 0; place < m_fluids.seekers.size(); ++place)
    {
        double& rate = rates[m_fluids.seekers[place]];
        rate = std::min(rate, m_offers[place]);
    }
    return left > 0;
}

/** Let a port be served again, from a level on. */
void
FluidImage::MarkLevelStale(uint32_t port, uint32_t level)
{
    if (level < m_staleLevel[port])
    {
        m_staleLevel[port] = level;
        m_leastStale = std::min(m_leastStale, level);
        if (level >= m_waiting.size())
        {
            m_waiting.resize(level + 1);
        }
        m_waiting[level].Push(port);
    }
}

/** \return the least offer of the other ports on a stream's path, at most the capacity */
double
FluidImage::AskElsewhere(uint32_t place) const
{
    const uint32_t stream = m_fluids.seekers[place];
    double least = m_fluids.ports[m_portOf[place]].capacity;
    for (uint32_t hop = m_firstHop[stream]; hop < m_firstHop[stream + 1]; ++hop)
    {
        least = m_hops[hop] == place ? least : std::min(least, m_offers[m_hops[hop]]);
    }
    return least;
}

/** Serve the levels of a port. \param from first level to serve; earlier ones are unchanged */
void
FluidImage::ServePort(uint32_t port, uint32_t from)
{
    const uint32_t end = m_fluids.ports[port + 1].firstQueue;
    double left = m_fluids.ports[port].capacity;
    uint32_t first = m_fluids.ports[port].firstQueue;
    for (; first < end && m_fluids.queues[first].level < from; ++first)
    {
        left -= m_taken[first];
    }
    while (first < end)
    {
        uint32_t behind = first; // the first queue of the next level
        for (; behind < end && m_fluids.queues[behind].level == m_fluids.queues[first].level;
             ++behind)
        {
            m_wanted[behind] = m_settled[behind];
            for (uint32_t i = m_firstMember[behind]; i < m_firstMember[behind + 1]; ++i)
            {
                Member& member = m_members[i];
                if (member.place != SETTLED)
                {
                    member.rate = AskElsewhere(member.place);
                    m_wanted[behind] += member.rate;
                }
            }
        }
        left -= ServeLevel(first, behind, std::max(0.0, left));
        first = behind;
    }
}

/** Serve one level. \param first first queue of the level \param end queue behind its last
 * \param room capacity for the level \return what the level takes of the room */
double
FluidImage::ServeLevel(uint32_t first, uint32_t end, double room)
{
    double taken = 0;
    for (uint32_t queue = first; queue < end; ++queue)
    {
        const bool isAlone = end == first + 1 || room == 0;
        const double part = isAlone ? room : ShareOfGreedy(queue, first, end, room);
        const bool hasSeekers =
            m_fluids.queues[queue].firstSeeker < m_fluids.queues[queue + 1].firstSeeker;
        m_taken[queue] = hasSeekers ? ServeQueue(queue, part) : m_settled[queue];
        taken += m_taken[queue];
    }
    return taken;
}

/** Serve one queue by max-min of what its streams ask for. \return what they take of the room */
double
FluidImage::ServeQueue(uint32_t queue, double room)
{
    Member* const members = m_members.data() + m_firstMember[queue];
    const std::size_t n = m_firstMember[queue + 1] - m_firstMember[queue];
    if (n == 1)
    {
        Offer(members->place, room);
        return std::min(members->rate, room);
    }
    Sort(queue);
    std::size_t k = 0; // number of streams that get what they ask for
    while (k < n && members[k].rate * static_cast<double>(n - k) < room - m_sums[k])
    {
        ++k;
    }
    const double level = k < n ? std::max(0.0, (room - m_sums[k]) / static_cast<double>(n - k))
                               : members[n - 1].rate + room - m_sums[n];
    for (std::size_t i = 0; i < n; ++i)
    {
        if (members[i].place != SETTLED)
        {
            Offer(members[i].place, level);
        }
    }
    return k < n ? room : m_sums[n];
}

/**
 * Change an offer to a stream. Its other ports are served again if it asks for another rate there
 * and that makes a difference.
 */
void
FluidImage::Offer(uint32_t place, double offer)
{
    const double before = m_offers[place];
    if (std::abs(offer - before) <= m_tolerance)
    {
        return;
    }
    m_offers[place] = offer;
    const double asked = std::min(before, offer);
    const uint32_t stream = m_fluids.seekers[place];
    for (uint32_t hop = m_firstHop[stream]; hop < m_firstHop[stream + 1]; ++hop)
    {
        if (m_hops[hop] != place && asked < m_offers[m_hops[hop]])
        {
            MarkLevelStale(m_portOf[m_hops[hop]], m_levelOf[m_hops[hop]]);
        }
    }
}

namespace
{

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

/** \return the mean of the first bounds, F(0) and F(F(0)) */
Rates
FindMiddle(FluidImage& image, uint32_t streams)
{
    const Rates high = image.Of(Rates(streams, 0));
    Rates middle = image.Of(high);
    for (uint32_t i = 0; i < streams; ++i)
    {
        middle[i] = (middle[i] + high[i]) / 2;
    }
    return middle;
}

/** Move rates half-way to their image until both are close. \return whether they became close */
bool
Approach(FluidImage& image, Rates& rates, double scale)
{
    for (uint32_t step = 0; step < MOST_STEPS; ++step)
    {
        const Rates& moved = image.Of(rates);
        if (Distance(rates, moved) <= TOLERANCE * scale)
        {
            return true;
        }
        for (std::size_t i = 0; i < rates.size(); ++i)
        {
            const double way = moved[i] - rates[i];
            rates[i] += std::abs(way) <= UNCHANGED * scale ? 0 : way / 2;
        }
    }
    return false;
}

/** Scale rates down where a port would carry more than its capacity. */
void
Fit(const StuckFluids& fluids, Rates& rates)
{
    Rates factors(fluids.before.size(), 1);
    for (std::size_t port = 0; port + 1 < fluids.ports.size(); ++port)
    {
        const auto& first = fluids.queues[fluids.ports[port].firstQueue];
        const auto& end = fluids.queues[fluids.ports[port + 1].firstQueue];
        double room = fluids.ports[port].capacity;
        double load = 0;
        for (uint32_t i = first.firstSettled; i < end.firstSettled; ++i)
        {
            room -= fluids.settled[i];
        }
        for (uint32_t i = first.firstSeeker; i < end.firstSeeker; ++i)
        {
            load += rates[fluids.seekers[i]];
        }
        const double factor = load > room ? std::max(0.0, room) / load : 1;
        for (uint32_t i = first.firstSeeker; i < end.firstSeeker; ++i)
        {
            factors[fluids.seekers[i]] = std::min(factors[fluids.seekers[i]], factor);
        }
    }
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        rates[i] *= factors[i];
    }
}

} // namespace

SettledFluids
SettleFluids(const StuckFluids& fluids, double scale)
{
    FluidImage image(fluids);
    SettledFluids settled;
    if (!image.Relax(UNCHANGED * scale, MOST_SERVICES, settled.rates))
    {
        settled.rates = FindMiddle(image, fluids.before.size());
        settled.isStable = Approach(image, settled.rates, scale);
    }
    Fit(fluids, settled.rates);
    return settled;
}

} // namespace ns3::ddl
