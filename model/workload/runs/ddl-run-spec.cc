// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-spec.h"

#include "ddl-job-hosts.h"

#include <algorithm>

namespace ns3::ddl
{

RunSpec::RunSpec(const JobSpec& job, CojobId cojob)
    : job(job),
      cojob(cojob),
      buckets(job.model, job.overlap)
{
}

void
RunSpec::SetParts()
{
    for (uint32_t rank = 0; rank < rankHosts.size(); ++rank)
    {
        Part& part = parts[rankHosts[rank]];
        workerHosts += part.ranks.empty() && rank < job.workers ? 1 : 0;
        part.ranks.push_back(rank);
    }
    for (uint32_t channel = 0; channel < plan->channels.size(); ++channel)
    {
        parts[rankHosts[plan->channels[channel].source]].sends.push_back(channel);
        parts[rankHosts[plan->channels[channel].destination]].receives.push_back(channel);
    }
}

void
RunSpec::SetStorage(const Storage& where)
{
    storage = where;
    parts[where.host]; // an empty part, if it has no other
    const auto place = std::lower_bound(hosts.begin(), hosts.end(), where.host);
    if (place == hosts.end() || *place != where.host)
    {
        hosts.insert(place, where.host);
    }
}

bool
RunSpec::LoadsState(HostId machine) const
{
    const std::vector<uint32_t>& ranks = parts.at(machine).ranks;
    return storage && first > 0 && !ranks.empty() && ranks.front() < job.workers;
}

std::vector<HostId>
RunSpec::ListPeers(HostId machine) const
{
    if (plan->ranks.empty()) // they come and go
    {
        return machines;
    }
    const Part& part = parts.at(machine);
    std::vector<HostId> peers{machine};
    for (const uint32_t channel : part.sends)
    {
        peers.push_back(rankHosts[plan->channels[channel].destination]);
    }
    for (const uint32_t channel : part.receives)
    {
        peers.push_back(rankHosts[plan->channels[channel].source]);
    }
    return ListHosts(std::move(peers));
}

bool
RunSpec::IsCoflow() const
{
    return !placement.workers.empty() &&
           std::all_of(placement.workers.begin(), placement.workers.end(), [](const GpuId& gpu) {
               return gpu.index == NO_GPU;
           });
}

StreamName
RunSpec::GetStreamName(uint32_t channel, bool isCoflow) const
{
    const JobPlan::Channel& ends = plan->channels[channel];
    if (isCoflow)
    {
        return {GetId(), number, rankHosts[ends.source].value, rankHosts[ends.destination].value};
    }
    return {GetId(), number, ends.source, ends.destination};
}

bool
RunSpec::IsOnePhase() const
{
    return !plan->ranks.empty() && !graph &&
           std::all_of(plan->ranks.begin(), plan->ranks.end(), [](const RankPlan& rank) {
               // A group of sends that waits only for the rank itself needs 1.
               return std::all_of(rank->needs.begin(), rank->needs.end(), [](uint32_t needs) {
                   return needs == 1;
               });
           });
}

} // namespace ns3::ddl
