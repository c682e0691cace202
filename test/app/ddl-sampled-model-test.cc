// SPDX-License-Identifier: GPL-2.0-only
// What samples show, from numbers that are written out: no simulation.
#include "app/sampling/ddl-sampled-model.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

/** \return a share of a job in a situation of that name: the stratum, and "all" */
SituationShare
MakeShare(const std::string& stratum, double iterations, double seconds, double compute)
{
    return {stratum, {stratum, "all"}, iterations, seconds, compute, 1};
}

/** \return a sample of one job, whose iteration takes so long on packets and on fluids */
Sample
MakeSample(uint32_t number, const std::string& stratum, double packets, double fluid)
{
    Sample sample{number};
    sample.plan.situation = "1.1 2.1 | 1=2";
    sample.plan.place = number;
    sample.plan.jobs = {{JobId{1}, 10, 10, 1, 0.2, {stratum, "all"}}};
    sample.result.packets = {{{JobId{1}, packets}}, {{JobId{1}, 0}}, 40, 50, 6};
    sample.result.fluid = {{{JobId{1}, fluid}}, {{JobId{1}, 0}}, 40, 50, 1};
    sample.result.expected = {{JobId{1}, fluid}};
    return sample;
}

TEST(SampledModel, DrawnFactorsSpreadLessOverMoreIterations)
{
    // Windows of 4 iterations: lasting variance is half of that of the windows, passing variance 4
    // times the squared steps.
    std::vector<Window> windows;
    for (double log : {-0.1, 0.1, -0.1, 0.1})
    {
        WindowRow row{{"s", "kind", "all"}, 1, std::exp(log), 1, 1, 0, 0, 4};
        row.dearStep = 0.2 * row.dear;
        windows.push_back({row});
    }
    SampledModel model;
    model.SetRatios(RatioEstimator(windows));
    const auto getDeviation = [&] {
        double squares = 0;
        constexpr uint32_t DRAWS = 4000;
        for (uint64_t seed = 1; seed <= DRAWS; ++seed)
        {
            const double drawn = model.DrawOnce(seed).Get({"s", "kind", "all"}).pace;
            squares += std::pow(std::log(drawn / model.Get({"s", "kind", "all"}).pace), 2);
        }
        return std::sqrt(squares / DRAWS);
    };
    const double lasting = 0.04 / 3 / 2;
    const double passing = 4 * 0.2 * 0.2;
    for (double iterations : {1, 10, 1000})
    {
        model.SetIterations("s", iterations);
        model.SetIterations("kind", 1e9); // not for a stratum that stands by itself
        EXPECT_NEAR(getDeviation() / std::sqrt(lasting + passing / iterations), 1, 0.05);
    }
    // A job of that kind that no window has seen keeps one factor, over all its iterations.
    const SampledModel drawn = model.DrawOnce(1);
    EXPECT_EQ(drawn.Get({"new", "kind", "all"}).pace, drawn.Get({"other", "kind", "all"}).pace);
    EXPECT_NE(drawn.Get({"s", "kind", "all"}).pace, drawn.Get({"s", "kind", "all"}).pace);
}

TEST(SampledModel, OnlyNetworkTimeIsStretched)
{
    // Of 1 s on fluids 0.2 s are computing; packets take 1.4 s. So the ratio is 1.2 / 0.8 = 1.5,
    // and an iteration of 2 s with 0.4 s of computing takes 0.4 + 1.5 x 1.6 = 2.8 s.
    SamplingRecord record;
    for (uint32_t number = 1; number <= 4; ++number)
    {
        record.samples.push_back(MakeSample(number, "s", 1.4, 1));
    }
    record.samples.emplace_back(); // not run yet
    record.first.shares = {MakeShare("s", 10, 20, 4)};
    record.last = record.first;
    const SampledModel model = SampledModel::Make(record, false);
    EXPECT_NEAR(model.Get({"s", "all"}).pace, 1.5, 1e-12);
    EXPECT_NEAR(model.Get({"s", "all"}).iteration.value(), 2.8, 1e-12);
    EXPECT_FALSE(model.Get({"new", "all"}).iteration) << "nobody has seen its length on fluids";
    EXPECT_NEAR(model.PredictError(record.last), 0, 1e-12) << "all windows are equal";
    // Where jobs wait elsewhere, too, only the pace is wanted.
    EXPECT_FALSE(SampledModel::Make(record, true).Get({"s", "all"}).iteration);
}

TEST(SampledModel, ProbesShowTheLengthsOfLaterSituations)
{
    SamplingRecord record;
    record.samples = {MakeSample(1, "s", 1.4, 1)};
    record.probes = {MakeSample(1, "later", 0, 3)};
    const SampledModel model = SampledModel::Make(record, false);
    EXPECT_TRUE(model.Knows("later"));
    EXPECT_NEAR(model.Get({"later", "all"}).iteration.value(), 0.2 + 1.5 * 2.8, 1e-12);
}

TEST(SampledModel, WithoutSamplesFluidsStayAsTheyAre)
{
    const JobPace pace = SampledModel().Get({"s", "all"});
    EXPECT_EQ(pace.pace, 1);
    EXPECT_FALSE(pace.iteration);
}

TEST(SamplingRecord, PacketsCostWhatSamplesCostPerSecondOfJobs)
{
    // A sample takes 6 CPU s for 50 s of two jobs: 0.06 per second. The timeline has 300 s.
    SamplingRecord record;
    record.samples = {MakeSample(1, "s", 1, 1)};
    record.last.shares = {MakeShare("s", 100, 200, 0), MakeShare("t", 60, 100, 0)};
    EXPECT_DOUBLE_EQ(record.EstimatePacketsCpu(), 0.06 * 300);
    EXPECT_DOUBLE_EQ(record.GetPacketShare(), 40.0 / 160);
    // An equal sample that was not run costs what the first one did, and takes no iterations.
    record.samples.front().plan.repeats = true;
    record.samples.push_back(record.samples.front());
    record.samples.back().result = {};
    EXPECT_EQ(&record.FindFirst(record.samples.back()), &record.samples.front());
    EXPECT_DOUBLE_EQ(record.EstimatePacketsCpu(), 0.06 * 300);
    EXPECT_DOUBLE_EQ(record.GetPacketShare(), 40.0 / 160);
    // A long one was not drawn by time.
    record.samples.push_back(MakeSample(3, "s", 1, 1));
    record.samples.back().plan.isLong = true;
    record.samples.back().result.packets.cpu = 600;
    EXPECT_DOUBLE_EQ(record.EstimatePacketsCpu(), 0.06 * 300);
}

TEST(SampledTimeline, ChangesByTheTimeInOtherSituations)
{
    // 30 % of the time were in t, 10 % are now, and 20 % in u.
    const Timeline before{{MakeShare("s", 1, 70, 0), MakeShare("t", 1, 30, 0)}};
    const Timeline after{
        {MakeShare("s", 1, 140, 0), MakeShare("t", 1, 20, 0), MakeShare("u", 1, 40, 0)}};
    EXPECT_NEAR(CompareTimelines(before, after), 0.2, 1e-12);
    EXPECT_DOUBLE_EQ(CompareTimelines(after, after), 0);
}

TEST(SampledModel, ErrorsOfAMetricAddUpAndAreNeverNothing)
{
    // Eight replicates of each kind, 3 and 4 off: variances 9 and 16, so that both together have
    // 25^2 / (81 / 7 + 256 / 8) = 14.3 degrees of freedom, rounded down: Student's t is 2.1448.
    const MetricError error =
        EstimateError(100, {std::vector<double>(8, 103), std::vector<double>(8, 96)}, 8);
    EXPECT_NEAR(error.sampling, 3 * 2.3646, 1e-3); // 7 degrees
    EXPECT_NEAR(error.seed, 4 * 2.3060, 1e-3);     // 8 degrees
    EXPECT_NEAR(error.both, 5 * 2.1448, 1e-3);
    const MetricError none =
        EstimateError(100, {std::vector<double>(8, 100), std::vector<double>(8, 100)}, 8);
    EXPECT_DOUBLE_EQ(none.sampling, 0);
    EXPECT_DOUBLE_EQ(none.both, 0.01); // 0.01 %
}

} // namespace
} // namespace ns3::ddl
