// SPDX-License-Identifier: GPL-2.0-only
// Placements that Liquid compares: its own two, and the baselines.
#include "ns3/boolean.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/double.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return servers of so many GPUs in one rack, of which the first so many are taken */
ClusterView
MakeServers(uint32_t gpus, const std::vector<uint32_t>& taken)
{
    ClusterView cluster;
    for (uint32_t i = 0; i < taken.size(); ++i)
    {
        MachineView machine;
        machine.host = HostId{i};
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            machine.gpus.push_back({GpuId{HostId{i}, gpu}, gpu >= taken[i]});
        }
        cluster.machines.push_back(machine);
    }
    return cluster;
}

/** \return "0.1 2.0" for GPU 1 of host 0 and GPU 0 of host 2; "-" if the job waits */
std::string
Describe(const std::optional<Placement>& placement)
{
    if (!placement)
    {
        return "-";
    }
    std::string text;
    for (const GpuId& gpu : placement->workers)
    {
        text += (text.empty() ? "" : " ") + std::to_string(gpu.host.value) + "." +
                std::to_string(gpu.index);
    }
    return text;
}

std::string
PlaceBy(const std::string& policy, const ClusterView& cluster, uint32_t workers)
{
    return Describe(CreatePolicy<PlacementPolicy>(policy)->Place({cluster, workers}).placement);
}

TEST(LiquidBaselines, EvenTakesTheGreatestFreePartPackTheLeast)
{
    const ClusterView cluster = MakeServers(4, {2, 1, 3});
    EXPECT_EQ(PlaceBy("even", cluster, 3), "1.1 1.2 0.2"); // 3/4; 2/4 of both; then 2/4 of 0
    EXPECT_EQ(PlaceBy("pack", cluster, 3), "2.3 0.2 0.3"); // 1/4; then 2/4, and what is left of it
    EXPECT_EQ(PlaceBy("even", cluster, 7), "-");
    EXPECT_EQ(PlaceBy("pack", cluster, 6).size(), 6 * 4U - 1);
}

TEST(LiquidBaselines, BuddyCellsSplitTheSmallestFreeCell)
{
    // 8 GPUs: of the first server 0 to 4 are taken, 5 is a cell of one, 6 and 7 one of two.
    const ClusterView cluster = MakeServers(8, {5, 0});
    EXPECT_EQ(PlaceBy("buddy-cell", cluster, 1), "0.5");
    EXPECT_EQ(PlaceBy("buddy-cell", cluster, 4), "0.5 0.6 0.7 1.0");
    const auto whole = CreatePolicy<PlacementPolicy>("buddy-cell");
    whole->SetAttribute("WholeJob", BooleanValue(true));
    EXPECT_EQ(Describe(whole->Place({cluster, 2}).placement), "0.6 0.7");
    EXPECT_EQ(Describe(whole->Place({cluster, 3}).placement), "1.0 1.1 1.2"); // a cell of four
    EXPECT_EQ(Describe(whole->Place({cluster, 9}).placement),
              "0.5 0.6 0.7 1.0 1.1 1.2 1.3 1.4 1.5");
    EXPECT_EQ(PlaceBy("buddy-cell", cluster, 12), "-");
}

TEST(LiquidPlacement, BestFitConsolidatesWithGreatLambda)
{
    const ClusterView cluster = MakeServers(4, {3, 0, 2});
    const auto policy = CreatePolicy<PlacementPolicy>("liquid-best-fit");
    policy->SetAttribute("Lambda", DoubleValue(1));
    EXPECT_EQ(Describe(policy->Place({cluster, 4}).placement),
              "0.3 1.0 1.1 1.2"); // greedy: the first one
    policy->SetAttribute("Lambda", DoubleValue(0));
    EXPECT_EQ(Describe(policy->Place({cluster, 1}).placement), "0.3"); // fullest: load -1
    EXPECT_EQ(Describe(policy->Place({cluster, 8}).placement), "-");
}

TEST(LiquidPlacement, AServerWithAGpuIsAContainerLikeAnother)
{
    // Nodes of 2 GPUs, p w w: p on node 0, w beside it, w on node 1.
    const ClusterView cluster = MakeServers(2, {0, 0, 0});
    for (const std::string name : {"liquid-best-fit", "liquid-genetic"})
    {
        PlacementView view{cluster, 3};
        view.gpuServers = 1;
        const auto placement = CreatePolicy<PlacementPolicy>(name)->Place(view).placement;
        ASSERT_TRUE(placement) << name;
        EXPECT_EQ(ListGpus(*placement).size(), 3U) << name;
        EXPECT_EQ(ListHosts(ListRankHosts(*placement)).size(), 2U) << name;
    }
    const ClusterView full = MakeServers(2, {0, 2, 2});
    PlacementView view{full, 2, 1};
    const auto policy = CreatePolicy<PlacementPolicy>("liquid-best-fit");
    EXPECT_TRUE(policy->Place(view).placement) << "the server needs no GPU";
    view.workers = 3;
    view.servers = 0;
    view.gpuServers = 1;
    EXPECT_FALSE(policy->Place(view).placement);
}

TEST(LiquidPlacement, GeneticPlacesABatchAndLeavesOutTheLast)
{
    const ClusterView cluster = MakeServers(4, {0, 2});
    const auto policy = CreatePolicy<PlacementPolicy>("liquid-genetic");
    const auto ask = [&cluster](uint32_t workers, uint32_t servers = 0) {
        return GroupQuestion{PlacementView{cluster, workers, servers}};
    };
    const auto answers = policy->PlaceTogether({ask(3), ask(3, 1), ask(1)});
    ASSERT_EQ(answers.size(), 3U);
    ASSERT_TRUE(answers[0].placements && answers[1].placements);
    EXPECT_FALSE(answers[2].placements);
    std::set<GpuId> gpus;
    for (const auto& answer : {answers[0], answers[1]})
    {
        const Placement& placement = answer.placements->front();
        gpus.insert(placement.workers.begin(), placement.workers.end());
    }
    EXPECT_EQ(gpus.size(), 6U);
    EXPECT_EQ(answers[1].placements->front().servers.size(), 1U);
}

} // namespace
