// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-contention.h"

namespace ns3::ddl
{

FluidContention::FluidContention(std::vector<FluidPort> ports, double cost)
    : m_ports(std::move(ports)),
      m_cost(cost)
{
}

void
FluidContention::Apply(const FluidPaths& paths, FluidAllocator& allocator)
{
    if (m_cost == 0)
    {
        return;
    }
    m_sharers.assign(m_ports.size(), Sharers());
    for (const FluidPath* path : paths)
    {
        for (const FluidHop& hop : *path)
        {
            Sharers& sharers = m_sharers[hop.port];
            const uint32_t level = m_ports[hop.port].shares[hop.queue].level;
            const bool isFirst = sharers.streams == 0 || level < sharers.level;
            sharers = isFirst ? Sharers{level, 0} : sharers;
            sharers.streams += level == sharers.level ? 1 : 0;
        }
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        const double k = m_sharers[port].streams;
        const double part = k > 0 ? k / (k + (k - 1) * m_cost) : 1;
        allocator.SetCapacity(port, part * m_ports[port].capacity);
    }
}

} // namespace ns3::ddl
