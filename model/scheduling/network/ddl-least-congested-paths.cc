// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-least-congested-paths.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::ddl
{

double
GetBusiestSeconds(const std::vector<FlowView>& flows,
                  const std::vector<uint32_t>& paths,
                  const std::vector<double>& linkRates)
{
    std::vector<double> seconds(linkRates.size(), 0); // by link
    double most = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        for (const uint32_t link : flows[i].paths->at(paths[i]))
        {
            most = std::max(most, seconds[link] += flows[i].bytes / linkRates[link]);
        }
    }
    return most;
}

LinkLoads::LinkLoads(const std::vector<double>& linkRates)
    : m_rates(linkRates),
      m_loads(linkRates.size(), 0)
{
}

std::vector<uint32_t>
LinkLoads::Add(const std::vector<FlowView>& flows, double period)
{
    std::vector<uint32_t> chosen;
    for (const FlowView& flow : flows)
    {
        const double rate = flow.bytes / period;
        const double none = std::numeric_limits<double>::infinity();
        std::pair<double, double> least{none, none}; // load of the busiest link, and of all
        uint32_t best = 0;
        for (uint32_t path = 0; path < flow.paths->size() && flow.paths->size() > 1; ++path)
        {
            std::pair<double, double> load{0, 0};
            for (const uint32_t link : (*flow.paths)[path])
            {
                const double with = m_loads[link] + rate / m_rates[link];
                load = {std::max(load.first, with), load.second + with};
            }
            if (load < least)
            {
                least = load;
                best = path;
            }
        }
        for (const uint32_t link : (*flow.paths)[best])
        {
            m_loads[link] += rate / m_rates[link];
        }
        chosen.push_back(best);
    }
    return chosen;
}

} // namespace ns3::ddl
