// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slotted-cluster.h"

#include <algorithm>
#include <numeric>

namespace ns3::ddl
{

namespace
{

constexpr double BETA = 0.856;           //!< ms a MB
constexpr double FULL_SPEED = 1.28;      //!< MB a ms, of a transfer in its first slot
constexpr double SECONDS_PER_SLOT = 0.1; //!< 1 ms x 100

} // namespace

SlottedCluster::SlottedCluster(uint32_t seed, SlottedOptions options)
    : m_options(options),
      m_jobs(MakeSlottedJobs(seed)),
      m_gpus(MACHINES * GPUS),
      m_transfers(MACHINES),
      m_nodeOrder(MACHINES)
{
    std::iota(m_nodeOrder.begin(), m_nodeOrder.end(), 0);
    for (Gpu& gpu : m_gpus)
    {
        gpu.room = options.memory;
    }
}

SlottedResult
SlottedCluster::Run()
{
    for (m_now = 0; m_done < m_jobs.size(); ++m_now)
    {
        EndTasks();
        EndTransfers();
        for (uint32_t job = 0; job < m_jobs.size(); ++job)
        {
            if (m_jobs[job].arrival == m_now)
            {
                m_queue.push_back(job);
            }
        }
        PlaceJobs();
        StartTransfers();
        UpdateSpeeds();
        StartTasks();
    }
    double busy = 0;
    for (const Gpu& gpu : m_gpus)
    {
        busy += static_cast<double>(gpu.busy);
    }
    m_result.makespan = static_cast<double>(m_now) * SECONDS_PER_SLOT;
    m_result.utilisation = busy / static_cast<double>(m_gpus.size()) / static_cast<double>(m_now);
    return m_result;
}

void
SlottedCluster::EndTasks()
{
    for (Gpu& gpu : m_gpus)
    {
        if (gpu.end != m_now)
        {
            continue;
        }
        SlottedJob& job = m_jobs[gpu.current.first];
        uint32_t& phase = job.phase[gpu.current.second];
        const auto time = static_cast<double>(job.task[phase]);
        gpu.busy += job.task[phase];
        gpu.load -= time;
        job.left -= time;
        gpu.end = -1;
        ++phase;
    }
}

void
SlottedCluster::EndTransfers()
{
    for (const uint32_t number : std::vector<uint32_t>(m_running))
    {
        SlottedJob& job = m_jobs[number];
        if (!job.isSending || static_cast<double>(m_now) < job.end)
        {
            continue;
        }
        for (const uint32_t node : job.nodes)
        {
            auto& there = m_transfers[node];
            there.erase(std::find(there.begin(), there.end(), number));
        }
        EndIteration(number);
    }
}

void
SlottedCluster::EndIteration(uint32_t number)
{
    SlottedJob& job = m_jobs[number];
    job.isSending = false;
    job.phase.assign(job.workers, 0);
    for (const uint32_t gpu : job.gpus)
    {
        m_gpus[gpu].load -= job.nodes.size() > 1 ? job.size * LOAD_PER_MB : 0;
    }
    if (++job.iteration <= job.iterations)
    {
        return;
    }
    ++m_done;
    m_result.jct.push_back(static_cast<double>(m_now - job.arrival) * SECONDS_PER_SLOT);
    m_running.erase(std::find(m_running.begin(), m_running.end(), number));
    for (const uint32_t index : job.gpus)
    {
        Gpu& gpu = m_gpus[index];
        gpu.room += job.memory;
        gpu.members.erase(
            std::find_if(gpu.members.begin(), gpu.members.end(), [number](const auto& member) {
                return member.first == number;
            }));
    }
}

void
SlottedCluster::StartTransfers()
{
    std::vector<uint32_t> ready;
    for (const uint32_t number : std::vector<uint32_t>(m_running))
    {
        const SlottedJob& job = m_jobs[number];
        const bool hasComputed = std::all_of(job.phase.begin(),
                                             job.phase.end(),
                                             [](uint32_t phase) { return phase == 2; });
        if (hasComputed && !job.isSending)
        {
            job.nodes.size() == 1 ? EndIteration(number) : ready.push_back(number);
        }
    }
    std::stable_sort(ready.begin(), ready.end(), [this](uint32_t a, uint32_t b) {
        return m_jobs[a].left < m_jobs[b].left;
    });
    for (const uint32_t number : ready)
    {
        SlottedJob& job = m_jobs[number];
        if (!MayStart(job))
        {
            continue;
        }
        job.isSending = true;
        job.moved = 0;
        job.changed = m_now;
        job.speed = FULL_SPEED;
        for (const uint32_t node : job.nodes)
        {
            m_transfers[node].push_back(number);
        }
    }
}

bool
SlottedCluster::MayStart(const SlottedJob& job)
{
    std::size_t most = 0;
    std::vector<uint32_t> old;
    for (const uint32_t node : job.nodes)
    {
        if (m_transfers[node].size() > most)
        {
            most = m_transfers[node].size();
            old.insert(old.end(), m_transfers[node].begin(), m_transfers[node].end());
        }
    }
    if (!m_options.isAdaDual || most != 1)
    {
        return most <= (m_options.isAdaDual ? 0 : m_options.others);
    }
    return AskForRest(m_jobs[old.front()]) / job.size >= 2 * (BETA + m_options.eta) / BETA;
}

double
SlottedCluster::AskForRest(SlottedJob& job)
{
    const double moved = job.moved + static_cast<double>(m_now - job.changed) * job.speed;
    job.moved = m_options.asksForFree ? moved : job.moved;
    return job.size - moved;
}

void
SlottedCluster::UpdateSpeeds()
{
    for (const uint32_t number : m_running)
    {
        SlottedJob& job = m_jobs[number];
        if (!job.isSending)
        {
            continue;
        }
        std::size_t k = 1;
        for (const uint32_t node : job.nodes)
        {
            k = std::max(k, m_transfers[node].size());
        }
        job.moved += static_cast<double>(m_now - job.changed) * job.speed;
        job.changed = m_now;
        job.speed =
            1 / (BETA * static_cast<double>(k) + m_options.eta * (static_cast<double>(k) - 1));
        job.end = static_cast<double>(m_now) + (job.size - job.moved) / job.speed;
    }
}

void
SlottedCluster::StartTasks()
{
    for (Gpu& gpu : m_gpus)
    {
        double least = 0;
        bool isFound = false;
        for (const auto& member : gpu.members)
        {
            const SlottedJob& job = m_jobs[member.first];
            if (gpu.end < 0 && job.phase[member.second] < 2 && (!isFound || job.left < least))
            {
                isFound = true;
                least = job.left;
                gpu.current = member;
            }
        }
        if (isFound)
        {
            const SlottedJob& job = m_jobs[gpu.current.first];
            gpu.end = m_now + job.task[job.phase[gpu.current.second]];
        }
    }
}

} // namespace ns3::ddl
