// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-generated-cojobs.h"
#include "ns3/ddl-quantile-random-variable.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

GeneratorModel
Model(const std::string& name, bool timed)
{
    GeneratorModel model;
    model.profile.name = name;
    model.profile.bytes = 1000000;
    model.profile.forward = MilliSeconds(timed ? 3 : 0);
    model.timed = timed;
    return model;
}

/** Two models, cojobs of 3 jobs, stages of 10 and 20. */
GeneratorSpec
MakeSpec(uint32_t cojobs)
{
    GeneratorSpec spec;
    spec.models = {Model("a", true), Model("b", false)};
    spec.cojobs = cojobs;
    spec.jobs = 3;
    spec.stages = {10, 20};
    return spec;
}

std::vector<CojobSpec>
TakeAll(const GeneratorSpec& spec)
{
    GeneratedCojobs source(spec);
    std::vector<CojobSpec> all;
    while (auto cojob = source.Next())
    {
        all.push_back(*cojob);
    }
    return all;
}

} // namespace

TEST(GeneratedCojobs, RoundRobinOverTheModels)
{
    GeneratorSpec spec = MakeSpec(3);
    spec.firstCojob = 5;
    spec.firstJob = 11;
    const auto all = TakeAll(spec);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].id, CojobId{6});
    EXPECT_EQ(all[2].id, CojobId{7});
    EXPECT_EQ(all[1].jobs[0].model.name, "b");
    EXPECT_EQ(all[2].jobs[0].model.name, "a");
    EXPECT_EQ(all[2].jobs[2].id, JobId{19}); // 11 + 2 x 3 + 2
    EXPECT_EQ(all[2].iterations, (std::vector<uint64_t>{10, 20}));
    EXPECT_FALSE(all[2].plain);
    EXPECT_EQ(all[2].submit, Time(0));
    // 2 x 2 parameter servers: a port moves M out and M in; 2 MB at 10 Gbps are 1.6 ms, 40 % of
    // which are the forward pass.
    EXPECT_EQ(all[1].jobs[0].model.forward, MicroSeconds(640));
    EXPECT_EQ(all[1].jobs[0].model.backward, MicroSeconds(960));
    EXPECT_EQ(all[0].jobs[0].model.forward, MilliSeconds(3)); // its own
    EXPECT_NE(all[0].jobs[0].curve->half, all[0].jobs[1].curve->half);
}

TEST(GeneratedCojobs, LoadCompressesTheGaps)
{
    GeneratorSpec spec = MakeSpec(50);
    spec.arrivals.SetTypeId("ns3::ddl::PoissonArrivalProcess");
    const auto once = TakeAll(spec);
    spec.load = 2;
    const auto twice = TakeAll(spec);
    EXPECT_GT(once.back().submit, Seconds(10 * 60));
    for (std::size_t i = 0; i < once.size(); ++i)
    {
        EXPECT_NEAR(once[i].submit.GetSeconds(), 2 * twice[i].submit.GetSeconds(), 1e-6);
        EXPECT_EQ(once[i].jobs[0].curve->half, twice[i].jobs[0].curve->half);
    }
}

TEST(GeneratedCojobs, ALoadBelowOneMovesNobodyBehindTheEndOfTime)
{
    EXPECT_EQ(ApplyLoad(Seconds(3), 1), Seconds(3));
    EXPECT_EQ(ApplyLoad(Seconds(3), 2), MilliSeconds(1500));
    const Time last = ApplyLoad(Hours(24 * 365), 1e-9);
    EXPECT_GT(last, Hours(100 * 365 * 24));
    EXPECT_LE(last + last, Time::Max());
}

TEST(GeneratedCojobs, SuccessorsFollowTheirModel)
{
    GeneratorSpec spec = MakeSpec(5);
    spec.successors = true;
    spec.until = Seconds(100);
    GeneratedCojobs source(spec);
    const auto first = source.Next();
    const auto second = source.Next();
    EXPECT_FALSE(source.Next()); // one cojob a model
    // The second one is down first: its successor is cojob 4 all the same.
    const auto fourth = source.NextAfter(*second, Seconds(3));
    ASSERT_TRUE(fourth);
    EXPECT_EQ(fourth->id, CojobId{4});
    EXPECT_EQ(fourth->submit, Seconds(3));
    EXPECT_EQ(fourth->jobs[0].model.name, "b");
    EXPECT_EQ(fourth->jobs[0].id, JobId{10});
    EXPECT_FALSE(source.NextAfter(*fourth, Seconds(4))); // there is no sixth one
    const auto third = source.NextAfter(*first, Seconds(99));
    ASSERT_TRUE(third);
    EXPECT_EQ(third->id, CojobId{3});
    EXPECT_FALSE(source.NextAfter(*third, Seconds(100))); // too late for the fifth one
    // What it gives for a cojob hangs on its number alone.
    GeneratedCojobs again(spec);
    EXPECT_EQ(again.NextAfter(*second, Seconds(9))->jobs[1].curve->half,
              fourth->jobs[1].curve->half);
    // Of a cojob that it did not make it knows nothing.
    CojobSpec other;
    spec.firstCojob = 10;
    EXPECT_FALSE(GeneratedCojobs(spec).NextAfter(other, Seconds(1)));
}

TEST(GeneratedCojobs, BracketsAreDealtToEachModelInTurn)
{
    GeneratorSpec spec = MakeSpec(8);
    spec.kind = "hyperband";
    spec.maxIterations = 9;
    spec.eta = 3;
    // R = 9: brackets of 9, 5 (ceil of 3 / 2 x 3) and 3 jobs
    const auto all = TakeAll(spec);
    std::vector<std::size_t> jobs;
    std::set<uint32_t> ids;
    for (const auto& cojob : all)
    {
        jobs.push_back(cojob.jobs.size());
        for (const auto& job : cojob.jobs)
        {
            EXPECT_TRUE(ids.insert(job.id.value).second);
        }
    }
    EXPECT_EQ(jobs, (std::vector<std::size_t>{9, 9, 5, 5, 3, 3, 9, 9}));
    EXPECT_EQ(*ids.rbegin(), 52U); // no number is left out
    EXPECT_EQ(ids.size(), 52U);
}

TEST(GeneratedCojobs, PlainJobsOfGivenSizes)
{
    // Ada-SRSF §V-A: 80 jobs of 1 GPU, 14 of 2, 26 of 4, 30 of 8, 8 of 16, 2 of 32
    GeneratorSpec spec = MakeSpec(1);
    spec.kind = "jobs";
    spec.jobs = 160;
    spec.servers = 0;
    spec.pattern.SetTypeId(FindPolicy(CommunicationPattern::GetTypeId(), "ring"));
    spec.sizes = {{1, 80}, {2, 14}, {4, 26}, {8, 30}, {16, 8}, {32, 2}};
    spec.iterations.SetTypeId(UniformRandomVariable::GetTypeId());
    spec.iterations.Set("Min", DoubleValue(1000));
    spec.iterations.Set("Max", DoubleValue(6000));
    std::map<uint32_t, uint32_t> sizes;
    std::set<uint32_t> iterations;
    const auto all = TakeAll(spec);
    for (const auto& group : all)
    {
        EXPECT_TRUE(group.plain);
        ASSERT_EQ(group.jobs.size(), 1U);
        ++sizes[group.jobs[0].workers];
        ASSERT_EQ(group.iterations.size(), 1U);
        EXPECT_GE(group.iterations[0], 1000U);
        EXPECT_LE(group.iterations[0], 6000U);
        iterations.insert(group.iterations[0]);
    }
    EXPECT_EQ(sizes,
              (std::map<uint32_t, uint32_t>{{1, 80}, {2, 14}, {4, 26}, {8, 30}, {16, 8}, {32, 2}}));
    EXPECT_GT(iterations.size(), 100U);
    EXPECT_FALSE(std::all_of(all.begin(), all.begin() + 80, [](const auto& group) {
        return group.jobs[0].workers == 1; // shuffled
    }));
}

/** Plain jobs of 3 ms an iteration and lengths that are hardly ever equal. */
GeneratorSpec
MakeJobs(uint32_t jobs)
{
    GeneratorSpec spec = MakeSpec(1);
    spec.kind = "jobs";
    spec.jobs = jobs;
    spec.models = {Model("a", true)};
    spec.iterations.SetTypeId(UniformRandomVariable::GetTypeId());
    spec.iterations.Set("Min", DoubleValue(1000));
    spec.iterations.Set("Max", DoubleValue(1000000));
    return spec;
}

TEST(GeneratedCojobs, UsersRepeatTheirFirstJob)
{
    GeneratorSpec spec = MakeJobs(1000);
    for (const CojobSpec& group : TakeAll(spec))
    {
        EXPECT_EQ(group.jobs[0].user, "");
        EXPECT_EQ(group.jobs[0].name, "");
    }
    const auto alone = TakeAll(spec);
    spec.users = 5;
    spec.repeats = 0.75;
    const auto all = TakeAll(spec);
    std::map<std::string, uint64_t> first;
    std::map<std::string, std::string> firstName;
    std::map<std::string, uint32_t> later;
    std::set<std::string> names;
    uint32_t repeated = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const auto& [user, name] = std::tie(all[i].jobs[0].user, all[i].jobs[0].name);
        if (first.emplace(user, all[i].iterations[0]).second)
        {
            EXPECT_EQ(user, "user-" + std::to_string(i + 1));
            EXPECT_TRUE(names.insert(name).second);
            firstName[user] = name;
            continue;
        }
        ++later[user];
        const bool isRepeat = all[i].iterations[0] == first.at(user);
        repeated += isRepeat;
        // A job that recurs has the name of the first one, and any other a name of its own.
        EXPECT_TRUE(isRepeat ? name == firstName.at(user) : names.insert(name).second) << name;
        EXPECT_TRUE(isRepeat || all[i].iterations[0] == alone[i].iterations[0]);
    }
    EXPECT_EQ(first.size(), 5U);
    for (const auto& [user, jobs] : later)
    {
        EXPECT_NEAR(jobs, 199, 60) << user; // 995 / 5, standard deviation 12.6
    }
    EXPECT_NEAR(repeated, 0.75 * 995, 60); // standard deviation 13.7
}

TEST(GeneratedCojobs, SearchesArriveTogether)
{
    GeneratorSpec spec = MakeJobs(100);
    spec.searches = {{1, 3}, {4, 1}};
    spec.models[0].curve->isRelative = true;
    uint32_t id = 1;
    uint32_t searches = 0;
    for (const CojobSpec& group : TakeAll(spec))
    {
        EXPECT_EQ(group.plain, group.jobs.size() == 1);
        EXPECT_TRUE(group.jobs.size() == 1 || group.jobs.size() == 4);
        EXPECT_EQ(group.iterations.size(), 1U);
        searches += group.plain ? 0 : 1;
        for (const JobSpec& job : group.jobs)
        {
            EXPECT_EQ(job.id.value, id++);
            EXPECT_EQ(job.workers, group.jobs[0].workers);
        }
    }
    EXPECT_EQ(searches, 25U);
    for (const CojobSpec& group : ListDemands(spec)) // what is asked before the run
    {
        EXPECT_EQ(group.jobs.size(), 4U);
    }
    EXPECT_EQ(id, 1U + 75 + 25 * 4);
    EXPECT_EQ(ListDemands(spec).size(), 1U);
}

TEST(GeneratedCojobs, WeightsAreDrawnByJobAndChangeNothingElse)
{
    GeneratorSpec spec = MakeJobs(1000);
    const auto before = TakeAll(spec);
    spec.weights.SetTypeId(UniformRandomVariable::GetTypeId());
    spec.weights.Set("Min", DoubleValue(1));
    spec.weights.Set("Max", DoubleValue(5));
    const auto all = TakeAll(spec);
    double sum = 0;
    std::set<double> weights;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        EXPECT_EQ(before[i].jobs[0].weight, 1);
        EXPECT_EQ(before[i].iterations, all[i].iterations);
        EXPECT_GE(all[i].jobs[0].weight, 1);
        EXPECT_LE(all[i].jobs[0].weight, 5);
        sum += all[i].jobs[0].weight;
        weights.insert(all[i].jobs[0].weight);
    }
    EXPECT_NEAR(sum / 1000, 3, 0.15); // standard deviation 0.037
    EXPECT_GT(weights.size(), 990U);
}

TEST(GeneratedCojobs, RandomModelsHangOnTheSeed)
{
    GeneratorSpec spec = MakeSpec(100);
    spec.randomModels = true;
    const auto names = [&spec] {
        std::string text;
        for (const auto& cojob : TakeAll(spec))
        {
            text += cojob.jobs[0].model.name;
        }
        return text;
    };
    const std::string first = names();
    EXPECT_EQ(first, names());
    EXPECT_NEAR(static_cast<double>(std::count(first.begin(), first.end(), 'a')), 50, 15);
    const ProcessStateGuard guard;
    RngSeedManager::SetSeed(2);
    EXPECT_NE(first, names());
}

TEST(GeneratedCojobs, CurvesMayGoByTheIterationsOfTheJob)
{
    GeneratorSpec spec = MakeSpec(2);
    spec.jobKind.SetTypeId("ns3::ddl::TasksTrainingJob");
    spec.models[0].curve->isRelative = true;
    spec.models[0].curve->half = MakeConstant(0.1);
    const auto all = TakeAll(spec);
    for (const JobSpec& job : all[0].jobs)
    {
        EXPECT_DOUBLE_EQ(job.curve->half, 3); // a tenth of 10 + 20
        EXPECT_EQ(job.kind.GetTypeId(), spec.jobKind.GetTypeId());
    }
    EXPECT_GE(all[1].jobs[0].curve->half, 100); // the other model's is drawn from 100 to 1500
}

TEST(GeneratedCojobs, SizesAndDurationsByModel)
{
    // Model a (3 ms an iteration): 3 jobs of 1 worker and 1 of 4, 6 s of computing each; model b
    // (by the ratio 0.5): 2 jobs of 2, by the durations of all.
    GeneratorSpec spec = MakeSpec(1);
    spec.kind = "jobs";
    spec.jobs = 12;
    spec.servers = 0;
    spec.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    spec.models[0].sizes = {{1, 3}, {4, 1}};
    spec.models[0].durations = MakeConstant(6);
    spec.models[1].sizes = {{2, 2}};
    spec.computeRatio = 0.5;
    spec.durations = MakeConstant(0.008);
    std::map<std::pair<std::string, uint32_t>, uint32_t> dealt;
    for (const CojobSpec& cojob : TakeAll(spec))
    {
        const JobSpec& job = cojob.jobs.front();
        ++dealt[{job.model.name, job.workers}];
        // Two workers of a ring: a port moves M out and M in, 0.8 ms at 10 Gbps; half of it is 0.4.
        EXPECT_EQ(cojob.iterations.front(), job.model.name == "a" ? 2000U : 20U);
    }
    const std::map<std::pair<std::string, uint32_t>, uint32_t> twice{{{"a", 1}, 6},
                                                                     {{"a", 4}, 2},
                                                                     {{"b", 2}, 4}};
    EXPECT_EQ(dealt, twice); // all are dealt, and again
    spec.divideByWorkers = true;
    for (const CojobSpec& cojob : TakeAll(spec))
    {
        const JobSpec& job = cojob.jobs.front();
        const uint64_t all = job.model.name == "a" ? 2000 : 20;
        EXPECT_EQ(cojob.iterations.front(), all / job.workers);
    }
    EXPECT_EQ(ListDemands(spec).size(), 3U);
}

TEST(QuantileRandomVariable, HasTheQuantilesThatItIsGiven)
{
    ObjectFactory factory("ns3::ddl::QuantileRandomVariable");
    factory.Set("Levels", StringValue("0,0.1,0.5,0.9,1"));
    factory.Set("Values", StringValue("20,41,78,257,1166"));
    const auto variable = factory.Create<RandomVariableStream>();
    variable->SetStream(3);
    std::vector<double> drawn;
    for (int i = 0; i < 20000; ++i)
    {
        drawn.push_back(variable->GetValue());
    }
    std::sort(drawn.begin(), drawn.end());
    EXPECT_GE(drawn.front(), 20);
    EXPECT_LE(drawn.back(), 1166);
    EXPECT_NEAR(drawn[2000], 41, 1);
    EXPECT_NEAR(drawn[10000], 78, 2);
    EXPECT_NEAR(drawn[18000], 257, 8);
    EXPECT_NEAR(drawn[14000], std::sqrt(78 * 257), 5); // half of the way from 0.5 to 0.9, in logs
}

TEST(QuantileRandomVariable, WhatMakesNoQuantilesIsSaid)
{
    const auto find = [](const std::string& levels, const std::string& values) {
        const auto variable = CreateObject<QuantileRandomVariable>();
        variable->SetAttribute("Levels", StringValue(levels));
        variable->SetAttribute("Values", StringValue(values));
        return variable->FindProblem().substr(0, 6);
    };
    EXPECT_EQ(find("0,0.5,1", "1,1,20"), "");
    EXPECT_EQ(find("0,0.5,0.5,1", "1,2,3,4"), "Levels");
    EXPECT_EQ(find("0.1,1", "1,2"), "Levels");
    EXPECT_EQ(find("0,0.9", "1,2"), "Levels");
    EXPECT_EQ(find("0", "1"), "Levels");
    EXPECT_EQ(find("0,1", "1,2,3"), "Values");
    EXPECT_EQ(find("0,1", "2,1"), "Values");
    EXPECT_EQ(find("0,1", "0,1"), "Values");
}
