// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

namespace ns3::ddl
{

/**
 * `binary-tree`: all-reduce of M bytes by N workers up a binomial tree to rank 0 and down again
 * (Ada-SRSF Table I).
 *
 * In step k upwards (from 0) rank r = 2^k (2i + 1) sends its sum of M bytes to r - 2^k, once it has
 * those of all its own children; downwards the same in reverse, a rank's largest subtree first, and
 * to the next child when the previous one has it. For any N there are ceil(log2 N) steps each way,
 *
 *     T = 2 ceil(log2 N) (alpha + M beta),
 *
 * and all together send 2 (N - 1) M bytes.
 */
class BinaryTreeCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::BinaryTreeCommunicationPattern")
                                .SetParent<CommunicationPattern>()
                                .SetGroupName("Ddl")
                                .AddConstructor<BinaryTreeCommunicationPattern>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all-reduce up and down a tree: 2 ceil(log2 N) steps of M bytes (Ada-SRSF Table I)";
    }

    std::string Refuse(const PatternView& view) const override
    {
        return view.servers > 0 ? "pattern binary-tree has no servers; servers must be 0" : "";
    }

  private:
    TransferPlan DoPlan(const PatternView& view) const override
    {
        const uint64_t n = view.workers;
        const ByteRange all{0, view.bytes};
        PlanBuilder builder(view.workers);
        uint64_t mask = 1;
        for (; mask < n; mask *= 2)
        {
            for (uint64_t rank = mask; rank < n; rank += 2 * mask)
            {
                builder.Send(rank, rank - mask, all, false);
            }
            builder.EndStep();
        }
        for (mask /= 2; mask > 0; mask /= 2)
        {
            for (uint64_t rank = 0; rank + mask < n; rank += 2 * mask)
            {
                builder.Send(rank, rank + mask, all, true, true);
            }
            builder.EndStep();
        }
        return builder.Take();
    }
};

NS_OBJECT_ENSURE_REGISTERED(BinaryTreeCommunicationPattern);

} // namespace ns3::ddl
