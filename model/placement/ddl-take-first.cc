// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-take-first.h"

#include "ddl-server-placement.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace ddl
{

std::vector<GpuView>
SortByLoad(std::vector<GpuView> gpus)
{
    std::stable_sort(gpus.begin(), gpus.end(), [](const GpuView& a, const GpuView& b) {
        return a.load < b.load;
    });
    return gpus;
}

std::vector<GpuId>
GroupByMachine(const std::vector<GpuId>& gpus)
{
    std::map<HostId, std::size_t> first; // machine -> position of its first GPU
    for (std::size_t i = 0; i < gpus.size(); ++i)
    {
        first.emplace(gpus[i].host, i);
    }
    std::vector<GpuId> grouped = gpus;
    std::stable_sort(grouped.begin(), grouped.end(), [&](const GpuId& a, const GpuId& b) {
        return first.at(a.host) < first.at(b.host);
    });
    return grouped;
}

std::optional<Placement>
TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus)
{
    if (gpus.size() < view.workers)
    {
        return std::nullopt;
    }
    Placement placement;
    for (uint32_t i = 0; i < view.workers; ++i)
    {
        placement.workers.push_back(gpus[i].id);
    }
    placement.workers = GroupByMachine(placement.workers);
    placement.servers = PlaceServers(view.cluster, placement.workers, view.servers);
    return placement;
}

} // namespace ddl
} // namespace ns3
