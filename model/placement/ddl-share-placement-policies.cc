// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/ddl-policy-source.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * Base of `even` and `pack` (Liquid §V, after its program): worker by worker to the server of which
 * the greatest, or the least, part is free; of equals, the first. Parameter servers are placed as
 * with first-fit.
 */
class SharePlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SharePlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .SetGroupName("Ddl");
        return tid;
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        return wishes;
    }

  private:
    /** \return whether a server goes before another one. \param free, other the free fraction of
     * each */
    virtual bool IsBetter(double free, double other) const = 0;

    PlacementAnswer DoPlace(const PlacementView& view) override;
};

/** `even`: worker by worker, the server of which the greatest part is free. */
class EvenPlacementPolicy : public SharePlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::EvenPlacementPolicy")
                                .SetParent<SharePlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<EvenPlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "worker by worker on the server of which the greatest part is free (Liquid)";
    }

  private:
    bool IsBetter(double free, double other) const override
    {
        return free > other;
    }
};

/** `pack`: worker by worker, the server of which the least part is free. */
class PackPlacementPolicy : public SharePlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PackPlacementPolicy")
                                .SetParent<SharePlacementPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PackPlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "worker by worker on the server of which the least part is free (Liquid)";
    }

  private:
    bool IsBetter(double free, double other) const override
    {
        return free < other;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SharePlacementPolicy);
NS_OBJECT_ENSURE_REGISTERED(EvenPlacementPolicy);
DDL_POLICY_SOURCE(EvenPlacementPolicy, "Liquid, TPDS", 2022, "nothing");
NS_OBJECT_ENSURE_REGISTERED(PackPlacementPolicy);
DDL_POLICY_SOURCE(PackPlacementPolicy, "Liquid, TPDS", 2022, "nothing");

namespace
{

/** A server, and its GPUs with room that no worker has taken yet. */
struct Share
{
    std::vector<GpuView> room;
    double gpus{0}; //!< number of its GPUs

    double GetFree() const
    {
        return static_cast<double>(room.size()) / gpus;
    }
};

} // namespace

PlacementAnswer
SharePlacementPolicy::DoPlace(const PlacementView& view)
{
    std::vector<Share> servers;
    for (const MachineList& machines : ByServer(view.cluster))
    {
        Share share{ListRoom(machines, view.memory), static_cast<double>(CountGpus(machines))};
        std::reverse(share.room.begin(), share.room.end()); // the last one is taken first
        servers.push_back(std::move(share));
    }
    std::vector<GpuId> taken;
    while (taken.size() < view.workers)
    {
        Share* best = nullptr;
        for (Share& share : servers)
        {
            if (!share.room.empty() && (!best || IsBetter(share.GetFree(), best->GetFree())))
            {
                best = &share;
            }
        }
        if (!best)
        {
            return std::nullopt;
        }
        taken.push_back(best->room.back().id);
        best->room.pop_back();
    }
    return PlaceRanks(view, taken);
}

} // namespace ns3::ddl
