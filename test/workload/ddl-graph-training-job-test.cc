// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-bench.h"
#include "ddl-random-graph.h"

#include "ns3/ddl-graph-schedule.h"
#include "ns3/ddl-llm.h"
#include "ns3/ddl-training-job.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

GraphNode
Together(Collective collective, uint64_t bytes, uint16_t lane)
{
    GraphNode node;
    node.kind = GraphNode::Kind::COLLECTIVE;
    node.collective = collective;
    node.amount = bytes;
    node.lane = lane;
    return node;
}

/** Programs with a GPU lane 0, a CPU lane 1 and a communication lane 2. */
GraphProgramBuilder
Start()
{
    GraphProgramBuilder builder;
    builder.AddLane(LaneKind::GPU);
    builder.AddLane(LaneKind::CPU);
    builder.AddLane(LaneKind::COMMUNICATION);
    return builder;
}

/** A graph whose ranks all run the program, in one group. */
TaskGraph
MakeUniform(uint32_t ranks, std::shared_ptr<const GraphProgram> program)
{
    TaskGraph graph;
    RankGroup all;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        all.ranks.push_back(rank);
        RankGraph own;
        own.program = program;
        own.groups = {0};
        graph.ranks.push_back(own);
    }
    graph.groups = {all};
    return graph;
}

/** A straightforward calculation of when nodes end: each as soon as those before it have, with a
 * lane and a pair of ranks of its own. */
class LongestPath
{
  public:
    explicit LongestPath(const TaskGraph& graph)
        : m_graph(graph),
          m_begin(graph.ranks.size(), 0)
    {
    }

    /** Run an iteration. \return when the last rank has ended it, s */
    double Run()
    {
        m_starts.clear();
        std::vector<double> next;
        for (uint32_t rank = 0; rank < m_graph.ranks.size(); ++rank)
        {
            double end = m_begin[rank];
            for (uint32_t node = 0; node < m_graph.ranks[rank].program->nodes.size(); ++node)
            {
                end = std::max(end, GetEnd(rank, node));
            }
            next.push_back(end);
        }
        m_begin = next;
        return *std::max_element(next.begin(), next.end());
    }

  private:
    double GetStart(uint32_t rank, uint32_t node)
    {
        const auto known = m_starts.find({rank, node});
        if (known != m_starts.end())
        {
            return known->second;
        }
        const GraphProgram& program = *m_graph.ranks[rank].program;
        double start = m_begin[rank];
        for (uint32_t i = program.GetFirst(node); i < program.startedEnds[node]; ++i)
        {
            const uint32_t other = program.before[i];
            const bool isEnd = i < program.endedEnds[node];
            start = std::max(start, isEnd ? GetEnd(rank, other) : GetStart(rank, other));
        }
        m_starts[{rank, node}] = start;
        return start;
    }

    double GetEnd(uint32_t rank, uint32_t node)
    {
        const RankGraph& own = m_graph.ranks[rank];
        const GraphNode& work = own.program->nodes[node];
        const double start = GetStart(rank, node);
        if (work.kind == GraphNode::Kind::COMPUTE)
        {
            return start + static_cast<double>(work.amount) * 1e-9;
        }
        if (work.kind == GraphNode::Kind::SEND)
        {
            return start + static_cast<double>(work.amount) * 1e-3;
        }
        const uint32_t source = own.peers[work.peer];
        const RankGraph& from = m_graph.ranks[source];
        for (uint32_t sent = 0; sent < from.program->nodes.size(); ++sent)
        {
            const GraphNode& send = from.program->nodes[sent];
            if (send.kind == GraphNode::Kind::SEND && from.peers[send.peer] == rank)
            {
                return std::max(start, GetEnd(source, sent));
            }
        }
        ADD_FAILURE() << "nobody sends to " << rank;
        return start;
    }

    const TaskGraph& m_graph;
    std::vector<double> m_begin;
    std::map<std::pair<uint32_t, uint32_t>, double> m_starts;
};

class GraphTrainingJobTest : public JobBench
{
  protected:
    static JobSpec Spec(TaskGraph graph)
    {
        const auto ranks = static_cast<uint32_t>(graph.ranks.size());
        JobSpec spec = JobBench::Spec("ring", ranks, 0, 0, Seconds(0));
        spec.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        spec.kind.Set("AllReduce", StringValue("ring"), "Broadcast", StringValue("chain"));
        spec.kind.Set("CollectiveChunks", UintegerValue(8));
        spec.graph = std::make_shared<const TaskGraph>(std::move(graph));
        return spec;
    }

    /** \return when four ranks, one a machine, have done that together, s */
    double Time(Collective collective, uint64_t bytes, uint32_t ranks = 4)
    {
        GraphProgramBuilder builder = Start();
        builder.Add(Together(collective, bytes, 2), {});
        m_ends.clear();
        RunStage(Spec(MakeUniform(ranks, builder.Build())), 1);
        EXPECT_EQ(m_ends.size(), 1U);
        return m_ends.empty() ? -1 : m_ends.front().time.GetSeconds();
    }
};

} // namespace

TEST_F(GraphTrainingJobTest, AllReduceGoesRoundTwice)
{
    EXPECT_DOUBLE_EQ(Time(Collective::ALL_REDUCE, 4000), 6); // 2 (N - 1) steps of 1000 B
}

TEST_F(GraphTrainingJobTest, AllGatherGoesRoundOnce)
{
    EXPECT_DOUBLE_EQ(Time(Collective::ALL_GATHER, 4000), 3); // (N - 1) steps
}

TEST_F(GraphTrainingJobTest, ReduceScatterGoesRoundOnce)
{
    EXPECT_DOUBLE_EQ(Time(Collective::REDUCE_SCATTER, 4000), 3);
}

TEST_F(GraphTrainingJobTest, AllToAllSendsAtOnce)
{
    EXPECT_DOUBLE_EQ(Time(Collective::ALL_TO_ALL, 4000), 1); // each pair has a stream of its own
}

TEST_F(GraphTrainingJobTest, BroadcastFillsAChain)
{
    EXPECT_DOUBLE_EQ(Time(Collective::BROADCAST, 4000), 5); // (N - 2 + 8) chunks of 500 B
}

TEST_F(GraphTrainingJobTest, FewerBytesThanRanks)
{
    EXPECT_DOUBLE_EQ(Time(Collective::ALL_GATHER, 1), 0.003); // one part of a byte goes round
    Simulator::Destroy();
}

TEST_F(GraphTrainingJobTest, AGroupOfOneHasNothingToSend)
{
    EXPECT_DOUBLE_EQ(Time(Collective::ALL_REDUCE, 4000, 1), 0);
}

TEST_F(GraphTrainingJobTest, KernelsFollowEachOtherAndOverlapWithTransfers)
{
    GraphProgramBuilder builder = Start();
    const uint32_t first = builder.Add(Compute(SECOND, 0), {});
    builder.Add(Together(Collective::ALL_GATHER, 4000, 2), {first}); // 1 to 4 s
    builder.Add(Compute(SECOND, 0), {first});                        // 1 to 2 s
    builder.Add(Compute(3 * SECOND, 0), {first});                    // 2 to 5 s, on the same GPU
    builder.Add(Compute(2 * SECOND, 1), {});                         // 0 to 2 s, on the CPU
    const auto job = RunStage(Spec(MakeUniform(4, builder.Build())), 2);
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(10)}}));
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(2 * 4 * 5));
    EXPECT_EQ(job->GetBytes(), 2U * 3 * 4000); // (N - 1) M each time
    ASSERT_EQ(m_iterations.size(), 2U);
    EXPECT_EQ(m_iterations[1].computeEnd, Seconds(10));
}

TEST_F(GraphTrainingJobTest, MessagesOfOneTagAreTakenInOrder)
{
    GraphProgramBuilder sends = Start();
    const uint32_t first = sends.Add(Message(GraphNode::Kind::SEND, 0, 1000, 2), {});
    sends.Add(Message(GraphNode::Kind::SEND, 0, 2000, 2), {first});
    GraphProgramBuilder receives = Start();
    const uint32_t early = receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 1000, 2), {});
    const uint32_t pause = receives.Add(Compute(5 * SECOND, 1), {early}); // 1 to 6 s
    receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 2000, 2), {pause}); // there since 3 s
    TaskGraph graph;
    graph.ranks = {{sends.Build(), {1}, {}, ""}, {receives.Build(), {0}, {}, ""}};
    RunStage(Spec(graph), 2);
    // The sender does its second iteration from 3 to 6 s; the receiver then needs its 5 s only.
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(11)}}));
}

TEST_F(GraphTrainingJobTest, MessagesMeetInTheOrderOfEdgesAndNotOfTime)
{
    // The first message by edges waits for 5 s of computing, the second one goes at once.
    GraphProgramBuilder sends = Start();
    const uint32_t late = sends.Add(Compute(5 * SECOND, 1), {});
    sends.Add(Message(GraphNode::Kind::SEND, 0, 2000, 2), {late}); // 5 to 7 s
    sends.Add(Message(GraphNode::Kind::SEND, 0, 1000, 2), {});     // 0 to 1 s
    GraphProgramBuilder receives = Start();
    receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 2000, 2), {});
    const uint32_t second = receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 1000, 2), {});
    receives.Add(Compute(4 * SECOND, 1), {second}); // 1 to 5 s; by time it would be 7 to 11 s
    TaskGraph graph;
    graph.ranks = {{sends.Build(), {1}, {}, ""}, {receives.Build(), {0}, {}, ""}};
    EXPECT_TRUE(CheckGraph(graph).empty());
    RunStage(Spec(graph), 1);
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(7)}}));
}

TEST_F(GraphTrainingJobTest, RandomGraphsTakeTheirLongestPath)
{
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        const TaskGraph graph = MakeRandomGraph(seed, 2 + seed % 5, SECOND / 2, 3000, false);
        LongestPath path(graph);
        double end = 0;
        for (int iteration = 0; iteration < 3; ++iteration)
        {
            end = path.Run();
        }
        m_ends.clear();
        const ns3::Time begin = Simulator::Now();
        const auto job = Make(Spec(graph));
        Simulator::ScheduleNow([job]() {
            Launch(job);
            StartAll(job, 1, 3);
        });
        Simulator::Run();
        ASSERT_EQ(m_ends.size(), 1U) << seed;
        EXPECT_NEAR((m_ends.front().time - begin).GetSeconds(), end, 1e-6) << seed;
        StopAll(job);
    }
}

TEST_F(GraphTrainingJobTest, LanguageModelsSendTheBytesOfTheClosedForm)
{
    for (uint32_t zero = 0; zero <= 3; ++zero)
    {
        LlmSpec model = GetLlmPresets().at("tiny");
        model.vocabulary = 0;
        model.tensor = model.pipeline = model.data = 2;
        model.chunks = 2;
        model.globalBatch = 8;
        model.sequenceParallel = zero % 2 == 0;
        model.recompute = zero > 1;
        model.zero = zero;
        ASSERT_TRUE(CheckLlm(model).empty());
        const LlmBytes count = CountLlm(model);
        m_ends.clear();
        const ns3::Time busy = m_cluster->GetBusyTime();
        const auto job = RunStage(Spec(MakeLlmGraph(model)), 2);
        ASSERT_EQ(m_ends.size(), 1U) << "ZeRO " << zero;
        // Two stages with two chunks: three boundaries, each way, by four pairs of ranks.
        const uint64_t messages = 2 * 3 * 4 * count.microBatches * count.pipelineMessage;
        const uint64_t others = count.tensorSent + count.dataGatherSent + count.dataReduceSent;
        EXPECT_EQ(job->GetBytes(), 2 * (8 * others + messages)) << "ZeRO " << zero;
        EXPECT_EQ(m_cluster->GetBusyTime() - busy,
                  (count.forward + count.backward) * (2 * 8 * count.microBatches));
        StopAll(job);
    }
}

TEST_F(GraphTrainingJobTest, TransfersWaitForTheGate)
{
    GraphProgramBuilder builder = Start();
    const uint32_t first = builder.Add(Compute(SECOND, 0), {});
    builder.Add(Together(Collective::ALL_GATHER, 2000, 2), {first}); // 1 s
    builder.Add(Compute(SECOND, 0), {first});
    const auto job = Make(Spec(MakeUniform(2, builder.Build())));
    job->SetGated();
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 1);
    });
    Simulator::Schedule(Seconds(7), [job]() {
        job->On(HostId{0}).Admit(1);
        job->On(HostId{1}).Admit(1);
    });
    Simulator::Run();
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(8)}}));
}

TEST_F(GraphTrainingJobTest, RefusesGraphsThatWouldNotEnd)
{
    GraphProgramBuilder receives = Start();
    receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 1000, 2), {});
    GraphProgramBuilder computes = Start();
    computes.Add(Compute(SECOND, 0), {});
    TaskGraph graph;
    graph.ranks = {{receives.Build(), {1}, {}, ""}, {computes.Build(), {}, {}, ""}};
    const JobSpec spec = Spec(graph);
    const auto wrong = TrainingJob::Of(spec.kind)->Refuse(spec, CojobSpec());
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(wrong.front().find("has a wrong task graph: "), 0U) << wrong.front();
}

/** Each iteration of a rank that has nothing to do is over when it begins: no call may begin them
 * all within each other. */
TEST_F(GraphTrainingJobTest, ARankWithoutNodesEndsAnyNumberOfIterations)
{
    constexpr uint32_t ITERATIONS = 100000;
    GraphProgramBuilder computes = Start();
    computes.Add(Compute(1, 0), {});
    TaskGraph graph;
    graph.ranks = {{computes.Build(), {}, {}, ""}, {Start().Build(), {}, {}, ""}};
    RunStage(Spec(graph), ITERATIONS);
    ASSERT_EQ(m_ends.size(), 1U);
    EXPECT_DOUBLE_EQ(m_ends.front().time.GetSeconds(), ITERATIONS * 1e-9);
}

TEST_F(GraphTrainingJobTest, RefusesPeersThatAreListedTwice)
{
    GraphProgramBuilder sends = Start();
    sends.Add(Message(GraphNode::Kind::SEND, 0, 1000, 2), {});
    sends.Add(Message(GraphNode::Kind::SEND, 1, 1000, 2), {});
    GraphProgramBuilder receives = Start();
    receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 1000, 2), {});
    receives.Add(Message(GraphNode::Kind::RECEIVE, 0, 1000, 2), {});
    TaskGraph graph;
    graph.ranks = {{sends.Build(), {1, 1}, {}, ""}, {receives.Build(), {0}, {}, ""}};
    const JobSpec spec = Spec(graph);
    const auto wrong = TrainingJob::Of(spec.kind)->Refuse(spec, CojobSpec());
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_NE(wrong.front().find("lists peer 1 twice"), std::string::npos) << wrong.front();
}

TEST_F(GraphTrainingJobTest, WrongAlgorithmsAreRefused)
{
    GraphProgramBuilder builder = Start();
    builder.Add(Compute(SECOND, 0), {});
    JobSpec spec = Spec(MakeUniform(4, builder.Build()));
    spec.kind.Set("AllToAll", StringValue("ring"));
    const auto wrong = TrainingJob::Of(spec.kind)->Refuse(spec, CojobSpec());
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(wrong.front(),
              "has a wrong list of algorithms for all-to-all, \"ring\": there is no algorithm "
              "\"ring\" (auto, direct, pairwise)");
}

TEST_F(GraphTrainingJobTest, CountsAnIterationWithoutAPlace)
{
    GraphProgramBuilder builder = Start();
    builder.Add(Together(Collective::ALL_REDUCE, 4000, 2), {});
    JobSpec spec = Spec(MakeUniform(4, builder.Build()));
    spec.graphScale = 2;
    const auto plan = TrainingJob::Of(spec.kind)->PlanIteration(spec);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->bytes, 2U * 24000U); // 2 (N - 1) M
    EXPECT_EQ(plan->transfers, 24U);     // 2 (N - 1) steps of N ranks
}

TEST_F(GraphTrainingJobTest, RefusesAScaleWithWhichNumbersOverflow)
{
    GraphProgramBuilder builder = Start();
    builder.Add(Together(Collective::ALL_REDUCE, 1'000'000'000, 2), {});
    JobSpec spec = Spec(MakeUniform(4, builder.Build()));
    for (const double scale : {1e9, 1e30})
    {
        spec.graphScale = scale;
        const auto wrong = TrainingJob::Of(spec.kind)->Refuse(spec, CojobSpec());
        ASSERT_FALSE(wrong.empty()) << scale;
        EXPECT_EQ(wrong.front().find("has a task graph that scale.model makes too large: "), 0U)
            << wrong.front();
    }
}

TEST_F(GraphTrainingJobTest, RefusesWhatDoesNotFit)
{
    GraphProgramBuilder builder = Start();
    builder.Add(Compute(SECOND, 0), {});
    JobSpec spec = Spec(MakeUniform(4, builder.Build()));
    const auto kind = TrainingJob::Of(spec.kind);
    EXPECT_TRUE(kind->Refuse(spec, CojobSpec()).empty());
    spec.workers = 3;
    spec.servers = 1;
    EXPECT_EQ(kind->Refuse(spec, CojobSpec()),
              (std::vector<std::string>{"has 3 workers, and its task graph has 4 ranks "
                                        "(as many \"workers\")",
                                        "has a task graph, and no parameter servers "
                                        "(\"servers\": 0)"}));
    spec.graph.reset();
    spec.servers = 0;
    EXPECT_EQ(kind->Refuse(spec, CojobSpec()),
              std::vector<std::string>{"has no task graph (\"graph\", its files)"});
}
