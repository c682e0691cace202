// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include "ns3/uinteger.h"

namespace ns3::ddl
{

/**
 * `double-binary-tree`: all-reduce of M bytes by N workers up and down two binary trees, half of
 * the bytes each (NCCL, trees.cc; Sanders, Speck and Träff, "Two-Tree Algorithms for Full Bandwidth
 * Broadcast, Reduction and Scan", 2009).
 *
 * Let b be the lowest set bit of rank r. The parent of r is (r xor b) or 2b if that is below N,
 * else r xor b; rank 0 is the root. In the second tree rank r stands where N - 1 - r stands in the
 * first one if N is even, and where r - 1 (modulo N) stands if N is odd. Each half is cut into
 * chunks, which do not wait for each other.
 *
 * A rank sends at most 2 M bytes, and all together send 2 (N - 1) M bytes.
 */
class DoubleBinaryTreeCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::DoubleBinaryTreeCommunicationPattern")
                .SetParent<CommunicationPattern>()
                .SetGroupName("Ddl")
                .AddConstructor<DoubleBinaryTreeCommunicationPattern>()
                .AddAttribute("Chunks",
                              "parts of each half, which follow each other through a tree",
                              UintegerValue(8),
                              MakeUintegerAccessor(&DoubleBinaryTreeCommunicationPattern::m_chunks),
                              MakeUintegerChecker<uint32_t>(1, 64));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all-reduce up and down two trees, half of the bytes each (NCCL)";
    }

    std::string Refuse(const PatternView& view) const override
    {
        return view.servers > 0 ? "pattern double-binary-tree has no servers; servers must be 0"
                                : "";
    }

  private:
    /** Send all chunks between the ranks whose lowest set bit is \p bit and their parents. */
    void AddLevel(PlanBuilder& builder, const PatternView& view, uint64_t bit, bool up) const
    {
        const uint64_t n = view.workers;
        for (uint32_t tree = 0; tree < 2; ++tree)
        {
            const ByteRange half{SplitOffset(view.bytes, 2, tree), SplitBytes(view.bytes, 2, tree)};
            const auto place = [&](uint64_t i) {
                return static_cast<uint32_t>(tree == 0 ? i : n % 2 == 0 ? n - 1 - i : (i + 1) % n);
            };
            for (uint64_t i = bit; i < n; i += 2 * bit)
            {
                const uint64_t above = (i ^ bit) | (2 * bit);
                const uint32_t child = place(i);
                const uint32_t parent = place(above < n ? above : i ^ bit);
                for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
                {
                    const ByteRange part{half.offset + SplitOffset(half.bytes, m_chunks, chunk),
                                         SplitBytes(half.bytes, m_chunks, chunk)};
                    builder.SendPart(up ? child : parent, up ? parent : child, part, !up);
                }
            }
        }
        builder.EndStep();
    }

    TransferPlan DoPlan(const PatternView& view) const override
    {
        PlanBuilder builder(view.workers);
        uint64_t bit = 1;
        for (; bit < view.workers; bit *= 2)
        {
            AddLevel(builder, view, bit, true);
        }
        for (bit /= 2; bit > 0; bit /= 2)
        {
            AddLevel(builder, view, bit, false);
        }
        return builder.Take();
    }

    uint32_t m_chunks{8}; //!< parts of each half
};

NS_OBJECT_ENSURE_REGISTERED(DoubleBinaryTreeCommunicationPattern);

} // namespace ns3::ddl
