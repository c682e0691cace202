// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-priority-book.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr HostId A{0};
constexpr HostId B{1};
constexpr HostId C{2};

uint32_t
RankOf(const std::vector<JobRank>& ranks, uint32_t job, HostId host)
{
    for (const auto& rank : ranks)
    {
        if (rank.job.value == job && rank.host == host)
        {
            return rank.rank;
        }
    }
    return 0;
}

TEST(LocalPriorities, GrouperFigure7)
{
    // Global order S1, S2, S3; machine A hosts S1 and S2, B S1 and S3, C S2 and S3.
    const auto ranks = RankLocally({{{1}, 1, 1, {A, B}}, {{2}, 1, 2, {A, C}}, {{3}, 1, 3, {B, C}}});
    EXPECT_EQ(ranks,
              (std::vector<JobRank>{{{1}, 1, A, 1},
                                    {{1}, 1, B, 1},
                                    {{2}, 1, A, 2},
                                    {{2}, 1, C, 1},
                                    {{3}, 1, B, 2},
                                    {{3}, 1, C, 2}}));
}

TEST(LocalPriorities, JobsOfOneUnitShareARank)
{
    const auto ranks = RankLocally({{{7}, 2, 5, {A}}, {{8}, 2, 5, {A, B}}, {{9}, 1, 6, {A}}});
    EXPECT_EQ(RankOf(ranks, 7, A), 1u);
    EXPECT_EQ(RankOf(ranks, 8, A), 1u);
    EXPECT_EQ(RankOf(ranks, 9, A), 2u); // 2, not 3: the shared rank counts once
    EXPECT_EQ(RankOf(ranks, 8, B), 1u);
}

TEST(LocalPriorities, OthersMoveUpWhenTheHighestLeaves)
{
    std::vector<PresentJob> jobs = {{{1}, 1, 1, {A}}, {{2}, 1, 2, {A}}, {{3}, 1, 9, {A}}};
    EXPECT_EQ(RankOf(RankLocally(jobs), 3, A), 3u);
    jobs.erase(jobs.begin());
    EXPECT_EQ(RankOf(RankLocally(jobs), 2, A), 1u);
    EXPECT_EQ(RankOf(RankLocally(jobs), 3, A), 2u);
}

TEST(LocalPriorities, RanksPastTheLastQueueAreOne)
{
    // With ranks 1 and 2 to tell apart, jobs 2, 3 and 4 share rank 2; when job 1 leaves, only 2
    // moves up.
    std::vector<PresentJob> jobs = {{{1}, 1, 1, {A}},
                                    {{2}, 1, 2, {A}},
                                    {{3}, 1, 3, {A}},
                                    {{4}, 1, 4, {A}}};
    RankBook book;
    for (const auto& job : jobs)
    {
        book.AddJob(job.job, {A});
    }
    EXPECT_EQ(RankOf(RankLocally(jobs, 2), 4, A), 2u);
    EXPECT_EQ(CountMostRanks(jobs), 4u);
    EXPECT_EQ(book.Update(RankLocally(jobs, 2)).at(A).size(), 4u);
    jobs.erase(jobs.begin());
    EXPECT_EQ(book.Update(RankLocally(jobs, 2)).at(A), (std::vector<JobRank>{{{2}, 1, A, 1}}));
}

TEST(LocalPriorities, NoJobsNoRanks)
{
    EXPECT_TRUE(RankLocally({}).empty());
}

TEST(StandingOrder, PutsNewcomersLastInTheOrderOfTheirComing)
{
    SchedulerView view;
    view.units.resize(2);
    view.units[0].cojob = {4};
    view.units[1].cojob = {5};
    StandingOrder order;
    order.Set(view, {{1}, {0}}, UnitKind::STAGE);
    const auto key = [](uint32_t cojob) { return GetUnitKey(UnitKind::STAGE, {cojob}, 1, {99}); };
    EXPECT_EQ(order.GetPlace(key(5)), 1u);
    EXPECT_EQ(order.GetPlace(key(4)), 2u);
    EXPECT_EQ(order.GetPlace(key(3)), 3u);
    EXPECT_EQ(order.GetPlace(key(1)), 4u);
    EXPECT_EQ(order.GetPlace(key(3)), 3u); // stays
    order.Set(view, {{0, 1}}, UnitKind::STAGE);
    EXPECT_EQ(order.GetPlace(key(4)), 1u);
    EXPECT_EQ(order.GetPlace(key(5)), 1u);
    EXPECT_EQ(order.GetPlace(key(1)), 2u); // forgotten by Set, so new again
}

TEST(StandingOrder, TellsJobsApartWhenJobsAreOrdered)
{
    StandingOrder order;
    EXPECT_EQ(order.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 1, {10})), 1u);
    EXPECT_EQ(order.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 1, {11})), 2u);
    EXPECT_EQ(order.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 2, {10})), 1u); // whatever the stage
}

} // namespace
