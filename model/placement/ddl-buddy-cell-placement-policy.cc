// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <cstddef>

namespace ns3::ddl
{

namespace
{

/** A number of successive GPUs of a server, a power of two, that begin at a multiple of it. */
struct Cell
{
    std::size_t server;
    std::size_t begin;
    std::size_t size; //!< number of GPUs; the last cell of a server may be cut short
};

/** The GPUs of a server, in order, and which of them have room. */
struct CellTree
{
    std::vector<GpuView> gpus;
    std::vector<bool> isFree;

    bool IsFree(std::size_t begin, std::size_t size) const
    {
        return begin + size <= gpus.size() &&
               std::find(isFree.begin() + begin, isFree.begin() + begin + size, false) ==
                   isFree.begin() + begin + size;
    }
};

/** \return the least power of two that is at least \p count */
std::size_t
RoundUp(std::size_t count)
{
    std::size_t power = 1;
    while (power < count)
    {
        power *= 2;
    }
    return power;
}

} // namespace

/**
 * `buddy-cell`: a server is a binary tree of its GPUs; a worker takes the smallest free cell that
 * holds it, and a larger one is split, from the first GPU on (HiveD, OSDI 2020, as Liquid compares
 * with it). Of equal cells, the first. So large cells stay whole for large jobs.
 *
 * Parameter servers are placed as with first-fit.
 */
class BuddyCellPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::BuddyCellPlacementPolicy")
                .SetParent<PlacementPolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<BuddyCellPlacementPolicy>()
                .AddAttribute("WholeJob",
                              "whether a job takes one cell for all its workers where a server has "
                              "one; false: worker by worker",
                              BooleanValue(false),
                              MakeBooleanAccessor(&BuddyCellPlacementPolicy::m_wholeJob),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "the smallest free cell of a server's binary tree of GPUs (HiveD)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        std::vector<CellTree> servers;
        for (const MachineList& machines : ByServer(view.cluster))
        {
            CellTree tree;
            for (const MachineView* machine : machines)
            {
                for (const GpuView& gpu : machine->gpus)
                {
                    tree.gpus.push_back(gpu);
                    tree.isFree.push_back(HasRoom(gpu, view.memory));
                }
            }
            servers.push_back(std::move(tree));
        }
        std::vector<GpuId> taken;
        const auto take = [&](std::size_t count) {
            const auto cell = FindCell(servers, RoundUp(count));
            for (std::size_t i = 0; cell && i < count; ++i)
            {
                CellTree& tree = servers[cell->server];
                tree.isFree[cell->begin + i] = false;
                taken.push_back(tree.gpus[cell->begin + i].id);
            }
            return cell.has_value();
        };
        if (!m_wholeJob || !take(view.workers))
        {
            while (taken.size() < view.workers)
            {
                if (!take(1))
                {
                    return std::nullopt;
                }
            }
        }
        return PlaceRanks(view, taken);
    }

    /** \return a free cell of that size, within the smallest free cell; of equals, the first */
    static std::optional<Cell> FindCell(const std::vector<CellTree>& servers, std::size_t size)
    {
        std::optional<Cell> best;
        std::size_t least = 0; // size of the free cell that `best` is a part of
        for (std::size_t server = 0; server < servers.size(); ++server)
        {
            const CellTree& tree = servers[server];
            for (std::size_t begin = 0; begin + size <= tree.gpus.size(); begin += size)
            {
                if (!tree.IsFree(begin, size))
                {
                    continue;
                }
                std::size_t whole = size;
                while (tree.IsFree(begin / (2 * whole) * (2 * whole), 2 * whole))
                {
                    whole *= 2;
                }
                if (!best || whole < least)
                {
                    best = Cell{server, begin, size};
                    least = whole;
                }
            }
        }
        return best;
    }

    bool m_wholeJob{false};
};

NS_OBJECT_ENSURE_REGISTERED(BuddyCellPlacementPolicy);
DDL_POLICY_SOURCE(BuddyCellPlacementPolicy, "HiveD, OSDI", 2020, "nothing");

} // namespace ns3::ddl
