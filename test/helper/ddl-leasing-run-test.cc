// SPDX-License-Identifier: GPL-2.0-only
// Whole runs under `gavel` and `themis`: rounds and leases by hand, jobs on GPUs of one type, and
// what is refused.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-max-min-share.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class LeasingRunTest : public SimulationFixture
{
  protected:
    /** \return a scenario on so many machines of a GPU each: half V100, half of half its speed */
    static std::string OnTypes(uint32_t machines,
                               const std::string& policy,
                               const std::string& jobs)
    {
        const std::string half = std::to_string(machines / 2);
        return R"({"name": "s", "cluster": {
            "topology": {"kind": "single-switch", "hosts": )" +
               std::to_string(machines) + R"(},
            "hosts": {"gpus": 1, "groups": [{"count": )" +
               half + R"(}, {"count": )" + half + R"(, "gpuType": "half"}]},
            "gpuTypes": {"half": {"speed": 0.5}}},
            "transport": {"kind": "fluid"},
            "scheduler": {"control": "direct", "jobs": )" +
               policy + R"(}, "workload": {"jobs": [)" + jobs + "]}}";
    }

    /** \return a job of iterations of a second on a V100 */
    static std::string Compute(uint32_t seconds, const std::string& more = "\"workers\": 1")
    {
        return R"({"model": {"name": "m", "bytes": "1B", "forward": "1s"}, "pattern": "ring",
                   "iterations": )" +
               std::to_string(seconds) + ", " + more + "}";
    }

    static std::vector<JobRunRecord> RunsOf(const RunResult& result, uint32_t job)
    {
        std::vector<JobRunRecord> runs;
        std::copy_if(result.runs.begin(),
                     result.runs.end(),
                     std::back_inserter(runs),
                     [job](const JobRunRecord& run) { return run.job.value == job; });
        return runs;
    }

    /** Expect that the jobs of a scenario on 6 machines end, each run on GPUs of one type. */
    void ExpectOneType(const std::string& text, std::size_t jobs)
    {
        const RunResult result = Run(text);
        ASSERT_EQ(result.status, RunResult::Status::DONE) << text;
        EXPECT_EQ(result.jobs.size(), jobs);
        for (const JobRunRecord& run : result.runs)
        {
            const auto isSlow = [](const GpuId& gpu) { return gpu.host.value >= 3; };
            const auto gpus = ListGpus(run.placement);
            const auto slow = std::count_if(gpus.begin(), gpus.end(), isSlow);
            EXPECT_TRUE(slow == 0 || slow == static_cast<long>(gpus.size())) << run.job;
        }
    }
};

TEST_F(LeasingRunTest, GavelGivesTwoJobsTheFastGpuInTurns)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    const RunResult result = Run(OnTypes(2, "\"gavel\"", Compute(2700) + "," + Compute(2700)));
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    // In two rounds of 360 s each computes 360 and 180 s: 2700 s are five such pairs. Who has the
    // fast GPU in the last one, and when, decides about 180 s; each change costs an iteration of up
    // to 2 s.
    for (const uint32_t job : {1, 2})
    {
        EXPECT_NEAR(RowOf(result, job).GetJct(), 3600, 200) << job;
        EXPECT_EQ(RowOf(result, job).iterations, 2700u);
        uint64_t iterations = 0;
        std::map<uint32_t, uint32_t> machines;
        for (const JobRunRecord& run : RunsOf(result, job))
        {
            iterations += run.iterations;
            ++machines[run.placement.workers.front().host.value];
            EXPECT_LE((run.end - run.start).GetSeconds(), 2 * 360 + 2); // of two pairs
        }
        EXPECT_EQ(iterations, 2700u);
        EXPECT_EQ(machines.size(), 2u);
        EXPECT_GE(machines[0], 3u);
        EXPECT_GE(machines[1], 3u);
    }
}

TEST_F(LeasingRunTest, ThemisLendsAGpuForALease)
{
    const std::string same = R"("workers": 1, "placement": {"workers": [[0, 0]]})";
    const std::string job = Compute(3000, same);
    const RunResult result = Run(OnTypes(2, "\"themis\"", job + "," + job));
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    // Leases of 1200 s on the one GPU that both have to use, and an iteration of 1 s that has
    // begun. At 1201 s the second has 3000 s left and the greater rho, at 2402 s 1800 s, as the
    // first has but for an iteration; at 3603 s it has 600 s left and the first 1799 s.
    const auto first = RunsOf(result, 1);
    const auto second = RunsOf(result, 2);
    ASSERT_EQ(first.size(), 2u);
    ASSERT_EQ(second.size(), 2u);
    EXPECT_NEAR(first[0].end.GetSeconds(), 1201, 1e-3);
    EXPECT_NEAR(second[0].start.GetSeconds(), 1201, 1e-3);
    EXPECT_NEAR(second[0].end.GetSeconds(), 3602, 1e-3);
    EXPECT_NEAR(RowOf(result, 1).GetJct(), 3602 + 1799, 1e-3);
    EXPECT_NEAR(RowOf(result, 2).GetJct(), 6000, 1e-3);
}

TEST_F(LeasingRunTest, AJobGetsGpusOfOneType)
{
    for (const std::string policy : {"gavel", "themis"})
    {
        if (policy == "gavel" && !HasShareSolver())
        {
            continue;
        }
        std::string jobs;
        for (uint32_t i = 0; i < 12; ++i)
        {
            jobs += (i > 0 ? "," : "") +
                    Compute(600 + 100 * i, "\"workers\": " + std::to_string(1 + i % 3));
        }
        ExpectOneType(OnTypes(6, "\"" + policy + "\"", jobs), 12);
        // The last place of a job, which the scorer exchanges too, may be on another type.
        ExpectOneType(OnTypes(6, "\"" + policy + R"(", "scorer": "cassini")", jobs), 12);
    }
}

/** Jobs on servers of several GPUs, all alike. */
class LeasingServersTest : public LeasingRunTest
{
  protected:
    static std::string OnServers(uint32_t servers,
                                 uint32_t gpus,
                                 const std::string& policy,
                                 const std::string& placement,
                                 const std::string& jobs)
    {
        return R"({"name": "s", "cluster": {
            "topology": {"kind": "single-switch", "hosts": )" +
               std::to_string(servers) + R"(}, "hosts": {"gpus": )" + std::to_string(gpus) +
               R"(}}, "transport": {"kind": "fluid"},
            "scheduler": {"control": "direct", "jobs": ")" +
               policy + R"(", "placement": ")" + placement + R"("}, "workload": {"jobs": [)" +
               jobs + "]}}";
    }

    static std::string Workers(uint32_t workers, const std::string& submit = "0s")
    {
        return "\"workers\": " + std::to_string(workers) + ", \"submit\": \"" + submit + "\"";
    }

    static uint64_t SumIterations(const std::vector<JobRunRecord>& runs)
    {
        uint64_t iterations = 0;
        for (const JobRunRecord& run : runs)
        {
            iterations += run.iterations;
        }
        return iterations;
    }
};

// Jobs 1 and 3 are left on a server of two GPUs each; job 5 waits for one of its own.
TEST_F(LeasingServersTest, AHolderMovesForAGroupThatDeclinesPieces)
{
    for (const std::string policy : {"gavel", "themis"})
    {
        if (policy == "gavel" && !HasShareSolver())
        {
            continue;
        }
        const std::string jobs = Compute(10000, Workers(1)) + "," + Compute(10, Workers(1)) + "," +
                                 Compute(10000, Workers(1)) + "," + Compute(10, Workers(1)) + "," +
                                 Compute(1000, Workers(2, "20s"));
        const RunResult result = Run(OnServers(2, 2, policy, "fgd", jobs));
        ASSERT_EQ(result.status, RunResult::Status::DONE) << policy;
        const auto waiting = RunsOf(result, 5);
        ASSERT_EQ(waiting.size(), 1U) << policy; // once it has a server, nobody has to move
        // It declines in the round at 360 s, or at once; then at 720 s, or 1200 s, a holder ends
        // the iteration that it has begun.
        const double date = policy == "gavel" ? 720 : 1200;
        EXPECT_NEAR(waiting.front().start.GetSeconds(), date, 1.001) << policy;
        const auto first = RunsOf(result, 1);
        const auto third = RunsOf(result, 3);
        EXPECT_EQ(first.size() + third.size(), 3U) << policy; // one of them has moved, once
        EXPECT_EQ(SumIterations(first), 10000U);
        EXPECT_EQ(SumIterations(third), 10000U);
    }
}

// Two servers of four GPUs have room for two of these jobs, though there are GPUs for three.
TEST_F(LeasingServersTest, GroupsThatNeverFitTogetherTakeTurns)
{
    if (!HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    const std::string jobs = Compute(10000, Workers(3)) + "," + Compute(10000, Workers(3)) + "," +
                             Compute(2000, Workers(2));
    const RunResult result = Run(OnServers(2, 4, "gavel", "fgd", jobs));
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_LT(RunsOf(result, 3).front().start.GetSeconds(), 4 * 360);
    EXPECT_LT(RowOf(result, 3).GetJct(), 10000);
    for (const uint32_t job : {1, 2})
    {
        EXPECT_EQ(SumIterations(RunsOf(result, job)), 10000U);
    }
}

// Jobs 2, 3 and 4 leave while job 1 has its lease. It had the cluster to itself since then, so at
// its end it is worse off than job 5, which has just come.
TEST_F(LeasingServersTest, ThemisCountsWhoLeavesDuringALease)
{
    std::string jobs = Compute(2000, Workers(5));
    for (int i = 0; i < 3; ++i)
    {
        jobs += "," + Compute(10, Workers(1));
    }
    jobs += "," + Compute(2000, Workers(5, "1200s"));
    const RunResult result = Run(OnServers(8, 1, "themis", "first-fit", jobs));
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_EQ(RunsOf(result, 1).size(), 1U);
    EXPECT_NEAR(RowOf(result, 1).GetJct(), 2000, 0.1);
}

// The fast machine fails: its job does not wait there until its lease is over.
TEST_F(LeasingRunTest, AFailureEndsALease)
{
    const RunResult result =
        Run(OnTypes(2, "\"themis\"", Compute(1000)),
            {"scheduler.coordinator=1",
             "cluster.failures=[{\"server\": 0, \"at\": \"100s\", \"for\": \"5000s\"}]"});
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    const auto runs = RunsOf(result, 1);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].placement.workers.front().host, HostId{0});
    EXPECT_EQ(runs[1].placement.workers.front().host, HostId{1});
    EXPECT_LT(runs[1].start.GetSeconds(), 110);
}

TEST_F(LeasingRunTest, WhatCannotBeIsRefused)
{
    const auto complaint = [this](const std::string& job, const Settings& settings) {
        try
        {
            Run(OnTypes(4, "\"themis\"", job), settings);
        }
        catch (const InputError& error)
        {
            Simulator::Destroy(); // what was built before the complaint
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(complaint(Compute(1, "\"workers\": 2"), {}), "");
    EXPECT_EQ(complaint(Compute(1, "\"workers\": 3"), {}),
              "job 1 needs 3 GPUs of one type, of which there are 2 "
              "(themis gives a job GPUs of one type; where the user places "
              "it, these count)");
    const std::string both = R"("workers": 2,
        "placement": {"workers": [[1, 0], [2, 0]]})";
    const std::string several = "is placed by the user on machines with GPUs of several types";
    EXPECT_NE(complaint(Compute(1, both), {}).find(several), std::string::npos);
    const auto withServer = [](const std::string& host) {
        return R"({"model": {"name": "m", "bytes": "1B", "forward": "1s"}, "iterations": 1,
                   "pattern": "parameter-server", "workers": 1, "servers": 1,
                   "placement": {"workers": [[0, 0]], "servers": [)" +
               host + "]}}";
    };
    EXPECT_EQ(complaint(withServer("1"), {}), "");
    EXPECT_NE(complaint(withServer("2"), {}).find(several), std::string::npos);
    for (const std::string key : {"lease", "minRun", "batchWindow", "improve"})
    {
        EXPECT_NE(complaint(Compute(1), {"scheduler." + key + "=1s"}).find("leases of its own"),
                  std::string::npos)
            << key;
    }
    EXPECT_NE(complaint(Compute(1), {"cluster.hosts.gpuMemory=16GB"}).find("whole GPUs"),
              std::string::npos);
}

} // namespace
