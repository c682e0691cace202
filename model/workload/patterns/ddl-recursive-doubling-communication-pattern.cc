// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

namespace ns3::ddl
{

/**
 * `recursive-doubling`: all-reduce of M bytes by N workers; in step k (from 0) ranks that differ in
 * bit k alone exchange and add all M bytes (Ada-SRSF Table I).
 *
 * If N is no power of two, P = 2^floor(log2 N) take part, the others by a step before and one
 * after, each of M bytes through a port (AddFoldStep):
 *
 *     T = (log2 P + 2 [N > P]) (alpha + M beta);
 *
 * all together send (P log2 P + 2 (N - P)) M bytes.
 */
class RecursiveDoublingCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::RecursiveDoublingCommunicationPattern")
                                .SetParent<CommunicationPattern>()
                                .SetGroupName("Ddl")
                                .AddConstructor<RecursiveDoublingCommunicationPattern>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all-reduce by pairs at doubling distance: log2 N steps of M bytes (Ada-SRSF Table "
               "I)";
    }

    std::string Refuse(const PatternView& view) const override
    {
        return view.servers > 0 ? "pattern recursive-doubling has no servers; servers must be 0"
                                : "";
    }

  private:
    TransferPlan DoPlan(const PatternView& view) const override
    {
        const uint32_t power = FloorPowerOfTwo(view.workers);
        PlanBuilder builder(view.workers);
        AddFoldStep(builder, view, false);
        for (uint32_t mask = 1; mask < power; mask *= 2)
        {
            for (uint32_t rank = 0; rank < power; ++rank)
            {
                if ((rank & mask) == 0)
                {
                    builder.Exchange(rank, rank | mask, {0, view.bytes}, {0, view.bytes}, false);
                }
            }
            builder.EndStep();
        }
        AddFoldStep(builder, view, true);
        return builder.Take();
    }
};

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoublingCommunicationPattern);

} // namespace ns3::ddl
