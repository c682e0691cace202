// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/boolean.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"
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
    return CreatePolicy<PlacementPolicy>("first-fit")->Place({cluster, workers, servers}).placement;
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
    EXPECT_EQ(ListRankHosts({placement->servers, {}}),
              (std::vector<HostId>{{3}, {2}, {1}, {0}, {3}}));
}

TEST(FirstFit, OneMachineTakesAll)
{
    const auto placement = FirstFit(Cluster({{true}}), 1, 2);
    ASSERT_TRUE(placement);
    EXPECT_EQ(ListRankHosts({placement->servers, {}}), (std::vector<HostId>{{0}, {0}}));
}

/** Every registered placement policy, with every attribute at its extremes. */
class PlacementConformance : public testing::TestWithParam<test::Variant>
{
  protected:
    /**
     * \param answer without a place, for a job for which there are enough GPUs
     * \return true if the policy may have it wait: by choice, and it says why
     */
    static bool MayWait(const PlacementPolicy& policy, const PlacementAnswer& answer)
    {
        BooleanValue chosenOnly(false); // of lwf
        policy.GetAttributeFailSafe("ChosenOnly", chosenOnly);
        return chosenOnly.Get() || (answer.declines && !answer.why.empty());
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
            const auto answer = policy->Place({cluster, workers, servers}); // checks itself
            if (workers > 6)
            {
                EXPECT_FALSE(answer.placement) << "6 GPUs are free";
            }
            else if (!MayWait(*policy, answer))
            {
                EXPECT_TRUE(answer.placement) << workers << " of 6 free GPUs";
            }
        }
    }
}

TEST_P(PlacementConformance, ParameterServersTakeGpusWhereTheyNeedThem)
{
    const ClusterView cluster =
        Cluster({{true, false, true, true}, {}, {false, false}, {true, true, true, false}});
    const auto policy = GetParam().Create<PlacementPolicy>();
    for (uint32_t workers = 1; workers <= 7; ++workers)
    {
        for (uint32_t servers = 1; servers <= 4; ++servers)
        {
            PlacementView view{cluster, workers + servers};
            view.gpuServers = servers;
            const auto answer = policy->Place(view); // checks itself
            if (workers + servers > 6)
            {
                EXPECT_FALSE(answer.placement) << workers << " and " << servers << " on 6 GPUs";
            }
            else if (!MayWait(*policy, answer))
            {
                ASSERT_TRUE(answer.placement) << workers << " and " << servers;
                const auto gpus = ListGpus(*answer.placement);
                EXPECT_EQ((std::set<GpuId>(gpus.begin(), gpus.end()).size()), workers + servers);
                EXPECT_EQ(answer.placement->servers.size(), servers);
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
            EXPECT_TRUE(policy->Place({cluster, workers, workers % 3}).placement) << workers;
            EXPECT_TRUE(policy->Place({cluster, workers, 0, memory / 2}).placement) << workers;
        }
        EXPECT_FALSE(policy->Place({cluster, 11, 0}).placement);
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
        const auto answer = policy->Place({cluster, workers, 2}); // checks itself
        const auto& placement = answer.placement;
        if (!placement)
        {
            EXPECT_TRUE(MayWait(*policy, answer)) << workers << " of 10 free GPUs";
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
    PlacementAnswer DoPlace(const PlacementView& /* view */) override
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
    EXPECT_EQ(place({{G(1, 0)}, {OnMachine({0})}}), ""); // a right one passes
    EXPECT_EQ(place({{}, {OnMachine({0})}}),
              name + "gave 0 GPUs to 1 workers, and 1 machines to 1 servers");
    EXPECT_EQ(place({{G(0, 0)}, {}}),
              name + "gave 1 GPUs to 1 workers, and 0 machines to 1 servers");
    EXPECT_EQ(place({{G(0, 1)}, {OnMachine({0})}}),
              name + "took GPU 1 of machine 0, which is not free");
    EXPECT_EQ(place({{G(5, 0)}, {OnMachine({0})}}),
              name + "took GPU 0 of machine 5, which is not free");
    EXPECT_EQ(place({{G(0, 0)}, {OnMachine({2})}}),
              name + "put a server on machine 2, which does not exist");
    EXPECT_EQ(place({{G(0, 0), G(0, 0)}, {}}, 2), name + "took GPU 0 of machine 0 twice");
    EXPECT_EQ(place({{G(0, 0)}, {G(1, 0)}}),
              name + "put a server on machine 1 on a GPU that it does not need");
    const auto placeRanks = [&cluster](const Placement& answer) {
        PlacementView view{cluster, 2}; // a worker and a parameter server, on a GPU each
        view.gpuServers = 1;
        return test::RunErrorOf([&] { CreateObject<WrongPlacementPolicy>(answer)->Place(view); });
    };
    EXPECT_EQ(placeRanks({{G(0, 0), G(1, 0)}, {}}), ""); // either answer is right
    EXPECT_EQ(placeRanks({{G(0, 0)}, {G(1, 0)}}), "");
    EXPECT_EQ(placeRanks({{G(0, 0)}, {}}),
              name + "gave 1 GPUs to 2 workers, and 0 machines to 0 servers");
    EXPECT_EQ(placeRanks({{G(0, 0)}, {OnMachine({1})}}),
              name + "put a server on machine 1 without the GPU that it needs");
    EXPECT_EQ(placeRanks({{G(0, 0)}, {G(0, 0)}}), name + "took GPU 0 of machine 0 twice");
    EXPECT_EQ(placeRanks({{}, {G(1, 0)}}),
              name + "gave 0 GPUs to 1 workers, and 1 machines to 1 servers");
}

TEST(FirstFit, ServersWithGpusStandBetweenTheirWorkers)
{
    // p w w p w w of Liquid's program on the GPUs in index order
    const ClusterView cluster = Cluster({{true, true}, {true, true}, {true, true}});
    PlacementView view{cluster, 6};
    view.gpuServers = 2;
    const auto policy = CreatePolicy<PlacementPolicy>("first-fit");
    const auto placement = policy->Place(view).placement;
    ASSERT_TRUE(placement);
    EXPECT_EQ(placement->servers, (std::vector<GpuId>{G(0, 0), G(1, 1)}));
    EXPECT_EQ(placement->workers, (std::vector<GpuId>{G(0, 1), G(1, 0), G(2, 0), G(2, 1)}));
    view.workers = 7;
    EXPECT_FALSE(policy->Place(view).placement);
}

TEST(Interleaved, IsTheOrderOfLiquidsProgram)
{
    EXPECT_EQ(InterleaveServers(4, 2), (std::vector<bool>{1, 0, 0, 1, 0, 0}));
    EXPECT_EQ(InterleaveServers(2, 3), (std::vector<bool>{1, 0, 1, 0, 1}));
    EXPECT_EQ(InterleaveServers(2, 0), (std::vector<bool>{0, 0}));
    const Placement placement{{G(0, 0), G(0, 1), G(1, 0)}, {G(1, 1)}};
    EXPECT_EQ(SplitInterleaved(ListInterleaved(placement), 1), placement);
    EXPECT_EQ(ListInterleaved({}), std::vector<GpuId>());
}

TEST(PlacementAnswer, IsWhatAPolicySays)
{
    EXPECT_FALSE(PlacementAnswer().placement);
    EXPECT_FALSE(PlacementAnswer(std::nullopt).placement);
    EXPECT_EQ(PlacementAnswer(Placement{{G(0, 0)}, {}}).placement->workers.front(), G(0, 0));
    const auto wait = PlacementAnswer::WaitUntil(Seconds(3), "no GPU of its type");
    EXPECT_FALSE(wait.placement);
    EXPECT_TRUE(wait.declines);
    EXPECT_EQ(wait.askAgain, Seconds(3));
    EXPECT_EQ(wait.why, "no GPU of its type");
    const auto decline = PlacementAnswer::Decline("no GPU of its type");
    EXPECT_TRUE(decline.declines);
    EXPECT_FALSE(decline.askAgain);
}

/** Answers all questions with what it was given. */
class ScriptedPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::ScriptedPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "as told";
    }

    PlacementAnswer m_answer;
    std::vector<GroupAnswer> m_together;

  private:
    PlacementAnswer DoPlace(const PlacementView& /* view */) override
    {
        return m_answer;
    }

    std::vector<GroupAnswer> DoPlaceTogether(
        const std::vector<GroupQuestion>& /* groups */) override
    {
        return m_together;
    }

    std::optional<Placement> DoImprove(const PlacementView& /* view */) override
    {
        return m_answer.placement;
    }
};

TEST(PlacementAnswer, ADateThatIsNotInTheFutureIsTheirError)
{
    const ClusterView cluster = Cluster({{true}});
    PlacementView view{cluster};
    view.now = Seconds(5);
    auto policy = CreateObject<ScriptedPlacementPolicy>();
    policy->m_answer = PlacementAnswer::WaitUntil(Seconds(5) + TimeStep(1));
    EXPECT_EQ(policy->Place(view).askAgain, Seconds(5) + TimeStep(1));
    for (const Time& date : {Seconds(5), Seconds(-1)})
    {
        policy->m_answer = PlacementAnswer::WaitUntil(date);
        EXPECT_NE(test::RunErrorOf([&] {
                      policy->Place(view);
                  }).find("test::ScriptedPlacementPolicy wants to be asked again at"),
                  std::string::npos);
        policy->m_together = {{std::nullopt, date, ""}};
        EXPECT_NE(test::RunErrorOf([&] {
                      policy->PlaceTogether({{view}});
                  }).find("which is not in the future"),
                  std::string::npos);
    }
}

TEST(PlacementAnswer, AWrongBetterPlaceIsTheirError)
{
    const ClusterView cluster = Cluster({{true, false}});
    auto policy = CreateObject<ScriptedPlacementPolicy>();
    EXPECT_FALSE(policy->Improve({cluster}));
    policy->m_answer = Placement{{G(0, 0)}, {}};
    EXPECT_TRUE(policy->Improve({cluster}));
    policy->m_answer = Placement{{G(0, 1)}, {}};
    EXPECT_EQ(test::RunErrorOf([&] { policy->Improve({cluster}); }),
              "test::ScriptedPlacementPolicy took GPU 1 of machine 0, which is not free");
}

TEST(PlaceTogether, WrongAnswersAreTheirError)
{
    const ClusterView cluster = Cluster({{true, true}});
    auto policy = CreateObject<ScriptedPlacementPolicy>();
    const auto ask = [&](const std::vector<GroupAnswer>& answers) {
        policy->m_together = answers;
        return test::RunErrorOf([&] { policy->PlaceTogether({{{cluster}}, {{cluster}}}); });
    };
    const auto at = [](uint32_t index) {
        return GroupAnswer{std::vector<Placement>{{{G(0, index)}, {}}}, std::nullopt, ""};
    };
    const std::string name = "test::ScriptedPlacementPolicy ";
    EXPECT_EQ(ask({at(0), at(1)}), "");
    EXPECT_EQ(ask({GroupAnswer(), at(0)}), "");
    EXPECT_EQ(ask({at(0)}), name + "gave 1 answers for 2 groups");
    EXPECT_EQ(ask({at(0), at(0)}), name + "took GPU 0 of machine 0, which is not free");
    EXPECT_EQ(ask({{std::vector<Placement>(), std::nullopt, ""}, at(0)}),
              name + "gave 0 placements for 1 jobs");
}

TEST(PlaceTogether, APolicyThatCannotIsTheirError)
{
    const ClusterView cluster = Cluster({{true}});
    const auto policy = CreatePolicy<PlacementPolicy>("first-fit");
    EXPECT_TRUE(policy->PlaceTogether({}).empty());
    EXPECT_EQ(test::RunErrorOf([&] { policy->PlaceTogether({{{cluster}}}); }),
              "ns3::ddl::FirstFitPlacementPolicy wants to place groups together, and does not "
              "override DoPlaceTogether");
}
