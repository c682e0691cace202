// SPDX-License-Identifier: GPL-2.0-only
// Jobs from arrival to departure with the scheduler at work, on a network without packets.
#include "ddl-policy-variants.h"
#include "ddl-quantum-fixture.h"

#include "ns3/ddl-cluster.h"
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
    // B has less to send, so it is first once it is ordered; it comes at 1 s, the next run is at 2
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
    EXPECT_EQ(unfinished[1].state, "waiting for GPUs: no GPUs (needs 2, 1 free)");
    EXPECT_EQ(unfinished[2].state, "waiting for GPUs: behind another job");
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

/** Places as first-fit does, and looks at what it is asked. */
class SpyPlacementPolicy : public PlacementPolicy
{
  public:
    std::string GetSummary() const override
    {
        return "first-fit under observation";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = !m_mindsLoads;
        return wishes;
    }

    bool m_mindsLoads{false};
    /** The truth: what is said to be free is free. What is free may be held for a job whose launch
     * is under way, or not be known to be free yet. Null: nothing is compared */
    Ptr<const Cluster> m_cluster;
    uint32_t m_asked{0};
    std::vector<Time> m_loads; //!< of the first GPU, each time

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        ++m_asked;
        m_loads.push_back(view.cluster.machines[0].gpus[0].load);
        const ClusterView truth = m_cluster ? m_cluster->GetView() : view.cluster;
        for (std::size_t i = 0; i < truth.machines.size(); ++i)
        {
            EXPECT_GE(view.cluster.machines[i].servers, truth.machines[i].servers);
            for (std::size_t j = 0; j < truth.machines[i].gpus.size(); ++j)
            {
                const bool isFree = truth.machines[i].gpus[j].free;
                EXPECT_TRUE(isFree || !view.cluster.machines[i].gpus[j].free);
            }
        }
        return m_firstFit->Place(view);
    }

    Ptr<PlacementPolicy> m_firstFit{CreateObject<FirstFitPlacementPolicy>()};
};

/** A plain job that computes for 1 s and pushes for 1 s in each iteration, wherever there is room.
 */
JobSpec
MakeFreeJob(uint32_t id, uint32_t workers)
{
    JobSpec job;
    job.id = {id};
    job.model.bytes = 1'000'000; // 1 s at 8 Mbps
    job.model.forward = Seconds(1);
    job.workers = workers;
    job.servers = 1;
    job.pattern.SetTypeId("ns3::ddl::ParameterServerCommunicationPattern");
    job.pattern.Set("PullRatio", DoubleValue(0));
    return job;
}

TEST_F(JobManagerTest, ABacklogIsOfferedGpusByDemand)
{
    // 4 GPUs; jobs of 2 and of 4 workers in turn. However many wait, an offer asks once for each of
    // the two demands, and not at all where fewer GPUs are free.
    constexpr uint32_t JOBS = 60;
    for (const std::string queue : {"fifo", "srsf"})
    {
        test::SetUpSpec spec;
        spec.hosts = 4;
        spec.gpus = 1;
        spec.scheduler = "fair-share";
        spec.queue = CreatePolicy<JobQueuePolicy>(queue);
        const auto spy = CreateObject<SpyPlacementPolicy>();
        spec.placement = spy;
        BuildQuantum(spec);
        std::vector<CojobSpec> jobs;
        for (uint32_t id = 1; id <= JOBS; ++id)
        {
            jobs.push_back(MakeCojob(id, Seconds(0), {1}, {MakeFreeJob(id, 2 + 2 * (id % 2))}));
        }
        m_manager->Submit(jobs);
        EXPECT_EQ(spy->m_asked, 2U) << "the check of the workload asks once for each demand";
        spy->m_asked = 0;
        spy->m_cluster = m_parts.cluster;
        m_allDone = false;
        Run(Seconds(10000));
        EXPECT_TRUE(m_allDone) << queue;
        // Each start is an answer. Whenever GPUs come free, at most one more is a refusal.
        EXPECT_GE(spy->m_asked, JOBS) << queue;
        EXPECT_LE(spy->m_asked, 2 * JOBS) << queue;
        TearDown();
    }
}

TEST_F(JobManagerTest, ABacklogOfCojobsIsOfferedSharedGpusByDemand)
{
    // 2 GPUs, whose whole memory each worker takes: one cojob of two jobs runs at a time. All ask
    // for the same and compute for different times. An arrival finds no room: 1 question at most; a
    // cojob's start has 2, and each of its 2 departures has at most 2 more that are refused.
    constexpr uint32_t JOBS = 60;
    test::SetUpSpec spec;
    spec.hosts = 2;
    spec.gpus = 1;
    spec.gpuMemory = 10;
    spec.scheduler = "fair-share";
    spec.queue = CreatePolicy<JobQueuePolicy>("srsf");
    const auto spy = CreateObject<SpyPlacementPolicy>();
    spec.placement = spy;
    BuildQuantum(spec);
    std::vector<CojobSpec> cojobs;
    for (uint32_t id = 1; id <= JOBS; ++id)
    {
        std::vector<JobSpec> jobs = {MakeFreeJob(2 * id, 1), MakeFreeJob(2 * id + 1, 1)};
        for (auto& job : jobs)
        {
            job.model.forward = Seconds(id);
            job.model.gpuMemory = 10;
        }
        cojobs.push_back(MakeCojob(id, Seconds(0), {1}, jobs));
    }
    m_manager->Submit(cojobs);
    EXPECT_EQ(spy->m_asked, 2U) << "the check of the workload asks once for each job of a demand";
    spy->m_asked = 0;
    Run(Seconds(100000));
    EXPECT_TRUE(m_allDone);
    EXPECT_LE(spy->m_asked, (1 + 2 + 2 * 2) * JOBS);
}

TEST_F(JobManagerTest, LoadsAreTheRemainingService)
{
    // Job 1: 4 iterations of 1 s compute and 1 s push on one GPU. Others arrive at 0.5 s, before
    // the end of the first, and at 3 s, in the second: 4 x 2 s and 3 x 2 s are left. When all is
    // over, nothing is.
    test::SetUpSpec spec;
    spec.hosts = 4;
    spec.gpus = 1;
    spec.scheduler = "fair-share";
    const auto spy = CreateObject<SpyPlacementPolicy>();
    spy->m_mindsLoads = true;
    spec.placement = spy;
    BuildQuantum(spec);
    std::vector<CojobSpec> jobs = {MakeCojob(1, Seconds(0), {4}, {MakeFreeJob(1, 1)}),
                                   MakeCojob(2, Seconds(0.5), {1}, {MakeFreeJob(2, 1)}),
                                   MakeCojob(3, Seconds(3), {1}, {MakeFreeJob(3, 1)}),
                                   MakeCojob(4, Seconds(100), {1}, {MakeFreeJob(4, 1)})};
    m_manager->Submit(jobs);
    spy->m_loads.clear();
    Run(Seconds(1000));
    EXPECT_TRUE(m_allDone);
    EXPECT_EQ(spy->m_loads, (std::vector<Time>{Seconds(0), Seconds(8), Seconds(6), Seconds(0)}));
}

/** Has no place for a job of several workers, though there is one. */
class ShyPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::ShyPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "places single workers only";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        return view.workers > 1 ? PlacementAnswer()
                                : CreateObject<FirstFitPlacementPolicy>()->Place(view);
    }
};

TEST_F(JobManagerTest, RefusesWhatItsOwnPolicyNeverPlaces)
{
    test::SetUpSpec spec;
    spec.placement = CreateObject<ShyPlacementPolicy>();
    BuildQuantum(spec);
    m_manager->Submit({MakeCojob(1, Seconds(0), {1}, {MakeFreeJob(1, 1)})});
    try
    {
        m_manager->Submit({MakeCojob(2, Seconds(0), {1}, {MakeFreeJob(2, 2)})});
        FAIL() << "accepted";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "cojob 2 would wait for ever: on the empty cluster, where first-fit has a "
                     "place for it, test::ShyPlacementPolicy has none (another "
                     "scheduler.placement, or a larger cluster)");
    }
}

/** Gives GPUs that others hold, once the cluster is in use. */
class GreedyPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::GreedyPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "always the first GPU";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& /* view */) override
    {
        return Placement{{GpuId{HostId{0}, 0}}, {OnMachine(HostId{1})}};
    }
};

TEST_F(JobManagerTest, AWrongAnswerEndsTheRun)
{
    test::SetUpSpec spec;
    spec.placement = CreateObject<GreedyPlacementPolicy>();
    BuildQuantum(spec);
    EXPECT_EQ(test::RunErrorOf([this] {
                  m_manager->Submit({MakeCojob(1, Seconds(0), {1}, {MakeFreeJob(1, 1)}),
                                     MakeCojob(2, Seconds(1), {1}, {MakeFreeJob(2, 1)})});
                  Run(Seconds(10));
              }),
              "test::GreedyPlacementPolicy took GPU 0 of machine 0, which is not free");
}

TEST_F(JobManagerTest, FiftyCoflowsOfOneInstantAreOrderedOnce)
{
    for (const std::string scheduler : {"sincronia", "sebf"})
    {
        BuildQuantum(scheduler);
        std::vector<CojobSpec> coflows;
        for (uint32_t id = 1; id <= 50; ++id)
        {
            const HostId from{id % 5};
            const HostId to{(id + 1 + id % 4) % 5};
            coflows.push_back(
                MakeCojob(id, Seconds(0), {1}, {MakePushJob(id, UNIT * id, from, NO_GPU, to)}));
        }
        m_manager->Submit(coflows);
        m_schedules.clear();
        Run(Seconds(1));
        ASSERT_FALSE(m_schedules.empty());
        EXPECT_EQ(m_schedules[0].time, Seconds(0)) << scheduler;
        EXPECT_EQ(m_schedules[0].units, 50U) << scheduler;
        EXPECT_TRUE(m_schedules.size() == 1 || m_schedules[1].time > Seconds(0)) << scheduler;
        TearDown();
    }
}

} // namespace
