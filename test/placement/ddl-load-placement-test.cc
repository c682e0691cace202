// SPDX-License-Identifier: GPL-2.0-only
// Placement by load, by lot, and into what memory is left.
#include "ns3/boolean.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Loads in seconds, a list a machine; GPUs of 10 bytes, all free. */
ClusterView
Loads(const std::vector<std::vector<int>>& loads)
{
    ClusterView cluster;
    for (uint32_t host = 0; host < loads.size(); ++host)
    {
        MachineView machine;
        machine.host = HostId{host};
        for (uint32_t index = 0; index < loads[host].size(); ++index)
        {
            GpuView gpu{GpuId{HostId{host}, index}, loads[host][index] == 0, 10, 10};
            gpu.load = Seconds(loads[host][index]);
            machine.gpus.push_back(gpu);
        }
        cluster.machines.push_back(machine);
    }
    return cluster;
}

GpuId
G(uint32_t host, uint32_t index)
{
    return {HostId{host}, index};
}

std::vector<GpuId>
PlaceWorkers(const Ptr<PlacementPolicy>& policy, const ClusterView& cluster, uint32_t workers)
{
    const auto placement = policy->Place({cluster, workers, 0, 1}).placement;
    return placement ? placement->workers : std::vector<GpuId>{};
}

std::vector<GpuId>
PlaceWorkers(const std::string& policy, const ClusterView& cluster, uint32_t workers)
{
    return PlaceWorkers(CreatePolicy<PlacementPolicy>(policy), cluster, workers);
}

} // namespace

TEST(ListScheduling, LeastLoadedGpusWhereverTheyAre)
{
    // loads 5 1 | 3 2 | 1 9: 1 (0,1), 1 (2,0), 2 (1,1), 3 (1,0)
    const ClusterView cluster = Loads({{5, 1}, {3, 2}, {1, 9}});
    EXPECT_EQ(PlaceWorkers("list-scheduling", cluster, 4),
              (std::vector<GpuId>{G(0, 1), G(2, 0), G(1, 1), G(1, 0)}));
    EXPECT_TRUE(PlaceWorkers("list-scheduling", cluster, 7).empty());
}

TEST(ListScheduling, RanksOfAMachineAreNeighbours)
{
    // loads 1 4 | 2 3: 1 (0,0), 2 (1,0), 3 (1,1), 4 (0,1); machine 0 comes first
    EXPECT_EQ(PlaceWorkers("list-scheduling", Loads({{1, 4}, {2, 3}}), 4),
              (std::vector<GpuId>{G(0, 0), G(0, 1), G(1, 0), G(1, 1)}));
    const ClusterView four = Loads({{}, {0, 0, 0}, {}, {0, 0}});
    EXPECT_EQ(GroupByServer(four, {G(3, 0), G(1, 2), G(3, 1), G(1, 1)}),
              (std::vector<GpuId>{G(3, 0), G(3, 1), G(1, 2), G(1, 1)}));
    EXPECT_TRUE(GroupByServer(four, {}).empty());
}

TEST(LeastAllocated, SpreadsOverMachines)
{
    // taken: 1/2, 0, 1/4. Workers: machine 1 (then 1/2), machine 2 (then 1/2), machine 0 (then 1)
    const ClusterView cluster = Loads({{5, 0}, {0, 0}, {5, 0, 0, 0}});
    ClusterView whole = cluster;
    for (MachineView& machine : whole.machines)
    {
        for (GpuView& gpu : machine.gpus)
        {
            gpu.memory = gpu.freeMemory = 0;
        }
    }
    EXPECT_EQ(PlaceWorkers("least-allocated", whole, 3),
              (std::vector<GpuId>{G(1, 0), G(2, 1), G(0, 1)}));
    // Of six, machine by machine: a ring enters each machine once.
    EXPECT_EQ(PlaceWorkers("least-allocated", whole, 6),
              (std::vector<GpuId>{G(1, 0), G(1, 1), G(2, 1), G(2, 2), G(2, 3), G(0, 1)}));
    EXPECT_TRUE(PlaceWorkers("least-allocated", whole, 7).empty());
    whole.machines[1].servers = 1; // of equals, the one with fewer servers
    whole.machines[2].gpus[0].free = true;
    EXPECT_EQ(PlaceWorkers("least-allocated", whole, 1), (std::vector<GpuId>{G(2, 0)}));
}

TEST(LeastAllocated, CountsMemoryWhereGpusAreShared)
{
    ClusterView cluster = Loads({{0}, {0}});
    cluster.machines[0].gpus[0].freeMemory = 4; // of 10
    const auto policy = CreatePolicy<PlacementPolicy>("least-allocated");
    const auto placement = policy->Place({cluster, 2, 0, 3}).placement; // taken: 6/10, 0/10
    ASSERT_TRUE(placement.has_value());
    EXPECT_EQ(placement->workers, (std::vector<GpuId>{G(1, 0), G(0, 0)})); // a GPU each
}

TEST(LeastAllocated, AJobMayHoldWhatThereIs)
{
    // machines with 0 of 2, 1 of 2, 1 of 1 GPUs free; two workers have room, the third waits
    ClusterView cluster = Loads({{5, 5}, {5, 0}, {0}});
    for (MachineView& machine : cluster.machines)
    {
        for (GpuView& gpu : machine.gpus)
        {
            gpu.memory = gpu.freeMemory = 0;
        }
    }
    PlacementView view{cluster, 3};
    const auto policy = CreatePolicy<PlacementPolicy>("least-allocated");
    EXPECT_TRUE(policy->Place(view).held.empty());
    policy->SetAttribute("HoldPartial", BooleanValue(true));
    const auto waits = policy->Place(view);
    EXPECT_FALSE(waits.placement);
    EXPECT_FALSE(waits.declines);
    EXPECT_EQ(waits.held, (std::vector<GpuId>{G(2, 0), G(1, 1)})); // taken: 0, 1/2
    // Both GPUs of machine 0 come free: one is enough.
    cluster.machines[0].gpus[0].free = cluster.machines[0].gpus[1].free = true;
    view.job.held = waits.held;
    const auto placed = policy->Place(view);
    ASSERT_TRUE(placed.placement);
    EXPECT_EQ(placed.placement->workers, (std::vector<GpuId>{G(2, 0), G(1, 1), G(0, 0)}));
    // What it holds of a machine that has failed since is lost.
    cluster.machines[1].gpus[1].free = false;
    EXPECT_EQ(policy->Place(view).placement->workers,
              (std::vector<GpuId>{G(2, 0), G(0, 0), G(0, 1)}));
}

TEST(LeastAllocated, ParameterServersHoldGpusToo)
{
    ClusterView cluster = Loads({{0}, {5}, {0}});
    PlacementView view{cluster, 3, 0, 10};
    view.gpuServers = 1;
    cluster.machines[1].gpus[0].freeMemory = 5;
    const auto policy = CreatePolicy<PlacementPolicy>("least-allocated");
    policy->SetAttribute("HoldPartial", BooleanValue(true));
    EXPECT_EQ(policy->Place(view).held, (std::vector<GpuId>{G(0, 0), G(2, 0)}));
}

TEST(Lwf, AOneGpuJobGoesToTheLeastLoadedGpu)
{
    EXPECT_EQ(PlaceWorkers("lwf", Loads({{5, 4}, {9, 1}, {3, 3}}), 1),
              (std::vector<GpuId>{G(1, 1)}));
}

TEST(Lwf, ALargerJobTakesTheLeastLoadedMachines)
{
    // machines 9, 10, 6: machine 2 first, its GPUs by load, then machine 0
    const ClusterView cluster = Loads({{5, 4}, {9, 1}, {4, 2}});
    EXPECT_EQ(PlaceWorkers("lwf", cluster, 2), (std::vector<GpuId>{G(2, 1), G(2, 0)}));
    EXPECT_EQ(PlaceWorkers("lwf", cluster, 3), (std::vector<GpuId>{G(2, 1), G(2, 0), G(0, 1)}));
}

TEST(Lwf, KappaIsTheMostThatIsNotConsolidated)
{
    const auto policy = CreatePolicy<PlacementPolicy>("lwf");
    policy->SetAttribute("Kappa", UintegerValue(2));
    const ClusterView cluster = Loads({{5, 4}, {9, 1}, {4, 2}});
    EXPECT_EQ(PlaceWorkers(policy, cluster, 2), (std::vector<GpuId>{G(1, 1), G(2, 1)}));
    EXPECT_EQ(PlaceWorkers(policy, cluster, 3), (std::vector<GpuId>{G(2, 1), G(2, 0), G(0, 1)}));
}

TEST(Lwf, ChosenOnlyWaitsForItsMachines)
{
    ClusterView cluster = Loads({{5, 4}, {9, 1}, {4, 2}});
    cluster.machines[2].gpus[0].freeMemory = 0; // the least loaded machine has room for one
    const auto policy = CreatePolicy<PlacementPolicy>("lwf");
    EXPECT_EQ(PlaceWorkers(policy, cluster, 2), (std::vector<GpuId>{G(2, 1), G(0, 1)}));
    policy->SetAttribute("ChosenOnly", BooleanValue(true));
    EXPECT_TRUE(PlaceWorkers(policy, cluster, 2).empty());
    EXPECT_EQ(PlaceWorkers(policy, cluster, 3).size(), 3U); // ceil(3 / 2) = 2 machines
}

TEST(RandomPlacement, AllGpusAlike)
{
    const auto policy = CreatePolicy<PlacementPolicy>("random");
    const ClusterView cluster = Loads({{0, 7, 0}, {0, 0}});
    std::map<GpuId, uint32_t> drawn;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        for (const GpuId& id : PlaceWorkers(policy, cluster, 2))
        {
            ++drawn[id];
        }
    }
    // 2000 draws over 5 GPUs: 400 each, standard deviation sqrt(1000 x 2/5 x 3/5) = 15.5
    ASSERT_EQ(drawn.size(), 5U);
    for (const auto& [id, count] : drawn)
    {
        EXPECT_NEAR(count, 400, 5 * 15.5);
    }
}

TEST(RandomPlacement, TheSameSeedDrawsTheSame)
{
    const ClusterView cluster = Loads({{0, 0, 0, 0}, {0, 0, 0, 0}});
    EXPECT_EQ(PlaceWorkers("random", cluster, 5), PlaceWorkers("random", cluster, 5));
}

/** Every policy takes GPUs with memory left, held or not, and no others. */
class SharedPlacement : public testing::TestWithParam<std::string>
{
};

TEST_P(SharedPlacement, MemoryIsTheLimit)
{
    ClusterView cluster = Loads({{1, 2}, {3, 0}});
    cluster.machines[0].gpus[0].freeMemory = 3;
    cluster.machines[0].gpus[1].freeMemory = 4;
    cluster.machines[1].gpus[0].freeMemory = 0;
    const auto policy = CreatePolicy<PlacementPolicy>(GetParam());
    policy->SetAttributeFailSafe("Spread", BooleanValue(true)); // fgd would wait for one server
    const auto fits = [&](uint32_t workers, uint64_t memory) {
        PlacementView view{cluster, workers, 0, memory};
        view.job.waited = Days(30); // delay scheduling no longer waits for something better
        return policy->Place(view).placement.has_value();
    };
    EXPECT_TRUE(fits(3, 3));
    EXPECT_FALSE(fits(3, 4));
    EXPECT_TRUE(fits(2, 4));
    EXPECT_TRUE(fits(1, 10));
    EXPECT_FALSE(fits(1, 11));
    EXPECT_TRUE(fits(1, 0)); // a whole GPU: the one that nobody holds
    EXPECT_FALSE(fits(2, 0));
}

TEST_P(SharedPlacement, OccupyTakesMemory)
{
    ClusterView cluster = Loads({{0}});
    Occupy(cluster, {{G(0, 0)}, {}}, 4);
    Occupy(cluster, {{G(0, 0)}, {}}, 6);
    EXPECT_EQ(cluster.machines[0].gpus[0].freeMemory, 0U);
    EXPECT_FALSE(CreatePolicy<PlacementPolicy>(GetParam())->Place({cluster, 1, 0, 1}).placement);
    cluster = Loads({{0}});
    Occupy(cluster, {{G(0, 0)}, {}}); // all of it
    EXPECT_FALSE(CreatePolicy<PlacementPolicy>(GetParam())->Place({cluster, 1, 0, 1}).placement);
}

INSTANTIATE_TEST_SUITE_P(All,
                         SharedPlacement,
                         testing::ValuesIn(ListPolicies(PlacementPolicy::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });
