// SPDX-License-Identifier: GPL-2.0-only
// Situations, samples, and a sampled run from beginning to end.
#include "app/report/ddl-run-report.h"
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-result-report.h"
#include "app/run/ddl-run-identity.h"
#include "app/run/ddl-run-scenario.h"
#include "app/sampling/ddl-sample-source.h"
#include "app/sampling/ddl-sampled-run.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-process-state.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-summary.h"
#include "ns3/rng-seed-manager.h"

#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

class SampledRunTest : public SimulationFixture
{
  protected:
    /** \return a ring of two workers, 1 MB and 1 ms of computing an iteration; job 2 0.8 of that */
    static std::string MakeRing(uint32_t id,
                                uint32_t from,
                                uint32_t to,
                                uint32_t iterations,
                                const std::string& submit = "0s")
    {
        const auto worker = [id](uint32_t host) {
            return "[" + std::to_string(host) + ", " + std::to_string((id - 1) % 4) + "]";
        };
        return R"({"id": )" + std::to_string(id) + R"(, "submit": ")" + submit +
               R"(", "workers": 2, "pattern": "ring", "iterations": )" +
               std::to_string(iterations) +
               (id == 2
                    ? R"(, "model": {"name": "n", "bytes": "800kB", "forward": "0s", "backward": "800us"})"
                    : R"(, "model": {"name": "m", "bytes": "1MB", "forward": "0s", "backward": "1ms"})") +
               R"(, "placement": {"workers": [)" + worker(from) + ", " + worker(to) + "]}}";
    }

    /** Jobs 1 and 2 share hosts from 50 ms on; job 3 is alone. */
    static std::string MakeThreeJobs(const std::string& more = "")
    {
        return R"({"name": "three", "cluster": {"topology": {"kind": "single-switch", "hosts": 4}},
            "transport": {"kind": "rdma"}, "fidelity": "sampled",
            "scheduler": {"control": "direct"},)" +
               more + R"("workload": {"jobs": [)" + MakeRing(1, 0, 1, 200) + "," +
               MakeRing(2, 0, 1, 100, "50ms") + "," + MakeRing(3, 2, 3, 150) + "]}}";
    }

    /** A run that was watched. */
    struct Watched
    {
        std::unique_ptr<SituationWatch> watch;
        std::unique_ptr<ClusterSimulation> simulation;
        RunResult result;

        ~Watched()
        {
            simulation.reset(); // the watch is told of ends meanwhile
        }
    };

    void Watch(const Scenario& scenario, Watched& watched, const SituationWatch::Paces& paces = {})
    {
        watched.simulation = std::make_unique<ClusterSimulation>(scenario);
        watched.watch =
            std::make_unique<SituationWatch>(watched.simulation->GetTrainingCluster(), paces);
        watched.result = watched.simulation->Run();
        watched.watch->Finish();
    }

    /** \return a sample of a run that is over */
    std::optional<SampleSource::Drawn> DrawFirst(const Scenario& scenario)
    {
        Watched watched;
        Watch(scenario, watched);
        return SampleSource(scenario, *watched.watch).Draw(0, 1);
    }

    int RunInto(const std::string& folder, const std::string& text, const Settings& settings = {})
    {
        RunOptions options;
        options.folder = (m_folder / folder).string();
        options.quiet = true;
        Settings all = {"output.alone=false", "output.figures=false"};
        all.insert(all.end(), settings.begin(), settings.end());
        return RunScenario(ReadText(text, all), options);
    }

    nlohmann::json ReadSummary(const std::string& folder)
    {
        return nlohmann::json::parse(Read(folder + "/summary.json"));
    }
};

TEST_F(SampledRunTest, SituationsChangeWhenJobsComeAndGo)
{
    Watched watched;
    Watch(ReadText(MakeThreeJobs()), watched);
    std::map<std::string, double> seconds;
    for (const SituationVisit& visit : watched.watch->GetVisits())
    {
        seconds[visit.situation->name] += (visit.end - visit.begin).GetSeconds();
    }
    // Jobs 1 and 2 contend from 50 ms until 2 has ended; then 1 is alone again.
    ASSERT_EQ(seconds.size(), 3U);
    const double second = RowOf(watched.result, 2).GetJct();
    EXPECT_NEAR(seconds.at("1.1 2.1 | 1=2"), second, 1e-4);
    EXPECT_NEAR(seconds.at("1.1"), RowOf(watched.result, 1).GetJct() - second, 1e-4);
    EXPECT_NEAR(seconds.at("3.1"), RowOf(watched.result, 3).GetJct(), 1e-4);
    EXPECT_EQ(watched.watch->GetIterations(JobId{2}).size(), 100U);
}

TEST_F(SampledRunTest, TheOrderBelongsToTheSituation)
{
    Watched watched;
    Watch(ReadText(MakeThreeJobs(), {"scheduler.network=sptf"}), watched);
    std::set<std::string> names;
    for (const SituationVisit& visit : watched.watch->GetVisits())
    {
        names.insert(visit.situation->name);
        for (const SituationJob& job : visit.situation->jobs)
        {
            const bool isBehind = job.strata[1].find("behind") != std::string::npos;
            const std::string& order = visit.situation->order;
            EXPECT_EQ(isBehind,
                      !order.empty() && order.substr(0, 1) != std::to_string(job.job.value));
        }
    }
    EXPECT_EQ(names.count("1.1 2.1 | 2 1"), 1U); // job 2 has less to do
}

TEST_F(SampledRunTest, SharesAddUpToTheTimeline)
{
    const Scenario scenario = ReadText(MakeThreeJobs());
    Watched watched;
    Watch(scenario, watched);
    double iterations = 0;
    double seconds = 0;
    for (const SituationShare& share : SampleSource(scenario, *watched.watch).ListShares())
    {
        iterations += share.iterations;
        seconds += share.seconds;
        const bool isSecond = share.strata[1].find("job 2") == 0;
        EXPECT_NEAR(share.compute, share.iterations * (isSecond ? 0.0008 : 0.001), 1e-9);
    }
    EXPECT_NEAR(iterations, 200 + 100 + 150, 1);
    double jct = 0;
    for (const JobRow& row : watched.result.jobs)
    {
        jct += row.GetJct();
    }
    EXPECT_NEAR(seconds, jct, 0.002 * jct);
}

TEST_F(SampledRunTest, APaceStretchesTransfersOnly)
{
    // A job alone: 1 ms of computing, then the ring's transfers.
    const std::string text = OnSwitch(2, 1, R"({"jobs": [)" + MakeRing(1, 0, 1, 10) + "]}");
    const auto measure = [&](double pace) {
        Watched watched;
        Watch(ReadText(text, {"fidelity=fluid"}), watched, [pace](const auto&) {
            return JobPace{pace, std::nullopt};
        });
        return RowOf(watched.result, 1).GetJct() - 10 * 0.001;
    };
    const double once = measure(1);
    // 1 MB at 10 Gbps over two rounds of half of it is 0.8 ms; latencies do not stretch
    EXPECT_NEAR(once, 10 * 0.8e-3, 10 * 0.06e-3);
    EXPECT_NEAR(measure(2) / once, 2, 0.03);
    EXPECT_NEAR(measure(0.5) / once, 0.5, 0.03);
}

TEST_F(SampledRunTest, IterationsTakeAsLongAsIsWanted)
{
    // Two that contend for the same links: alone each would take 1.85 ms, together they beat.
    const std::string text =
        OnSwitch(2,
                 2,
                 R"({"jobs": [)" + MakeRing(1, 0, 1, 2000) + "," + MakeRing(2, 0, 1, 1000) + "]}");
    const std::map<std::string, double> wanted = {{"1.1 2.1 | 1=2, job 1", 0.0016},
                                                  {"1.1 2.1 | 1=2, job 2", 0.0031},
                                                  {"1.1, job 1", 0.0022},
                                                  {"2.1, job 2", 0.0022}};
    Watched watched;
    const Scenario scenario = ReadText(text, {"fidelity=fluid"});
    Watch(scenario, watched, [&](const auto& strata) {
        return JobPace{1, wanted.at(strata.front())};
    });
    for (const SituationShare& share : SampleSource(scenario, *watched.watch).ListShares())
    {
        const double expected = wanted.at(share.strata.front());
        EXPECT_NEAR(share.seconds, share.iterations * expected, 3 * expected)
            << share.strata.front();
    }
}

TEST_F(SampledRunTest, ASampleOnTheSameFluidsIsTheTimeline)
{
    const Scenario scenario = ReadText(MakeThreeJobs());
    std::vector<SampleSource::Drawn> samples;
    std::map<std::string, double> expected; // seconds of an iteration
    {
        Watched watched;
        Watch(scenario, watched);
        const SampleSource source(scenario, *watched.watch);
        for (const SituationShare& share : source.ListShares())
        {
            expected[share.strata.front()] = share.seconds / share.iterations;
        }
        for (uint64_t i = 0; i < 6; ++i)
        {
            samples.push_back(*source.Draw(i, 1));
        }
    }
    std::set<std::string> situations;
    for (auto& sample : samples)
    {
        situations.insert(sample.plan.situation);
        sample.scenario.fidelity = Fidelity::FLUID;
        const SampleTimes times = RunSample(sample.scenario, sample.plan);
        for (const SampleJob& job : sample.plan.jobs)
        {
            EXPECT_NEAR(times.iteration.at(job.job) / expected.at(job.strata.front()), 1, 0.02)
                << sample.plan.situation << ", job " << job.job.value;
        }
    }
    EXPECT_GE(situations.size(), 2U);
}

TEST_F(SampledRunTest, AJobThatTakesHundredsOfIterationsOfOthersRunsAlong)
{
    // Job 4 moves 200 MB an iteration, job 1 moves 1 MB: that is 100 iterations or so in one.
    const Scenario scenario = ReadText(
        R"({"name": "long", "cluster": {"topology": {"kind": "single-switch", "hosts": 2}},
            "transport": {"kind": "rdma"}, "fidelity": "sampled",
            "workload": {"jobs": [)" +
        MakeRing(1, 0, 1, 400) + R"(, {"id": 4, "workers": 2, "pattern": "ring", "iterations": 3,
            "model": {"name": "l", "bytes": "200MB", "forward": "0s", "backward": "1ms"},
            "placement": {"workers": [[0, 1], [1, 1]]}}]}})");
    std::optional<SampleSource::Drawn> few;
    std::optional<SampleSource::Drawn> all;
    {
        Watched watched;
        Watch(scenario, watched);
        const SampleSource source(scenario, *watched.watch);
        uint64_t number = 0;
        while (number < 20 && source.Draw(number, 1)->plan.situation != "1.1 4.1 | 1=4")
        {
            ++number;
        }
        few = source.Draw(number, 1, {10, 0}, 2);
        all = source.Draw(number, 1);
    }
    ASSERT_EQ(few->plan.situation, "1.1 4.1 | 1=4");
    ASSERT_EQ(few->plan.jobs.size(), 1U);
    EXPECT_EQ(few->plan.jobs[0].job.value, 1U);
    EXPECT_LE(few->plan.CountIterations(), 11);
    EXPECT_EQ(few->others.size(), 2U);
    EXPECT_EQ(few->scenario.workload.groups.size(), 2U);
    EXPECT_EQ(all->plan.jobs.size(), 2U);
    few->scenario.fidelity = Fidelity::FLUID;
    const SampleTimes times = RunSample(few->scenario, few->plan);
    ASSERT_EQ(times.iteration.size(), 1U);
    EXPECT_GT(times.iteration.at(JobId{1}), 0.0022); // alone it would take 1.85 ms
    EXPECT_LE(times.iterations, 12);
}

TEST_F(SampledRunTest, WaitsAtAGateAreNotMeasured)
{
    // Three equal rings on the same links, one at a time. Transfers take 0.85 ms, computing 1 ms,
    // so an iteration takes three transfers, and a job waits for 0.7 ms of it.
    const std::string text =
        R"({"name": "gate", "cluster": {"topology": {"kind": "single-switch", "hosts": 2}},
            "transport": {"kind": "rdma"}, "fidelity": "sampled",
            "workload": {"jobs": [)" +
        MakeRing(1, 0, 1, 100) + "," + MakeRing(3, 0, 1, 100) + "," + MakeRing(4, 0, 1, 100) +
        "]}}";
    const auto measure = [&](const Settings& settings) {
        const Scenario scenario = ReadText(text, settings);
        const auto drawn = DrawFirst(scenario);
        EXPECT_EQ(drawn->plan.jobs.size(), 3U);
        EXPECT_EQ(drawn->plan.jobs[0].compute, settings.empty() ? 0.001 : 0);
        return RunSample(drawn->scenario, drawn->plan).iteration;
    };
    const auto open = measure({});
    for (const auto& [job, seconds] : measure({R"(scheduler.gate={"type": "srsf-n", "N": 1})"}))
    {
        EXPECT_NEAR(seconds, 0.00085, 0.00005);
        EXPECT_GT(open.at(job), 0.0025);
    }
}

TEST_F(SampledRunTest, TransfersBehindAGateBeginWhenTheyAreAdmitted)
{
    // Job 5 sends its first bucket after 2 ms and its last one after 4 ms, when all is computed. It
    // may wait for 0.85 ms at the gate, while it computes.
    const std::string text = OnSwitch(2,
                                      2,
                                      R"({"jobs": [{"id": 5, "workers": 2, "pattern": "ring",
            "iterations": 300, "model": {"name": "two", "forward": "0s", "layers": [
                {"bytes": "500kB", "backward": "2ms"}, {"bytes": "500kB", "backward": "2ms"}]},
            "placement": {"workers": [[0, 1], [1, 1]]}},)" +
                                          MakeRing(1, 0, 1, 600) + "]}");
    const Scenario scenario =
        ReadText(text, {R"(scheduler.gate={"type": "srsf-n", "N": 1})", "fidelity=fluid"});
    auto drawn = DrawFirst(scenario);
    ASSERT_EQ(drawn->plan.situation, "1.1 5.1 | 1=5");
    drawn->scenario.fidelity = Fidelity::FLUID;
    const SampleTimes times = RunSample(drawn->scenario, drawn->plan);
    EXPECT_GT(times.iteration.at(JobId{5}), 0.0014);
    EXPECT_LT(times.iteration.at(JobId{5}), 0.0027);
}

TEST_F(SampledRunTest, ASampleEndsWithoutJobsThatWaitTooLongAtTheGate)
{
    const std::string text =
        OnSwitch(2,
                 2,
                 R"({"jobs": [)" + MakeRing(1, 0, 1, 300) + "," + MakeRing(2, 0, 1, 300) + "]}");
    const Scenario scenario = ReadText(
        text,
        {R"(scheduler.gate={"type": "srsf-n", "N": 1})", "fidelity=fluid", "transport.mtu=9000"});
    auto drawn = DrawFirst(scenario);
    SamplePlan plan = drawn->plan;
    ASSERT_EQ(plan.jobs.size(), 2U);
    EXPECT_EQ(plan.most, 1.5 * plan.CountIterations());
    // The second job would have to wait for the first one's end: what it has done by then counts.
    plan.jobs[1].window = 250;
    const SampleTimes times = RunSample(drawn->scenario, plan);
    EXPECT_EQ(times.iterations, plan.most);
    const double whole = RunSample(drawn->scenario, drawn->plan).iteration.at(plan.jobs[1].job);
    EXPECT_NEAR(times.iteration.at(plan.jobs[1].job), whole, 0.01 * whole);
    plan.jobs[1].warmup = 250; // nothing to be measured
    EXPECT_EQ(RunSample(drawn->scenario, plan).iteration.size(), 1U);
    // The same when it is given up.
    plan.most = 0;
    drawn->scenario.stop.time = MilliSeconds(200);
    EXPECT_EQ(RunSample(drawn->scenario, plan).iteration.size(), 1U);
    drawn->scenario.stop.time = MilliSeconds(2);
    EXPECT_THROW(RunSample(drawn->scenario, plan), RunError);
    drawn->scenario.stop.time = Seconds(100);
    // At least one job is measured, however long that takes.
    plan.most = 1;
    EXPECT_EQ(RunSample(drawn->scenario, plan).iteration.size(), 1U);
}

TEST_F(SampledRunTest, ALongWarmUpBeginsEarlierInTheVisit)
{
    const Scenario scenario = ReadText(MakeThreeJobs(), {"sampling.warmup=4", "sampling.window=2"});
    Watched watched;
    Watch(scenario, watched);
    const SampleSource source(scenario, *watched.watch);
    const auto findSlowest = [](const SamplePlan& plan) {
        return *std::min_element(
            plan.jobs.begin(),
            plan.jobs.end(),
            [](const SampleJob& a, const SampleJob& b) { return a.window < b.window; });
    };
    const double period = 0.00225; // seconds; that of both jobs together
    std::set<uint64_t> warmups;
    uint32_t shortened = 0;
    for (uint64_t number = 0; number < 12; ++number)
    {
        const auto usual = source.Draw(number, 1)->plan;
        const auto longer = source.Draw(number, 1, {1e9, 40})->plan;
        const auto limited = source.Draw(number, 1, {60, 40})->plan;
        if (usual.jobs.size() == 1)
        {
            continue;
        }
        EXPECT_LE(limited.CountIterations(), 62);
        shortened += limited.CountIterations() < longer.CountIterations() ? 1 : 0;
        EXPECT_GT(limited.CountIterations(), std::min(50.0, longer.CountIterations() - 1));
        const SampleJob job = findSlowest(longer);
        ASSERT_EQ(findSlowest(usual).warmup, 4U);
        EXPECT_EQ(job.window, 2U);
        EXPECT_LE(job.warmup, 40U);
        warmups.insert(job.warmup);
        // It is measured at the moment that was drawn, and begins when the visit does.
        const double earlier = usual.cut - longer.cut;
        EXPECT_NEAR(earlier, std::min(40 * period, usual.cut - 0.05), 2 * period);
        EXPECT_NEAR(earlier, job.warmup * period, (job.warmup > 4 ? 2 : 5) * period);
    }
    EXPECT_GE(warmups.size(), 2U); // as old as the visit is at that moment
    EXPECT_GE(shortened, 1U);
}

TEST_F(SampledRunTest, WhatIsLeftOfTheBudgetGoesToLongSamples)
{
    ASSERT_EQ(RunInto("sampled",
                      MakeThreeJobs(),
                      {"sampling.budget=0.8", "sampling.warmup=3", "sampling.window=3"}),
              0);
    const CsvTable samples((m_folder / "sampled/samples.csv").string());
    std::set<double> longs;
    for (std::size_t row = 0; row < samples.GetRows(); ++row)
    {
        const bool isLong = *samples.GetNumber(row, "long") > 0;
        const double warmup = *samples.GetNumber(row, "warmup");
        if (samples.GetText(row, "situation") != "1.1 2.1 | 1=2")
        {
            EXPECT_FALSE(isLong);
        }
        else if (isLong)
        {
            EXPECT_GE(warmup, 3);
            longs.insert(*samples.GetNumber(row, "sample"));
        }
        else
        {
            EXPECT_LE(warmup, 4); // the faster job may do one more
        }
    }
    EXPECT_GE(longs.size(), 2U);
    EXPECT_LE(longs.size(), 8U);
    EXPECT_LE(ReadSummary("sampled")["sampling"]["packet_share"].get<double>(), 0.8);
}

TEST_F(SampledRunTest, OtherWindowsAreOfTheSameVisit)
{
    const Scenario scenario = ReadText(MakeThreeJobs());
    Watched watched;
    Watch(scenario, watched);
    const SampleSource source(scenario, *watched.watch);
    std::set<std::size_t> counts;
    for (uint64_t number = 0; number < 8; ++number)
    {
        const auto drawn = source.Draw(number, 1, {}, 3);
        counts.insert(drawn->others.size());
        std::set<double> cuts = {drawn->plan.cut};
        for (const auto& other : drawn->others)
        {
            EXPECT_EQ(other.plan.situation, drawn->plan.situation);
            cuts.insert(other.plan.cut);
        }
        EXPECT_EQ(cuts.size(), drawn->others.size() + 1);
    }
    EXPECT_EQ(counts, (std::set<std::size_t>{0, 3})); // none of a job alone: they would be equal
}

TEST_F(SampledRunTest, ASampleIsAScenarioThatReadsBack)
{
    const Scenario scenario =
        ReadText(MakeThreeJobs(), {"scheduler.network=sptf", "scale.model=0.5"});
    Watched watched;
    Watch(scenario, watched);
    const auto drawn = SampleSource(scenario, *watched.watch).Draw(0, 3);
    ASSERT_TRUE(drawn);
    const std::string text = FormatScenario(drawn->scenario);
    EXPECT_EQ(FormatScenario(ReadText(text)), text);
}

TEST_F(SampledRunTest, TellsWhatPacketsTakeWithinItsError)
{
    const Settings settings = {"sampling.budget=0.5"};
    ASSERT_EQ(RunInto("sampled", MakeThreeJobs(), settings), 0);
    ASSERT_EQ(RunInto("packets", MakeThreeJobs(), {"fidelity=packets"}), 0);
    const auto sampled = ReadSummary("sampled");
    const double mean = sampled["metrics"]["jct_s"]["mean"];
    const double truth = ReadSummary("packets")["metrics"]["jct_s"]["mean"];
    const auto& errors = sampled["sampling"]["errors"];
    EXPECT_NEAR(mean / truth, 1, 0.02);
    EXPECT_LE(std::abs(mean - truth),
              errors["jct_s"]["mean"]["error"].get<double>() + 0.002 * truth);
    EXPECT_GE(sampled["sampling"]["windows"], 8);
    EXPECT_GE(errors["jct_s"]["mean"]["error"].get<double>(), 0.9999e-4 * mean);
    EXPECT_TRUE(errors.contains("makespan_s"));
    EXPECT_FALSE(errors["jct_s"].contains("count"));
    EXPECT_TRUE(sampled["network"]["drops"].is_null());
    EXPECT_FALSE(std::filesystem::exists(m_folder / "sampled/.sampling"));
    const auto cost = nlohmann::json::parse(Read("sampled/cost.json"));
    EXPECT_GT(cost["sampling_cpu_s"], 4 * cost["cpu_s"].get<double>()); // 16 runs and all samples
    EXPECT_FALSE(nlohmann::json::parse(Read("packets/cost.json")).contains("sampling_cpu_s"));
    EXPECT_GT(cost["all_packets_cpu_s"].get<double>(), 0);
    const std::string text = FormatText(MakeRunReport((m_folder / "sampled").string()));
    EXPECT_NE(text.find(" ±"), std::string::npos);
}

TEST_F(SampledRunTest, EqualRunsGiveEqualBytesAndSamplesAreTakenFromBefore)
{
    ASSERT_EQ(RunInto("first", MakeThreeJobs()), 0);
    std::filesystem::create_directories(m_folder / "second/samples");
    for (const auto& entry : std::filesystem::directory_iterator(m_folder / "first/samples"))
    {
        std::filesystem::copy(entry.path(), m_folder / "second/samples");
    }
    // If it were run again, the CPU time would be another one.
    auto tampered = nlohmann::ordered_json::parse(Read("second/samples/1.result.json"));
    tampered["packets"]["cpu"] = 12345;
    Write("second/samples/1.result.json", tampered.dump());
    ASSERT_EQ(RunInto("second", MakeThreeJobs()), 0);
    EXPECT_EQ(Read("first/jobs.csv"), Read("second/jobs.csv"));
    EXPECT_EQ(Read("first/samples/1.json"), Read("second/samples/1.json"));
    EXPECT_NE(Read("second/samples.csv").find("12345"), std::string::npos);
    // Another sample under its name is run.
    ASSERT_EQ(RunInto("second", MakeThreeJobs(), {"sampling.seed=2"}), 0);
    EXPECT_EQ(Read("second/samples.csv").find("12345"), std::string::npos);
}

TEST_F(SampledRunTest, TheScreenShowsErrorsAndWhatPacketsWouldCost)
{
    const Scenario scenario = ReadText(MakeThreeJobs());
    Watched watched;
    Watch(scenario, watched);
    RunResult result = watched.result;
    SamplingTotals totals;
    totals.windows = 17;
    totals.packetShare = 0.0125;
    totals.packetsCpuSeconds = 4100;
    totals.metrics["jct_s/mean"].both = 0.0123;
    result.sampling = totals;
    std::ostringstream os;
    WriteResults(m_folder, IdentifyRun(scenario), result);
    PrintReport(os, scenario, result, m_folder.string(), {}, false);
    for (const char* part : {" ±0.01", "sampled: 17 windows, 1.25 %", "all packets: about 4100"})
    {
        EXPECT_NE(os.str().find(part), std::string::npos) << part << " in\n" << os.str();
    }
}

TEST_F(SampledRunTest, AnInterruptedRunKeepsItsSamplesAndNothingElse)
{
    SampledOptions options;
    options.folder = m_folder / "sampled";
    options.isStopped = [&options] {
        return std::filesystem::exists(options.folder / "samples/1.result.json");
    };
    std::filesystem::create_directory(options.folder);
    SampledRun run(ReadText(MakeThreeJobs()), options);
    EXPECT_FALSE(run.RunRounds());
    EXPECT_FALSE(std::filesystem::exists(options.folder / ".sampling"));
    EXPECT_TRUE(std::filesystem::exists(options.folder / "samples/1.result.json"));
}

TEST_F(SampledRunTest, AJobAloneIsSampledOnce)
{
    ASSERT_EQ(RunInto("sampled", MakeThreeJobs()), 0);
    const CsvTable samples((m_folder / "sampled/samples.csv").string());
    std::map<std::string, std::set<double>> measured; // by situation
    std::map<std::string, uint32_t> runs;             // that took any time
    uint32_t alone = 0;
    for (std::size_t row = 0; row < samples.GetRows(); ++row)
    {
        const std::string situation = samples.GetText(row, "situation");
        if (situation == "1.1" || situation == "3.1")
        {
            ++alone;
            measured[situation].insert(*samples.GetNumber(row, "packets_s"));
            runs[situation] += *samples.GetNumber(row, "iterations") > 0 ? 1 : 0;
        }
    }
    ASSERT_EQ(measured.size(), 2U);
    EXPECT_GT(alone, 2U);
    for (const auto& [situation, lengths] : measured)
    {
        EXPECT_EQ(lengths.size(), 1U) << situation;
        EXPECT_EQ(runs.at(situation), 1U) << situation;
    }
}

TEST_F(SampledRunTest, ASampleCanBeRunByItself)
{
    ASSERT_EQ(RunInto("sampled", MakeThreeJobs()), 0);
    const CsvTable samples((m_folder / "sampled/samples.csv").string());
    const auto run = static_cast<uint64_t>(*samples.GetNumber(0, "run"));
    const auto job = *samples.GetNumber(0, "job");
    const auto warmup = *samples.GetNumber(0, "warmup");
    const auto window = *samples.GetNumber(0, "window");
    const ProcessStateGuard guard;
    RngSeedManager::SetRun(run);
    const RunResult again = Run(Read("sampled/samples/1.json"));
    std::vector<double> ends;
    for (const IterationRecord& row : again.iterations)
    {
        if (row.job.value == job)
        {
            ends.push_back(row.end.GetSeconds());
        }
    }
    ASSERT_GE(ends.size(), warmup + window);
    EXPECT_NEAR((ends[warmup + window - 1] - ends[warmup - 1]) / window,
                *samples.GetNumber(0, "packets_s"),
                1e-9);
}

TEST_F(SampledRunTest, FluidsTakeThePathsOfTheTransport)
{
    // Four rings over four spines: which ports carry data says who goes where.
    const std::string text =
        R"({"name": "paths", "cluster": {"topology": {"kind": "leaf-spine", "spines": 4}},
            "scheduler": {"control": "direct"}, "workload": {"jobs": [)" +
        MakeRing(1, 0, 4, 3) + "," + MakeRing(2, 1, 5, 3) + "," + MakeRing(3, 2, 6, 3) + "," +
        MakeRing(4, 3, 7, 3) + "]}}";
    const auto listPorts = [&](const std::string& kind, const std::string& fidelity) {
        std::set<std::string> ports;
        for (const PortRow& row :
             Run(text, {"transport.kind=" + kind, "fidelity=" + fidelity}).ports)
        {
            if (row.queue > 0 && row.bytes > 500000) // an acknowledgement here and there aside
            {
                ports.insert(row.node + "-" + row.peer);
            }
        }
        return ports;
    };
    const auto rdma = listPorts("rdma", "packets");
    const auto tcp = listPorts("tcp", "packets");
    EXPECT_EQ(listPorts("rdma", "fluid"), rdma);
    EXPECT_EQ(listPorts("tcp", "fluid"), tcp);
    EXPECT_NE(rdma, tcp); // else this says nothing
}

TEST_F(SampledRunTest, RefusesWhatSamplesCannotHave)
{
    const std::string text =
        WithWorkload(R"({"jobs": [{"model": "VGG-16", "workers": 2, "iterations": 9}],
        "compute": {"straggler": {"type": "constant-random-variable", "Constant": 2}},
        "background": [{"source": 0, "destination": 1}]})",
                     R"(, "fidelity": "sampled", "transport": {"kind": "fluid"})");
    const std::string said =
        Complaints(text,
                   {R"(cluster.links=[{"at": "1s", "between": ["h0", "switch0"], "up": false}])",
                    "leap={}",
                    "scheduler.network=crux"});
    for (const char* key : {"/scheduler/network: a sampled run cannot have it",
                            "/transport/kind: a sampled run cannot have it",
                            "/cluster/links: a sampled run cannot have it",
                            "/workload/background: a sampled run cannot have it",
                            "/workload/compute/straggler: a sampled run cannot have it",
                            "/leap: a sampled run cannot have it"})
    {
        EXPECT_NE(said.find(key), std::string::npos) << key << " in\n" << said;
    }
}
