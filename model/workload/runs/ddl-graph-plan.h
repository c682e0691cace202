// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_PLAN_H
#define DDL_GRAPH_PLAN_H

#include "ns3/ddl-collective-choice.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/ddl-task-graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The edges of a program from their beginnings: whom does the end or the start of a node free? */
struct GraphEdges
{
    /** \param program edges in range */
    explicit GraphEdges(const GraphProgram& program);

    std::vector<uint32_t> needs;       //!< number of edges to each node
    std::vector<uint32_t> after;       //!< nodes that wait for a node's end, then for its start
    std::vector<uint32_t> endedEnds;   //!< index in `after` behind those that wait for its end
    std::vector<uint32_t> startedEnds; //!< index behind those that wait for its start
    /** Number of each node in order (ListInOrder), from 0: of a collective among those of its
     * group, of a send or receive among those with its peer and tag. */
    std::vector<uint32_t> instances;
    /** Collectives by index of their group in RankGraph::groups, in order. */
    std::vector<std::vector<uint32_t>> collectives;
    uint32_t computing{0};     //!< number of nodes that compute
    uint32_t communicating{0}; //!< number of other nodes
    uint64_t gpuTime{0};       //!< sum of the times on the GPU, ns on the reference GPU
};

/**
 * How an iteration of a task graph is carried out by a run: the transfers of each collective
 * between the members of its group where these are now, and a number for everything that may arrive
 * at a rank. All machines of a run share it.
 *
 * A slot is what MessageTag::slot names at the destination. Transfer s of the k-th collective of
 * group g has slot `groups[g].firstSlot + k * groups[g].slots + s`; the k-th message between two
 * ranks with one tag has the k-th slot of these. All count in the order of edges, as GraphMatches
 * does, so what belongs together does not depend on when nodes run.
 */
struct GraphPlan
{
    /** How a group does what it is asked to. */
    struct Group
    {
        std::map<std::pair<Collective, uint64_t>, std::shared_ptr<const JobPlan>> plans;
        std::map<std::pair<Collective, uint64_t>, CollectiveAlgorithm>
            algorithms; //!< how each is done
        uint32_t firstSlot{0};
        uint32_t slots{0};     //!< slots of each of its collectives
        uint32_t instances{0}; //!< number of its collectives
    };

    static constexpr uint32_t FIRST_MESSAGE = 0x80000000; //!< the first slot of messages

    std::shared_ptr<const TaskGraph> graph;
    std::vector<Group> groups; //!< by index in TaskGraph::groups
    std::map<const GraphProgram*, GraphEdges> edges;
    /** First slot of the messages of a source, destination and tag. */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> messages;
};

/** Where ranks are: numbers by rank, as in PatternView. */
struct RankPlaces
{
    std::vector<uint32_t> machines;
    std::vector<uint32_t> racks;
    std::vector<uint32_t> rails;
};

/**
 * \param graph a graph without errors (CheckGraph)
 * \param rules how its collectives are carried out
 * \param places the places of its ranks
 * \return its plan
 * \throws InputError when a pattern cannot serve a group, or there are more than 2^31 slots
 */
GraphPlan PlanGraph(std::shared_ptr<const TaskGraph> graph,
                    const CollectiveRules& rules,
                    const RankPlaces& places);

/** \return the graph with all bytes and times multiplied; a byte is left of each message */
TaskGraph ScaleGraph(const TaskGraph& graph, double factor);

/**
 * \return channels between ranks, with the bytes of an iteration, and for each rank those that
 *         begin there; ranks have no steps
 */
JobPlan SumGraph(const GraphPlan& plan);

} // namespace ns3::ddl

#endif // DDL_GRAPH_PLAN_H
