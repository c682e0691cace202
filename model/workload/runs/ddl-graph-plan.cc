// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-plan.h"

#include "ns3/ddl-collective-plan.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-matches.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace ns3::ddl
{

GraphEdges::GraphEdges(const GraphProgram& program)
    : needs(program.nodes.size()),
      endedEnds(program.nodes.size()),
      startedEnds(program.nodes.size()),
      instances(program.nodes.size())
{
    const std::size_t count = program.nodes.size();
    std::vector<std::vector<uint32_t>> ended(count);
    std::vector<std::vector<uint32_t>> started(count);
    for (uint32_t node = 0; node < count; ++node)
    {
        const uint32_t first = program.GetFirst(node);
        for (uint32_t i = first; i < program.startedEnds[node]; ++i)
        {
            (i < program.endedEnds[node] ? ended : started)[program.before[i]].push_back(node);
        }
        needs[node] = program.startedEnds[node] - first;
    }
    for (const uint32_t node : ListInOrder(program))
    {
        const GraphNode& work = program.nodes[node];
        if (work.kind == GraphNode::Kind::COLLECTIVE)
        {
            collectives.resize(std::max<std::size_t>(collectives.size(), work.peer + 1));
            instances[node] = collectives[work.peer].size();
            collectives[work.peer].push_back(node);
        }
    }
    for (uint32_t node = 0; node < count; ++node)
    {
        after.insert(after.end(), ended[node].begin(), ended[node].end());
        endedEnds[node] = after.size();
        after.insert(after.end(), started[node].begin(), started[node].end());
        startedEnds[node] = after.size();
        const GraphNode& work = program.nodes[node];
        const bool computes = work.kind == GraphNode::Kind::COMPUTE;
        ++(computes ? computing : communicating);
        gpuTime += computes && program.lanes[work.lane] == LaneKind::GPU ? work.amount : 0;
    }
}

namespace
{

/** \return numbers of those ranks */
std::vector<uint32_t>
Select(const std::vector<uint32_t>& numbers, const std::vector<uint32_t>& ranks)
{
    std::vector<uint32_t> selected;
    for (const uint32_t rank : ranks)
    {
        selected.push_back(numbers.at(rank));
    }
    return selected;
}

/** Plan what the first member of a group does with the others, who do the same. */
void
PlanGroup(GraphPlan& plan,
          uint32_t number,
          const ObjectFactory& pattern,
          const std::vector<uint32_t>& machines,
          const std::vector<uint32_t>& racks)
{
    const RankGroup& members = plan.graph->groups[number];
    GraphPlan::Group& group = plan.groups[number];
    const RankGraph& rank = plan.graph->ranks[members.ranks.front()];
    const GraphEdges& edges = plan.edges.at(rank.program.get());
    const auto place = std::find(rank.groups.begin(), rank.groups.end(), number);
    const std::size_t local = place - rank.groups.begin();
    if (local >= edges.collectives.size())
    {
        return; // it has nothing to do
    }
    group.instances = edges.collectives[local].size();
    for (const uint32_t node : edges.collectives[local])
    {
        const GraphNode& work = rank.program->nodes[node];
        auto& known = group.plans[{work.collective, work.amount}];
        if (!known)
        {
            PatternView view;
            view.workers = members.ranks.size();
            view.bytes = work.amount;
            view.machines = Select(machines, members.ranks);
            view.racks = Select(racks, members.ranks);
            const TransferPlan transfers = PlanCollective(work.collective, view, pattern);
            known = std::make_shared<const JobPlan>(CompilePlan(transfers, view.workers));
        }
        for (const RankPlan& each : known->ranks)
        {
            group.slots = std::max(group.slots, each->GetSlots());
        }
    }
}

} // namespace

GraphPlan
PlanGraph(std::shared_ptr<const TaskGraph> graph,
          const ObjectFactory& pattern,
          const std::vector<uint32_t>& machines,
          const std::vector<uint32_t>& racks)
{
    GraphPlan plan;
    plan.graph = std::move(graph);
    plan.groups.resize(plan.graph->groups.size());
    for (uint32_t rank = 0; rank < plan.graph->ranks.size(); ++rank)
    {
        const RankGraph& own = plan.graph->ranks[rank];
        if (plan.edges.count(own.program.get()) == 0)
        {
            plan.edges.emplace(own.program.get(), GraphEdges(*own.program));
        }
        for (const GraphNode& node : own.program->nodes)
        {
            if (node.kind == GraphNode::Kind::SEND)
            {
                plan.messages.emplace(std::make_tuple(rank, own.peers[node.peer], node.tag),
                                      GraphPlan::FIRST_MESSAGE +
                                          static_cast<uint32_t>(plan.messages.size()));
            }
        }
    }
    uint64_t slots = 0;
    for (uint32_t group = 0; group < plan.groups.size(); ++group)
    {
        PlanGroup(plan, group, pattern, machines, racks);
        plan.groups[group].firstSlot = static_cast<uint32_t>(slots);
        slots += uint64_t{plan.groups[group].slots} * plan.groups[group].instances;
    }
    if (slots >= GraphPlan::FIRST_MESSAGE)
    {
        throw InputError(plan.graph->source + ": the collectives of an iteration have " +
                         std::to_string(slots) + " steps (less than 2^31)");
    }
    return plan;
}

TaskGraph
ScaleGraph(const TaskGraph& graph, double factor)
{
    std::map<const GraphProgram*, std::shared_ptr<const GraphProgram>> programs;
    TaskGraph scaled = graph;
    for (RankGraph& rank : scaled.ranks)
    {
        auto& known = programs[rank.program.get()];
        if (!known)
        {
            GraphProgram program = *rank.program;
            for (GraphNode& node : program.nodes)
            {
                const double amount = std::round(static_cast<double>(node.amount) * factor);
                const bool isMessage = node.kind != GraphNode::Kind::COMPUTE && node.amount > 0;
                node.amount = std::max<uint64_t>(static_cast<uint64_t>(amount), isMessage ? 1 : 0);
            }
            known = std::make_shared<const GraphProgram>(std::move(program));
        }
        rank.program = known;
    }
    return scaled;
}

JobPlan
SumGraph(const GraphPlan& plan)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
    JobPlan sums;
    for (uint32_t rank = 0; rank < plan.graph->ranks.size(); ++rank)
    {
        const RankGraph& own = plan.graph->ranks[rank];
        for (const GraphNode& node : own.program->nodes)
        {
            if (node.kind == GraphNode::Kind::SEND)
            {
                bytes[{rank, own.peers[node.peer]}] += std::max<uint64_t>(node.amount, 1);
                ++sums.transfers;
            }
            else if (node.kind == GraphNode::Kind::COLLECTIVE)
            {
                const uint32_t group = own.groups[node.peer];
                const auto& ranks = plan.graph->groups[group].ranks;
                const auto& each = plan.groups[group].plans.at({node.collective, node.amount});
                const auto position = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
                const RankPlan& part = each->ranks[position];
                sums.transfers += part->sends.size();
                for (const uint32_t channel : part.channels)
                {
                    const auto& ends = each->channels[channel];
                    bytes[{rank, ranks[ends.destination]}] += ends.bytes;
                }
            }
        }
    }
    const auto nothing = std::make_shared<const RankSteps>();
    sums.ranks.resize(plan.graph->ranks.size(), RankPlan{nothing, {}, 0, 1});
    for (const auto& [ends, count] : bytes)
    {
        sums.ranks[ends.first].channels.push_back(sums.channels.size());
        sums.channels.push_back({ends.first, ends.second, count});
        sums.bytes += count;
    }
    return sums;
}

} // namespace ns3::ddl
