// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-gpu-sharing.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint64_t TEN_BYTES = 10; // bytes

/** One machine with GPUs of which the first are held, each by a job that takes 4 bytes. */
ClusterView
MakeHeldGpus(uint32_t gpus, uint32_t held)
{
    ClusterView cluster;
    MachineView machine;
    for (uint32_t i = 0; i < gpus; ++i)
    {
        const bool isFree = i >= held;
        machine.gpus.push_back(
            {{machine.host, i}, isFree, TEN_BYTES, isFree ? TEN_BYTES : TEN_BYTES - 4, Time()});
    }
    cluster.machines.push_back(machine);
    return cluster;
}

std::vector<GpuHolder>
MakeHolders(const std::vector<double>& utilisations)
{
    std::vector<GpuHolder> holders;
    for (uint32_t i = 0; i < utilisations.size(); ++i)
    {
        holders.push_back({JobId{i + 1}, {{HostId{0}, i}}, utilisations[i], std::nullopt});
    }
    return holders;
}

TEST(SharingRules, LightJobsShareTheFirstGpuThatTheyMay)
{
    const SharingSpec rules{LightSharingSpec{0.75, 1.3}, std::nullopt};
    const auto find = [&rules](const ClusterView& cluster,
                               const std::vector<double>& utilisations,
                               const SecondQuestion& question) {
        return FindSecondPlace(cluster, MakeHolders(utilisations), question, rules, Time()).gpu;
    };
    const ClusterView full = MakeHeldGpus(3, 3);
    EXPECT_EQ(find(full, {0.9, 0.8, 0.1}, {4, 0.45, Time()}), (GpuId{HostId{0}, 1}));
    EXPECT_FALSE(find(full, {0.9, 0.85, 0.85}, {4, 0.45, Time()})); // 1.3 is not below 1.3
    EXPECT_FALSE(find(full, {0.1, 0.1, 0.1}, {7, 0.45, Time()}));   // no room
    EXPECT_FALSE(find(full, {0.1, 0.1, 0.1}, {0, 0.45, Time()}));   // wants all of it
    // Three quarters of the GPUs are held, and two thirds.
    EXPECT_TRUE(find(MakeHeldGpus(4, 3), {0.1, 0.1, 0.1}, {4, 0.45, Time()}));
    EXPECT_FALSE(find(MakeHeldGpus(3, 2), {0.1, 0.1}, {4, 0.45, Time()}));
}

TEST(SharingRules, TwoOnAGpuCountTogether)
{
    auto holders = MakeHolders({0.45});
    holders.push_back({JobId{2}, {{HostId{0}, 0}}, 0.45, std::nullopt});
    ClusterView cluster = MakeHeldGpus(1, 1);
    const SecondQuestion question{1, 0.45, Time()};
    const auto find = [&](double limit) {
        const SharingSpec rules{LightSharingSpec{0.75, limit}, std::nullopt};
        return FindSecondPlace(cluster, holders, question, rules, Time()).gpu;
    };
    EXPECT_FALSE(find(1.3)); // 135 %
    EXPECT_TRUE(find(1.36));
}

TEST(SharingRules, TheNextJobLoadsBehindTheFirstThatHasNearlyTrained)
{
    const SharingSpec rules{std::nullopt, PreScheduleSpec{0.5, Seconds(15)}};
    auto holders = MakeHolders({1, 1, 1});
    holders[1].trainsUntil = Seconds(42);
    holders[2].trainsUntil = Seconds(40);
    const SecondQuestion question{4, 1, Seconds(12)};
    const ClusterView cluster = MakeHeldGpus(3, 3);
    const auto ask = [&](Time now) {
        return FindSecondPlace(cluster, holders, question, rules, now);
    };
    EXPECT_FALSE(ask(Seconds(12)).gpu);
    EXPECT_EQ(ask(Seconds(12)).askAgain, Seconds(13)); // 40 - 12 - 15
    EXPECT_EQ(ask(Seconds(13)).gpu, (GpuId{HostId{0}, 2}));
    EXPECT_EQ(ask(Seconds(13)).after, JobId{3});
    EXPECT_EQ(ask(Seconds(15)).after, JobId{2}); // both may; the first in order
    holders.push_back({JobId{4}, {{HostId{0}, 1}}, 1, std::nullopt});
    EXPECT_EQ(ask(Seconds(15)).after, JobId{3}); // two hold the other
    EXPECT_FALSE(FindSecondPlace(MakeHeldGpus(7, 3), holders, question, rules, Seconds(15)).gpu);
}

TEST(SharingRules, HeldGpusAreShownFull)
{
    const ClusterView shown = HideHeldGpus(MakeHeldGpus(2, 1));
    EXPECT_EQ(shown.machines[0].gpus[0].freeMemory, 0U);
    EXPECT_EQ(shown.machines[0].gpus[1].freeMemory, TEN_BYTES);
}

} // namespace
