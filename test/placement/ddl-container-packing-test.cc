// SPDX-License-Identifier: GPL-2.0-only
// Liquid's cost of a plan, best fit and genetic operators, by the exact cases of the paper and of
// its arithmetic, and against all plans of small batches.
#include "ns3/ddl-container-packing.h"
#include "ns3/ddl-grouping-genetic.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Plan = ContainerPacking::Plan;
constexpr uint32_t NOWHERE = ContainerPacking::NOWHERE;

/** \return nodes of so many GPUs, of which so many are free; `racks` by node, all 0 if empty */
ClusterView
MakeNodes(uint32_t gpus, const std::vector<uint32_t>& free, const std::vector<uint32_t>& racks = {})
{
    ClusterView cluster;
    for (uint32_t i = 0; i < free.size(); ++i)
    {
        MachineView machine;
        machine.host = HostId{i};
        machine.rack = racks.empty() ? 0 : racks[i];
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            machine.gpus.push_back({GpuId{HostId{i}, gpu}, gpu >= gpus - free[i]});
        }
        cluster.machines.push_back(machine);
    }
    return cluster;
}

/** \return a job whose parameter servers hold GPUs, as in Liquid */
PackedJob
MakeJob(uint32_t servers, uint32_t workers)
{
    return {workers, servers, 0, true};
}

TEST(ContainerPacking, ServersAndWorkersAreInterleaved)
{
    const ClusterView cluster = MakeNodes(1, {1});
    const auto order = [&](uint32_t servers, uint32_t workers) {
        const ContainerPacking packing(cluster, {MakeJob(servers, workers)}, {});
        std::string text;
        for (const auto& container : packing.GetContainers())
        {
            text += container.isServer ? 'p' : 'w';
        }
        return text;
    };
    EXPECT_EQ(order(2, 4), "pwwpww");
    EXPECT_EQ(order(1, 2), "pww");
    EXPECT_EQ(order(0, 3), "www");
    EXPECT_EQ(order(3, 1), "pwpp");
}

// Nodes of 4 GPUs, empty, lambda 0.5: the load is -3/4 wherever the three containers are.
TEST(ContainerPacking, DistanceAndLoadOfFourPlans)
{
    const ClusterView oneRack = MakeNodes(4, {4, 4, 4});
    const ContainerPacking packing(oneRack, {MakeJob(1, 2)}, {});
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0}, 0), -0.375);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 1}, 0), 0.25 - 0.375);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 1, 1}, 0), 0.5 - 0.375);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 1, 2}, 0), 0.5 - 0.375);
    const ClusterView twoRacks = MakeNodes(4, {4, 4, 4}, {0, 0, 1});
    EXPECT_DOUBLE_EQ(ContainerPacking(twoRacks, {MakeJob(1, 2)}, {}).GetScore({0, 1, 2}, 0),
                     0.5 * 2.5 - 0.375);
    // Of what is placed so far: a pair is there as soon as its worker is.
    EXPECT_DOUBLE_EQ(packing.GetScore({0, NOWHERE, NOWHERE}, 0), -0.125);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 1, NOWHERE}, 0), 0.5 - 0.25);
}

TEST(ContainerPacking, WithoutServersWorkersArePairs)
{
    const ClusterView cluster = MakeNodes(4, {4, 4});
    const ContainerPacking packing(cluster, {MakeJob(0, 3)}, {1});
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0}, 0), 0);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 1}, 0), 2.0 / 3); // of three pairs, two are apart
}

// The sum of the loads rewards a job that touches many nodes in use; the mean does not.
TEST(ContainerPacking, TheSumOfLoadsScattersTheMeanDoesNot)
{
    const ClusterView cluster = MakeNodes(4, {4, 1, 1});
    const Plan together{0, 0, 0, 0};
    const Plan scattered{0, 0, 1, 2};
    const ContainerPacking sum(cluster, {MakeJob(1, 3)}, {});
    EXPECT_DOUBLE_EQ(sum.GetScore(together, 0), -0.5);
    EXPECT_DOUBLE_EQ(sum.GetScore(scattered, 0), 1.0 / 3 - 1.25);
    const ContainerPacking mean(cluster, {MakeJob(1, 3)}, {0.5, 1, 4, true});
    EXPECT_DOUBLE_EQ(mean.GetScore(together, 0), -0.5);
    EXPECT_DOUBLE_EQ(mean.GetScore(scattered, 0), 1.0 / 3 - 1.25 / 3);
}

TEST(ContainerPacking, WhatOthersOfTheBatchUseIsLoad)
{
    const ClusterView cluster = MakeNodes(4, {4, 4});
    const ContainerPacking packing(cluster, {MakeJob(1, 1), MakeJob(1, 1)}, {0});
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0, 1}, 0), -0.75);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0, 1}, 1), -1);
}

TEST(ContainerPacking, BestFitOnNodesOfTwo)
{
    const ClusterView cluster = MakeNodes(2, {2, 2, 2});
    const ContainerPacking packing(cluster, {MakeJob(1, 2)}, {});
    Plan plan = packing.MakeEmpty();
    ASSERT_TRUE(packing.PlaceBestFit(plan, 0));
    EXPECT_EQ(plan, (Plan{0, 0, 1}));
}

TEST(ContainerPacking, WhatDoesNotFitIsUndone)
{
    const ClusterView cluster = MakeNodes(2, {1, 1});
    const ContainerPacking packing(cluster, {MakeJob(1, 2)}, {});
    EXPECT_FALSE(packing.MayFit());
    Plan plan = packing.MakeEmpty();
    EXPECT_FALSE(packing.PlaceBestFit(plan, 0));
    EXPECT_EQ(plan, packing.MakeEmpty());
}

// 10 bytes a GPU, one with 4 left. Workers of 3 and 8 bytes fit, those of 8 and 8 do not.
TEST(ContainerPacking, MemoryDecidesWhichContainersShareANode)
{
    ClusterView cluster = MakeNodes(2, {2});
    cluster.machines[0].gpus[0] = {GpuId{HostId{0}, 0}, false, 10, 4};
    cluster.machines[0].gpus[1] = {GpuId{HostId{0}, 1}, true, 10, 10};
    PackedJob small = MakeJob(0, 1);
    PackedJob large = MakeJob(0, 1);
    small.memory = 3;
    large.memory = 8;
    const ContainerPacking packing(cluster, {small, large, large}, {});
    EXPECT_TRUE(packing.Fits({NOWHERE, 0, NOWHERE}, 0, 0));
    EXPECT_TRUE(packing.Fits({0, NOWHERE, NOWHERE}, 1, 0));
    EXPECT_FALSE(packing.Fits({NOWHERE, 0, NOWHERE}, 2, 0));
    const auto placements = packing.MakePlacements({0, 0, NOWHERE});
    EXPECT_EQ(placements[0].workers, (std::vector<GpuId>{{HostId{0}, 0}}));
    EXPECT_EQ(placements[1].workers, (std::vector<GpuId>{{HostId{0}, 1}}));
}

/** Nodes a to h of three GPUs, two jobs: 1P1, 1W1 to 1W4; 2P1, 2W1, 2W2 (Fig. 8 and 9). */
class LiquidFigures : public testing::Test
{
  protected:
    enum Node
    {
        C = 2,
        E = 4,
        F = 5,
        G = 6,
        H = 7
    };

    LiquidFigures()
        : m_cluster(MakeNodes(3, {3, 3, 3, 3, 3, 3, 3, 3})),
          m_packing(m_cluster, {MakeJob(1, 4), MakeJob(1, 2)}, {}),
          m_genetic(m_packing, AsPrinted(), CreateObject<UniformRandomVariable>())
    {
    }

    static GeneticSpec AsPrinted()
    {
        GeneticSpec spec;
        spec.isFirstFit = true;
        return spec;
    }

    ClusterView m_cluster;
    ContainerPacking m_packing;
    GroupingGenetic m_genetic;
    //           1P1 1W1 1W2 1W3 1W4 2P1 2W1 2W2
    const Plan m_y{E, E, G, E, F, H, F, F};
};

TEST_F(LiquidFigures, CrossoverOfFigure8)
{
    const Plan x{0, 0, C, 0, 1, 1, C, 1};
    EXPECT_EQ(m_genetic.CrossOver(x, C, m_y), (Plan{E, E, C, E, C, H, C, H}));
}

TEST_F(LiquidFigures, MutationOfFigure9)
{
    EXPECT_EQ(m_genetic.Mutate(m_y, G), (Plan{E, E, H, E, F, H, F, F}));
}

// Two nodes used, scores -0.375 and -0.125: 0.5 - 2.
TEST(GroupingGenetic, FitnessOfEquation8)
{
    const ClusterView cluster = MakeNodes(4, {4, 4});
    const ContainerPacking packing(cluster, {MakeJob(1, 2), MakeJob(1, 0)}, {});
    const GroupingGenetic genetic(packing, {}, CreateObject<UniformRandomVariable>());
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0, 1}, 0), -0.375);
    EXPECT_DOUBLE_EQ(packing.GetScore({0, 0, 0, 1}, 1), -0.125);
    EXPECT_DOUBLE_EQ(genetic.GetFitness({0, 0, 0, 1}), -1.5);
    EXPECT_EQ(genetic.GetFitness({0, 0, 0, NOWHERE}), -std::numeric_limits<double>::infinity());
}

/** A random batch of up to 8 containers on 4 nodes of 2 to 4 GPUs, in two racks. */
struct SmallBatch
{
    explicit SmallBatch(uint32_t seed)
    {
        std::mt19937 generator(seed);
        const auto draw = [&generator](uint32_t least, uint32_t most) {
            return least + generator() % (most - least + 1);
        };
        const uint32_t gpus = draw(2, 4);
        std::vector<uint32_t> free;
        for (uint32_t node = 0; node < 4; ++node)
        {
            free.push_back(draw(1, gpus));
        }
        cluster = MakeNodes(gpus, free, {0, 0, 1, 1});
        uint32_t left = draw(4, 8);
        while (left > 0)
        {
            const uint32_t servers = left > 1 ? draw(0, 1) : 0;
            const uint32_t workers = draw(1, std::min(4U, left - servers));
            jobs.push_back(MakeJob(servers, workers));
            left -= servers + workers;
        }
        cost.lambda = draw(0, 4) / 4.0;
    }

    ClusterView cluster;
    std::vector<PackedJob> jobs;
    PackingCost cost;
};

struct Range
{
    double best{-std::numeric_limits<double>::infinity()};
    double worst{std::numeric_limits<double>::infinity()};
};

/** Fitness of all plans that fit. */
void
Enumerate(const ContainerPacking& packing,
          const GroupingGenetic& genetic,
          Plan& plan,
          uint32_t next,
          Range& range)
{
    if (next == plan.size())
    {
        const double fitness = genetic.GetFitness(plan);
        range.best = std::max(range.best, fitness);
        range.worst = std::min(range.worst, fitness);
        return;
    }
    for (uint32_t node = 0; node < packing.GetNodes(); ++node)
    {
        if (packing.Fits(plan, next, node))
        {
            plan[next] = node;
            Enumerate(packing, genetic, plan, next + 1, range);
            plan[next] = NOWHERE;
        }
    }
}

TEST(GroupingGenetic, IsWithinTwoPercentOfTheBestPlan)
{
    uint32_t instances = 0;
    uint32_t close = 0;
    for (uint32_t seed = 1; instances < 200; ++seed)
    {
        const SmallBatch batch(seed);
        const ContainerPacking packing(batch.cluster, batch.jobs, batch.cost);
        auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(seed);
        GroupingGenetic genetic(packing, {}, draw);
        Plan plan = packing.MakeEmpty();
        Range range;
        if (packing.MayFit())
        {
            Enumerate(packing, genetic, plan, 0, range);
        }
        const auto found = packing.MayFit() ? genetic.Search() : std::nullopt;
        ASSERT_EQ(found.has_value(), std::isfinite(range.best)) << "seed " << seed;
        if (found)
        {
            ++instances;
            const double gap = range.best - genetic.GetFitness(*found);
            EXPECT_GE(gap, -1e-9) << "seed " << seed;
            close += gap <= 0.02 * (range.best - range.worst) + 1e-9 ? 1 : 0;
        }
    }
    EXPECT_GE(close, 190U);
}

TEST(GroupingGenetic, WithABestFitSeedAndAnEliteIsNeverWorseThanBestFit)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        SmallBatch batch(seed);
        const ContainerPacking packing(batch.cluster, batch.jobs, batch.cost);
        Plan plan = packing.MakeEmpty();
        bool isPlaced = true;
        for (uint32_t job = 0; job < packing.GetJobs(); ++job)
        {
            isPlaced = packing.PlaceBestFit(plan, job) && isPlaced;
        }
        GeneticSpec spec;
        spec.population = 4;
        spec.generations = 10;
        spec.isElitist = true;
        GroupingGenetic genetic(packing, spec, CreateObject<UniformRandomVariable>());
        if (isPlaced)
        {
            const auto found = genetic.Search();
            ASSERT_TRUE(found);
            EXPECT_GE(genetic.GetFitness(*found), genetic.GetFitness(plan) - 1e-9);
        }
    }
}

TEST(GroupingGenetic, EqualDrawsGiveEqualPlans)
{
    const SmallBatch batch(3);
    const ContainerPacking packing(batch.cluster, batch.jobs, batch.cost);
    const auto search = [&packing] {
        auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(7);
        return GroupingGenetic(packing, {}, draw).Search();
    };
    EXPECT_EQ(search(), search());
    // The same on every machine: the sum over batches, searched for three generations only.
    double sum = 0;
    for (uint32_t number = 1; number <= 20; ++number)
    {
        const SmallBatch each(number);
        const ContainerPacking places(each.cluster, each.jobs, each.cost);
        auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(7);
        GeneticSpec spec;
        spec.generations = 3;
        spec.bestFitSeeds = 0;
        GroupingGenetic genetic(places, spec, draw);
        const auto plan = genetic.Search();
        sum += plan ? genetic.GetFitness(*plan) : 0;
    }
    EXPECT_NEAR(sum, -12.604166666667, 1e-9);
}

} // namespace
