// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-topology.h"
#include "ns3/double.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

uint64_t
Count(const std::string& pattern, const PatternView& job)
{
    return CountUncontendedBytes(CreatePolicy<CommunicationPattern>(pattern)->Plan(job));
}

} // namespace

TEST(UncontendedBytes, RingMovesTwiceTheModelLessAShare)
{
    // 2 (N - 1) steps, each of M / N, at every worker at once.
    EXPECT_EQ(Count("ring", {4, 0, 1000}), 6U * 250);
    EXPECT_EQ(Count("ring", {2, 0, 1000}), 2U * 500);
    EXPECT_EQ(Count("ring", {8, 0, 800000000}), 14U * 100000000);
}

TEST(UncontendedBytes, RingOfOneMovesNothing)
{
    EXPECT_EQ(Count("ring", {1, 0, 1000}), 0U);
}

TEST(UncontendedBytes, UnevenSharesCountByTheLargest)
{
    // 1000 = 334 + 333 + 333: in each of 4 steps somebody moves the share of 334.
    EXPECT_EQ(Count("ring", {3, 0, 1000}), 4U * 334);
}

TEST(UncontendedBytes, ParameterServersTakeAPushAndAPull)
{
    // 2 workers, 2 servers: a worker sends 500 to each server, a server takes 500 of each worker.
    EXPECT_EQ(Count("parameter-server", {2, 2, 1000}), 1000U + 1000);
    // 1 server of 4 workers is the busiest: it takes all four models and sends four.
    EXPECT_EQ(Count("parameter-server", {4, 1, 1000}), 4000U + 4000);
    // 4 servers of 1 worker: now the worker is.
    EXPECT_EQ(Count("parameter-server", {1, 4, 1000}), 1000U + 1000);
}

TEST(UncontendedBytes, RoundsFollowOneAnother)
{
    // Rank 0 -> 1 of 10 and 1 -> 0 of 30 at once: 30. Then 0 -> 1 of 5, which waits for the second.
    const TransferPlan plan = {{0, 1, 10, {}}, {1, 0, 30, {}}, {0, 1, 5, {1}}};
    EXPECT_EQ(CountUncontendedBytes(plan), 30U + 5);
    EXPECT_EQ(CountUncontendedBytes({}), 0U);
}

TEST(UncontendedBytes, SendingAndReceivingGoOnAtTheSameTime)
{
    // Rank 1 sends 10 + 20 in one round and receives 25 in it: 30, not 55.
    const TransferPlan plan = {{1, 0, 10, {}}, {1, 2, 20, {}}, {0, 1, 25, {}}};
    EXPECT_EQ(CountUncontendedBytes(plan), 30U);
}

TEST(HostBytes, CountWhatPassesTheNics)
{
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::RailOptimisedTopology"); // 8 servers of 4
    topology.scaleUp = ScaleUpSpec{};
    JobPlan plan; // ranks on h0, h0, h1, h4
    plan.channels = {{0, 1, 10}, {1, 2, 200}, {2, 3, 3000}, {3, 0, 40000}};
    const std::vector<HostId> hosts{HostId{0}, HostId{0}, HostId{1}, HostId{4}};
    for (const auto kind :
         {ScaleUpSpec::Kind::NONE, ScaleUpSpec::Kind::STREAMS, ScaleUpSpec::Kind::SWITCH})
    {
        topology.scaleUp->kind = kind;
        const auto cluster = CreateObject<Cluster>(BuildTopology(topology, {}, {}));
        const auto bytes = CountHostBytes(plan, hosts, *cluster);
        ASSERT_EQ(bytes.size(), 3U);
        const uint64_t inside = kind == ScaleUpSpec::Kind::NONE ? 200 : 0;
        EXPECT_EQ(bytes[0].sent, inside);
        EXPECT_EQ(bytes[0].received, 40000U);
        EXPECT_EQ(bytes[1].sent, 3000U);
        EXPECT_EQ(bytes[1].received, inside);
        EXPECT_EQ(bytes[2].sent, 40000U);
        EXPECT_EQ(bytes[2].received, 3000U);
        cluster->Dispose();
    }
}
