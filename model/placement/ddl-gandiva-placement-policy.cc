// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr int64_t MOVES_STREAM = 0x67616e64697661; // number of this policy's own RNG stream

/** A server or a rack, and its GPUs with room. */
struct Site
{
    std::vector<GpuView> room;
    std::size_t gpus{0};     //!< number of its GPUs
    bool isEmpty{true};      //!< whether no job runs there
    bool hasAffinity{false}; //!< whether all jobs there have as many GPUs as the asking job
};

/** \return for each held GPU, the number of GPUs of the job that holds it */
std::map<GpuId, std::size_t>
CountGpusOfHolders(const ClusterView& cluster)
{
    std::map<GpuId, std::size_t> counts;
    for (const auto& [job, gpus] : cluster.jobs)
    {
        for (const GpuId& gpu : gpus)
        {
            counts[gpu] = gpus.size();
        }
    }
    return counts;
}

/** \return the servers or the racks, in the order of their first machine */
std::vector<Site>
ListSites(const PlacementView& view, const std::vector<MachineList>& parts)
{
    const auto holders = CountGpusOfHolders(view.cluster);
    std::vector<Site> sites;
    for (const MachineList& machines : parts)
    {
        Site site{ListRoom(machines, view.memory), CountGpus(machines)};
        bool areAlike = true;
        for (const MachineView* machine : machines)
        {
            for (const GpuView& gpu : machine->gpus)
            {
                const auto holder = holders.find(gpu.id);
                const std::size_t size = holder == holders.end() ? 0 : holder->second;
                site.isEmpty = site.isEmpty && gpu.free;
                areAlike = areAlike && (gpu.free || size == view.workers);
            }
        }
        site.hasAffinity = !site.isEmpty && areAlike;
        sites.push_back(std::move(site));
    }
    return sites;
}

/** \return GPUs with room of all sites, those of the site with the most room first */
std::vector<GpuView>
MostRoomFirst(std::vector<Site> sites)
{
    std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) {
        return a.room.size() > b.room.size();
    });
    std::vector<GpuView> gpus;
    for (const Site& site : sites)
    {
        gpus.insert(gpus.end(), site.room.begin(), site.room.end());
    }
    return gpus;
}

/**
 * \return a placement on one server with room for the whole job: one with affinity to its size,
 *         then an empty one, then the one with the most room; of equals in the first two, the one
 *         with the least room, then the first. Nothing if no server has room
 */
std::optional<Placement>
PlaceOnServer(const PlacementView& view, const std::vector<Site>& servers)
{
    const Site* best = nullptr;
    const auto rank = [](const Site& site) {
        const auto room = static_cast<int64_t>(site.room.size());
        const bool isThird = !site.hasAffinity && !site.isEmpty;
        return std::make_tuple(!site.hasAffinity, isThird, isThird ? -room : room);
    };
    for (const Site& server : servers)
    {
        if (server.room.size() >= view.workers && (best == nullptr || rank(server) < rank(*best)))
        {
            best = &server;
        }
    }
    return best == nullptr ? std::nullopt : TakeFirst(view, best->room);
}

} // namespace

/**
 * `gandiva`: packs jobs of equal size together, takes what there is, and moves jobs to better GPUs
 * when these come free (Gandiva, OSDI 2018, as Dally §V describes and implements it).
 *
 * A job of at most as many GPUs as the largest server has goes to one server: to one where all jobs
 * have as many GPUs as it has (affinity), else to one where no job runs, else to the one with the
 * most room. When no server has room for it, it takes GPUs of several, those with the most room
 * first. A larger job takes random GPUs of the whole cluster.
 *
 * Asked again while they run (scheduler.improve), jobs that are spread over servers though they fit
 * one move to one that has room, and larger ones that are spread over racks move to a rack that
 * has. The papers do not say how often Gandiva looks, nor which of several servers it takes; here
 * it is the one with the least room, and of equals the first.
 */
class GandivaPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GandivaPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GandivaPlacementPolicy>();
        return tid;
    }

    GandivaPlacementPolicy()
        : m_draw(CreateObject<UniformRandomVariable>())
    {
        m_draw->SetStream(MOVES_STREAM);
    }

    std::string GetSummary() const override
    {
        return "servers with jobs of the same size first; with scheduler.improve, jobs move to one "
               "server or rack when it has room (Gandiva)";
    }

    /** The random draw changes which place a job gets, not whether it gets one. */
    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        const std::vector<Site> servers = ListSites(view, ByServer(view.cluster));
        if (FitsOneServer(view, servers))
        {
            const auto placement = PlaceOnServer(view, servers);
            return placement ? placement : TakeFirst(view, MostRoomFirst(servers));
        }
        std::vector<GpuView> room = ListRoom(view.cluster, view.memory);
        for (uint32_t i = 0; i < view.workers && room.size() >= view.workers; ++i)
        {
            std::swap(room[i], room[m_draw->GetInteger(i, room.size() - 1)]);
        }
        return TakeFirst(view, room);
    }

    std::optional<Placement> DoImprove(const PlacementView& view) override
    {
        const Tier present = FindTier(view.cluster, view.job.placement.workers);
        const std::vector<Site> servers = ListSites(view, ByServer(view.cluster));
        if (FitsOneServer(view, servers))
        {
            return present > Tier::SERVER ? PlaceOnServer(view, servers) : std::nullopt;
        }
        std::optional<Placement> better;
        std::size_t least = 0; // room of the best rack so far
        for (const MachineList& rack : ByRack(view.cluster))
        {
            const std::size_t room = ListRoom(rack, view.memory).size();
            if (present > Tier::RACK && room >= view.workers && (!better || room < least))
            {
                better = TakeFirst(view, MostRoomFirst(ListSites(view, ByServerOf(rack))));
                least = room;
            }
        }
        return better;
    }

    static bool FitsOneServer(const PlacementView& view, const std::vector<Site>& servers)
    {
        return std::any_of(servers.begin(), servers.end(), [&view](const Site& server) {
            return server.gpus >= view.workers;
        });
    }

    Ptr<UniformRandomVariable> m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(GandivaPlacementPolicy);
DDL_POLICY_SOURCE(GandivaPlacementPolicy, "Gandiva, OSDI", 2018, "nothing");

} // namespace ns3::ddl
