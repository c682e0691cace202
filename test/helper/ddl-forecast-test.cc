// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-fixture.h"

#include "ns3/ddl-forecast.h"

using namespace ns3;
using namespace ns3::ddl;

using ForecastTest = ScenarioFixture;

TEST_F(ForecastTest, CountsMachinesOfEachTopology)
{
    const Forecast tree =
        MakeForecast(ReadText(WithCluster(R"({"topology": {"leaves": 3, "hostsPerLeaf": 5,
            "spines": 2, "parallel": 2}, "hosts": {"gpus": 7}})")));
    EXPECT_EQ(tree.hosts, 15U);
    EXPECT_EQ(tree.switches, 5U);
    EXPECT_EQ(tree.cables, 15U + 3 * 2); // neighbours; two cables between the same two count once
    EXPECT_EQ(tree.gpus, 105U);

    const Forecast star =
        MakeForecast(ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}")));
    EXPECT_EQ(star.hosts, 4U);
    EXPECT_EQ(star.switches, 1U);
    EXPECT_EQ(star.cables, 4U);

    const Forecast dumbbell = MakeForecast(ReadText(
        WithCluster(R"({"topology": {"kind": "dumbbell", "leftHosts": 3, "rightHosts": 2}})")));
    EXPECT_EQ(dumbbell.hosts, 5U);
    EXPECT_EQ(dumbbell.switches, 2U);
    EXPECT_EQ(dumbbell.cables, 5U + 1);
}

TEST_F(ForecastTest, CountsBytesAndPackets)
{
    // A ring of 2 with 1 MB: each of 2 workers sends 2 x 1/2 MB an iteration, 2 MB; 3 iterations.
    const Forecast forecast =
        MakeForecast(ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}")));
    EXPECT_EQ(forecast.bytes, 6000000U);
    EXPECT_EQ(forecast.dataPackets, 4110U);        // / 1460, rounded up
    EXPECT_EQ(forecast.packetHops, 2U * 4110 * 2); // data and acknowledgements over two links
    EXPECT_EQ(forecast.cojobs, 0U);
    EXPECT_EQ(forecast.jobs, 1U);
    EXPECT_EQ(forecast.stages, 1U);
    EXPECT_EQ(forecast.iterations, 3U);
}

TEST_F(ForecastTest, FluidsCostNoPackets)
{
    // A ring of 2: each of 2 workers sends 2 messages of 1/2 MB an iteration; 3 iterations.
    const Scenario scenario =
        ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"), {"transport.kind=fluid"});
    const Forecast forecast = MakeForecast(scenario);
    EXPECT_EQ(forecast.bytes, 6000000U);
    EXPECT_EQ(forecast.messages, 12U);
    EXPECT_EQ(forecast.dataPackets, 0U);
    EXPECT_EQ(forecast.packetHops, 0U);
    std::ostringstream os;
    PrintForecast(os, scenario, forecast);
    EXPECT_NE(os.str().find("6.000 MB, fluids of 12 messages, no packets"), std::string::npos);
}

TEST_F(ForecastTest, EachTransportHasItsPrice)
{
    const auto price = [this](const std::string& transport) {
        return MakeForecast(ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"),
                                     {"transport.kind=" + transport, "output.alone=false"}))
            .cpuSeconds;
    };
    // 4110 data packets over two links; 12 messages, each of which begins and ends while at most
    // 2 streams (a ring of 2) send.
    EXPECT_DOUBLE_EQ(price("rdma"), 4110 * 2 * 0.3e-6);
    EXPECT_DOUBLE_EQ(price("tcp"), 4110 * 2 * 3.5e-6);
    EXPECT_DOUBLE_EQ(price("fluid"), 2 * 12 * (10e-6 + 2 * 0.8e-6));
}

TEST_F(ForecastTest, JobsThatWaitDoNotSend)
{
    // 16 GPUs, 20 rings of 2: 16 workers of 40 can run, and 40 streams x 16 / 40 send.
    const Forecast forecast = MakeForecast(ReadText(WithWorkload(
        R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "count": 20, "iterations": 1}]})")));
    EXPECT_DOUBLE_EQ(forecast.streams, 16);
}

TEST_F(ForecastTest, StagesThatNobodyRunsDoNotCount)
{
    // Three stages of 1, 2 and 4 iterations; job 1 stops after the first, job 2 after the second.
    const Forecast forecast = MakeForecast(ReadText(WithWorkload(
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
        MakeForecast(ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"),
                              {"scale.model=0.5", "scale.iterations=2"}));
    EXPECT_EQ(forecast.iterations, 6U);
    EXPECT_EQ(forecast.bytes, 6U * 1000000);
}

TEST_F(ForecastTest, RunsAloneCostOnceForJobsAndOnceForCojobs)
{
    const std::string text = WithWorkload(std::string("{\"jobs\": [") + JOB + "]}");
    const Forecast plain = MakeForecast(ReadText(text));
    EXPECT_GT(plain.cpuSeconds, 0);
    EXPECT_DOUBLE_EQ(plain.aloneCpuSeconds, plain.cpuSeconds);
    EXPECT_EQ(MakeForecast(ReadText(text, {"output.alone=false"})).aloneCpuSeconds, 0);
    const Forecast cojob = MakeForecast(ReadText(WithWorkload(
        R"({"cojobs": [{"stages": [3], "jobs": [{"model": {"bytes": "1MB"}, "workers": 2}]}]})")));
    EXPECT_DOUBLE_EQ(cojob.aloneCpuSeconds, 2 * cojob.cpuSeconds);
}

TEST_F(ForecastTest, TooMuchToCountIsTheMostThereIs)
{
    const Forecast forecast = MakeForecast(ReadText(
        WithWorkload(R"({"jobs": [{"model": {"bytes": "9000000TB"}, "workers": 2, "count": 2,
                                   "iterations": 1000000000}]})")));
    EXPECT_EQ(forecast.bytes, std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(forecast.dataPackets, forecast.bytes / 1460 + 1);
}

TEST_F(ForecastTest, IsPrintedForPeople)
{
    const Scenario scenario =
        ReadText(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"), {"scale.model=0.5"});
    std::ostringstream os;
    PrintForecast(os, scenario, MakeForecast(scenario));
    const std::string text = os.str();
    const std::string start =
        "s\n"
        "topology: single-switch, 4 hosts with 16 GPUs, 1 switches, 4 links between neighbours\n"
        "work:     0 cojobs, 1 jobs, 1 stages, 3 iterations of jobs\n"
        "traffic:  3.000 MB, 2055 data packets, at most 8220 packet-hops with their "
        "acknowledgements\n"
        "scale:    model 0.500, iterations 1.000 (applied above)\n"
        "expected: 0.1 minutes at most on ";
    EXPECT_EQ(text.substr(0, start.size()), start);
}
