// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-goal-operations.h"

#include "ns3/enum.h"

#include <map>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GoalOperations);

TypeId
GoalOperations::GetTypeId()
{
    // a class up to ns-3.40, and a template from 3.41 on
    using LayoutValue = decltype(EnumValue(NO_LAYOUT));
    using ComputeValue = decltype(EnumValue(ON_GPU));
    static TypeId tid =
        TypeId("ns3::ddl::GoalOperations")
            .SetParent<GraphFormat>()
            .SetGroupName("Ddl")
            .AddAttribute(
                "Layout",
                "what nic means, if a file has more than NIC 0: rank (each rank is a GPU, "
                "and its NICs are the fabric's affair), or unset, which refuses such files",
                LayoutValue(NO_LAYOUT),
                MakeAccessorHelper<LayoutValue>(&GoalOperations::m_layout),
                MakeEnumChecker(NO_LAYOUT, "unset", RANK_IS_GPU, "rank"))
            .AddAttribute("Compute",
                          "what calc occupies: gpu (a kernel), or cpu (time that takes no GPU)",
                          ComputeValue(ON_GPU),
                          MakeAccessorHelper<ComputeValue>(&GoalOperations::m_compute),
                          MakeEnumChecker(ON_GPU, "gpu", ON_CPU, "cpu"));
    return tid;
}

RankGraph
GoalOperations::MakeRank(uint32_t rank,
                         const std::vector<Operation>& operations,
                         uint32_t ranks,
                         GraphProgramPool& pool) const
{
    RankGraph made;
    GraphProgramBuilder builder;
    GraphIndex peers;
    std::map<int, uint16_t> lanes; // of each cpu; -1: that of messages
    for (const Operation& operation : operations)
    {
        const std::string place = "rank " + std::to_string(rank) + ", node " +
                                  std::to_string(builder.GetSize()) +
                                  (operation.name.empty() ? "" : " " + QuoteText(operation.name));
        const bool computes = operation.kind == GraphNode::Kind::COMPUTE;
        if (!computes && operation.peer >= ranks)
        {
            throw GraphRefusal{place,
                               "its peer is " + std::to_string(operation.peer) +
                                   " (ranks are 0 to " + std::to_string(ranks - 1) +
                                   "; any source is not supported)"};
        }
        if (operation.nic > 0 && m_layout == NO_LAYOUT)
        {
            throw GraphRefusal{place,
                               "uses NIC " + std::to_string(operation.nic) +
                                   ", and the file does not say whether that is another GPU or "
                                   "another NIC of a rank that is one GPU (set Layout to rank for "
                                   "the latter; the former is not supported)"};
        }
        const auto [lane, isNew] = lanes.emplace(computes ? operation.cpu : -1, 0);
        if (isNew)
        {
            lane->second = builder.AddLane(!computes             ? LaneKind::COMMUNICATION
                                           : m_compute == ON_GPU ? LaneKind::GPU
                                                                 : LaneKind::CPU);
        }
        builder.Add({operation.amount,
                     computes ? 0 : peers.Add(operation.peer),
                     operation.tag,
                     operation.kind,
                     Collective::ALL_REDUCE,
                     lane->second},
                    operation.ended,
                    operation.started,
                    HasNames() ? operation.name : "");
    }
    made.program = pool.Share(builder.Build());
    made.peers = peers.GetAll();
    return made;
}

} // namespace ns3::ddl
