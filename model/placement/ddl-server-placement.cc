// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-server-placement.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3
{
namespace ddl
{

std::vector<HostId>
PlaceServers(const ClusterView& cluster, const std::vector<GpuId>& workers, uint32_t servers)
{
    if (servers == 0)
    {
        return {};
    }
    std::set<HostId> withWorker;
    for (const GpuId& id : workers)
    {
        withWorker.insert(id.host);
    }
    std::vector<std::tuple<bool, uint32_t, HostId>> order; // has a worker, servers, machine
    for (const MachineView& machine : cluster.machines)
    {
        order.emplace_back(withWorker.count(machine.host) > 0, machine.servers, machine.host);
    }
    std::sort(order.begin(), order.end());
    std::vector<HostId> hosts;
    for (uint32_t i = 0; i < servers; ++i)
    {
        hosts.push_back(std::get<HostId>(order[i % order.size()]));
    }
    return hosts;
}

} // namespace ddl
} // namespace ns3
