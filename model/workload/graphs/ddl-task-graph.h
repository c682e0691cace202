// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_GRAPH_H
#define DDL_TASK_GRAPH_H

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
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

/**
 * One piece of work of a rank. It begins when the nodes before it have ended or started; computing
 * also waits until its lane is free. A send ends when its bytes have left, a receive when a message
 * has arrived, a collective when this rank has its result.
 */
struct GraphNode
{
    enum class Kind : uint8_t
    {
        COMPUTE,
        SEND,
        RECEIVE,
        COLLECTIVE
    };

    static constexpr uint64_t MOST_NANOSECONDS = 1000000000000000000; //!< longest time: 31 years
    static constexpr uint64_t MOST_BYTES = 1ULL << 50; //!< largest buffer: a pebibyte

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
    uint16_t lane{0}; //!< index into GraphProgram::lanes

    bool operator==(const GraphNode& other) const
    {
        return std::tie(amount, peer, tag, kind, collective, lane) == std::tie(other.amount,
                                                                               other.peer,
                                                                               other.tag,
                                                                               other.kind,
                                                                               other.collective,
                                                                               other.lane);
    }
};

/** What serves the nodes of a lane. Computing nodes of a lane run one at a time. */
enum class LaneKind : uint8_t
{
    GPU,          //!< computes on the rank's GPU
    CPU,          //!< computes, and takes time but no GPU
    COMMUNICATION //!< sends, receives and collectives, which can overlap
};

/**
 * The nodes of one rank, in flat arrays. Ranks that do the same with other peers and groups share
 * one program: 40 bytes a node and 4 an edge, and names.
 */
struct GraphProgram
{
    std::vector<LaneKind> lanes;
    std::vector<GraphNode> nodes;
    std::vector<std::string> names; //!< what its format calls each node; or the list is empty

    /** Edges, node by node: nodes that must have ended, then those that must have started, before
     * the node may begin. An edge may point forwards; there is no cycle. */
    std::vector<uint32_t> before;
    std::vector<uint32_t> endedEnds;   //!< index in `before` behind the nodes that must have ended
    std::vector<uint32_t> startedEnds; //!< index behind the nodes that must have started

    /** \return index in `before` of the first node before \p node */
    uint32_t GetFirst(uint32_t node) const
    {
        return node == 0 ? 0 : startedEnds[node - 1];
    }

    /** \return whether the programs do the same; names and lanes count, too */
    bool operator==(const GraphProgram& other) const
    {
        return std::tie(lanes, nodes, names, before, endedEnds, startedEnds) ==
               std::tie(other.lanes,
                        other.nodes,
                        other.names,
                        other.before,
                        other.endedEnds,
                        other.startedEnds);
    }
};

/** One rank of a graph. */
struct RankGraph
{
    std::shared_ptr<const GraphProgram> program;
    std::vector<uint32_t> peers;  //!< ranks with which it exchanges messages
    std::vector<uint32_t> groups; //!< its groups, as indices of TaskGraph::groups
    std::string source;           //!< its file, for messages; "": that of the graph
};

/** Ranks that take part in collectives together. Its k-th collective is the k-th of each member. */
struct RankGroup
{
    std::string name;
    std::vector<uint32_t> ranks; //!< members, without repetition; the position is the rank within
    std::string source{};        //!< file that defines it, for messages; "": that of the graph
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
    double tokens{0}; //!< tokens that an iteration trains on; 0: not known
    double flops{0};  //!< FLOPs of the model in an iteration, all ranks; 0: not known
    double peak{0};   //!< FLOP/s of the reference GPU at its peak; 0: not known
};

/** \return bytes of memory that the ranks of a graph take; programs that they share count once */
uint64_t CountGraphMemory(const TaskGraph& graph);

/** Builds the program of one rank node by node. */
class GraphProgramBuilder
{
  public:
    /** \return index of a new lane */
    uint16_t AddLane(LaneKind kind);

    /**
     * \param node a node of an existing lane
     * \param ended, started nodes that must have ended, or have started; they may follow later
     * \param name name of the node, or "" if it has none
     * \return index of the node
     */
    uint32_t Add(const GraphNode& node,
                 const std::vector<uint32_t>& ended,
                 const std::vector<uint32_t>& started = {},
                 std::string name = {});

    /** \return number of nodes so far */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_program.nodes.size());
    }

    /** \return the program; the builder is empty afterwards */
    std::shared_ptr<const GraphProgram> Build();

  private:
    GraphProgram m_program;
};

/** \return hash of all that operator== compares */
std::size_t HashProgram(const GraphProgram& program);

/** Keeps one copy of equal programs, so that ranks that do the same share it. */
class GraphProgramPool
{
  public:
    /** \return a program equal to this one: the first such that the pool was given */
    std::shared_ptr<const GraphProgram> Share(std::shared_ptr<const GraphProgram> program);

  private:
    std::unordered_multimap<std::size_t, std::shared_ptr<const GraphProgram>> m_programs;
};

/** A table of a rank in the making: `peers` or `groups`. */
class GraphIndex
{
  public:
    /** \return index of a rank or group, which is appended to the table if it is not there yet */
    uint32_t Add(uint32_t value);

    /** \return the table: all values that were added, each once, in order of their first use */
    const std::vector<uint32_t>& GetAll() const
    {
        return m_values;
    }

  private:
    std::vector<uint32_t> m_values;
    std::unordered_map<uint32_t, uint32_t> m_indices;
};

} // namespace ns3::ddl

#endif // DDL_TASK_GRAPH_H
