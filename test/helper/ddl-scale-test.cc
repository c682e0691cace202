// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-scenario.h"
#include "ns3/double.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** One cojob, one background flow, one link event, with numbers that show what they were times. */
Scenario
MakeScenario(double model, double iterations)
{
    JobSpec job;
    job.id = JobId{1};
    job.model.bytes = 1000;
    job.model.forward = MicroSeconds(100);
    job.model.backward = MicroSeconds(200);
    CojobSpec cojob;
    cojob.submit = MilliSeconds(10);
    cojob.iterations = {10, 25, 1};
    cojob.jobs = {job};
    BackgroundFlowSpec flow;
    flow.bytes = 5000;
    flow.start = MilliSeconds(20);
    flow.stop = MilliSeconds(40);
    Scenario scenario;
    scenario.workload.groups = {cojob};
    scenario.workload.background = {flow};
    scenario.cluster.links = {{MilliSeconds(30), "h0", "leaf0", false}};
    scenario.scheduling.period = MilliSeconds(50);
    scenario.scheduling.lease = MilliSeconds(60);
    scenario.scheduling.minRun = MilliSeconds(70);
    scenario.scheduling.batchWindow = MilliSeconds(80);
    scenario.scheduling.improve = MilliSeconds(90);
    scenario.stop.time = Seconds(3);
    scenario.scale = {model, iterations};
    return scenario;
}

/** \return an attribute of the round scheduler of a scenario that is scaled by so many iterations
 */
double
ScaledRounds(const std::string& scheduler,
             const std::string& attribute,
             double iterations,
             std::optional<double> given = std::nullopt)
{
    Scenario scenario = MakeScenario(0.5, iterations);
    scenario.scheduling.rounds.SetTypeId(FindPolicy(RoundScheduler::GetTypeId(), scheduler));
    if (given)
    {
        scenario.scheduling.rounds.Set(attribute, DoubleValue(*given));
    }
    DoubleValue value;
    ApplyScale(scenario).scheduling.rounds.Create<RoundScheduler>()->GetAttribute(attribute, value);
    return value.Get();
}

} // namespace

TEST(Scale, ModelScalesBytesAndComputeTimes)
{
    const Scenario scaled = ApplyScale(MakeScenario(0.5, 1));
    const CojobSpec& cojob = scaled.workload.groups[0];
    EXPECT_EQ(cojob.jobs[0].model.bytes, 500U);
    EXPECT_EQ(cojob.jobs[0].model.forward, MicroSeconds(50));
    EXPECT_EQ(cojob.jobs[0].model.backward, MicroSeconds(100));
    EXPECT_EQ(cojob.iterations, (std::vector<uint64_t>{10, 25, 1}));
    EXPECT_EQ(scaled.workload.background[0].bytes, 2500U);
    EXPECT_EQ(scaled.scale.model, 1);
    EXPECT_EQ(scaled.scale.iterations, 1);
}

TEST(Scale, IterationsAreRoundedAndNeverNone)
{
    // 10, 25 and 1 times 0.1: 1, 2.5 (away from 0), 0.1.
    const Scenario scaled = ApplyScale(MakeScenario(1, 0.1));
    EXPECT_EQ(scaled.workload.groups[0].iterations, (std::vector<uint64_t>{1, 3, 1}));
    EXPECT_EQ(scaled.workload.groups[0].jobs[0].model.bytes, 1000U);
}

TEST(Scale, WhatTheClusterDoesScalesByBoth)
{
    // 0.5 x 0.2 = 0.1
    const Scenario scaled = ApplyScale(MakeScenario(0.5, 0.2));
    EXPECT_EQ(scaled.workload.groups[0].submit, MilliSeconds(1));
    EXPECT_EQ(scaled.scheduling.period, MilliSeconds(5));
    EXPECT_EQ(scaled.scheduling.lease, MilliSeconds(6));
    EXPECT_EQ(scaled.scheduling.minRun, MilliSeconds(7));
    EXPECT_EQ(scaled.scheduling.batchWindow, MilliSeconds(8));
    EXPECT_EQ(scaled.scheduling.improve, MilliSeconds(9));
    EXPECT_EQ(scaled.cluster.links[0].at, MilliSeconds(3));
    EXPECT_EQ(scaled.workload.background[0].start, MilliSeconds(2));
    EXPECT_EQ(scaled.workload.background[0].stop, MilliSeconds(4));
}

TEST(Scale, LimitsInRoundsScaleWithTheRoundsWhetherGivenOrNot)
{
    EXPECT_EQ(ScaledRounds("hlas", "FirstLimit", 1), 100);
    EXPECT_EQ(ScaledRounds("hlas", "FirstLimit", 1, 30), 30);
    EXPECT_EQ(ScaledRounds("hlas", "FirstLimit", 0.01), 1);
    EXPECT_EQ(ScaledRounds("hlas", "FirstLimit", 0.01, 100), 1);
    EXPECT_EQ(ScaledRounds("oracle", "FirstLimit", 0.01, 50), 0.5);
    EXPECT_EQ(ScaledRounds("hlas-p", "Alpha", 0.01), 10);
    EXPECT_GT(ScaledRounds("hlas-p", "Alpha", 1e-12), 0);
}

TEST(Scale, WhatIsPhysicalStays)
{
    const Scenario given = MakeScenario(0.5, 0.2);
    const Scenario scaled = ApplyScale(given);
    EXPECT_EQ(scaled.cluster.topology.delay, given.cluster.topology.delay);
    EXPECT_EQ(scaled.cluster.topology.hostRate, given.cluster.topology.hostRate);
    EXPECT_EQ(scaled.cluster.topology.mtu, given.cluster.topology.mtu);
    EXPECT_EQ(scaled.cluster.ports.ecnThreshold, given.cluster.ports.ecnThreshold);
    EXPECT_EQ(scaled.workload.background[0].rate, given.workload.background[0].rate);
    EXPECT_EQ(*scaled.stop.time, Seconds(3));
    EXPECT_EQ(scaled.stop.stall, given.stop.stall);
}

TEST(Scale, OneChangesNothingAtAll)
{
    Scenario scenario = MakeScenario(1, 1);
    // Neither a time nor a size that a double cannot hold may lose its last digit.
    scenario.workload.groups[0].submit = NanoSeconds(2305843009213693951);
    scenario.workload.groups[0].jobs[0].model.bytes = 9007199254740993;
    const Scenario scaled = ApplyScale(scenario);
    EXPECT_EQ(scaled.workload.groups[0].submit, NanoSeconds(2305843009213693951));
    EXPECT_EQ(scaled.workload.groups[0].jobs[0].model.bytes, 9007199254740993U);
}

TEST(Scale, NothingVanishesAndNothingOverflows)
{
    const Scenario least = ApplyScale(MakeScenario(1e-12, 1e-12));
    EXPECT_EQ(least.workload.groups[0].jobs[0].model.bytes, 1U);
    EXPECT_EQ(least.scheduling.period, NanoSeconds(1));
    EXPECT_EQ(least.workload.background[0].start, Time(0));
    EXPECT_EQ(least.workload.background[0].stop, NanoSeconds(1)); // 0 would mean: never

    Scenario scenario = MakeScenario(1e6, 1e6);
    scenario.workload.groups[0].jobs[0].model.bytes = uint64_t{1} << 62;
    scenario.workload.groups[0].iterations = {MOST_ITERATIONS};
    scenario.workload.background[0].stop = Time(0);
    const Scenario most = ApplyScale(scenario);
    EXPECT_EQ(most.workload.groups[0].jobs[0].model.bytes, (uint64_t{1} << 63) - 1);
    EXPECT_EQ(most.workload.groups[0].submit, GetLongestTime()); // 10 ms x 10^12 are 317 years
    EXPECT_EQ(most.workload.groups[0].iterations[0], MOST_ITERATIONS);
    EXPECT_EQ(most.workload.background[0].stop, Time(0));
}

TEST(Scale, LayersAreScaledEachByItself)
{
    Scenario scenario = MakeScenario(0.001, 1);
    SetLayers(scenario.workload.groups[0].jobs[0].model,
              LayerTable({{"large", 100000, MicroSeconds(3), MicroSeconds(5)},
                          {"pool", 0, MicroSeconds(1), MicroSeconds(1)},
                          {"small", 10, MicroSeconds(1), MicroSeconds(2)}}));
    const ModelProfile model = ApplyScale(scenario).workload.groups[0].jobs[0].model;
    EXPECT_EQ(model.layers.Get()[0].bytes, 100U);
    EXPECT_EQ(model.layers.Get()[1].bytes, 0U);
    EXPECT_EQ(model.layers.Get()[2].bytes, 1U); // there is still something to send
    EXPECT_EQ(model.layers.Get()[2].backward, NanoSeconds(2));
    EXPECT_EQ(model.bytes, 101U);
    EXPECT_EQ(model.forward, NanoSeconds(5));
    EXPECT_EQ(model.backward, NanoSeconds(8));

    Scenario large = MakeScenario(1e6, 1);
    const uint64_t bytes = uint64_t{1} << 61;
    SetLayers(large.workload.groups[0].jobs[0].model,
              LayerTable({{"a", bytes, Seconds(1e9), Seconds(1e9)},
                          {"b", bytes, Seconds(1e9), Seconds(1e9)}}));
    const ModelProfile most = ApplyScale(large).workload.groups[0].jobs[0].model;
    EXPECT_GE(most.bytes, (uint64_t{1} << 63) - 2); // and no overflow
    EXPECT_EQ(most.forward, GetLongestTime());
}

TEST(Scale, MemoryIsNotScaled)
{
    Scenario scenario = MakeScenario(0.5, 0.1);
    scenario.cluster.gpuMemory = 16000;
    scenario.workload.groups[0].jobs[0].model.gpuMemory = 4527;
    const Scenario scaled = ApplyScale(scenario);
    EXPECT_EQ(scaled.cluster.gpuMemory, 16000U);
    EXPECT_EQ(scaled.workload.groups[0].jobs[0].model.gpuMemory, 4527U);
}
