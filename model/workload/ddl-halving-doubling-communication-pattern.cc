// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-halving-doubling-communication-pattern.h"

#include "ddl-plan-builder.h"
#include "ddl-split-bytes.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingCommunicationPattern);

namespace
{

/** \return what a rank is left with after the halving step at distance `mask` */
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

} // namespace

TypeId
HalvingDoublingCommunicationPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::HalvingDoublingCommunicationPattern")
                            .SetParent<CommunicationPattern>()
                            .SetGroupName("Ddl")
                            .AddConstructor<HalvingDoublingCommunicationPattern>();
    return tid;
}

std::string
HalvingDoublingCommunicationPattern::GetSummary() const
{
    return "all-reduce by recursive halving and doubling: 2 log2 N steps, 2(N-1)/N M bytes "
           "(Ada-SRSF "
           "Table I)";
}

std::string
HalvingDoublingCommunicationPattern::Refuse(const PatternView& view) const
{
    return view.servers > 0 ? "pattern halving-doubling has no servers; servers must be 0" : "";
}

TransferPlan
HalvingDoublingCommunicationPattern::DoPlan(const PatternView& view) const
{
    const uint32_t power = FloorPowerOfTwo(view.workers);
    PlanBuilder builder(view.workers);
    AddFoldStep(builder, view, false);
    for (uint32_t mask = 1; mask < power; mask *= 2)
    {
        for (uint32_t rank = 0; rank < power; ++rank)
        {
            // What its partner keeps, it sends.
            builder.Send(rank, rank ^ mask, GetKept(view.bytes, power, rank ^ mask, mask), false);
        }
        builder.EndStep();
    }
    for (uint32_t mask = power / 2; mask > 0; mask /= 2)
    {
        for (uint32_t rank = 0; rank < power; ++rank)
        {
            builder.Send(rank, rank ^ mask, GetKept(view.bytes, power, rank, mask), true);
        }
        builder.EndStep();
    }
    AddFoldStep(builder, view, true);
    return builder.Take();
}

} // namespace ddl
} // namespace ns3
