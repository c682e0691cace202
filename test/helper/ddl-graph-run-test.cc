// SPDX-License-Identifier: GPL-2.0-only
// Jobs of random task graphs in whole runs: suspended, moved, and with servers that fail.
#include "ddl-random-graph.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-graph-plan.h"
#include "ns3/ddl-training-job.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** By transport. */
class GraphRunTest : public SimulationFixture, public testing::WithParamInterface<std::string>
{
  protected:
    /** \return 4 jobs on 8 GPUs, which lose their GPUs often */
    Scenario MakeScenario(uint32_t seed, bool fails)
    {
        std::mt19937 random(seed);
        std::string jobs;
        for (int job = 0; job < 4; ++job)
        {
            jobs += (jobs.empty() ? "" : ", ") +
                    (R"({"model": {"name": "m", "bytes": "1KB", "forward": "1ms"}, "workers": )" +
                     std::to_string(1 + random() % 5) + R"(, "iterations": )" +
                     std::to_string(5 + random() % 40) + R"(, "submit": ")" +
                     std::to_string(random() % 100) + "ms\"}");
        }
        const std::string failures =
            fails ? R"(, "failures": [{"server": 1, "at": "50ms", "for": "40ms"},
                                      {"server": 2, "at": "120ms", "for": "30ms"}])"
                  : "";
        const std::string text = R"({"name": "s", "seed": )" + std::to_string(seed) +
                                 R"(, "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
                "hosts": {"gpus": 2})" +
                                 failures + R"(}, "transport": {"kind": ")" + GetParam() +
                                 R"("}, "scheduler": {"placement": "random",
                "jobs": {"type": "2d-las", "Thresholds": ["20ms", "80ms"]},
                "switch": {"launch": "1ms", "save": "1ms", "checkpointEvery": 7},
                "minRun": "5ms", "lease": "15ms"}, "workload": {"jobs": [)" +
                                 jobs + R"(]}, "output": {"alone": false}})";
        Scenario scenario = ReadText(text);
        for (CojobSpec& group : scenario.workload.groups)
        {
            for (JobSpec& job : group.jobs)
            {
                job.kind.SetTypeId(FindPolicy(TrainingJob::GetTypeId(), "graph"));
                job.graph = std::make_shared<const TaskGraph>(
                    MakeRandomGraph(random(), job.workers, 1'000'000, 50'000, true));
            }
        }
        return scenario;
    }

    /** \return bytes that ranks of a job send in an iteration, wherever they are */
    static uint64_t CountBytes(const JobSpec& job)
    {
        const std::vector<uint32_t> none(job.workers, 0);
        std::vector<uint32_t> apart;
        for (uint32_t rank = 0; rank < job.workers; ++rank)
        {
            apart.push_back(rank);
        }
        return SumGraph(PlanGraph(job.graph, CollectiveRules(), {apart, apart, none})).bytes;
    }
};

} // namespace

TEST_P(GraphRunTest, SuspendedAndMoved)
{
    uint64_t runs = 0;
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        const Scenario scenario = MakeScenario(seed, false);
        ClusterSimulation simulation(scenario);
        const RunResult result = simulation.Run();
        ASSERT_EQ(result.status, RunResult::Status::DONE) << seed << ": " << result.reason;
        EXPECT_TRUE(result.imbalances.empty()) << seed;
        for (const CojobSpec& group : scenario.workload.groups)
        {
            const JobRow row = RowOf(result, group.jobs.front().id.value);
            EXPECT_EQ(row.iterations, group.iterations.front()) << seed;
            EXPECT_EQ(row.bytes, row.iterations * CountBytes(group.jobs.front())) << seed;
            runs += row.runs;
        }
    }
    EXPECT_GT(runs, 50U * 4 + 100); // else nobody was suspended
}

TEST_P(GraphRunTest, ServersFail)
{
    for (uint32_t seed = 101; seed <= 150; ++seed)
    {
        const Scenario scenario = MakeScenario(seed, true);
        ClusterSimulation simulation(scenario);
        const RunResult result = simulation.Run();
        ASSERT_EQ(result.status, RunResult::Status::DONE) << seed << ": " << result.reason;
        EXPECT_TRUE(result.imbalances.empty()) << seed;
        for (const CojobSpec& group : scenario.workload.groups)
        {
            const JobRow row = RowOf(result, group.jobs.front().id.value);
            EXPECT_EQ(row.iterations, group.iterations.front()) << seed;
            EXPECT_GE(row.bytes, row.iterations * CountBytes(group.jobs.front())) << seed;
        }
    }
}

TEST_P(GraphRunTest, LanguageModels)
{
    const auto job = [](const std::string& workers, const std::string& attributes) {
        return R"({"model": {"name": "tiny", "bytes": "2MB"}, "iterations": 3, "workers": )" +
               workers + R"(, "kind": {"type": "llm", )" + attributes + "}}";
    };
    const std::string text = OnSwitch(
        4,
        4,
        "{\"jobs\": [" + job("8", R"("Tensor": 2, "Pipeline": 2, "Data": 2, "GlobalBatch": 8)") +
            ", " + job("4", R"("Tensor": 1, "Data": 4, "Expert": 2, "Experts": 4, "Zero": 3)") +
            "]}");
    const RunResult result = Run(text, {"transport.kind=" + GetParam()});
    EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    ASSERT_EQ(result.jobs.size(), 2U);
    EXPECT_TRUE(result.imbalances.empty());
    EXPECT_EQ(Run(text, {"transport.kind=" + GetParam()}).end, result.end);
    const RunResult half = Run(text, {"transport.kind=" + GetParam(), "scale.model=0.5"});
    EXPECT_NEAR(half.end.GetSeconds() / result.end.GetSeconds(), 0.5, 0.1); // latencies stay
    EXPECT_NEAR(static_cast<double>(RowOf(half, 1).bytes) / RowOf(result, 1).bytes, 0.5, 1e-3);
}

TEST_P(GraphRunTest, WrongLanguageModelsAreRefused)
{
    const std::string text = OnSwitch(
        4,
        4,
        R"({"jobs": [{"model": {"name": "tiny", "bytes": "2MB"}, "iterations": 3, "workers": 6,
            "kind": {"type": "llm", "Tensor": 3}}]})");
    try
    {
        Run(text);
        ADD_FAILURE() << "it ran";
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("Tensor (3) does not divide Heads (8)"),
                  std::string::npos)
            << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(All, GraphRunTest, testing::Values("fluid", "rdma"), [](const auto& info) {
    return info.param;
});
