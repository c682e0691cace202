// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

/** A server while workers of the job are put there, one after the other. */
struct Candidate
{
    explicit Candidate(const MachineList& machines)
        : first(machines.front()->host)
    {
        for (const MachineView* machine : machines)
        {
            parameterServers += machine->servers;
            for (const GpuView& gpu : machine->gpus)
            {
                gpus.push_back(&gpu);
            }
        }
    }

    HostId first;                     //!< of its machines
    std::vector<const GpuView*> gpus; //!< of all its machines
    uint32_t parameterServers{0};     //!< that live there
    std::size_t next{0};              //!< its first GPU with room that no worker has taken
    double allocated{0}; //!< the part of it that jobs hold, this one's workers included; 0 to 1

    /** What is taken first: the least part, then fewer parameter servers, then the lower index. */
    bool operator<(const Candidate& other) const
    {
        return std::tie(allocated, parameterServers, first) <
               std::tie(other.allocated, other.parameterServers, other.first);
    }

    bool IsFull() const
    {
        return next == gpus.size();
    }

    /** Moves on to the first GPU with room from the index `from` on. */
    void Advance(std::size_t from, uint64_t memory)
    {
        next = from;
        while (next < gpus.size() && !HasRoom(*gpus[next], memory))
        {
            ++next;
        }
        double taken = 0;
        for (std::size_t i = 0; i < gpus.size(); ++i)
        {
            const bool mine = i < next && HasRoom(*gpus[i], memory); // taken by a worker before
            taken += CountTaken(*gpus[i], mine, memory);
        }
        allocated = taken / gpus.size();
    }

  private:
    static double CountTaken(const GpuView& gpu, bool mine, uint64_t memory)
    {
        if (gpu.memory == 0)
        {
            return gpu.free && !mine ? 0 : 1;
        }
        const uint64_t left = !mine ? gpu.freeMemory : memory == 0 ? 0 : gpu.freeMemory - memory;
        return 1 - double(left) / double(gpu.memory);
    }
};

} // namespace

/**
 * `least-allocated`: worker by worker, the server of which the least part is taken, as the default
 * scheduler of Kubernetes does (NodeResourcesFit, LeastAllocated). So jobs are spread over the
 * cluster.
 *
 * The part is that of its GPUs' memory, or of its GPUs where these are held by one job at a time.
 * Of equals, the server with fewer parameter servers, then the lower index; there the first GPU
 * with room. Servers as with first-fit.
 */
class LeastAllocatedPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::LeastAllocatedPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<LeastAllocatedPlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "worker by worker on the server with the least part taken (Kubernetes)";
    }

    bool MindsLoads() const override
    {
        return false;
    }

  private:
    std::optional<Placement> DoPlace(const PlacementView& view) override
    {
        std::set<Candidate> candidates; // those with room
        for (const MachineList& machines : ByServer(view.cluster))
        {
            Candidate candidate(machines);
            candidate.Advance(0, view.memory);
            if (!candidate.IsFull())
            {
                candidates.insert(candidate);
            }
        }
        Placement placement;
        while (placement.workers.size() < view.workers)
        {
            if (candidates.empty())
            {
                return std::nullopt;
            }
            Candidate best = candidates.extract(candidates.begin()).value();
            placement.workers.push_back(best.gpus[best.next]->id);
            best.Advance(best.next + 1, view.memory);
            if (!best.IsFull())
            {
                candidates.insert(best);
            }
        }
        placement.workers = GroupByServer(view.cluster, placement.workers);
        placement.servers = PlaceServers(view.cluster, placement.workers, view.servers);
        return placement;
    }
};

NS_OBJECT_ENSURE_REGISTERED(LeastAllocatedPlacementPolicy);

} // namespace ns3::ddl
