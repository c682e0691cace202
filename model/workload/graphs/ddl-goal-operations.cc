// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-goal-operations.h"

#include "ddl-graph-matches.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"

#include <map>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GoalOperations);

TypeId
GoalOperations::GetTypeId()
{
    // a class up to ns-3.40, and a template from 3.41 on
    using ComputeValue = decltype(EnumValue(ON_GPU));
    static TypeId tid =
        TypeId("ns3::ddl::GoalOperations")
            .SetParent<GraphFormat>()
            .SetGroupName("Ddl")
            .AddAttribute("IgnoreNics",
                          "whether each rank is one GPU, and the scenario says which NICs it has; "
                          "without this, a file with more than NIC 0 is refused, since each NIC "
                          "could be a GPU of its own",
                          BooleanValue(false),
                          MakeBooleanAccessor(&GoalOperations::m_ignoresNics),
                          MakeBooleanChecker())
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
                         GraphProgramPool& pool,
                         const std::string& file,
                         GraphComplaints& complaints) const
{
    RankGraph made;
    GraphProgramBuilder builder;
    GraphIndex peers;
    std::map<int, uint16_t> lanes; // by cpu; -1: messages
    for (const Operation& operation : operations)
    {
        const auto refuse = [&](const std::string& what) {
            complaints.Add(file, DescribeNode(rank, builder.GetSize(), operation.name), what);
        };
        const bool computes = operation.kind == GraphNode::Kind::COMPUTE;
        if (!computes && operation.peer >= ranks)
        {
            refuse("its peer is " + std::to_string(operation.peer) + " (ranks are 0 to " +
                   std::to_string(ranks - 1) + "; any source is not supported)");
        }
        if (operation.nic > 0 && !m_ignoresNics)
        {
            refuse("uses NIC " + std::to_string(operation.nic) +
                   ", and the file does not say whether that is another GPU or another NIC of a "
                   "rank that is one GPU (set IgnoreNics for the latter; the former is not "
                   "supported)");
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
