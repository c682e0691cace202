// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-live-groups.h"

#include "ns3/ddl-priority-book.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr HostId A{0};
constexpr HostId B{1};
constexpr HostId C{2};

class PriorityBookTest : public testing::Test
{
  protected:
    /** \return a job on these machines, whose unit comes behind those before */
    PresentJob Make(uint32_t job, const std::vector<HostId>& hosts)
    {
        return Make(job, 1, GetUnitKey(UnitKind::STAGE, {job}, 1, {job}), hosts);
    }

    PresentJob Make(uint32_t job,
                    uint32_t stage,
                    const UnitKey& unit,
                    const std::vector<HostId>& hosts,
                    const JobPlan& plan = {})
    {
        CojobSpec spec;
        spec.id = {job};
        spec.iterations = {1};
        JobSpec member;
        member.id = {job};
        m_live.Launch(spec, {{member, hosts, {}, plan}}).NoteLive();
        m_book.GetPlace(unit);
        return {&m_live.m_table.GetJob({job}), stage, unit, hosts};
    }

    LiveGroups m_live;
    PriorityBook m_book;
};

using Changes = PriorityBook::Changes;

TEST_F(PriorityBookTest, GrouperFigure7)
{
    // Global order S1, S2, S3; machine A hosts S1 and S2, B S1 and S3, C S2 and S3.
    const std::vector<PresentJob> jobs = {Make(1, {A, B}), Make(2, {A, C}), Make(3, {B, C})};
    const JobPriority oneAtA{{1}, 1, A, 1};
    const JobPriority oneAtB{{1}, 1, B, 1};
    const JobPriority twoAtA{{2}, 1, A, 2};
    const JobPriority twoAtC{{2}, 1, C, 1};
    const JobPriority threeAtB{{3}, 1, B, 2};
    const JobPriority threeAtC{{3}, 1, C, 2};
    EXPECT_EQ(m_book.Update(jobs),
              (Changes{{A, {oneAtA, oneAtB, twoAtA, twoAtC}},
                       {B, {oneAtA, oneAtB, threeAtB, threeAtC}},
                       {C, {twoAtA, twoAtC, threeAtB, threeAtC}}}));
}

TEST_F(PriorityBookTest, MachinesOfOneServerHaveOneOrder)
{
    // A and B are NICs of one server: the second job waits behind the first on the links above
    // both.
    m_book.SetServers({0, 0, 1});
    const std::vector<PresentJob> jobs = {Make(1, {A, C}), Make(2, {B})};
    const JobPriority oneAtA{{1}, 1, A, 1};
    const JobPriority oneAtC{{1}, 1, C, 1};
    const JobPriority twoAtB{{2}, 1, B, 2};
    EXPECT_EQ(m_book.Update(jobs),
              (Changes{{A, {oneAtA, oneAtC}}, {B, {twoAtB}}, {C, {oneAtA, oneAtC}}}));
    EXPECT_EQ(m_book.GetMost(), 2U);
}

TEST_F(PriorityBookTest, CommonPrioritiesKeepTheOrderOfUnitsThatShareAServer)
{
    // 1 and 2 share A, 2 and 3 share B: so 2 is behind 1 at B, too, and 3 behind both. 4 is alone
    // at C.
    m_book.SetCommon(true);
    const std::vector<PresentJob> jobs = {Make(1, {A}),
                                          Make(2, {A, B}),
                                          Make(3, {B}),
                                          Make(4, {C})};
    const JobPriority oneAtA{{1}, 1, A, 1};
    const JobPriority twoAtA{{2}, 1, A, 2};
    const JobPriority twoAtB{{2}, 1, B, 2};
    const JobPriority threeAtB{{3}, 1, B, 3};
    const JobPriority fourAtC{{4}, 1, C, 1};
    EXPECT_EQ(
        m_book.Update(jobs),
        (Changes{{A, {oneAtA, twoAtA, twoAtB}}, {B, {twoAtA, twoAtB, threeAtB}}, {C, {fourAtC}}}));
    EXPECT_EQ(m_book.GetMost(), 3U);
    // All of one place have one priority, even behind another unit on one of their servers only.
    SchedulerView view;
    view.units.resize(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        view.units[i].cojob = {i + 1};
        view.units[i].stage = 1;
    }
    m_book.SetOrder(view, {{0}, {1, 2, 3}}, UnitKind::STAGE);
    const JobPriority threeNow{{3}, 1, B, 2};
    const JobPriority fourNow{{4}, 1, C, 2};
    EXPECT_EQ(m_book.Update(jobs), (Changes{{B, {threeNow}}, {C, {fourNow}}}));
}

TEST_F(PriorityBookTest, JobsOfOneUnitShareAPriority)
{
    const UnitKey unit = GetUnitKey(UnitKind::STAGE, {1}, 2, {7});
    const std::vector<PresentJob> jobs = {Make(7, 2, unit, {A}),
                                          Make(8, 2, unit, {A, B}),
                                          Make(9, {A})};
    const auto atA = m_book.Update(jobs).at(A);
    EXPECT_EQ(atA,
              (std::vector<JobPriority>{{{7}, 2, A, 1},
                                        {{8}, 2, A, 1},
                                        {{8}, 2, B, 1},
                                        {{9}, 1, A, 2}})); // 2, not 3: the shared one counts once
}

TEST_F(PriorityBookTest, OthersMoveUpWhenTheFirstLeaves)
{
    std::vector<PresentJob> jobs = {Make(1, {A}), Make(2, {A}), Make(3, {A})};
    EXPECT_EQ(m_book.Update(jobs).at(A).back().priority, 3u);
    jobs.erase(jobs.begin());
    EXPECT_EQ(m_book.Update(jobs).at(A),
              (std::vector<JobPriority>{{{2}, 1, A, 1}, {{3}, 1, A, 2}}));
}

TEST_F(PriorityBookTest, PrioritiesBeyondTheLastQueueAreOne)
{
    // With priorities 1 and 2 to tell apart, jobs 2, 3 and 4 share 2; when job 1 leaves, only 2
    // moves up.
    std::vector<PresentJob> jobs = {Make(1, {A}), Make(2, {A}), Make(3, {A}), Make(4, {A})};
    const auto all = m_book.Update(jobs, 2).at(A);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all.back(), (JobPriority{{4}, 1, A, 2}));
    EXPECT_EQ(m_book.GetMost(), 4u);
    jobs.erase(jobs.begin());
    EXPECT_EQ(m_book.Update(jobs, 2), (Changes{{A, {{{2}, 1, A, 1}}}}));
}

TEST_F(PriorityBookTest, TellsChangesOnly)
{
    std::vector<PresentJob> jobs = {Make(1, {A, B}), Make(2, {B, C})};
    EXPECT_EQ(m_book.Update(jobs).size(), 3u);
    EXPECT_TRUE(m_book.Update(jobs).empty());
    // Job 1 leaves, job 2 moves up at machine B: both its machines hear of that one entry.
    jobs.erase(jobs.begin());
    const JobPriority upAtB{{2}, 1, B, 1};
    EXPECT_EQ(m_book.Update(jobs), (Changes{{B, {upAtB}}, {C, {upAtB}}}));
    // Between two stages the job is not present; its entries stay.
    EXPECT_TRUE(m_book.Update({}).empty());
    jobs.front().stage = 2;
    EXPECT_TRUE(m_book.Update(jobs).empty());
}

TEST_F(PriorityBookTest, TellsPeersOnly)
{
    // A ring over five machines; another job is ahead of it at machine 2 and leaves. The change
    // concerns the marks of machine 2 and of the two machines with which it exchanges bytes.
    const HostId D{3};
    const HostId E{4};
    TransferPlan transfers;
    for (uint32_t rank = 0; rank < 5; ++rank)
    {
        transfers.push_back({rank, (rank + 1) % 5, 1, {}});
    }
    const JobPlan ring = CompilePlan(transfers, 5);
    const UnitKey unit = GetUnitKey(UnitKind::STAGE, {2}, 1, {2});
    std::vector<PresentJob> jobs = {Make(1, {C}), Make(2, 1, unit, {A, B, C, D, E}, ring)};
    Changes first = m_book.Update(jobs);
    const auto at = [](HostId host, uint32_t priority) {
        return JobPriority{{2}, 1, host, priority};
    };
    EXPECT_EQ(first[A], (std::vector<JobPriority>{at(A, 1), at(B, 1), at(E, 1)}));
    EXPECT_EQ(first[D], (std::vector<JobPriority>{at(C, 2), at(D, 1), at(E, 1)}));
    jobs.erase(jobs.begin());
    EXPECT_EQ(m_book.Update(jobs), (Changes{{B, {at(C, 1)}}, {C, {at(C, 1)}}, {D, {at(C, 1)}}}));
}

TEST_F(PriorityBookTest, WithoutRanksInThePlanAllArePeers)
{
    // Ranks come and go: any machine may exchange bytes with any other.
    std::vector<PresentJob> jobs = {Make(1, {A, B, C})};
    Changes told = m_book.Update(jobs);
    for (const HostId host : {A, B, C})
    {
        EXPECT_EQ(told[host].size(), 3U);
    }
}

TEST_F(PriorityBookTest, AppendsUnitsInArrivalOrder)
{
    SchedulerView view;
    view.units.resize(2);
    view.units[0].cojob = {4};
    view.units[1].cojob = {5};
    m_book.SetOrder(view, {{1}, {0}}, UnitKind::STAGE);
    const auto key = [](uint32_t cojob) { return GetUnitKey(UnitKind::STAGE, {cojob}, 1, {99}); };
    EXPECT_EQ(m_book.GetPlace(key(5)), 1u);
    EXPECT_EQ(m_book.GetPlace(key(4)), 2u);
    EXPECT_EQ(m_book.GetPlace(key(3)), 3u);
    EXPECT_EQ(m_book.GetPlace(key(1)), 4u);
    EXPECT_EQ(m_book.GetPlace(key(3)), 3u); // stays
    m_book.SetOrder(view, {{0, 1}}, UnitKind::STAGE);
    EXPECT_EQ(m_book.GetPlace(key(4)), 1u);
    EXPECT_EQ(m_book.GetPlace(key(5)), 1u);
    EXPECT_EQ(m_book.GetPlace(key(1)), 2u); // forgotten by SetOrder, so new again
}

TEST_F(PriorityBookTest, TellsJobsApartWhenJobsAreOrdered)
{
    EXPECT_EQ(m_book.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 1, {10})), 1u);
    EXPECT_EQ(m_book.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 1, {11})), 2u);
    EXPECT_EQ(m_book.GetPlace(GetUnitKey(UnitKind::JOB, {1}, 2, {10})), 1u); // whatever the stage
}

// Levels hold everywhere: job 3 is alone on its machines, and keeps the priority of its level.
TEST_F(PriorityBookTest, LevelsAreTheSameEverywhere)
{
    m_book.SetLevels(true);
    const std::vector<PresentJob> jobs = {Make(1, {A}), Make(2, {A}), Make(3, {B})};
    SchedulerView view;
    for (const PresentJob& job : jobs)
    {
        UnitView unit;
        unit.cojob = job.unit.cojob;
        unit.job = job.unit.job;
        view.units.push_back(unit);
    }
    m_book.SetOrder(view, {{0}, {1, 2}}, UnitKind::STAGE);
    EXPECT_EQ(m_book.Update(jobs),
              (Changes{{A, {{{1}, 1, A, 1}, {{2}, 1, A, 2}}}, {B, {{{3}, 1, B, 2}}}}));
}

} // namespace
