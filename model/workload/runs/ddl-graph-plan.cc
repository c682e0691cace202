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
    std::map<std::tuple<GraphNode::Kind, uint32_t, uint32_t>, uint32_t> messages;
    for (const uint32_t node : ListInOrder(program))
    {
        const GraphNode& work = program.nodes[node];
        if (work.kind == GraphNode::Kind::COLLECTIVE)
        {
            collectives.resize(std::max<std::size_t>(collectives.size(), work.peer + 1));
            instances[node] = collectives[work.peer].size();
            collectives[work.peer].push_back(node);
        }
        else if (work.kind != GraphNode::Kind::COMPUTE)
        {
            instances[node] = messages[{work.kind, work.peer, work.tag}]++;
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

/** Plans what groups do; groups that do the same in the same places share a plan. */
class GroupPlanner
{
  public:
    GroupPlanner(GraphPlan& plan, const CollectiveRules& rules, const RankPlaces& places)
        : m_plan(plan),
          m_rules(rules),
          m_places(places)
    {
    }

    /** Plan what the first member of a group does with the others, who do the same. */
    void Plan(uint32_t number)
    {
        const RankGroup& members = m_plan.graph->groups[number];
        GraphPlan::Group& group = m_plan.groups[number];
        const RankGraph& rank = m_plan.graph->ranks[members.ranks.front()];
        const GraphEdges& edges = m_plan.edges.at(rank.program.get());
        const auto place = std::find(rank.groups.begin(), rank.groups.end(), number);
        const std::size_t local = place - rank.groups.begin();
        if (local >= edges.collectives.size())
        {
            return; // it has nothing to do
        }
        PatternView view;
        view.workers = members.ranks.size();
        view.machines = Renumber(Select(m_places.machines, members.ranks));
        view.racks = Renumber(Select(m_places.racks, members.ranks));
        view.rails = Select(m_places.rails, members.ranks);
        group.instances = edges.collectives[local].size();
        for (const uint32_t node : edges.collectives[local])
        {
            const GraphNode& work = rank.program->nodes[node];
            auto& known = group.plans[{work.collective, work.amount}];
            if (!known)
            {
                view.bytes = work.amount;
                const Known& found = Find(work.collective, view);
                known = found.plan;
                group.algorithms[{work.collective, work.amount}] = found.algorithm;
            }
            for (const RankPlan& each : known->ranks)
            {
                group.slots = std::max(group.slots, each->GetSlots());
            }
        }
    }

  private:
    using Key = std::tuple<Collective,
                           uint64_t,
                           std::vector<uint32_t>,
                           std::vector<uint32_t>,
                           std::vector<uint32_t>>;

    /** How a collective is carried out. */
    struct Known
    {
        std::shared_ptr<const JobPlan> plan;
        CollectiveAlgorithm algorithm{};
    };

    const Known& Find(Collective collective, const PatternView& view)
    {
        Known& known = m_known[{collective, view.bytes, view.machines, view.racks, view.rails}];
        if (!known.plan)
        {
            const CollectiveChoice choice = ChooseAlgorithm(collective, view, m_rules);
            const CollectivePlan plan = PlanCollective(collective, view, choice, m_rules.pattern);
            known = {std::make_shared<const JobPlan>(CompilePlan(plan.transfers, view.workers)),
                     choice.algorithm};
        }
        return known;
    }

    /** Number places in the order in which they occur: only which ranks share one matters. */
    static std::vector<uint32_t> Renumber(std::vector<uint32_t> places)
    {
        std::map<uint32_t, uint32_t> numbers;
        for (uint32_t& place : places)
        {
            place = numbers.emplace(place, static_cast<uint32_t>(numbers.size())).first->second;
        }
        return places;
    }

    GraphPlan& m_plan;
    const CollectiveRules& m_rules;
    const RankPlaces& m_places;
    std::map<Key, Known> m_known;
};

/** Number the messages of all ranks. \return how many there are */
uint64_t
NumberMessages(GraphPlan& plan)
{
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> counts;
    for (uint32_t rank = 0; rank < plan.graph->ranks.size(); ++rank)
    {
        const RankGraph& own = plan.graph->ranks[rank];
        for (const GraphNode& node : own.program->nodes)
        {
            if (node.kind == GraphNode::Kind::SEND)
            {
                ++counts[{rank, own.peers[node.peer], node.tag}];
            }
        }
    }
    uint64_t sum = 0;
    for (const auto& [ends, count] : counts)
    {
        plan.messages[ends] = GraphPlan::FIRST_MESSAGE + static_cast<uint32_t>(sum);
        sum += count;
    }
    return sum;
}

} // namespace

GraphPlan
PlanGraph(std::shared_ptr<const TaskGraph> graph,
          const CollectiveRules& rules,
          const RankPlaces& places)
{
    GraphPlan plan;
    plan.graph = std::move(graph);
    plan.groups.resize(plan.graph->groups.size());
    for (const RankGraph& own : plan.graph->ranks)
    {
        if (plan.edges.count(own.program.get()) == 0)
        {
            plan.edges.emplace(own.program.get(), GraphEdges(*own.program));
        }
    }
    const uint64_t messages = NumberMessages(plan);
    GroupPlanner planner(plan, rules, places);
    uint64_t slots = 0;
    for (uint32_t group = 0; group < plan.groups.size(); ++group)
    {
        planner.Plan(group);
        plan.groups[group].firstSlot = static_cast<uint32_t>(slots);
        slots += uint64_t{plan.groups[group].slots} * plan.groups[group].instances;
    }
    if (slots >= GraphPlan::FIRST_MESSAGE || messages >= GraphPlan::FIRST_MESSAGE)
    {
        throw InputError(plan.graph->source + ": an iteration has " + std::to_string(messages) +
                         " messages, and its collectives " + std::to_string(slots) +
                         " steps (less than 2^31 each)");
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
                // Whatever is beyond the limits of a graph, CheckGraph refuses.
                const double amount =
                    std::min(std::round(static_cast<double>(node.amount) * factor), 0x1p62);
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
