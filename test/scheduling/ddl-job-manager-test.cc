// SPDX-License-Identifier: GPL-2.0-only
// Jobs from arrival to departure with the scheduler at work, on a network without packets.
#include "ddl-scheduling-fixture.h"

#include "ns3/ddl-error.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint64_t UNIT = 1'000'000; //!< bytes that a port of 8 Mbps moves in 1 s
constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

class JobManagerTest : public test::SchedulingFixture
{
  protected:
    void BuildQuantum(test::SetUpSpec spec)
    {
        spec.rate = DataRate("8Mbps");
        // Between two iterations of the first job another one gets one quantum in: 20 times a
        // thousandth of a unit in all.
        spec.transport = CreateObject<test::QuantumTransport>(spec.rate, UNIT / 1000);
        Build(spec);
    }

    void BuildQuantum(const std::string& scheduler)
    {
        test::SetUpSpec spec;
        spec.scheduler = scheduler;
        BuildQuantum(spec);
    }

    /** Grouper Fig. 3: all four workers on machine 0, so that all share what it sends. */
    static std::vector<CojobSpec> MakeFigure3()
    {
        // 10 and 20 iterations: a tenth of the units of stage 1 in each.
        std::vector<JobSpec> jobs;
        for (uint32_t job = 1; job <= 4; ++job)
        {
            const uint64_t bytes = (job <= 2 ? UNIT : 2 * UNIT) / 10;
            jobs.push_back(MakePushJob(job, bytes, {0}, job - 1, {job}));
        }
        jobs[1].stopAfter = 1;
        jobs[3].stopAfter = 1;
        return {MakeCojob(A, Time(), {10, 20}, {jobs[0], jobs[1]}),
                MakeCojob(B, Time(), {10, 20}, {jobs[2], jobs[3]})};
    }

    void ExpectFigure3(double a1, double a2, double b1, double b2)
    {
        m_manager->Submit(MakeFigure3());
        Run(Seconds(20));
        EXPECT_TRUE(m_allDone);
        EXPECT_NEAR(GetEnd(A, 1), a1, 0.02 * a1);
        EXPECT_NEAR(GetEnd(A, 2), a2, 0.02 * a2);
        EXPECT_NEAR(GetEnd(B, 1), b1, 0.02 * b1);
        EXPECT_NEAR(GetEnd(B, 2), b2, 0.02 * b2);
    }
};

// Grouper Fig. 3(d), average 6.5: A1 is 2 units, then A2 2, B1 4, B2 4, one after the other.
TEST_F(JobManagerTest, Figure3Grouper)
{
    BuildQuantum("grouper");
    ExpectFigure3(2, 4, 8, 12);
    ASSERT_FALSE(m_schedules.empty());
    EXPECT_EQ(m_schedules.front().order, "1.1 2.1 1.2 2.2");
    EXPECT_EQ(m_schedules.front().time, Time());
    for (const auto& record : m_schedules)
    {
        if (record.time > Seconds(2.1) && record.time < Seconds(3.9))
        {
            EXPECT_EQ(record.order, "1.2 2.1 2.2") << record.time;
        }
    }
    // A run at 0 and one each 10 ms until all is over at 12 s.
    EXPECT_NEAR(m_schedules.size(), 1 + 1200, 5);
    EXPECT_EQ(m_parts.coordinator->GetRuns(), m_schedules.size());
}

// Ranked once, at 0: A1 2, B1 then 4 more, A2 2, B2 4, so 2, 8, 6, 12: average 7.
TEST_F(JobManagerTest, Figure3GrouperWithALongPeriod)
{
    test::SetUpSpec spec;
    spec.period = Seconds(100);
    BuildQuantum(spec);
    ExpectFigure3(2, 8, 6, 12);
    EXPECT_EQ(m_schedules.size(), 1u);
}

// Fig. 3(b), average 8. Four jobs at 1/4: A1 at 4. Three at 1/3, of which jobs 3 and 4 have 1 unit
// left: B1 at 7. Two at 1/2, job 1 has 1 unit left: A2 at 9. Job 3 has 4 - 1 left: B2 at 12.
TEST_F(JobManagerTest, Figure3FairShare)
{
    BuildQuantum("fair-share");
    ExpectFigure3(4, 9, 7, 12);
    for (const auto& remark : m_remarks)
    {
        EXPECT_EQ(remark.mark, (Mark{1, 1}));
    }
}

// Fig. 3(c), average 7.5: job 2 to 1, job 4 to 3, job 1 to 4 (A1) and 6 (A2), job 3 to 8 (B1), 12.
TEST_F(JobManagerTest, Figure3Sptf)
{
    BuildQuantum("sptf");
    ExpectFigure3(4, 6, 8, 12);
    EXPECT_EQ(m_schedules.front().order, "2 4 1 3");
}

// Stages in the order of release: A1 and B1 at 0 (A first by id), A2 at 2, B2 at 6: 2, 6, 8, 12.
TEST_F(JobManagerTest, Figure3Baraat)
{
    BuildQuantum("baraat");
    ExpectFigure3(2, 8, 6, 12);
}

TEST_F(JobManagerTest, TracesTheLifeOfJobsInOrder)
{
    BuildQuantum("grouper");
    m_manager->Submit(MakeFigure3());
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

TEST_F(JobManagerTest, StagesMoveUpWhenTheHighestEnds)
{
    BuildQuantum("grouper");
    m_manager->Submit(MakeFigure3());
    Run(Seconds(20));
    // Job 3 sends from machine 0 to machine 3. It is the only one at machine 3: codepoint 1 always.
    // At machine 0 the order is A1 B1, so band 2; when A1 ends at 2 s, B1 moves up, since the order
    // says B1 A2; at most 10 ms later the next run says A2 B1; at 4 s A2 ends and B1 moves up.
    std::vector<std::pair<double, uint32_t>> bands;
    for (const auto& remark : m_remarks)
    {
        if (remark.job.value == 3 && remark.host == HostId{0} && !remark.acknowledgements)
        {
            bands.emplace_back(remark.time.GetSeconds(), remark.mark.band);
            EXPECT_EQ(remark.mark.dscp, 1);
        }
    }
    ASSERT_EQ(bands.size(), 4u);
    const std::pair<double, uint32_t> expected[] = {{0, 2}, {2, 1}, {2.01, 2}, {4, 1}};
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_NEAR(bands[i].first, expected[i].first, 0.04) << i;
        EXPECT_EQ(bands[i].second, expected[i].second) << i;
    }
    EXPECT_LE(bands[2].first - bands[1].first, 0.01);
}

TEST_F(JobManagerTest, AcknowledgementsAreMarkedTheOtherWayRound)
{
    BuildQuantum("baraat");
    m_manager->Submit(MakeFigure3());
    Run(Seconds(1));
    // Jobs 3 and 4 have rank 2 at machine 0 and 1 at machines 3 and 4, which send their ACKs.
    uint32_t seen = 0;
    for (const auto& remark : m_remarks)
    {
        if (remark.acknowledgements && remark.job.value >= 3)
        {
            EXPECT_EQ(remark.host, HostId{remark.job.value});
            EXPECT_EQ(remark.mark, (Mark{1, 2}));
            EXPECT_EQ(remark.stage, 1u);
            ++seen;
        }
    }
    EXPECT_EQ(seen, 2u);
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

TEST_F(JobManagerTest, SameRunTwiceIsTheSame)
{
    std::vector<std::string> first;
    for (int run = 0; run < 2; ++run)
    {
        BuildQuantum("sptf");
        m_manager->Submit(MakeFigure3());
        Run(Seconds(20));
        std::vector<std::string> text = m_events;
        for (const auto& record : m_schedules)
        {
            text.push_back(record.order + " " + std::to_string(record.time.GetNanoSeconds()));
        }
        if (run == 0)
        {
            first = text;
            TearDown();
            m_events.clear();
            m_schedules.clear();
            m_parts = {};
        }
        EXPECT_EQ(first, text);
    }
}

} // namespace
