// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include <numeric>

namespace ns3::ddl
{

namespace
{

/** \return the rings of all workers: within servers, within racks, between racks */
std::vector<std::vector<Ring>>
ListViewTiers(const PatternView& view)
{
    Ring ranks(view.workers);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ListTiers(ranks, {&view.machines, &view.racks});
}

} // namespace

/**
 * `tiered-ring`: all-reduce of M bytes tier by tier: within servers, within racks, between racks
 * (Cho et al., BlueConnect, MLSys 2019; the hierarchical all-reduce of ASTRA-sim, which Dally's
 * simulator uses). The workers of a server reduce-scatter M by a ring, so that each has the sum of
 * one part; the workers of a rack with the same part do the same with it, then those of all racks.
 * All-gathers by the same rings in reverse follow. So a tier carries only the part of M that the
 * tiers below leave to each worker.
 *
 * With g_1, g_2, ... workers in the rings of the tiers (G_t = g_1 ... g_t),
 *
 *     T = sum over tiers t of 2 (g_t - 1) (alpha_t + M / G_t beta_t);
 *
 * all together send 2 (N - 1) M bytes, as a ring does.
 *
 * A tier takes part only if its servers (racks) have the same number of workers each; otherwise the
 * tier above takes all of them into its ring. A worker whose server is not known has one of its
 * own, and without known racks there is one. With one tier this is `ring`.
 */
class TieredRingCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::TieredRingCommunicationPattern")
                                .SetParent<CommunicationPattern>()
                                .SetGroupName("Ddl")
                                .AddConstructor<TieredRingCommunicationPattern>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "rings within servers, then within racks, then between racks (BlueConnect)";
    }

    std::string Refuse(const PatternView& view) const override
    {
        return view.servers > 0 ? "pattern tiered-ring has no servers; servers must be 0" : "";
    }

  private:
    TransferPlan DoPlan(const PatternView& view) const override
    {
        const auto tiers = ListViewTiers(view);
        PlanBuilder builder(view.workers);
        std::vector<ByteRange> sums(view.workers,
                                    {0, view.bytes}); // range of each rank's next ring
        std::vector<std::vector<ByteRange>> before;   // these ranges before each tier
        for (const auto& rings : tiers)
        {
            before.push_back(sums);
            Turn(builder, rings, sums, false);
            for (const Ring& ring : rings)
            {
                for (uint32_t i = 0; i < ring.size(); ++i)
                {
                    sums[ring[i]] = GetPart(sums[ring[i]], ring.size(), (i + 1) % ring.size());
                }
            }
        }
        for (std::size_t tier = tiers.size(); tier-- > 0;)
        {
            Turn(builder, tiers[tier], before[tier], true);
        }
        return builder.Take();
    }

    RotatedPlan DoPlanRotated(const PatternView& view) const override
    {
        // In one ring all ranks do the same.
        const auto tiers = ListViewTiers(view);
        const bool isRing = tiers.size() == 1 && tiers.front().size() == 1;
        return isRing ? CreatePolicy<CommunicationPattern>("ring")->PlanRotated(view)
                      : RotatedPlan{};
    }

    /**
     * Add one turn of each ring: a reduce-scatter, or the all-gather of its results.
     *
     * \param builder the builder to which the steps are added
     * \param rings the rings of a tier, of equal size
     * \param sums range of bytes that each rank's ring shares, by rank
     * \param gather whether it is an all-gather, or a reduce-scatter
     */
    static void Turn(PlanBuilder& builder,
                     const std::vector<Ring>& rings,
                     const std::vector<ByteRange>& sums,
                     bool gather)
    {
        const uint32_t size = rings.front().size();
        for (uint32_t step = 0; step + 1 < size; ++step)
        {
            for (const Ring& ring : rings)
            {
                for (uint32_t i = 0; i < size; ++i)
                {
                    const uint32_t part = (i + size + (gather ? 1 : 0) - step) % size;
                    builder.SendPart(ring[i],
                                     ring[(i + 1) % size],
                                     GetPart(sums[ring[i]], size, part),
                                     gather);
                }
            }
            builder.EndStep();
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TieredRingCommunicationPattern);

} // namespace ns3::ddl
