// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-run.h"

#include "ns3/ddl-summary.h"
#include "ns3/ddl-version.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::ddl;

using Json = nlohmann::ordered_json;

namespace
{

const RunIdentity IDENTITY{"sample", 7, 0.25, 1, R"({"name": "sample", "seed": 7})"};

Json
Summarise(const RunResult& run)
{
    return Json::parse(FormatSummary(IDENTITY, run));
}

} // namespace

TEST(Summary, SaysWhatWasRun)
{
    const Json summary = Summarise(MakeSampleRun());
    EXPECT_EQ(summary["name"], "sample");
    EXPECT_EQ(summary["seed"], 7);
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["reason"], "");
    EXPECT_EQ(summary["scale"].dump(), R"({"model":0.25,"iterations":1})");
    EXPECT_EQ(summary["versions"]["ddl"], GetVersion());
    EXPECT_EQ(summary["versions"]["ns-3"], GetNs3Version());
    EXPECT_EQ(summary["scenario"].dump(), R"({"name":"sample","seed":7})");
    EXPECT_EQ(summary["unfinished"].dump(), "[]");
    EXPECT_EQ(summary["failures"].dump(), "[]");
    EXPECT_EQ(summary["warnings"].dump(), "[]");
    EXPECT_EQ(summary["end_s"], 6);
}

TEST(Summary, DescribesEachMetric)
{
    const Json metrics = Summarise(MakeSampleRun())["metrics"];
    // SCTs of 3 s and 5 s: the q-th percentile is 3 + 2 q / 100.
    EXPECT_EQ(metrics["sct_s"].dump(),
              R"({"mean":4,"p50":4,"p90":4.8,"p95":4.9,"p99":4.98,"count":2})");
    // JCTs of 5 s and 2 ns, nine significant digits.
    EXPECT_EQ(metrics["jct_s"]["mean"].dump(), "2.5");
    EXPECT_EQ(metrics["jct_s"]["count"], 2);
    EXPECT_EQ(metrics["weighted_jct_s"].dump(), "3.75"); // of weights 3 and 1
    // A cojob from 1 s to 6 s.
    EXPECT_EQ(metrics["cojct_s"]["mean"], 5);
    // Only one stage and one job of two were run alone: 3 s over 2 s, 5 s over 4 s.
    EXPECT_EQ(metrics["stage_slowdown"]["mean"], 1.5);
    EXPECT_EQ(metrics["stage_slowdown"]["count"], 1);
    EXPECT_EQ(metrics["job_slowdown"]["mean"], 1.25);
    EXPECT_EQ(metrics["job_slowdown"]["count"], 1);
    EXPECT_EQ(metrics["comm_s"]["mean"], 1); // 2 s, and none
    EXPECT_EQ(metrics["makespan_s"], 6);
    EXPECT_EQ(metrics["gpu_utilisation"], 0.25);
    EXPECT_TRUE(metrics["gpu_waiting"].is_null()); // nobody says how long they were held
    EXPECT_EQ(metrics["tta90_s"]["mean"], 3);      // submitted at 1 s, there at 4 s
    EXPECT_EQ(metrics["tta90_s"]["count"], 1);
    EXPECT_EQ(metrics["cojob_tta90_s"]["mean"], 3);
}

TEST(Summary, SetsTheBoundBesideTheSum)
{
    RunResult run = MakeSampleRun();
    EXPECT_EQ(Summarise(run)["certificate"].dump(),
              R"({"sct_s":null,"bound_s":null,"sct_over_bound":null,"reason":"not watched"})");
    run.certificate = {26, 20, ""};
    EXPECT_EQ(Summarise(run)["certificate"].dump(),
              R"({"sct_s":26,"bound_s":20,"sct_over_bound":1.3,"reason":""})");
}

TEST(Summary, AMetricOfNothingHasACountOnly)
{
    const Json metrics = Summarise(RunResult())["metrics"];
    for (const char* name : {"sct_s", "jct_s", "cojct_s", "stage_slowdown", "job_slowdown"})
    {
        EXPECT_EQ(metrics[name].dump(), R"({"count":0})") << name;
    }
}

TEST(Summary, CountsWhatTheNetworkAndTheControllersDid)
{
    RunResult run = MakeSampleRun();
    run.network.emplace();
    run.network->packetHops = 18446744073709551615U;
    run.network->drops.Add(DropReason::QUEUE_FULL, 1500);
    run.network->drops.Add(DropReason::QUEUE_FULL, 82);
    run.network->drops.Add(DropReason::TTL, 40);
    run.network->marks = 2;
    run.network->pauses = 9;
    run.network->streams = {3, 4, 5, 6};
    run.controlMessages = 7;
    run.controlBytes = 8;
    run.mostPriorities = 9;
    const Json summary = Summarise(run);
    EXPECT_EQ(summary["network"].dump(),
              R"({"data_packets":3,"packet_hops":18446744073709551615,"drops":3,)"
              R"("dropped_bytes":1622,"marks":2,"retransmissions":4,"timeouts":5,"reordered":6,)"
              R"("pauses":9,"drops_by_reason":{"queue_full":2,"no_headroom":0,"link_down":0,)"
              R"("lost_on_wire":0,"no_route":0,"ttl":1,"refused":0,"misrouted":0}})");
    EXPECT_EQ(summary["unaccounted"].dump(), "[]");
    EXPECT_EQ(summary["control"].dump(),
              R"({"messages":7,"bytes":8,"most_ranks":9,"scheduler_runs":1})");
}

TEST(Summary, WithoutPacketsCountsAreUnknownNotZero)
{
    RunResult run = MakeSampleRun();
    run.network.reset();
    EXPECT_EQ(Summarise(run)["network"].dump(),
              R"({"data_packets":null,"packet_hops":null,"drops":null,)"
              R"("dropped_bytes":null,"marks":null,"retransmissions":null,"timeouts":null,)"
              R"("reordered":null,"pauses":null,"drops_by_reason":null})");
    EXPECT_TRUE(Json::parse(FormatCost(run))["packet_hops_per_cpu_s"].is_null());
}

TEST(Summary, NamesDevicesThatLostPackets)
{
    RunResult run = MakeSampleRun();
    run.imbalances = {{"switch0", "received 2 packets, sent 1 packets"}};
    EXPECT_EQ(Summarise(run)["unaccounted"].dump(),
              R"([{"device":"switch0","what":"received 2 packets, sent 1 packets"}])");
}

TEST(Summary, ListsWhatWasLeftOver)
{
    RunResult run = MakeSampleRun();
    run.status = RunResult::Status::UNFINISHED;
    run.reason = "the simulated time was up (stop.time)";
    run.unfinished = {{"job 5", "waiting for GPUs"}, {"job 6", "stage 1, iteration 2 of 3"}};
    run.failures = {{"alone runs", "an alone run failed"}};
    run.warnings = {"this is odd"};
    const Json summary = Summarise(run);
    EXPECT_EQ(summary["status"], "unfinished");
    EXPECT_EQ(summary["warnings"].dump(), R"(["this is odd"])");
    EXPECT_EQ(summary["reason"], "the simulated time was up (stop.time)");
    EXPECT_EQ(summary["unfinished"].dump(),
              R"([{"what":"job 5","state":"waiting for GPUs"},)"
              R"({"what":"job 6","state":"stage 1, iteration 2 of 3"}])");
    EXPECT_EQ(summary["failures"].dump(),
              R"([{"what":"alone runs","state":"an alone run failed"}])");
    run.status = RunResult::Status::INTERRUPTED;
    EXPECT_EQ(Summarise(run)["status"], "interrupted");
}

TEST(Summary, ThePriceOfARunDoesNotChangeIt)
{
    RunResult dear = MakeSampleRun();
    dear.events = 123;
    dear.cpuSeconds = 4.5;
    dear.wallSeconds = 6.7;
    dear.peakBytes = 890;
    EXPECT_EQ(FormatSummary(IDENTITY, dear), FormatSummary(IDENTITY, MakeSampleRun()));
}

TEST(Summary, TextThatIsNotUtf8IsNoReasonToFail)
{
    RunResult run;
    run.unfinished = {{"job \xff", "?"}};
    EXPECT_EQ(Summarise(run)["unfinished"][0]["what"], "job \xef\xbf\xbd");
}

TEST(Cost, IsThePriceOfTheRun)
{
    RunResult run = MakeSampleRun(); // 6 s simulated
    run.events = 1000;
    run.cpuSeconds = 2;
    run.wallSeconds = 3;
    run.peakBytes = 50000000;
    run.network.emplace();
    run.network->packetHops = 500;
    run.policies = {{"network", 0.0015}};
    EXPECT_EQ(Json::parse(FormatCost(run)).dump(),
              R"({"events":1000,"cpu_s":2,"wall_s":3,"peak_mb":50,"simulated_s_per_wall_s":2,)"
              R"("packet_hops_per_cpu_s":250,"policies":{"network_us":1500}})");
}

TEST(Cost, NoTimeAtAllIsNoReasonToFail)
{
    RunResult run;
    EXPECT_TRUE(Json::parse(FormatCost(run))["packet_hops_per_cpu_s"].is_null()) << "no packets";
    run.network.emplace();
    EXPECT_EQ(Json::parse(FormatCost(run))["packet_hops_per_cpu_s"], 0);
}
