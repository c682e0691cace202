// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cojob.h"
#include "ns3/ddl-search-algorithm.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Jobs 1, 2, ... with accuracies that hold for all stages. */
CojobSpec
Spec(const std::string& search, std::vector<uint64_t> iterations, std::vector<double> accuracies)
{
    CojobSpec spec;
    spec.id = CojobId{3};
    spec.iterations = std::move(iterations);
    spec.search.SetTypeId(FindPolicy(SearchAlgorithm::GetTypeId(), search));
    for (const double accuracy : accuracies)
    {
        JobSpec job;
        job.id = JobId{static_cast<uint32_t>(spec.jobs.size()) + 1};
        job.accuracy = {accuracy};
        spec.jobs.push_back(job);
    }
    return spec;
}

using Jobs = std::vector<JobId>;

} // namespace

TEST(PlanLastStages, HalvingEightJobsOverFourStages)
{
    // 8 -> 4 -> 2 -> 1 (Grouper §V-B): stage 1 stops the worst 4, stage 2 two, stage 3 one.
    const CojobSpec spec =
        Spec("successive-halving", {500, 1000, 2000, 4000}, {8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_EQ(PlanLastStages(spec), (std::vector<uint32_t>{4, 3, 2, 2, 1, 1, 1, 1}));
}

TEST(PlanLastStages, AccuraciesChangeFromStageToStage)
{
    CojobSpec spec = Spec("successive-halving", {1, 1, 1}, {0, 0, 0, 0});
    spec.jobs[0].accuracy = {0.9, 0.1, 0.1}; // leads, then falls behind
    spec.jobs[1].accuracy = {0.8, 0.9, 0.9};
    spec.jobs[2].accuracy = {0.1};
    spec.jobs[3].accuracy = {};
    EXPECT_EQ(PlanLastStages(spec), (std::vector<uint32_t>{2, 3, 1, 1}));
}

TEST(PlanLastStages, ListGivesTheUsersStagesUpToTheLast)
{
    CojobSpec spec = Spec("list", {1, 1}, {0, 0, 0});
    spec.jobs[0].stopAfter = 1;
    spec.jobs[1].stopAfter = 9;
    EXPECT_EQ(PlanLastStages(spec), (std::vector<uint32_t>{1, 2, 2}));
}

TEST(Cojob, ABarrierAfterEachStageButTheLast)
{
    Cojob cojob(Spec("successive-halving", {10, 20}, {0.9, 0.1, 0.8, 0.2}));
    EXPECT_EQ(cojob.GetStage(), 0U);
    EXPECT_EQ(cojob.GetLastStage(JobId{1}), 2U);
    EXPECT_EQ(cojob.GetLastStage(JobId{2}), 1U);

    const StageDecision begin = cojob.Begin();
    EXPECT_EQ(begin.go, (Jobs{{1}, {2}, {3}, {4}}));
    EXPECT_TRUE(begin.stop.empty());
    EXPECT_EQ(begin.stage, 1U);
    EXPECT_EQ(begin.iterations, 10U);

    EXPECT_FALSE(cojob.FinishStage(JobId{4}));
    EXPECT_FALSE(cojob.FinishStage(JobId{1}));
    EXPECT_FALSE(cojob.FinishStage(JobId{2}));
    EXPECT_EQ(cojob.GetStage(), 1U);
    const auto next = cojob.FinishStage(JobId{3});
    ASSERT_TRUE(next);
    EXPECT_EQ(next->stop, (Jobs{{2}, {4}}));
    EXPECT_EQ(next->go, (Jobs{{1}, {3}}));
    EXPECT_EQ(next->stage, 2U);
    EXPECT_EQ(next->iterations, 20U);
    EXPECT_EQ(cojob.GetLiveJobs(), (Jobs{{1}, {3}}));

    const auto first = cojob.FinishStage(JobId{3}); // leaves without waiting for job 1
    ASSERT_TRUE(first);
    EXPECT_EQ(first->stop, (Jobs{{3}}));
    EXPECT_TRUE(first->go.empty());
    EXPECT_FALSE(cojob.GetLiveJobs().empty());
    const auto last = cojob.FinishStage(JobId{1});
    ASSERT_TRUE(last);
    EXPECT_EQ(last->stop, (Jobs{{1}}));
    EXPECT_TRUE(cojob.GetLiveJobs().empty());
    EXPECT_EQ(cojob.GetStage(), 2U);
}

TEST(Cojob, MayEndBeforeItsLastStage)
{
    CojobSpec spec = Spec("list", {5, 5, 5}, {0, 0});
    spec.jobs[0].stopAfter = 1;
    spec.jobs[1].stopAfter = 1;
    Cojob cojob(spec);
    cojob.Begin();
    EXPECT_FALSE(cojob.FinishStage(JobId{1}));
    const auto end = cojob.FinishStage(JobId{2});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->stop, (Jobs{{1}, {2}}));
    EXPECT_TRUE(end->go.empty());
    EXPECT_EQ(end->iterations, 0U);
    EXPECT_TRUE(cojob.GetLiveJobs().empty());
    EXPECT_EQ(cojob.GetStage(), 1U);
}

TEST(Cojob, APlainJobIsAGroupOfOne)
{
    Cojob cojob(Spec("none", {7}, {0}));
    EXPECT_EQ(cojob.Begin().iterations, 7U);
    const auto end = cojob.FinishStage(JobId{1});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->stop, (Jobs{{1}}));
    EXPECT_TRUE(cojob.GetLiveJobs().empty());
}

TEST(CojobDeathTest, FinishingTwiceOrAsAStranger)
{
    Cojob cojob(Spec("none", {1, 1}, {0, 0}));
    cojob.Begin();
    cojob.FinishStage(JobId{1});
    EXPECT_DEATH(cojob.FinishStage(JobId{1}), "job 1 is not running stage 1");
    EXPECT_DEATH(cojob.FinishStage(JobId{9}), "job 9 is not running");
    EXPECT_DEATH(cojob.GetLastStage(JobId{9}), "not one of cojob 3");
    EXPECT_DEATH(Cojob(Spec("none", {}, {0})), "no stages");
}
