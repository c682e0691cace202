// SPDX-License-Identifier: GPL-2.0-only
// How SlottedCluster places jobs: LWF-1 (Ada-SRSF Algorithm 1).
#include "ddl-slotted-cluster.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

void
SlottedCluster::PlaceJobs()
{
    const auto service = [this](uint32_t job) { return m_jobs[job].left; };
    std::stable_sort(m_queue.begin(), m_queue.end(), [&service](uint32_t a, uint32_t b) {
        return service(a) < service(b);
    });
    m_queue.erase(
        std::remove_if(m_queue.begin(), m_queue.end(), [this](uint32_t job) { return Place(job); }),
        m_queue.end());
}

std::vector<uint32_t>
SlottedCluster::ChooseGpus(const SlottedJob& job)
{
    const auto byLoad = [this](uint32_t a, uint32_t b) { return m_gpus[a].load < m_gpus[b].load; };
    const auto sum = [this](uint32_t node) {
        const auto first = m_gpus.begin() + node * GPUS;
        return std::accumulate(first, first + GPUS, 0.0, [](double total, const Gpu& gpu) {
            return total + gpu.load;
        });
    };
    if (job.workers > 1)
    {
        std::stable_sort(m_nodeOrder.begin(), m_nodeOrder.end(), [&sum](uint32_t a, uint32_t b) {
            return sum(a) < sum(b);
        });
    }
    std::vector<uint32_t> gpus;
    for (const uint32_t node : m_nodeOrder)
    {
        const auto first = static_cast<std::ptrdiff_t>(gpus.size());
        for (uint32_t gpu = node * GPUS; gpu < (node + 1) * GPUS; ++gpu)
        {
            if (m_gpus[gpu].room >= job.memory)
            {
                gpus.push_back(gpu);
            }
        }
        std::stable_sort(gpus.begin() + first, gpus.end(), byLoad);
    }
    if (job.workers == 1)
    {
        std::sort(gpus.begin(), gpus.end());
        std::stable_sort(gpus.begin(), gpus.end(), byLoad);
    }
    gpus.resize(gpus.size() < job.workers ? 0 : job.workers);
    return gpus;
}

bool
SlottedCluster::Place(uint32_t number)
{
    SlottedJob& job = m_jobs[number];
    job.gpus = ChooseGpus(job);
    if (job.gpus.empty())
    {
        return false;
    }
    for (const uint32_t gpu : job.gpus)
    {
        const uint32_t node = gpu / GPUS;
        if (std::find(job.nodes.begin(), job.nodes.end(), node) == job.nodes.end())
        {
            job.nodes.push_back(node);
        }
    }
    const double sending = job.nodes.size() > 1 ? job.size * LOAD_PER_MB : 0;
    const auto computing = static_cast<double>(job.task[0] + job.task[1]);
    for (uint32_t worker = 0; worker < job.workers; ++worker)
    {
        Gpu& gpu = m_gpus[job.gpus[worker]];
        gpu.load += (computing + sending) * job.iterations;
        gpu.room -= job.memory;
        gpu.members.emplace_back(number, worker);
    }
    m_running.push_back(number);
    return true;
}

} // namespace ns3::ddl
