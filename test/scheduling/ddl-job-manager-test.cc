// SPDX-License-Identifier: GPL-2.0-only
// Jobs from arrival to departure with the scheduler at work, on a network without packets.
#include "ddl-quantum-fixture.h"

#include "ns3/ddl-error.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

class JobManagerTest : public test::QuantumFixture
{
};

TEST_F(JobManagerTest, TracesTheLifeOfJobsInOrder)
{
    BuildQuantum("grouper");
    m_manager->Submit(MakeFigure3(UNIT, 10));
    EXPECT_FALSE(m_manager->IsDone());
    Run(Seconds(20));
    const std::vector<std::string> expected = {"arrive 1",
                                               "start 1",
                                               "arrive 2",
                                               "start 2",
                                               "job 2 stopped early",
                                               "job 1 done",
                                               "end 1",
                                               "job 4 stopped early",
                                               "job 3 done",
                                               "end 2"};
    EXPECT_EQ(m_events, expected);
    EXPECT_TRUE(m_manager->IsDone());
    EXPECT_TRUE(m_manager->GetUnfinished().empty());
    // Bytes of the stages: A1 2 units, A2 2, B1 4, B2 4.
    ASSERT_EQ(m_stages.size(), 4u);
    const uint64_t units[] = {2, 2, 4, 4};
    const uint32_t jobs[] = {2, 1, 2, 1};
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(m_stages[i].bytes, units[i] * UNIT) << i;
        EXPECT_EQ(m_stages[i].jobs, jobs[i]) << i;
    }
}

TEST_F(JobManagerTest, ANewcomerGoesLastUntilTheNextPeriod)
{
    // B has less to send, so it is first once it is ranked; it comes at 1 s, the next run is at 2
    // s.
    test::SetUpSpec spec;
    spec.period = Seconds(2);
    BuildQuantum(spec);
    m_manager->Submit({MakeCojob(A, Time(), {1}, {MakePushJob(1, 8 * UNIT, {0}, 0, {1})}),
                       MakeCojob(B, Seconds(1), {1}, {MakePushJob(2, UNIT, {0}, 1, {2})})});
    Run(Seconds(20));
    EXPECT_NEAR(GetEnd(B, 1), 2 + 1, 0.05);
    EXPECT_NEAR(GetEnd(A, 1), 9, 0.05);
    ASSERT_GE(m_schedules.size(), 2u);
    EXPECT_EQ(m_schedules[0].order, "1.1");
    EXPECT_EQ(m_schedules[1].order, "2.1 1.1");
    EXPECT_EQ(m_schedules[1].time, Seconds(2));
}

TEST_F(JobManagerTest, GroupsWaitForGpusInTheOrderOfArrival)
{
    test::SetUpSpec spec;
    spec.scheduler = "baraat";
    spec.hosts = 2;
    spec.gpus = 2; // 4 in all
    BuildQuantum(spec);
    const auto job = [](uint32_t id, uint32_t workers, uint64_t bytes) {
        JobSpec ring = MakePushJob(id, bytes, {0}, 0, {1});
        ring.placement.reset();
        ring.workers = workers;
        ring.servers = 0;
        ring.pattern = ObjectFactory("ns3::ddl::RingCommunicationPattern");
        return ring;
    };
    // 3 GPUs; then 2, which do not fit; then 1, which would fit but stands behind.
    m_manager->Submit({MakeCojob(7, Time(), {4}, {job(1, 3, UNIT)}),
                       MakeCojob(8, Seconds(0.1), {4}, {job(2, 2, UNIT)}),
                       MakeCojob(9, Seconds(0.2), {4}, {job(3, 1, UNIT)})});
    Run(Seconds(0.5));
    auto unfinished = m_manager->GetUnfinished();
    ASSERT_EQ(unfinished.size(), 3u);
    EXPECT_EQ(unfinished[0].state, "stage 1, iteration 1 of 4");
    EXPECT_EQ(unfinished[1].state, "waiting for GPUs");
    EXPECT_EQ(unfinished[2].state, "waiting for GPUs");
    Run(Seconds(100));
    EXPECT_TRUE(m_allDone);
    const std::vector<std::string> starts(m_events.begin(), m_events.begin() + 8);
    EXPECT_EQ(starts,
              (std::vector<std::string>{"arrive 7",
                                        "start 7",
                                        "arrive 8",
                                        "arrive 9",
                                        "job 1 done",
                                        "end 7",
                                        "start 8",
                                        "start 9"}));
}

TEST_F(JobManagerTest, RefusesWhatCanNeverRun)
{
    test::SetUpSpec spec;
    spec.hosts = 2;
    spec.gpus = 2;
    BuildQuantum(spec);
    JobSpec big = MakePushJob(1, UNIT, {0}, 0, {1});
    big.placement.reset();
    big.workers = 5;
    const JobSpec lost = MakePushJob(2, UNIT, {7}, 0, {1});
    const JobSpec fine = MakePushJob(1, UNIT, {0}, 0, {1});
    try
    {
        m_manager->Submit({MakeCojob(1, Time(), {1}, {big}),
                           MakeCojob(2, Time(), {1}, {lost}),
                           MakeCojob(2, Time(), {1}, {fine})});
        FAIL() << "accepted";
    }
    catch (const InputError& error)
    {
        // too big, no machine 7, cojob 2 twice, job 1 twice
        EXPECT_EQ(error.GetDiagnostics().size(), 4u) << error.what();
        EXPECT_NE(std::string(error.what()).find("needs 5 GPUs"), std::string::npos);
    }
    EXPECT_TRUE(m_manager->IsDone()); // nothing was taken over
}

TEST_F(JobManagerTest, JobsThatHaveNotArrivedAreUnfinished)
{
    BuildQuantum("fair-share");
    m_manager->Submit({MakeCojob(A, Seconds(5), {1}, {MakePushJob(1, UNIT, {0}, 0, {1})})});
    Run(Seconds(1));
    ASSERT_EQ(m_manager->GetUnfinished().size(), 1u);
    EXPECT_EQ(m_manager->GetUnfinished()[0].state, "not arrived yet");
}

TEST_F(JobManagerTest, AJobInsideOneMachineTakesNoRank)
{
    // Job 1 stays inside machine 0, so job 2, which came later, is first there all the same.
    BuildQuantum("baraat");
    m_manager->Submit({MakeCojob(A, Time(), {1}, {MakePushJob(1, UNIT, {0}, 0, {0})}),
                       MakeCojob(B, Time(), {1}, {MakePushJob(2, UNIT, {0}, 1, {1})})});
    Run(Seconds(20));
    EXPECT_TRUE(m_allDone);
    ASSERT_FALSE(m_remarks.empty());
    for (const auto& remark : m_remarks)
    {
        EXPECT_EQ(remark.job.value, 2u);
        EXPECT_EQ(remark.mark, (Mark{1, 1}));
    }
}

} // namespace
