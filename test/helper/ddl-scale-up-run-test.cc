// SPDX-License-Identifier: GPL-2.0-only
// Jobs on servers with a network of their own inside: what passes the NICs, and what schedulers
// know.
#include "ddl-random-graph.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-training-job.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** By transport and kind of scale-up network: 4 servers of 4 GPUs on 4 rails. */
class ScaleUpRunTest : public SimulationFixture,
                       public testing::WithParamInterface<std::tuple<std::string, std::string>>
{
  protected:
    static std::string GetTransport()
    {
        return std::get<0>(GetParam());
    }

    static std::string GetKind()
    {
        return std::get<1>(GetParam());
    }

    static std::string OnServers(const std::string& jobs, const std::string& more = "")
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "rail-optimised", "pods": 1,
            "serversPerPod": 4, "gpusPerServer": 4, "hostRate": "10Gbps", "scaleUp":
            {"kind": ")" +
               GetKind() + R"(", "rate": "100Gbps"}})" + more + R"(}, "transport": {"kind": ")" +
               GetTransport() + R"("}, "workload": {"jobs": [)" + jobs +
               R"(]}, "output": {"alone": false}})";
    }

    /** \return a job with workers on those hosts, which only communicates */
    static std::string Job(uint32_t id, const std::vector<uint32_t>& hosts)
    {
        std::string workers;
        for (const uint32_t host : hosts)
        {
            workers += (workers.empty() ? "[" : ", [") + std::to_string(host) + ", 0]";
        }
        return R"({"id": )" + std::to_string(id) +
               R"(, "model": {"name": "m", "bytes": "8MB", "forward": "0s", "backward": "0s"},
               "iterations": 2, "pattern": "ring", "workers": )" +
               std::to_string(hosts.size()) + R"(, "placement": {"workers": [)" + workers + "]}}";
    }

    /** \return bytes that left a host, by its NIC or by its port inside the server */
    static uint64_t CountBytes(const RunResult& result, const std::string& host, bool isNic)
    {
        uint64_t bytes = 0;
        for (const PortRow& row : result.ports)
        {
            const bool isAside = row.peer.rfind("nvswitch", 0) == 0;
            bytes += row.node == host && isAside != isNic ? row.bytes : 0;
        }
        return bytes;
    }

    /** \return 4 jobs of random graphs, which lose their GPUs often */
    Scenario MakeScenario(uint32_t seed, const std::string& failures)
    {
        std::mt19937 random(seed);
        std::string jobs;
        for (int job = 0; job < 4; ++job)
        {
            jobs += (jobs.empty() ? "" : ", ") +
                    (R"({"model": {"name": "m", "bytes": "1KB", "forward": "1ms"}, "workers": )" +
                     std::to_string(2 + random() % 7) + R"(, "iterations": )" +
                     std::to_string(5 + random() % 20) + R"(, "submit": ")" +
                     std::to_string(random() % 100) + "ms\"}");
        }
        Scenario scenario = ReadText(OnServers(jobs, failures),
                                     {"seed=" + std::to_string(seed),
                                      "scheduler.placement=random",
                                      "scheduler.jobs.type=2d-las",
                                      "scheduler.jobs.Thresholds=20ms,80ms",
                                      "scheduler.switch.launch=1ms",
                                      "scheduler.switch.save=1ms",
                                      "scheduler.switch.checkpointEvery=7",
                                      "scheduler.minRun=5ms",
                                      "scheduler.lease=15ms"});
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
};

TEST_P(ScaleUpRunTest, OnlyWhatLeavesTheServerTakesANic)
{
    // A ring of 8 over two servers: 3 leaves server 0 for 4, and 7 server 1 for 0; each sends
    // 2 x 7/8 x 8 MB an iteration.
    const RunResult result = Run(OnServers(Job(1, {0, 1, 2, 3, 4, 5, 6, 7})));
    ASSERT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    const double sent = 2 * 2 * 7.0 / 8 * 8e6; // by each rank, in 2 iterations
    const double wire = GetTransport() == "fluid" ? 1500.0 / 1460 : 1500.0 / 1456;
    for (const std::string host : {"h3", "h7"})
    {
        EXPECT_NEAR(static_cast<double>(CountBytes(result, host, true)) / (sent * wire), 1, 0.02);
    }
    for (const std::string host : {"h1", "h2", "h5", "h6"}) // no control messages end at these
    {
        EXPECT_LT(CountBytes(result, host, true), 100'000U) << host;
        EXPECT_NEAR(static_cast<double>(CountBytes(result, host, false)) / (sent * wire),
                    GetKind() == "switch" ? 1 : 0,
                    0.03)
            << host;
    }
    EXPECT_TRUE(result.imbalances.empty());
    // The links between servers decide: 2 x 7 steps of 1 MB at 10 Gbps.
    EXPECT_NEAR(RowOf(result, 1).GetJct() / (2 * 14 * 1e6 * 8 / 10e9), 1, 0.2);
}

TEST_P(ScaleUpRunTest, AJobWithinAServerIsNotOnTheNetwork)
{
    const RunResult result = Run(OnServers(Job(1, {0, 1, 2, 3}) + ", " + Job(2, {4, 8, 12})));
    ASSERT_EQ(result.status, RunResult::Status::DONE) << result.reason;
    // 2 x 3 steps of 2 MB at 100 Gbps; 2 x 2 steps of 2.67 MB at 10 Gbps, on one rail.
    EXPECT_NEAR(RowOf(result, 1).GetJct() / (2 * 6 * 2e6 * 8 / 100e9), 1, 0.3);
    EXPECT_NEAR(RowOf(result, 2).GetJct() / (2 * 4 * 8e6 / 3 * 8 / 10e9), 1, 0.15);
    EXPECT_EQ(RowOf(result, 1).bytes, 2 * 2 * 3 * 8'000'000U);
}

TEST_P(ScaleUpRunTest, SuspendedAndMoved)
{
    uint64_t runs = 0;
    for (uint32_t seed = 1; seed <= 10; ++seed)
    {
        const Scenario scenario = MakeScenario(seed, "");
        ClusterSimulation simulation(scenario);
        const RunResult result = simulation.Run();
        ASSERT_EQ(result.status, RunResult::Status::DONE) << seed << ": " << result.reason;
        EXPECT_TRUE(result.imbalances.empty()) << seed;
        for (const CojobSpec& group : scenario.workload.groups)
        {
            const JobRow row = RowOf(result, group.jobs.front().id.value);
            EXPECT_EQ(row.iterations, group.iterations.front()) << seed;
            runs += row.runs;
        }
    }
    EXPECT_GT(runs, 10U * 4); // else nobody was suspended
}

TEST_P(ScaleUpRunTest, ServersFail)
{
    for (uint32_t seed = 101; seed <= 110; ++seed)
    {
        const Scenario scenario =
            MakeScenario(seed,
                         R"(, "failures": [{"server": 1, "at": "50ms", "for": "40ms"},
                              {"server": 2, "at": "120ms", "for": "30ms"}])");
        ClusterSimulation simulation(scenario);
        const RunResult result = simulation.Run();
        ASSERT_EQ(result.status, RunResult::Status::DONE) << seed << ": " << result.reason;
        EXPECT_TRUE(result.imbalances.empty()) << seed;
        for (const CojobSpec& group : scenario.workload.groups)
        {
            EXPECT_EQ(RowOf(result, group.jobs.front().id.value).iterations,
                      group.iterations.front())
                << seed;
        }
    }
}

TEST_P(ScaleUpRunTest, LeapsChangeNothing)
{
    // With computing: iterations of packets that never pause do not repeat.
    const auto job = [](uint32_t id, const std::vector<uint32_t>& hosts) {
        std::string text = Job(id, hosts);
        const auto replace = [&text](const std::string& from, const std::string& to) {
            text.replace(text.find(from), from.size(), to);
        };
        replace(R"("iterations": 2)", R"("iterations": 60)");
        replace(R"("bytes": "8MB", "forward": "0s", "backward": "0s")",
                R"("bytes": "800KB", "forward": "200us", "backward": "400us")");
        return text;
    };
    const std::string text = OnServers(job(1, {0, 1, 2, 3, 4, 5, 6, 7}) + ", " + job(2, {9, 10}));
    const RunResult whole = Run(text);
    const RunResult leapt = Run(text, {"leap={}"});
    EXPECT_LT(leapt.events, whole.events / 2);
    for (const uint32_t id : {1U, 2U})
    {
        EXPECT_NEAR(RowOf(leapt, id).GetJct() / RowOf(whole, id).GetJct(), 1, 1e-3);
    }
    for (const std::string host : {"h1", "h3", "h9"})
    {
        for (const bool isNic : {false, true})
        {
            const auto bytes = static_cast<double>(CountBytes(whole, host, isNic));
            EXPECT_NEAR(static_cast<double>(CountBytes(leapt, host, isNic)),
                        bytes,
                        0.01 * bytes + 20'000)
                << host << isNic;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ScaleUpRunTest,
                         testing::Combine(testing::Values("fluid", "rdma", "tcp"),
                                          testing::Values("switch", "streams")),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

class ScaleUpKeysTest : public SimulationFixture
{
};

TEST_F(ScaleUpKeysTest, WrongOnesAreRefused)
{
    const auto complaints = [this](const std::string& topology) {
        return Complaints(WithCluster("{\"topology\": " + topology + "}"));
    };
    EXPECT_EQ(complaints(R"({"kind": "leaf-spine", "scaleUp": {}})"),
              "s.json:2: /cluster/topology/scaleUp: joins the hosts of a server, but no server of "
              "this network has several hosts");
    EXPECT_EQ(complaints(R"({"kind": "leaf-spine", "scaleUp": {"kind": "none"}})"), "");
    EXPECT_NE(complaints(R"({"kind": "three-tier", "scaleUp": {"kind": "mesh"}})").find("mesh"),
              std::string::npos);
    EXPECT_NE(complaints(R"({"kind": "three-tier", "scaleUp": {"rate": "0bps"}})").find("rate"),
              std::string::npos);
}

TEST_F(ScaleUpKeysTest, ConstantFlowsBetweenStreamsAreRefused)
{
    EXPECT_THROW(Run(R"({"name": "s", "cluster": {"topology": {"kind": "three-tier",
        "scaleUp": {"kind": "streams"}}}, "workload": {"background": [{"kind": "constant-rate",
        "source": 0, "destination": 1, "rate": "1Gbps", "stop": "1ms"}]}, "stop": {"time": "2ms"}})"),
                 InputError);
}

} // namespace
