// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gpu-sharing.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::ddl
{

namespace
{

using HoldersByGpu = std::map<GpuId, std::vector<const GpuHolder*>>;

/** \return share of the GPUs that are held */
double
FindHeldShare(const ClusterView& cluster)
{
    const auto gpus = static_cast<double>(CountGpus(cluster));
    return gpus == 0 ? 0 : (gpus - CountFreeGpus(cluster)) / gpus;
}

/** \return GPUs that jobs hold and that have enough memory, in index order, with their holders */
HoldersByGpu
ListCandidates(const ClusterView& cluster, const std::vector<GpuHolder>& holders, uint64_t memory)
{
    HoldersByGpu candidates;
    for (const MachineView& machine : cluster.machines)
    {
        for (const GpuView& gpu : machine.gpus)
        {
            if (!gpu.free && gpu.memory > 0 && memory > 0 && memory <= gpu.freeMemory)
            {
                candidates[gpu.id];
            }
        }
    }
    for (const GpuHolder& holder : holders)
    {
        for (const GpuId& gpu : holder.gpus)
        {
            const auto candidate = candidates.find(gpu);
            if (candidate != candidates.end())
            {
                candidate->second.push_back(&holder);
            }
        }
    }
    return candidates;
}

} // namespace

ClusterView
HideHeldGpus(ClusterView cluster)
{
    for (MachineView& machine : cluster.machines)
    {
        for (GpuView& gpu : machine.gpus)
        {
            gpu.freeMemory = gpu.free ? gpu.freeMemory : 0;
        }
    }
    return cluster;
}

SecondAnswer
FindSecondPlace(const ClusterView& cluster,
                const std::vector<GpuHolder>& holders,
                const SecondQuestion& question,
                const SharingSpec& rules,
                Time now)
{
    SecondAnswer answer;
    const double held = FindHeldShare(cluster);
    const HoldersByGpu candidates = ListCandidates(cluster, holders, question.memory);
    for (const auto& [gpu, of] : candidates)
    {
        double utilisation = question.utilisation;
        for (const GpuHolder* holder : of)
        {
            utilisation += holder->utilisation;
        }
        if (rules.light && held >= rules.light->load && utilisation < rules.light->utilisation)
        {
            answer.gpu = gpu;
            return answer;
        }
    }
    for (const auto& [gpu, of] : candidates)
    {
        if (!rules.next || held < rules.next->load || of.size() != 1 || !of.front()->trainsUntil)
        {
            continue;
        }
        const Time due = *of.front()->trainsUntil - question.launch - rules.next->margin;
        if (due <= now)
        {
            return {gpu, of.front()->job, std::nullopt};
        }
        answer.askAgain = std::min(answer.askAgain.value_or(due), due);
    }
    return answer;
}

} // namespace ns3::ddl
