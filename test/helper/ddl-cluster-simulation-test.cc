// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::ddl;

using ClusterSimulationTest = SimulationFixture;

namespace
{

using Status = RunResult::Status;

/** \return all that a run has to say of time and bytes */
std::string
Describe(const RunResult& result)
{
    return FindTable("stages").Format(result) + FindTable("jobs").Format(result) +
           FindTable("iterations").Format(result) + FindTable("ports").Format(result) +
           FindTable("remarks").Format(result) + FindTable("schedule").Format(result);
}

/** \return packets that left the ports of hosts and switches in data queues */
uint64_t
CountDataPackets(const RunResult& result)
{
    uint64_t packets = 0;
    for (const auto& row : result.ports)
    {
        packets += row.queue > 0 ? row.packets.value_or(0) : 0;
    }
    return packets;
}

} // namespace

TEST_F(ClusterSimulationTest, AJobThatOnlyComputesTakesItsComputeTime)
{
    const RunResult result =
        Run(OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(3, R"("iterations": 4)") + "]}"),
            {"output.iterations=true"});
    EXPECT_EQ(result.status, Status::DONE);
    EXPECT_EQ(result.reason, "");
    const JobRow job = RowOf(result, 1);
    EXPECT_EQ(job.start, Time(0));
    EXPECT_EQ(job.end, MilliSeconds(4 * 3));
    EXPECT_EQ(job.compute, MilliSeconds(12));
    EXPECT_EQ(job.communication, Time(0));
    EXPECT_EQ(job.bytes, 0U);
    EXPECT_EQ(result.makespan, MilliSeconds(12));
    EXPECT_DOUBLE_EQ(result.gpuUtilisation, 1);
    ASSERT_EQ(result.iterations.size(), 4U);
    EXPECT_EQ(result.iterations[2].iteration, 3U);
    EXPECT_EQ(result.iterations[2].start, MilliSeconds(6));
    EXPECT_EQ(result.iterations[2].computeEnd, MilliSeconds(9));
    EXPECT_EQ(result.iterations[2].end, MilliSeconds(9));
    EXPECT_EQ(CountDataPackets(result), 0U);
}

TEST_F(ClusterSimulationTest, APushTakesItsBytesAtTheLinksRate)
{
    // 10 MB in packets of 1460 bytes that take 1538 on the wire, at 10 Gbps: 8.427 ms; 2 ms
    // compute.
    const RunResult result = Run(OnSwitch(2, 1, R"({"jobs": [{"iterations": 1,
        "model": {"bytes": "10MB", "forward": "2ms"}, "workers": 1, "servers": 1,
        "pattern": {"type": "parameter-server", "PullRatio": 0},
        "placement": {"workers": [[0, 0]], "servers": [1]}}]})"));
    const JobRow job = RowOf(result, 1);
    const double wire = 10e6 * 8 / 10e9 * 1538 / 1460;
    EXPECT_NEAR(job.communication.GetSeconds(), wire, wire * 0.01);
    EXPECT_EQ(job.compute, MilliSeconds(2));
    EXPECT_EQ(job.end - job.start, job.compute + job.communication);
    EXPECT_EQ(job.bytes, 10000000U);
    EXPECT_EQ(job.placement.servers, std::vector<GpuId>{OnMachine(HostId{1})});
}

TEST_F(ClusterSimulationTest, WorkersOnOneMachineDoNotUseTheNetwork)
{
    const RunResult result = Run(OnSwitch(2, 4, R"({"jobs": [{"model": {"bytes": "8MB"},
        "workers": 4, "iterations": 2, "pattern": "ring"}]})"));
    EXPECT_EQ(result.status, Status::DONE);
    // A ring of 4: each worker sends 6 x 2 MB an iteration.
    EXPECT_EQ(RowOf(result, 1).bytes, 2U * 4 * 6 * 2000000);
    EXPECT_EQ(CountDataPackets(result), 0U);
    EXPECT_GT(RowOf(result, 1).communication, Time(0));
}

TEST_F(ClusterSimulationTest, JobsWaitForGpusInTheOrderOfTheirArrival)
{
    // One GPU, 10 ms each: 0-10, 10-20, 20-30.
    const RunResult result =
        Run(OnSwitch(1,
                     1,
                     R"({"jobs": [)" + ComputeJob(10, R"("id": 5, "iterations": 1)") + "," +
                         ComputeJob(10, R"("id": 3, "iterations": 1, "submit": "5ms")") + "," +
                         ComputeJob(10, R"("id": 4, "iterations": 1, "submit": "2ms")") + "]}"));
    EXPECT_EQ(RowOf(result, 5).start, Time(0));
    EXPECT_EQ(RowOf(result, 4).start, MilliSeconds(10));
    EXPECT_EQ(RowOf(result, 4).submit, MilliSeconds(2));
    EXPECT_EQ(RowOf(result, 3).start, MilliSeconds(20));
    EXPECT_EQ(RowOf(result, 3).end, MilliSeconds(30));
    EXPECT_NE(
        FindTable("jobs").Format(result).find("\n3,,m,1,0,ring,0.005000000,0.020000000,0.030000000,"
                                              "0.025000000,0.015000000,"),
        std::string::npos)
        << FindTable("jobs").Format(result);
    EXPECT_DOUBLE_EQ(result.gpuUtilisation, 1);
}

TEST_F(ClusterSimulationTest, ACojobWaitsForAllItsGpusAndNobodyOvertakesIt)
{
    // Two GPUs. Job 1 holds one until 10 ms. Cojob 1 comes at 1 ms and needs both: 10-20 ms. Job 9
    // comes at 2 ms, and would fit at once, but the cojob is before it: 20-30 ms.
    const RunResult result =
        Run(OnSwitch(1,
                     2,
                     R"({"jobs": [)" + ComputeJob(10, R"("id": 1, "iterations": 1)") + "," +
                         ComputeJob(10, R"("id": 9, "iterations": 1, "submit": "2ms")") +
                         R"(], "cojobs": [{"id": 1, "submit": "1ms", "stages": [1], "jobs": [)" +
                         ComputeJob(10, R"("count": 2)") + "]}]}"));
    ASSERT_EQ(result.stages.size(), 1U);
    EXPECT_EQ(result.stages[0].cojob, CojobId{1});
    EXPECT_EQ(result.stages[0].jobs, 2U);
    EXPECT_EQ(result.stages[0].release, MilliSeconds(1));
    EXPECT_EQ(result.stages[0].start, MilliSeconds(10));
    EXPECT_EQ(result.stages[0].end, MilliSeconds(20));
    EXPECT_DOUBLE_EQ(result.stages[0].GetSct(), 0.019);
    EXPECT_EQ(RowOf(result, 9).start, MilliSeconds(20));
    ASSERT_EQ(result.cojobs.size(), 1U);
    EXPECT_EQ(result.cojobs[0].end - result.cojobs[0].submit, MilliSeconds(19));
    EXPECT_EQ(RowOf(result, 1).cojob, std::nullopt);
    EXPECT_EQ(RowOf(result, 2).cojob, CojobId{1});
}

TEST_F(ClusterSimulationTest, StagesEndTogetherButTheLast)
{
    // 10 and 20 ms an iteration, stages of 1 and 2 iterations. Stage 1: 0-20 ms. Stage 2: job 1 is
    // done at 20 + 20 = 40 ms and leaves, job 2 at 20 + 40 = 60 ms.
    const RunResult result =
        Run(OnSwitch(1,
                     2,
                     R"({"cojobs": [{"stages": [1, 2], "jobs": [)" + ComputeJob(10, R"("id": 1)") +
                         "," + ComputeJob(20, R"("id": 2)") + "]}]}"));
    ASSERT_EQ(result.stages.size(), 2U);
    EXPECT_EQ(result.stages[0].end, MilliSeconds(20));
    EXPECT_EQ(result.stages[1].start, MilliSeconds(20));
    EXPECT_EQ(result.stages[1].end, MilliSeconds(60));
    EXPECT_DOUBLE_EQ(result.stages[1].GetSct(), 0.060); // from the cojob's release
    EXPECT_EQ(RowOf(result, 1).end, MilliSeconds(40));
    EXPECT_EQ(RowOf(result, 2).end, MilliSeconds(60));
    EXPECT_FALSE(RowOf(result, 1).stoppedEarly);
    EXPECT_EQ(RowOf(result, 1).compute, MilliSeconds(30));
}

TEST_F(ClusterSimulationTest, TheWorseHalfStopsAndTheFirstOfEqualsGoesOn)
{
    // Halving of four equal jobs: two are left, then one; the one with the least number.
    const RunResult result = Run(
        OnSwitch(1,
                 4,
                 R"({"cojobs": [{"stages": [1, 1, 1], "search": "successive-halving", "jobs": [)" +
                     ComputeJob(10, R"("count": 4, "accuracy": [0.5, 0.5, 0.5])") + "]}]}"));
    EXPECT_EQ(RowOf(result, 1).iterations, 3U);
    EXPECT_EQ(RowOf(result, 2).iterations, 2U);
    EXPECT_EQ(RowOf(result, 3).iterations, 1U);
    EXPECT_EQ(RowOf(result, 4).iterations, 1U);
    EXPECT_FALSE(RowOf(result, 1).stoppedEarly);
    EXPECT_TRUE(RowOf(result, 2).stoppedEarly);
    EXPECT_TRUE(RowOf(result, 3).stoppedEarly);
    ASSERT_EQ(result.stages.size(), 3U);
    EXPECT_EQ(result.stages[1].jobs, 2U);
    EXPECT_EQ(result.stages[2].jobs, 1U);
}

TEST_F(ClusterSimulationTest, CommonPrioritiesOrderWhatSharesAnUplink)
{
    // Two pushes from one server to two others: each is alone where it arrives, so locally both are
    // first there, and they share the uplink of 10 Gbps. A third is behind the second at its server
    // and arrives over a port of 10 Gbps as well; locally, the second goes first there only.
    const auto push = [](const char* bytes, int from, int to) {
        return std::string(R"({"model": {"bytes": ")") + bytes +
               R"("}, "workers": 1, "servers": 1, "iterations": 1,
               "pattern": {"type": "parameter-server", "PullRatio": 0},
               "placement": {"workers": [[)" +
               std::to_string(from) + R"(, 0]], "servers": [)" + std::to_string(to) + "]}}";
    };
    const std::string text =
        R"({"name": "uplink", "cluster": {"topology": {"kind": "three-tier", "racks": 1,
        "serversPerRack": 4, "gpusPerServer": 2, "serverUplinks": 1, "spines": 1, "rackUplinks": 1,
        "hostRate": "40Gbps", "serverRate": "10Gbps", "hostDelay": "10ns", "serverDelay": "10ns",
        "framingBytes": 0}}, "scheduler": {"network": "sptf", "control": "direct"},
        "output": {"alone": false}, "workload": {"jobs": [)" +
        push("1MB", 0, 2) + "," + push("3MB", 1, 4) + "," + push("6MB", 6, 5) + "]}}";
    for (const char* transport : {"fluid", "rdma"})
    {
        const auto expectTimes = [&](const char* priorities, std::vector<double> times) {
            SCOPED_TRACE(std::string(transport) + ", " + priorities);
            const RunResult result = Run(text,
                                         {std::string("transport.kind=") + transport,
                                          std::string("scheduler.priorities=") + priorities});
            const double megabyte = 800e-6 * 1500 / 1460; // with IP and TCP headers
            for (uint32_t job = 1; job <= 3; ++job)
            {
                EXPECT_NEAR(RowOf(result, job).GetJct() / megabyte, times[job - 1], 0.1) << job;
            }
        };
        expectTimes("local", {2, 4, 9});  // 1 and 2 share, 2 before 3
        expectTimes("common", {1, 4, 9}); // 1 before 2 before 3
    }
}

TEST_F(ClusterSimulationTest, AllIsDoneWithAnyNumberOfQueuesAndAnyScheduler)
{
    const std::string text =
        OnSwitch(4,
                 2,
                 R"({"jobs": [{"model": {"bytes": "100kB"}, "workers": 4, "pattern": "ring",
              "iterations": 2, "placement": {"workers": [[0, 0], [1, 0], [2, 0], [3, 0]]}}],
            "cojobs": [{"stages": [1, 1], "jobs": [{"model": {"bytes": "50kB"}, "workers": 2,
              "servers": 2, "placement": {"workers": [[0, 1], [1, 1]], "servers": [2, 3]}}]}]})");
    for (const auto& scheduler : ListPolicies(NetworkScheduler::GetTypeId()))
    {
        for (const char* number : {"1", "2", "8"})
        {
            const std::string priorities = number == std::string("2") ? "common" : "local";
            SCOPED_TRACE(scheduler + " with " + number + " queues and bands, " + priorities);
            const RunResult result = Run(text,
                                         {"scheduler.network=" + scheduler,
                                          "scheduler.control=in-band",
                                          "scheduler.priorities=" + priorities,
                                          std::string("cluster.ports.queues=") + number,
                                          std::string("cluster.hosts.bands=") + number});
            EXPECT_EQ(result.status, Status::DONE);
            EXPECT_EQ(result.jobs.size(), 2U);
            EXPECT_EQ(result.stages.size(), 2U);
            EXPECT_EQ(result.network->drops.GetSum().packets, 0U);
        }
    }
}

TEST_F(ClusterSimulationTest, AllIsDoneOnEveryTopologyFromEveryCoordinator)
{
    for (const char* topology :
         {R"({"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 2, "spines": 2, "parallel": 2})",
          R"({"kind": "single-switch", "hosts": 4})",
          R"({"kind": "dumbbell", "leftHosts": 2, "rightHosts": 2, "bottleneckRate": "1Gbps"})"})
    {
        for (const char* coordinator : {"0", "3"})
        {
            SCOPED_TRACE(topology);
            const RunResult result =
                Run(R"({"name": "s", "cluster": {"topology": )" + std::string(topology) +
                    R"(, "hosts": {"gpus": 1}}, "scheduler": {"coordinator": )" + coordinator +
                    R"(}, "workload": {"jobs": [{"model": {"bytes": "100kB"}, "workers": 4,
                    "iterations": 2}]}})");
            EXPECT_EQ(result.status, Status::DONE);
            EXPECT_GT(result.controlMessages, 0U);
        }
    }
}

TEST_F(ClusterSimulationTest, EqualRunsAreEqualToTheLastByte)
{
    const std::string text = OnSwitch(4, 2, R"({"compute": {"jitter": {
        "type": "ns3::UniformRandomVariable", "Min": 0.5, "Max": 1.5}}, "jobs": [
        {"model": {"bytes": "300kB", "forward": "1ms"}, "workers": 4, "iterations": 3, "count": 2}]})");
    const Settings settings = {"output.iterations=true", "scheduler.control=in-band"};
    const RunResult first = Run(text, settings);
    const RunResult second = Run(text, settings);
    EXPECT_EQ(Describe(first), Describe(second));
    EXPECT_EQ(first.events, second.events);
    EXPECT_EQ(first.end, second.end);

    Settings other = settings;
    other.push_back("seed=2");
    EXPECT_NE(Describe(first), Describe(Run(text, other)));
}

TEST_F(ClusterSimulationTest, ReportsDoNotChangeTheRun)
{
    const std::string text = OnSwitch(4, 1, R"({"jobs": [{"model": {"bytes": "1MB"},
        "workers": 4, "iterations": 3}]})");
    const RunResult silent = Run(text);
    ClusterSimulation simulation(ReadText(text));
    std::size_t reports = 0;
    simulation.SetReport([&reports](Time, std::size_t done, std::size_t of) {
        ++reports;
        EXPECT_LE(done, of);
        EXPECT_EQ(of, 1U);
    });
    const RunResult told = simulation.Run();
    EXPECT_GT(reports, 0U);
    EXPECT_EQ(Describe(silent), Describe(told));
    EXPECT_EQ(silent.events, told.events);
    EXPECT_EQ(silent.end, told.end);
}

TEST_F(ClusterSimulationTest, ScriptsAreToldWhatIsWrong)
{
    Scenario scenario =
        ReadText(OnSwitch(1, 1, R"({"jobs": [)" + ComputeJob(1, R"("iterations": 1)") + "]}"));
    scenario.cluster.ports.weights = {1, 2};
    EXPECT_THROW(ClusterSimulation{scenario}, InputError);
    Simulator::Destroy();
    scenario.cluster.ports.weights.clear();
    scenario.workload.groups[0].jobs[0].workers = 2;
    EXPECT_THROW(ClusterSimulation{scenario}, InputError);
    Simulator::Destroy();
}
