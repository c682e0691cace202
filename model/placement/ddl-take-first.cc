// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-take-first.h"

#include "ddl-server-placement.h"

#include <algorithm>

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
    placement.servers = PlaceServers(view.cluster, placement.workers, view.servers);
    return placement;
}

} // namespace ddl
} // namespace ns3
