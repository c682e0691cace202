// SPDX-License-Identifier: GPL-2.0-only
// training.csv and collectives.csv, computed again from the times of all nodes.
#include "ddl-random-graph.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-llm.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-run-spec.h"
#include "ns3/ddl-training-job.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/** Intervals [begin, end), ns. */
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

/** \return the same instants in disjoint intervals, by time */
Intervals
Unite(Intervals intervals)
{
    std::sort(intervals.begin(), intervals.end());
    Intervals united;
    for (const auto& [begin, end] : intervals)
    {
        if (!united.empty() && begin <= united.back().second)
        {
            united.back().second = std::max(united.back().second, end);
        }
        else if (begin < end)
        {
            united.emplace_back(begin, end);
        }
    }
    return united;
}

/** \return instants of both. \param one, other disjoint, by time */
Intervals
Intersect(const Intervals& one, const Intervals& other)
{
    Intervals both;
    for (const auto& [a, b] : one)
    {
        for (const auto& [c, d] : other)
        {
            if (std::max(a, c) < std::min(b, d))
            {
                both.emplace_back(std::max(a, c), std::min(b, d));
            }
        }
    }
    return both;
}

int64_t
Measure(const Intervals& disjoint)
{
    return std::accumulate(
        disjoint.begin(),
        disjoint.end(),
        int64_t{0},
        [](int64_t sum, const auto& each) { return sum + each.second - each.first; });
}

/** What happened in one run of a job. */
struct RunLog
{
    std::map<uint32_t, Intervals> inside; //!< iterations, by rank
    /** Begin and end of nodes, by rank, iteration and node. */
    std::map<std::tuple<uint32_t, uint64_t, uint32_t>, std::pair<int64_t, int64_t>> nodes;
    uint64_t finished{0};
    int64_t end{NEVER}; //!< the first machine stopped
};

/** Writes down when nodes begin and end. */
class NodeLog
{
  public:
    explicit NodeLog(Ptr<TrainingCluster> cluster)
    {
        for (const auto& agent : cluster->GetParts().agents)
        {
            agent->TraceConnectWithoutContext("Rank", MakeCallback(&NodeLog::NoteRank, this));
            agent->TraceConnectWithoutContext("Node", MakeCallback(&NodeLog::NoteNode, this));
        }
    }

    /** By job and run. */
    const std::map<std::pair<JobId, uint32_t>, RunLog>& GetRuns() const
    {
        return m_runs;
    }

  private:
    void NoteRank(const RankEvent& event)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        using Kind = RankEvent::Kind;
        if (event.kind == Kind::BEGAN)
        {
            m_numbers[event.job] = event.run;
            m_runs[{event.job, event.run}].inside[event.rank].emplace_back(now, NEVER);
        }
        const auto run = m_runs.find({event.job, event.run});
        if (run == m_runs.end() || run->second.end != NEVER)
        {
            return;
        }
        if (event.kind == Kind::FINISHED)
        {
            run->second.inside.at(event.rank).back().second = now;
            ++run->second.finished;
        }
        else if (event.kind == Kind::STOPPED || event.kind == Kind::FAILED)
        {
            run->second.end = now;
        }
    }

    void NoteNode(const NodeEvent& event)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        RunLog& run = m_runs.at({event.job, m_numbers.at(event.job)});
        const auto key = std::make_tuple(event.rank, event.iteration, event.node);
        if (event.isEnd)
        {
            run.nodes.at(key).second = now;
        }
        else
        {
            EXPECT_TRUE(run.nodes.emplace(key, std::make_pair(now, NEVER)).second);
        }
    }

    std::map<JobId, uint32_t> m_numbers; //!< present run of each job
    std::map<std::pair<JobId, uint32_t>, RunLog> m_runs;
};

/** Sums over ranks, ns, and equal collectives: by group, type and bytes, their times. */
struct Expected
{
    int64_t compute{0};
    int64_t exposed{0};
    int64_t bubble{0};
    uint64_t finished{0};
    std::map<std::tuple<uint32_t, Collective, uint64_t>, std::vector<int64_t>> collectives;
};

/** Adds what one run says. */
class RunSums
{
  public:
    RunSums(const TaskGraph& graph, const RunLog& log, Expected& sums)
        : m_graph(graph),
          m_log(log)
    {
        Intervals all;
        for (const auto& [rank, intervals] : log.inside)
        {
            for (const auto& [begin, end] : intervals)
            {
                all.emplace_back(begin, std::min(end, log.end));
            }
        }
        const Intervals open = Unite(all);
        sums.finished += log.finished;
        SortNodes(sums);
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            const Intervals busy = Intersect(Unite(m_busy[rank]), open);
            const Intervals moving = Intersect(Unite(m_moving[rank]), open);
            const int64_t exposed = Measure(moving) - Measure(Intersect(moving, busy));
            sums.compute += Measure(busy);
            sums.exposed += exposed;
            sums.bubble += Measure(open) - Measure(busy) - exposed;
        }
    }

  private:
    struct Part
    {
        uint32_t rank;
        int64_t begin;
        int64_t end;
    };

    /** \return number of a collective among those of its group: the order is that of the file */
    static uint32_t Count(const GraphProgram& program, uint32_t node)
    {
        uint32_t before = 0;
        for (uint32_t i = 0; i < node; ++i)
        {
            before += program.nodes[i].kind == GraphNode::Kind::COLLECTIVE &&
                              program.nodes[i].peer == program.nodes[node].peer
                          ? 1
                          : 0;
        }
        return before;
    }

    void SortNodes(Expected& sums)
    {
        using Instance = std::tuple<uint64_t, uint32_t, uint32_t>;
        std::map<Instance, std::pair<GraphNode, std::vector<Part>>> collectives;
        std::map<std::tuple<uint64_t, uint32_t, uint32_t>, int64_t> sends; // one a pair
        std::map<std::tuple<uint64_t, uint32_t, uint32_t>, Part> receives;
        for (const auto& [key, times] : m_log.nodes)
        {
            const auto& [rank, iteration, number] = key;
            const RankGraph& own = m_graph.ranks[rank];
            const GraphNode& node = own.program->nodes[number];
            const int64_t begin = times.first;
            const int64_t end = std::min(times.second, m_log.end);
            if (node.kind == GraphNode::Kind::COMPUTE)
            {
                ASSERT_EQ(own.program->lanes[node.lane], LaneKind::GPU);
                m_busy[rank].emplace_back(begin, end);
            }
            else if (node.kind == GraphNode::Kind::COLLECTIVE)
            {
                auto& [work, parts] =
                    collectives[{iteration, own.groups[node.peer], Count(*own.program, number)}];
                work = node;
                parts.push_back({rank, begin, times.second});
            }
            else if (node.kind == GraphNode::Kind::SEND)
            {
                m_moving[rank].emplace_back(begin, end);
                sends[{iteration, rank, own.peers[node.peer]}] = begin;
            }
            else
            {
                receives[{iteration, own.peers[node.peer], rank}] = {rank, begin, end};
            }
        }
        for (const auto& [key, part] : receives)
        {
            if (sends.count(key) > 0)
            {
                m_moving[part.rank].emplace_back(std::max(part.begin, sends.at(key)), part.end);
            }
        }
        for (const auto& [key, instance] : collectives)
        {
            AddCollective(std::get<1>(key), instance.first, instance.second, sums);
        }
    }

    void AddCollective(uint32_t group,
                       const GraphNode& work,
                       const std::vector<Part>& parts,
                       Expected& sums)
    {
        if (parts.size() < m_graph.groups[group].ranks.size())
        {
            return; // a member has not begun it
        }
        int64_t first = NEVER;
        int64_t last = 0;
        int64_t end = 0;
        for (const Part& part : parts)
        {
            first = std::min(first, part.begin);
            last = std::max(last, part.begin);
            end = std::max(end, part.end);
        }
        for (const Part& part : parts)
        {
            m_moving[part.rank].emplace_back(last, std::min(part.end, m_log.end));
        }
        if (end <= m_log.end && end != NEVER)
        {
            sums.collectives[{group, work.collective, work.amount}].push_back(end - first);
        }
    }

    const TaskGraph& m_graph;
    const RunLog& m_log;
    std::map<uint32_t, Intervals> m_busy;   //!< GPU, by rank
    std::map<uint32_t, Intervals> m_moving; //!< communication under way, by rank
};

/** By transport. */
class GraphMetricsTest : public SimulationFixture, public testing::WithParamInterface<std::string>
{
  protected:
    /** \return 4 jobs on 8 GPUs, which lose their GPUs often */
    Scenario MakeScenario(uint32_t seed)
    {
        std::mt19937 random(seed);
        std::string jobs;
        for (int job = 0; job < 4; ++job)
        {
            jobs += (jobs.empty() ? "" : ", ") +
                    (R"({"model": {"name": "m", "bytes": "1KB"}, "workers": )" +
                     std::to_string(1 + random() % 5) + R"(, "iterations": )" +
                     std::to_string(5 + random() % 30) + R"(, "submit": ")" +
                     std::to_string(random() % 100) + "ms\"}");
        }
        const std::string failures =
            seed % 2 == 0 ? R"(, "failures": [{"server": 1, "at": "50ms", "for": "40ms"},
                                              {"server": 2, "at": "120ms", "for": "30ms"}])"
                          : "";
        Scenario scenario = ReadText(R"({"name": "s", "seed": )" + std::to_string(seed) +
                                     R"(, "cluster": {"topology": {"kind": "single-switch",
                "hosts": 4}, "hosts": {"gpus": 2})" +
                                     failures + R"(}, "transport": {"kind": ")" + GetParam() +
                                     R"("}, "scheduler": {"placement": "random",
                "jobs": {"type": "2d-las", "Thresholds": ["20ms", "80ms"]},
                "switch": {"launch": "1ms", "save": "1ms", "checkpointEvery": 7},
                "minRun": "5ms", "lease": "15ms"}, "workload": {"jobs": [)" +
                                     jobs + R"(]}, "output": {"alone": false, "training": true,
                "collectives": true}})");
        for (CojobSpec& group : scenario.workload.groups)
        {
            for (JobSpec& job : group.jobs)
            {
                SetGraph(job, MakeRandomGraph(random(), job.workers, 1'000'000, 50'000, true));
            }
        }
        return scenario;
    }

    static void SetGraph(JobSpec& job, TaskGraph graph)
    {
        job.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        job.graph = std::make_shared<const TaskGraph>(std::move(graph));
    }

    static void Compare(const TrainingRow& row, const Expected& expected)
    {
        const auto near = [&](Time mean, int64_t sum) {
            const auto count = static_cast<int64_t>(std::max<uint64_t>(expected.finished, 1));
            EXPECT_NEAR(mean.GetNanoSeconds(), sum / count, 1) << "job " << row.job;
        };
        EXPECT_DOUBLE_EQ(row.iterations * row.workers, static_cast<double>(expected.finished));
        near(row.compute, expected.compute);
        near(row.exposed, expected.exposed);
        near(row.bubble, expected.bubble);
    }

    static void Join(CollectiveRow& row, const CollectiveRow& other)
    {
        const auto count = static_cast<int64_t>(row.count + other.count);
        row.mean = (row.mean * static_cast<int64_t>(row.count) +
                    other.mean * static_cast<int64_t>(other.count)) /
                   count;
        row.count += other.count;
        row.least = Min(row.least, other.least);
        row.most = Max(row.most, other.most);
    }

    static void Compare(const CollectiveRow& row, const std::vector<int64_t>& times)
    {
        ASSERT_FALSE(times.empty()) << row.collective;
        const int64_t sum = std::accumulate(times.begin(), times.end(), int64_t{0});
        EXPECT_EQ(row.count, times.size());
        EXPECT_EQ(row.least.GetNanoSeconds(), *std::min_element(times.begin(), times.end()));
        EXPECT_EQ(row.most.GetNanoSeconds(), *std::max_element(times.begin(), times.end()));
        EXPECT_NEAR(row.mean.GetNanoSeconds(), sum / static_cast<int64_t>(times.size()), 1);
    }

    /** Run a scenario and compare its tables with what nodes say. \return number of runs */
    std::size_t Check(const Scenario& scenario)
    {
        ClusterSimulation simulation(scenario);
        const NodeLog log(simulation.GetTrainingCluster());
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
        std::map<JobId, const TaskGraph*> graphs;
        for (const CojobSpec& group : scenario.workload.groups)
        {
            graphs[group.jobs.front().id] = group.jobs.front().graph.get();
        }
        std::map<JobId, Expected> expected;
        for (const auto& [key, run] : log.GetRuns())
        {
            // After a failure, a job may run again although its last iteration had been done.
            const Time start = NanoSeconds(run.inside.begin()->second.front().first);
            if (start > RowOf(result, key.first.value).end)
            {
                continue;
            }
            RunSums(*graphs.at(key.first), run, expected[key.first]);
        }
        EXPECT_EQ(result.training.size(), graphs.size());
        for (const TrainingRow& row : result.training)
        {
            Compare(row, expected.at(row.job));
        }
        std::map<std::tuple<JobId, uint32_t, std::string, uint64_t>, std::vector<int64_t>> times;
        for (const auto& [job, sums] : expected)
        {
            for (const auto& [key, each] : sums.collectives)
            {
                const auto& [group, type, bytes] = key;
                const auto ranks =
                    static_cast<uint32_t>(graphs.at(job)->groups[group].ranks.size());
                auto& all = times[{job,
                                   ranks,
                                   GetName(type), // groups have no names
                                   type == Collective::BARRIER ? 0 : bytes}];
                all.insert(all.end(), each.begin(), each.end());
            }
        }
        // Another place may have another algorithm, and then a row of its own.
        std::map<std::tuple<JobId, uint32_t, std::string, uint64_t>, CollectiveRow> whole;
        for (const CollectiveRow& row : result.collectives)
        {
            auto [found, isNew] =
                whole.emplace(std::make_tuple(row.job, row.ranks, row.collective, row.bytes), row);
            if (!isNew)
            {
                Join(found->second, row);
            }
        }
        for (const auto& [key, row] : whole)
        {
            if (graphs.at(row.job)->ranks.size() > 1 &&
                row.collective != GetName(Collective::BARRIER))
            {
                Compare(row, times[key]);
            }
        }
        return log.GetRuns().size();
    }
};

} // namespace

TEST_P(GraphMetricsTest, RandomGraphsThatAreSuspendedAndKilled)
{
    std::size_t runs = 0;
    const uint32_t seeds = GetParam() == "fluid" ? 50 : 10;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE(seed);
        runs += Check(MakeScenario(seed));
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(runs, seeds * 6); // else hardly anybody was suspended
}

INSTANTIATE_TEST_SUITE_P(All,
                         GraphMetricsTest,
                         testing::Values("fluid", "rdma"),
                         [](const auto& info) { return info.param; });

namespace
{

/** One model on a machine, in which transfers take no time. */
class LlmMetricsTest : public SimulationFixture
{
  protected:
    static LlmSpec Model(uint32_t tensor, uint32_t pipeline, uint32_t data, uint32_t batch)
    {
        LlmSpec model = GetLlmPresets().at("tiny");
        model.vocabulary = 0; // all stages are equal
        model.tensor = tensor;
        model.pipeline = pipeline;
        model.data = data;
        model.globalBatch = batch;
        return model;
    }

    Scenario MakeScenario(const LlmSpec& model, uint32_t iterations, const Settings& more = {})
    {
        const uint32_t ranks = model.tensor * model.pipeline * model.data;
        Settings settings{"transport.kind=fluid",
                          "transport.localRate=1000000000Gbps",
                          "transport.localDelay=0s",
                          "output.training=true"};
        settings.insert(settings.end(), more.begin(), more.end());
        Scenario scenario = ReadText(
            OnSwitch(1,
                     ranks,
                     R"({"jobs": [{"model": {"name": "tiny", "bytes": "1MB"}, "iterations": )" +
                         std::to_string(iterations) + R"(, "workers": )" + std::to_string(ranks) +
                         "}]}"),
            settings);
        JobSpec& job = scenario.workload.groups.front().jobs.front();
        job.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        job.graph = std::make_shared<const TaskGraph>(MakeLlmGraph(model));
        return scenario;
    }

    TrainingRow Train(const Scenario& scenario)
    {
        const RunResult result = ClusterSimulation(scenario).Run();
        EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
        EXPECT_EQ(result.training.size(), 1U);
        return result.training.empty() ? TrainingRow() : result.training.front();
    }

    /**
     * Run a job whose ranks do nothing but collectives, one after the other, three times.
     *
     * \param collective what they do
     * \param sizes bytes of each
     * \param allReduce rules of the algorithm of all-reduces
     * \param gpus GPUs of each machine; there are 4 ranks
     * \return rows of collectives.csv
     */
    std::vector<CollectiveRow> RunCollectives(Collective collective,
                                              const std::vector<uint64_t>& sizes,
                                              const std::string& allReduce = "auto",
                                              uint32_t gpus = 1)
    {
        GraphProgramBuilder builder;
        GraphNode node;
        node.kind = GraphNode::Kind::COLLECTIVE;
        node.collective = collective;
        node.lane = builder.AddLane(LaneKind::COMMUNICATION);
        std::vector<uint32_t> before;
        for (const uint64_t bytes : sizes)
        {
            node.amount = bytes;
            before = {builder.Add(node, before)};
        }
        const auto program = builder.Build();
        TaskGraph graph;
        graph.groups = {{"all", {0, 1, 2, 3}}};
        graph.ranks.assign(4, {program, {}, {0}, ""});
        Scenario scenario =
            ReadText(OnSwitch(4 / gpus,
                              gpus,
                              R"({"jobs": [{"model": {"name": "m", "bytes": "1MB"}, "workers": 4,
                             "iterations": 3}]})"),
                     {"transport.kind=fluid",
                      "cluster.topology.hostRate=10Gbps",
                      "output.collectives=true"});
        JobSpec& job = scenario.workload.groups.front().jobs.front();
        job.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
        job.kind.Set("AllReduce", StringValue(allReduce));
        job.graph = std::make_shared<const TaskGraph>(graph);
        return ClusterSimulation(scenario).Run().collectives;
    }
};

} // namespace

TEST_F(LlmMetricsTest, APipelineWithoutNetworkHasItsBubble)
{
    for (const auto& [stages, batch] : {std::pair{2U, 4U}, {4U, 8U}, {4U, 3U}})
    {
        const LlmSpec model = Model(1, stages, 1, batch);
        const TrainingRow row = Train(MakeScenario(model, 5));
        const LlmBytes count = CountLlm(model);
        const double compute = (count.forward + count.backward).GetSeconds() * batch;
        EXPECT_NEAR(row.compute.GetSeconds(), compute, 1e-6);
        EXPECT_NEAR(row.bubble.GetSeconds(), compute * (stages - 1) / batch, 1e-6);
        EXPECT_NEAR(row.exposed.GetSeconds(), 0, 1e-6);
        EXPECT_DOUBLE_EQ(row.iterations, 5);
        // The stages follow each other without a pause between iterations.
        const double iteration = compute * (batch + stages - 1) / batch;
        EXPECT_NEAR(row.training.GetSeconds(), 5 * iteration, 5e-6);
        ASSERT_TRUE(row.tokens);
        EXPECT_NEAR(*row.tokens * iteration / (batch * model.sequence), 1, 1e-3);
    }
}

TEST_F(LlmMetricsTest, AModelOnOneGpuReachesItsEfficiency)
{
    LlmSpec model = Model(1, 1, 1, 4);
    for (const bool recompute : {false, true})
    {
        model.recompute = recompute;
        const TrainingRow row = Train(MakeScenario(model, 3));
        ASSERT_TRUE(row.mfu && row.flops);
        // Of four passes, one computes again what was known.
        EXPECT_NEAR(*row.mfu, model.efficiency * (recompute ? 0.75 : 1), 1e-3);
        EXPECT_NEAR(*row.flops, *row.mfu * model.flops, 1e-6 * model.flops);
        EXPECT_EQ(row.bubble, Time(0));
        EXPECT_EQ(row.exposed, Time(0));
    }
}

TEST_F(LlmMetricsTest, FasterGpusHaveAHigherPeak)
{
    const LlmSpec model = Model(1, 2, 1, 4);
    const TrainingRow slow = Train(MakeScenario(model, 3));
    const TrainingRow fast = Train(
        MakeScenario(model,
                     3,
                     {R"(cluster.gpuTypes={"V100": {"speed": 2}})", "cluster.hosts.gpuType=V100"}));
    EXPECT_NEAR(*fast.flops / *slow.flops, 2, 1e-3);
    EXPECT_NEAR(*fast.mfu, *slow.mfu, 1e-3);
    EXPECT_NEAR(fast.bubble.GetSeconds() * 2, slow.bubble.GetSeconds(), 1e-6);
}

TEST_F(LlmMetricsTest, LeapsDoNotChangeMeans)
{
    const Settings slower{"transport.localRate=10Gbps", "transport.localDelay=1us"};
    // Iterations of a pipeline overlap: it leaps with a memo only.
    for (const auto& [stages, leap] : {std::pair{1U, "{}"}, {2U, R"({"memo": true})"}})
    {
        SCOPED_TRACE(stages);
        const LlmSpec model = Model(2, stages, 2, 8);
        Settings leaps = slower;
        leaps.push_back(std::string("leap=") + leap);
        const TrainingRow all = Train(MakeScenario(model, 300, slower));
        const TrainingRow few = Train(MakeScenario(model, 300, leaps));
        EXPECT_DOUBLE_EQ(all.iterations, 300);
        EXPECT_LT(few.iterations, 30);
        EXPECT_GT(all.exposed.GetSeconds(), 0);
        EXPECT_NEAR(few.compute.GetSeconds() / all.compute.GetSeconds(), 1, 1e-3);
        EXPECT_NEAR(few.exposed.GetSeconds() / all.exposed.GetSeconds(), 1, 0.01);
        EXPECT_NEAR(few.bubble.GetSeconds(),
                    all.bubble.GetSeconds(),
                    0.01 * all.compute.GetSeconds());
        EXPECT_NEAR(*few.tokens / *all.tokens, 1, 1e-3);
        EXPECT_NEAR(few.training.GetSeconds() / all.training.GetSeconds(), 1, 1e-3);
    }
}

TEST_F(LlmMetricsTest, ScaleKeepsRates)
{
    const LlmSpec model = Model(1, 4, 1, 8);
    const TrainingRow whole = Train(MakeScenario(model, 4));
    const TrainingRow tenth = Train(MakeScenario(model, 4, {"scale.model=0.1"}));
    EXPECT_NEAR(tenth.compute.GetSeconds() / whole.compute.GetSeconds(), 0.1, 1e-3);
    EXPECT_NEAR(*tenth.tokens / *whole.tokens, 1, 1e-3);
    EXPECT_NEAR(*tenth.mfu / *whole.mfu, 1, 1e-3);
}

TEST_F(LlmMetricsTest, WithoutTheTablesNothingIsKept)
{
    const RunResult result =
        ClusterSimulation(MakeScenario(Model(1, 2, 1, 4), 2, {"output.training=false"})).Run();
    EXPECT_TRUE(result.training.empty());
    EXPECT_TRUE(FindMetric("tokens_per_s").values(result).empty());
}

TEST_F(LlmMetricsTest, BusBandwidthIsThatOfTheLink)
{
    for (const Collective collective : {Collective::ALL_REDUCE,
                                        Collective::ALL_GATHER,
                                        Collective::REDUCE_SCATTER,
                                        Collective::ALL_TO_ALL})
    {
        const std::vector<CollectiveRow> rows = RunCollectives(collective, {100'000'000});
        ASSERT_EQ(rows.size(), 1U);
        const CollectiveRow& row = rows.front();
        EXPECT_EQ(row.group, "all");
        EXPECT_EQ(row.count, 3U);
        EXPECT_EQ(row.bytes, 100'000'000U);
        ASSERT_TRUE(row.GetBusBandwidth()) << row.collective;
        // 10 Gbps are 1.25 GB/s on the wire; headers take some percent of them.
        EXPECT_LT(*row.GetBusBandwidth(), 1.25) << row.collective;
        EXPECT_GT(*row.GetBusBandwidth(), 1.25 * 0.93) << row.collective;
        const double factor = collective == Collective::ALL_REDUCE ? 1.5 : 0.75;
        EXPECT_DOUBLE_EQ(*row.GetBusBandwidth(), *row.GetAlgorithmBandwidth() * factor);
    }
}

TEST_F(LlmMetricsTest, CollectivesNameTheAlgorithmThatTheyTook)
{
    std::map<uint64_t, std::string> names;
    for (const CollectiveRow& row : RunCollectives(Collective::ALL_REDUCE,
                                                   {10'000, 1'000'000, 100'000'000},
                                                   "tree<64KB,hierarchical<16MB,ring",
                                                   2))
    {
        EXPECT_EQ(row.count, 3U);
        names[row.bytes] = row.algorithm;
    }
    const std::map<uint64_t, std::string> expected = {{10'000, "tree"},
                                                      {1'000'000, "hierarchical"},
                                                      {100'000'000, "ring"}};
    EXPECT_EQ(names, expected);
}
