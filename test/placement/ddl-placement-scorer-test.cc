// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"

#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-scorer.h"
#include "ns3/ddl-server-permutation.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Two racks of three machines with two free GPUs each. */
ClusterView
TwoRacks()
{
    ClusterView cluster;
    for (uint32_t host = 0; host < 6; ++host)
    {
        MachineView machine;
        machine.host = HostId{host};
        machine.rack = host / 3;
        machine.gpus = {{GpuId{HostId{host}, 0}}, {GpuId{HostId{host}, 1}}};
        cluster.machines.push_back(machine);
    }
    return cluster;
}

/** Jobs send for `up` of 100 ms. One that is in the table sends from all its machines. */
class GivenTraffic : public TrafficForecast
{
  public:
    std::vector<JobTraffic> ListPresent() const override
    {
        return m_present;
    }

    JobTraffic Foresee(JobId job, const Placement& placement) const override
    {
        std::set<uint32_t> hosts;
        for (const GpuId& gpu : placement.workers)
        {
            hosts.insert(gpu.host.value);
        }
        JobTraffic traffic{job, MilliSeconds(100), MilliSeconds(60), {}};
        for (const uint32_t host : hosts)
        {
            if (hosts.size() > 1)
            {
                traffic.links.push_back({2 * host, 1});
            }
        }
        return traffic;
    }

    std::vector<JobTraffic> m_present;
};

Ptr<PlacementScorer>
Cassini(uint32_t candidates)
{
    const auto scorer = CreatePolicy<PlacementScorer>("cassini");
    scorer->SetAttribute("Candidates", StringValue(std::to_string(candidates)));
    return scorer;
}

/** \return the machines of a placement */
std::set<uint32_t>
ListMachines(const std::optional<Placement>& placement)
{
    std::set<uint32_t> machines;
    for (const GpuId& gpu : placement->workers)
    {
        machines.insert(gpu.host.value);
    }
    return machines;
}

} // namespace

TEST(ServerPermutation, MovesServersOfLikeRacksAndBack)
{
    ClusterView cluster = TwoRacks();
    cluster.machines[1].failed = true;
    cluster.machines[4].servers = 2;
    Occupy(cluster, {{{HostId{2}, 1}}, {}});
    cluster.jobs[JobId{9}] = {{HostId{2}, 1}};
    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(1);
    std::set<uint32_t> places; // of the failed machine
    for (int i = 0; i < 100; ++i)
    {
        const ServerPermutation permutation(cluster, draw);
        const ClusterView permuted = permutation.Permute(cluster);
        std::map<uint32_t, uint32_t> failed; // and others, by rack
        for (uint32_t host = 0; host < 6; ++host)
        {
            const MachineView& machine = permuted.machines[host];
            EXPECT_EQ(machine.host.value, host);
            EXPECT_EQ(machine.rack, host / 3);
            EXPECT_EQ(machine.gpus[1].id, (GpuId{HostId{host}, 1}));
            const GpuId real = permutation.Restore({{machine.gpus[1].id}, {}}).workers[0];
            EXPECT_EQ(machine.gpus[1].free, FindGpu(cluster, real)->free);
            EXPECT_EQ(machine.servers, FindMachine(cluster, real.host)->servers);
            EXPECT_EQ(permutation.Permute(Placement{{real}, {}}).workers[0], machine.gpus[1].id);
            if (machine.failed)
            {
                places.insert(host);
                EXPECT_EQ(real.host.value, 1U);
                // the held GPU is in the same rack as before, beside the failed machine
                EXPECT_EQ(permuted.jobs.at(JobId{9})[0].host.value / 3, host / 3);
            }
        }
        EXPECT_FALSE(FindGpu(permuted, permuted.jobs.at(JobId{9})[0])->free);
    }
    EXPECT_EQ(places.size(), 6U);
}

TEST(ServerPermutation, LeavesServersThatAreBuiltDifferently)
{
    ClusterView cluster = TwoRacks();
    cluster.machines[0].gpus.pop_back();    // so neither racks nor this server are alike
    cluster.machines[5].gpuType.name = "X"; // nor this one
    const auto draw = CreateObject<UniformRandomVariable>();
    for (int i = 0; i < 50; ++i)
    {
        const ServerPermutation permutation(cluster, draw);
        for (const uint32_t host : {0U, 5U})
        {
            const Placement there{{{HostId{host}, 0}}, {}};
            EXPECT_EQ(permutation.Permute(there), there);
        }
        const Placement moved = permutation.Permute(Placement{{{HostId{1}, 0}}, {}});
        EXPECT_LT(moved.workers[0].host.value, 3U);
    }
}

/** Machines 0 and 1 are used by a job that sends for 60 % of the time, so first-fit is no good. */
TEST(CassiniScorer, TheBestOfTheCandidatesCounts)
{
    GivenTraffic traffic;
    traffic.m_present = {traffic.Foresee(JobId{1}, {{{HostId{0}, 0}, {HostId{1}, 0}}, {}})};
    ClusterView cluster = TwoRacks();
    Occupy(cluster, {{{HostId{0}, 0}, {HostId{1}, 0}}, {}});
    const auto policy = CreatePolicy<PlacementPolicy>("first-fit");
    PlacementView view{cluster, 4};
    view.job.id = JobId{2};
    EXPECT_EQ(ListMachines(policy->Place(view).placement), (std::set<uint32_t>{0, 1, 2}));
    policy->SetScorer(Cassini(1), &traffic);
    EXPECT_EQ(ListMachines(policy->Place(view).placement), (std::set<uint32_t>{0, 1, 2}));
    policy->SetScorer(Cassini(30), &traffic);
    const auto best = ListMachines(policy->Place(view).placement);
    EXPECT_EQ(best.count(0) + best.count(1), 0U); // one of the places without a shared link
    view.job.held = {{HostId{5}, 0}};
    EXPECT_EQ(ListMachines(policy->Place(view).placement), (std::set<uint32_t>{0, 1, 2}));
}

TEST(CassiniScorer, OfEqualsThePolicysOwnChoiceStays)
{
    GivenTraffic traffic;
    const ClusterView cluster = TwoRacks();
    const auto policy = CreatePolicy<PlacementPolicy>("first-fit");
    policy->SetScorer(Cassini(20), &traffic);
    PlacementView view{cluster, 4};
    EXPECT_EQ(ListMachines(policy->Place(view).placement), (std::set<uint32_t>{0, 1}));
    EXPECT_FALSE(policy->Place(PlacementView{cluster, 13}).placement);
}

TEST(CassiniScorer, ScoresLinksAndDiscardsLoops)
{
    const auto scorer = Cassini(2);
    const auto job = [](uint32_t id, const std::vector<LinkDemand>& links) {
        return JobTraffic{JobId{id}, MilliSeconds(100), MilliSeconds(60), links};
    };
    EXPECT_EQ(scorer->Score({}, job(1, {{1, 1}})), 1);
    EXPECT_NEAR(*scorer->Score({job(1, {{1, 1}})}, job(2, {{1, 1}})), 0.8, 1e-9);
    EXPECT_EQ(scorer->Score({job(1, {{1, 1}, {3, 1}}), job(2, {{1, 1}, {2, 1}})},
                            job(3, {{2, 1}, {3, 1}})),
              std::nullopt);
}

/** Every registered scorer, with every attribute at its extremes. */
class ScorerConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(ScorerConformance, EveryPlacementPolicyStillPlacesWhatFits)
{
    const auto scorer = GetParam().Create<PlacementScorer>();
    EXPECT_FALSE(scorer->GetSummary().empty());
    ASSERT_GE(scorer->CountCandidates(), 1U);
    GivenTraffic traffic;
    traffic.m_present = {traffic.Foresee(JobId{1}, {{{HostId{0}, 0}, {HostId{3}, 0}}, {}})};
    ClusterView cluster = TwoRacks();
    Occupy(cluster, {{{HostId{0}, 0}, {HostId{3}, 0}}, {}});
    for (const auto& name : ListPolicies(PlacementPolicy::GetTypeId()))
    {
        const auto plain = CreatePolicy<PlacementPolicy>(name);
        const auto scored = CreatePolicy<PlacementPolicy>(name);
        scored->SetScorer(scorer, &traffic);
        for (uint32_t workers = 1; workers <= 11; workers += 2)
        {
            PlacementView view{cluster, workers, workers % 3};
            view.job.id = JobId{2};
            EXPECT_EQ(scored->Place(view).placement.has_value(), // which checks itself
                      plain->Place(view).placement.has_value())
                << name << " " << workers;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ScorerConformance,
                         testing::ValuesIn(test::ListVariants(PlacementScorer::GetTypeId())),
                         test::NameOf);
