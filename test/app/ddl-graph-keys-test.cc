// SPDX-License-Identifier: GPL-2.0-only
// Task graphs in scenarios: jobs, generators and traces that name their files.
#include "app/json/ddl-json-policy.h"
#include "app/run/ddl-run-identity.h"
#include "app/sampling/ddl-forecast.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-graph-format.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-task-graph.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Rank 0 computes for 1 ms and sends 1 MB, rank 1 receives and computes for 500 us. */
constexpr const char* TWO_RANKS = "num_ranks 2\n"
                                  "rank 0 {\n"
                                  "a: calc 1000000\n"
                                  "b: send 1000000b to 1\n"
                                  "b requires a\n"
                                  "}\n"
                                  "rank 1 {\n"
                                  "a: recv 1000000b from 0\n"
                                  "b: calc 500000\n"
                                  "b requires a\n"
                                  "}\n";

class GraphKeysTest : public SimulationFixture
{
  protected:
    void SetUp() override
    {
        SimulationFixture::SetUp();
        Write("two.goal", TWO_RANKS);
    }

    /** \return a workload of one job. \param more its keys besides "iterations" */
    static std::string OneJob(const std::string& more)
    {
        return R"({"jobs": [{"iterations": 3, )" + more + "}]}";
    }

    static std::string GetKind(const JobSpec& job)
    {
        return GetShortName(TrainingJob::GetTypeId(), job.kind.GetTypeId());
    }

    JobSpec ReadJob(const std::string& more)
    {
        return ReadText(WithWorkload(OneJob(more))).workload.groups.at(0).jobs.at(0);
    }
};

} // namespace

TEST_F(GraphKeysTest, AFileIsEnough)
{
    for (const char* graph : {R"("graph": "two.goal")",
                              R"("graph": ["two.goal"])",
                              R"("graph": {"files": "two.goal"})",
                              R"("graph": {"format": "goal", "files": ["two.goal"]})"})
    {
        const JobSpec job = ReadJob(graph);
        ASSERT_TRUE(job.graph) << graph;
        EXPECT_EQ(job.workers, 2U);
        EXPECT_EQ(GetKind(job), "graph");
        EXPECT_EQ(job.model.name, "two");
        EXPECT_EQ(job.model.bytes, 1000000U); // rank 0 sends them
        EXPECT_EQ(job.graphSource->files, std::vector<std::string>{"two.goal"});
    }
}

TEST_F(GraphKeysTest, APrefixStandsForAllRanks)
{
    // Global metadata of version 1.0.0, and node 1, "a", which computes for 100 us.
    const std::string rank("\x07\x0a\x05"
                           "1.0.0"
                           "\x09\x08\x01\x12\x01"
                           "a"
                           "\x18\x04\x38\x64");
    Write("mine.0.et", rank);
    Write("mine.1.et", rank);
    for (const char* graph :
         {R"("graph": "mine")", R"("graph": {"format": "chakra", "files": ["mine"]})"})
    {
        const JobSpec job = ReadJob(graph);
        ASSERT_TRUE(job.graph) << graph;
        EXPECT_EQ(job.workers, 2U);
        EXPECT_EQ(job.graph->ranks[1].program->nodes.at(0).amount, 100000U);
        EXPECT_EQ(GetShortName(GraphFormat::GetTypeId(), job.graphSource->format.GetTypeId()),
                  "chakra");
    }
    Write("mine.1.et", rank.substr(0, rank.size() - 2));
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("graph": "mine")"))).find("mine.1.et"),
              std::string::npos);
}

TEST_F(GraphKeysTest, EqualFilesAreReadOnce)
{
    const Scenario scenario = ReadText(WithWorkload(
        R"({"jobs": [{"iterations": 3, "count": 2, "graph": "two.goal"},
            {"iterations": 1, "graph": {"files": "two.goal", "Names": true}},
            {"iterations": 1, "graph": {"files": "two.goal", "Compute": "cpu"}}]})"));
    const auto graphOf = [&](std::size_t group) {
        return scenario.workload.groups.at(group).jobs.at(0).graph;
    };
    EXPECT_EQ(graphOf(0), graphOf(1));
    EXPECT_NE(graphOf(0), graphOf(3)); // read in another way
    const std::weak_ptr<const TaskGraph> first = graphOf(0);
    Write("two.goal", std::string(TWO_RANKS) + "// changed\n");
    EXPECT_NE(ReadJob(R"("graph": "two.goal")").graph, first.lock());
}

TEST_F(GraphKeysTest, WhatIsWrittenReadsTheSame)
{
    const Scenario scenario = ReadText(WithWorkload(
        OneJob(R"("graph": {"format": "goal", "files": "two.goal", "Names": false})")));
    const std::string text = FormatScenario(scenario);
    const Scenario again = ReadText(text);
    EXPECT_EQ(FormatScenario(again), text);
    EXPECT_EQ(again.workload.groups.at(0).jobs.at(0).graphSource->hash,
              scenario.workload.groups.at(0).jobs.at(0).graphSource->hash);
    EXPECT_NE(text.find("\"format\": \"goal\""), std::string::npos);
    const std::string before = IdentifyRun(scenario).program;
    Write("two.goal", std::string(TWO_RANKS) + "// changed\n");
    EXPECT_NE(IdentifyRun(ReadText(text)).program, before); // another content is another run
}

TEST_F(GraphKeysTest, PathsStartFromTheFileThatHasThem)
{
    std::filesystem::create_directory(m_folder / "inner");
    Write("inner/mine.goal", TWO_RANKS);
    Write("inner/base.json", WithWorkload(OneJob(R"("graph": "mine.goal")")));
    const Scenario scenario = ReadText(R"({"name": "x", "extends": "inner/base.json"})");
    EXPECT_TRUE(scenario.workload.groups.at(0).jobs.at(0).graph);
}

TEST_F(GraphKeysTest, ErrorsNameKeyFileAndNode)
{
    EXPECT_EQ(Complaints(WithWorkload(OneJob(R"("graph": "none.goal")"))),
              "s.json:3: /workload/jobs/0/graph: there is no file \"none.goal\", and no "
              "\"none.goal.0.et\" (beside the file that names it, for --set in the current folder, "
              "or in traces/)");
    std::string wrong = TWO_RANKS;
    wrong.replace(wrong.find("recv 1000000b"), 13, "recv 7b");
    Write("wrong.goal", wrong);
    const std::string said = Complaints(WithWorkload(
        R"({"jobs": [{"iterations": 3, "graph": "wrong.goal"},
            {"iterations": 3, "graph": {"format": "gaol", "files": "two.goal"}},
            {"iterations": 3, "graph": {"files": "two.goal", "Layuot": "rank"}},
            {"iterations": 3, "workers": 3, "graph": {"format": "goal"}},
            {"iterations": 3, "graph": 7}]})"));
    EXPECT_NE(said.find("s.json:3: /workload/jobs/0/graph: wrong.goal: rank 0, node 1 \"b\": sends "
                        "1000000 B to rank 1 with tag 0, where rank 1, node 0 \"a\" receives 7 B"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("/workload/jobs/1/graph: "), std::string::npos) << said;
    EXPECT_NE(said.find("/workload/jobs/2/graph/Layuot: "), std::string::npos) << said;
    EXPECT_NE(said.find("/workload/jobs/3/graph/files: is missing"), std::string::npos) << said;
    EXPECT_NE(said.find("/workload/jobs/4/graph: must be"), std::string::npos) << said;
}

TEST_F(GraphKeysTest, TruncatedAndCyclicFilesAreRefused)
{
    const std::string whole = TWO_RANKS;
    Write("cut.goal", whole.substr(0, whole.find("rank 1")));
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("graph": "cut.goal")")))
                  .find("/workload/jobs/0/graph: cut.goal"),
              std::string::npos);
    Write("cycle.goal",
          "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n");
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("graph": "cycle.goal")"))).find("cycle"),
              std::string::npos);
}

TEST_F(GraphKeysTest, WhatDoesNotFitIsRefused)
{
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("workers": 3, "graph": "two.goal")")))
                  .find("has 3 workers, and its task graph has 2 ranks"),
              std::string::npos);
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("kind": "llm", "graph": "two.goal")")))
                  .find("/workload/jobs/0/graph: stands beside another \"kind\""),
              std::string::npos);
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("kind": "graph", "model": {"bytes": "1MB"})")))
                  .find("has no task graph"),
              std::string::npos);
    EXPECT_NE(Complaints(WithWorkload(OneJob(R"("workers": 2)")))
                  .find("/workload/jobs/0/model: is missing"),
              std::string::npos);
}

TEST_F(GraphKeysTest, LanguageModelsKnowTheirWorkers)
{
    const JobSpec job = ReadJob(R"("model": {"name": "tiny", "bytes": "2MB"},
                                   "kind": {"type": "llm", "Tensor": 2, "Data": 4})");
    EXPECT_EQ(job.workers, 8U);
}

TEST_F(GraphKeysTest, JobsRun)
{
    const std::string text = WithWorkload(
        R"({"jobs": [{"iterations": 3, "graph": "two.goal"}]})",
        R"(, "transport": {"kind": "fluid"}, "output": {"alone": false, "training": true})");
    const RunResult result = Run(text);
    ASSERT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    EXPECT_EQ(RowOf(result, 1).bytes, 3U * 1000000);
    EXPECT_EQ(RowOf(result, 1).iterations, 3U);
    ASSERT_EQ(result.training.size(), 1U);
    EXPECT_EQ(result.training.front().compute, MicroSeconds(750)); // mean of both ranks
    EXPECT_FALSE(result.training.front().tokens);
    const RunResult half = Run(text, {"scale.model=0.5"});
    EXPECT_EQ(RowOf(half, 1).bytes, 3U * 500000);
}

TEST_F(GraphKeysTest, SettingsReachTheGraph)
{
    Write("other.goal", TWO_RANKS);
    const std::string text = WithWorkload(OneJob(R"("graph": {"files": "two.goal"})"));
    const auto filesOf = [&](const Settings& settings) {
        return ReadText(text, settings).workload.groups.at(0).jobs.at(0).graphSource->files.at(0);
    };
    const std::string other = (m_folder / "other.goal").string();
    EXPECT_EQ(filesOf({"workload.jobs.0.graph.files=" + other}), other);
    EXPECT_EQ(filesOf({"workload.jobs.0.graph=" + other}), other);
    const std::string alone = WithWorkload(OneJob(R"("graph": "two.goal")"));
    const auto sourceOf = [&](const std::string& setting) {
        return *ReadText(alone, {setting}).workload.groups.at(0).jobs.at(0).graphSource;
    };
    const GraphSource cpu = sourceOf("workload.jobs.0.graph.Compute=cpu");
    EXPECT_EQ(cpu.files, std::vector<std::string>{"two.goal"});
    const auto attributes = AttributesOf(cpu.format);
    EXPECT_EQ(std::count(attributes.begin(),
                         attributes.end(),
                         std::pair<std::string, Json>("Compute", "cpu")),
              1);
    EXPECT_EQ(sourceOf("workload.jobs.0.graph.files=" + other).files.at(0), other);
    EXPECT_EQ(Complaints(WithWorkload(OneJob(R"("graph": [[]])"))),
              "s.json:3: /workload/jobs/0/graph/0: must be a string, is a list");
}

TEST_F(GraphKeysTest, TheForecastStatesMemory)
{
    const Scenario scenario =
        ReadText(WithWorkload(R"({"jobs": [{"iterations": 3, "count": 5, "graph": "two.goal"}]})"));
    const WorkloadSample work(scenario);
    const Forecast forecast = MakeForecast(work);
    EXPECT_EQ(forecast.graphs, 1U);
    EXPECT_EQ(forecast.graphRanks, 2U);
    EXPECT_EQ(forecast.graphNodes, 4U);
    EXPECT_GT(forecast.graphBytes, 4U * sizeof(GraphNode));
    std::ostringstream text;
    PrintForecast(text, scenario, forecast, {});
    EXPECT_NE(text.str().find("graphs:   1 task graphs, 2 ranks, 4 nodes: "), std::string::npos)
        << text.str();
}

TEST_F(GraphKeysTest, GeneratorsMayNameGraphs)
{
    const std::string text = WithWorkload(
        R"({"generator": {"kind": "jobs", "jobs": 6, "iterations": 2, "models": [
            {"name": "mine", "bytes": "1MB", "graph": "two.goal"},
            {"name": "tiny", "bytes": "2MB", "kind": {"type": "llm", "Data": 4}},
            {"name": "old", "bytes": "1MB", "forward": "1ms"}], "servers": 0, "workers": 3}})",
        R"(, "transport": {"kind": "fluid"}, "output": {"alone": false})");
    const RunResult result = Run(text);
    ASSERT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    ASSERT_EQ(result.jobs.size(), 6U);
    for (const JobRow& row : result.jobs)
    {
        EXPECT_EQ(row.workers, row.model == "mine" ? 2U : row.model == "tiny" ? 4U : 3U);
        if (row.model == "mine")
        {
            EXPECT_EQ(row.bytes, 2U * 1000000);
        }
    }
    const Scenario scenario = ReadText(text);
    const std::string written = FormatScenario(scenario);
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
    EXPECT_NE(Complaints(WithWorkload(
                             R"({"generator": {"kind": "jobs", "jobs": 6, "models": [
                      {"name": "mine", "bytes": "1MB", "graph": "two.goal", "sizes": [[3, 1]]}],
                      "servers": 0}})"))
                  .find("has other workers than its jobs need, 2"),
              std::string::npos);
}

TEST_F(GraphKeysTest, TracesNameGraphs)
{
    Write("jobs.csv",
          "job_id,num_gpu,submit_time,iterations,duration,model_name,graph\n"
          "1,2,0,3,,vgg16,mine\n"
          "2,4,0.1,2,,tiny,\n"
          "3,8,0.2,2,,tiny,\n"
          "4,2,0.3,1,,ResNet-50,\n"
          "5,2,0.4,,1,other,mine\n");
    const std::string graphs = R"([{"name": "mine", "graph": "two.goal"},
        {"name": "tiny", "kind": {"type": "llm", "Data": 4}},
        {"name": "tiny", "kind": {"type": "llm", "Data": 4, "Tensor": 2},
         "model": {"bytes": "7MB"}}])";
    const std::string text =
        WithWorkload(R"({"trace": "jobs.csv", "replay": {"graphs": )" + graphs + "}}",
                     R"(, "transport": {"kind": "fluid"}, "output": {"alone": false})");
    const RunResult result = Run(text);
    ASSERT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    EXPECT_EQ(RowOf(result, 1).bytes, 3U * 1000000);
    EXPECT_EQ(RowOf(result, 1).model, "vgg16");
    EXPECT_EQ(RowOf(result, 2).workers, 4U);
    EXPECT_EQ(RowOf(result, 3).workers, 8U);
    EXPECT_NE(RowOf(result, 3).bytes, RowOf(result, 2).bytes);
    EXPECT_EQ(RowOf(result, 4).model, "ResNet-50");
    // An iteration alone: 1 ms, 1 MB at 10 Gbps, 500 us.
    EXPECT_EQ(RowOf(result, 5).iterations, std::llround(1 / 0.0023));
    const std::string written = FormatScenario(ReadText(text));
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
}

TEST_F(GraphKeysTest, TracesThatDoNotFitAreRefused)
{
    Write("jobs.csv",
          "num_gpu,submit_time,iterations,model_name,graph\n"
          "2,0,3,vgg16,yours\n"
          "3,0,3,mine,\n");
    const std::string trace = R"({"trace": "jobs.csv", "replay": {"graphs": )";
    const std::string said =
        Complaints(WithWorkload(trace + R"([{"name": "mine", "graph": "two.goal"}]}})"));
    EXPECT_NE(said.find("jobs.csv:2: names the task graph \"yours\", which is not one of "
                        "workload.replay.graphs (mine)"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("jobs.csv:3: has 3 GPUs, and the task graph \"mine\" of "
                        "workload.replay.graphs has 2 ranks"),
              std::string::npos)
        << said;
    const std::string wrong =
        Complaints(WithWorkload(trace + R"([{"name": "a"}, {"name": "b", "graph": "none.goal"},
                    {"name": "c", "kind": {"type": "llm", "Tensor": 3}},
                    {"name": "d", "kind": "gang"}]}})"));
    EXPECT_NE(wrong.find("/graphs/0: has neither \"graph\" nor \"kind\""), std::string::npos)
        << wrong;
    EXPECT_NE(wrong.find("/graphs/1/graph: there is no file"), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("/graphs/2: is no such model"), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("/graphs/3/kind: has no task graph"), std::string::npos) << wrong;
}
