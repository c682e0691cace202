// SPDX-License-Identifier: GPL-2.0-only
// Jobs leap over iterations that repeat, and come out as if they had done each of them.
#include "ddl-simulation-fixture.h"
#include "ddl-slow.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return JSON of a job's placement: one worker a host, on the same GPU of each */
std::string
OnHosts(uint32_t first, uint32_t last, uint32_t gpu = 0)
{
    std::string workers;
    for (uint32_t host = first; host <= last; ++host)
    {
        workers +=
            (host == first ? "[" : ", [") + std::to_string(host) + ", " + std::to_string(gpu) + "]";
    }
    return R"(, "placement": {"workers": [)" + workers + "]}";
}

class LeapsTest : public SimulationFixture
{
  protected:
    /** \param rest of the scenario \param jobs JSON */
    static std::string MakeScenario(const std::string& jobs, const std::string& rest = "")
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 8},
            "hosts": {"gpus": 2}}, "workload": {"jobs": [)" +
               jobs + "]}" + rest + "}";
    }

    /** \return a job of `iterations` with a model of 1 MB; `where` may have its placement */
    static std::string MakeJob(uint32_t id,
                               uint32_t workers,
                               uint64_t iterations,
                               const std::string& pattern,
                               const std::string& submit = "0s",
                               const std::string& where = "")
    {
        const bool hasServer = pattern == "parameter-server";
        return R"({"id": )" + std::to_string(id) + R"(, "workers": )" + std::to_string(workers) +
               R"(, "servers": )" + (hasServer ? "1" : "0") + R"(, "submit": ")" + submit +
               R"(", "iterations": )" + std::to_string(iterations) + R"(, "pattern": ")" + pattern +
               R"(", "model": {"name": "m", "bytes": "1MB", "forward": "200us", "backward": "400us"})" +
               where + "}";
    }

    RunResult Leap(const std::string& scenario, Settings settings = {})
    {
        settings.emplace_back("leap={}");
        return Run(scenario, settings);
    }

    static double CountPortBytes(const RunResult& result)
    {
        double bytes = 0;
        for (const auto& row : result.ports)
        {
            bytes += row.queue > 0 ? static_cast<double>(row.bytes) : 0;
        }
        return bytes;
    }

    /** All jobs did the same in both runs, and took as long, to `part` of it; `open` bytes of an
     * iteration that was cut short may differ, and twice as many at ports. */
    static void ExpectAlike(const RunResult& all,
                            const RunResult& leapt,
                            double part,
                            double open = 0)
    {
        ASSERT_EQ(leapt.jobs.size(), all.jobs.size());
        for (const JobRow& row : all.jobs)
        {
            SCOPED_TRACE("job " + std::to_string(row.job.value));
            const JobRow other = RowOf(leapt, row.job.value);
            EXPECT_EQ(other.iterations, row.iterations);
            EXPECT_NEAR(static_cast<double>(other.bytes), static_cast<double>(row.bytes), open);
            EXPECT_EQ(other.runs, row.runs);
            const double jct = (row.end - row.submit).GetSeconds();
            EXPECT_NEAR((other.end - other.submit).GetSeconds(), jct, part * jct);
        }
        EXPECT_NEAR(CountPortBytes(leapt),
                    CountPortBytes(all),
                    1e-3 * CountPortBytes(all) + 2 * open);
        EXPECT_NEAR(leapt.gpuUtilisation, all.gpuUtilisation, part + 1e-3);
        EXPECT_TRUE(leapt.imbalances.empty());
        ASSERT_TRUE(leapt.leaps);
    }
};

class LeapsOverTest : public LeapsTest, public testing::WithParamInterface<std::string>
{
  protected:
    /** Iterations over tcp hardly repeat: acknowledgements that are sent late fall now on this
     * message, now on that one. */
    double GetPart() const
    {
        return GetParam() == "tcp" ? 0.005 : 0.002;
    }

    /** \return how much is simulated: packets cost a hundred times what a fluid costs */
    template <typename Size>
    Size Choose(Size fluid, Size packets) const
    {
        return GetParam() == "fluid"  ? fluid
               : GetParam() == "rdma" ? HowOften(packets, fluid)
                                      : packets;
    }

    Settings GetSettings() const
    {
        return {"transport.kind=" + GetParam()};
    }
};

TEST_P(LeapsOverTest, AJobAloneTakesAsLongAndMovesAsMuch)
{
    const std::vector<std::string> all{"ring",
                                       "binary-tree",
                                       "halving-doubling",
                                       "parameter-server"};
    const uint64_t iterations = Choose(400, GetParam() == "tcp" ? 40 : 60);
    for (const auto& pattern : GetParam() == "tcp" ? std::vector<std::string>{"ring"} : all)
    {
        SCOPED_TRACE(pattern);
        const std::string scenario = MakeScenario(MakeJob(1, 8, iterations, pattern));
        const RunResult leapt = Leap(scenario, GetSettings());
        const RunResult whole = Run(scenario, GetSettings());
        ExpectAlike(whole, leapt, GetPart());
        const JobRow row = RowOf(whole, 1);
        const JobRow other = RowOf(leapt, 1);
        EXPECT_NEAR(other.communication.GetSeconds(),
                    row.communication.GetSeconds(),
                    2 * GetPart() * row.communication.GetSeconds());
        EXPECT_GE(leapt.leaps->iterations, iterations / 2);
    }
}

TEST_P(LeapsOverTest, StagesCheckpointsAndSuspensionsEndLeaps)
{
    // Job 2 is shorter and comes while job 1, which has all GPUs, is in a leap.
    const uint64_t iterations = Choose(500, 80);
    const std::string scenario = MakeScenario(
        MakeJob(1, 16, iterations, "ring") + "," + MakeJob(2, 16, iterations / 5, "ring", "0.1s"),
        R"(, "scheduler": {"jobs": {"type": "srtf", "Preemptive": true},
                     "switch": {"launch": "1ms", "save": "2ms", "checkpointEvery": 70}})");
    Settings settings = GetSettings();
    if (GetParam() == "tcp") // a packet costs tcp ten times as much
    {
        settings.emplace_back("transport.mtu=9000");
    }
    const RunResult leapt = Leap(scenario, settings);
    const RunResult all = Run(scenario, settings);
    ExpectAlike(all, leapt, GetPart());
    EXPECT_EQ(leapt.runTotals.checkpoints, all.runTotals.checkpoints);
    EXPECT_EQ(leapt.runTotals.preemptions, 1U);
    EXPECT_GE(leapt.leaps->leaps, iterations / 70);
    EXPECT_GE(leapt.leaps->iterations, iterations / 2);
}

TEST_P(LeapsOverTest, WhereNothingRepeatsNothingDiffers)
{
    // Two jobs over the same links, and jitter. When the first job has left, the other one repeats.
    const uint64_t iterations = Choose(50, 10);
    const std::string contend =
        MakeScenario(MakeJob(1, 8, iterations, "ring", "0s", OnHosts(0, 7, 0)) + "," +
                     MakeJob(2, 4, iterations, "binary-tree", "1ms", OnHosts(0, 3, 1)));
    const std::string random = R"({"name": "s", "cluster": {"topology": {"kind": "single-switch",
        "hosts": 4}}, "workload": {"compute": {"jitter": {"type": "uniform-random-variable",
        "Min": 0.99, "Max": 1.01}}, "jobs": [)" +
                               MakeJob(1, 4, iterations, "ring") + "]}}";
    for (const auto& scenario : {contend, random})
    {
        const RunResult all = Run(scenario, GetSettings());
        const RunResult leapt = Leap(scenario, GetSettings());
        ASSERT_EQ(leapt.jobs.size(), all.jobs.size());
        EXPECT_EQ(leapt.jobs[0].job, all.jobs[0].job);
        EXPECT_EQ(leapt.jobs[0].end, all.jobs[0].end);
        EXPECT_EQ(leapt.jobs[0].communication, all.jobs[0].communication);
        EXPECT_LT(leapt.leaps->iterations, scenario == random ? 1U : iterations);
    }
}

TEST_P(LeapsOverTest, ARunThatIsCutShortHasDoneAsMuch)
{
    const std::string time = GetParam() == "tcp" ? "0.06s" : "0.3s";
    const std::string scenario =
        MakeScenario(MakeJob(1, 8, 1000000, "ring"), R"(, "stop": {"time": ")" + time + R"("})");
    const RunResult leapt = Leap(scenario, GetSettings());
    const RunResult all = Run(scenario, GetSettings());
    ExpectAlike(all, leapt, GetPart(), 14e6);
    EXPECT_GE(leapt.leaps->iterations, 5U);
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         LeapsOverTest,
                         testing::Values("fluid", "rdma", "tcp"),
                         [](const auto& info) { return info.param; });

// The state of job 2 passes links of job 1, to host 0 and back: 30 MB, 24 ms alone, three times.
TEST_F(LeapsTest, StateOnItsWayToTheStorageContends)
{
    const std::string scenario =
        MakeScenario(MakeJob(1, 4, 600, "ring", "0s", OnHosts(0, 3)) + "," +
                         MakeJob(2, 4, 300, "binary-tree", "10ms", OnHosts(4, 7)),
                     R"(, "transport": {"kind": "fluid"},
            "scheduler": {"switch": {"checkpointEvery": 100, "storage": {"host": 0, "ratio": 30}}})");
    const RunResult leapt = Leap(scenario);
    const RunResult all = Run(scenario);
    ExpectAlike(all, leapt, 0.002);
    EXPECT_GE(leapt.leaps->iterations, 100U);
    EXPECT_EQ(leapt.runTotals.checkpoints, all.runTotals.checkpoints);
}

TEST_F(LeapsTest, AFailingServerLosesWhatItWouldHaveLost)
{
    const std::string scenario =
        R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 5},
            "failures": [{"server": 3, "at": "251.3ms", "for": "100ms"}]}, "workload": {"jobs": [)" +
        MakeJob(1, 4, 600, "ring", "0s", OnHosts(1, 4)) +
        R"(]}, "transport": {"kind": "fluid"},
            "scheduler": {"switch": {"checkpointEvery": 50}, "detection": "10ms"}})";
    const RunResult leapt = Leap(scenario);
    const RunResult all = Run(scenario);
    ExpectAlike(all, leapt, 0.002, 6e6);
    EXPECT_EQ(leapt.runTotals.failures, all.runTotals.failures);
    EXPECT_NEAR(leapt.runTotals.repeated, all.runTotals.repeated, 1);
}

TEST_F(LeapsTest, ARunThatFailsInALeapHasTrainedUntilThen)
{
    const std::string scenario =
        R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 3},
            "hosts": {"groups": [{"gpus": 0}, {"gpus": 2}, {"gpus": 0}]},
            "failures": [{"server": 1, "at": "400ms", "for": "10ms"}]}, "workload": {"jobs": [)" +
        MakeJob(1, 2, 1000, "ring") + R"(]}, "scheduler": {"detection": "1ms", "coordinator": 0}})";
    const RunResult all = Run(scenario);
    const RunResult leapt = Leap(scenario);
    EXPECT_GT(leapt.leaps->leaps, 0U);
    ASSERT_EQ(all.gpuIdle.size(), 2U);
    ASSERT_EQ(leapt.gpuIdle.size(), 2U);
    EXPECT_NEAR(leapt.gpuIdle.front(), all.gpuIdle.front(), 1e-3);
    EXPECT_NEAR(leapt.runs.front().training->end.GetSeconds(), 0.4, 2e-3);
}

TEST_F(LeapsTest, NobodyIsAloneInABufferThatIsShared)
{
    const auto makeJobs = [](uint64_t iterations) {
        return MakeScenario(MakeJob(1, 4, iterations, "ring", "0s", OnHosts(0, 3)) + "," +
                            MakeJob(2, 4, iterations, "ring", "0s", OnHosts(4, 7)));
    };
    EXPECT_GE(Leap(makeJobs(100)).leaps->iterations, 150U);
    const Settings shared{"cluster.ports.sharedBuffer=1MB", "transport.kind=rdma"};
    EXPECT_LE(Leap(makeJobs(30), shared).leaps->iterations, 10U);
}

TEST_F(LeapsTest, NoCycleSpansACheckpoint)
{
    // A save each eight iterations repeats, too; counted in the length of those between, it would
    // count twice.
    for (const std::string storage : {"", R"(, "storage": {"host": 7, "ratio": 3})"})
    {
        for (const std::string isolated : {"false", "true"})
        {
            SCOPED_TRACE(storage + ", isolated " + isolated);
            const std::string scenario =
                MakeScenario(MakeJob(1, 6, 400, "ring"),
                             R"(, "scheduler": {"switch": {"save": "2ms", "checkpointEvery": 8)" +
                                 storage + "}}");
            const Settings settings{"transport.kind=fluid", "transport.isolated=" + isolated};
            Settings leaping = settings;
            leaping.emplace_back(R"(leap={"memo": true})");
            const JobRow whole = RowOf(Run(scenario, settings), 1);
            const JobRow leapt = RowOf(Run(scenario, leaping), 1);
            const double jct = (whole.end - whole.submit).GetSeconds();
            EXPECT_NEAR((leapt.end - leapt.submit).GetSeconds(), jct, 0.002 * jct);
        }
    }
}

TEST_F(LeapsTest, IterationsOfNoLengthAndWithoutEnd)
{
    const std::string empty = R"({"id": 1, "workers": 1, "iterations": 100, "pattern": "ring",
        "model": {"name": "m", "bytes": "1MB", "forward": "0s"}})";
    EXPECT_EQ(RowOf(Leap(MakeScenario(empty)), 1).iterations, 100U);

    // Job 2 waits for job 1, whose end is beyond the end of time.
    const std::string endless = MakeScenario(
        MakeJob(1, 16, 1000000000000000, "ring") + "," + MakeJob(2, 16, 10, "ring", "50ms"),
        R"(, "stop": {"time": "1s"}, "transport": {"kind": "fluid"})");
    const RunResult result = Leap(endless);
    EXPECT_EQ(result.unfinished.size(), 2U);
    EXPECT_GE(result.leaps->iterations, 100U);
}

/** \return a scenario in which jobs come, contend, are suspended, and a link falls */
std::string
DrawScenario(uint32_t seed)
{
    std::mt19937 generator(seed);
    const auto draw = [&generator](uint32_t least, uint32_t most) {
        return std::uniform_int_distribution<uint32_t>(least, most)(generator);
    };
    const std::vector<std::string> patterns{"ring",
                                            "binary-tree",
                                            "halving-doubling",
                                            "parameter-server"};
    const std::vector<std::string> schedulers{"fair-share", "grouper", "sptf", "sincronia"};
    std::string jobs;
    const uint32_t count = draw(2, 6);
    for (uint32_t id = 1; id <= count; ++id)
    {
        const bool hasServer = draw(0, 3) == 3;
        const std::string pattern = hasServer ? patterns[3] : patterns[draw(0, 2)];
        jobs += (id == 1 ? "" : ",");
        jobs += R"({"id": )" + std::to_string(id) + R"(, "workers": )" +
                std::to_string(1U << draw(0, 3)) + R"(, "servers": )" + (hasServer ? "1" : "0") +
                R"(, "submit": ")" + std::to_string(draw(0, 2000)) + R"(ms", "iterations": )" +
                std::to_string(draw(200, 1500)) + R"(, "pattern": ")" + pattern +
                R"(", "model": {"name": "m", "bytes": ")" + std::to_string(draw(100, 3000)) +
                R"(kB", "forward": ")" + std::to_string(draw(100, 1000)) + R"(us", "backward": ")" +
                std::to_string(draw(100, 2000)) + R"(us"}})";
    }
    const bool isTree = draw(0, 1) == 1;
    const std::string topology =
        isTree ? R"({"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 4, "spines": 2})"
               : R"({"kind": "single-switch", "hosts": 8})";
    const std::string links =
        isTree && draw(0, 1) == 1
            ? R"(, "links": [{"at": "700ms", "between": ["leaf0", "spine0"], "up": false}])"
            : "";
    const std::string queue =
        draw(0, 1) == 1 ? R"("jobs": {"type": "srtf", "Preemptive": true})" : R"("lease": "300ms")";
    return R"({"name": "s", "cluster": {"topology": )" + topology + R"(, "hosts": {"gpus": 2})" +
           links + R"(}, "transport": {"kind": "fluid"}, "scheduler": {"network": ")" +
           schedulers[draw(0, 3)] + R"(", )" + queue + R"(}, "workload": {"jobs": [)" + jobs +
           "]}}";
}

TEST_F(LeapsTest, RandomScenariosComeOutAlikeWithoutAMemoAndWithOne)
{
    uint64_t iterations = 0;
    for (uint32_t seed = 1; seed <= 30; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::string scenario = DrawScenario(seed);
        const RunResult whole = Run(scenario);
        const RunResult leapt = Leap(scenario);
        const RunResult known = Leap(scenario, {"leap.memo=true"});
        {
            SCOPED_TRACE("without a memo");
            ExpectAlike(whole, leapt, 0.002);
        }
        {
            SCOPED_TRACE("with a memo");
            ExpectAlike(whole, known, 0.002);
        }
        iterations += leapt.leaps->iterations;
    }
    EXPECT_GE(iterations, 10000U);
}

/** Two racks of two servers of four GPUs, each with an interface of its own; messages cost nothing.
 */
std::string
MakeTiers(const std::string& jobs, const std::string& scheduler = "")
{
    return R"({"name": "s", "cluster": {"topology": {"kind": "three-tier", "gpusPerServer": 4,
        "serverUplinks": 4, "rackUplinks": 4, "spines": 2, "hostDelay": "20ns",
        "serverDelay": "405ns", "rackDelay": "8325ns"}}, "transport": {"kind": "fluid"},
        "scheduler": {"control": "direct")" +
           scheduler + R"(}, "workload": {"overlap": {"order": "serial"}, "jobs": [)" + jobs +
           "]}}";
}

std::string
MakeTierJob(uint32_t id,
            uint64_t iterations,
            const std::string& submit,
            const std::string& gpus,
            const std::string& layers = R"({"bytes": "60kB", "forward": "20us", "backward": "40us"},
                {"bytes": "90kB", "forward": "30us", "backward": "60us"})")
{
    const auto workers = std::to_string(std::count(gpus.begin(), gpus.end(), '['));
    return R"({"id": )" + std::to_string(id) + R"(, "workers": )" + workers +
           R"(, "pattern": "ring", "iterations": )" + std::to_string(iterations) +
           R"(, "submit": ")" + submit + R"(", "model": {"name": "m", "layers": [)" + layers +
           R"(]}, "placement": {"workers": [)" + gpus + "]}}";
}

// Rings of four: in a server, on two servers of a rack, on two racks.
const std::vector<std::pair<std::string, std::string>> TIER_PLACES{
    {"[0, 0], [1, 0], [2, 0], [3, 0]", "[8, 0], [9, 0], [10, 0], [11, 0]"},
    {"[0, 0], [1, 0], [4, 0], [5, 0]", "[8, 0], [9, 0], [12, 0], [13, 0]"},
    {"[0, 0], [1, 0], [8, 0], [9, 0]", "[6, 0], [7, 0], [14, 0], [15, 0]"}};

TEST_F(LeapsTest, WhatOneRunTeachesIsKnownOfTheNextOfItsKind)
{
    for (const auto& [first, second] : TIER_PLACES)
    {
        SCOPED_TRACE(first);
        // The second job comes when the first one is over, somewhere else, placed alike.
        const std::string scenario =
            MakeTiers(MakeTierJob(1, 2000, "0s", first) + "," + MakeTierJob(2, 2000, "4s", second));
        const RunResult all = Run(scenario);
        const RunResult leapt = Leap(scenario);
        const RunResult known = Leap(scenario, {"leap.memo=true"});
        ExpectAlike(all, leapt, 1e-6);
        ExpectAlike(all, known, 1e-5);
        EXPECT_NEAR(RowOf(known, 2).communication.GetSeconds(),
                    RowOf(all, 2).communication.GetSeconds(),
                    1e-4 * RowOf(all, 2).communication.GetSeconds());
        EXPECT_EQ(RowOf(known, 1).end, RowOf(leapt, 1).end);
        // Nothing of job 2 but its last iteration is simulated, and the one that it computes alone.
        EXPECT_GE(known.leaps->iterations, leapt.leaps->iterations + 3);
    }
}

// A ring's iterations take as long in whatever order its neighbours share a server, a rack, or
// none.
TEST_F(LeapsTest, RingsDifferByHowManyNeighboursShareATier)
{
    // Three neighbours share a server, one a rack, and two nothing.
    const std::vector<std::string> rings{"[0, 0], [1, 0], [2, 0], [4, 0], [8, 0], [9, 0]",
                                         "[0, 0], [4, 0], [5, 0], [8, 0], [9, 0], [10, 0]"};
    for (const auto& rate : {"7200Gbps", "100Gbps"})
    {
        SCOPED_TRACE(rate);
        const Settings settings{std::string("cluster.topology.serverRate=") + rate,
                                std::string("cluster.topology.rackRate=") + rate};
        std::vector<double> ends;
        for (const auto& ring : rings)
        {
            const RunResult all = Run(MakeTiers(MakeTierJob(1, 1000, "0s", ring)), settings);
            ends.push_back(RowOf(all, 1).end.GetSeconds());
        }
        EXPECT_NEAR(ends[1], ends[0], 1e-4 * ends[0]);
        Settings memo = settings;
        memo.emplace_back("leap.memo=true");
        const std::string jobs =
            MakeTierJob(1, 1000, "0s", rings[0]) + "," + MakeTierJob(2, 1000, "4s", rings[1]);
        const RunResult known = Leap(MakeTiers(jobs), memo);
        ExpectAlike(Run(MakeTiers(jobs), settings), known, 1e-4);
        EXPECT_EQ(known.leaps->leaps, 2U);
    }
}

TEST_F(LeapsTest, KindsDifferByWorkAndByWhereRanksAre)
{
    const std::string jobs =
        MakeTierJob(1, 2000, "0s", TIER_PLACES[0].first) + "," +
        MakeTierJob(2, 2000, "4s", TIER_PLACES[1].second) + "," +
        MakeTierJob(3,
                    2000,
                    "8s",
                    TIER_PLACES[0].second,
                    R"({"bytes": "150kB", "forward": "50us", "backward": "100us"})");
    const RunResult all = Run(MakeTiers(jobs));
    const RunResult leapt = Leap(MakeTiers(jobs));
    const RunResult known = Leap(MakeTiers(jobs), {"leap.memo=true"});
    ExpectAlike(all, known, 1e-6);
    EXPECT_EQ(known.leaps->iterations, leapt.leaps->iterations); // all three teach
    for (uint32_t job = 1; job <= 3; ++job)
    {
        EXPECT_EQ(RowOf(known, job).end, RowOf(leapt, job).end);
    }
}

TEST_F(LeapsTest, RunsThatAreKnownGiveWayAndGoOn)
{
    // Two jobs take turns on all GPUs, with leases of 50 ms, checkpoints, and costs.
    const auto makeJob = [](uint32_t id) {
        return R"({"id": )" + std::to_string(id) +
               R"(, "workers": 16, "pattern": "ring", "iterations": 600, "model": {"name": "m",
                   "layers": [{"bytes": "60kB", "forward": "20us", "backward": "40us"},
                              {"bytes": "90kB", "forward": "30us", "backward": "60us"}]}})";
    };
    const std::string scenario = MakeTiers(makeJob(1) + "," + makeJob(2),
                                           R"(, "lease": "50ms", "jobs": "2d-las",
        "switch": {"launch": "1ms", "save": "2ms", "checkpointEvery": 70})");
    const RunResult all = Run(scenario);
    const RunResult known = Leap(scenario, {"leap.memo=true", "leap.guard=0"});
    ExpectAlike(all, known, 5e-4);
    EXPECT_GE(RowOf(known, 1).runs, 5U);
    EXPECT_GE(known.leaps->iterations, 800U);
}

TEST_F(LeapsTest, WhoMayBeDelayedALittleLeapsBesideOthers)
{
    // Two rings over the same uplinks, which they keep busy for a few percent of the time each.
    const std::string jobs = MakeTierJob(1, 3000, "0s", TIER_PLACES[1].first) + "," +
                             MakeTierJob(2, 3000, "1ms", "[2, 0], [3, 0], [6, 0], [7, 0]");
    const Settings one{"cluster.topology.serverUplinks=1", "cluster.topology.serverRate=400Gbps"};
    Settings shared = one;
    shared.insert(shared.end(), {"leap.shared=0.3", "leap.memo=true"});
    const RunResult all = Run(MakeTiers(jobs), one);
    const RunResult alone = Leap(MakeTiers(jobs), one);
    const RunResult beside = Leap(MakeTiers(jobs), shared);
    ExpectAlike(all, beside, 0.3);
    EXPECT_LT(alone.leaps->iterations, 100U);
    EXPECT_GT(beside.leaps->iterations, 5000U);
    // The bound is one: nobody was delayed by so much, nor gained.
    for (const uint32_t job : {1U, 2U})
    {
        EXPECT_LE(RowOf(beside, job).end, RowOf(all, job).end + MilliSeconds(1));
    }
}

// Leaps by the mean.

/** \return jobs of 8 machines with two GPUs each that meet on many ports, with jitter */
std::string
MakeContention(uint64_t iterations)
{
    std::string jobs;
    const std::vector<std::pair<std::string, std::string>> places{
        {"ring", "[[0, 0], [1, 0], [2, 0], [3, 0]]"},
        {"ring", "[[0, 1], [1, 1], [4, 0], [5, 0]]"},
        {"parameter-server", "[[2, 1], [3, 1], [5, 1]], \"servers\": [4]"}};
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const auto& [pattern, workers] = places[i];
        const bool hasServer = pattern == "parameter-server";
        jobs += (i > 0 ? ", " : "") + std::string(R"({"id": )") + std::to_string(i + 1) +
                R"(, "workers": )" + (hasServer ? "3" : "4") + R"(, "servers": )" +
                (hasServer ? "1" : "0") + R"(, "pattern": ")" + pattern + R"(", "iterations": )" +
                std::to_string(iterations + 777 * i) + R"(, "model": {"name": "m", "bytes": ")" +
                std::to_string(1 + i) +
                R"(MB", "forward": "300us", "backward": "900us"}, "placement": {"workers": )" +
                workers + "}}";
    }
    return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 8},
        "hosts": {"gpus": 2}}, "workload": {"compute": {"jitter": {
        "type": "uniform-random-variable", "Min": 0.95, "Max": 1.05}}, "jobs": [)" +
           jobs + "]}}";
}

TEST_F(LeapsTest, JobsThatContendLeapByTheirMean)
{
    for (const std::string seed : {"1", "2", "3"})
    {
        SCOPED_TRACE(seed);
        const std::string scenario = MakeContention(5000);
        const Settings settings{"transport.kind=fluid", "seed=" + seed};
        Settings byMean = settings;
        byMean.emplace_back("leap.error=0.01");
        const RunResult all = Run(scenario, settings);
        const RunResult leapt = Leap(scenario, byMean);
        ExpectAlike(all, leapt, 0.01, 1e7);
        EXPECT_GT(leapt.leaps->iterations, 12000U);
        EXPECT_GT(leapt.leaps->byMean, 2U);
        for (const JobRow& row : leapt.jobs)
        {
            ASSERT_TRUE(row.leapError) << row.job;
            EXPECT_GT(*row.leapError, 0);
            EXPECT_LT(*row.leapError, 0.05 * row.GetJct());
            const double difference = row.GetJct() - RowOf(all, row.job.value).GetJct();
            EXPECT_LE(std::abs(difference), 2 * *row.leapError) << row.job;
            EXPECT_EQ(row.iterations, RowOf(all, row.job.value).iterations);
            EXPECT_EQ(row.bytes, RowOf(all, row.job.value).bytes);
        }
        const RunResult again = Leap(scenario, byMean);
        EXPECT_EQ(again.jobs[0].end, leapt.jobs[0].end);
        EXPECT_EQ(again.jobs[2].leapError, leapt.jobs[2].leapError);
    }
}

TEST_F(LeapsTest, PortsCountWhatContendingJobsSkip)
{
    Settings settings{"transport.kind=rdma", "transport.mtu=9000"};
    const std::string scenario = MakeContention(HowOften(400, 4000));
    const RunResult all = Run(scenario, settings);
    settings.emplace_back("leap.error=0.05");
    const RunResult leapt = Leap(scenario, settings);
    EXPECT_GT(leapt.leaps->byMean, 0U);
    EXPECT_GT(leapt.leaps->iterations, 300U);
    EXPECT_NEAR(CountPortBytes(leapt), CountPortBytes(all), 0.03 * CountPortBytes(all));
    for (const JobRow& row : leapt.jobs)
    {
        EXPECT_NEAR(row.GetJct(),
                    RowOf(all, row.job.value).GetJct(),
                    0.05 * RowOf(all, row.job.value).GetJct());
    }
}

TEST_F(LeapsTest, JobsThatMeetLaterAreNotLeaptOverAsIfTheyDidNot)
{
    // Their iterations take 4.00 and 4.01 ms, of which a tenth is transfers over the same ports,
    // half an iteration apart: they meet after some hundreds of iterations, and then in turns.
    const auto makeJob = [](uint32_t id, const std::string& backward, const std::string& submit) {
        return R"({"id": )" + std::to_string(id) +
               R"(, "workers": 4, "servers": 0, "iterations": 20000, "pattern": "ring", "submit": ")" +
               submit +
               R"(", "model": {"name": "m", "bytes": "2MB", "forward": "1ms", "backward": ")" +
               backward + R"("})" + OnHosts(0, 3, id - 1) + "}";
    };
    const std::string scenario =
        MakeScenario(makeJob(1, "2.6ms", "0s") + "," + makeJob(2, "2.61ms", "2ms"));
    const Settings settings{"transport.kind=fluid"};
    const RunResult all = Run(scenario, settings);
    const RunResult leapt = Leap(scenario, {"transport.kind=fluid", "leap.error=0.02"});
    ExpectAlike(all, leapt, 0.02, 1e7);
    EXPECT_GT(leapt.leaps->iterations, 1000U);
}

TEST_F(LeapsTest, AJobThatStarvesKeepsTheOthersAwake)
{
    // Job 1 always sends, and goes first: job 2 ends no iteration until job 1 has left.
    const auto makeJob = [](uint32_t id) {
        return R"({"id": )" + std::to_string(id) +
               R"(, "workers": 4, "servers": 0, "iterations": )" + (id == 1 ? "2000" : "20") +
               R"(, "pattern": "ring", "model": {"name": "m", "bytes": "1MB", "forward": "0us",
               "backward": "0us"})" +
               OnHosts(0, 3, id - 1) + "}";
    };
    const std::string scenario = MakeScenario(
        makeJob(1) + "," + makeJob(2),
        R"(, "transport": {"kind": "fluid"}, "scheduler": {"network": {"type": "fixed-order",
            "Order": "1 2"}})");
    const RunResult all = Run(scenario);
    const RunResult leapt = Leap(scenario, {"leap.error=0.01"});
    ExpectAlike(all, leapt, 1e-3, 1e7);
}

TEST_F(LeapsTest, SuspensionsStagesAndCheckpointsOfContendingJobs)
{
    const std::string jobs =
        MakeJob(1, 6, 4000, "ring") + "," + MakeJob(2, 6, 3000, "ring", "50ms") + "," +
        MakeJob(3, 4, 3500, "ring", "1s") + "," + MakeJob(4, 10, 700, "ring", "2s");
    const std::string scenario = MakeScenario(
        jobs,
        R"(, "transport": {"kind": "fluid"}, "scheduler": {"placement": "least-allocated",
            "jobs": {"type": "srtf", "Preemptive": true},
            "switch": {"launch": "1ms", "save": "2ms", "checkpointEvery": 500}})");
    const RunResult all = Run(scenario);
    const RunResult leapt = Leap(scenario, {"leap.error=0.01"});
    ExpectAlike(all, leapt, 0.01, 1e7);
    EXPECT_EQ(leapt.runTotals.preemptions, all.runTotals.preemptions);
    EXPECT_EQ(leapt.runTotals.checkpoints, all.runTotals.checkpoints);
    EXPECT_GT(leapt.leaps->byMean, 4U);
}

TEST_F(LeapsTest, AJobThatIsToldToStopIsNotHeldByOthers)
{
    // Jobs take turns by leases. In the iteration before which a job was told to stop, it may seem
    // to repeat itself, and others may make their component sleep.
    std::mt19937 random(1);
    std::uniform_int_distribution<int> any(0, 99);
    for (uint32_t i = 0; i < HowOften(12, 100); ++i)
    {
        SCOPED_TRACE(i);
        std::string jobs;
        for (uint32_t job = 1; job <= 6; ++job)
        {
            jobs +=
                (job > 1 ? ", " : "") +
                MakeJob(job, 3 + any(random) % 4, 1500, "ring", std::to_string(any(random)) + "ms");
        }
        const std::string scenario = MakeScenario(
            jobs,
            R"(, "transport": {"kind": "fluid"}, "scheduler": {"jobs": "2d-las", "lease": "300ms",
                "switch": {"launch": "1ms", "save": "1ms"}})");
        for (const std::string error : {"0", "0.05"})
        {
            const RunResult leapt = Leap(scenario, {"leap.error=" + error});
            EXPECT_EQ(leapt.jobs.size(), 6U);
            EXPECT_EQ(leapt.status, RunResult::Status::DONE) << leapt.reason;
            EXPECT_EQ(leapt.leaps->byMean > 0, error != "0");
            for (const JobRow& row : leapt.jobs)
            {
                EXPECT_EQ(row.iterations, 1500U);
            }
        }
    }
}

} // namespace
