// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-chart.h"

#include <string>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_LANES = 64;   //!< rows of a picture
constexpr uint64_t MOST_NODES = 20000;   //!< nodes of a picture
constexpr double PER_MICROSECOND = 1000; //!< nanoseconds
constexpr std::size_t COMPUTE_COLOUR = 0;
constexpr std::size_t TRANSFER_COLOUR = 1;
constexpr std::size_t WAIT_COLOUR = 2;
constexpr double WAIT_SHADE = 0.4; //!< lighter: most of it may be waiting for others

using Kind = GraphNode::Kind;

const char*
NameOf(LaneKind kind)
{
    return kind == LaneKind::GPU ? "GPU" : kind == LaneKind::CPU ? "CPU" : "net";
}

/** \return what a node does, for the text of its box */
std::string
NameOf(const GraphNode& node)
{
    switch (node.kind)
    {
    case Kind::COMPUTE:
        return "compute";
    case Kind::SEND:
        return "send";
    case Kind::RECEIVE:
        return "receive";
    case Kind::COLLECTIVE:
        break;
    }
    return GetName(node.collective);
}

/** Add the boxes of a rank. \param first row of its first lane */
void
AddRank(const TaskGraph& graph,
        uint32_t rank,
        std::size_t first,
        const GraphMatches& matches,
        const GraphSchedule& schedule,
        Chart::Panel& panel)
{
    const GraphProgram& program = *graph.ranks[rank].program;
    for (std::size_t lane = 0; lane < program.lanes.size(); ++lane)
    {
        panel.names.push_back(std::to_string(rank) + " " + NameOf(program.lanes[lane]));
    }
    for (uint32_t i = 0; i < program.nodes.size(); ++i)
    {
        const GraphNode& node = program.nodes[i];
        const uint64_t number = matches.GetNumber(rank, i);
        const auto start = static_cast<double>(schedule.GetStart(number)) / PER_MICROSECOND;
        const auto end = static_cast<double>(schedule.GetEnd(number)) / PER_MICROSECOND;
        if (end <= start)
        {
            continue;
        }
        Chart::Box box{first + node.lane, start, end, COMPUTE_COLOUR, NameOf(node), {}};
        box.text = DescribeNode(graph, rank, i);
        if (node.kind != Kind::COMPUTE)
        {
            box.colour = TRANSFER_COLOUR;
        }
        if (node.kind == Kind::RECEIVE || node.kind == Kind::COLLECTIVE)
        {
            box.colour = WAIT_COLOUR;
            box.shade = WAIT_SHADE;
        }
        panel.boxes.push_back(box);
    }
}

} // namespace

Chart
MakeGraphChart(const TaskGraph& graph, const IdealNetwork& network)
{
    std::size_t lanes = 0;
    for (const RankGraph& rank : graph.ranks)
    {
        lanes += rank.program->lanes.size();
    }
    GraphComplaints none;
    const GraphMatches matches(graph, none);
    if (lanes > MOST_LANES || matches.GetSize() > MOST_NODES)
    {
        return NothingToDraw("the graph has " + std::to_string(lanes) + " lanes and " +
                             std::to_string(matches.GetSize()) + " nodes; a picture holds " +
                             std::to_string(MOST_LANES) + " and " + std::to_string(MOST_NODES));
    }
    const GraphSchedule schedule(graph, matches, network, GraphSchedule::Lanes::ONE_BY_ONE);
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    panel.x = {"time (us)", "us", "us"};
    panel.y = {"ranks, and their lanes"};
    panel.key = {{"computes", COMPUTE_COLOUR},
                 {"sends", TRANSFER_COLOUR},
                 {"receives, or is in a collective", WAIT_COLOUR, WAIT_SHADE}};
    std::size_t first = 0;
    for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
    {
        AddRank(graph, rank, first, matches, schedule, panel);
        first += graph.ranks[rank].program->lanes.size();
    }
    if (panel.boxes.empty())
    {
        return NothingToDraw("no node takes time; --rate gives messages some");
    }
    return {"Task graph on an ideal network", graph.source, {panel}};
}

} // namespace ns3::ddl
