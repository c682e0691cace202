// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-hosts.h"

#include "ns3/ddl-flow-key.h"

#include <algorithm>
#include <iterator>

namespace ns3::ddl
{

uint32_t
MakeFlowLabel(JobId job, uint32_t source, uint32_t destination)
{
    const uint64_t ranks = (uint64_t{source} << 32) | destination;
    return static_cast<uint32_t>(MixBits(MixBits(uint64_t{job.value} + 1) ^ ranks));
}

std::vector<HostId>
ListRankHosts(const Placement& placement)
{
    std::vector<HostId> hosts;
    for (const auto* ranks : {&placement.workers, &placement.servers})
    {
        for (const GpuId& gpu : *ranks)
        {
            hosts.push_back(gpu.host);
        }
    }
    return hosts;
}

std::vector<GpuId>
ListGpus(const Placement& placement)
{
    std::vector<GpuId> gpus;
    for (const auto* ranks : {&placement.workers, &placement.servers})
    {
        std::copy_if(ranks->begin(), ranks->end(), std::back_inserter(gpus), [](const GpuId& gpu) {
            return gpu.index != NO_GPU;
        });
    }
    return gpus;
}

std::vector<HostId>
ListHosts(std::vector<HostId> rankHosts)
{
    std::sort(rankHosts.begin(), rankHosts.end());
    rankHosts.erase(std::unique(rankHosts.begin(), rankHosts.end()), rankHosts.end());
    return rankHosts;
}

} // namespace ns3::ddl
