// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fragmentation.h"
#include "ddl-placement-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace ns3::ddl
{

/**
 * `fgd`: on the server whose fragmentation grows least (Weng et al., *Beware of Fragmentation*,
 * USENIX ATC 2023, Algorithm 1: fragmentation gradient descent).
 *
 * Fragmentation F of a server is what GetFragmentation says for the target workload: here the jobs
 * that have asked so far, the present one included, each once. Of equals, the lower index. Where
 * GPUs are shared by memory, each GPU of a server is tried for a job of one GPU, as in the paper;
 * a larger job takes those with the least room that is enough (our reading).
 *
 * A task of the paper runs on one server. So a job that some server could take alone waits for room
 * on one, unless Spread; a larger one takes the emptiest servers, and the rest of it is placed as a
 * task of its own. CPUs and the memory of servers are not modelled: of the paper's fragments those
 * by a lack of GPUs, or of parts of GPUs, remain.
 */
class FgdPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::FgdPlacementPolicy")
                .SetParent<PlacementPolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<FgdPlacementPolicy>()
                .AddAttribute("Spread",
                              "A job for which no server has room takes GPUs of several.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&FgdPlacementPolicy::m_spreads),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "on the server whose free GPUs lose least of their use for the jobs seen so far "
               "(FGD)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.looksAtJobs = true; // it counts them
        return wishes;
    }

  private:
    /** GPUs of a server for a task, and how much its fragmentation grows. */
    struct Choice
    {
        std::vector<GpuId> gpus;
        double growth;
    };

    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        const std::size_t largest = FindLargest(view);
        Count(view, largest);
        ClusterView scratch; // without jobs, of which there may be many: only GPUs are looked at
        scratch.machines = view.cluster.machines;
        std::vector<GpuId> taken;
        while (taken.size() < view.workers)
        {
            const auto left = static_cast<uint32_t>(view.workers - taken.size());
            std::optional<Choice> choice = FindBest(scratch, {left, view.memory});
            if (!choice && view.workers <= largest && !m_spreads)
            {
                return HasEnough(view) ? PlacementAnswer::Decline("no server has room for it")
                                       : PlacementAnswer();
            }
            if (!choice)
            {
                choice = FindEmptiest(scratch, view.memory);
            }
            if (!choice)
            {
                return {};
            }
            for (const GpuId& id : choice->gpus)
            {
                GpuView* const gpu = FindGpu(scratch, id);
                gpu->free = false;
                gpu->freeMemory = 0; // even if shared: the job gets no GPU twice
            }
            taken.insert(taken.end(), choice->gpus.begin(), choice->gpus.end());
        }
        return PlaceRanks(view, taken);
    }

    /** \return most GPUs of a server that are large enough for a worker, held or not */
    static std::size_t FindLargest(const PlacementView& view)
    {
        std::size_t largest = 0;
        for (const MachineList& server : ByServer(view.cluster))
        {
            std::size_t gpus = 0;
            for (const MachineView* const machine : server)
            {
                gpus += std::count_if(
                    machine->gpus.begin(),
                    machine->gpus.end(),
                    [&view](const GpuView& gpu) { return CouldHold(gpu, view.memory); });
            }
            largest = std::max(largest, gpus);
        }
        return largest;
    }

    static bool CouldHold(const GpuView& gpu, uint64_t memory)
    {
        return gpu.memory == 0 || gpu.memory >= memory;
    }

    static bool HasEnough(const PlacementView& view)
    {
        return ListRoom(view.cluster, view.memory).size() >= view.workers;
    }

    /** The job becomes part of the target workload, as the tasks of which it would be made.
     * \param largest FindLargest of the job */
    void Count(const PlacementView& view, std::size_t largest)
    {
        if (largest == 0 || !m_counted.insert(view.job.id).second)
        {
            return;
        }
        const auto whole = static_cast<uint32_t>(largest);
        if (view.workers >= whole)
        {
            m_workload[{whole, view.memory}] += view.workers / whole;
        }
        if (view.workers % whole > 0)
        {
            m_workload[{view.workers % whole, view.memory}] += 1;
        }
    }

    /** \return GPUs of the server with room for the task that is fragmented least; none: no server
     * has room */
    std::optional<Choice> FindBest(ClusterView& scratch, const TaskClass& task) const
    {
        std::optional<Choice> best;
        for (const MachineList& server : ByServer(scratch))
        {
            std::vector<GpuView> room = ListRoom(server, task.memory);
            if (room.size() < task.gpus)
            {
                continue;
            }
            const double before = GetFragmentation(server, m_workload);
            for (const std::vector<GpuId>& gpus : ListTries(std::move(room), task))
            {
                Occupy(scratch, {gpus, {}}, task.memory);
                const double growth = GetFragmentation(server, m_workload) - before;
                Vacate(scratch, {gpus, {}}, task.memory);
                if (!best || growth < best->growth - TOLERANCE)
                {
                    best = Choice{gpus, growth};
                }
            }
        }
        return best;
    }

    /** \return GPUs of a server that are tried for a task. \param room GPUs with room, enough */
    static std::vector<std::vector<GpuId>> ListTries(std::vector<GpuView> room,
                                                     const TaskClass& task)
    {
        std::stable_sort(room.begin(), room.end(), [](const GpuView& a, const GpuView& b) {
            return a.freeMemory < b.freeMemory;
        });
        std::vector<std::vector<GpuId>> tries;
        const bool triesEach = task.gpus == 1 && task.memory > 0 && room.front().memory > 0;
        for (std::size_t first = 0; first < (triesEach ? room.size() : 1); ++first)
        {
            std::vector<GpuId> gpus;
            for (std::size_t i = first; i < first + task.gpus; ++i)
            {
                gpus.push_back(room[i].id);
            }
            tries.push_back(std::move(gpus));
        }
        return tries;
    }

    /** \return all GPUs with room of the server that has most; none: there is no GPU with room */
    static std::optional<Choice> FindEmptiest(const ClusterView& scratch, uint64_t memory)
    {
        std::optional<Choice> best;
        for (const MachineList& server : ByServer(scratch))
        {
            const std::vector<GpuView> room = ListRoom(server, memory);
            if (room.size() > (best ? best->gpus.size() : 0))
            {
                best = Choice{{}, 0};
                for (const GpuView& gpu : room)
                {
                    best->gpus.push_back(gpu.id);
                }
            }
        }
        return best;
    }

    static constexpr double TOLERANCE = 1e-9; //!< differences in GPUs that are rounding

    bool m_spreads{false};
    TargetWorkload m_workload;
    std::set<JobId> m_counted; //!< jobs that are in the workload
};

NS_OBJECT_ENSURE_REGISTERED(FgdPlacementPolicy);
DDL_POLICY_SOURCE(FgdPlacementPolicy, "FGD, USENIX ATC", 2023, "GPUs and memory of jobs");

} // namespace ns3::ddl
