// SPDX-License-Identifier: GPL-2.0-only
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-result-tables.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

class TraceReplay : public SimulationFixture
{
};

TEST_F(TraceReplay, AFileBesideTheScenario)
{
    Write("t.csv",
          "job_id,num_gpu,submit_time,iterations,model_name\n"
          "5,1,0.001,2,small\n"
          "6,1,0,3,small\n");
    const auto result = Run(OnSwitch(1, 1, R"({"trace": "t.csv", "replay":
        {"models": [{"name": "m", "bytes": "1MB", "forward": "4ms"}]}})"));
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_EQ(RowOf(result, 6).end, MilliSeconds(12));
    EXPECT_EQ(RowOf(result, 5).start, MilliSeconds(12)); // one GPU
    EXPECT_EQ(RowOf(result, 5).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(result, 5).model, "small");
}

TEST_F(TraceReplay, CoflowsOnPackets)
{
    // Both mappers send 5 MB to machine 2: 10 MB at 10 Gbps are 8 ms, with headers and framing
    // 8 x 1538/1460 = 8.43 ms, and a little for control and connections. No GPU is needed.
    Write("c.txt", "4 2\n1 0 2 0 1 1 2:10\n2 20 1 3 1 3:1\n");
    const std::string text =
        OnSwitch(4, 0, R"({"trace": "c.txt"})").insert(1, R"("output": {"coflows": true}, )");
    const auto result = Run(text);
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_NEAR(RowOf(result, 1).GetJct(), 8.43e-3, 0.4e-3);
    EXPECT_EQ(RowOf(result, 1).bytes, 10000000U);
    EXPECT_EQ(RowOf(result, 1).pattern, "shuffle");
    EXPECT_LT(RowOf(result, 2).GetJct(), 0.2e-3); // it stays in its machine
    const std::string coflows = FindTable("coflows").Format(result);
    EXPECT_NE(coflows.find("\n1,1,1,1,0.000000000,0.008"), std::string::npos) << coflows;
    EXPECT_NE(coflows.find(",10000000,2\n2,2,1,1,0.02"), std::string::npos) << coflows;
}

TEST_F(TraceReplay, ACoflowAloneIsReadBack)
{
    Write("c.txt", "4 1\n1 0 2 0 1 2 2:10 3:0.000003\n");
    const auto written = WriteOutWorkload(ReadText(OnSwitch(4, 0, R"({"trace": "c.txt"})")));
    const std::string once = FormatScenario(written);
    EXPECT_EQ(once, FormatScenario(ReadText(once)));
    EXPECT_NE(once.find("\"shuffle\""), std::string::npos);
}

TEST_F(TraceReplay, AllThatIsWrongIsSaidAtOnce)
{
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "none.csv"})")),
              "s.json:3: /workload/trace: there is no file \"none.csv\" (beside the file that "
              "names it, for --set in the current folder, or in traces/)");
    Write("bad.csv", "num_gpu,submit_time,iterations\n0,0,1\n1,x,1\n");
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "bad.csv"})")),
              "bad.csv:2: num_gpu must be a whole number from 1 to 4096, is \"0\"\n"
              "bad.csv:3: submit_time must be seconds, 0 or more, is \"x\"\n"
              "bad.csv:3: there is nothing behind the first line");
    Write("big.csv", "num_gpu,submit_time,iterations\n17,0,1\n1,0,1\n");
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "big.csv"})")),
              "big.csv:2: needs 17 GPUs at the same time; the cluster has 16 (a larger cluster, or "
              "--set=workload.replay.tooLarge=skip)");
    EXPECT_EQ(ReadText(WithWorkload(R"({"trace": "big.csv", "replay": {"tooLarge": "skip"}})"))
                  .workload.trace->jobs.size(),
              2U);
    Write("wide.txt", "5 1\n1 0 1 0 1 4:1\n");
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "wide.txt"})")),
              "wide.txt:1: 5 ports on a cluster of 4 machines (a larger cluster, or "
              "--set=workload.replay.fold=true: port p is machine p mod 4)");
    Write("odd.txt", "hello\n");
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "odd.txt"})")),
              "odd.txt:1: is the first line of no known trace (say which of acme, alibaba2020, "
              "alibaba2023, coflows, helios, jobs, philly it is)");
    EXPECT_EQ(Complaints(WithWorkload(R"({"trace": "wide.txt", "traceFormat": "jobs"})")),
              "wide.txt:1: has no column \"num_gpu\" (num_gpu are needed)\n"
              "wide.txt:1: there is nothing behind the first line");
}

TEST_F(TraceReplay, AFormatWithAttributesIsWrittenBack)
{
    Write("h.csv",
          "gpu_num,state,submit_time,duration,model\n"
          "1,COMPLETED,2020-09-01 10:00:00,0.04,mine\n"
          "1,FAILED,2020-09-01 09:00:00,1,mine\n");
    const std::string text = OnSwitch(1, 1, R"({"trace": "h.csv",
        "traceFormat": {"type": "helios", "States": "COMPLETED", "Models": "mine=m"},
        "replay": {"models": ["VGG-16", {"name": "m", "bytes": "1MB", "forward": "4ms"}]}})");
    const Scenario scenario = ReadText(text);
    EXPECT_EQ(scenario.workload.trace->jobs.size(), 1U);
    const std::string once = FormatScenario(scenario);
    EXPECT_NE(once.find("\"States\": \"COMPLETED\""), std::string::npos) << once;
    EXPECT_EQ(once, FormatScenario(ReadText(once)));
    const auto result = Run(text);
    EXPECT_EQ(RowOf(result, 2).model, "m"); // of the replay's models the one of that name
    EXPECT_EQ(RowOf(result, 2).start, Time(0));
    EXPECT_EQ(RowOf(result, 2).end, MilliSeconds(40)); // 10 iterations
}
