// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_SCHEDULE_H
#define DDL_GRAPH_SCHEDULE_H

#include "ddl-graph-matches.h"
#include "ddl-task-graph.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** A network on which transfers do not disturb each other: closed forms of collectives. A transfer
 * takes 31 years at most. */
struct IdealNetwork
{
    DataRate rate{0};         //!< rate of each rank, both ways; 0: transfers take no time
    Time latency{Seconds(0)}; //!< latency of a message, or a step of a collective

    /** \return time of a message of this many bytes */
    Time GetMessageTime(uint64_t bytes) const;

    /**
     * \param collective type; all-reduces, all-gathers and reduce-scatters are rings, an all-to-all
     *        is direct, a broadcast is a chain with many chunks, a barrier an all-reduce of nothing
     * \param bytes bytes of the whole buffer (GraphNode::amount)
     * \param ranks number of members
     * \return time of a collective alone
     */
    Time GetCollectiveTime(Collective collective, uint64_t bytes, std::size_t ranks) const;
};

/**
 * When each node of a graph runs on an ideal network; nodes that never do tell of a deadlock.
 *
 * A rank is a GPU, which runs one task at a time: with Lanes::ONE_BY_ONE, all GPU lanes of a rank
 * are one, and each CPU lane is one of its own, as in a run (GraphRank). Of nodes that become ready
 * at the same instant, the least goes first.
 */
class GraphSchedule
{
  public:
    static constexpr int64_t NEVER = -1;

    /** What computing waits for. */
    enum class Lanes
    {
        UNLIMITED, //!< the nodes before it: the end is the longest path
        ONE_BY_ONE //!< its lane, too, in the order in which nodes become ready, as in a run
    };

    /**
     * \param graph a graph whose shape is right
     * \param matches its matches
     */
    GraphSchedule(const TaskGraph& graph,
                  const GraphMatches& matches,
                  const IdealNetwork& network = {},
                  Lanes lanes = Lanes::UNLIMITED);

    /** \return start of a node by its number in the matches, in ns; NEVER if it does not start */
    int64_t GetStart(uint64_t number) const
    {
        return m_starts[number];
    }

    /** \return its end, in ns; NEVER if it does not end */
    int64_t GetEnd(uint64_t number) const
    {
        return m_ends[number];
    }

    /** \return the last end, in ns */
    int64_t GetLength() const;

    /** \return whether every node runs */
    bool IsComplete() const;

    /** \return nodes on a longest path to the last end, from the first on */
    std::vector<uint64_t> FindCriticalPath() const;

  private:
    class Run;

    std::vector<int64_t> m_starts;
    std::vector<int64_t> m_ends;
    std::vector<uint64_t> m_causes; //!< node that was the last to let each one end, or NONE
};

/**
 * Check a graph before it runs. Time and memory are in proportion to nodes and edges.
 *
 * \return everything that is wrong, with file, rank, node and peer, or nothing: indices that point
 *         to nothing; numbers whose sums do not fit 64 bits; cycles, within a rank and across ranks
 *         through messages and collectives; messages that do not match by source, destination, tag
 *         and bytes in FIFO order; groups whose members differ in their sequences of collectives;
 *         collectives by a rank that is no member
 */
std::vector<Diagnostic> CheckGraph(const TaskGraph& graph);

} // namespace ns3::ddl

#endif // DDL_GRAPH_SCHEDULE_H
