// SPDX-License-Identifier: GPL-2.0-only
// Estimates in whole runs: what is learnt of jobs that have left, who uses it, and the errors.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-estimator.h"
#include "ns3/ddl-regression-error.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class EstimatesRunTest : public SimulationFixture
{
  protected:
    /** \return values of a label by job, as far as there are predictions */
    static std::map<uint32_t, Prediction> PredictionsOf(const RunResult& result,
                                                        const std::string& label)
    {
        std::map<uint32_t, Prediction> predictions;
        for (const auto& row : result.estimates)
        {
            if (row.label == label && row.predicted)
            {
                predictions[row.job.value] = {*row.predicted, row.actual};
            }
        }
        return predictions;
    }

    static double ActualOf(const RunResult& result, uint32_t job, const std::string& label)
    {
        for (const auto& row : result.estimates)
        {
            if (row.job.value == job && row.label == label)
            {
                return row.actual;
            }
        }
        ADD_FAILURE() << "job " << job << " has no " << label;
        return 0;
    }

    /** \return jobs of one worker and one server, of 12.5 MB and 30 ms, one after the other */
    static std::string Chain(uint32_t count)
    {
        return OnSwitch(2,
                        1,
                        R"({"jobs": [{"model": {"name": "m", "bytes": "12500kB",
            "forward": "10ms", "backward": "20ms", "gpuMemory": "3GB", "batch": 8},
            "workers": 1, "servers": 1, "serverGpus": 1, "iterations": 10, "count": )" +
                            std::to_string(count) + "}]}");
    }

    /** \return noisy jobs of three models and several sizes, more than fit */
    static std::string Backlog()
    {
        return R"({"name": "backlog",
            "cluster": {"topology": {"kind": "single-switch", "hosts": 5}, "hosts": {"gpus": 2}},
            "transport": {"kind": "fluid"},
            "workload": {
                "compute": {"jitter": {"type": "uniform-random-variable", "Min": 0.8, "Max": 1.2},
                            "straggler": {"type": "uniform-random-variable", "Min": 1, "Max": 1.5}},
                "generator": {"kind": "jobs", "jobs": 60, "servers": 1, "serverGpus": 1,
                    "sizes": [[1, 1], [2, 3], [3, 1]], "pick": "random",
                    "iterations": {"type": "uniform-random-variable", "Min": 3, "Max": 12},
                    "arrivals": {"type": "uniform", "Window": "600ms"},
                    "models": [{"name": "a", "bytes": "1MB", "forward": "1ms", "backward": "2ms"},
                               {"name": "b", "bytes": "9MB", "forward": "1ms", "backward": "2ms"},
                               {"name": "c", "bytes": "3MB", "forward": "4ms", "backward": "5ms"}]}}})";
    }
};

TEST_F(EstimatesRunTest, WhatAJobHasUsed)
{
    // 12.5 MB at 10 Gbps: 10 ms up and 10 ms down; 30 ms of computing: 60 % of 50 ms; 250 MB/s each
    // way, on both sides.
    const RunResult result = Run(Chain(1), {"transport.kind=fluid", "scheduler.estimator=table"});
    ASSERT_EQ(result.estimates.size(), 10U);
    EXPECT_NEAR(ActualOf(result, 1, "worker_gpu_utilisation"), 0.6, 0.02);
    EXPECT_NEAR(ActualOf(result, 1, "worker_receive_bytes_per_s"), 250e6, 10e6);
    EXPECT_NEAR(ActualOf(result, 1, "worker_send_bytes_per_s"), 250e6, 10e6);
    EXPECT_NEAR(ActualOf(result, 1, "server_receive_bytes_per_s"), 250e6, 10e6);
    EXPECT_EQ(ActualOf(result, 1, "server_gpu_utilisation"), 0);
    EXPECT_EQ(ActualOf(result, 1, "worker_gpu_memory_bytes"), 3e9);
    EXPECT_NEAR(ActualOf(result, 1, "worker_gpu_utilisation_deviation"), 0, 0.01);
    EXPECT_TRUE(Run(Chain(1), {"transport.kind=fluid"}).estimates.empty()) << "none";
}

TEST_F(EstimatesRunTest, TheForestAnswersFromTheFourthJobOn)
{
    const RunResult result = Run(Chain(6), {"transport.kind=fluid", "scheduler.estimator=forest"});
    const auto predictions = PredictionsOf(result, "worker_send_bytes_per_s");
    ASSERT_EQ(predictions.size(), 3U) << "jobs 1 to 3 have defaults";
    for (uint32_t job = 4; job <= 6; ++job)
    {
        ASSERT_EQ(predictions.count(job), 1U);
        EXPECT_NEAR(predictions.at(job).predicted / predictions.at(job).actual, 1, 1e-6);
    }
    // All jobs are equal, and so is what they have sent.
    EXPECT_EQ(ActualOf(result, 4, "worker_send_bytes_per_s"),
              ActualOf(result, 5, "worker_send_bytes_per_s"));
}

TEST_F(EstimatesRunTest, TheOracleIsRightAlone)
{
    const RunResult result = Run(Chain(1), {"transport.kind=fluid", "scheduler.estimator=oracle"});
    for (const auto& row : result.estimates)
    {
        ASSERT_TRUE(row.predicted) << row.label;
        EXPECT_NEAR(*row.predicted, row.actual, 0.03 * std::abs(row.actual) + 0.01) << row.label;
    }
}

TEST_F(EstimatesRunTest, SharedGpusGiveTheMemoryThatIsEstimated)
{
    // Jobs say 3 GB, so three fit a GPU of 10 GB. Before anything is known each gets 8192 MB: one
    // at a time. After three jobs the forest knows 3 GB, and the waiting ones get that.
    const std::string job = R"({"model": {"name": "m", "bytes": "8B", "forward": "10ms",
        "gpuMemory": "3GB"}, "workers": 1, "iterations": 10, "pattern": "ring", "count": 6})";
    const std::string text = OnSwitch(1, 1, R"({"jobs": [)" + job + "]}");
    const std::string shared = "cluster.hosts.gpuMemory=10GB";
    const RunResult none = Run(text, {shared});
    EXPECT_EQ(RowOf(none, 3).start, Time(0));
    EXPECT_EQ(RowOf(none, 4).start, RowOf(none, 1).end);
    const RunResult forest = Run(text, {shared, "scheduler.estimator=forest"});
    EXPECT_EQ(RowOf(forest, 2).start, MilliSeconds(100));
    EXPECT_EQ(RowOf(forest, 3).start, MilliSeconds(200));
    for (uint32_t id = 4; id <= 6; ++id)
    {
        EXPECT_EQ(RowOf(forest, id).start, MilliSeconds(300)) << id;
    }
    // A GPU that has less than the default still runs them.
    const RunResult small =
        Run(text, {"cluster.hosts.gpuMemory=4GB", "scheduler.estimator=forest"});
    EXPECT_EQ(small.status, RunResult::Status::DONE);
}

TEST_F(EstimatesRunTest, BacklogsWithEveryEstimatorAreDoneAndTheSameTwice)
{
    for (const std::string& estimator : ListPolicies(Estimator::GetTypeId()))
    {
        SCOPED_TRACE(estimator);
        const Settings settings = {
            "scheduler.estimator=" + estimator,
            "scheduler.placement={\"type\": \"liquid-best-fit\", \"Bandwidth\": true}"};
        const RunResult first = Run(Backlog(), settings);
        const RunResult second = Run(Backlog(), settings);
        ASSERT_EQ(first.status, RunResult::Status::DONE);
        EXPECT_EQ(first.jobs.size(), 60U);
        EXPECT_EQ(first.makespan, second.makespan);
        ASSERT_EQ(first.estimates.size(), second.estimates.size());
        EXPECT_EQ(first.estimates.size(), estimator == "none" ? 0U : 600U);
        for (std::size_t i = 0; i < first.estimates.size(); ++i)
        {
            EXPECT_EQ(first.estimates[i].predicted, second.estimates[i].predicted);
        }
    }
}

TEST_F(EstimatesRunTest, UnderLeasesAndFailuresToo)
{
    const RunResult result =
        Run(Backlog(),
            {"scheduler.estimator=forest",
             "scheduler.placement=liquid-genetic",
             "scheduler.batchWindow=5ms",
             "scheduler.jobs=2d-las",
             "scheduler.lease=40ms",
             "scheduler.detection=3ms",
             "cluster.failures=[{\"server\": 2, \"at\": \"200ms\", \"for\": \"100ms\"}]"});
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_EQ(result.jobs.size(), 60U);
    EXPECT_GT(result.runs.size(), 60U);
    EXPECT_EQ(result.estimates.size(), 600U) << "a job is learnt once, however many runs it had";
}

TEST_F(EstimatesRunTest, TheForestComesCloserThanTheMeanOfAll)
{
    // Of the utilisation, which the model decides most. Rates hang on where a job is placed, which
    // no feature says.
    const RunResult result =
        Run(Backlog(), {"scheduler.estimator=forest", "scheduler.placement=liquid-best-fit"});
    std::vector<Prediction> predictions;
    for (const auto& [job, prediction] : PredictionsOf(result, "worker_gpu_utilisation"))
    {
        predictions.push_back(prediction);
    }
    EXPECT_GT(predictions.size(), 40U);
    const RegressionError error = ComputeError(predictions);
    EXPECT_GT(error.r2.value_or(0), 0.5);
}

} // namespace
