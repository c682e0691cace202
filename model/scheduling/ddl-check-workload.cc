// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-check-workload.h"

#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-place-all.h"

#include <algorithm>
#include <set>
#include <string>

namespace ns3
{
namespace ddl
{

namespace
{

std::string
GetName(const CojobSpec& cojob)
{
    return cojob.plain && !cojob.jobs.empty() ? "job " + std::to_string(cojob.jobs.front().id.value)
                                              : "cojob " + std::to_string(cojob.id.value);
}

/** \return the same machines with all GPUs free */
ClusterView
Emptied(ClusterView cluster)
{
    for (auto& machine : cluster.machines)
    {
        machine.servers = 0;
        for (auto& gpu : machine.gpus)
        {
            gpu.free = true;
            gpu.freeMemory = gpu.memory;
        }
    }
    return cluster;
}

std::size_t
CountGpus(const ClusterView& cluster)
{
    std::size_t gpus = 0;
    for (const auto& machine : cluster.machines)
    {
        gpus += machine.gpus.size();
    }
    return gpus;
}

/** \return bytes of the largest GPU; 0 when memory does not count */
uint64_t
FindGpuMemory(const ClusterView& cluster)
{
    uint64_t memory = 0;
    for (const auto& machine : cluster.machines)
    {
        for (const auto& gpu : machine.gpus)
        {
            memory = std::max(memory, gpu.memory);
        }
    }
    return memory;
}

/** Any GPU is as good as another on an empty cluster, so first-fit finds a place if there is one.
 */
void
CheckFit(const CojobSpec& cojob, const ClusterView& cluster, std::vector<Diagnostic>& complaints)
{
    try
    {
        if (PlaceAll(CreateObject<FirstFitPlacementPolicy>(), cluster, cojob.jobs))
        {
            return;
        }
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        complaints.insert(complaints.end(), more.begin(), more.end());
        return;
    }
    std::size_t workers = 0;
    for (const auto& job : cojob.jobs)
    {
        workers += job.workers;
    }
    const uint64_t memory = FindGpuMemory(cluster);
    for (const auto& job : cojob.jobs)
    {
        if (memory > 0 && job.model.gpuMemory > memory)
        {
            complaints.push_back(
                {"",
                 "",
                 GetName(cojob) + " needs GPUs with " + std::to_string(job.model.gpuMemory) +
                     " bytes of memory; the cluster's have " + std::to_string(memory)});
            return;
        }
    }
    complaints.push_back({"",
                          "",
                          GetName(cojob) + " needs " + std::to_string(workers) +
                              " GPUs at the same time; the cluster has " +
                              std::to_string(CountGpus(cluster))});
}

} // namespace

std::vector<Diagnostic>
CheckWorkload(const std::vector<CojobSpec>& cojobs, ClusterView cluster)
{
    const ClusterView empty = Emptied(std::move(cluster));
    std::vector<Diagnostic> complaints;
    std::set<CojobId> cojobIds;
    std::set<JobId> jobIds;
    for (const auto& cojob : cojobs)
    {
        const std::string name = GetName(cojob);
        if (!cojobIds.insert(cojob.id).second)
        {
            complaints.push_back({"", "", name + " is there twice"});
        }
        if (cojob.jobs.empty() || cojob.iterations.empty())
        {
            complaints.push_back({"", "", name + " has no jobs or no stages"});
        }
        for (const auto& job : cojob.jobs)
        {
            if (!jobIds.insert(job.id).second)
            {
                complaints.push_back(
                    {"", "", "job " + std::to_string(job.id.value) + " is there twice"});
            }
        }
        CheckFit(cojob, empty, complaints);
    }
    return complaints;
}

} // namespace ddl
} // namespace ns3
