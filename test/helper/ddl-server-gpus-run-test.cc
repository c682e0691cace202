// SPDX-License-Identifier: GPL-2.0-only
// Parameter servers that take GPUs, in whole runs: whose GPUs are whose, whatever the policy, the
// noise, the backlog, and who gives way or fails.
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-policy.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class ServerGpusRunTest : public SimulationFixture
{
  protected:
    /** \return 20 noisy jobs of one server with a GPU and two or three workers, on 5 nodes of 2 */
    static std::string Backlog()
    {
        return R"({"name": "backlog",
            "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": [3, 2],
                                     "spines": 1},
                        "hosts": {"gpus": 2}},
            "transport": {"kind": "fluid"},
            "workload": {
                "compute": {"jitter": {"type": "uniform-random-variable", "Min": 0.5, "Max": 1.5},
                            "straggler": {"type": "uniform-random-variable", "Min": 1, "Max": 2}},
                "generator": {"kind": "jobs", "jobs": 20, "servers": 1, "serverGpus": 1,
                    "sizes": [[2, 3], [3, 1]],
                    "iterations": {"type": "uniform-random-variable", "Min": 1, "Max": 9},
                    "arrivals": {"type": "uniform", "Window": "60ms"},
                    "models": [{"name": "m", "bytes": "1MB", "forward": "1ms", "backward": "2ms"}]}}})";
    }

    /** No two runs hold a GPU at a time, and each run holds as many as its job has ranks. */
    static void ExpectSoundAccounts(const RunResult& result)
    {
        ASSERT_EQ(result.status, RunResult::Status::DONE);
        ASSERT_EQ(result.jobs.size(), 20U);
        for (const auto& row : result.jobs)
        {
            const auto gpus = ListGpus(row.placement);
            EXPECT_EQ(gpus.size(), row.workers + row.servers);
            EXPECT_EQ((std::set<GpuId>(gpus.begin(), gpus.end()).size()), gpus.size());
        }
        for (auto a = result.runs.begin(); a != result.runs.end(); ++a)
        {
            const auto held = ListGpus(a->placement);
            for (auto b = std::next(a); b != result.runs.end(); ++b)
            {
                if (a->end <= b->start || b->end <= a->start)
                {
                    continue;
                }
                for (const GpuId& gpu : ListGpus(b->placement))
                {
                    EXPECT_EQ(std::count(held.begin(), held.end(), gpu), 0)
                        << "jobs " << a->job << " and " << b->job << " on GPU " << gpu.index
                        << " of machine " << gpu.host;
                }
            }
        }
    }
};

TEST_F(ServerGpusRunTest, EveryPolicyKeepsThemApart)
{
    for (const std::string& policy : ListPolicies(PlacementPolicy::GetTypeId()))
    {
        SCOPED_TRACE(policy);
        ExpectSoundAccounts(Run(Backlog(), {"scheduler.placement=" + policy}));
    }
}

TEST_F(ServerGpusRunTest, WhoGivesWayOrMovesReturnsThem)
{
    uint32_t suspensions = 0;
    for (const std::string policy : {"first-fit", "dally", "gandiva", "liquid-genetic", "random"})
    {
        SCOPED_TRACE(policy);
        const RunResult result =
            Run(Backlog(),
                {"scheduler.placement=" + policy,
                 "scheduler.jobs=2d-las",
                 "scheduler.lease=20ms",
                 "scheduler.improve=11ms",
                 "scheduler.reports=3ms",
                 "scheduler.switch={\"launch\": \"1ms\", \"save\": \"2ms\", \"finish\": \"3ms\"}"});
        ExpectSoundAccounts(result);
        suspensions += result.runs.size() - result.jobs.size();
    }
    EXPECT_GT(suspensions, 20U);
}

TEST_F(ServerGpusRunTest, WhoFailsReturnsThem)
{
    for (const std::string transport : {"fluid", "rdma"})
    {
        SCOPED_TRACE(transport);
        const RunResult result =
            Run(Backlog(),
                {"transport.kind=" + transport,
                 "scheduler.detection=3ms",
                 "cluster.failures=[{\"server\": 1, \"at\": \"20ms\", \"for\": \"30ms\"}, "
                 "{\"server\": 4, \"at\": \"45ms\", \"for\": \"9ms\"}]"});
        ExpectSoundAccounts(result);
        EXPECT_GT(result.runs.size(), result.jobs.size());
    }
}

TEST_F(ServerGpusRunTest, ServersTakeTheMemoryOfAWorker)
{
    // One GPU of 10 GB each on two machines; a job takes 4 GB of each of its two ranks: two jobs
    // at a time, and the third waits. Without GPUs for servers, four workers fit.
    const std::string job = R"({"model": {"name": "m", "bytes": "8B", "forward": "10ms",
        "gpuMemory": "4GB"}, "workers": 1, "servers": 1, "iterations": 1, "serverGpus": )";
    const auto jobs = [&job](const std::string& serverGpus) {
        std::string list;
        for (uint32_t i = 0; i < 4; ++i)
        {
            list += (i > 0 ? ", " : "") + job + serverGpus + "}";
        }
        return OnSwitch(2, 1, R"({"jobs": [)" + list + "]}");
    };
    const Settings settings = {"cluster.hosts.gpuMemory=10GB", "transport.kind=fluid"};
    const RunResult with = Run(jobs("1"), settings);
    EXPECT_EQ(RowOf(with, 2).start, Time(0));
    EXPECT_GT(RowOf(with, 3).start, MilliSeconds(10));
    const RunResult without = Run(jobs("0"), settings);
    EXPECT_EQ(RowOf(without, 4).start, Time(0));
}

TEST_F(ServerGpusRunTest, TheirTimeCountsAsHeldAndNotAsBusy)
{
    // One worker computes 2 x 10 ms; its server's GPU only waits: half of what is held.
    const std::string text = OnSwitch(
        2,
        1,
        R"({"jobs": [{"model": {"name": "m", "bytes": "2B", "forward": "10ms"}, "workers": 1,
            "servers": 1, "serverGpus": 1, "iterations": 2}]})");
    const RunResult result = Run(text, {"transport.kind=fluid"});
    ASSERT_EQ(result.runs.size(), 1U);
    EXPECT_EQ(ListGpus(result.runs.front().placement).size(), 2U);
    EXPECT_NEAR(result.gpuUtilisation, 0.5, 0.001);
}

TEST_F(ServerGpusRunTest, WhatIsWrongIsRefused)
{
    const auto job = [](const std::string& more) {
        return WithWorkload(R"({"jobs": [
{"model": "VGG-16", "iterations": 1, )" +
                            more + "}]}");
    };
    EXPECT_EQ(Complaints(job(R"("workers": 14, "servers": 2, "serverGpus": 1)")), "");
    EXPECT_EQ(Complaints(job(R"("workers": 14, "servers": 3, "serverGpus": 1)")),
              "s.json:4: /workload/jobs/0/serverGpus: 14 workers and 3 parameter servers on a "
              "cluster of 16 GPUs (one GPU each)");
    EXPECT_NE(Complaints(job(R"("servers": 1, "serverGpus": 2)")), "");
    EXPECT_EQ(Complaints(job(R"("servers": 1, "serverGpus": 1,
"placement": {"workers": [[0, 0]], "servers": [[0, 1]]})")),
              "");
    EXPECT_NE(Complaints(job(R"("servers": 1, "serverGpus": 1,
"placement": {"workers": [[0, 0]], "servers": [0]})"))
                  .find("/placement: gives a parameter server no GPU"),
              std::string::npos);
    EXPECT_NE(Complaints(job(R"("servers": 1,
"placement": {"workers": [[0, 0]], "servers": [[0, 1]]})"))
                  .find("/placement: gives a GPU to a parameter server that needs none"),
              std::string::npos);
    EXPECT_NE(Complaints(job(R"("servers": 1, "serverGpus": 1,
"placement": {"workers": [[0, 0]], "servers": [[0, 0]]})"))
                  .find("GPU 0 of machine 0 is given to a rank already"),
              std::string::npos);
}

TEST_F(ServerGpusRunTest, WhatIsWrittenComesBack)
{
    const std::string text = WithWorkload(R"({"jobs": [
        {"model": "VGG-16", "iterations": 1, "servers": 2, "serverGpus": 1,
         "placement": {"workers": [[0, 0]], "servers": [[0, 1], [1, 3]]}}],
        "generator": {"kind": "jobs", "jobs": 2, "serverGpus": 1, "models": ["VGG-16"]}})");
    const std::string written = FormatScenario(ReadText(text));
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
    const Scenario again = ReadText(written);
    const JobSpec& job = again.workload.groups.front().jobs.front();
    EXPECT_EQ(job.serverGpus, 1U);
    EXPECT_EQ(job.placement->servers[1], (GpuId{HostId{1}, 3}));
}

} // namespace
