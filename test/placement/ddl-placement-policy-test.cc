// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/boolean.h"
#include "ns3/ddl-placement-policy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

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

/** Every registered placement policy, with every attribute at its extremes. */
class PlacementConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    /** \return true if the policy may have a job wait although there are GPUs for it */
    static bool MayWait(const PlacementPolicy& policy)
    {
        BooleanValue chosenOnly(false); // of lwf
        policy.GetAttributeFailSafe("ChosenOnly", chosenOnly);
        return chosenOnly.Get();
    }
};

TEST_P(PlacementConformance, PlacesWhatFitsAndNothingElse)
{
    const auto policy = GetParam().Create<PlacementPolicy>();
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
            else if (!MayWait(*policy))
            {
                EXPECT_TRUE(placement) << workers << " of 6 free GPUs";
            }
        }
    }
}

TEST_P(PlacementConformance, AnEmptyClusterTakesAllThatItHasGpusFor)
{
    // Machines with different numbers of GPUs, some with none; the loads do not matter then.
    const auto policy = GetParam().Create<PlacementPolicy>();
    ClusterView cluster =
        Cluster({{}, {true, true}, {}, {true, true, true, true}, {true}, {}, {true, true, true}});
    for (const uint64_t memory : {0, 10})
    {
        for (MachineView& machine : cluster.machines)
        {
            for (GpuView& gpu : machine.gpus)
            {
                gpu.memory = gpu.freeMemory = memory;
            }
        }
        for (uint32_t workers = 1; workers <= 10; ++workers)
        {
            EXPECT_TRUE(policy->Place({cluster, workers, workers % 3})) << workers;
            EXPECT_TRUE(policy->Place({cluster, workers, 0, memory / 2})) << workers;
        }
        EXPECT_FALSE(policy->Place({cluster, 11, 0}));
    }
}

TEST_P(PlacementConformance, RanksOfAServerAreNeighbours)
{
    // Three servers of three machines each, which do not even stand next to each other.
    const auto policy = GetParam().Create<PlacementPolicy>();
    ClusterView cluster = Cluster({{true, true},
                                   {true},
                                   {false, true},
                                   {true},
                                   {},
                                   {true, true},
                                   {false},
                                   {true, true},
                                   {true}});
    for (MachineView& machine : cluster.machines)
    {
        machine.server = machine.host.value % 3;
    }
    for (uint32_t workers = 1; workers <= 10; ++workers)
    {
        const auto placement = policy->Place({cluster, workers, 2}); // checks itself
        if (!placement)
        {
            EXPECT_TRUE(MayWait(*policy)) << workers << " of 10 free GPUs";
            continue;
        }
        std::set<uint32_t> left; // servers that the ranks have left
        for (uint32_t rank = 1; rank < workers; ++rank)
        {
            const uint32_t before = placement->workers[rank - 1].host.value % 3;
            const uint32_t server = placement->workers[rank].host.value % 3;
            if (server != before)
            {
                left.insert(before);
            }
            EXPECT_EQ(left.count(server), 0U) << "rank " << rank << " of " << workers;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         PlacementConformance,
                         testing::ValuesIn(test::ListVariants(PlacementPolicy::GetTypeId())),
                         test::NameOf);

/** A policy that gives the answer it was built with. */
class WrongPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

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

TEST(WrongPlacement, IsTheirError)
{
    const ClusterView cluster = Cluster({{true, false}, {true}});
    const auto place = [&cluster](const Placement& answer, uint32_t workers = 1) {
        const uint32_t servers = workers == 1 ? 1 : 0;
        return test::RunErrorOf([&] {
            CreateObject<WrongPlacementPolicy>(answer)->Place({cluster, workers, servers});
        });
    };
    const std::string name = "test::WrongPlacementPolicy ";
    EXPECT_EQ(place({{G(1, 0)}, {HostId{0}}}), ""); // a right one passes
    EXPECT_EQ(place({{}, {HostId{0}}}),
              name + "gave 0 GPUs to 1 workers, and 1 machines to 1 servers");
    EXPECT_EQ(place({{G(0, 0)}, {}}),
              name + "gave 1 GPUs to 1 workers, and 0 machines to 1 servers");
    EXPECT_EQ(place({{G(0, 1)}, {HostId{0}}}), name + "took GPU 1 of machine 0, which is not free");
    EXPECT_EQ(place({{G(5, 0)}, {HostId{0}}}), name + "took GPU 0 of machine 5, which is not free");
    EXPECT_EQ(place({{G(0, 0)}, {HostId{2}}}),
              name + "put a server on machine 2, which does not exist");
    EXPECT_EQ(place({{G(0, 0), G(0, 0)}, {}}, 2), name + "took GPU 0 of machine 0 twice");
}
