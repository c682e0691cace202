// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_GRAPH_H
#define DDL_TASK_GRAPH_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Operation of a group of ranks in which each contributes and receives bytes. */
enum class Collective : uint8_t
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    BROADCAST, //!< from the first rank of the group
    BARRIER
};

/** \return name as users write it: "all-reduce", "all-gather", ... */
const char* GetName(Collective collective);

/** One piece of work of a rank. It begins when the nodes that it names have ended or started and
 * its lane is free. */
struct GraphNode
{
    enum class Kind : uint8_t
    {
        COMPUTE,
        SEND,
        RECEIVE,
        COLLECTIVE
    };

    /**
     * COMPUTE: nanoseconds on the reference GPU. Otherwise bytes, for a COLLECTIVE those of the
     * whole buffer: what each rank holds before an all-reduce, a reduce-scatter, an all-to-all or a
     * broadcast, and after an all-gather.
     */
    uint64_t amount{0};
    uint32_t peer{0}; //!< index into RankGraph::peers, or for a COLLECTIVE into RankGraph::groups
    uint32_t tag{0};  //!< a receive takes the first message of its peer with its tag
    Kind kind{Kind::COMPUTE};
    Collective collective{Collective::ALL_REDUCE};
    uint16_t lane{0}; //!< index into GraphProgram::lanes; nodes of a lane run one at a time

    bool operator==(const GraphNode&) const = default;
};

/** What serves the nodes of a lane. */
enum class LaneKind : uint8_t
{
    GPU,          //!< kernels, one after the other, on the rank's GPU
    CPU,          //!< work that takes time and no GPU
    COMMUNICATION //!< sends, receives and collectives
};

/**
 * The nodes of one rank, in flat arrays. Ranks that do the same with other peers and groups share
 * one program: 32 bytes a node and 4 an edge.
 */
struct GraphProgram
{
    std::vector<LaneKind> lanes;
    std::vector<GraphNode> nodes;
    std::vector<std::string> names; //!< name of each node, or empty

    /** Edges, node by node: nodes that must have ended, then those that must have started, before
     * the node may begin. An edge may point forwards; there is no cycle. */
    std::vector<uint32_t> before;
    std::vector<uint32_t> endedEnds;   //!< index in `before` behind the nodes that must have ended
    std::vector<uint32_t> startedEnds; //!< index behind the nodes that must have started
};

/** One rank of a graph. */
struct RankGraph
{
    std::shared_ptr<const GraphProgram> program;
    std::vector<uint32_t> peers;  //!< ranks with which it exchanges messages
    std::vector<uint32_t> groups; //!< groups of which it is a member, as indices of TaskGraph::groups
};

/** Ranks that take part in collectives together. Its k-th collective is the k-th of each member. */
struct RankGroup
{
    std::string name;
    std::vector<uint32_t> ranks; //!< members, without repetition; the position is the rank within
};

/**
 * An iteration of a training job, rank by rank: what it computes, sends and receives, and in which
 * order. It is made by a generator or read from a file, and shared read-only by jobs.
 */
struct TaskGraph
{
    std::string source; //!< where it comes from, for messages
    std::vector<RankGraph> ranks;
    std::vector<RankGroup> groups;
};

/** Builds the program of one rank node by node. */
class GraphProgramBuilder
{
  public:
    /** \return index of a new lane */
    uint16_t AddLane(LaneKind kind);

    /**
     * \param node a node of an existing lane
     * \param ended, started nodes that must have ended, or have started; they may follow later
     * \return index of the node
     */
    uint32_t Add(const GraphNode& node,
                 const std::vector<uint32_t>& ended,
                 const std::vector<uint32_t>& started = {},
                 std::string name = {});

    /** \return the program; the builder is empty afterwards */
    std::shared_ptr<const GraphProgram> Build();

  private:
    GraphProgram m_program;
};

} // namespace ns3::ddl

#endif // DDL_TASK_GRAPH_H
