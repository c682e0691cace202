// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-policy.h"
#include "ddl-tier-fit.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

#include <string>

namespace ns3::ddl
{

/**
 * `tiresias`: jobs whose model is skewed, that is, has much of its bytes in one layer, wait until
 * they can be as near together as is possible; the others take a server, a rack, or any GPUs, at
 * once (Tiresias, NSDI 2019, §3.3, as Dally §V compares with it).
 *
 * As near together as is possible: on one server; a job that is larger than the largest server on
 * the least number of servers that have as many GPUs as it needs. With Strict false, as in the
 * simulator of Dally's authors, a skewed job takes a rack as soon as the whole cluster has as many
 * free GPUs as the largest server, and a job that is larger than a rack takes any.
 *
 * At the end of a lease a job goes on where it would be placed again, and gives its GPUs back
 * otherwise.
 */
class TiresiasPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::TiresiasPlacementPolicy")
                .SetParent<PlacementPolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<TiresiasPlacementPolicy>()
                .AddAttribute("Skew",
                              "a model is skewed if its largest layer has at least this part of "
                              "its bytes; models without layers are not",
                              DoubleValue(0.3),
                              MakeDoubleAccessor(&TiresiasPlacementPolicy::m_skew),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Strict",
                              "whether skewed jobs wait for the fewest servers possible; false: "
                              "only until as many GPUs as a server has are free anywhere",
                              BooleanValue(true),
                              MakeBooleanAccessor(&TiresiasPlacementPolicy::m_isStrict),
                              MakeBooleanChecker())
                .AddAttribute("BestFit",
                              "whether a job takes the server, or rack, with the least room; "
                              "false: the first one",
                              BooleanValue(true),
                              MakeBooleanAccessor(&TiresiasPlacementPolicy::m_bestFit),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs of skewed models wait for as few servers as is possible, the others take what "
               "there is (Tiresias)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        wishes.looksAtJobs = true;
        wishes.takesBackLeases = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        const TierFit fit(view);
        if (auto placement = fit.FindServer(m_bestFit))
        {
            return placement;
        }
        if (view.job.skew == 0 || view.job.skew < m_skew)
        {
            const auto placement = fit.FindRack(m_bestFit);
            return placement ? placement : fit.FindAny();
        }
        return m_isStrict ? PlaceNear(view, fit) : PlaceInRack(view, fit);
    }

    /** \return the answer for a skewed job: on as few servers as possible, or it waits. */
    PlacementAnswer PlaceNear(const PlacementView& view, const TierFit& fit) const
    {
        const uint32_t servers = fit.CountServersFor(view.workers);
        for (const auto& placement : {fit.FindRack(m_bestFit), fit.FindAny()})
        {
            if (placement && fit.CountServersOf(*placement) <= servers)
            {
                return placement;
            }
        }
        return PlacementAnswer::Decline(
            "no " + (servers == 1 ? "server has" : std::to_string(servers) + " servers have") +
            " room for its skewed model");
    }

    /** \return the answer for a skewed job as in the simulator of Dally's authors. */
    PlacementAnswer PlaceInRack(const PlacementView& view, const TierFit& fit) const
    {
        if (fit.CountRoom() >= fit.GetLargestServer())
        {
            if (auto placement = fit.FindRack(m_bestFit))
            {
                return placement;
            }
        }
        return view.workers > fit.GetLargestRack()
                   ? PlacementAnswer(fit.FindAny())
                   : PlacementAnswer::Decline("no rack has room for its skewed model");
    }

    double m_skew{0.3};
    bool m_isStrict{true};
    bool m_bestFit{true};
};

NS_OBJECT_ENSURE_REGISTERED(TiresiasPlacementPolicy);
DDL_POLICY_SOURCE(TiresiasPlacementPolicy, "Tiresias, NSDI", 2019, "bytes of layers");

} // namespace ns3::ddl
