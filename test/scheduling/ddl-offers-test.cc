// SPDX-License-Identifier: GPL-2.0-only
// Who gets GPUs, who keeps them and who gives way: preemptive job queue policies, leases, minimum
// times to run, switch costs. Jobs compute alone and send nothing, so that times are exact.
#include "ddl-scheduling-fixture.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/random-variable-stream.h"

#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class OffersTest : public test::SchedulingFixture
{
  protected:
    void BuildCluster(Ptr<JobQueuePolicy> queue, uint32_t hosts = 1, uint32_t gpus = 1)
    {
        test::SetUpSpec spec;
        spec.hosts = hosts;
        spec.gpus = gpus;
        spec.scheduler = "fair-share";
        spec.control = "direct";
        spec.queue = queue;
        spec.transport = CreatePolicy<Transport>("fluid");
        m_parts.switchCost = m_switchCost;
        Build(spec);
        m_manager->SetAttribute("Lease", TimeValue(m_lease));
        m_manager->SetAttribute("MinRun", TimeValue(m_minRun));
        m_manager->TraceConnectWithoutContext("RunEnd", MakeCallback(&OffersTest::NoteRun, this));
        m_manager->TraceConnectWithoutContext("JobEnd", MakeCallback(&OffersTest::NoteDone, this));
    }

    /** \return a job whose iterations take a second each on its GPUs */
    static CojobSpec MakeJob(uint32_t id, Time submit, uint64_t seconds, uint32_t gpus = 1)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "compute";
        job.model.forward = Seconds(1);
        job.workers = gpus;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        return MakeCojob(id, submit, {seconds}, {job});
    }

    void NoteRun(const JobRunRecord& run)
    {
        m_ended.push_back(run);
    }

    void NoteDone(Ptr<Job> job, bool)
    {
        m_done[job->GetId().value] = Simulator::Now().GetSeconds();
    }

    /** \return the jobs of all runs, in the order in which these began */
    std::string GetTurns()
    {
        std::sort(m_ended.begin(), m_ended.end(), [](const auto& a, const auto& b) {
            return a.start < b.start;
        });
        std::string turns;
        for (const auto& run : m_ended)
        {
            turns += std::to_string(run.job.value);
        }
        return turns;
    }

    void RunAll()
    {
        Simulator::Run();
        EXPECT_TRUE(m_allDone);
    }

    Time m_lease;
    Time m_minRun;
    SwitchCost m_switchCost;
    std::vector<JobRunRecord> m_ended;
    std::map<uint32_t, double> m_done;
};

Ptr<JobQueuePolicy>
MakePreemptive(const std::string& name)
{
    auto policy = CreatePolicy<JobQueuePolicy>(name);
    policy->SetAttribute("Preemptive", BooleanValue(true));
    return policy;
}

Ptr<JobQueuePolicy>
MakeLas(const std::vector<Time>& thresholds, double starveLimit = 0)
{
    auto policy = CreatePolicy<JobQueuePolicy>("2d-las");
    policy->SetAttribute("Thresholds", AttributeContainerValue<TimeValue>(thresholds));
    policy->SetAttribute("StarveLimit", DoubleValue(starveLimit));
    return policy;
}

TEST_F(OffersTest, ShortJobsTakeTheGpuOfLongOnes)
{
    for (const std::string name : {"srtf", "srsf"})
    {
        SCOPED_TRACE(name);
        BuildCluster(MakePreemptive(name));
        m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(10.5), 20)});
        RunAll();
        EXPECT_EQ(GetTurns(), "121"); // job 1 finishes its 11th iteration first
        EXPECT_EQ(m_done[2], 31);
        EXPECT_EQ(m_done[1], 120);
        EXPECT_EQ(m_ended[0].iterations, 11U);
        EXPECT_EQ(m_ended[0].reason, "suspended");
        EXPECT_EQ(m_ended[2].iterations, 89U);
        EXPECT_EQ(m_ended[2].reason, "done");
        TearDown();
        m_ended.clear();
        m_allDone = false;
    }
}

TEST_F(OffersTest, WithoutPreemptionTheyWait)
{
    BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"));
    m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(10.5), 20)});
    RunAll();
    EXPECT_EQ(GetTurns(), "12");
}

TEST_F(OffersTest, WhatIsLeftDecidesAndNotWhatThereWas)
{
    // Job 1 has 30 s left when job 2 comes with 40: it goes on.
    BuildCluster(MakePreemptive("srtf"));
    m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(70.5), 40)});
    RunAll();
    EXPECT_EQ(GetTurns(), "12");
}

TEST_F(OffersTest, AJobThatIsNotPreemptibleStays)
{
    BuildCluster(MakePreemptive("srtf"));
    auto first = MakeJob(1, Seconds(0), 100);
    first.jobs.front().preemptible = false;
    m_manager->Submit({first, MakeJob(2, Seconds(10.5), 20)});
    RunAll();
    EXPECT_EQ(GetTurns(), "12");
}

TEST_F(OffersTest, AMinimumTimeToRunIsKept)
{
    m_minRun = Seconds(50.5);
    BuildCluster(MakePreemptive("srtf"));
    m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(10.5), 20)});
    RunAll();
    EXPECT_EQ(GetTurns(), "121");
    EXPECT_EQ(m_done[2], 51 + 20); // woken by the timer alone
}

TEST_F(OffersTest, OnlyThoseInTheWayGiveWay)
{
    // 4 GPUs: jobs 1 (2 GPUs), 2 and 3 (1 each), longest first. Job 4 wants 1, and takes job 3's,
    // the one with most left; job 5 wants 2, and takes job 1's; nobody takes job 2's.
    BuildCluster(MakePreemptive("srtf"), 1, 4);
    m_manager->Submit({MakeJob(1, Seconds(0), 200, 2),
                       MakeJob(2, Seconds(0), 100),
                       MakeJob(3, Seconds(0), 300),
                       MakeJob(4, Seconds(10.5), 20),
                       MakeJob(5, Seconds(12.5), 20, 2)});
    RunAll();
    EXPECT_EQ(m_done[4], 11 + 20);
    EXPECT_EQ(m_done[5], 13 + 20);
    EXPECT_EQ(m_done[2], 100);
    EXPECT_EQ(m_done[1], 200 + 20);
    EXPECT_EQ(m_done[3], 300 + 20);
    EXPECT_EQ(m_ended.size(), 7U);
}

TEST_F(OffersTest, NobodyGivesWayToAJobThatFindsNoPlaceAllTheSame)
{
    // Job 3 wants GPU 1 of the machine, which job 2 holds for good; taking job 1's does not help.
    BuildCluster(MakePreemptive("srtf"), 1, 2);
    auto second = MakeJob(2, Seconds(0), 200);
    second.jobs.front().preemptible = false;
    auto third = MakeJob(3, Seconds(10.5), 5);
    third.jobs.front().placement = Placement{{GpuId{{0}, 1}}, {}};
    m_manager->Submit({MakeJob(1, Seconds(0), 100), second, third});
    RunAll();
    EXPECT_EQ(GetTurns(), "123");
}

TEST_F(OffersTest, GpusThatAreComingAreKeptForWhomTheyAreTaken)
{
    // Jobs 1 and 2 give their GPUs back at different instants, for job 3, which wants both. Job 4,
    // which is behind it, does not get the first of them.
    BuildCluster(MakePreemptive("srsf"), 1, 2);
    auto second = MakeJob(2, Seconds(0.25), 100);
    m_manager->Submit({MakeJob(1, Seconds(0), 100),
                       second,
                       MakeJob(3, Seconds(10.5), 10, 2),
                       MakeJob(4, Seconds(10.5), 50)});
    RunAll();
    EXPECT_EQ(GetTurns().substr(0, 3), "123");
    EXPECT_EQ(m_done[3], 11.25 + 10);
}

TEST_F(OffersTest, LeasesTakeTurns)
{
    // Dally: two jobs of 2 h on one GPU, lease 1 h: A B A B. The message of the lease's end arrives
    // just when the next iteration has begun.
    m_lease = Hours(1);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo")); // both came at 0
    m_manager->Submit({MakeJob(1, Seconds(0), 7200), MakeJob(2, Seconds(0), 7200)});
    RunAll();
    EXPECT_EQ(GetTurns(), "1212");
    EXPECT_EQ(m_done[1], 3 * 3600 + 1);
    EXPECT_EQ(m_done[2], 4 * 3600);
}

TEST_F(OffersTest, LeasesByAttainedService)
{
    // Job 1 has had a second more when both have had their first turn: job 2 goes on.
    m_lease = Hours(1);
    auto las = CreatePolicy<JobQueuePolicy>("2d-las");
    las->SetAttribute("Discretised", BooleanValue(false));
    BuildCluster(las);
    m_manager->Submit({MakeJob(1, Seconds(0), 7200), MakeJob(2, Seconds(0), 7200)});
    RunAll();
    EXPECT_EQ(GetTurns(), "121");
    EXPECT_EQ(m_done[2], 3 * 3600 + 1);
}

TEST_F(OffersTest, ALeaseThatNobodyWaitsForGoesOn)
{
    m_lease = Seconds(10);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 1, 2);
    m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(3), 100)});
    RunAll();
    EXPECT_EQ(m_ended.size(), 2U);
}

TEST_F(OffersTest, ALeaseUnderFifoBelongsToTheFirst)
{
    m_lease = Seconds(10);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"));
    m_manager->Submit({MakeJob(1, Seconds(0), 50), MakeJob(2, Seconds(3), 50)});
    RunAll();
    EXPECT_EQ(GetTurns(), "12");
}

TEST_F(OffersTest, LeastAttainedServiceInQueues)
{
    // Thresholds 10 and 40 GPU seconds. Job 1 (2 GPUs) is in the second queue from 5 s on; job 2
    // (1 GPU) comes at 7.5 s and takes its GPUs; job 3 comes at 9.5 s, into the first queue, where
    // job 2 still is, and gets the other GPU. Both fall into the second queue after 10 s, where job
    // 1 came first but does not run.
    BuildCluster(MakeLas({Seconds(10), Seconds(40)}), 1, 2);
    m_manager->Submit({MakeJob(1, Seconds(0), 30, 2),
                       MakeJob(2, Seconds(7.5), 15),
                       MakeJob(3, Seconds(9.5), 15)});
    RunAll();
    EXPECT_EQ(GetTurns(), "1231");
    EXPECT_EQ(m_done[2], 8 + 15);
    EXPECT_EQ(m_done[3], 9.5 + 15);
    EXPECT_EQ(m_done[1], 24.5 + 22); // 8 iterations were done
}

TEST_F(OffersTest, AJobFallsToALaterQueueWhileItRuns)
{
    // Job 1 is in the first queue until 10 s; job 2 comes at 5.5 s, waits, and then takes the GPU,
    // woken by the timer alone; with 10 s of its own it falls, too, and goes on: it runs.
    BuildCluster(MakeLas({Seconds(10)}));
    m_manager->Submit({MakeJob(1, Seconds(0), 30), MakeJob(2, Seconds(5.5), 30)});
    RunAll();
    EXPECT_EQ(GetTurns(), "121");
    EXPECT_EQ(m_ended[0].iterations, 11U); // the 11th begins at 10 s, and the message follows
    EXPECT_EQ(m_done[2], 11 + 30);
}

TEST_F(OffersTest, WhoStarvesComesBackIntoTheFirstQueue)
{
    // Job 1 runs 11 s and then waits for jobs 2, 3, ... of 9 s each, which come without end. With
    // a limit of 2 it comes back after 22 s of waiting, and keeps the GPU for the first queue's
    // share.
    BuildCluster(MakeLas({Seconds(10)}, 2));
    std::vector<CojobSpec> jobs = {MakeJob(1, Seconds(0), 25)};
    for (uint32_t id = 2; id <= 12; ++id)
    {
        jobs.push_back(MakeJob(id, Seconds(10.55 + id / 10.0), 9));
    }
    m_manager->Submit(jobs);
    RunAll();
    // It has waited for 22 s at 33 s; the job that runs then (29 to 38 s) is in the first queue,
    // too, and goes on; job 1 is the first in it.
    ASSERT_GE(m_ended.size(), 5U);
    EXPECT_EQ(GetTurns().substr(0, 5), "12341");
}

TEST_F(OffersTest, SwitchingTakesTime)
{
    m_switchCost = {Seconds(3), Seconds(1), Seconds(2), Seconds(0.5)};
    BuildCluster(MakePreemptive("srtf"));
    m_manager->Submit({MakeJob(1, Seconds(0), 100), MakeJob(2, Seconds(10.25), 20)});
    RunAll();
    // Launch 4 s, so iterations of job 1 end at whole seconds; save 2.5 s.
    EXPECT_EQ(GetTurns(), "121");
    EXPECT_EQ(m_ended[0].iterations, 7U);
    EXPECT_EQ(m_ended[0].end, Seconds(11 + 2.5));
    EXPECT_EQ(m_ended[0].switching, Seconds(4 + 2.5));
    EXPECT_EQ(m_done[2], 13.5 + 4 + 20);
    EXPECT_EQ(m_ended[1].switching, Seconds(4));
    EXPECT_EQ(m_done[1], 37.5 + 4 + 93);
}

TEST_F(OffersTest, StormsEndWithAllAccountedFor)
{
    // 200 jobs on 16 GPUs, leases of three mean iterations.
    for (const std::string name : {"2d-las", "fifo", "srsf"})
    {
        SCOPED_TRACE(name);
        m_lease = Seconds(3);
        BuildCluster(CreatePolicy<JobQueuePolicy>(name), 4, 4);
        auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(7);
        std::vector<CojobSpec> jobs;
        double gpuSeconds = 0;
        for (uint32_t id = 1; id <= 200; ++id)
        {
            const uint64_t seconds = draw->GetInteger(1, 30);
            const uint32_t gpus = draw->GetInteger(1, 8);
            jobs.push_back(MakeJob(id, Seconds(draw->GetInteger(0, 60)), seconds, gpus));
            gpuSeconds += seconds * gpus;
        }
        m_manager->Submit(jobs);
        RunAll();
        std::map<uint32_t, uint64_t> iterations;
        for (const auto& run : m_ended)
        {
            iterations[run.job.value] += run.iterations;
        }
        for (const auto& job : jobs)
        {
            EXPECT_EQ(iterations[job.id.value], job.iterations.front()) << job.id;
        }
        EXPECT_EQ(m_parts.cluster->GetBusyTime(), Seconds(gpuSeconds));
        EXPECT_TRUE(m_manager->GetUnfinished().empty());
        TearDown();
        m_ended.clear();
        m_allDone = false;
    }
}

} // namespace
