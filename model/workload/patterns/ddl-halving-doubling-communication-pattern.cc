// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

namespace ns3::ddl
{

namespace
{

/** \return the bytes that a rank keeps in the halving step at distance \p mask */
ByteRange
GetKept(uint64_t bytes, uint32_t blocks, uint32_t rank, uint32_t mask)
{
    uint32_t begin = 0;
    uint32_t size = blocks;
    for (uint32_t bit = 1; bit <= mask; bit *= 2)
    {
        size /= 2;
        begin += (rank & bit) ? size : 0;
    }
    const uint64_t offset = SplitOffset(bytes, blocks, begin);
    return {offset, SplitOffset(bytes, blocks, begin + size) - offset};
}

/** Add the step at distance \p mask: halving, or doubling in which each sends the bytes that it has
 * kept. */
void
AddExchanges(PlanBuilder& builder, uint64_t bytes, uint32_t blocks, uint32_t mask, bool doubling)
{
    for (uint32_t rank = 0; rank < blocks; ++rank)
    {
        const uint32_t partner = rank ^ mask;
        if (rank < partner)
        {
            const ByteRange own = GetKept(bytes, blocks, rank, mask);
            const ByteRange other = GetKept(bytes, blocks, partner, mask);
            // In halving, a rank sends the bytes that its partner keeps.
            builder.Exchange(rank,
                             partner,
                             doubling ? own : other,
                             doubling ? other : own,
                             doubling);
        }
    }
    builder.EndStep();
}

} // namespace

/**
 * `halving-doubling`: all-reduce of M bytes by N workers by recursive halving (reduce-scatter) and
 * doubling (all-gather) (Ada-SRSF Table I, "recursive halving and doubling").
 *
 * In step k (from 0) ranks that differ in bit k alone halve the blocks that they still share, send
 * each other the half that they give up, M/2^(k+1) bytes, and add what they get; then the same in
 * reverse, with the sums. So the largest messages go between neighbours. The model is cut into P
 * blocks as evenly as can be.
 *
 * If N is no power of two, P = 2^floor(log2 N) take part, the others by a step before and one
 * after, each of M bytes through a port (AddFoldStep):
 *
 *     T = 2 (log2 P + [N > P]) alpha + 2 ((P - 1) / P + [N > P]) M beta;
 *
 * all together send 2 (N - 1) M bytes.
 */
class HalvingDoublingCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::HalvingDoublingCommunicationPattern")
                                .SetParent<CommunicationPattern>()
                                .SetGroupName("Ddl")
                                .AddConstructor<HalvingDoublingCommunicationPattern>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all-reduce by recursive halving and doubling: 2 log2 N steps, 2(N-1)/N M bytes "
               "(Ada-SRSF Table I)";
    }

    std::string Refuse(const PatternView& view) const override
    {
        return view.servers > 0 ? "pattern halving-doubling has no servers; servers must be 0" : "";
    }

  private:
    TransferPlan DoPlan(const PatternView& view) const override
    {
        const uint32_t power = FloorPowerOfTwo(view.workers);
        PlanBuilder builder(view.workers);
        AddFoldStep(builder, view, false);
        for (uint32_t mask = 1; mask < power; mask *= 2)
        {
            AddExchanges(builder, view.bytes, power, mask, false);
        }
        for (uint32_t mask = power / 2; mask > 0; mask /= 2)
        {
            AddExchanges(builder, view.bytes, power, mask, true);
        }
        AddFoldStep(builder, view, true);
        return builder.Take();
    }
};

NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingCommunicationPattern);

} // namespace ns3::ddl
