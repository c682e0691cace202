// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_TEST_SUPPORT_H
#define DDL_FLUID_TEST_SUPPORT_H

#include "ns3/ddl-fluid-allocator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A port of 8 strict queues. */
inline FluidPort
StrictPort(double capacity)
{
    FluidPort port{capacity, QueueShares(MAX_QUEUES)};
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        port.shares[queue].level = queue;
    }
    return port;
}

/** A port whose queues share by weight, below `strict` strict ones. */
inline FluidPort
WeightedPort(double capacity, const std::vector<uint32_t>& weights, uint32_t strict = 0)
{
    FluidPort port{capacity, QueueShares(MAX_QUEUES)};
    for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
    {
        port.shares[queue].level = std::min(queue, strict);
        port.shares[queue].weight = queue < weights.size() ? weights[queue] : 1;
    }
    return port;
}

/**
 * The definition, word by word and slowly: what is wrong with some rates, "" if nothing is. They
 * are feasible, and each stream has a bottleneck: a port that is full with its own level and those
 * above, where no queue of its level has more for its weight, and no stream of its queue has more.
 */
class BottleneckCheck
{
  public:
    BottleneckCheck(const std::vector<FluidPort>& ports,
                    const std::vector<FluidPath>& paths,
                    const std::vector<double>& rates,
                    double tolerance)
        : m_ports(ports),
          m_paths(paths),
          m_rates(rates),
          m_tolerance(tolerance)
    {
    }

    std::string Run() const
    {
        for (uint32_t port = 0; port < m_ports.size(); ++port)
        {
            if (Sum(port, 0, std::numeric_limits<uint32_t>::max()) >
                m_ports[port].capacity + m_tolerance)
            {
                return "port " + std::to_string(port) + " carries too much";
            }
        }
        for (uint32_t stream = 0; stream < m_paths.size(); ++stream)
        {
            const auto& path = m_paths[stream];
            if (std::none_of(path.begin(), path.end(), [&](const FluidHop& hop) {
                    return IsBottleneck(stream, hop);
                }))
            {
                return "stream " + std::to_string(stream) + " has no bottleneck";
            }
        }
        return "";
    }

  private:
    /** \return what streams of queues in these levels get at a port */
    double Sum(uint32_t port, uint32_t first, uint32_t last) const
    {
        double sum = 0;
        ForEach(port, [&](uint32_t stream, uint32_t queue) {
            const uint32_t level = m_ports[port].shares[queue].level;
            sum += level >= first && level <= last ? m_rates[stream] : 0;
        });
        return sum;
    }

    template <typename F>
    void ForEach(uint32_t port, F what) const
    {
        for (uint32_t stream = 0; stream < m_paths.size(); ++stream)
        {
            for (const FluidHop& hop : m_paths[stream])
            {
                if (hop.port == port)
                {
                    what(stream, hop.queue);
                }
            }
        }
    }

    bool IsBottleneck(uint32_t stream, const FluidHop& hop) const
    {
        const FluidPort& port = m_ports[hop.port];
        const QueueShare& mine = port.shares[hop.queue];
        std::array<double, MAX_QUEUES> sums{};
        bool isMost = true;
        ForEach(hop.port, [&](uint32_t other, uint32_t queue) {
            sums[queue] += m_rates[other];
            isMost &= queue != hop.queue || m_rates[other] <= m_rates[stream] + m_tolerance;
        });
        for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            isMost &= port.shares[queue].level != mine.level ||
                      sums[queue] / port.shares[queue].weight <=
                          sums[hop.queue] / mine.weight + m_tolerance;
        }
        return isMost && Sum(hop.port, 0, mine.level) >= port.capacity - m_tolerance;
    }

    const std::vector<FluidPort>& m_ports;
    const std::vector<FluidPath>& m_paths;
    const std::vector<double>& m_rates;
    double m_tolerance;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_TEST_SUPPORT_H
