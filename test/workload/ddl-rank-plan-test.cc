// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-rank-plan.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

JobPlan
Compile(const std::string& pattern, uint32_t workers, uint32_t servers, uint64_t bytes)
{
    const auto plan = CreatePolicy<CommunicationPattern>(pattern)->Plan({workers, servers, bytes});
    return CompilePlan(plan, workers + servers);
}

} // namespace

TEST(RankPlan, PullsOfAServerAreOneGroup)
{
    const JobPlan job = Compile("parameter-server", 50, 2, 1000);
    const RankPlan& server = job.ranks[50];
    EXPECT_EQ(server.GetSlots(), 50U);
    EXPECT_EQ(server.groupEnds, (std::vector<uint32_t>{50}));
    EXPECT_EQ(server.needs, (std::vector<uint32_t>{51})); // 50 pushes, and to be told
    EXPECT_EQ(server.waiters.size(), 50U);                // not 50 x 50
    EXPECT_EQ(job.bytes, 2U * 50 * 1000);
    EXPECT_EQ(job.channels.size(), 200U);
}

TEST(RankPlan, AWorkersPushesWaitForItselfOnly)
{
    const JobPlan job = Compile("parameter-server", 3, 2, 1000);
    EXPECT_EQ(job.ranks[1].needs, (std::vector<uint32_t>{1}));
    EXPECT_EQ(job.ranks[1].groupEnds, (std::vector<uint32_t>{2}));
    EXPECT_EQ(job.ranks[1].GetSlots(), 2U);
    EXPECT_TRUE(job.ranks[1].waiters.empty()); // nothing waits for a pull
}

TEST(RankPlan, ARingHasOneChannelAWorker)
{
    const JobPlan job = Compile("ring", 8, 0, 8000);
    ASSERT_EQ(job.channels.size(), 8U);
    EXPECT_EQ(job.channels[7].source, 7U);
    EXPECT_EQ(job.channels[7].destination, 0U);
    EXPECT_EQ(job.channels[7].bytes, 14000U); // 14 steps of 1000
    EXPECT_EQ(job.ranks[3].sends.size(), 14U);
    // the last step's arrival, slot 13, has nobody waiting for it
    EXPECT_EQ(job.ranks[3].waiterEnds[13], job.ranks[3].waiterEnds[12]);
}

TEST(RankPlan, AnEmptyPlanHasRanksAndNothingElse)
{
    const JobPlan job = CompilePlan({}, 3);
    EXPECT_EQ(job.ranks.size(), 3U);
    EXPECT_TRUE(job.channels.empty());
    EXPECT_EQ(job.ranks[2].GetSlots(), 0U);
}
