// SPDX-License-Identifier: GPL-2.0-only
// Liquid's rules for a second job on a GPU, in whole runs.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class SharingRulesRunTest : public SimulationFixture
{
  protected:
    /** \return so many jobs of one GPU, at a switch with one GPU of 10 GB on each machine */
    static std::string JobsOfOneGpu(uint32_t count,
                                    const std::string& model,
                                    uint32_t iterations,
                                    uint32_t machines = 1)
    {
        std::string jobs;
        for (uint32_t i = 0; i < count; ++i)
        {
            jobs += std::string(i > 0 ? ", " : "") + R"({"model": {"name": "m", "bytes": "1B", )" +
                    model + R"(, "gpuMemory": "3GB"}, "workers": 1, "iterations": )" +
                    std::to_string(iterations) + "}";
        }
        return OnSwitch(machines, 1, R"({"jobs": [)" + jobs + "]}");
    }

    static Settings With(const std::vector<std::string>& more)
    {
        Settings settings = {"cluster.hosts.gpuMemory=10GB",
                             "transport.kind=fluid",
                             "scheduler.control=direct",
                             "scheduler.estimator=oracle"};
        settings.insert(settings.end(), more.begin(), more.end());
        return settings;
    }

    /** \return the run of a job that has run once */
    static const JobRunRecord& RunOf(const RunResult& result, uint32_t job)
    {
        return *std::find_if(result.runs.begin(), result.runs.end(), [job](const auto& run) {
            return run.job.value == job;
        });
    }

    /** \return when it got its GPU */
    static Time GotGpu(const RunResult& result, uint32_t job)
    {
        return RunOf(result, job).start;
    }

    static void ExpectNear(Time found, double seconds)
    {
        EXPECT_NEAR(found.GetSeconds(), seconds, 1e-3);
    }
};

const std::string HALF_BUSY = R"("input": "550ms", "forward": "450ms")";

TEST_F(SharingRulesRunTest, TwoLightJobsOverlapAndAThirdWaits)
{
    const std::string text = JobsOfOneGpu(3, HALF_BUSY, 10);
    const RunResult light = Run(text, With({"scheduler.share={}"}));
    ExpectNear(RowOf(light, 1).end, 10);
    ExpectNear(RowOf(light, 2).end, 10.45); // one conflict
    ExpectNear(RowOf(light, 3).start, 10);  // three would be 135 %
    const RunResult all = Run(text, With({"scheduler.share={\"utilisation\": 1.4}"}));
    ExpectNear(RowOf(all, 3).start, 0);
    const RunResult memory = Run(text, With({}));
    ExpectNear(RowOf(memory, 3).start, 0);
    ExpectNear(RowOf(memory, 3).end, RowOf(all, 3).end.GetSeconds());
    EXPECT_TRUE(light.gpuIdle.empty()); // the third begins beside the second
}

TEST_F(SharingRulesRunTest, HeavyJobsDoNotShare)
{
    const RunResult result = Run(JobsOfOneGpu(2, R"("input": "100ms", "forward": "900ms")", 10),
                                 With({"scheduler.share={}"}));
    ExpectNear(RowOf(result, 2).start, 10);
    ExpectNear(RowOf(result, 2).end, 20);
}

const std::string LOAD_AND_SAVE =
    "scheduler.switch={\"launch\": \"12s\", \"finish\": \"4s\"}"; // train 30 s

TEST_F(SharingRulesRunTest, TheNextJobLoadsWhileTheLastOneTrains)
{
    const RunResult result = Run(JobsOfOneGpu(3, R"("forward": "3s")", 10),
                                 With({LOAD_AND_SAVE, "scheduler.preSchedule={}"}));
    ExpectNear(RowOf(result, 1).end, 42);
    ExpectNear(GotGpu(result, 2), 15);    // 42 - 12 - 15
    ExpectNear(RowOf(result, 2).end, 72); // trains from 42 on
    ExpectNear(GotGpu(result, 3), 46);    // 45, but the first one saves until 46
    ExpectNear(RowOf(result, 3).end, 102);
    const RunResult late = Run(JobsOfOneGpu(2, R"("forward": "3s")", 10),
                               With({LOAD_AND_SAVE, "scheduler.preSchedule={\"margin\": \"0s\"}"}));
    ExpectNear(GotGpu(late, 2), 30);
    ExpectNear(RowOf(late, 2).end, 72);
    ExpectNear(RunOf(late, 2).end, 76); // 96 one after the other
    ExpectNear(RunOf(late, 2).training->start, 42);
    ExpectNear(RunOf(late, 2).training->end, 72);
    ASSERT_EQ(late.gpuIdle.size(), 1);
    EXPECT_NEAR(late.gpuIdle.front(), 0, 1e-3);
}

TEST_F(SharingRulesRunTest, GpusAreIdleBetweenTheTrainingOfJobs)
{
    const RunResult result = Run(JobsOfOneGpu(3, R"("forward": "3s")", 10), With({LOAD_AND_SAVE}));
    EXPECT_EQ(result.gpuIdle.size(), 0); // memory for all three
    const RunResult inTurn = Run(JobsOfOneGpu(3, R"("forward": "3s")", 10),
                                 With({LOAD_AND_SAVE, "cluster.hosts.gpuMemory=5GB"}));
    ASSERT_EQ(inTurn.gpuIdle.size(), 2);
    EXPECT_NEAR(inTurn.gpuIdle.front(), 16, 1e-3); // saved for 4 s, launched for 12 s
    EXPECT_NEAR(inTurn.gpuIdle.back(), 16, 1e-3);
}

TEST_F(SharingRulesRunTest, WhoLoadsBehindAJobThatFailsGoesOn)
{
    // The machine of both fails when one trains and the other has loaded; everything begins anew.
    const RunResult result =
        Run(JobsOfOneGpu(2, R"("forward": "3s")", 10, 2),
            With({LOAD_AND_SAVE,
                  "scheduler.preSchedule={}",
                  "scheduler.detection=1s",
                  "cluster.hosts.groups=[{\"gpus\": 0}, {\"gpus\": 1}]",
                  "cluster.failures=[{\"server\": 1, \"at\": \"30s\", \"for\": \"10s\"}]"}));
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    ExpectNear(RowOf(result, 1).end, 82); // 40 + 12 + 30
    ExpectNear(RowOf(result, 2).end, 112);
    for (const auto& run : result.runs)
    {
        EXPECT_EQ(run.reason == "failed", run.end < Seconds(40)) << run.job;
    }
}

TEST_F(SharingRulesRunTest, ABacklogWithNoiseAndFailuresEnds)
{
    for (const std::string transport : {"fluid", "rdma"})
    {
        Settings settings =
            With({LOAD_AND_SAVE,
                  "scheduler.preSchedule={}",
                  "scheduler.share={}",
                  "scheduler.reports=5s",
                  "scheduler.control=in-band",
                  "transport.kind=" + transport,
                  "workload.compute={\"jitter\": {\"type\": \"uniform-random-variable\", "
                  "\"Min\": 0.5, \"Max\": 2}}",
                  "cluster.failures=[{\"server\": 1, \"at\": \"50s\", \"for\": \"10s\"}, "
                  "{\"server\": 2, \"at\": \"77s\", \"for\": \"33s\"}]"});
        const RunResult result =
            Run(JobsOfOneGpu(14, R"("input": "2s", "forward": "1s")", 10, 3), settings);
        EXPECT_EQ(result.status, RunResult::Status::DONE);
        EXPECT_TRUE(result.unfinished.empty());
        ASSERT_EQ(result.jobs.size(), 14U);
        for (const JobRow& row : result.jobs)
        {
            EXPECT_EQ(row.iterations, 10U);
        }
    }
}

TEST_F(SharingRulesRunTest, RulesThatLackSomethingAreRefused)
{
    const auto said = [this](const Settings& settings) {
        try
        {
            Run(JobsOfOneGpu(1, HALF_BUSY, 1), settings);
        }
        catch (const InputError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(said(With({"scheduler.share={}"})), "");
    EXPECT_NE(said(With({"scheduler.share={}", "scheduler.estimator=none"}))
                  .find("(scheduler.estimator)"),
              std::string::npos);
    EXPECT_EQ(said(With({"scheduler.preSchedule={}", "scheduler.estimator=none"})), "");
    EXPECT_NE(said(With({"scheduler.preSchedule={}", "cluster.hosts.gpuMemory=0B"}))
                  .find("(cluster.hosts.gpuMemory)"),
              std::string::npos);
    EXPECT_NE(said(With({"scheduler.share={}", "scheduler.lease=1s"})).find("scheduler.lease"),
              std::string::npos);
    EXPECT_NE(said(With({"scheduler.share={}", "scheduler.jobs=2d-las"})).find("scheduler.jobs"),
              std::string::npos);
}

} // namespace
