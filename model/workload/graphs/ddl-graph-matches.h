// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_MATCHES_H
#define DDL_GRAPH_MATCHES_H

#include "ddl-graph-complaints.h"
#include "ddl-task-graph.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The edges of a program from their beginnings: which nodes wait for each node? */
struct GraphFollowers
{
    /** \param program indices in range (CheckGraphShape) */
    explicit GraphFollowers(const GraphProgram& program);

    /** \return index in `after` of the first node that waits for \p node */
    uint32_t GetFirst(uint32_t node) const
    {
        return node == 0 ? 0 : startedEnds[node - 1];
    }

    std::vector<uint32_t> needs;       //!< number of edges to each node
    std::vector<uint32_t> after;       //!< nodes that wait for a node's end, then for its start
    std::vector<uint32_t> endedEnds;   //!< index in `after` behind those that wait for its end
    std::vector<uint32_t> startedEnds; //!< index behind those that wait for its start
};

/**
 * \param program indices in range (CheckGraphShape)
 * \return the nodes in the least order that agrees with the edges: of all nodes that could be next,
 *         the least comes next. Nodes on a cycle, or behind one, are left out
 */
std::vector<uint32_t> ListInOrder(const GraphProgram& program);

/**
 * \param node index of the node in its rank, from 0 in the order of the file
 * \param name what the format of the file calls it, or ""
 * \return the place of a node for messages: `rank 2, node 17 "name"`
 */
std::string DescribeNode(uint32_t rank, uint32_t node, const std::string& name);

/** \return the same, for a node of a graph */
std::string DescribeNode(const TaskGraph& graph, uint32_t rank, uint32_t node);

/** \return the name of the file that a rank comes from */
const std::string& GetSource(const TaskGraph& graph, uint32_t rank);

/** Report every index of a graph that points to nothing, every cycle within a rank, and numbers
 * whose sums do not fit 64 bits. */
void CheckGraphShape(const TaskGraph& graph, GraphComplaints& complaints);

/**
 * Which nodes of different ranks belong together. Nodes of all ranks are numbered, rank by rank.
 *
 * Messages of a source, destination and tag match first to first; the k-th collective of a group is
 * the k-th of each member. Both count in the order of ListInOrder, so they do not depend on when
 * nodes run.
 */
class GraphMatches
{
  public:
    static constexpr uint64_t NONE = UINT64_MAX;

    /** One collective of a group, and the nodes by which its members take part. */
    struct Instance
    {
        uint32_t group;
        Collective type;
        uint64_t bytes; //!< those of the whole buffer (GraphNode::amount)
        uint64_t first; //!< index in `members` of that of the group's first rank
    };

    /**
     * \param graph a graph whose shape is right
     * \param complaints gets messages that nobody sends or receives, or of which the ends differ in
     *        bytes, and collectives by a rank that is no member, or that differ among members
     */
    GraphMatches(const TaskGraph& graph, GraphComplaints& complaints);

    /** \return number of all nodes of all ranks */
    uint64_t GetSize() const
    {
        return m_firsts.back();
    }

    /** \return the number of a node */
    uint64_t GetNumber(uint32_t rank, uint32_t node) const
    {
        return m_firsts[rank] + node;
    }

    /** \return rank and node of a number */
    std::pair<uint32_t, uint32_t> Locate(uint64_t number) const;

    /** \return for a send its receive, for a receive its send, for a collective the index of its
     * instance; NONE for others and for what matches nothing */
    uint64_t GetMate(uint64_t number) const
    {
        return m_mates[number];
    }

    /** \return every collective in which all members agree */
    const std::vector<Instance>& GetInstances() const
    {
        return m_instances;
    }

    /** \return number of the node by which the \p member-th rank of the group takes part */
    uint64_t GetMember(const Instance& instance, std::size_t member) const
    {
        return m_members[instance.first + member];
    }

  private:
    struct End;

    void MatchMessages(const TaskGraph& graph, GraphComplaints& complaints);
    void MatchPairs(const TaskGraph& graph,
                    const std::vector<End>& sends,
                    const std::vector<End>& receives,
                    GraphComplaints& complaints);
    static void ReportPair(const TaskGraph& graph,
                           const End* send,
                           const End* receive,
                           GraphComplaints& complaints);
    void MatchCollectives(const TaskGraph& graph, GraphComplaints& complaints);
    void MatchGroup(const TaskGraph& graph,
                    uint32_t group,
                    const std::vector<std::vector<uint32_t>>& sequences,
                    GraphComplaints& complaints);

    std::vector<uint64_t> m_firsts; //!< number of each rank's first node; at the end, of all
    std::vector<std::vector<uint32_t>> m_orders; //!< ListInOrder of each program
    std::vector<uint32_t> m_orderOf;             //!< index in m_orders of each rank's
    std::vector<uint64_t> m_mates;
    std::vector<Instance> m_instances;
    std::vector<uint64_t> m_members;
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_MATCHES_H
