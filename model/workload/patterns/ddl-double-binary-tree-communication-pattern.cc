// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-double-tree.h"

#include "ns3/uinteger.h"

#include <numeric>

namespace ns3::ddl
{

/**
 * `double-binary-tree`: all-reduce of M bytes by N workers up and down two binary trees, half of
 * the bytes each (ddl-double-tree.h, after NCCL).
 *
 * A rank sends at most 2 M bytes, and all together send 2 (N - 1) M bytes. With D = ceil(log2 N)
 * levels and c chunks of each half,
 *
 *     T = 2 D alpha + 2 M beta (1 + D / c)          about, from above: chunks fill the tree
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
                              "Parts of each half, which follow each other through a tree.",
                              UintegerValue(8),
                              MakeUintegerAccessor(&DoubleBinaryTreeCommunicationPattern::m_chunks),
                              MakeUintegerChecker<uint32_t>(1, 1024));
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
    TransferPlan DoPlan(const PatternView& view) const override
    {
        std::vector<uint32_t> ranks(view.workers);
        std::iota(ranks.begin(), ranks.end(), 0);
        TransferPlan plan;
        AddDoubleTreeAllReduce(plan, ranks, {0, view.bytes}, m_chunks);
        return plan;
    }

    uint32_t m_chunks{8}; //!< parts of each half
};

NS_OBJECT_ENSURE_REGISTERED(DoubleBinaryTreeCommunicationPattern);

} // namespace ns3::ddl
