// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANDOM_GRAPH_H
#define DDL_RANDOM_GRAPH_H

#include "ns3/ddl-task-graph.h"

#include <map>
#include <random>
#include <utility>

namespace ns3::ddl
{

constexpr uint64_t SECOND = 1'000'000'000; //!< ns

/** \return a node that computes */
inline GraphNode
Compute(uint64_t ns, uint16_t lane)
{
    GraphNode node;
    node.amount = ns;
    node.lane = lane;
    return node;
}

/** \return a send or a receive */
inline GraphNode
Message(GraphNode::Kind kind, uint32_t peer, uint64_t bytes, uint16_t lane, uint32_t tag = 0)
{
    GraphNode node;
    node.kind = kind;
    node.peer = peer;
    node.amount = bytes;
    node.lane = lane;
    node.tag = tag;
    return node;
}

/**
 * Random nodes in a global order, so that there is no cycle. Each computing node has a lane of its
 * own, and each pair of ranks has one message at most.
 *
 * \param longest longest time that a node computes, ns
 * \param largest most bytes of a message or collective
 * \param hasGroups whether there are collectives, of all ranks and of the even ones
 */
inline TaskGraph
MakeRandomGraph(uint32_t seed, uint32_t ranks, uint64_t longest, uint32_t largest, bool hasGroups)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    std::vector<GraphProgramBuilder> builders(ranks);
    std::vector<GraphIndex> peers(ranks);
    std::map<std::pair<uint32_t, uint32_t>, bool> used;
    TaskGraph graph;
    graph.source = "random " + std::to_string(seed);
    graph.groups.resize(hasGroups ? 2 : 0);
    for (uint32_t rank = 0; rank < ranks && hasGroups; ++rank)
    {
        graph.groups[0].ranks.push_back(rank);
        if (rank % 2 == 0)
        {
            graph.groups[1].ranks.push_back(rank);
        }
    }
    const auto add = [&](uint32_t rank, GraphNode node, LaneKind kind) {
        std::vector<uint32_t> ended;
        std::vector<uint32_t> started;
        for (uint32_t edge = draw(3); edge > 0 && builders[rank].GetSize() > 0; --edge)
        {
            (draw(4) == 0 ? started : ended).push_back(draw(builders[rank].GetSize()));
        }
        node.lane = builders[rank].AddLane(kind);
        builders[rank].Add(node, ended, started);
    };
    for (uint32_t i = 0; i < 30; ++i)
    {
        const uint32_t rank = draw(ranks);
        const uint32_t peer = ranks > 1 ? (rank + 1 + draw(ranks - 1)) % ranks : rank;
        if (hasGroups && draw(5) == 0)
        {
            GraphNode node;
            node.kind = GraphNode::Kind::COLLECTIVE;
            node.collective = static_cast<Collective>(draw(6));
            node.amount = 1 + draw(largest);
            node.peer = draw(2);
            for (const uint32_t member : graph.groups[node.peer].ranks)
            {
                add(member, node, LaneKind::COMMUNICATION);
            }
        }
        else if (peer != rank && draw(2) == 0 && !std::exchange(used[{rank, peer}], true))
        {
            const uint64_t bytes = 1 + draw(largest);
            const uint32_t tag = draw(3);
            const auto to = GraphNode::Kind::SEND;
            add(rank, Message(to, peers[rank].Add(peer), bytes, 0, tag), LaneKind::COMMUNICATION);
            const auto from = GraphNode::Kind::RECEIVE;
            add(peer, Message(from, peers[peer].Add(rank), bytes, 0, tag), LaneKind::COMMUNICATION);
        }
        else
        {
            add(rank, Compute(draw(3) * longest / 2, 0), hasGroups ? LaneKind::GPU : LaneKind::CPU);
        }
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        std::vector<uint32_t> groups;
        for (uint32_t group = 0; group < graph.groups.size(); ++group)
        {
            groups.push_back(group); // of those that it is no member of, it has no node
        }
        graph.ranks.push_back({builders[rank].Build(), peers[rank].GetAll(), groups, ""});
    }
    return graph;
}

} // namespace ns3::ddl

#endif // DDL_RANDOM_GRAPH_H
