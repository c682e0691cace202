// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** A server to which workers of the job are assigned, one after the other. */
class Candidate
{
  public:
    /** \param held GPUs of the cluster that workers of the job hold already */
    Candidate(const MachineList& machines, const std::vector<GpuId>& held, uint64_t memory)
        : m_first(machines.front()->host),
          m_memory(memory)
    {
        for (const MachineView* machine : machines)
        {
            m_parameterServers += machine->servers;
            for (const GpuView& gpu : machine->gpus)
            {
                m_gpus.push_back(&gpu);
                m_isMine.push_back(std::find(held.begin(), held.end(), gpu.id) != held.end());
            }
        }
        Update();
    }

    /** Order of servers: the least allocated part, then fewer parameter servers, then the lower
     * index. */
    bool operator<(const Candidate& other) const
    {
        return std::tie(m_allocated, m_parameterServers, m_first) <
               std::tie(other.m_allocated, other.m_parameterServers, other.m_first);
    }

    bool IsFull() const
    {
        return m_next == m_gpus.size();
    }

    /** Put a worker on its first GPU with room. \return that GPU */
    GpuId Take()
    {
        const GpuId taken = m_gpus[m_next]->id;
        m_isMine[m_next] = true;
        Update();
        return taken;
    }

  private:
    void Update()
    {
        double taken = 0;
        for (std::size_t i = 0; i < m_gpus.size(); ++i)
        {
            taken += CountTaken(*m_gpus[i], m_isMine[i]);
        }
        m_next = 0;
        while (m_next < m_gpus.size() && (m_isMine[m_next] || !HasRoom(*m_gpus[m_next], m_memory)))
        {
            ++m_next;
        }
        m_allocated = taken / m_gpus.size();
    }

    double CountTaken(const GpuView& gpu, bool isMine) const
    {
        if (gpu.memory == 0)
        {
            return gpu.free && !isMine ? 0 : 1;
        }
        const uint64_t left = !isMine         ? gpu.freeMemory
                              : m_memory == 0 ? 0
                                              : gpu.freeMemory - m_memory;
        return 1 - double(left) / double(gpu.memory);
    }

    HostId m_first; //!< first of its machines
    uint64_t m_memory;
    std::vector<const GpuView*> m_gpus; //!< GPUs of all its machines
    std::vector<bool> m_isMine;         //!< whether each GPU has a worker of the job
    uint32_t m_parameterServers{0};     //!< number of parameter servers on it
    std::size_t m_next{0};              //!< index of its first GPU with room and no such worker
    double m_allocated{0}; //!< fraction of it that jobs hold, with this one's workers, 0 to 1
};

} // namespace

/**
 * `least-allocated`: worker by worker, the server of which the least part is allocated, as the
 * default scheduler of Kubernetes does (NodeResourcesFit, LeastAllocated). So jobs are spread over
 * the cluster.
 *
 * The part is that of its GPUs' memory, or of its GPUs where these are held by one job at a time.
 * Of equals, the server with fewer parameter servers, then the lower index; there the first GPU
 * with room. Parameter servers are placed as with first-fit.
 *
 * A job gets all its GPUs or none (gang scheduling, as Kubeflow does). With HoldPartial it takes as
 * many as there are, and holds them while it waits for the others, as containers of Kubernetes do.
 * Then two jobs may wait for each other's GPUs for ever (a deadlock).
 */
class LeastAllocatedPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::LeastAllocatedPlacementPolicy")
                .SetParent<PlacementPolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<LeastAllocatedPlacementPolicy>()
                .AddAttribute("HoldPartial",
                              "A job that gets only some of its GPUs holds them "
                              "while it waits for the others.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&LeastAllocatedPlacementPolicy::m_holdsPartial),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "worker by worker on the server with the least part taken (Kubernetes)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        wishes.holdsParts = m_holdsPartial;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        std::vector<GpuId> taken;
        std::copy_if(
            view.job.held.begin(), // without GPUs that have failed since
            view.job.held.end(),
            std::back_inserter(taken),
            [&view](const GpuId& id) { return HasRoom(*FindGpu(view.cluster, id), view.memory); });
        std::set<Candidate> candidates; // servers with room
        for (const MachineList& machines : ByServer(view.cluster))
        {
            const Candidate candidate(machines, taken, view.memory);
            if (!candidate.IsFull())
            {
                candidates.insert(candidate);
            }
        }
        while (taken.size() < view.workers)
        {
            if (candidates.empty())
            {
                return m_holdsPartial ? PlacementAnswer::Hold(taken) : PlacementAnswer();
            }
            Candidate best = candidates.extract(candidates.begin()).value();
            taken.push_back(best.Take());
            if (!best.IsFull())
            {
                candidates.insert(best);
            }
        }
        return PlaceRanks(view, taken);
    }

    bool m_holdsPartial{false};
};

NS_OBJECT_ENSURE_REGISTERED(LeastAllocatedPlacementPolicy);
DDL_POLICY_SOURCE(LeastAllocatedPlacementPolicy, "Kubernetes 1.0", 2015, "nothing");

} // namespace ns3::ddl
