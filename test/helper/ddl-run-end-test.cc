// SPDX-License-Identifier: GPL-2.0-only
// How runs end that do not end well: in time, in a stall, by the user.
#include "ddl-full-disk.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-placement-policy.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::ddl;

using RunEnd = SimulationFixture;

namespace
{

using Status = RunResult::Status;

/** A ring over four hosts: nobody gets on when one of them is cut off. */
constexpr const char* RING = R"("jobs": [{"model": {"bytes": "1MB"}, "workers": 4,
    "iterations": 10, "placement": {"workers": [[0, 0], [1, 0], [2, 0], [3, 0]]}}])";
constexpr const char* CUT =
    R"(cluster.links=[{"at": "1ms", "between": ["h1", "switch0"], "up": false}])";
constexpr const char* CUT_AND_MENDED =
    R"(cluster.links=[{"at": "1ms", "between": ["h1", "switch0"], "up": false},)"
    R"({"at": "5s", "between": ["h1", "switch0"], "up": true}])";

std::vector<std::string>
WithSetting(std::vector<std::string> settings, const std::string& more)
{
    settings.push_back(more);
    return settings;
}

std::string
Ring(const std::string& more = "")
{
    return "{" + std::string(RING) + more + "}";
}

/** `patient`: declines all GPUs for a second, and then takes what first-fit does. */
class PatientPlacement : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PatientPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .AddConstructor<PatientPlacement>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "declines for a second";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.looksAtJobs = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        return view.job.waited < Seconds(1)
                   ? PlacementAnswer::WaitUntil(view.job.submit + Seconds(1))
                   : CreatePolicy<PlacementPolicy>("first-fit")->Place(view);
    }
};

} // namespace

TEST_F(RunEnd, WhoDeclinesUntilADateDoesNotStall)
{
    PatientPlacement::GetTypeId();
    const std::string job = R"({"jobs": [)" + ComputeJob(10, R"("iterations": 1)") + "]}";
    const RunResult result =
        Run(OnSwitch(1, 1, job),
            {"scheduler.placement=patient", "stop.stall=100ms", "output.waits=true"});
    EXPECT_EQ(result.status, Status::DONE) << result.reason;
    ASSERT_EQ(result.runs.size(), 1U);
    EXPECT_EQ(result.runs[0].start, Seconds(1));
    ASSERT_EQ(result.waits.size(), 1U);
    EXPECT_EQ(result.waits[0].reason, "declined");
    EXPECT_EQ(result.waits[0].until, Seconds(1));
    EXPECT_EQ(result.waits[0].job, JobId{1});
    const RunResult cut =
        Run(OnSwitch(1, 1, job), {"scheduler.placement=patient", "stop.time=1ms"});
    ASSERT_EQ(cut.unfinished.size(), 1U);
    EXPECT_EQ(cut.unfinished[0].state, "waiting for GPUs: declined until 1 s");
}

/** Two workers of one machine exchange halves of 200 MB at 1 Mbps: 800 s a message. */
TEST_F(RunEnd, AMessageWithinAMachineThatTakesLongIsNoStall)
{
    const std::string job = R"({"jobs": [{"model": {"bytes": "200MB"}, "workers": 2,
        "iterations": 1, "pattern": "ring"}]})";
    for (const std::string kind : {"fluid", "rdma", "tcp"})
    {
        const RunResult result =
            Run(OnSwitch(1, 2, job),
                {"transport.kind=" + kind, "transport.localRate=1Mbps", "stop.stall=10s"});
        EXPECT_EQ(result.status, Status::DONE) << kind << ": " << result.reason;
        EXPECT_GT(result.end, Seconds(1600)); // 2 steps
    }
}

TEST_F(RunEnd, StopsWhenTheTimeIsUp)
{
    const RunResult result =
        Run(OnSwitch(1,
                     1,
                     R"({"jobs": [)" + ComputeJob(10, R"("iterations": 1)") + "," +
                         ComputeJob(10, R"("iterations": 3)") + "," +
                         ComputeJob(10, R"("iterations": 1)") + "," +
                         ComputeJob(10, R"("iterations": 1, "submit": "1s")") + "]}"),
            {"stop.time=25ms"});
    EXPECT_EQ(result.status, Status::UNFINISHED);
    EXPECT_EQ(result.reason, "the simulated time was up (stop.time)");
    EXPECT_EQ(result.end, MilliSeconds(25));
    ASSERT_EQ(result.jobs.size(), 1U);
    // 10-25 ms of job 2: one iteration is done, the second under way.
    ASSERT_EQ(result.unfinished.size(), 3U);
    EXPECT_EQ(result.unfinished[0].what, "job 2");
    EXPECT_EQ(result.unfinished[0].state, "stage 1, iteration 2 of 3");
    EXPECT_EQ(result.unfinished[1].state, "waiting for GPUs: no GPUs (needs 1, 0 free)");
    EXPECT_EQ(result.unfinished[2].state, "not arrived yet");
    EXPECT_DOUBLE_EQ(result.gpuUtilisation, 1); // 25 ms of 25 ms, work left over included
}

TEST_F(RunEnd, ATimeThatSufficesChangesNothing)
{
    const RunResult result =
        Run(OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(10, R"("iterations": 1)") + "]}"),
            {"stop.time=25ms"});
    EXPECT_EQ(result.status, Status::DONE);
    EXPECT_EQ(result.reason, "");
    EXPECT_EQ(result.end, MilliSeconds(10));
}

TEST_F(RunEnd, AStallIsNoticed)
{
    // It looks every 2 s: at 2 s the link's fall at 1 ms is still within its time, at 4 s it is
    // not. Grouper's polls go on all the while; they are no progress.
    const RunResult result = Run(OnSwitch(4, 1, Ring()),
                                 {CUT,
                                  "stop.stall=2s",
                                  "scheduler.control=in-band",
                                  "scheduler.network=grouper",
                                  "scheduler.period=100ms",
                                  "scheduler.coordinator=2"});
    EXPECT_EQ(result.status, Status::UNFINISHED);
    EXPECT_EQ(result.reason, "no job moved for 2s (stop.stall)");
    EXPECT_EQ(result.end, Seconds(4));
    EXPECT_GT(result.schedule.size(), 30U);
    ASSERT_EQ(result.unfinished.size(), 1U);
    EXPECT_EQ(result.unfinished[0].what, "job 1");
}

TEST_F(RunEnd, JobsThatHoldWhatOthersNeedStall)
{
    // Job 1 has three of four GPUs for 1 s; job 2 takes the fourth, and the shorter job 3, which
    // is before it, the three at 1 s.
    const auto job = [](uint32_t workers, const std::string& submit, uint32_t iterations) {
        return R"({"model": {"name": "m", "bytes": "1B", "forward": "1s"}, "workers": )" +
               std::to_string(workers) + R"(, "submit": ")" + submit + R"(", "iterations": )" +
               std::to_string(iterations) + "}";
    };
    const std::string text = OnSwitch(1,
                                      4,
                                      R"({"jobs": [)" + job(3, "0s", 1) + ", " +
                                          job(4, "100ms", 3) + ", " + job(4, "200ms", 2) + "]}");
    const Settings settings = {"scheduler.jobs=srtf", "stop.stall=10s"};
    const RunResult all =
        Run(text, WithSetting(settings, R"(scheduler.placement={"type": "least-allocated"})"));
    EXPECT_EQ(all.status, Status::DONE);
    const RunResult parts =
        Run(text,
            WithSetting(settings,
                        R"(scheduler.placement={"type": "least-allocated", "HoldPartial": true})"));
    EXPECT_EQ(parts.status, Status::UNFINISHED);
    EXPECT_EQ(parts.reason, "no job moved for 10s (stop.stall)");
    EXPECT_EQ(parts.jobs.size(), 1U);
    ASSERT_EQ(parts.unfinished.size(), 2U);
    EXPECT_EQ(parts.unfinished[0].state, "waiting for GPUs: holds 1 of 4 GPUs (needs 3, 0 free)");
    EXPECT_EQ(parts.unfinished[1].state, "waiting for GPUs: holds 3 of 4 GPUs (needs 1, 0 free)");
}

TEST_F(RunEnd, BackgroundTrafficDoesNotHideAStall)
{
    const RunResult result = Run(
        OnSwitch(4, 1, Ring(R"(, "background": [{"source": 2, "destination": 3, "kind": "elastic",
                         "bytes": "1MB"}, {"source": 3, "destination": 2, "rate": "1Mbps"}])")),
        {CUT, "stop.stall=100ms", "cluster.topology.hostRate=100Mbps"});
    EXPECT_EQ(result.status, Status::UNFINISHED);
    EXPECT_EQ(result.end, MilliSeconds(200));
}

TEST_F(RunEnd, WhatIsPlannedIsWaitedFor)
{
    const RunResult mended = Run(OnSwitch(4, 1, Ring()), {CUT_AND_MENDED, "stop.stall=1s"});
    EXPECT_EQ(mended.status, Status::DONE);
    EXPECT_GT(mended.end, Seconds(5));
    const RunResult late = Run(
        OnSwitch(1,
                 1,
                 R"({"jobs": [)" + ComputeJob(10, R"("iterations": 1, "submit": "10s")") + "]}"),
        {"stop.stall=1s"});
    EXPECT_EQ(late.status, Status::DONE);
    EXPECT_EQ(late.end, MilliSeconds(10010));
}

TEST_F(RunEnd, LongComputingIsNoStall)
{
    const RunResult result =
        Run(OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(5000, R"("iterations": 1)") + "]}"),
            {"stop.stall=1s"});
    EXPECT_EQ(result.status, Status::DONE);
}

TEST_F(RunEnd, WhatSwitchingAndInputTakeIsNoStall)
{
    // Each takes 5 s, in which no GPU works and no message of a job is under way.
    const std::string text =
        OnSwitch(3, 1, R"({"jobs": [)" + ComputeJob(10, R"("iterations": 2, "count": 4)") + "]}");
    const Settings patience = {"stop.stall=1s",
                               "stop.time=200s",
                               "scheduler.control=in-band",
                               "transport.kind=fluid"};
    for (const Settings& more : std::vector<Settings>{
             {"scheduler.switch.launch=5s"},
             {"scheduler.switch.finish=5s"},
             {"scheduler.switch.save=5s", "scheduler.switch.checkpointEvery=1"},
             {"scheduler.switch.models=[{\"model\": \"m\", \"launchPerGpu\": \"5s\"}]"},
             {"scheduler.switch.storage={\"host\": 2, \"ratio\": 1000}",
              "scheduler.switch.checkpointEvery=1",
              "workload.jobs.0.model.bytes=6250kB"}, // 5 s at 10 Gbps
             {"scheduler.reports=5s"},
             {"workload.jobs.0.model.input=5s"},
             {"cluster.failures=[{\"server\": 1, \"at\": \"1ms\"}, {\"server\": 2, \"at\": "
              "\"1ms\"}]",
              "scheduler.coordinator=0",
              "scheduler.detection=5s"}})
    {
        SCOPED_TRACE(more[0]);
        Settings all = patience;
        all.insert(all.end(), more.begin(), more.end());
        const RunResult result = Run(text, all);
        EXPECT_EQ(result.status, Status::DONE) << result.reason;
        EXPECT_GT(result.end, Seconds(5));
    }
}

TEST_F(RunEnd, ATrafficThatIsCutOffComesBack)
{
    // The link is away for 5 s of a run of some 20 ms; nothing is lost for good.
    const RunResult result = Run(OnSwitch(4, 1, Ring()), {CUT_AND_MENDED});
    EXPECT_EQ(result.status, Status::DONE);
    EXPECT_GT(result.network->drops.Get(DropReason::LINK_DOWN).packets, 0U);
    EXPECT_TRUE(result.imbalances.empty());
    EXPECT_GT(result.network->streams.retransmissions, 0U);
    EXPECT_EQ(RowOf(result, 1).iterations, 10U);
}

TEST_F(RunEnd, TheUserMayInterrupt)
{
    const std::string text =
        OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(10, R"("iterations": 5)") + "]}");
    {
        ClusterSimulation simulation(ReadText(text));
        Simulator::Schedule(MilliSeconds(15), &ClusterSimulation::Interrupt);
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.status, Status::INTERRUPTED);
        EXPECT_EQ(result.end, MilliSeconds(15));
        ASSERT_EQ(result.unfinished.size(), 1U);
        EXPECT_EQ(result.unfinished[0].state, "stage 1, iteration 2 of 5");
    }
    {
        ClusterSimulation simulation(ReadText(text));
        ClusterSimulation::Interrupt(); // before it runs
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.status, Status::INTERRUPTED);
        EXPECT_EQ(result.end, Time(0));
    }
    EXPECT_EQ(Run(text).status, Status::DONE); // the next one is not interrupted
}

TEST_F(RunEnd, ADiskThatIsFullEndsARunSoon)
{
    // 100000 iterations of 10 ms: about 6 MB of iterations.csv
    ClusterSimulation simulation(
        ReadText(OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(10, R"("iterations": 100000)") + "]}"),
                 {"output.iterations=true"}));
    simulation.EnableRows(m_folder.string());
    RunResult result;
    {
        const FullDisk full(100000);
        result = simulation.Run();
    }
    EXPECT_EQ(result.status, Status::UNFINISHED);
    EXPECT_EQ(result.reason, "its rows could not be written");
    EXPECT_LT(result.end, Seconds(100));
    EXPECT_EQ(result.unfinished.size(), 1U);
    ASSERT_EQ(result.failures.size(), 1U);
    EXPECT_EQ(result.failures[0].what, "rows");
    EXPECT_EQ(result.failures[0].state,
              "cannot write \"" + (m_folder / "iterations.csv").string() + "\": File too large");
}
