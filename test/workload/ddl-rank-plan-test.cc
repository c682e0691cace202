// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-rank-plan.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

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
    const RankSteps& server = *job.ranks[50].steps;
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
    EXPECT_EQ(job.ranks[1]->needs, (std::vector<uint32_t>{1}));
    EXPECT_EQ(job.ranks[1]->groupEnds, (std::vector<uint32_t>{2}));
    EXPECT_EQ(job.ranks[1]->GetSlots(), 2U);
    EXPECT_TRUE(job.ranks[1]->waiters.empty()); // nothing waits for a pull
}

TEST(RankPlan, ARingHasOneChannelAWorker)
{
    const JobPlan job = Compile("ring", 8, 0, 8000);
    ASSERT_EQ(job.channels.size(), 8U);
    EXPECT_EQ(job.channels[7].source, 7U);
    EXPECT_EQ(job.channels[7].destination, 0U);
    EXPECT_EQ(job.channels[7].bytes, 14000U); // 14 steps of 1000
    EXPECT_EQ(job.ranks[3]->sends.size(), 14U);
    // the last step's arrival, slot 13, has nobody waiting for it
    EXPECT_EQ(job.ranks[3]->waiterEnds[13], job.ranks[3]->waiterEnds[12]);
}

TEST(RankPlan, AnEmptyPlanHasRanksAndNothingElse)
{
    const JobPlan job = CompilePlan({}, 3);
    EXPECT_EQ(job.ranks.size(), 3U);
    EXPECT_TRUE(job.channels.empty());
    EXPECT_EQ(job.ranks[2]->GetSlots(), 0U);
}

/** A rank's part of a plan, with all that may be shared written out. */
struct WrittenOut
{
    std::vector<std::vector<uint64_t>> sends; //!< source, destination, slot, bytes, echo
    RankSteps rest;                           //!< without sends
};

WrittenOut
WriteOut(const JobPlan& job, uint32_t rank)
{
    const RankPlan& plan = job.ranks[rank];
    WrittenOut out{{}, *plan.steps};
    for (const RankSteps::Send& send : plan->sends)
    {
        const JobPlan::Channel& ends = job.channels[plan.channels[send.channel]];
        out.sends.push_back(
            {ends.source, ends.destination, send.slot, plan.GetBytes(send), send.echo});
    }
    return out;
}

/** A job of ranks that all do the same gets the plan that the list of all its transfers gives. */
TEST(RankPlan, RotatedPlansAreThoseOfTheirLists)
{
    const auto ring = CreatePolicy<CommunicationPattern>("ring");
    for (const uint32_t n : {2, 3, 8, 13})
    {
        for (const bool serial : {false, true})
        {
            ModelProfile model;
            const Time one = MilliSeconds(1);
            SetLayers(model,
                      LayerTable({{"", n, one, one}, {"", 0, one, one}, {"", 1003, one, one}}));
            OverlapSpec overlap;
            overlap.serial = serial;
            const BucketPlan buckets(model, overlap);
            const PatternView view{n, 0, model.bytes};
            const JobPlan job = PlanJob(*ring, view, buckets);
            const JobPlan listed = CompilePlan(PlanInBuckets(*ring, view, buckets.GetBytes()),
                                               n,
                                               buckets.GetCount(),
                                               buckets.IsSerial() ? n : 0);
            EXPECT_EQ(job.ranks[0].steps, job.ranks[1].steps) << "shared";
            EXPECT_NE(listed.ranks[0].steps, listed.ranks[1].steps);
            EXPECT_EQ(job.bytes, listed.bytes);
            EXPECT_EQ(job.transfers, listed.transfers);
            ASSERT_EQ(job.channels.size(), listed.channels.size());
            for (std::size_t i = 0; i < job.channels.size(); ++i)
            {
                EXPECT_EQ(job.channels[i].source, listed.channels[i].source);
                EXPECT_EQ(job.channels[i].destination, listed.channels[i].destination);
                EXPECT_EQ(job.channels[i].bytes, listed.channels[i].bytes);
            }
            for (uint32_t r = 0; r < n; ++r)
            {
                const WrittenOut own = WriteOut(job, r);
                const WrittenOut other = WriteOut(listed, r);
                EXPECT_EQ(own.sends, other.sends);
                EXPECT_EQ(own.rest.groupEnds, other.rest.groupEnds);
                EXPECT_EQ(own.rest.bucketEnds, other.rest.bucketEnds);
                EXPECT_EQ(own.rest.needs, other.rest.needs);
                EXPECT_EQ(own.rest.waiters, other.rest.waiters);
                EXPECT_EQ(own.rest.waiterEnds, other.rest.waiterEnds);
                EXPECT_EQ(own.rest.inbound, other.rest.inbound);
                EXPECT_EQ(own.rest.bucketNeeds, other.rest.bucketNeeds);
                EXPECT_EQ(own.rest.slotBuckets, other.rest.slotBuckets);
            }
        }
    }
}

/** 8192 workers would have 134 million transfers, 12 GB of them. */
TEST(RankPlan, ALargeRingTakesTheMemoryOfOneOfItsRanks)
{
    const auto ring = CreatePolicy<CommunicationPattern>("ring");
    const uint32_t n = 8192;
    const uint64_t bytes = 100'000'001;
    const JobPlan job = PlanJob(*ring, {n, 0, bytes});
    EXPECT_EQ(job.transfers, 2ULL * n * (n - 1));
    EXPECT_EQ(job.bytes, 2ULL * (n - 1) * bytes);
    EXPECT_EQ(job.ranks.front().steps, job.ranks.back().steps);
    EXPECT_EQ(job.ranks[5]->sends.size(), 2U * (n - 1));
    // a step takes what the largest chunk takes
    EXPECT_EQ(CountUncontendedBytes(*ring, {n, 0, bytes}), 2ULL * (n - 1) * (bytes / n + 1));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, 1000 * 1024) << "KiB";
}

TEST(RankPlan, AModelOfNoBytesHasAllItsRanks)
{
    const auto servers = CreatePolicy<CommunicationPattern>("parameter-server");
    EXPECT_EQ(PlanJob(*servers, {3, 2, 0}).ranks.size(), 5U);
    const auto ring = CreatePolicy<CommunicationPattern>("ring");
    EXPECT_EQ(PlanJob(*ring, {3, 0, 0}).ranks.size(), 3U);
}

TEST(RankPlan, ARingWithLessThanAByteForEachRankIsListed)
{
    const auto ring = CreatePolicy<CommunicationPattern>("ring");
    EXPECT_TRUE(ring->PlanRotated({4, 0, 3}).empty());
    const JobPlan job = PlanJob(*ring, {4, 0, 3});
    EXPECT_EQ(job.transfers, 3U * 6); // 3 chunks of a byte, 6 steps each
    EXPECT_EQ(job.bytes, 18U);
    EXPECT_EQ(CountUncontendedBytes(*ring, {4, 0, 3}), 6U);
}
