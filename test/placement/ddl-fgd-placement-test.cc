// SPDX-License-Identifier: GPL-2.0-only
// `fgd`: fragmentation as the authors' own tests have it, and choices beside a straightforward
// implementation.
#include "ns3/boolean.h"
#include "ns3/ddl-fragmentation.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-policy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return servers of GPUs with 1000 bytes each, of which so many are free */
ClusterView
MakeSharedServers(const std::vector<std::vector<uint64_t>>& servers)
{
    ClusterView cluster;
    for (const auto& gpus : servers)
    {
        MachineView machine;
        machine.host = {static_cast<uint32_t>(cluster.machines.size())};
        for (const uint64_t free : gpus)
        {
            GpuView gpu;
            gpu.id = {machine.host, static_cast<uint32_t>(machine.gpus.size())};
            gpu.memory = 1000;
            gpu.freeMemory = free;
            gpu.free = free == 1000;
            machine.gpus.push_back(gpu);
        }
        cluster.machines.push_back(machine);
    }
    return cluster;
}

/** \return servers of free GPUs with so many bytes each */
ClusterView
MakeUnequalServers(const std::vector<std::vector<uint64_t>>& servers)
{
    ClusterView cluster = MakeSharedServers(servers);
    for (MachineView& machine : cluster.machines)
    {
        for (GpuView& gpu : machine.gpus)
        {
            gpu.memory = gpu.freeMemory;
            gpu.free = true;
        }
    }
    return cluster;
}

/** \return the same of whole GPUs: 1 is free, 0 is held */
ClusterView
MakeWholeServers(const std::vector<std::vector<uint64_t>>& servers)
{
    ClusterView cluster = MakeSharedServers(servers);
    for (MachineView& machine : cluster.machines)
    {
        for (GpuView& gpu : machine.gpus)
        {
            gpu.free = gpu.freeMemory > 0;
            gpu.memory = gpu.freeMemory = 0;
        }
    }
    return cluster;
}

double
SumFragmentation(const ClusterView& cluster, const TargetWorkload& workload)
{
    double sum = 0;
    for (const MachineList& server : ByServer(cluster))
    {
        sum += GetFragmentation(server, workload);
    }
    return sum;
}

TEST(Fragmentation, AsInTheAuthorsTests)
{
    // frag_test.go, TestGetGpuFragMilliByNodeResAndPodRes: GPUs of 1000 with 200, 1000, 1000, 500.
    const ClusterView used = MakeSharedServers({{200, 1000, 1000, 500}});
    EXPECT_DOUBLE_EQ(SumFragmentation(used, {{{2, 1000}, 1}}), 0.7);
    EXPECT_DOUBLE_EQ(SumFragmentation(used, {{{2, 200}, 1}}), 0);
    EXPECT_DOUBLE_EQ(
        SumFragmentation(MakeSharedServers({{1000, 1000, 1000, 1000}}), {{{2, 1000}, 1}}),
        0);
    // A task that lacks GPUs can use nothing of the 2.7 that are left (Q2 of GetNodePodFrag).
    EXPECT_DOUBLE_EQ(SumFragmentation(used, {{{4, 1000}, 1}}), 2.7);
    EXPECT_DOUBLE_EQ(SumFragmentation(used, {{{4, 1000}, 1}, {{2, 1000}, 3}}),
                     0.25 * 2.7 + 0.75 * 0.7);
    EXPECT_DOUBLE_EQ(SumFragmentation(used, {}), 0);
}

/** \return fragmentation of a server with so many free whole GPUs, by the book */
double
GetWholeFragmentation(uint32_t free, const std::map<uint32_t, double>& sizes)
{
    double sum = 0;
    double all = 0;
    for (const auto& [size, count] : sizes)
    {
        sum += size > free ? free * count : 0;
        all += count;
    }
    return sum / all;
}

TEST(FgdPlacementPolicy, TakesTheServerThatLosesLeast)
{
    std::mt19937 random(2023);
    const auto policy = CreatePolicy<PlacementPolicy>("fgd");
    std::map<uint32_t, double> sizes; // of the jobs that have asked
    uint32_t differs = 0;             // from best fit
    for (uint32_t id = 1; id <= 2000; ++id)
    {
        std::vector<std::vector<uint64_t>> servers(4, std::vector<uint64_t>(8));
        std::vector<uint32_t> free(4);
        for (std::size_t n = 0; n < servers.size(); ++n)
        {
            for (uint64_t& gpu : servers[n])
            {
                gpu = random() % 3 > 0 ? 1 : 0;
                free[n] += gpu > 0 ? 1 : 0;
            }
        }
        const ClusterView cluster = MakeWholeServers(servers);
        const uint32_t gpus = std::vector<uint32_t>{1, 1, 1, 2, 2, 4, 8}[random() % 7];
        ++sizes[gpus];
        double best = 1e9;
        uint32_t tightest = 99;
        for (const uint32_t each : free)
        {
            if (each >= gpus)
            {
                const double growth =
                    GetWholeFragmentation(each - gpus, sizes) - GetWholeFragmentation(each, sizes);
                best = std::min(best, growth);
                tightest = std::min(tightest, each);
            }
        }
        PlacementView view{cluster, gpus};
        view.job.id = {id};
        const auto answer = policy->Place(view);
        ASSERT_EQ(answer.placement.has_value(), best < 1e9) << id;
        if (answer.placement)
        {
            const uint32_t had = free[answer.placement->workers.front().host.value];
            EXPECT_NEAR(GetWholeFragmentation(had - gpus, sizes) -
                            GetWholeFragmentation(had, sizes),
                        best,
                        1e-9);
            differs += had != tightest ? 1 : 0;
        }
    }
    EXPECT_GT(differs, 50U);
}

// The largest server for a job is the one with most GPUs that it could use.
TEST(FgdPlacementPolicy, SmallGpusMakeNoServerLargeForAJob)
{
    const std::vector<uint64_t> small(8, 16);
    ClusterView cluster = MakeUnequalServers({small, {80, 80}, {80, 80}});
    const auto policy = CreatePolicy<PlacementPolicy>("fgd");
    PlacementView four{cluster, 4, 0, 40};
    four.job.id = {1};
    const auto placement = policy->Place(four).placement; // no server could ever take it alone
    ASSERT_TRUE(placement);
    EXPECT_EQ(ListHosts(ListRankHosts(*placement)), (std::vector<HostId>{{1}, {2}}));
    for (const std::size_t server : {1, 2})
    {
        cluster.machines[server].gpus[0].free = false;
        cluster.machines[server].gpus[0].freeMemory = 0;
    }
    PlacementView two{cluster, 2, 0, 40};
    two.job.id = {2};
    EXPECT_TRUE(policy->Place(two).declines); // some server can
}

TEST(FgdPlacementPolicy, AJobCountsAsTheTasksOfWhichItWouldBeMade)
{
    std::mt19937 random(40);
    const auto policy = CreatePolicy<PlacementPolicy>("fgd");
    TargetWorkload workload;
    uint32_t placed = 0;
    for (uint32_t id = 1; id <= 500; ++id)
    {
        ClusterView cluster = MakeUnequalServers({std::vector<uint64_t>(8, 16),
                                                  std::vector<uint64_t>(4, 80),
                                                  std::vector<uint64_t>(2, 80),
                                                  std::vector<uint64_t>(2, 80)});
        for (MachineView& machine : cluster.machines)
        {
            for (GpuView& gpu : machine.gpus)
            {
                gpu.free = random() % 3 > 0;
                gpu.freeMemory = gpu.free ? gpu.memory : 0;
            }
        }
        const uint32_t gpus = std::vector<uint32_t>{1, 2, 3, 4, 6}[random() % 5];
        const uint64_t memory = random() % 2 > 0 ? 10 : 40;
        const uint32_t whole = memory > 16 ? 4 : 8; // GPUs of the largest server for it
        workload[{whole, memory}] += gpus >= whole ? 1 : 0;
        workload[{gpus % whole, memory}] += gpus % whole > 0 ? 1 : 0;
        double best = 1e9;
        std::vector<double> growths;
        for (const MachineList& server : ByServer(cluster))
        {
            const auto room = ListRoom(server, memory);
            growths.push_back(1e9);
            if (room.size() >= gpus)
            {
                const double before = GetFragmentation(server, workload);
                std::vector<GpuId> taken;
                for (uint32_t i = 0; i < gpus; ++i)
                {
                    taken.push_back(room[i].id);
                }
                Occupy(cluster, {taken, {}}, memory);
                growths.back() = GetFragmentation(server, workload) - before;
                Vacate(cluster, {taken, {}}, memory);
                best = std::min(best, growths.back());
            }
        }
        PlacementView view{cluster, gpus, 0, memory};
        view.job.id = {id};
        const auto placement = policy->Place(view).placement;
        if (gpus <= whole && placement)
        {
            ++placed;
            EXPECT_NEAR(growths[placement->workers.front().host.value], best, 1e-9) << id;
        }
    }
    EXPECT_GT(placed, 200U);
}

TEST(FgdPlacementPolicy, APartGoesWhereItLeavesNoFragment)
{
    // Jobs of 600 and of 400 bytes: 400 go beside the 600, not into an empty GPU.
    const auto policy = CreatePolicy<PlacementPolicy>("fgd");
    const ClusterView cluster = MakeSharedServers({{1000, 1000}, {1000, 400}});
    PlacementView large{cluster, 1, 0, 600};
    large.job.id = {1};
    EXPECT_TRUE(policy->Place(large).placement);
    PlacementView small{cluster, 1, 0, 400};
    small.job.id = {2};
    const GpuId expected{{1}, 1};
    EXPECT_EQ(policy->Place(small).placement->workers.front(), expected);
}

TEST(FgdPlacementPolicy, AJobWaitsForAServerUnlessItMaySpread)
{
    const ClusterView cluster = MakeWholeServers({{1, 1, 1, 0}, {1, 1, 0, 0}});
    const auto policy = CreatePolicy<PlacementPolicy>("fgd");
    const auto answer = policy->Place({cluster, 4});
    EXPECT_TRUE(answer.declines);
    EXPECT_EQ(answer.why, "no server has room for it");
    EXPECT_FALSE(policy->Place({cluster, 6}).placement); // there are not so many
    EXPECT_TRUE(policy->Place({cluster, 5}).placement);  // no server could ever take it
    policy->SetAttribute("Spread", BooleanValue(true));
    const auto spread = policy->Place({cluster, 4}).placement;
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->workers.front().host, HostId{0}); // the emptier one, wholly
    EXPECT_EQ(spread->workers.back().host, HostId{1});
}

} // namespace
