// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/ddl-control-notes.h"
#include "app/run/ddl-idle-settings.h"
#include "app/sampling/ddl-forecast.h"
#include "ddl-scenario-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"

#include <chrono>
#include <ctime>
#include <limits>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

class ForecastTest : public ScenarioFixture
{
  protected:
    WorkloadSample SampleText(const std::string& text, const Settings& settings = {})
    {
        return WorkloadSample(ReadText(text, settings));
    }

    /** \return a scenario on four hosts of one GPU each, with output.alone as given */
    static std::string Spread(const std::string& workload, bool alone = false)
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
                   "hosts": {"gpus": 1}}, "output": {"alone": )" +
               std::string(alone ? "true" : "false") + R"(}, "workload": )" + workload + "}";
    }

    /** A ring of four whose iteration moves 6 MB: each of 4 workers sends 2 x 3/4 MB. */
    static std::string Ring(uint32_t iterations)
    {
        return R"({"jobs": [{"model": {"bytes": "1MB", "forward": "1ms"}, "workers": 4,
                   "pattern": "ring", "iterations": )" +
               std::to_string(iterations) + "}]}";
    }
};

TEST_F(ForecastTest, CountsMachinesOfEachTopology)
{
    const Forecast tree =
        MakeForecast(SampleText(WithCluster(R"({"topology": {"leaves": 3, "hostsPerLeaf": 5,
            "spines": 2, "parallel": 2}, "hosts": {"gpus": 7}})")));
    EXPECT_EQ(tree.hosts, 15U);
    EXPECT_EQ(tree.switches, 5U);
    EXPECT_EQ(tree.cables, 15U + 3 * 2 * 2);
    EXPECT_EQ(tree.gpus, 105U);

    const Forecast star =
        MakeForecast(SampleText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}")));
    EXPECT_EQ(star.hosts, 4U);
    EXPECT_EQ(star.switches, 1U);
    EXPECT_EQ(star.cables, 4U);

    const Forecast dumbbell = MakeForecast(SampleText(
        WithCluster(R"({"topology": {"kind": "dumbbell", "leftHosts": 3, "rightHosts": 2}})")));
    EXPECT_EQ(dumbbell.hosts, 5U);
    EXPECT_EQ(dumbbell.switches, 2U);
    EXPECT_EQ(dumbbell.cables, 5U + 1);
}

TEST_F(ForecastTest, SaysServersAndOversubscription)
{
    // 8 x 100 Gbps to 2 x 100; 3 servers x 2 x 100 Gbps to 1 spine x 50 Gbps
    const Scenario scenario = ReadText(WithCluster(R"({"topology": {"kind": "three-tier",
        "racks": 2, "serversPerRack": 3, "gpusPerServer": 8, "hostRate": "100Gbps",
        "serverUplinks": 2, "serverRate": "100Gbps", "rackRate": "50Gbps"}})"));
    std::ostringstream text;
    PrintForecast(text, scenario, MakeForecast(WorkloadSample(scenario)), CostForecast());
    EXPECT_NE(text.str().find("topology: three-tier, 48 hosts with 48 GPUs in 6 servers and 2 "
                              "racks, 9 switches, 62 links\n"
                              "uplinks:  server 4:1, rack 12:1 ("),
              std::string::npos)
        << text.str();
}

TEST_F(ForecastTest, CountsBytesAndMessages)
{
    // A ring of 2 with 1 MB: each of 2 workers sends 2 messages of 1/2 MB an iteration; 3 of these.
    const Forecast forecast =
        MakeForecast(SampleText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}")));
    EXPECT_EQ(forecast.bytes, 6000000U);
    EXPECT_EQ(forecast.messages, 12U);
    EXPECT_EQ(forecast.cojobs, 0U);
    EXPECT_EQ(forecast.jobs, 1U);
    EXPECT_EQ(forecast.stages, 1U);
    EXPECT_EQ(forecast.iterations, 3U);
    EXPECT_FALSE(forecast.isSampled);
}

TEST_F(ForecastTest, StagesThatNobodyRunsDoNotCount)
{
    // Three stages of 1, 2 and 4 iterations; job 1 stops after the first, job 2 after the second.
    const Forecast forecast = MakeForecast(SampleText(WithWorkload(
        R"({"cojobs": [{"stages": [1, 2, 4], "search": "list", "jobs": [
            {"model": {"bytes": "1MB"}, "workers": 2, "stopAfter": 1},
            {"model": {"bytes": "1MB"}, "workers": 2, "stopAfter": 2}]}]})")));
    EXPECT_EQ(forecast.cojobs, 1U);
    EXPECT_EQ(forecast.jobs, 2U);
    EXPECT_EQ(forecast.stages, 2U);
    EXPECT_EQ(forecast.iterations, 1U + (1 + 2));
    EXPECT_EQ(forecast.bytes, 4U * 2000000);
}

TEST_F(ForecastTest, ScaleIsApplied)
{
    const Forecast forecast =
        MakeForecast(SampleText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"),
                                {"scale.model=0.5", "scale.iterations=2"}));
    EXPECT_EQ(forecast.iterations, 6U);
    EXPECT_EQ(forecast.bytes, 6U * 1000000);
}

TEST_F(ForecastTest, TooMuchToCountIsTheMostThereIs)
{
    const Forecast forecast = MakeForecast(SampleText(
        WithWorkload(R"({"jobs": [{"model": {"bytes": "9000000TB"}, "workers": 2, "count": 2,
                                   "iterations": 1000000000}]})")));
    EXPECT_EQ(forecast.bytes, std::numeric_limits<uint64_t>::max());
}

TEST_F(ForecastTest, OfVeryManyJobsTheFirstStandForTheRest)
{
    // 10^7 rings of 2, 3 iterations of 2 x 1 MB each: 6 x 10^13 bytes.
    const Forecast forecast = MakeForecast(
        SampleText(WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 10000000, "iterations": 3,
            "models": [{"name": "a", "bytes": "1MB"}], "servers": 0, "workers": 2}})")));
    EXPECT_TRUE(forecast.isSampled);
    EXPECT_EQ(forecast.jobs, 10000000U);
    EXPECT_EQ(forecast.stages, 10000000U);
    EXPECT_EQ(forecast.iterations, 30000000U);
    EXPECT_EQ(forecast.bytes, 30000000U * uint64_t{2000000});
}

/** \return CPU seconds of this process */
static double
UsedSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TEST_F(ForecastTest, OfVeryManyJobsTheTrialHasTheFirst)
{
#ifdef __SANITIZE_ADDRESS__
    constexpr double TIMES = 20; // sanitized code takes longer to read the same jobs
#else
    constexpr double TIMES = 1;
#endif
    TrialBudget budget;
    budget.run = 0.3 * TIMES;
    budget.alone = 0.1 * TIMES;
    const double before = UsedSeconds();
    const CostForecast costs = TryCosts(
        SampleText(WithWorkload(R"({"generator": {"kind": "jobs", "jobs": 10000000, "iterations": 3,
            "models": [{"name": "a", "bytes": "1MB", "forward": "1ms"}], "servers": 0,
            "workers": 2}})"),
                   {"transport.kind=fluid"}),
        budget);
    EXPECT_LT(UsedSeconds() - before, 60);
    EXPECT_GT(costs.cpuSeconds.value_or(0), 100);
    EXPECT_GT(costs.aloneCpuSeconds.value_or(0), 0);
    EXPECT_LE(costs.share, 0.001); // 10,000 jobs of 10 million at most
    ASSERT_EQ(costs.unseen.size(), 1U);
    EXPECT_EQ(costs.unseen[0],
              "the trial had the first 10000 arrivals only; what it costs that more jobs wait is "
              "not in it");
}

TEST_F(ForecastTest, ATrialEndsByCpuTimeWhereverItIs)
{
    // Nothing happens for 10 years, then 10^9 iterations of 3 ms or more: what is done by simulated
    // time looks up too late.
    TrialBudget budget;
    budget.run = 0.3;
    const double before = UsedSeconds();
    const CostForecast costs =
        TryCosts(SampleText(Spread(R"({"jobs": [{"model": {"bytes": "1MB", "forward": "1ms"},
            "workers": 4, "pattern": "ring", "submit": "300000000s", "iterations": 1000000000}]})"),
                            {"transport.kind=fluid", "stop.stall=0s"}),
                 budget);
    EXPECT_LT(UsedSeconds() - before, 60);
    EXPECT_GT(costs.share, 0);
    EXPECT_LT(costs.share, 0.01);
    EXPECT_GT(costs.cpuSeconds.value_or(0), 100);
}

TEST_F(ForecastTest, ATrialEndsByTheWallClockToo)
{
    TrialBudget budget;
    budget.run = 1e6;
    budget.alone = 1e6;
    budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    const double before = UsedSeconds();
    const CostForecast costs =
        TryCosts(SampleText(Spread(Ring(1000000000), true), {"transport.kind=fluid"}), budget);
    EXPECT_LT(UsedSeconds() - before, 60);
    EXPECT_TRUE(costs.cpuSeconds);
}

TEST_F(ForecastTest, SaysWhatItKnowsAllTheTime)
{
    std::vector<CostForecast> told;
    TrialBudget budget;
    budget.run = 1.5; // more than between two reports
    const CostForecast costs =
        TryCosts(SampleText(Spread(Ring(1000000000), true)),
                 budget,
                 [&told](const CostForecast& soFar) { told.push_back(soFar); });
    ASSERT_GE(told.size(), 4U); // at the beginning, in the run, behind it, before the runs alone
    EXPECT_FALSE(told.front().cpuSeconds);
    EXPECT_EQ(told.front().unseen,
              std::vector<std::string>{
                  "the trial did not end in time: the network was still being built"});
    EXPECT_TRUE(told[1].cpuSeconds);
    EXPECT_EQ(told[1].networkShare, 1);
    EXPECT_GT(told[1].share, 0);
    EXPECT_EQ(told[1].unseen.size(), 1U);
    EXPECT_FALSE(told.back().aloneCpuSeconds);
    EXPECT_EQ(told.back().unseen,
              std::vector<std::string>{"the trial of the runs alone did not end in time"});
    EXPECT_TRUE(costs.aloneCpuSeconds);
    EXPECT_TRUE(costs.unseen.empty());
}

TEST_F(ForecastTest, WhatATrialDidNotSeeIsPrinted)
{
    const Scenario scenario = ReadText(Spread(Ring(3), true));
    CostForecast costs;
    costs.unseen = {"one", "two"};
    const auto print = [&] {
        std::ostringstream os;
        PrintForecast(os, scenario, MakeForecast(WorkloadSample(scenario)), costs);
        return os.str().substr(os.str().find("traffic:"));
    };
    const std::string scale = "scale:    model 1.000, iterations 1.000 (applied above)\n";
    EXPECT_EQ(
        print(),
        "traffic:  18.00 MB in 72 messages; how much of it crosses the network is not known\n" +
            scale + "expected: not known\nunseen:   one\nunseen:   two\n");
    costs.networkShare = 1;
    costs.cpuSeconds = 7;
    costs.share = 0.0001;
    EXPECT_EQ(print(),
              "traffic:  18.00 MB in 72 messages, of which 18.00 MB cross the network\n" + scale +
                  "expected: 7.0 s of CPU time for the run, not known for the runs alone (by a "
                  "trial of less than 0.1 % of the work)\nunseen:   one\nunseen:   two\n");
}

TEST_F(ForecastTest, SampledRunsAreTriedWithoutTheirSamples)
{
    const CostForecast costs = TryCosts(SampleText(Spread(Ring(3)), {"fidelity=sampled"}));
    EXPECT_EQ(costs.unseen, std::vector<std::string>{"what the samples on packets cost"});
}

TEST_F(ForecastTest, WhatStaysWithinAMachineDoesNotCrossTheNetwork)
{
    // Both workers on machine 0, by first-fit: no packet of theirs, only the control messages.
    const std::string job = std::string("{\"jobs\": [") + JOB + "]}";
    const CostForecast within =
        TryCosts(SampleText(WithWorkload(job), {"scheduler.control=direct"}));
    EXPECT_EQ(within.networkShare, 0);
    EXPECT_EQ(within.packetHops, 0);
    // One GPU a machine: all of it crosses. 6 MB are 4110 packets of 1460 bytes over two links,
    // and an acknowledgement each, within 1 %.
    const CostForecast across = TryCosts(SampleText(Spread(job), {"scheduler.control=direct"}));
    EXPECT_EQ(across.networkShare, 1);
    EXPECT_NEAR(across.packetHops, 4110 * 2 * 2, 165);
    EXPECT_EQ(across.share, 1);
}

TEST_F(ForecastTest, APartStandsForTheWhole)
{
    // What the trial has done and what is forecast from it, in packets, which no load changes: a
    // ring of 4 moves 6 x 4 messages of 250 kB an iteration, 172 packets each, over two links.
    const double whole = 24.0 * 172 * 2 * 20000;
    TrialBudget budget;
    budget.run = 0.2;
    const CostForecast costs =
        TryCosts(SampleText(Spread(Ring(20000)), {"transport.kind=rdma"}), budget);
    EXPECT_LT(costs.share, 0.5);
    EXPECT_GT(costs.share, 0);
    EXPECT_GT(costs.packetHops, whole); // and acknowledgements, one of four packets or more
    EXPECT_LT(costs.packetHops, 1.35 * whole);
    EXPECT_GT(costs.cpuSeconds, 2 * budget.run);
}

TEST_F(ForecastTest, WorkersThatAreAheadAreNoWorkLess)
{
    // Three workers a job, one of them on the server's machine: it begins the next iteration while
    // the others still receive, and its messages arrive before the last of this one.
    std::string jobs;
    for (int job = 0; job < 8; ++job)
    {
        jobs += (job == 0 ? "" : ",") +
                std::string(R"({"model": {"bytes": "100kB"}, "workers": 3, "servers": 1,
                    "iterations": 40000, "placement": {"workers": [)");
        for (int worker = 0; worker < 3; ++worker)
        {
            jobs += (worker == 0 ? "[" : ", [") + std::to_string(worker) + ", " +
                    std::to_string(job) + "]";
        }
        jobs += R"(], "servers": [0]}})";
    }
    TrialBudget budget;
    budget.run = 0.2;
    const CostForecast costs =
        TryCosts(SampleText(R"({"name": "s", "cluster": {"topology": {"kind": "single-switch",
            "hosts": 4}, "hosts": {"gpus": 8}}, "output": {"alone": false}, "workload": {"jobs": [)" +
                                jobs + "]}}",
                            {"transport.kind=fluid"}),
                 budget);
    EXPECT_GT(costs.share, 0.001);
    EXPECT_LT(costs.cpuSeconds.value(), 200);
}

TEST_F(ForecastTest, WhatComesBehindTheStopTimeDoesNotCount)
{
    // An iteration takes 1 ms of compute, and 1.2 ms or more of the network.
    const Scenario scenario =
        ReadText(Spread(Ring(20000), true), {"transport.kind=rdma", "stop.time=25ms"});
    const CostForecast costs = TryCosts(WorkloadSample(scenario));
    EXPECT_EQ(costs.share, 1);
    EXPECT_GT(costs.done, 4.0 / 20000);
    EXPECT_LT(costs.done, 12.0 / 20000);
    EXPECT_EQ(costs.aloneCpuSeconds, 0); // nobody leaves, so nobody runs alone
    std::ostringstream os;
    PrintForecast(os, scenario, MakeForecast(WorkloadSample(scenario)), costs);
    EXPECT_NE(os.str().find("\ntraffic:  until the run ends about "), std::string::npos)
        << os.str();
    EXPECT_NE(os.str().find("\nend:      with work left: the simulated time was up (stop.time)\n"),
              std::string::npos)
        << os.str();
}

TEST_F(ForecastTest, ARunThatStallsIsSaid)
{
    // h1 is cut off at once: a ring of four never moves.
    const Scenario scenario =
        ReadText(Spread(Ring(3)),
                 {"transport.kind=fluid",
                  R"(cluster.links=[{"at": "0s", "between": ["h1", "switch0"], "up": false}])"});
    const CostForecast costs = TryCosts(WorkloadSample(scenario));
    EXPECT_EQ(costs.stop, "no job moved for 600s (stop.stall)");
    std::ostringstream os;
    PrintForecast(os, scenario, MakeForecast(WorkloadSample(scenario)), costs);
    EXPECT_EQ(os.str().find("stop.time"), std::string::npos) << os.str();
    EXPECT_NE(os.str().find("\nend:      with work left: no job moved for 600s (stop.stall)\n"),
              std::string::npos)
        << os.str();
}

TEST_F(ForecastTest, EqualRunsAloneCountOnce)
{
    // 400 equal jobs of one worker come one after the other to one GPU: they share a run.
    const auto price = [this](const std::string& more) {
        return TryCosts(
                   SampleText(R"({"name": "s", "cluster": {"topology": {"kind": "single-switch",
                    "hosts": 2}, "hosts": {"gpus": 1}}, "workload": {"jobs": [{"count": 400,
                    "model": {"bytes": "1MB", "forward": "1ms"}, "workers": 1, "pattern": "ring",
                    "iterations": 2}]}})",
                              {"transport.kind=fluid", more}))
            .aloneCpuSeconds.value_or(-1);
    };
    EXPECT_LT(price("seed=1"), 1);
    EXPECT_GT(price("seed=1"), 0);
    // jitter makes each another: 400 processes
    EXPECT_GT(price(R"(workload.compute.jitter={"type": "ns3::UniformRandomVariable", "Min": 1})"),
              2);
}

TEST_F(ForecastTest, RunsAloneCostOnceForJobsAndTwiceForCojobs)
{
    TrialBudget budget;
    budget.alone = 0.2;
    const auto price = [this, budget](const std::string& workload, bool alone) {
        return TryCosts(SampleText(Spread(workload, alone)), budget).aloneCpuSeconds.value_or(-1);
    };
    EXPECT_EQ(price(Ring(3), false), 0);
    EXPECT_GT(price(Ring(3), true), 0.03); // a program is started
    const std::string cojob = R"({"cojobs": [{"stages": [3], "jobs": [
        {"model": {"bytes": "1MB"}, "workers": 2}]}]})";
    EXPECT_GT(price(cojob, true), 0.06); // two are
}

/** What is said of settings. */
class IdleSettingsTest : public ForecastTest
{
  protected:
    /** \return the lines on a scenario with this workload */
    std::string Find(const std::string& workload, const Settings& settings)
    {
        std::string text;
        for (const auto& line :
             FindIdleSettings(SampleText(WithWorkload(workload), settings), settings))
        {
            text += line + "\n";
        }
        return text;
    }

    const std::string m_job = std::string("{\"jobs\": [") + JOB + "]}";
};

TEST_F(IdleSettingsTest, OfQueuesOnFluids)
{
    for (const std::string key :
         {"ports.limit", "ports.ecnThreshold", "ports.sharedBuffer", "hosts.ecnThreshold"})
    {
        const std::string setting = "cluster." + key + "=50kB";
        EXPECT_EQ(Find(m_job, {setting, "transport.kind=fluid"}),
                  "cluster." + key + " changes nothing: fluids fill no queue\n");
        EXPECT_EQ(Find(m_job, {setting, "fidelity=fluid"}),
                  "cluster." + key + " changes nothing: fluids fill no queue\n");
        EXPECT_EQ(Find(m_job, {setting, "fidelity=sampled"}), "") << "its samples are packets";
        EXPECT_EQ(Find(m_job, {setting, "transport.kind=rdma"}), "");
    }
    EXPECT_EQ(Find(m_job, {"cluster.ports.pfc=true", "transport.kind=fluid"}),
              "cluster.ports.pfc changes nothing: fluids are not paused\n");
    EXPECT_EQ(Find(m_job, {"cluster.ports.pfc=true", "transport.kind=rdma"}), "");
}

TEST_F(IdleSettingsTest, OfPathsThatCannotBeChosen)
{
    const std::string said = "the choice of paths (scheduler.network) changes nothing: this "
                             "transport, or cluster.topology.routing, keeps no stream to a chosen "
                             "path\n";
    const std::string crux = "scheduler.network=crux";
    const std::string repeats = "transport.recovery=selective-repeat";
    EXPECT_EQ(Find(m_job, {crux, "transport.kind=tcp"}), said);
    EXPECT_EQ(Find(m_job, {crux, repeats, "transport.entropy=random", "transport.kind=rdma"}),
              said);
    EXPECT_EQ(Find(m_job, {crux, repeats, "cluster.topology.routing=spray", "transport.kind=rdma"}),
              said);
    EXPECT_EQ(Find(m_job, {crux, "transport.kind=rdma"}), "");
    EXPECT_EQ(Find(m_job, {crux, "transport.kind=fluid"}), "");
    EXPECT_EQ(Find(m_job, {crux, "cluster.topology.routing=d-mod-k", "transport.kind=rdma"}),
              "the choice of paths (scheduler.network) changes nothing: cluster.topology.routing "
              "has one path for each two hosts\n");
    EXPECT_EQ(Find(m_job,
                   {R"(scheduler.network={"type": "crux", "Paths": false})", "transport.kind=tcp"}),
              "");
    EXPECT_EQ(Find(m_job, {crux, "transport.kind=rdma", "scheduler.priorities=common"}),
              "scheduler.priorities changes nothing: crux gives levels, which are the same "
              "everywhere\n");
}

TEST_F(IdleSettingsTest, OfControlsThatNobodyUses)
{
    const auto find = [this](const Settings& settings) {
        return FindControlNotes(SampleText(WithWorkload(m_job), settings).GetScenario());
    };
    const std::string kind = "transport.kind=rdma";
    const std::string hpcc = "transport.congestionControl=hpcc";
    using Lines = std::vector<std::string>;
    EXPECT_EQ(find({kind}), Lines());
    const std::string stage = "ns3::ddl::HpccRdmaCongestionControl::MaxStage";
    Config::SetDefault(stage, StringValue("5"));
    const std::string idle = "--" + stage + " changes nothing: ";
    EXPECT_EQ(find({kind}), Lines{idle + "transport.congestionControl is dctcp"});
    EXPECT_EQ(find({kind, "transport.congestionControl=mltcp"}),
              Lines{idle + "transport.congestionControl is mltcp"});
    EXPECT_EQ(find({"transport.kind=tcp"}), Lines{idle + "transport.kind is not rdma"});
    EXPECT_EQ(find({kind, hpcc, "fidelity=fluid"}), Lines{idle + "fidelity is fluid"})
        << "and ackInterval is nobody's";
    EXPECT_EQ(find({kind, hpcc, "transport.ackInterval=1"}), Lines());
    const std::string inner = "ns3::ddl::MltcpRdmaCongestionControl::Control";
    Config::SetDefault(inner, StringValue("hpcc"));
    EXPECT_EQ(find({kind, "transport.congestionControl=mltcp", "transport.ackInterval=1"}),
              Lines());
    Config::SetDefault(inner, StringValue("dctcp"));
    Config::SetDefault(stage, StringValue("0"));
    EXPECT_EQ(find({kind, hpcc}),
              Lines{"transport.ackInterval is 4, and with more than 1 hpcc does not share links "
                    "fairly"});
}

TEST_F(IdleSettingsTest, MoreRatesThanRecordsCanNameAreRefusedAtOnce)
{
    for (const uint32_t rates : {16U, 17U})
    {
        std::string graph = R"({"nodes": [{"name": "s", "kind": "switch"})";
        std::string links;
        for (uint32_t i = 1; i <= rates; ++i)
        {
            const std::string number = std::to_string(i);
            graph += R"(, {"name": "h)" + number + R"(", "kind": "host"})";
            links += (i > 1 ? ", " : "") + std::string(R"({"between": ["s", "h)") + number +
                     R"("], "rate": ")" + number + R"(Gbps"})";
        }
        const std::string file = Write("graph.json", graph + R"(], "links": [)" + links + "]}");
        const Settings settings = {"cluster.topology.kind=graph",
                                   "cluster.topology.file=" + file,
                                   "transport.kind=rdma",
                                   "transport.congestionControl=hpcc"};
        const auto read = [&] {
            ReadText(R"({"name": "s", "workload": )" + m_job + "}", settings);
        };
        if (rates == 16)
        {
            EXPECT_NO_THROW(read());
            continue;
        }
        try
        {
            read();
            ADD_FAILURE() << "accepted";
        }
        catch (const InputError& error)
        {
            EXPECT_NE(std::string(error.what())
                          .find("/cluster/topology: hpcc: telemetry: the ports of switches have 17 "
                                "rates, of which records can name 16"),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST_F(IdleSettingsTest, OfTracesThatNobodyReplays)
{
    const std::string said = "workload.replay changes nothing: no trace is replayed "
                             "(workload.trace)\n";
    for (const std::string setting : {"limit=3",
                                      "load=2",
                                      "servers=1",
                                      "tooLarge=skip",
                                      "search=hyperband",
                                      "models=[\"VGG19\"]"})
    {
        EXPECT_EQ(Find(m_job, {"workload.replay." + setting}), said) << setting;
    }
    const std::string trace = Write("t.csv", "job_id,num_gpu,submit_time,iterations\n1,2,0,3\n");
    EXPECT_EQ(Find(m_job, {"workload.replay.load=2", "workload.trace=" + trace}), "");
}

TEST_F(IdleSettingsTest, OfSamplesWithoutSampling)
{
    for (const std::string key : {"error=0.1", "budget=0.5", "warmup=5", "window=5", "seed=7"})
    {
        EXPECT_EQ(Find(m_job, {"sampling." + key}),
                  "sampling changes nothing: no run is sampled (fidelity)\n")
            << key;
        EXPECT_EQ(Find(m_job, {"sampling." + key, "fidelity=sampled"}), "");
    }
}

TEST_F(IdleSettingsTest, OfTasksOnGpusThatNobodyShares)
{
    EXPECT_EQ(Find(m_job, {"scheduler.tasks=srsf"}),
              "scheduler.tasks changes nothing: a GPU is held by one job at a time "
              "(cluster.hosts.gpuMemory)\n");
    EXPECT_EQ(Find(m_job, {"scheduler.tasks=srsf", "cluster.hosts.gpuMemory=16GB"}), "");
}

TEST_F(IdleSettingsTest, OfJobsThatKeepTheirGpusWhereAllDo)
{
    const std::string kept = R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2,
        "iterations": 1, "preemptible": false}]})";
    EXPECT_EQ(Find(kept, {}),
              "preemptible of jobs changes nothing: no job gives way or moves (scheduler.lease, a "
              "preemptive scheduler.jobs, scheduler.improve)\n");
    for (const std::string with :
         {"scheduler.lease=9s", "scheduler.improve=9s", "scheduler.jobs=2d-las"})
    {
        EXPECT_EQ(Find(kept, {with}), "");
    }
}

TEST_F(IdleSettingsTest, OfTheOrderOfOneBucket)
{
    EXPECT_EQ(Find(m_job, {"workload.overlap.order=serial"}),
              "overlap.order changes nothing: gradients are sent in one bucket (overlap.buckets, "
              "overlap.bucketSize, layers of models)\n");
    EXPECT_EQ(Find(m_job, {"workload.overlap.order=serial", "workload.overlap.buckets=2"}), "");
    EXPECT_EQ(Find(m_job, {"workload.overlap.order=serial", "workload.overlap.bucketSize=100kB"}),
              "");
}

/** Offers are collected whatever places them: a job that could start waits for the window's end. */
TEST_F(IdleSettingsTest, NotOfABatchWindow)
{
    EXPECT_EQ(Find(m_job, {"scheduler.batchWindow=5s"}), "");
}

TEST_F(IdleSettingsTest, OfWhatAnotherSettingDecides)
{
    const auto idle = [this](const std::string& workload, const Settings& settings) {
        return Find(workload, settings);
    };
    const std::string& job = m_job;
    EXPECT_EQ(idle(job, {}), "");
    EXPECT_EQ(idle(job, {"scheduler.network=baraat", "scheduler.network.Multiplexing=2"}), "");
    EXPECT_EQ(idle(job,
                   {"scheduler.network={\"type\":\"baraat\",\"Multiplexing\":2}",
                    "scheduler.network=grouper"}),
              "--set=scheduler.network={\"type\":\"baraat\",\"Multiplexing\":2} is overridden by "
              "--set=scheduler.network=grouper after it\n");
    const std::string weighted =
        R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "iterations": 1, "weight": 3}]})";
    EXPECT_EQ(
        idle(weighted, {}),
        "weight of jobs, but for weighted_jct_s, changes nothing: fair-share does not look at it "
        "(those that do: sincronia)\n");
    EXPECT_EQ(idle(weighted, {"scheduler.network=sincronia"}), "");
    const std::string submitted =
        R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "iterations": 1, "user": "u"}]})";
    EXPECT_EQ(idle(submitted, {}),
              "user and name of jobs changes nothing: hlas-p alone looks at them, and generated "
              "jobs do not repeat those of their users\n");
    EXPECT_EQ(
        idle(
            submitted,
            {"workload.jobs.0.tasks=true", "workload.jobs.0.servers=1", "scheduler.rounds=hlas-p"}),
        "");
    EXPECT_EQ(idle(job, {"scheduler.period=2s"}),
              "scheduler.period changes nothing: fair-share does not run by the clock\n");
    EXPECT_EQ(idle(job, {"scheduler.period=2s", "scheduler.network=grouper"}), "");
    EXPECT_EQ(idle(job, {"scheduler.acks=control", "transport.kind=fluid"}),
              "scheduler.acks changes nothing: fluids have no acknowledgements\n");
    EXPECT_EQ(idle(job, {"scheduler.priorities=common", "scheduler.network=pias"}),
              "scheduler.priorities changes nothing: pias orders nothing\n");
    EXPECT_EQ(idle(job, {"scheduler.priorities=common", "scheduler.network=sptf"}), "");
    EXPECT_EQ(idle(job, {"transport.minRto=5ms", "transport.kind=fluid", "transport.mtu=1500"}),
              "transport.minRto changes nothing: the transport fluid has no such key\n");
    EXPECT_EQ(idle(job, {"transport.minRto=5ms", "transport.kind=tcp"}), "");
    // What only counts together with something else.
    EXPECT_EQ(idle(job,
                   {"scheduler.minRun=2s",
                    "scheduler.detection=2s",
                    "scheduler.rounds=srtf",
                    "cluster.ports.alpha=2",
                    "cluster.ports.pfcThreshold=50kB"}),
              "scheduler.minRun changes nothing: no job gives way or moves (scheduler.lease, a "
              "preemptive scheduler.jobs, scheduler.improve)\n"
              "scheduler.detection changes nothing: no server fails (cluster.failures)\n"
              "scheduler.rounds changes nothing: no job is made of tasks (tasks)\n"
              "cluster.ports.alpha changes nothing: queues share no buffer "
              "(cluster.ports.sharedBuffer)\n"
              "cluster.ports.pfcThreshold changes nothing: nobody is paused (cluster.ports.pfc)\n");
    for (const std::string with :
         {"scheduler.lease=9s", "scheduler.improve=9s", "scheduler.jobs=2d-las"})
    {
        EXPECT_EQ(idle(job, {"scheduler.minRun=2s", with}), "");
    }
    EXPECT_EQ(idle(job,
                   {"cluster.failures=[{\"server\": 1, \"at\": \"1s\"}]",
                    "scheduler.detection=2s",
                    "cluster.ports.sharedBuffer=1MB",
                    "cluster.ports.alpha=2"}),
              "");
}

TEST_F(ForecastTest, IsPrintedForPeople)
{
    const Scenario scenario = ReadText(Spread(Ring(3), true), {"scale.model=0.5"});
    CostForecast costs;
    costs.networkShare = 0.5;
    costs.packetHops = 12000;
    costs.cpuSeconds = 100;
    costs.aloneCpuSeconds = 0;
    costs.share = 0.25;
    std::ostringstream os;
    PrintForecast(os, scenario, MakeForecast(WorkloadSample(scenario)), costs);
    const std::string start =
        "s\n"
        "topology: single-switch, 4 hosts with 4 GPUs, 1 switches, 4 links\n"
        "work:     0 cojobs, 1 jobs, 1 stages, 3 iterations of jobs\n"
        "traffic:  9.000 MB in 72 messages, of which 4.500 MB cross the network, about 12000 "
        "packet-hops\n"
        "scale:    model 0.500, iterations 1.000 (applied above)\n"
        "expected: 1.7 minutes of CPU time for the run, 0.00 s for the runs alone: 1.7 minutes on ";
    EXPECT_EQ(os.str().substr(0, start.size()), start) << os.str();
    EXPECT_NE(os.str().find(" cores (by a trial of 25 % of the work)\n"), std::string::npos);
}
