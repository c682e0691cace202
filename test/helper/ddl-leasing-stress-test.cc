// SPDX-License-Identifier: GPL-2.0-only
// Random clusters under `gavel` and `themis`, with placement policies that decline GPUs: everybody
// ends, GPUs are held once, and nobody is moved to and fro.
#include "ddl-policy-variants.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-max-min-share.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t STRESS_SERVERS = 3;              // per type, of 4 GPUs each
constexpr double LONGEST_ITERATION = 5 * 3 + 0.001; // on the slowest type, s

/** Placement policy, job queue policy, number of types. */
using StressCase = std::tuple<std::string, std::string, uint32_t>;

class LeasingStressTest : public SimulationFixture, public testing::WithParamInterface<StressCase>
{
  protected:
    /** \return 20 jobs of 1 to 6 GPUs that compute for up to 2 h on the fastest type */
    static std::string DrawJobs(std::mt19937& random)
    {
        std::ostringstream jobs;
        for (int i = 0; i < 20; ++i)
        {
            const uint32_t seconds = 1 + random() % 5;
            jobs << (i > 0 ? "," : "") << R"({"model": {"name": "m", "bytes": "1B", "forward": ")"
                 << seconds << R"(s"}, "pattern": "ring", "workers": )" << 1 + random() % 6
                 << R"(, "submit": ")" << random() % 3600 << R"(s", "iterations": )"
                 << 10 + random() % (7200 / seconds) << "}";
        }
        return jobs.str();
    }

    static std::string DrawScenario(const StressCase& each, bool fails, std::mt19937& random)
    {
        const auto& [placement, policy, types] = each;
        std::ostringstream groups;
        for (uint32_t type = 0; type < types; ++type)
        {
            groups << (type > 0 ? ", " : "") << R"({"count": )" << STRESS_SERVERS;
            type > 0 ? groups << R"(, "gpuType": "slow)" << type << "\"}" : groups << "}";
        }
        std::ostringstream failures;
        for (int i = 0; fails && i < 3; ++i) // one after another; server 0 has the coordinator
        {
            failures << (i > 0 ? ", " : "") << R"({"server": )"
                     << 1 + random() % (types * STRESS_SERVERS - 1) << R"(, "at": ")"
                     << 500 + 3000 * i + random() % 1000 << R"(s", "for": "1000s"})";
        }
        std::ostringstream text;
        text << R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": )"
             << types * STRESS_SERVERS << R"(}, "hosts": {"gpus": 4, "groups": [)" << groups.str()
             << R"(]}, "gpuTypes": {"slow1": {"speed": 0.5}, "slow2": {"speed": 0.34}},
                "failures": [)"
             << failures.str() << R"(]}, "transport": {"kind": "fluid"},
                "scheduler": {"control": "direct", "coordinator": 0, "jobs": ")"
             << policy << R"(", "placement": ")" << placement << R"("},
                "workload": {"jobs": [)"
             << DrawJobs(random) << "]}}";
        return text.str();
    }

    /** No GPU is held twice at any time. */
    static void CheckGpus(const RunResult& result)
    {
        std::map<GpuId, std::vector<std::pair<Time, Time>>> uses;
        for (const JobRunRecord& run : result.runs)
        {
            for (const GpuId& gpu : ListGpus(run.placement))
            {
                uses[gpu].emplace_back(run.start, run.end);
            }
        }
        for (auto& [gpu, spans] : uses)
        {
            std::sort(spans.begin(), spans.end());
            for (std::size_t i = 1; i < spans.size(); ++i)
            {
                EXPECT_GE(spans[i].first, spans[i - 1].second) << "server " << gpu.host.value;
            }
        }
    }

    /**
     * With `gavel` a job is suspended at most once per round. With `themis` it may move once during
     * a lease, and again during the next one, and have to leave in between: the fourth suspension
     * is at least a lease after the first. Each is late by an iteration at most.
     */
    static void CheckMoves(const RunResult& result, bool isGavel)
    {
        const std::size_t most = isGavel ? 1 : 3; // in less than a lease
        const double lease = isGavel ? 360 : 1200;
        std::map<JobId, std::vector<JobRunRecord>> runs;
        for (const JobRunRecord& run : result.runs)
        {
            runs[run.job].push_back(run);
        }
        for (auto& [job, list] : runs)
        {
            std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
                return a.run < b.run;
            });
            for (std::size_t i = 0; i + most < list.size(); ++i)
            {
                const auto end = list.begin() + i + most + 1;
                if (std::all_of(list.begin() + i, end, [](const JobRunRecord& run) {
                        return run.reason == "suspended";
                    }))
                {
                    const Time passed = list[i + most].end - list[i].end;
                    EXPECT_GE(passed.GetSeconds(), lease - LONGEST_ITERATION) << "job " << job;
                }
            }
        }
    }
};

TEST_P(LeasingStressTest, EverybodyEndsAndNobodyIsMovedToAndFro)
{
    const bool isGavel = std::get<1>(GetParam()) == "gavel";
    if (isGavel && !HasShareSolver())
    {
        GTEST_SKIP() << "built without lp_solve";
    }
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        std::mt19937 random(seed);
        const std::string text = DrawScenario(GetParam(), seed % 2 == 0, random);
        SCOPED_TRACE(text);
        const RunResult result = Run(text);
        ASSERT_EQ(result.status, RunResult::Status::DONE);
        EXPECT_EQ(result.jobs.size(), 20U);
        CheckGpus(result);
        CheckMoves(result, isGavel);
    }
}

std::string
GetStressName(const testing::TestParamInfo<StressCase>& info)
{
    const auto& [placement, policy, types] = info.param;
    return placement + "_" + policy + "_" + std::to_string(types);
}

INSTANTIATE_TEST_SUITE_P(Random,
                         LeasingStressTest,
                         testing::Combine(testing::Values("fgd", "tiresias", "dally", "gandiva"),
                                          testing::Values("gavel", "themis"),
                                          testing::Values(1, 2, 3)),
                         GetStressName);

class LeasingBoundTest : public SimulationFixture
{
};

// A lease of 1 ns is over as often as the clock ticks.
TEST_F(LeasingBoundTest, LeasesThatAreFarTooShortAreRefused)
{
    for (const std::string policy :
         {R"({"type": "themis", "Lease": "1ns"})", R"({"type": "gavel", "Round": "1ns"})"})
    {
        if (policy.find("gavel") != std::string::npos && !HasShareSolver())
        {
            continue;
        }
        const std::string job = ComputeJob(1000, R"("iterations": 3)");
        const std::string text = OnSwitch(1, 1, R"({"jobs": [)" + job + "," + job + "]}");
        const std::string error =
            test::RunErrorOf([&]() { Run(text, {"scheduler.jobs=" + policy}); });
        EXPECT_NE(error.find("no job has finished an iteration for 1000 leases of +1ns"),
                  std::string::npos)
            << error;
    }
}

} // namespace
