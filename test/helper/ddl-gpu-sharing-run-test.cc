// SPDX-License-Identifier: GPL-2.0-only
// GPUs that jobs share, in whole runs: who runs when, what adds up, and what is refused.
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-task-queue-policy.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class GpuSharingRunTest : public SimulationFixture
{
  protected:
    void Start(GpuId gpu, const GpuTask& /* task */)
    {
        ++m_tasks;
        EXPECT_EQ(++m_running[gpu], 1) << "a GPU runs two tasks";
    }

    void End(GpuId gpu, const GpuTask& /* task */)
    {
        EXPECT_EQ(--m_running[gpu], 0);
    }

    /** Count what every GPU runs from now on. */
    void Watch(Ptr<Cluster> cluster)
    {
        for (const GpuId gpu : ListAll(cluster))
        {
            cluster->GetGpu(gpu)->TraceConnectWithoutContext(
                "TaskStart",
                MakeCallback(&GpuSharingRunTest::Start, this));
            cluster->GetGpu(gpu)->TraceConnectWithoutContext(
                "TaskEnd",
                MakeCallback(&GpuSharingRunTest::End, this));
        }
    }

    static std::vector<GpuId> ListAll(Ptr<Cluster> cluster)
    {
        std::vector<GpuId> gpus;
        for (const HostId host : cluster->GetHosts())
        {
            for (uint32_t i = 0; i < cluster->GetMachine(host)->GetGpuCount(); ++i)
            {
                gpus.push_back({host, i});
            }
        }
        return gpus;
    }

    /** \return bytes of a GPU that jobs hold at a time, by the table of jobs alone */
    static uint64_t SumMemory(const RunResult& result,
                              GpuId gpu,
                              Time at,
                              uint64_t whole,
                              const std::map<std::string, uint64_t>& memory)
    {
        uint64_t bytes = 0;
        for (const auto& row : result.jobs)
        {
            for (const GpuId& own : row.placement.workers)
            {
                const uint64_t takes = memory.at(row.model);
                const bool isThere = own == gpu && row.start <= at && at < row.end;
                bytes += !isThere ? 0 : takes > 0 ? takes : whole;
            }
        }
        return bytes;
    }

    /** \return 4 hosts of 3 GPUs of 10 MB, and 40 jobs of 1 to 7 workers from the seed */
    static std::string RandomScenario()
    {
        return R"({"name": "random",
            "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
                        "hosts": {"gpus": 3, "gpuMemory": "10MB"}},
            "transport": {"kind": "fluid"},
            "workload": {"generator": {"kind": "jobs", "jobs": 40, "servers": 0, "pick": "random",
                "pattern": "ring", "sizes": [[1, 4], [2, 3], [3, 1], [7, 1]],
                "iterations": {"type": "uniform-random-variable", "Min": 1, "Max": 9},
                "arrivals": {"type": "uniform", "Window": "60ms"},
                "models": [
                  {"name": "a", "bytes": "1MB", "forward": "1ms", "backward": "2ms",
                   "gpuMemory": "3MB"},
                  {"name": "b", "bytes": "200kB", "forward": "123457ns", "gpuMemory": "5MB"},
                  {"name": "c", "bytes": "2MB", "forward": "3ms", "gpuMemory": "10MB"},
                  {"name": "d", "bytes": "1MB", "forward": "700us"}]}}})";
    }

    std::map<GpuId, int> m_running;
    uint64_t m_tasks{0}; //!< that have started
};

} // namespace

TEST_F(GpuSharingRunTest, AccountsAddUpOverRandomTraces)
{
    const std::map<std::string, uint64_t> memory = {{"a", 3000000},
                                                    {"b", 5000000},
                                                    {"c", 10000000},
                                                    {"d", 0}};
    const std::map<std::string, Time> compute = {{"a", MilliSeconds(3)},
                                                 {"b", NanoSeconds(123457)},
                                                 {"c", MilliSeconds(3)},
                                                 {"d", MicroSeconds(700)}};
    const auto placements = ListPolicies(PlacementPolicy::GetTypeId());
    const std::vector<std::string> orders = {"fifo", "srsf", "srtf"};
    const std::vector<std::string> gates = {"none", "ada-dual", "srsf-1"};
    bool wasShared = false;
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        SCOPED_TRACE(seed);
        ClusterSimulation simulation(
            ReadText(RandomScenario(),
                     {"seed=" + std::to_string(seed),
                      "scheduler.placement=" + placements[seed % placements.size()],
                      "scheduler.jobs=" + orders[seed % orders.size()],
                      "scheduler.gate=" + gates[(seed / 4) % gates.size()],
                      std::string("scheduler.tasks=") + (seed % 2 > 0 ? "srsf" : "fifo")}));
        const Ptr<Cluster> cluster = simulation.GetTrainingCluster()->GetMachines();
        Watch(cluster);
        const RunResult result = simulation.Run();
        ASSERT_EQ(result.status, RunResult::Status::DONE);
        ASSERT_EQ(result.jobs.size(), 40U);
        Time busy;
        for (const GpuId gpu : ListAll(cluster))
        {
            const GpuTimes times = cluster->GetGpu(gpu)->GetTimes();
            EXPECT_EQ(times.busy + times.waiting + times.idle, result.end);
            busy += times.busy;
            for (const auto& row : result.jobs)
            {
                const uint64_t held = SumMemory(result, gpu, row.start, 10000000, memory);
                EXPECT_LE(held, 10000000U) << "when job " << row.job << " starts";
                wasShared = wasShared || held == 8000000; // an "a" and a "b"
            }
        }
        Time tasks;
        for (const auto& row : result.jobs)
        {
            tasks += compute.at(row.model) * static_cast<int64_t>(row.workers * row.iterations);
        }
        EXPECT_EQ(busy, tasks);
        EXPECT_NEAR(result.gpuUtilisation,
                    tasks.GetSeconds() / (12 * result.makespan.GetSeconds()),
                    1e-12);
    }
    EXPECT_TRUE(wasShared);
    EXPECT_GT(m_tasks, 1000U);
}

TEST_F(GpuSharingRunTest, TwoJobsOnOneGpuTakeTurns)
{
    // Two jobs of 2 iterations of 10 ms on one GPU. One at a time: 0-20 and 20-40. With room for
    // both: 1 1st, 2 1st, 1 2nd, 2 2nd: 0-10, 10-20, 20-30, 30-40; job 1 ends at 30, job 2 at 40.
    const std::string job = R"({"model": {"name": "m", "bytes": "1MB", "forward": "10ms",
        "gpuMemory": "5GB"}, "pattern": "ring", "workers": 1, "iterations": 2})";
    const std::string text = OnSwitch(1, 1, R"({"jobs": [)" + job + ", " + job + "]}");
    const RunResult alone = Run(text);
    EXPECT_EQ(RowOf(alone, 1).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(alone, 2).start, MilliSeconds(20));
    const RunResult shared = Run(text, {"cluster.hosts.gpuMemory=10GB"});
    EXPECT_EQ(RowOf(shared, 1).end, MilliSeconds(30));
    EXPECT_EQ(RowOf(shared, 2).start, Time(0));
    EXPECT_EQ(RowOf(shared, 2).end, MilliSeconds(40));
    EXPECT_EQ(RowOf(shared, 2).compute, MilliSeconds(40)); // turns of the other included
    EXPECT_DOUBLE_EQ(shared.gpuUtilisation, 1);
    // 9 GB are not enough for two.
    EXPECT_EQ(RowOf(Run(text, {"cluster.hosts.gpuMemory=9GB"}), 2).start, MilliSeconds(20));
}

TEST_F(GpuSharingRunTest, TheShorterJobsTasksGoFirst)
{
    // 3, 2 and 1 iterations of 10 ms on one GPU, from 0, 5 and 7 ms. fifo: 1 2 3 1 2 1, so job 3
    // ends at 30 ms. srsf: 1 3, then 2 and 1 have 20 ms each and 2 came first: 1 3 2 2 1 1.
    const auto job = [](uint32_t iterations, const std::string& submit) {
        return R"({"model": {"name": "m", "bytes": "1MB", "forward": "10ms", "gpuMemory": "1GB"},
            "workers": 1, "iterations": )" +
               std::to_string(iterations) + R"(, "submit": ")" + submit + R"("})";
    };
    const std::string text =
        OnSwitch(1,
                 1,
                 R"({"jobs": [)" + job(3, "0s") + "," + job(2, "5ms") + "," + job(1, "7ms") + "]}");
    EXPECT_EQ(RowOf(Run(text, {"cluster.hosts.gpuMemory=3GB"}), 3).end, MilliSeconds(30));
    const RunResult srsf = Run(text, {"cluster.hosts.gpuMemory=3GB", "scheduler.tasks=srsf"});
    EXPECT_EQ(RowOf(srsf, 3).end, MilliSeconds(20));
    EXPECT_EQ(RowOf(srsf, 2).end, MilliSeconds(40));
    EXPECT_EQ(RowOf(srsf, 1).end, MilliSeconds(60));
}

TEST_F(GpuSharingRunTest, TheTimeOfCommunicationIsPartOfAJobsService)
{
    // Behind job 3, which computes until 5 ms, wait job 1 with (10 ms + 12.5 MB at 10 Gbps = 10 ms)
    // x 2 GPUs = 40 ms of service, and job 2 with (15 ms + nothing) x 2 = 30 ms, which goes first
    // although job 1 computes less (Ada-SRSF Algorithm 3 line 28: L = (C + E) |G|).
    const auto job = [](const std::string& rest, const std::string& bytes, const std::string& ms) {
        return R"({"model": {"name": "m", "gpuMemory": "1GB", "bytes": ")" + bytes +
               R"(", "forward": ")" + ms + R"("}, "iterations": 1, "pattern": "ring", )" + rest +
               "}";
    };
    const auto both = [](const std::string& other, const std::string& submit) {
        return R"("workers": 2, "placement": {"workers": [[0, 0], [)" + other +
               R"(, 0]]}, "submit": ")" + submit + '"';
    };
    const std::string text = OnSwitch(
        3,
        1,
        R"({"jobs": [)" + job(both("1", "1ms"), "12500kB", "10ms") + "," +
            job(both("2", "2ms"), "2B", "15ms") + "," +
            job(R"("workers": 1, "placement": {"workers": [[0, 0]]})", "2B", "5ms") + "]}");
    const Settings settings = {"cluster.hosts.gpuMemory=3GB", "transport.kind=fluid"};
    EXPECT_GT(RowOf(Run(text, settings), 2).end, MilliSeconds(30)); // fifo: 5 + 10 + 15
    Settings srsf = settings;
    srsf.push_back("scheduler.tasks=srsf");
    const RunResult result = Run(text, srsf);
    EXPECT_GT(RowOf(result, 2).end, MilliSeconds(20)); // 5 + 15, and what its 2 bytes take
    EXPECT_LT(RowOf(result, 2).end, MilliSeconds(21));
    EXPECT_GT(RowOf(result, 1).end, MilliSeconds(40)); // and 10 + 10
}

TEST_F(GpuSharingRunTest, StagesThatAreToComeArePartOfAJobsService)
{
    // Behind job 3, until 10 ms, wait job 1 of a cojob with stages of 1 and 9 iterations, 100 ms in
    // all, and job 2 with two, 20 ms: 3 2 2 1.
    const std::string rest = R"("workers": 1, "model": {"name": "m", "bytes": "1MB",
        "forward": "10ms", "gpuMemory": "1GB"})";
    const std::string text = OnSwitch(
        1,
        1,
        R"({"cojobs": [{"id": 9, "submit": "1ms", "stages": [1, 9], "search": "list", "jobs": [{"id": 1, )" +
            rest + R"(}]}], "jobs": [{"id": 2, "iterations": 2, "submit": "2ms", )" + rest +
            R"(}, {"id": 3, "iterations": 1, )" + rest + "}]}");
    const RunResult srsf = Run(text, {"cluster.hosts.gpuMemory=3GB", "scheduler.tasks=srsf"});
    EXPECT_EQ(RowOf(srsf, 2).end, MilliSeconds(30));
    EXPECT_GE(RowOf(srsf, 1).end, MilliSeconds(130));
}

TEST_F(GpuSharingRunTest, AJobOnOneMachineMovesNoByteOverTheNetwork)
{
    // Four workers, one machine: with lwf they are consolidated, and share GPUs with another job.
    const std::string job = R"({"model": {"type": "VGG-16"}, "workers": 4, "iterations": 3})";
    for (const char* transport : {"tcp", "rdma", "fluid"})
    {
        SCOPED_TRACE(transport);
        ClusterSimulation simulation(
            ReadText(OnSwitch(2, 4, R"({"jobs": [)" + job + "," + job + "," + job + "]}"),
                     {"cluster.hosts.gpuMemory=16GB",
                      "scheduler.placement=lwf",
                      "scheduler.gate=srsf-1",
                      "scale.model=0.01",
                      std::string("transport.kind=") + transport}));
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.status, RunResult::Status::DONE);
        for (const auto& port : result.ports)
        {
            EXPECT_EQ(port.bytes, 0U) << port.node;
        }
        for (const auto& row : result.jobs)
        {
            EXPECT_GT(row.bytes, 0U); // inside the machine
            EXPECT_EQ(row.gateWait, Time(0));
        }
    }
}

TEST_F(GpuSharingRunTest, AModelWhoseMemoryIsNotKnownTakesWholeGpus)
{
    // VGG19 is Grouper's, which publishes no memory: job 2 waits although VGG-16 would have room.
    const std::string text = OnSwitch(1, 1, R"({"jobs": [
        {"model": {"type": "VGG19", "forward": "1ms"}, "workers": 1, "iterations": 2},
        {"model": "VGG-16", "workers": 1, "iterations": 1}]})");
    const RunResult result = Run(text, {"cluster.hosts.gpuMemory=16GB"});
    EXPECT_EQ(RowOf(result, 2).start, RowOf(result, 1).end);
}

TEST_F(GpuSharingRunTest, AModelThatNoGpuHoldsIsRefusedWithPlaceAndRemedy)
{
    const std::string remedy =
        " of its GPU, which has 4GB (more in \"cluster.hosts.gpuMemory\", or 0B there: one job a "
        "GPU)";
    const Settings small = {"cluster.hosts.gpuMemory=4GB"};
    const std::string plain = WithWorkload(R"({"jobs": [
{"model": "VGG-16", "workers": 2, "iterations": 1},
{"model": "ResNet-50", "workers": 2, "iterations": 1},
{"model": {"name": "mine", "bytes": "1MB", "gpuMemory": "5GB"}, "iterations": 1}]})");
    const std::string said = Complaints(plain, small);
    EXPECT_NE(
        said.find("s.json:4: /workload/jobs/0/model: a worker of VGG-16 takes 4527MB" + remedy),
        std::string::npos)
        << said;
    EXPECT_NE(said.find("s.json:6: /workload/jobs/2/model: a worker of mine takes 5GB" + remedy),
              std::string::npos)
        << said;
    EXPECT_EQ(said.find("ResNet-50"), std::string::npos) << said;
    EXPECT_EQ(Complaints(plain), "");
    EXPECT_EQ(Complaints(plain, {"cluster.hosts.gpuMemory=5GB"}), "");

    const std::string generated = WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 3,
        "models": ["ResNet-50", "VGG-16"]}})");
    EXPECT_NE(Complaints(generated, small).find("/workload/generator/models/1: a worker of VGG-16"),
              std::string::npos);
    const std::string replayed = WithWorkload(R"({"trace": "jobs-small.csv"})");
    EXPECT_EQ(Complaints(replayed), "");
    EXPECT_NE(Complaints(replayed, {"cluster.hosts.gpuMemory=1GB"})
                  .find(" bytes of its GPU, which has 1000000000 (more in"),
              std::string::npos);
}

TEST_F(GpuSharingRunTest, WrongValuesAreRefused)
{
    const std::string text = WithWorkload(std::string(R"({"jobs": [)") + JOB + "]}");
    EXPECT_NE(Complaints(text, {"cluster.hosts.gpuMemory=-1GB"}), "");
    EXPECT_NE(Complaints(text, {"cluster.hosts.gpuMemory=16"}), "");
    EXPECT_NE(Complaints(text, {"scheduler.tasks=ssrf"}).find("srsf"), std::string::npos);
}

TEST_F(GpuSharingRunTest, WhatIsWrittenComesBack)
{
    const std::string text = WithWorkload(R"({"jobs": [{"model": "VGG-16", "iterations": 1},
        {"model": {"bytes": "1MB", "gpuMemory": "1.5GB"}, "iterations": 1}]})");
    const Scenario scenario =
        ReadText(text, {"cluster.hosts.gpuMemory=16GB", "scheduler.tasks=srsf"});
    const std::string once = FormatScenario(scenario);
    EXPECT_NE(once.find("\"gpuMemory\": \"16GB\""), std::string::npos);
    EXPECT_NE(once.find("\"tasks\": \"srsf\""), std::string::npos);
    EXPECT_NE(once.find("\"gpuMemory\": \"1500MB\""), std::string::npos);
    const Scenario again = ReadText(once);
    EXPECT_EQ(FormatScenario(again), once);
    EXPECT_EQ(again.cluster.gpuMemory, 16000000000U);
    EXPECT_EQ(again.workload.groups[0].jobs[0].model.gpuMemory, 4527000000U);

    const std::string generated = WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 3,
        "models": ["ResNet-50", {"type": "VGG-16", "gpuMemory": "1GB"}, "VGG19"]}})");
    const std::string written = FormatScenario(ReadText(generated));
    EXPECT_NE(written.find("\"gpuMemory\": \"1GB\""), std::string::npos);
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
}
