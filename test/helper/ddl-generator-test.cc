// SPDX-License-Identifier: GPL-2.0-only
#include "app/sampling/ddl-forecast.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return jobs of one worker that computes 1 ms an iteration and has nothing to send */
std::string
Computing(const std::string& more)
{
    return R"({"generator": {"models": [{"name": "m", "bytes": "1MB", "forward": "1ms"}],
               "workers": 1, "servers": 0, )" +
           more + "}}";
}

} // namespace

class Generator : public SimulationFixture
{
  protected:
    /** \return the one row of a stage */
    static StageRow StageOf(const RunResult& result, uint32_t cojob, uint32_t stage)
    {
        for (const auto& row : result.stages)
        {
            if (row.cojob.value == cojob && row.stage == stage)
            {
                return row;
            }
        }
        ADD_FAILURE() << "no stage " << stage << " of cojob " << cojob;
        return {};
    }
};

TEST_F(Generator, CojobsWaitForGpusAsAWhole)
{
    // Two cojobs of 4 jobs at once on 6 GPUs: stages of 2 and 4 iterations. The first one leaves 2
    // GPUs at 0 ms, 4 more when half of it stops at 2 ms: then all four of the second fit.
    const auto result =
        Run(OnSwitch(1, 6, Computing(R"("cojobs": 2, "jobs": 4, "stages": [2, 4])")));
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_EQ(result.jobs.size(), 8U);
    EXPECT_EQ(StageOf(result, 1, 1).end, MilliSeconds(2));
    EXPECT_EQ(StageOf(result, 1, 2).end, MilliSeconds(6));
    EXPECT_EQ(StageOf(result, 1, 2).jobs, 2U);
    EXPECT_EQ(StageOf(result, 2, 1).start, MilliSeconds(2));
    EXPECT_EQ(StageOf(result, 2, 2).end, MilliSeconds(8));
    EXPECT_EQ(RowOf(result, 5).start - RowOf(result, 5).submit, MilliSeconds(2));
}

TEST_F(Generator, ASuccessorComesWhenOneJobIsLeft)
{
    // 4 jobs: 2 ms with all, 2 ms with two, then one for 4 ms. The next cojob arrives at 4 ms, the
    // third at 8 ms; each ends 8 ms after its arrival.
    const auto result = Run(
        OnSwitch(1,
                 16,
                 Computing(R"("cojobs": 3, "jobs": 4, "stages": [2, 2, 4], "successors": true)")));
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    for (uint32_t cojob = 1; cojob <= 3; ++cojob)
    {
        EXPECT_EQ(StageOf(result, cojob, 1).release, MilliSeconds(4 * (cojob - 1)));
        EXPECT_EQ(StageOf(result, cojob, 3).end, MilliSeconds(4 * (cojob - 1) + 8));
    }
    const auto two = Run(OnSwitch(1, 16, Computing(R"("cojobs": 3, "jobs": 4, "stages": [2, 2, 4],
        "successors": true, "until": "8ms")")));
    EXPECT_EQ(two.jobs.size(), 8U); // the third would come at 8 ms
}

TEST_F(Generator, ASingleJobHasItsSuccessorAtItsEnd)
{
    const auto result =
        Run(OnSwitch(1,
                     16,
                     Computing(R"("cojobs": 3, "jobs": 1, "stages": [2, 3], "successors": true)")));
    EXPECT_EQ(StageOf(result, 3, 1).release, MilliSeconds(10));
    EXPECT_EQ(result.makespan, MilliSeconds(15));
}

TEST_F(Generator, WithoutStopsTheLastButOneToFinishBringsTheSuccessor)
{
    const auto result = Run(OnSwitch(1, 16, Computing(R"("cojobs": 2, "jobs": 2, "stages": [3],
        "search": "none", "successors": true)")));
    EXPECT_EQ(StageOf(result, 2, 1).release, MilliSeconds(3));
    EXPECT_EQ(result.jobs.size(), 4U);
}

TEST_F(Generator, PlainJobsHyperbandAndWhatIsWrittenOutGoTogether)
{
    const auto plain = Run(OnSwitch(2, 4, Computing(R"("kind": "jobs", "jobs": 10,
        "iterations": {"type": "uniform-random-variable", "Min": 1, "Max": 9},
        "arrivals": {"type": "poisson", "MeanGap": "1ms"})")));
    EXPECT_EQ(plain.jobs.size(), 10U);
    EXPECT_TRUE(plain.stages.empty());
    EXPECT_TRUE(std::all_of(plain.jobs.begin(), plain.jobs.end(), [](const auto& row) {
        return !row.cojob && !row.accuracy; // nobody declared a curve
    }));
    std::string both = Computing(R"("kind": "hyperband", "cojobs": 2, "maxIterations": 3)");
    both.pop_back();
    const auto mixed =
        Run(OnSwitch(2,
                     4,
                     both + ", \"jobs\": [" + ComputeJob(1, R"("id": 7, "iterations": 1)") + "]}"));
    // R = 3: brackets of 3 and 2 jobs, numbered behind job 7
    EXPECT_EQ(mixed.jobs.size(), 6U);
    EXPECT_EQ(RowOf(mixed, 8).cojob, CojobId{8});
    EXPECT_EQ(RowOf(mixed, 12).cojob, CojobId{9});
}

TEST_F(Generator, TimeToNinetyPercentOfTheAccuracy)
{
    // accuracy(k) = k / (k + 10): after all 90 iterations 0.9, 90 % of which are 0.81:
    // k = 0.81 x 10 / 0.19 = 42.6, so 43 iterations of 1 ms. Jobs stopped after 30 never get there.
    const auto result = Run(OnSwitch(1, 4, Computing(R"("cojobs": 1, "jobs": 4, "stages": [30, 60],
        "search": {"type": "successive-halving", "Fraction": 0.75},
        "curve": {"half": 10, "accuracy": [0, 1], "loss": [2, 1]})")));
    std::size_t there = 0;
    for (const auto& row : result.jobs)
    {
        if (row.nearConverged)
        {
            ++there;
            EXPECT_EQ(*row.nearConverged, MilliSeconds(43));
            EXPECT_DOUBLE_EQ(*row.accuracy, 0.9);
            EXPECT_DOUBLE_EQ(*row.loss, 1.1);
        }
    }
    EXPECT_EQ(there, 1U);
    ASSERT_EQ(result.cojobs.size(), 1U);
    EXPECT_EQ(*result.cojobs[0].nearConverged, MilliSeconds(43));
}

TEST_F(Generator, ScaleShrinksWhatIsGeneratedWithItsCurve)
{
    // i = 0.1: stages of 3 and 6 iterations, half way at 1: 0.81 from 4.26 on, the 5th iteration
    // of 0.5 ms at m = 0.5. The second cojob arrives at its time x 0.05.
    const std::string text = OnSwitch(1, 8, Computing(R"("cojobs": 2, "jobs": 1, "stages": [30, 60],
        "curve": {"half": 10, "accuracy": [0, 1]}, "arrivals": {"type": "poisson"})"));
    const auto whole = ReadText(text);
    const auto scaled = ReadText(text, {"scale.model=0.5", "scale.iterations=0.1"});
    ClusterSimulation simulation(scaled);
    const auto result = simulation.Run();
    EXPECT_EQ(RowOf(result, 1).iterations, 9U);
    EXPECT_EQ(*RowOf(result, 1).nearConverged, MicroSeconds(2500));
    const auto once = WriteOutWorkload(whole).workload.groups;
    ASSERT_EQ(once.size(), 2U);
    EXPECT_NEAR(RowOf(result, 2).submit.GetSeconds(), once[1].submit.GetSeconds() * 0.05, 1e-9);
    EXPECT_EQ(WriteOutWorkload(ApplyScale(scaled)).workload.groups[0].iterations,
              (std::vector<uint64_t>{3, 6}));
    EXPECT_EQ(MakeForecast(WorkloadSample(scaled)).iterations, 18U);
}

TEST_F(Generator, ASuccessorComesNowHoweverSmallTheScale)
{
    // Fifty years at 1e-6 of the size are fifty million at full size, which no time can hold.
    const auto scenario =
        ReadText(OnSwitch(1, 8, Computing(R"("cojobs": 2, "jobs": 1, "stages": [3],
        "successors": true)")),
                 {"scale.model=0.001", "scale.iterations=0.001"});
    const auto source = MakeCojobSource(ApplyScale(scenario).workload);
    const auto first = source->Next();
    ASSERT_TRUE(first);
    for (const Time& now : {NanoSeconds(1), Seconds(1234.567), Hours(50 * 365 * 24)})
    {
        const auto next = source->NextAfter(*first, now);
        ASSERT_TRUE(next);
        EXPECT_EQ(next->submit, now);
    }
}

TEST_F(Generator, ComputeIsOneRatioOfCommunicationForAllIfSoWished)
{
    const char* const generator = R"({"compute": {"ratio": 2%}, "generator": {"cojobs": 2,
        "models": ["VGG-16", "VGG19"]}})";
    const auto read = [&](const std::string& all) {
        std::string text = generator;
        text.replace(text.find('%'), 1, all);
        return WriteOutWorkload(ReadText(OnSwitch(8, 4, text))).workload.groups;
    };
    // 2 x 2 parameter servers on 10 Gbps: 2 x 526.4 MB take 842.24 ms; twice as long for computing
    EXPECT_EQ(read("")[0].jobs[0].model.forward, MicroSeconds(35800));
    const auto model = read(", \"all\": true")[0].jobs[0].model;
    EXPECT_NEAR((model.forward + model.backward).GetSeconds(), 2 * 0.84224, 1e-8);
    EXPECT_NEAR(read("")[1].jobs[0].model.forward.GetSeconds(), 0.4 * 2 * 0.928, 1e-8);
}

TEST_F(Generator, IsTheSameForEachScheduler)
{
    const auto work = [this](const std::string& seed) {
        const auto scenario = ReadText(OnSwitch(8, 4, R"({"generator": {"cojobs": 3, "jobs": 4,
            "models": ["VGG-16", "VGG19"], "arrivals": "philly"}})"),
                                       {"seed=" + seed});
        return FormatScenario(WriteOutWorkload(scenario));
    };
    EXPECT_EQ(work("1"), work("1"));
    EXPECT_NE(work("1"), work("2"));
}

TEST_F(Generator, ASearchIsNotLedByALossAlone)
{
    const auto complain = [this](const std::string& search, const std::string& curve) {
        return Complaints(WithWorkload(R"({"cojobs": [{"stages": [1, 2], "search": ")" + search +
                                       R"(", "jobs": [{"count": 2, "model": "VGG19", "workers": 1,
            "servers": 1, "curve": {"half": 5, )" +
                                       curve + "}}]}]}"));
    };
    EXPECT_NE(complain("successive-halving", R"("loss": [2, 1])").find("gives a \"loss\" alone"),
              std::string::npos);
    EXPECT_EQ(complain("none", R"("loss": [2, 1])"), "");
    EXPECT_EQ(complain("successive-halving", R"("loss": [2, 1], "accuracy": [0, 1])"), "");
}

TEST_F(Generator, AllThatIsWrongIsSaidAtOnce)
{
    EXPECT_EQ(
        Complaints(WithWorkload(R"({"generator": {}})")),
        "s.json:3: /workload/generator: has no \"models\" (a list of at least one, [\"VGG19\", "
        "\"AlexNet\"])\n"
        "s.json:3: /workload/generator/cojobs: is missing");
    EXPECT_EQ(
        Complaints(WithWorkload(R"({"generator": {"models": ["VGG19"], "cojobs": 1, "jobs": 9}})")),
        "s.json:3: /workload/generator: makes cojobs of 9 jobs of 2 workers, 18 GPUs at the same "
        "time; the cluster has 16");
    EXPECT_EQ(
        Complaints(WithWorkload(
            R"({"generator": {"models": ["VGG19"], "cojobs": 1, "jobs": 1, "stages": [],
                  "pick": "random", "successors": true, "load": 0, "arrivals": "pilly",
                  "curve": {"half": -1, "accuracy": [1]}, "maxIterations": 3}})")),
        "s.json:3: /workload/generator/stages: is empty (iterations of each stage, [500, "
        "1000])\n"
        "s.json:4: /workload/generator/pick: a successor trains the model of the cojob before "
        "it (\"round-robin\" with successors)\n"
        "s.json:4: /workload/generator/arrivals: unknown arrival-process \"pilly\" (one of "
        "at-once, philly, poisson, uniform); did you mean \"philly\"?\n"
        "s.json:4: /workload/generator/load: must be a number above 0 and at most 1000000.0, is "
        "0\n"
        "s.json:5: /workload/generator/curve/half: must be a number above 0 and at most "
        "1000000000.0, is -1\n"
        "s.json:5: /workload/generator/curve/accuracy: must be [start, end], two values\n"
        "s.json:5: /workload/generator/maxIterations: unknown key (known: arrivals, cojobs, "
        "curve, jobKind, jobs, kind, load, models, pattern, pick, search, serverGpus, servers, "
        "stages, successors, tasks, until, weights, workers)");
}

TEST_F(Generator, WhatIsWrittenIsWhatWasRead)
{
    for (const char* generator :
         {R"({"models": ["VGG19", {"type": "AlexNet", "name": "a", "curve": {"half": 3}}],
              "cojobs": 3, "successors": true, "until": "1h", "jobs": 2})",
          R"({"kind": "hyperband", "models": [{"name": "x", "bytes": "1MB"}], "cojobs": 2,
              "maxIterations": 9, "workers": 1, "arrivals": {"type": "uniform", "Window": "9s"}})",
          R"({"kind": "jobs", "models": ["VGG-16"], "jobs": 5, "servers": 0, "load": 2.5,
              "pick": "random", "sizes": [[1, 2], [4, 1]], "iterations": 7, "users": 2,
              "repeats": 0.5, "searches": [[1, 1], [2, 1]],
              "weights": {"type": "uniform-random-variable", "Min": 1, "Max": 5},
              "curve": {"shape": "exponential", "loss": [3, {"type":
              "uniform-random-variable", "Min": 0.5, "Max": 1}]}})"})
    {
        const auto scenario =
            ReadText(WithWorkload(std::string(R"({"generator": )") + generator + "}"));
        const auto once = FormatScenario(scenario);
        EXPECT_EQ(once, FormatScenario(ReadText(once)));
        const auto written = FormatScenario(WriteOutWorkload(scenario));
        EXPECT_EQ(written, FormatScenario(WriteOutWorkload(ReadText(once))));
        EXPECT_EQ(written, FormatScenario(ReadText(written)));
    }
}
