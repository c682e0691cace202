// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-offers.h"

#include <algorithm>
#include <array>
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

} // namespace ns3::ddl
