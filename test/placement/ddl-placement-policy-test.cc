// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-placement-policy.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Machines 0, 1, ...; one list of "free" a machine. */
ClusterView
Cluster(const std::vector<std::vector<bool>>& free)
{
    ClusterView cluster;
    for (uint32_t host = 0; host < free.size(); ++host)
    {
        MachineView machine;
        machine.host = HostId{host};
        for (uint32_t index = 0; index < free[host].size(); ++index)
        {
            machine.gpus.push_back({GpuId{HostId{host}, index}, free[host][index]});
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

std::optional<Placement>
FirstFit(const ClusterView& cluster, uint32_t workers, uint32_t servers)
{
    return CreatePolicy<PlacementPolicy>("first-fit")->Place({cluster, workers, servers});
}

} // namespace

TEST(FirstFit, FirstFreeGpusInIndexOrder)
{
    const auto placement = FirstFit(Cluster({{false, true}, {false, false}, {true, true}}), 2, 0);
    ASSERT_TRUE(placement);
    EXPECT_EQ(placement->workers, (std::vector<GpuId>{G(0, 1), G(2, 0)}));
    EXPECT_TRUE(placement->servers.empty());
}

TEST(FirstFit, WaitsWhenThereAreTooFew)
{
    EXPECT_FALSE(FirstFit(Cluster({{false, true}, {true}}), 3, 0));
    EXPECT_TRUE(FirstFit(Cluster({{false, true}, {true}}), 2, 0));
}

TEST(FirstFit, ServersAvoidWorkersThenCrowdedMachines)
{
    ClusterView cluster = Cluster({{true, true}, {true, true}, {true, true}, {true, true}});
    cluster.machines[1].servers = 2;
    cluster.machines[2].servers = 1;
    // workers fill machine 0; order of the rest: 3 (0 servers), 2 (1), 1 (2), then 0 (a worker)
    const auto placement = FirstFit(cluster, 2, 5);
    ASSERT_TRUE(placement);
    EXPECT_EQ(placement->servers, (std::vector<HostId>{{3}, {2}, {1}, {0}, {3}}));
}

TEST(FirstFit, OneMachineTakesAll)
{
    const auto placement = FirstFit(Cluster({{true}}), 1, 2);
    ASSERT_TRUE(placement);
    EXPECT_EQ(placement->servers, (std::vector<HostId>{{0}, {0}}));
}

/** Every registered placement policy. */
class PlacementConformance : public testing::TestWithParam<std::string>
{
};

TEST_P(PlacementConformance, PlacesWhatFitsAndNothingElse)
{
    const auto policy = CreatePolicy<PlacementPolicy>(GetParam());
    EXPECT_FALSE(policy->GetSummary().empty());
    const ClusterView cluster =
        Cluster({{true, false, true, true}, {}, {false, false}, {true, true, true, false}});
    for (uint32_t workers = 1; workers <= 8; ++workers)
    {
        for (const uint32_t servers : {0U, 1U, 5U})
        {
            const auto placement = policy->Place({cluster, workers, servers}); // checks itself
            if (workers > 6)
            {
                EXPECT_FALSE(placement) << "6 GPUs are free";
            }
        }
    }
}

TEST_P(PlacementConformance, AnEmptyClusterTakesAOneGpuJobEventually)
{
    const auto policy = CreatePolicy<PlacementPolicy>(GetParam());
    EXPECT_TRUE(policy->Place({Cluster({{true, true}, {true, true}}), 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(All,
                         PlacementConformance,
                         testing::ValuesIn(ListPolicies(PlacementPolicy::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/** A policy that gives the answer it was built with. */
class WrongPlacementPolicy : public PlacementPolicy
{
  public:
    explicit WrongPlacementPolicy(const Placement& answer)
        : m_answer(answer)
    {
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

  private:
    std::optional<Placement> DoPlace(const PlacementView& /* view */) override
    {
        return m_answer;
    }

    Placement m_answer;
};

TEST(WrongPlacementDeathTest, IsCaught)
{
    const PlacementView view{Cluster({{true, false}, {true}}), 1, 1};
    const auto place = [&view](const Placement& answer) {
        WrongPlacementPolicy(answer).Place(view);
    };
    place({{G(1, 0)}, {HostId{0}}}); // a right one passes
    EXPECT_DEATH(place({{}, {HostId{0}}}), "0 GPUs for 1 workers");
    EXPECT_DEATH(place({{G(0, 0)}, {}}), "0 machines for 1 servers");
    EXPECT_DEATH(place({{G(0, 1)}, {HostId{0}}}), "not free");
    EXPECT_DEATH(place({{G(5, 0)}, {HostId{0}}}), "not free");
    EXPECT_DEATH(place({{G(0, 0)}, {HostId{2}}}), "machine 2, which does not exist");
    const PlacementView two{view.cluster, 2, 0};
    EXPECT_DEATH(WrongPlacementPolicy({{G(0, 0), G(0, 0)}, {}}).Place(two), "twice");
}
