// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-container-packing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double WEIGHT_UNIT = 1e5; // rate that is one unit of weight, bytes per second

/** \return whether a score is less than another by more than rounding */
bool
IsLess(double score, double other)
{
    constexpr double ROUNDING = 1e-9;
    return score < other - ROUNDING * std::max(1.0, std::abs(other));
}

} // namespace

ContainerPacking::ContainerPacking(const ClusterView& cluster,
                                   std::vector<PackedJob> jobs,
                                   const PackingCost& cost)
    : m_cluster(cluster),
      m_cost(cost),
      m_jobs(std::move(jobs))
{
    for (const MachineList& machines : ByServer(cluster))
    {
        Node node;
        for (const MachineView* machine : machines)
        {
            if (!machine->failed)
            {
                node.machines.push_back(machine);
            }
            for (const GpuView& gpu : machine->gpus)
            {
                node.gpus.push_back(&gpu);
                node.free += gpu.free ? 1 : 0;
                m_areWhole = m_areWhole && gpu.memory == 0;
            }
        }
        m_nodes.push_back(node);
    }
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        m_first.push_back(static_cast<uint32_t>(m_containers.size()));
        const auto& [workers, servers, memory, serversHold, weight] = m_jobs[job];
        for (const bool isServer : InterleaveServers(workers, servers))
        {
            m_containers.push_back({job, isServer, !isServer || serversHold});
        }
    }
    m_first.push_back(static_cast<uint32_t>(m_containers.size()));
}

/**
 * \return a GPU for each container that takes one; fewer than these when they do not fit. The
 *         container that needs least takes the least room that is enough, so that all fit if they
 *         can
 */
std::vector<std::pair<uint32_t, const GpuView*>>
ContainerPacking::Assign(const Node& node, const std::vector<uint32_t>& containers) const
{
    const auto needOf = [this](uint32_t container) {
        const uint64_t memory = m_jobs[m_containers[container].job].memory;
        return memory > 0 ? memory : UINT64_MAX;
    };
    const auto roomOf = [](const GpuView* gpu) {
        return gpu->free && gpu->memory == 0 ? UINT64_MAX : gpu->freeMemory;
    };
    std::vector<uint32_t> sorted;
    std::copy_if(containers.begin(),
                 containers.end(),
                 std::back_inserter(sorted),
                 [this](uint32_t container) { return m_containers[container].takesGpu; });
    std::stable_sort(sorted.begin(), sorted.end(), [needOf](uint32_t a, uint32_t b) {
        return needOf(a) < needOf(b);
    });
    std::vector<const GpuView*> gpus = node.gpus;
    std::stable_sort(gpus.begin(), gpus.end(), [roomOf](const GpuView* a, const GpuView* b) {
        return std::make_pair(a->free, roomOf(a)) < std::make_pair(b->free, roomOf(b));
    });
    std::vector<std::pair<uint32_t, const GpuView*>> assigned;
    auto gpu = gpus.begin();
    for (const uint32_t container : sorted)
    {
        const uint64_t memory = m_jobs[m_containers[container].job].memory;
        gpu = std::find_if(gpu, gpus.end(), [memory](const GpuView* g) {
            return HasRoom(*g, memory);
        });
        if (gpu == gpus.end())
        {
            break;
        }
        assigned.emplace_back(container, *gpu++);
    }
    return assigned;
}

bool
ContainerPacking::FitAll(const Node& node, const std::vector<uint32_t>& containers) const
{
    const auto takesGpu = [this](uint32_t container) { return m_containers[container].takesGpu; };
    const auto wanted = std::count_if(containers.begin(), containers.end(), takesGpu);
    return !node.machines.empty() &&
           Assign(node, containers).size() == static_cast<std::size_t>(wanted);
}

bool
ContainerPacking::MayFit() const
{
    uint64_t least = UINT64_MAX; // least memory of a container; 0 is all of a GPU
    std::size_t wanted = 0;
    for (const Container& container : m_containers)
    {
        const uint64_t memory = m_jobs[container.job].memory;
        wanted += container.takesGpu ? 1 : 0;
        least = memory > 0 ? std::min(least, memory) : least;
    }
    std::size_t room = 0;
    for (const Node& node : m_nodes)
    {
        room += std::count_if(node.gpus.begin(), node.gpus.end(), [least](const GpuView* gpu) {
            return HasRoom(*gpu, least == UINT64_MAX ? 0 : least);
        });
    }
    return wanted <= room;
}

bool
ContainerPacking::Fits(const Plan& plan, uint32_t container, uint32_t node) const
{
    if (m_areWhole)
    {
        std::size_t taken = m_containers[container].takesGpu ? 1 : 0;
        for (uint32_t other = 0; other < plan.size(); ++other)
        {
            taken += plan[other] == node && other != container && m_containers[other].takesGpu;
        }
        return !m_nodes[node].machines.empty() && taken <= m_nodes[node].free;
    }
    std::vector<uint32_t> there{container};
    for (uint32_t other = 0; other < plan.size(); ++other)
    {
        if (plan[other] == node && other != container)
        {
            there.push_back(other);
        }
    }
    return FitAll(m_nodes[node], there);
}

double
ContainerPacking::GetDistance(uint32_t a, uint32_t b) const
{
    if (a == b)
    {
        return 0;
    }
    const Tier tier = FindTier(*m_nodes[a].machines.front(), *m_nodes[b].machines.front());
    return tier == Tier::NETWORK ? m_cost.network : m_cost.rack;
}

double
ContainerPacking::GetScore(const Plan& plan, uint32_t job) const
{
    struct Part
    {
        double servers{0};
        double workers{0};
        double gpus{0}; // GPUs that the plan uses on the node
    };

    std::map<uint32_t, Part> parts; // the job's part of each node that it uses
    for (uint32_t i = m_first[job]; i < m_first[job + 1]; ++i)
    {
        if (plan[i] != NOWHERE)
        {
            Part& part = parts[plan[i]];
            ++(m_containers[i].isServer ? part.servers : part.workers);
        }
    }
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        const auto part = m_containers[i].takesGpu ? parts.find(plan[i]) : parts.end();
        if (part != parts.end())
        {
            ++part->second.gpus;
        }
    }
    double pairs = 0;
    double distance = 0;
    double load = 0;
    for (const auto& [a, partOfA] : parts)
    {
        for (const auto& [b, partOfB] : parts)
        {
            const double count = m_jobs[job].servers > 0 ? partOfA.servers * partOfB.workers
                                 : a != b                ? partOfA.workers * partOfB.workers
                                                         : partOfA.workers * (partOfA.workers - 1);
            pairs += count;
            distance += count * GetDistance(a, b);
        }
        const Node& node = m_nodes[a];
        const auto total = static_cast<double>(node.gpus.size());
        load -= total > 0 ? (total - static_cast<double>(node.free) + partOfA.gpus) / total : 0;
    }
    if (m_cost.meanLoad && !parts.empty())
    {
        load /= static_cast<double>(parts.size());
    }
    const double mean = pairs > 0 ? distance / pairs : 0;
    return m_cost.lambda * m_jobs[job].weight * mean + (1 - m_cost.lambda) * load;
}

std::vector<uint32_t>
ContainerPacking::ListUsed(const Plan& plan) const
{
    std::vector<bool> isUsed(m_nodes.size());
    for (const uint32_t node : plan)
    {
        if (node != NOWHERE)
        {
            isUsed[node] = true;
        }
    }
    std::vector<uint32_t> used;
    for (uint32_t node = 0; node < isUsed.size(); ++node)
    {
        if (isUsed[node])
        {
            used.push_back(node);
        }
    }
    return used;
}

bool
ContainerPacking::PlaceBestFit(Plan& plan, uint32_t job) const
{
    for (uint32_t i = m_first[job]; i < m_first[job + 1]; ++i)
    {
        uint32_t best = NOWHERE;
        double least = 0;
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (!Fits(plan, i, node))
            {
                continue;
            }
            plan[i] = node;
            const double score = GetScore(plan, job);
            if (best == NOWHERE || IsLess(score, least))
            {
                best = node;
                least = score;
            }
            plan[i] = NOWHERE;
        }
        if (best == NOWHERE)
        {
            std::fill(plan.begin() + m_first[job], plan.begin() + i, NOWHERE);
            return false;
        }
        plan[i] = best;
    }
    return true;
}

std::vector<Placement>
ContainerPacking::MakePlacements(const Plan& plan) const
{
    std::vector<Placement> placements(m_jobs.size());
    std::map<const MachineView*, uint32_t> servers; // parameter servers of the batch, by machine
    for (const uint32_t number : ListUsed(plan))
    {
        std::vector<uint32_t> containers;
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            if (plan[i] == number)
            {
                containers.push_back(i);
            }
        }
        auto gpus = Assign(m_nodes[number], containers);
        std::sort(gpus.begin(), gpus.end());
        for (const auto& [container, gpu] : gpus)
        {
            Placement& placement = placements[m_containers[container].job];
            (m_containers[container].isServer ? placement.servers : placement.workers)
                .push_back(gpu->id);
        }
        for (const uint32_t container : containers)
        {
            if (m_containers[container].isServer && !m_containers[container].takesGpu)
            {
                const auto& machines = m_nodes[number].machines;
                const auto host =
                    *std::min_element(machines.begin(),
                                      machines.end(),
                                      [&servers](const MachineView* a, const MachineView* b) {
                                          return a->servers + servers[a] < b->servers + servers[b];
                                      });
                ++servers[host];
                placements[m_containers[container].job].servers.push_back(OnMachine(host->host));
            }
        }
    }
    for (Placement& placement : placements)
    {
        placement.workers = GroupByServer(m_cluster, placement.workers);
    }
    return placements;
}

std::vector<PackedJob>
ListPackedJobs(const std::vector<GroupQuestion>& groups, bool areWeighed)
{
    std::vector<PackedJob> jobs;
    for (const GroupQuestion& group : groups)
    {
        for (const PlacementView& job : group)
        {
            const auto& usage = job.job.usage;
            const double rate = usage ? Get(usage->worker, UsageLabel::RECEIVE_RATE) : 0;
            jobs.push_back({job.workers - job.gpuServers,
                            job.servers + job.gpuServers,
                            job.memory,
                            job.gpuServers > 0,
                            areWeighed ? std::max(1.0, std::ceil(rate / WEIGHT_UNIT)) : 1});
        }
    }
    return jobs;
}

} // namespace ns3::ddl
