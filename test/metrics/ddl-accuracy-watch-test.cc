// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-accuracy-watch.h"
#include "ns3/ddl-curve-shape.h"
#include "ns3/ddl-list-search-algorithm.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

JobSpec
MakeJob(uint32_t id, const std::vector<CurvePoint>& points, uint32_t stopAfter)
{
    JobSpec job;
    job.id = JobId{id};
    job.curve.emplace();
    job.curve->points = points;
    job.stopAfter = stopAfter;
    return job;
}

/** Two stages of 10 and 90 iterations; job 2 stops after the first one, job 3 has no curve. */
CojobSpec
MakeCojob()
{
    CojobSpec cojob;
    cojob.id = CojobId{7};
    cojob.iterations = {10, 90};
    cojob.search.SetTypeId(ListSearchAlgorithm::GetTypeId());
    cojob.jobs = {MakeJob(1, {{0, 0, {}}, {100, 1.0, {}}}, NEVER_STOPPED),
                  MakeJob(2, {{0, 0, {}}, {8, 0.45, {}}, {100, 0.5, {}}}, 1),
                  MakeJob(3, {}, NEVER_STOPPED)};
    cojob.jobs[2].curve.reset();
    return cojob;
}

void
Feed(AccuracyWatch& watch, uint32_t job, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; ++i)
    {
        IterationRecord record;
        record.job = JobId{job};
        record.iteration = i;
        record.end = Seconds(i);
        watch.Note({record, 1, Time()});
    }
}

} // namespace

TEST(AccuracyWatch, EachJobByItsOwnCurveAndTheCojobByItsBest)
{
    AccuracyWatch watch;
    watch.AddGroup(MakeCojob());
    EXPECT_TRUE(watch.IsWatched(JobId{1}));
    EXPECT_FALSE(watch.IsWatched(JobId{3}));
    // Job 2 would converge to 0.5; 0.45 are there after 8 iterations, before it is stopped.
    Feed(watch, 2, 1, 10);
    EXPECT_EQ(watch.GetTime(JobId{2}), Seconds(8));
    // Job 1 converges to 1: 0.9 after 90 iterations, which is 90 % of the cojob's best as well.
    Feed(watch, 1, 1, 89);
    Feed(watch, 3, 1, 100);
    EXPECT_FALSE(watch.GetTime(JobId{1}));
    EXPECT_FALSE(watch.GetTime(CojobId{7}));
    Feed(watch, 1, 90, 100);
    EXPECT_EQ(watch.GetTime(JobId{1}), Seconds(90));
    EXPECT_EQ(watch.GetTime(CojobId{7}), Seconds(90));
    watch.Remove(JobId{1});
    watch.Remove(CojobId{7});
    EXPECT_FALSE(watch.IsWatched(JobId{1}));
    EXPECT_FALSE(watch.GetTime(CojobId{7}));
}

TEST(AccuracyWatch, ACurveOfTheLossAloneIsNotWatched)
{
    CojobSpec cojob = MakeCojob();
    LearningCurve& curve = *cojob.jobs[0].curve;
    curve = LearningCurve();
    curve.shape.SetTypeId(InverseCurveShape::GetTypeId());
    curve.half = 10;
    curve.startLoss = 2;
    curve.endLoss = 1;
    AccuracyWatch watch;
    watch.AddGroup(cojob);
    EXPECT_TRUE(watch.IsWatched(JobId{1})) << "from 0 to 1 unless it says otherwise";
    curve.startAccuracy.reset();
    curve.endAccuracy.reset();
    AccuracyWatch other;
    other.AddGroup(cojob);
    EXPECT_FALSE(other.IsWatched(JobId{1}));
    EXPECT_TRUE(other.IsWatched(JobId{2})) << "another job of the cojob has an accuracy";
    EXPECT_FALSE(GetAccuracy(curve, 10));
    EXPECT_FALSE(FindAccuracy(curve, 0, 10));
    EXPECT_EQ(GetLoss(curve, 10), 1.5);
}

TEST(AccuracyWatch, AJobThatStopsBeforeHasNoTime)
{
    CojobSpec cojob = MakeCojob();
    cojob.jobs[0].stopAfter = 1; // at 0.1, where job 2 has 0.45 + 0.05 x 2 / 92 = 0.4511
    AccuracyWatch watch;
    watch.AddGroup(cojob);
    Feed(watch, 1, 1, 10);
    Feed(watch, 2, 1, 7);
    EXPECT_FALSE(watch.GetTime(JobId{1}));
    EXPECT_FALSE(watch.GetTime(CojobId{7}));
    // 0.9 x 0.4511 = 0.406, at iteration 0.406 / 0.45 x 8 = 7.2
    Feed(watch, 2, 8, 8);
    EXPECT_EQ(watch.GetTime(CojobId{7}), Seconds(8));
}

TEST(AccuracyWatch, WhatIsReachedInALeapHasItsIterationsTime)
{
    AccuracyWatch watch;
    watch.AddGroup(MakeCojob());
    // Job 1 is at 0.9 after iteration 90.
    Feed(watch, 1, 1, 50);
    IterationRecord record;
    record.job = JobId{1};
    record.iteration = 51;
    record.end = Seconds(100);
    watch.Note({record, 39, Seconds(0.5)}); // to iteration 89
    EXPECT_FALSE(watch.GetTime(JobId{1}));
    record.iteration = 90;
    record.end = Seconds(120);
    watch.Note({record, 10, Seconds(0.5)});
    EXPECT_EQ(watch.GetTime(JobId{1}), Seconds(120));
    AccuracyWatch other;
    other.AddGroup(MakeCojob());
    record.iteration = 11;
    other.Note({record, 90, Seconds(0.5)}); // 11 at 120 s, 90 at 159.5 s
    EXPECT_EQ(other.GetTime(JobId{1}), Seconds(159.5));
}
