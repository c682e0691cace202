// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-hosts.h"

#include "ns3/ddl-flow-key.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3
{
namespace ddl
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
    for (const GpuId& gpu : placement.workers)
    {
        hosts.push_back(gpu.host);
    }
    hosts.insert(hosts.end(), placement.servers.begin(), placement.servers.end());
    return hosts;
}

std::vector<GpuId>
ListGpus(const Placement& placement)
{
    std::vector<GpuId> gpus;
    std::copy_if(placement.workers.begin(),
                 placement.workers.end(),
                 std::back_inserter(gpus),
                 [](const GpuId& gpu) { return gpu.index != NO_GPU; });
    return gpus;
}

std::vector<HostId>
ListHosts(std::vector<HostId> rankHosts)
{
    std::sort(rankHosts.begin(), rankHosts.end());
    rankHosts.erase(std::unique(rankHosts.begin(), rankHosts.end()), rankHosts.end());
    return rankHosts;
}

std::vector<HostBytes>
CountHostBytes(const JobPlan& plan, const std::vector<HostId>& rankHosts)
{
    std::map<HostId, HostBytes> bytes;
    for (const HostId host : rankHosts)
    {
        bytes[host].host = host;
    }
    for (const JobPlan::Channel& channel : plan.channels)
    {
        const HostId source = rankHosts[channel.source];
        const HostId destination = rankHosts[channel.destination];
        if (source != destination)
        {
            bytes[source].sent += channel.bytes;
            bytes[destination].received += channel.bytes;
        }
    }
    std::vector<HostBytes> list;
    for (const auto& entry : bytes)
    {
        list.push_back(entry.second);
    }
    return list;
}

bool
UsesNetwork(const std::vector<HostBytes>& bytes)
{
    return GetBusiestBytes(bytes) > 0;
}

Time
GetUncontendedCommunication(const std::vector<HostBytes>& bytes, const Cluster& cluster)
{
    double seconds = 0;
    for (const auto& moved : bytes)
    {
        const auto bits = 8 * static_cast<double>(std::max(moved.sent, moved.received));
        const auto rate = static_cast<double>(cluster.GetRate(moved.host).GetBitRate());
        seconds = std::max(seconds, bits / rate);
    }
    return Seconds(seconds);
}

uint64_t
GetBusiestBytes(const std::vector<HostBytes>& bytes)
{
    uint64_t most = 0;
    for (const auto& moved : bytes)
    {
        most = std::max({most, moved.sent, moved.received});
    }
    return most;
}

} // namespace ddl
} // namespace ns3
