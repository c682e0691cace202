// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-graph-schedule.h"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Kind = GraphNode::Kind;

GraphNode
Compute(uint64_t nanoseconds, uint16_t lane = 0)
{
    return {nanoseconds, 0, 0, Kind::COMPUTE, {}, lane};
}

/** A message; rank r of these tests has all ranks as peers, and lane 1 for communication. */
GraphNode
Message(Kind kind, uint32_t peer, uint64_t bytes, uint32_t tag = 0)
{
    return {bytes, peer, tag, kind, {}, 1};
}

GraphNode
Together(Collective collective, uint64_t bytes, uint32_t group = 0)
{
    return {bytes, group, 0, Kind::COLLECTIVE, collective, 1};
}

/** A node, and those that must have ended, or started, before it. */
struct Step
{
    GraphNode node;
    std::vector<uint32_t> ended{};
    std::vector<uint32_t> started{};
};

TaskGraph
MakeGraph(const std::vector<std::vector<Step>>& ranks,
          const std::vector<std::vector<uint32_t>>& groups = {})
{
    TaskGraph graph;
    graph.source = "g";
    for (const auto& steps : ranks)
    {
        GraphProgramBuilder builder;
        builder.AddLane(LaneKind::GPU);
        builder.AddLane(LaneKind::COMMUNICATION);
        for (const auto& step : steps)
        {
            builder.Add(step.node, step.ended, step.started);
        }
        RankGraph rank{builder.Build(), {}, {}, {}};
        for (uint32_t peer = 0; peer < ranks.size(); ++peer)
        {
            rank.peers.push_back(peer);
        }
        for (uint32_t group = 0; group < groups.size(); ++group)
        {
            rank.groups.push_back(group);
        }
        graph.ranks.push_back(rank);
    }
    for (const auto& group : groups)
    {
        graph.groups.push_back({"t" + std::to_string(graph.groups.size()), group});
    }
    return graph;
}

/** \return what is wrong with a graph, a complaint a line */
std::string
Complaints(const TaskGraph& graph)
{
    std::string text;
    for (const auto& diagnostic : CheckGraph(graph))
    {
        text += diagnostic.ToString() + "\n";
    }
    return text;
}

GraphSchedule
Schedule(const TaskGraph& graph,
         const IdealNetwork& network = {},
         GraphSchedule::Lanes lanes = GraphSchedule::Lanes::UNLIMITED)
{
    GraphComplaints complaints;
    const GraphMatches matches(graph, complaints);
    EXPECT_TRUE(complaints.IsEmpty());
    return GraphSchedule(graph, matches, network, lanes);
}

/**
 * A random graph that runs: nodes of all ranks in one order, in which it could run. Each rank's
 * edges go backwards in that order, and a receive stands behind its send.
 */
TaskGraph
MakeRandomGraph(std::mt19937& random)
{
    const auto draw = [&random](uint32_t count) { return static_cast<uint32_t>(random() % count); };
    const uint32_t ranks = 2 + draw(4);
    std::vector<std::vector<Step>> steps(ranks);
    const auto add = [&](uint32_t rank, const GraphNode& node) {
        Step step{node};
        for (uint32_t i = 0; i < steps[rank].size(); ++i)
        {
            if (draw(4) == 0)
            {
                (draw(3) == 0 ? step.started : step.ended).push_back(i);
            }
        }
        steps[rank].push_back(step);
    };
    // programs order by number first, so messages of one tag would cross: each has its own
    for (uint32_t i = 0; i < 30; ++i)
    {
        const uint32_t rank = draw(ranks);
        const uint32_t peer = (rank + 1 + draw(ranks - 1)) % ranks;
        if (const uint32_t dice = draw(4); dice < 2)
        {
            add(rank, Compute(draw(1000)));
        }
        else if (dice == 2)
        {
            add(rank, Message(Kind::SEND, peer, 1 + draw(1000), i));
            add(peer, Message(Kind::RECEIVE, rank, steps[rank].back().node.amount, i));
        }
        else
        {
            const uint32_t bytes = draw(1000);
            for (uint32_t member = 0; member < ranks; ++member)
            {
                add(member, Together(Collective::ALL_REDUCE, bytes, i));
            }
        }
    }
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    return MakeGraph(steps, std::vector<std::vector<uint32_t>>(30, all));
}

/**
 * The longest path by repetition: the start and the end of each node are two vertices; every
 * inequality between them is applied until nothing moves.
 */
int64_t
RelaxUntilStill(const TaskGraph& graph, const IdealNetwork& network)
{
    std::vector<std::vector<int64_t>> starts;
    for (const auto& rank : graph.ranks)
    {
        starts.emplace_back(rank.program->nodes.size(), 0);
    }
    auto ends = starts;
    bool isMoving = true;
    const auto raise = [&isMoving](int64_t& value, int64_t least) {
        isMoving = isMoving || value < least;
        value = std::max(value, least);
    };
    const auto forAll = [&](auto&& visit) {
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            for (uint32_t i = 0; i < graph.ranks[rank].program->nodes.size(); ++i)
            {
                visit(rank, i, graph.ranks[rank].program->nodes[i]);
            }
        }
    };
    while (isMoving)
    {
        isMoving = false;
        forAll([&](uint32_t rank, uint32_t i, const GraphNode& node) {
            const GraphProgram& program = *graph.ranks[rank].program;
            for (uint32_t e = program.GetFirst(i); e < program.startedEnds[i]; ++e)
            {
                const auto& times = e < program.endedEnds[i] ? ends : starts;
                raise(starts[rank][i], times[rank][program.before[e]]);
            }
            raise(ends[rank][i],
                  starts[rank][i] +
                      (node.kind == Kind::COMPUTE ? static_cast<int64_t>(node.amount) : 0));
            const int64_t message = network.GetMessageTime(node.amount).GetNanoSeconds();
            const int64_t together =
                network.GetCollectiveTime(Collective::ALL_REDUCE, node.amount, graph.ranks.size())
                    .GetNanoSeconds();
            forAll([&](uint32_t other, uint32_t j, const GraphNode& mate) {
                if (node.kind == Kind::SEND && mate.kind == Kind::RECEIVE && mate.tag == node.tag)
                {
                    raise(ends[rank][i], starts[rank][i] + message);
                    raise(ends[other][j], starts[rank][i] + message);
                }
                if (node.kind == Kind::COLLECTIVE && mate.kind == Kind::COLLECTIVE &&
                    mate.peer == node.peer)
                {
                    raise(ends[other][j], starts[rank][i] + together);
                }
            });
        });
    }
    int64_t last = 0;
    for (const auto& rank : ends)
    {
        for (const int64_t end : rank)
        {
            last = std::max(last, end);
        }
    }
    return last;
}

} // namespace

TEST(TaskGraph, EqualProgramsAreKeptOnce)
{
    GraphProgramPool pool;
    const auto make = [](uint64_t time, const std::string& name) {
        GraphProgramBuilder builder;
        const uint16_t lane = builder.AddLane(LaneKind::GPU);
        builder.Add(Compute(1, lane), {});
        builder.Add(Compute(time, lane), {0}, {}, name);
        return builder.Build();
    };
    const auto first = pool.Share(make(2, "a"));
    EXPECT_EQ(pool.Share(make(2, "a")), first);
    EXPECT_NE(pool.Share(make(2, "b")), first);
    EXPECT_NE(pool.Share(make(3, "a")), first);
    EXPECT_EQ(first->names, (std::vector<std::string>{"", "a"}));
}

TEST(TaskGraph, ProgramsThatDifferInAnythingHaveOtherHashes)
{
    GraphProgramBuilder builder;
    builder.AddLane(LaneKind::GPU);
    builder.AddLane(LaneKind::COMMUNICATION);
    builder.Add(Compute(1), {}, {}, "a");
    builder.Add(Message(Kind::SEND, 0, 7, 3), {0});
    const GraphProgram program = *builder.Build();
    const auto change = [&program](auto&& work) {
        GraphProgram other = program;
        work(other);
        EXPECT_FALSE(other == program);
        return HashProgram(other);
    };
    std::vector<std::size_t> hashes{
        HashProgram(program),
        change([](auto& p) { p.lanes[0] = LaneKind::CPU; }),
        change([](auto& p) { p.nodes[1].amount = 8; }),
        change([](auto& p) { p.nodes[1].peer = 1; }),
        change([](auto& p) { p.nodes[1].tag = 4; }),
        change([](auto& p) { p.nodes[1].kind = Kind::RECEIVE; }),
        change([](auto& p) { p.nodes[1].collective = Collective::BARRIER; }),
        change([](auto& p) { p.nodes[1].lane = 0; }),
        change([](auto& p) { p.names[0] = "b"; }),
        change([](auto& p) { p.before[0] = 1; }),
        change([](auto& p) { p.endedEnds[1] = 0; })};
    EXPECT_EQ(HashProgram(GraphProgram(program)), hashes[0]);
    std::sort(hashes.begin(), hashes.end());
    EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(TaskGraph, AGraphInOrderHasNoComplaints)
{
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(5)}, {Message(Kind::SEND, 1, 7), {0}}},
                                    {{Message(Kind::RECEIVE, 0, 7)}}})),
              "");
}

TEST(TaskGraph, MessagesMatchInTheOrderOfTheirSender)
{
    // Rank 0 sends 7 B first by its edges, though the node of 9 B stands before it.
    const Step late{Message(Kind::SEND, 1, 9), {1}};
    const Step early{Message(Kind::SEND, 1, 7)};
    EXPECT_EQ(Complaints(MakeGraph(
                  {{late, early},
                   {{Message(Kind::RECEIVE, 0, 7)}, {Message(Kind::RECEIVE, 0, 9), {0}}}})),
              "");
    EXPECT_EQ(
        Complaints(
            MakeGraph({{late, early},
                       {{Message(Kind::RECEIVE, 0, 9)}, {Message(Kind::RECEIVE, 0, 7), {0}}}})),
        "g: rank 0, node 1: sends 7 B to rank 1 with tag 0, where rank 1, node 0 receives 9 B\n"
        "g: rank 0, node 0: sends 9 B to rank 1 with tag 0, where rank 1, node 1 receives 7 "
        "B\n");
}

TEST(TaskGraph, AllMessagesThatDoNotMatchAreNamed)
{
    EXPECT_EQ(
        Complaints(MakeGraph({{{Message(Kind::SEND, 1, 7, 3)}, {Message(Kind::SEND, 2, 1)}},
                              {{Message(Kind::RECEIVE, 0, 7, 4)}},
                              {{Message(Kind::RECEIVE, 0, 1)}}})),
        "g: rank 0, node 0: sends 7 B to rank 1 with tag 3, which receives no such message\n"
        "g: rank 1, node 0: receives 7 B from rank 0 with tag 4, which sends no such message\n");
}

TEST(TaskGraph, GroupsHaveTheSameCollectivesInTheSameOrder)
{
    const Step first{Together(Collective::ALL_REDUCE, 8)};
    const Step second{Together(Collective::ALL_GATHER, 8), {0}};
    EXPECT_EQ(Complaints(MakeGraph({{first, second}, {first, second}}, {{0, 1}})), "");
    EXPECT_EQ(Complaints(MakeGraph({{first, second}, {first}}, {{0, 1}})),
              "g: rank 1: collective number 2 of group \"t0\" is missing; that of rank 0 is "
              "all-gather of 8 B (rank 0, node 1)\n");
    EXPECT_EQ(Complaints(
                  MakeGraph({{first}, {{Together(Collective::ALL_REDUCE, 9)}}, {first}}, {{0, 1}})),
              "g: rank 2, node 0: takes part in a collective of group \"t0\", of which its rank is "
              "no member\n"
              "g: rank 1: collective number 1 of group \"t0\" is all-reduce of 9 B (rank 1, node "
              "0); that of rank 0 is all-reduce of 8 B (rank 0, node 0)\n");
}

TEST(TaskGraph, CyclesWithinARankAreNamed)
{
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(1)}, {Compute(1), {0}, {2}}, {Compute(1), {1}}}})),
              "g: rank 0, node 1: waits for itself: node 1 waits for node 2 waits for node 1\n");
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(1), {0}}}})),
              "g: rank 0, node 0: waits for itself: node 0 waits for node 0\n");
}

TEST(TaskGraph, DeadlocksAcrossRanksAreNamed)
{
    const auto exchange = [](uint32_t peer) -> std::vector<Step> {
        return {{Message(Kind::RECEIVE, peer, 1)}, {Message(Kind::SEND, peer, 1), {0}}};
    };
    EXPECT_EQ(Complaints(MakeGraph({exchange(1), exchange(0)})),
              "g: rank 0, node 0: never runs: it waits for rank 1, node 1, which waits for rank 1, "
              "node 0, which waits for rank 0, node 1, which waits for it\n");
    // Two groups of the same ranks, entered in opposite orders.
    const Collective type = Collective::BARRIER;
    EXPECT_EQ(Complaints(MakeGraph({{{Together(type, 0, 0)}, {Together(type, 0, 1), {0}}},
                                    {{Together(type, 0, 1)}, {Together(type, 0, 0), {0}}}},
                                   {{0, 1}, {0, 1}})),
              "g: rank 0, node 0: never runs: it waits for rank 1, node 1, which waits for rank 1, "
              "node 0, which waits for rank 0, node 1, which waits for it\n");
}

TEST(TaskGraph, IndicesThatPointNowhereAreNamed)
{
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(1), {7}}, {Compute(1, 9)}}})),
              "g: rank 0, node 0: waits for node 7; there are 2\n"
              "g: rank 0, node 1: there is no lane 9\n");
    EXPECT_EQ(Complaints(MakeGraph({{{Message(Kind::SEND, 5, 1)}, {Message(Kind::SEND, 0, 1)}}})),
              "g: rank 0, node 0: its peer does not exist\n"
              "g: rank 0, node 1: exchanges a message with its own rank\n");
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(1)}}}, {{0, 3}, {0, 0}, {}})),
              "g: group \"t0\": its member 3 does not exist (ranks are 0 to 0)\n"
              "g: group \"t1\": has rank 0 as a member twice\n"
              "g: group \"t2\": has no members\n");
}

TEST(TaskGraph, SumsThatDoNotFit64BitsAreNamed)
{
    // 5 x 10^18 ns are more than 2^62; 4 are not.
    const std::vector<Step> four(4, Step{Compute(GraphNode::MOST_NANOSECONDS)});
    const std::vector<Step> five(5, four[0]);
    EXPECT_EQ(Complaints(MakeGraph({four, four})), "");
    EXPECT_EQ(Complaints(MakeGraph({four, five})),
              "g: rank 1: computes for more than 2^62 ns altogether\n");
    // 2^11 messages of 2^50 B, counted at both ends, are 2^62; one more is too much.
    std::vector<Step> sends(1 << 11, Step{Message(Kind::SEND, 1, GraphNode::MOST_BYTES)});
    std::vector<Step> receives(1 << 11, Step{Message(Kind::RECEIVE, 0, GraphNode::MOST_BYTES)});
    EXPECT_EQ(Complaints(MakeGraph({sends, receives})), "");
    sends.push_back({Message(Kind::SEND, 1, 1)});
    receives.push_back({Message(Kind::RECEIVE, 0, 1)});
    EXPECT_EQ(Complaints(MakeGraph({sends, receives})),
              "g: moves more than 2^62 bytes altogether\n");
    EXPECT_EQ(Complaints(MakeGraph({{{Compute(UINT64_MAX)}}})),
              "g: rank 0, node 0: computes longer than 31 years\n");
}

TEST(TaskGraph, GroupsNameTheirFile)
{
    TaskGraph graph = MakeGraph({{{Compute(1)}}}, {{0, 3}});
    graph.groups[0].source = "groups.json";
    EXPECT_EQ(Complaints(graph),
              "groups.json: group \"t0\": its member 3 does not exist (ranks are 0 to 0)\n");
}

TEST(TaskGraph, ErrorsThatAreNotListedAreCounted)
{
    const std::vector<Step> steps(GraphComplaints::MOST + 5, Step{Message(Kind::SEND, 7, 1)});
    const auto all = CheckGraph(MakeGraph({steps, {}}));
    ASSERT_EQ(all.size(), GraphComplaints::MOST + 1);
    EXPECT_EQ(all.back().ToString(), "5 more errors are not listed");
}

TEST(TaskGraph, ADeadlockOfAllRanksIsFoundInLinearTime)
{
    // All but the last rank are in a collective, for which the last one waits before it enters.
    constexpr uint32_t RANKS = 150000;
    const auto make = [](const std::vector<Step>& steps) {
        GraphProgramBuilder builder;
        builder.AddLane(LaneKind::GPU);
        builder.AddLane(LaneKind::COMMUNICATION);
        for (const auto& step : steps)
        {
            builder.Add(step.node, step.ended);
        }
        return builder.Build();
    };
    const auto enters = make({{Together(Collective::BARRIER, 0)}});
    const auto first = make({{Together(Collective::BARRIER, 0)}, {Message(Kind::SEND, 0, 1), {0}}});
    const auto waits =
        make({{Message(Kind::RECEIVE, 0, 1)}, {Together(Collective::BARRIER, 0), {0}}});
    TaskGraph graph;
    graph.source = "g";
    graph.groups.push_back({"all", std::vector<uint32_t>(RANKS)});
    std::iota(graph.groups[0].ranks.begin(), graph.groups[0].ranks.end(), 0);
    graph.ranks.assign(RANKS, {enters, {}, {0}, ""});
    graph.ranks.front() = {first, {RANKS - 1}, {0}, ""};
    graph.ranks.back() = {waits, {0}, {0}, ""};
    const std::clock_t begin = std::clock();
    EXPECT_EQ(Complaints(graph),
              "g: rank 0, node 0: never runs: it waits for rank 149999, node 1, which waits for "
              "rank 149999, node 0, which waits for rank 0, node 1, which waits for it\n");
    // Looking at all members for each member would be 10^10 steps.
    EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
}

TEST(GraphSchedule, MessagesTakeRateAndLatency)
{
    const TaskGraph graph = MakeGraph({{{Compute(100)}, {Message(Kind::SEND, 1, 1000), {0}}},
                                       {{Message(Kind::RECEIVE, 0, 1000)}, {Compute(50), {0}}}});
    EXPECT_EQ(Schedule(graph).GetLength(), 150);
    // 1000 B at 8 Gbps take 1000 ns, and 10 ns of latency
    const auto slow = Schedule(graph, {DataRate("8Gbps"), NanoSeconds(10)});
    EXPECT_EQ(slow.GetLength(), 100 + 1000 + 10 + 50);
    EXPECT_EQ(slow.FindCriticalPath(), (std::vector<uint64_t>{0, 1, 2, 3}));
}

TEST(GraphSchedule, CollectivesTakeTheirClosedForms)
{
    const IdealNetwork network{DataRate("8Gbps"), NanoSeconds(10)}; // a byte per ns
    const auto time = [&network](Collective collective) {
        return network.GetCollectiveTime(collective, 4000, 4).GetNanoSeconds();
    };
    EXPECT_EQ(time(Collective::ALL_REDUCE), 2 * 3 * (10 + 1000));
    EXPECT_EQ(time(Collective::ALL_GATHER), 3 * (10 + 1000));
    EXPECT_EQ(time(Collective::REDUCE_SCATTER), 3 * (10 + 1000));
    EXPECT_EQ(time(Collective::ALL_TO_ALL), 10 + 3 * 1000);
    EXPECT_EQ(time(Collective::BROADCAST), 3 * 10 + 4000);
    EXPECT_EQ(time(Collective::BARRIER), 2 * 3 * 10);
    EXPECT_EQ(network.GetCollectiveTime(Collective::ALL_REDUCE, 4000, 1), Seconds(0));
}

TEST(GraphSchedule, LanesComputeOneNodeAtATime)
{
    const TaskGraph graph = MakeGraph({{{Compute(5)}, {Compute(7)}, {Compute(1), {0}}}});
    EXPECT_EQ(Schedule(graph).GetLength(), 7);
    // node 1 is the least that is ready when node 0 ends at 5, as node 2 is ready too: 5, 12, 13
    const auto serial = Schedule(graph, {}, GraphSchedule::Lanes::ONE_BY_ONE);
    EXPECT_EQ(serial.GetLength(), 13);
    EXPECT_EQ(serial.GetStart(2), 12);
    EXPECT_EQ(serial.FindCriticalPath(), (std::vector<uint64_t>{0, 1, 2}));
}

TEST(GraphSchedule, LanesTakeNodesInTheOrderInWhichTheyBecomeReady)
{
    // Node 2 is ready at 0, node 1 at 5, when node 0 ends: node 2 goes first, though 1 is less.
    const TaskGraph graph =
        MakeGraph({{{Compute(5)}, {Compute(1), {0}}, {Compute(7)}, {Compute(3), {1}}}});
    const auto serial = Schedule(graph, {}, GraphSchedule::Lanes::ONE_BY_ONE);
    EXPECT_EQ(serial.GetStart(2), 5);
    EXPECT_EQ(serial.GetStart(1), 5 + 7);
    EXPECT_EQ(serial.GetLength(), 5 + 7 + 1 + 3);
}

TEST(GraphSchedule, AGpuRunsOneTaskAtATimeWhateverItsLanes)
{
    const auto length = [](LaneKind first, LaneKind second) {
        GraphProgramBuilder builder;
        const uint16_t one = builder.AddLane(first);
        const uint16_t two = builder.AddLane(second);
        builder.Add(Compute(10, one), {});
        builder.Add(Compute(20, two), {});
        TaskGraph graph;
        graph.ranks = {{builder.Build(), {}, {}, ""}};
        return Schedule(graph, {}, GraphSchedule::Lanes::ONE_BY_ONE).GetLength();
    };
    EXPECT_EQ(length(LaneKind::GPU, LaneKind::GPU), 30);
    EXPECT_EQ(length(LaneKind::GPU, LaneKind::CPU), 20);
    EXPECT_EQ(length(LaneKind::CPU, LaneKind::CPU), 20);
}

TEST(GraphSchedule, TheLengthIsThatOfTheLongestPath)
{
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        std::mt19937 random(seed);
        const TaskGraph graph = MakeRandomGraph(random);
        ASSERT_EQ(Complaints(graph), "") << seed;
        for (const IdealNetwork& network :
             {IdealNetwork(), IdealNetwork{DataRate("8Gbps"), NanoSeconds(30)}})
        {
            const auto schedule = Schedule(graph, network);
            EXPECT_TRUE(schedule.IsComplete());
            EXPECT_EQ(schedule.GetLength(), RelaxUntilStill(graph, network)) << seed;
            const auto path = schedule.FindCriticalPath();
            EXPECT_EQ(schedule.GetEnd(path.back()), schedule.GetLength());
            EXPECT_EQ(schedule.GetStart(path.front()), 0);
        }
        const auto serial = Schedule(graph, {}, GraphSchedule::Lanes::ONE_BY_ONE);
        EXPECT_TRUE(serial.IsComplete());
        EXPECT_GE(serial.GetLength(), Schedule(graph).GetLength()) << seed;
    }
}
