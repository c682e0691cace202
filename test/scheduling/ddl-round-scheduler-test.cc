// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"
#include "ddl-round-play.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-hlas-round-scheduler.h"
#include "ns3/ddl-round-ledger.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using test::MakeRoundJob;
using test::MakeRoundScheduler;
using test::PlayedJob;
using test::PlayedTask;
using test::RoundPlay;

// Hare, Fig. 9: seconds of a task on GPUs 1 to 4.
const std::vector<double> JOB_A{3, 3, 1.8, 1.8};
const std::vector<double> JOB_B{1, 2, 2.5, 1};

/** HLAS as in Fig. 12: on one GPU, T = 1 s for all jobs, queues that end at T, 2 T and 3 T. */
const std::map<std::string, std::string> FIGURE_12{
    {"FirstLimit", "1"},
    {"Factor", "1"},
    {"Queues", "4"},
};

const std::vector<PlayedJob> JOBS_OF_12{{1, 1, 2, {1}}, {2, 1, 3, {1}}, {3, 1, 4, {1}}};

TEST(RoundScheduler, Figure9)
{
    // A first: its 4 tasks begin at once. B's on GPUs 3 and 4 at 1.8, 4 at 2.8, 1 and 2 at 3, 4 at
    // 3.8: the last to end is that on GPU 2, at 5.
    const auto scheduler = MakeRoundScheduler("hlas");
    const RoundPlay first(scheduler, {{1, 4, 1, JOB_A}, {2, 6, 1, JOB_B}});
    EXPECT_EQ(first.ends.at(1), Seconds(3));
    EXPECT_EQ(first.ends.at(2), Seconds(5));
    EXPECT_DOUBLE_EQ(first.GetMeanEnd(), 4);
    // B first: GPUs 1 and 4 twice, 2 and 3 once, until 2.5. A's on 1, 2, 4 at 2, on 3 at 2.5.
    const RoundPlay second(scheduler, {{1, 6, 1, JOB_B}, {2, 4, 1, JOB_A}});
    EXPECT_EQ(second.ends.at(1), Seconds(2.5));
    EXPECT_EQ(second.ends.at(2), Seconds(5));
    EXPECT_DOUBLE_EQ(second.GetMeanEnd(), 3.75);
}

TEST(RoundScheduler, Figure10)
{
    const auto scheduler = MakeRoundScheduler("hlas");
    const auto expect = [&](uint32_t tasks, std::vector<double> seconds, double end, double sum) {
        const RoundPlay play(scheduler, {{1, tasks, 1, seconds}});
        EXPECT_EQ(play.ends.at(1), Seconds(end));
        EXPECT_EQ(play.GetService(1), Seconds(sum));
    };
    expect(4, {3, 3}, 6, 12);
    expect(6, {1, 2}, 4, 8); // four on the first, two on the second
    expect(4, {1.8, 1.8}, 3.6, 7.2);
    expect(6, {2.5, 1}, 5, 9); // two and four
}

TEST(RoundScheduler, SizesAreRoundsTimesMeanRoundTime)
{
    // Two groups, {1,3} and {2,4}. Mean speeds: A (2/3 + 2/1.8) / 2 = 16/18 per s, T = 4.5 s;
    // B (1 + 0.5 + 0.4 + 1) / 2 = 1.45, T = 6 / 1.45 = 4.138 s; their median 4.319 s.
    RoundLedger ledger(MakeRoundScheduler("hlas", {{"Groups", "2"}, {"FirstLimit", "1"}}),
                       {0, 1, 2, 3});
    const RoundJob a = MakeRoundJob({1, 4, 9, JOB_A});
    const RoundJob b = MakeRoundJob({2, 6, 9, JOB_B});
    ledger.Expect({a, b});
    ledger.Arrive(Time(), a);
    ledger.Arrive(Time(), b);
    EXPECT_EQ(ledger.GetGroups(), (GpuGroups{{0, 2}, {1, 3}}));
    EXPECT_EQ(ledger.Get(JobId{1}).roundTime.nanoseconds, Ratio(4'500'000'000));
    EXPECT_EQ(ledger.Get(JobId{2}).roundTime.nanoseconds, Ratio(600'000'000'000, 145));
    EXPECT_DOUBLE_EQ(ledger.Get(JobId{2}).roundTime.seconds, 6 / 1.45);

    const auto runRound = [&ledger](uint32_t job, Time now) {
        while (ledger.Get(JobId{job}).open > 0)
        {
            for (const auto& assignment : ledger.Assign(now))
            {
                EXPECT_EQ(assignment.job.value, job);
                for (const uint32_t gpu : assignment.gpus)
                {
                    ledger.EndTask(now, gpu);
                }
            }
        }
        ledger.EndRound(now, JobId{job}, false);
    };
    runRound(1, Seconds(1));                   // four tasks on four GPUs: none is left for B
    EXPECT_EQ(ledger.Get(JobId{1}).queue, 1u); // 4.5 s
    EXPECT_EQ(ledger.Get(JobId{1}).queued, Seconds(1));
    EXPECT_EQ(ledger.Get(JobId{2}).queue, 0u);
}

TEST(RoundScheduler, ASizeAtALimitIsInTheNextQueueExactly)
{
    // One group of two GPUs of 347 and two of 275 ms. With S = 2/347 + 2/275 tasks per ms, a round
    // of five tasks has T = 5/S and one of one task 1/S: no whole numbers of ns. Their median is
    // 3/S, so that three rounds of the latter are at the limit.
    RoundLedger ledger(MakeRoundScheduler("hlas", {{"Groups", "1"}, {"FirstLimit", "1"}}),
                       {0, 2, 0, 2});
    const RoundJob wide = MakeRoundJob({1, 5, 9, {0.347, 0.197, 0.275}});
    const RoundJob narrow = MakeRoundJob({2, 1, 9, {0.347, 0.197, 0.275}});
    ledger.Expect({wide, narrow});
    ledger.Arrive(Time(), narrow);
    for (uint32_t round = 1; round <= 3; ++round)
    {
        const auto answer = ledger.Assign(Seconds(round));
        ASSERT_EQ(answer.size(), 1u);
        ledger.EndTask(Seconds(round), answer[0].gpus.at(0));
        ledger.EndRound(Seconds(round), JobId{2}, false);
        EXPECT_EQ(ledger.Get(JobId{2}).queue, round < 3 ? 0u : 1u) << round;
    }
}

TEST(RoundScheduler, AfterOneRoundEachTheSmallerSizeIsFirst)
{
    RoundLedger ledger(MakeRoundScheduler("hlas", {{"Groups", "2"}, {"FirstLimit", "1"}}),
                       {0, 1, 2, 3});
    const RoundJob a = MakeRoundJob({1, 4, 9, JOB_A});
    const RoundJob b = MakeRoundJob({2, 6, 9, JOB_B});
    ledger.Expect({a, b});
    ledger.Arrive(Time(), a);
    ledger.Arrive(Time(), b);
    std::map<uint32_t, uint32_t> ended;
    std::vector<uint32_t> busy;
    Time now;
    while (ended[1] < 4 || ended[2] < 6)
    {
        for (const auto& assignment : ledger.Assign(now))
        {
            ended[assignment.job.value] += static_cast<uint32_t>(assignment.gpus.size());
            busy.insert(busy.end(), assignment.gpus.begin(), assignment.gpus.end());
        }
        now += Seconds(1);
        for (const uint32_t gpu : busy)
        {
            ledger.EndTask(now, gpu);
        }
        busy.clear();
    }
    ledger.EndRound(now, JobId{1}, false);
    ledger.EndRound(now, JobId{2}, false);
    EXPECT_EQ(ledger.Get(JobId{1}).queue, 1u); // 4.5 s
    EXPECT_EQ(ledger.Get(JobId{2}).queue, 0u); // 4.138 s < 4.319 s
    for (const auto& assignment : ledger.Assign(now))
    {
        EXPECT_EQ(assignment.job.value, 2u);
    }
}

TEST(RoundScheduler, Figure12)
{
    const RoundPlay hlas(MakeRoundScheduler("hlas", FIGURE_12), JOBS_OF_12);
    EXPECT_EQ(hlas.GetOrder(), "1 2 3 1 2 3 2 3 3");
    EXPECT_EQ(hlas.ends.at(1), Seconds(4));
    EXPECT_EQ(hlas.ends.at(2), Seconds(7));
    EXPECT_EQ(hlas.ends.at(3), Seconds(9));
    EXPECT_NEAR(hlas.GetMeanEnd(), 6.667, 0.0004);
}

TEST(RoundScheduler, Figure12WithKnownSizes)
{
    // All sizes known, and a queue for each: the shortest is first.
    std::map<std::string, std::string> wide = FIGURE_12;
    wide["Queues"] = "5";
    const RoundPlay oracle(MakeRoundScheduler("oracle", wide), JOBS_OF_12);
    EXPECT_EQ(oracle.GetOrder(), "1 1 2 2 2 3 3 3 3");
    EXPECT_NEAR(oracle.GetMeanEnd(), 5.333, 0.0004); // (2 + 5 + 9) / 3
    const RoundPlay hare(MakeRoundScheduler("hare"), JOBS_OF_12);
    EXPECT_NEAR(hare.GetMeanEnd(), 5.333, 0.0004);
}

TEST(RoundScheduler, OneWideQueueIsFirstComeFirstServed)
{
    const RoundPlay play(MakeRoundScheduler("hlas", {{"FirstLimit", "5"}}), JOBS_OF_12);
    EXPECT_EQ(play.GetOrder(), "1 1 2 2 2 3 3 3 3");
    EXPECT_NEAR(play.GetMeanEnd(), 5.333, 0.0004);
}

/** HLAS that is told that job 3 runs three rounds at least, and nothing else (Fig. 12 c). */
class HintedRoundScheduler : public HlasRoundScheduler
{
  private:
    uint64_t DoPredict(const RoundView& /* view */, const RoundJob& job) override
    {
        return job.id == JobId{3} && job.done == 0 ? 3 : 0;
    }
};

TEST(RoundScheduler, Figure12WithAHint)
{
    const auto scheduler = CreateObject<HintedRoundScheduler>();
    for (const auto& [attribute, value] : FIGURE_12)
    {
        scheduler->SetAttribute(attribute, StringValue(value));
    }
    const RoundPlay play(scheduler, JOBS_OF_12);
    EXPECT_EQ(play.GetOrder(), "1 2 1 2 2 3 3 3 3");
    EXPECT_NEAR(play.GetMeanEnd(), 5.667, 0.0004); // (3 + 5 + 9) / 3
}

TEST(RoundScheduler, RelaxedAgainstGang)
{
    // Fig. 5: GPUs come free at 1, 2 and 4; then a job with three tasks of 1.5 s.
    const std::vector<PlayedJob> jobs{{1, 1, 1, {1, 9, 9}},
                                      {2, 1, 1, {9, 2, 9}},
                                      {3, 1, 1, {9, 9, 4}},
                                      {4, 3, 1, {1.5, 1.5, 1.5}, Seconds(0.5)}};
    const RoundPlay relaxed(MakeRoundScheduler("hlas"), jobs);
    std::vector<Time> ends;
    for (const PlayedTask& task : relaxed.tasks)
    {
        if (task.job == 4)
        {
            ends.push_back(task.end);
        }
    }
    EXPECT_EQ(ends, (std::vector<Time>{Seconds(2.5), Seconds(3.5), Seconds(4)}));
    const RoundPlay gang(MakeRoundScheduler("fifo"), jobs);
    EXPECT_EQ(gang.ends.at(4), Seconds(5.5));
}

TEST(RoundScheduler, MoreTasksThanGpus)
{
    const std::vector<PlayedJob> jobs{{1, 5, 1, {1, 1}}};
    EXPECT_EQ(RoundPlay(MakeRoundScheduler("hlas"), jobs).ends.at(1), Seconds(3));
    EXPECT_EQ(RoundPlay(MakeRoundScheduler("hare"), jobs).ends.at(1), Seconds(3));
    EXPECT_THROW(RoundPlay(MakeRoundScheduler("srtf"), jobs), InputError);
}

TEST(RoundScheduler, NothingIsPlannedBehindATaskThatIsLate)
{
    // Two equal GPUs, and one that takes ten times as long. A task of 1 s on the first is late.
    RoundLedger ledger(MakeRoundScheduler("hare"), {0, 0, 1});
    ledger.Arrive(Seconds(0), MakeRoundJob({1, 1, 9, {1, 10}}));
    ASSERT_EQ(ledger.Assign(Seconds(0)).size(), 1u);
    EXPECT_FALSE(ledger.GetGpus()[0].idle);
    ledger.Arrive(Seconds(3), MakeRoundJob({2, 1, 1, {1, 10}}));
    // It is 2 s late, and is taken to end at 5 s, so that a task would end at 6 s there, at 4 s on
    // the second GPU, and at 13 s on the slow one.
    const auto answer = ledger.Assign(Seconds(3));
    ASSERT_EQ(answer.size(), 1u);
    EXPECT_EQ(answer[0].gpus, std::vector<uint32_t>{1});
    // All three are late now, or slow: 1 s late is 1 s to go, and better than 10 s.
    ledger.Arrive(Seconds(5), MakeRoundJob({3, 1, 1, {1, 10}}));
    EXPECT_TRUE(ledger.Assign(Seconds(5)).empty());
    // At 15 s the first is 14 s late and the second 11 s: the slow one, which is idle, is better.
    const auto late = ledger.Assign(Seconds(15));
    ASSERT_EQ(late.size(), 1u);
    EXPECT_EQ(late[0].gpus, std::vector<uint32_t>{2});
}

TEST(RoundScheduler, SwitchingCosts)
{
    // A B A B: four loads, 4 x (100 + 10) ms; A A B B: two, 400 + 20 ms.
    const std::vector<PlayedJob> jobs{{1, 1, 2, {0.1}}, {2, 1, 2, {0.1}}};
    const auto turns = MakeRoundScheduler("hlas", {{"FirstLimit", "1"}});
    const RoundPlay abab(turns, jobs, MilliSeconds(10));
    EXPECT_EQ(abab.GetOrder(), "1 2 1 2");
    EXPECT_EQ(abab.ends.at(2), MilliSeconds(440));
    const RoundPlay aabb(MakeRoundScheduler("hlas", {{"FirstLimit", "10"}}),
                         jobs,
                         MilliSeconds(10));
    EXPECT_EQ(aabb.GetOrder(), "1 1 2 2");
    EXPECT_EQ(aabb.ends.at(2), MilliSeconds(420));
}

TEST(RoundScheduler, AlloxMatchesWholeJobs)
{
    // p = (1, 3) and (1, 4): both on GPU 1, 1 + 2.
    const RoundPlay both(MakeRoundScheduler("sched-allox"), {{1, 1, 1, {1, 3}}, {2, 1, 1, {1, 4}}});
    EXPECT_DOUBLE_EQ(2 * both.GetMeanEnd(), 3);
    for (const PlayedTask& task : both.tasks)
    {
        EXPECT_EQ(task.gpu, 0u);
    }
    // (1, 2) and (1, 4): the second on GPU 1, and the first on 2 or behind it.
    const RoundPlay either(MakeRoundScheduler("sched-allox"),
                           {{1, 1, 1, {1, 2}}, {2, 1, 1, {1, 4}}});
    EXPECT_DOUBLE_EQ(2 * either.GetMeanEnd(), 3);
    // Tasks of a round follow each other on one GPU.
    const RoundPlay serial(MakeRoundScheduler("sched-allox"), {{1, 3, 2, {1, 1}}});
    EXPECT_EQ(serial.ends.at(1), Seconds(6));
}

TEST(RoundScheduler, UnlessToldOtherwiseEachGpuIsServedWhenItIsIdle)
{
    // Five equal GPUs. Two jobs of one task leave three GPUs to job 3, whose other two tasks get
    // the next GPUs that come free: the first two at 1 s.
    const std::vector<double> equal(5, 1.0);
    const RoundPlay play(MakeRoundScheduler("hlas"),
                         {{1, 1, 1, equal}, {2, 1, 1, equal}, {3, 5, 1, equal}});
    EXPECT_EQ(play.GetOrder(), "1 2 3 3 3 3 3");
    EXPECT_EQ(play.tasks[4].begin, Seconds(0));
    EXPECT_EQ(play.ends.at(3), Seconds(2));
    EXPECT_EQ(play.tasks[5].gpu, 0u);
    EXPECT_EQ(play.tasks[6].gpu, 1u);
}

TEST(RoundScheduler, AGroupIsIdleWhenAllItsTasksHaveEnded)
{
    // One group of GPUs 0 (2 s) and 1 (1 s). Job 1 has one task, on the faster; job 2 waits for the
    // group, and its three tasks go there by two, the third on the faster alone.
    const RoundPlay play(MakeRoundScheduler("hlas", {{"Groups", "1"}}),
                         {{1, 1, 1, {2, 1}}, {2, 3, 1, {2, 1}}});
    EXPECT_EQ(play.GetOrder(), "1 2 2 2");
    EXPECT_EQ(play.tasks[0].gpu, 1u);
    EXPECT_EQ(play.tasks[1].begin, Seconds(1));
    EXPECT_EQ(play.tasks[3].begin, Seconds(3));
    EXPECT_EQ(play.tasks[3].gpu, 1u);
    EXPECT_EQ(play.ends.at(2), Seconds(4));
}

TEST(RoundScheduler, FifoHoldsUpWhatDoesNotFit)
{
    // Two GPUs: job 1 has one, job 2 needs two, job 3 could run at once.
    const std::vector<PlayedJob> jobs{{1, 1, 1, {2, 2}}, {2, 2, 1, {1, 1}}, {3, 1, 1, {1, 1}}};
    const RoundPlay fifo(MakeRoundScheduler("fifo"), jobs);
    EXPECT_EQ(fifo.ends.at(2), Seconds(3));
    EXPECT_EQ(fifo.ends.at(3), Seconds(4));
    const RoundPlay homo(MakeRoundScheduler("sched-homo"), jobs); // work 2, 2, 1: job 3, then 1
    EXPECT_EQ(homo.ends.at(3), Seconds(1));
    EXPECT_EQ(homo.ends.at(1), Seconds(2));
    EXPECT_EQ(homo.ends.at(2), Seconds(3));
}

TEST(RoundScheduler, GavelTakesTheFastest)
{
    const std::vector<PlayedJob> jobs{{1, 2, 1, {3, 3, 1, 2}}};
    const RoundPlay mixed(MakeRoundScheduler("gavel-fifo"), jobs);
    EXPECT_EQ(mixed.tasks[0].gpu, 2u);
    EXPECT_EQ(mixed.tasks[1].gpu, 3u);
    // Types 0 (GPUs 0 and 2, 3 s) and 1 (GPU 1, 1 s)
    for (const bool isOneType : {false, true})
    {
        RoundLedger ledger(
            MakeRoundScheduler("gavel-fifo", {{"OneType", isOneType ? "true" : "false"}}),
            {0, 1, 0});
        ledger.Arrive(Time(), MakeRoundJob({1, 2, 1, {3, 1}}));
        const auto answer = ledger.Assign(Time());
        ASSERT_EQ(answer.size(), 1u);
        EXPECT_EQ(answer[0].gpus,
                  (isOneType ? std::vector<uint32_t>{0, 2} : std::vector<uint32_t>{1, 0}));
    }
}

TEST(RoundScheduler, ShortestRemainingMayTakeGpusBetweenRounds)
{
    // Job 1: 5 rounds of 1 s; job 2, from 1.5 s: one.
    const std::vector<PlayedJob> jobs{{1, 1, 5, {1}}, {2, 1, 1, {1}, Seconds(1.5)}};
    EXPECT_EQ(RoundPlay(MakeRoundScheduler("srtf"), jobs).GetOrder(), "1 1 1 1 1 2");
    EXPECT_EQ(RoundPlay(MakeRoundScheduler("srtf", {{"Preemptive", "true"}}), jobs).GetOrder(),
              "1 1 2 1 1 1");
}

TEST(RoundScheduler, LeastAttainedServiceTakesGpusBetweenRounds)
{
    // Queues of 2 GPU seconds; job 1 falls after two rounds of 1 s, job 2 likewise.
    const auto scheduler = MakeRoundScheduler("2d-las", {{"Thresholds", "2s"}});
    const RoundPlay play(scheduler, {{1, 1, 4, {1}}, {2, 1, 3, {1}}});
    EXPECT_EQ(play.GetOrder(), "1 1 2 2 1 1 2");
    // A gang of two that waits for its slower task attains two GPUs' time: 2 x 1.5 s after a round.
    const RoundPlay gang(scheduler, {{1, 2, 2, {1, 1.5}}, {2, 1, 1, {1, 1}}});
    EXPECT_EQ(gang.GetOrder(), "1 1 2 1 1");
}

TEST(RoundScheduler, AGangThatIsFirstGetsGpusWhoseRoundsEndAtDifferentTimes)
{
    // Four jobs of one GPU each, in the second queue from 2.6 s on, whose rounds end one by one. A
    // gang of four, in the first queue, arrives at 2.95 s. No job that it goes before begins
    // another round, so it begins when the last of their rounds has ended.
    const std::vector<double> ones{1.0, 1.1, 1.3, 1.7};
    std::vector<PlayedJob> jobs;
    for (uint32_t id = 1; id <= 4; ++id)
    {
        jobs.push_back({id, 1, 100, std::vector<double>(4, ones[id - 1])});
    }
    jobs.push_back({5, 4, 1, std::vector<double>(4, 1.0), Seconds(2.95)});
    const RoundPlay play(MakeRoundScheduler("2d-las", {{"Thresholds", "1.5s"}}), jobs);
    // Rounds under way at 2.95 s end at 3, 3.3, 3.9 and 3.4 s.
    EXPECT_EQ(play.ends.at(5), Seconds(4.9));
    for (const PlayedTask& task : play.tasks)
    {
        EXPECT_TRUE(task.job == 5 || task.begin < Seconds(2.95) || task.begin >= Seconds(4.9));
    }
}

TEST(RoundScheduler, AGangLeavesGpusThatItDoesNotNeedToOthers)
{
    // As above, but the gang needs three of the four: job 1, which is first in its queue, keeps
    // its GPU.
    const std::vector<double> ones{1.0, 1.1, 1.3, 1.7};
    std::vector<PlayedJob> jobs;
    for (uint32_t id = 1; id <= 4; ++id)
    {
        jobs.push_back({id, 1, 100, std::vector<double>(4, ones[id - 1])});
    }
    jobs.push_back({5, 3, 1, std::vector<double>(4, 1.0), Seconds(2.95)});
    const RoundPlay play(MakeRoundScheduler("2d-las", {{"Thresholds", "1.5s"}}), jobs);
    EXPECT_EQ(play.ends.at(5), Seconds(4.9)); // rounds end at 3.3, 3.4 and 3.9 s
    EXPECT_EQ(play.ends.at(1), Seconds(100));
}

/** \return what a policy predicts of job 1 when it has done some rounds */
uint64_t
PredictOf(const std::string& name, const RoundJob& job, const std::vector<PastJob>& past = {})
{
    const std::vector<RoundGpu> gpus{{}};
    const GpuGroups groups{{0}};
    std::vector<RoundJob> jobs{job, job, job};
    jobs[1].accuracy = 0.5;
    jobs[2].accuracy = 0.7;
    const Ratio median;
    const auto scheduler = MakeRoundScheduler(name);
    if (name == "hlas-p")
    {
        scheduler->SetAttribute("Alpha", DoubleValue(10));
    }
    return scheduler->Predict({Time(), gpus, groups, jobs, past, median, Time()}, job);
}

TEST(RoundScheduler, CarefulPredictions)
{
    RoundJob job = MakeRoundJob({1, 1, 100, {1}});
    job.name = "nightly";
    EXPECT_EQ(PredictOf("hlas-p", job), 0u); // nothing is known
    // Past runs of 30 and 50 rounds: (0 + 40) / 2; other jobs do not count.
    const std::vector<PastJob> past{{"nightly", 30}, {"nightly", 50}, {"weekly", 900}};
    EXPECT_EQ(PredictOf("hlas-p", job, past), 20u);
    // 20 rounds done: 10 and 30 are left; the loss converges at round 2575, so Alpha: (10 + 20) / 2
    job.done = 20;
    for (uint64_t k = 1; k <= 20; ++k)
    {
        job.losses.push_back({k, 1 / (0.02 * static_cast<double>(k) + 0.5) + 0.3});
    }
    EXPECT_EQ(PredictOf("hlas-p", job), 10u);
    EXPECT_EQ(PredictOf("hlas-p", job, past), 15u);
    EXPECT_NEAR(static_cast<double>(PredictOf("hlas-l", job)), 2555, 30);
    // In a search with accuracies 0.5 and 0.7 it is below the median, with 0.65 above.
    job.search = CojobId{1};
    job.accuracy = 0.4;
    EXPECT_EQ(PredictOf("hlas-p", job, past), 7u);
    job.accuracy = 0.65;
    EXPECT_EQ(PredictOf("hlas-p", job, past), 15u);
    // Nine rounds off: no prediction
    job = MakeRoundJob({1, 1, 100, {1}});
    job.done = 500;
    for (uint64_t k = 1; k <= 500; ++k)
    {
        job.losses.push_back({k, 1 / (0.5 * static_cast<double>(k) + 2.5) + 0.3});
    }
    EXPECT_EQ(PredictOf("hlas-p", job), 10u); // converges at 595
    job.done = 586;
    EXPECT_EQ(PredictOf("hlas-p", job), 0u);
}

TEST(RoundScheduler, PredictedJobsStandStillAndTheLongestIsFirst)
{
    // Both in the last of two queues from the start: sizes 3 and 4 of limit 1.
    const auto scheduler = MakeRoundScheduler("oracle", {{"FirstLimit", "1"}, {"Queues", "2"}});
    const RoundPlay play(scheduler, {{1, 1, 3, {1}}, {2, 1, 4, {1}}});
    EXPECT_EQ(play.GetOrder(), "2 1 2 1 2 1 2"); // 4 left; then 3 each, by number; ...
}

class RoundConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    Ptr<RoundScheduler> m_policy{GetParam().Create<RoundScheduler>()};

    /** \return jobs on 6 GPUs of 3 speeds. \param most tasks of a round */
    static std::vector<PlayedJob> DrawJobs(uint32_t seed, uint32_t most)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint32_t least, uint32_t top) {
            return std::uniform_int_distribution<uint32_t>(least, top)(random);
        };
        std::vector<PlayedJob> jobs;
        for (uint32_t id = 1; id <= 12; ++id)
        {
            const double base = draw(1, 20) / 10.0;
            const double mid = draw(10, 30) / 10.0;
            const double slow = draw(10, 70) / 10.0;
            const std::vector<double> seconds{base,
                                              base * mid,
                                              base * slow,
                                              base,
                                              base * mid,
                                              base * slow};
            jobs.push_back({id, draw(1, most), draw(1, 9), seconds, MilliSeconds(draw(0, 20000))});
        }
        return jobs;
    }
};

TEST_P(RoundConformance, AllTasksOfAllRoundsRunOnceAndAlike)
{
    EXPECT_GT(m_policy->GetSummary().size(), 10u);
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        const auto jobs = DrawJobs(seed, m_policy->NeedsAllAtOnce() ? 6 : 9);
        const RoundPlay play(m_policy, jobs);
        const RoundPlay again(GetParam().Create<RoundScheduler>(), jobs);
        EXPECT_EQ(play.GetOrder(), again.GetOrder());
        EXPECT_EQ(play.ends, again.ends);
        ASSERT_EQ(play.ends.size(), jobs.size());
        for (const PlayedJob& job : jobs)
        {
            const auto count =
                std::count_if(play.tasks.begin(), play.tasks.end(), [&job](const auto& task) {
                    return task.job == job.id;
                });
            EXPECT_EQ(count, static_cast<int64_t>(job.tasks * job.rounds));
        }
    }
}

TEST_P(RoundConformance, TasksOfAGangBeginTogether)
{
    if (!m_policy->NeedsAllAtOnce())
    {
        GTEST_SKIP() << "its tasks need not";
    }
    const auto jobs = DrawJobs(9, 6);
    const RoundPlay play(m_policy, jobs);
    std::map<std::pair<uint32_t, Time>, uint32_t> together;
    for (const PlayedTask& task : play.tasks)
    {
        ++together[{task.job, task.begin}];
    }
    for (const auto& [jobAndBegin, tasks] : together)
    {
        EXPECT_EQ(tasks, jobs[jobAndBegin.first - 1].tasks);
    }
}

TEST_P(RoundConformance, OnlyTheClairvoyantSeeHowManyRoundsThereAre)
{
    RoundLedger ledger(m_policy, {0});
    ledger.Arrive(Time(), MakeRoundJob({1, 1, 7, {1}}));
    EXPECT_EQ(ledger.Get(JobId{1}).rounds, m_policy->IsClairvoyant() ? 7 : UNKNOWN_ROUNDS);
}

INSTANTIATE_TEST_SUITE_P(All,
                         RoundConformance,
                         testing::ValuesIn(test::ListVariants(RoundScheduler::GetTypeId())),
                         test::NameOf);

/** Answers what a test says. */
class WrongRoundScheduler : public RoundScheduler
{
  public:
    std::string GetSummary() const override
    {
        return "wrong";
    }

    std::vector<RoundAssignment> answer;
    GpuGroups groups;

  private:
    std::vector<RoundAssignment> DoAssign(const RoundView& /* view */) override
    {
        return answer;
    }

    GpuGroups DoGroup(const std::vector<RoundGpu>& /* gpus */,
                      const std::vector<std::vector<Time>>& /* taskTimes */) override
    {
        return groups;
    }
};

TEST(RoundScheduler, WrongAnswersAreErrors)
{
    const auto wrong = CreateObject<WrongRoundScheduler>();
    wrong->groups = {{0}, {1}};
    RoundLedger ledger(wrong, {0, 0});
    ledger.Arrive(Time(), MakeRoundJob({1, 2, 1, {1}}));
    const auto errorOf = [&](std::vector<RoundAssignment> answer) {
        wrong->answer = std::move(answer);
        return test::RunErrorOf([&ledger]() { ledger.Assign(Time()); });
    };
    const std::string noTasks = "does not have the";
    const std::string notIdle = "but is not idle";
    EXPECT_NE(errorOf({{JobId{2}, {0}}}).find(noTasks), std::string::npos);
    EXPECT_NE(errorOf({{JobId{1}, {}}}).find(noTasks), std::string::npos);
    EXPECT_NE(errorOf({{JobId{1}, {0}}, {JobId{1}, {0}}}).find(notIdle), std::string::npos);
    EXPECT_NE(errorOf({{JobId{1}, {2}}}).find(notIdle), std::string::npos);
    EXPECT_EQ(errorOf({{JobId{1}, {0}}}), "");
    EXPECT_NE(errorOf({{JobId{1}, {0}}}).find(notIdle), std::string::npos);
    EXPECT_NE(errorOf({{JobId{1}, {1, 0}}}).find(noTasks), std::string::npos);
    for (const GpuGroups& groups : std::vector<GpuGroups>{{{0}}, {{0, 1}, {}}, {{0, 1}, {1}}})
    {
        wrong->groups = groups;
        EXPECT_NE(test::RunErrorOf([&]() {
                      wrong->Group(ledger.GetGpus(), {{Seconds(1)}});
                  }).find("each GPU once"),
                  std::string::npos);
    }
}

} // namespace
