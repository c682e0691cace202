// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slotted-cluster.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double BETA = 0.856;           //!< time of a transfer, ms per MB
constexpr double FULL_SPEED = 1.28;      //!< speed of a transfer in its first slot, MB per ms
constexpr double SECONDS_PER_SLOT = 0.1; //!< seconds of the paper per slot: 1 ms x 100

constexpr int64_t WINDOW = 12000; //!< time in which jobs arrive, ms

struct Model
{
    double size, memory;
    int64_t forward, backward;
};

constexpr Model MODELS[] = {{526.4, 4527, 36, 54},
                            {99.2, 3213, 25, 37},
                            {103.0, 3291, 35, 52},
                            {251.8, 2751, 32, 47}};
constexpr std::pair<uint32_t, uint32_t> SIZES[] =
    {{1, 80}, {2, 14}, {4, 26}, {8, 30}, {16, 8}, {32, 2}};

/** The simulation that RunSlotted runs. Jobs are placed by LWF-1 (Ada-SRSF Algorithm 1). */
class SlottedCluster
{
  public:
    SlottedCluster(uint32_t seed, const SlottedOptions& options)
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

    SlottedResult Run()
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
        m_result.utilisation =
            busy / static_cast<double>(m_gpus.size()) / static_cast<double>(m_now);
        return m_result;
    }

  private:
    static constexpr uint32_t MACHINES = 16;
    static constexpr uint32_t GPUS = 4;           //!< number of GPUs per machine
    static constexpr double LOAD_PER_MB = 7.8125; //!< load of a transfer for placement, ms per MB

    struct Gpu
    {
        double room{0}, load{0};
        std::vector<std::pair<uint32_t, uint32_t>> members; //!< job and worker of each member
        int64_t end{-1};
        std::pair<uint32_t, uint32_t> current;
        int64_t busy{0};
    };

    void EndTasks()
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

    void EndTransfers()
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

    void EndIteration(uint32_t number)
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

    void PlaceJobs()
    {
        const auto service = [this](uint32_t job) { return m_jobs[job].left; };
        std::stable_sort(m_queue.begin(), m_queue.end(), [&service](uint32_t a, uint32_t b) {
            return service(a) < service(b);
        });
        m_queue.erase(std::remove_if(m_queue.begin(),
                                     m_queue.end(),
                                     [this](uint32_t job) { return Place(job); }),
                      m_queue.end());
    }

    bool Place(uint32_t number)
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

    std::vector<uint32_t> ChooseGpus(const SlottedJob& job)
    {
        const auto byLoad = [this](uint32_t a, uint32_t b) {
            return m_gpus[a].load < m_gpus[b].load;
        };
        const auto sum = [this](uint32_t node) {
            const auto first = m_gpus.begin() + node * GPUS;
            return std::accumulate(first, first + GPUS, 0.0, [](double total, const Gpu& gpu) {
                return total + gpu.load;
            });
        };
        if (job.workers > 1)
        {
            std::stable_sort(m_nodeOrder.begin(),
                             m_nodeOrder.end(),
                             [&sum](uint32_t a, uint32_t b) { return sum(a) < sum(b); });
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

    void StartTransfers()
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

    bool MayStart(const SlottedJob& job)
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

    double AskForRest(SlottedJob& job)
    {
        const double moved = job.moved + static_cast<double>(m_now - job.changed) * job.speed;
        job.moved = m_options.asksForFree ? moved : job.moved;
        return job.size - moved;
    }

    void UpdateSpeeds()
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

    void StartTasks()
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

    SlottedOptions m_options;
    std::vector<SlottedJob> m_jobs;
    std::vector<Gpu> m_gpus;
    std::vector<std::vector<uint32_t>> m_transfers; //!< jobs that send, of each machine
    std::vector<uint32_t> m_nodeOrder;
    std::vector<uint32_t> m_queue, m_running;
    uint32_t m_done{0};
    int64_t m_now{0};
    SlottedResult m_result;
};

} // namespace

std::vector<SlottedJob>
MakeSlottedJobs(uint32_t seed)
{
    std::vector<SlottedJob> made;
    std::mt19937_64 random(seed);
    for (const auto& [workers, jobs] : SIZES)
    {
        for (uint32_t i = 0; i < jobs; ++i)
        {
            const Model& model = MODELS[random() % 4];
            SlottedJob job;
            job.workers = workers;
            job.iterations = 10 + static_cast<uint32_t>(random() % 51);
            job.size = model.size;
            job.memory = model.memory;
            job.task[0] = model.forward;
            job.task[1] = model.backward;
            job.arrival = static_cast<int64_t>(random() % WINDOW);
            job.phase.assign(workers, 0);
            job.left = static_cast<double>(job.iterations) * workers * (job.task[0] + job.task[1]);
            made.push_back(job);
        }
    }
    return made;
}

SlottedResult
RunSlotted(uint32_t seed, const SlottedOptions& options)
{
    return SlottedCluster(seed, options).Run();
}

} // namespace ns3::ddl
