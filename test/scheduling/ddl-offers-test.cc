// SPDX-License-Identifier: GPL-2.0-only
// Who gets GPUs, who keeps them and who gives way: preemptive job queue policies, leases, minimum
// times to run, switch costs; placement policies that decline, that place several groups together
// and that move groups. Jobs compute alone and send nothing, so that times are exact.
#include "ddl-offers-fixture.h"
#include "ddl-policy-variants.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/random-variable-stream.h"

#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using OffersTest = test::OffersFixture;

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

Ptr<PlacementPolicy>
MakeHolding()
{
    auto policy = CreatePolicy<PlacementPolicy>("least-allocated");
    policy->SetAttribute("HoldPartial", BooleanValue(true));
    return policy;
}

TEST_F(OffersTest, AJobHoldsGpusWhileItWaitsForMore)
{
    // Job 1 has 3 of 4 GPUs until 10 s. Job 2 needs 3. Job 3, which needs the fourth, may pass it
    // if job 2 holds nothing.
    for (const bool holds : {false, true})
    {
        SCOPED_TRACE(holds);
        m_placement = holds ? MakeHolding() : CreatePolicy<PlacementPolicy>("least-allocated");
        const auto fifo = CreatePolicy<JobQueuePolicy>("fifo");
        fifo->SetAttribute("LetsOthersPass", BooleanValue(true));
        BuildCluster(fifo, 1, 4);
        m_manager->Submit({MakeHolder(1, 10, {{0, 0}, {0, 1}, {0, 2}}),
                           MakeJob(2, Seconds(1), 10, 3),
                           MakeJob(3, Seconds(2), 5)});
        RunAll();
        EXPECT_EQ(GetRun(3).start, Seconds(holds ? 10 : 2));
        EXPECT_EQ(m_done[2], 20);
        EXPECT_EQ(m_done[3], holds ? 15 : 7);
        EXPECT_EQ(m_waits.front(), holds ? "1: job 2 holds 1 of 3 GPUs" : "1: job 2 no GPUs");
        TearDown();
        m_ended.clear();
        m_waits.clear();
        m_allDone = false;
    }
}

TEST_F(OffersTest, TwoJobsThatHoldWhatTheOtherNeedsWaitForEver)
{
    // Job 2 needs all 4 GPUs, and holds the one that job 1 leaves free. When job 1 is done at 10 s,
    // job 3, which is shorter, is first: it holds the other three.
    for (const bool holds : {false, true})
    {
        SCOPED_TRACE(holds);
        m_placement = holds ? MakeHolding() : CreatePolicy<PlacementPolicy>("least-allocated");
        BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"), 1, 4);
        m_manager->Submit({MakeHolder(1, 10, {{0, 0}, {0, 1}, {0, 2}}),
                           MakeJob(2, Seconds(1), 100, 4),
                           MakeJob(3, Seconds(5), 20, 4)});
        Simulator::Run();
        EXPECT_EQ(m_allDone, !holds);
        EXPECT_EQ(m_done.size(), holds ? 1U : 3U);
        if (!holds)
        {
            EXPECT_EQ(m_done[3], 30);
            EXPECT_EQ(m_done[2], 130);
            TearDown();
            m_done.clear();
            m_ended.clear();
            m_waits.clear();
            m_allDone = false;
            continue;
        }
        const auto unfinished = m_manager->GetUnfinished();
        ASSERT_EQ(unfinished.size(), 2U);
        EXPECT_NE(unfinished[0].state.find("holds 1 of 4 GPUs (needs 3, 0 free)"),
                  std::string::npos)
            << unfinished[0].state;
        EXPECT_NE(unfinished[1].state.find("holds 3 of 4 GPUs (needs 1, 0 free)"),
                  std::string::npos)
            << unfinished[1].state;
    }
}

TEST_F(OffersTest, JobsThatHoldGpusDoNotCompeteForThem)
{
    m_placement = MakeHolding();
    EXPECT_THROW(BuildCluster(MakePreemptive("srtf"), 1, 4), InputError);
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

TEST_F(OffersTest, AJobThatSavesItsResultsFallsNoMore)
{
    // Job 1 is done at 8 s and holds its GPU until 13 s. At 10 s it would fall into the second of
    // three queues, but no rank of it is left that competes.
    m_switchCost.finish = Seconds(5);
    BuildCluster(MakeLas({Seconds(10), Seconds(40)}));
    m_manager->Submit({MakeJob(1, Seconds(0), 8), MakeJob(2, Seconds(0), 8)});
    RunAll();
    EXPECT_EQ(GetTurns(), "12");
    EXPECT_EQ(m_done[2], 8 + 5 + 8);
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
    m_switchCost = {Seconds(3), Seconds(1), Seconds(2), Seconds(0.5), {}};
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
    // 200 jobs on 16 GPUs, leases of three mean iterations, jobs that move and jobs that do not.
    for (const std::string name : {"2d-las", "fifo", "srsf"})
    {
        SCOPED_TRACE(name);
        m_lease = Seconds(3);
        m_improve = Seconds(name == "fifo" ? 0 : 1.75);
        m_batchWindow = Seconds(name == "srsf" ? 0.375 : 0);
        m_placement = CreatePolicy<PlacementPolicy>(name == "fifo" ? "first-fit" : "gandiva");
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

/** Delay scheduling with fixed timers (Dally Algorithm 1): a job that fits one machine declines
 * GPUs of several for 10 s, and one that fits one rack declines those of several for 20 s. */
class PatientPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::PatientPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "declines what is far apart, for a time";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.looksAtJobs = true;
        return wishes;
    }

    std::map<uint32_t, std::vector<double>> m_asked; //!< by job, seconds
    WaitHistory m_waits;                             //!< as of the last question

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        m_asked[view.job.id.value].push_back(view.now.GetSeconds());
        m_waits = view.waits;
        const auto firstFit = CreateObject<FirstFitPlacementPolicy>();
        const Time began = view.now - view.job.waited;
        if (const auto place = FindIn(view, ByServer(view.cluster)))
        {
            return place;
        }
        if (view.workers <= 2 && view.job.waited < Seconds(10))
        {
            return PlacementAnswer::WaitUntil(began + Seconds(10));
        }
        if (const auto place = FindIn(view, ByRack(view.cluster)))
        {
            return place;
        }
        if (view.workers <= 4 && view.job.waited < Seconds(20))
        {
            return PlacementAnswer::WaitUntil(began + Seconds(20), "no rack");
        }
        return TakeFirst(view, ListRoom(view.cluster, view.memory));
    }

    static std::optional<Placement> FindIn(const PlacementView& view,
                                           const std::vector<MachineList>& sites)
    {
        for (const MachineList& site : sites)
        {
            if (const auto place = TakeFirst(view, ListRoom(site, view.memory)))
            {
                return place;
            }
        }
        return std::nullopt;
    }
};

/** Two racks of two machines of two GPUs (Dally): machines 0 and 1, and 2 and 3. */
class PatienceTest : public OffersTest
{
  protected:
    /** \param holders jobs that are there from the beginning \param others the others */
    void RunPatient(std::vector<CojobSpec> holders, const std::vector<CojobSpec>& others)
    {
        m_placement = m_patient;
        m_racks = 2;
        BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"), 4, 2);
        holders.insert(holders.end(), others.begin(), others.end());
        m_manager->Submit(holders);
        m_patient->m_asked.clear(); // by the check whether all fit
        RunAll();
    }

    Ptr<PatientPlacementPolicy> m_patient{CreateObject<PatientPlacementPolicy>()};
};

TEST_F(PatienceTest, TheTimerAloneWakesAnOffer)
{
    RunPatient({MakeHolder(9, 100, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}})},
               {MakeJob(1, Seconds(0), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(10)); // in the rack
    EXPECT_EQ(GetRun(1).placement.workers, (std::vector<GpuId>{{{0}, 0}, {{1}, 0}}));
    EXPECT_EQ(m_patient->m_asked[1], (std::vector<double>{0, 10})); // nothing else has happened
    EXPECT_EQ(m_waits, (std::vector<std::string>{"0: job 1 declined until 10"}));
}

TEST_F(PatienceTest, AcrossRacksItWaitsForBothTimers)
{
    RunPatient({MakeHolder(9, 100, {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {3, 0}, {3, 1}})},
               {MakeJob(1, Seconds(0), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(20));
    EXPECT_EQ(m_patient->m_asked[1], (std::vector<double>{0, 10, 20}));
    EXPECT_EQ(
        m_waits,
        (std::vector<std::string>{"0: job 1 declined until 10", "10: job 1 no rack until 20"}));
}

TEST_F(PatienceTest, WhatComesFreeBeforeTheDateIsOffered)
{
    // Machine 1 has two free GPUs at 7 s. Job 2 comes later; the policy sees the wait of job 1.
    RunPatient(
        {MakeHolder(8, 7, {{1, 0}, {1, 1}}), MakeHolder(9, 100, {{0, 1}, {2, 1}, {3, 0}, {3, 1}})},
        {MakeJob(1, Seconds(0), 5, 2), MakeJob(2, Seconds(30.5), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(7));
    EXPECT_EQ(GetRun(1).placement.workers, (std::vector<GpuId>{{{1}, 0}, {{1}, 1}}));
    const WaitHistory::List& waits = m_patient->m_waits.Get(Tier::SERVER, 2);
    ASSERT_EQ(waits.size(), 2U); // the first one is that of job 8
    EXPECT_EQ(waits[0].length, Seconds(0));
    EXPECT_EQ(waits[1].end, Seconds(7));
    EXPECT_EQ(waits[1].length, Seconds(7));
    EXPECT_EQ(m_patient->m_waits.Get(Tier::RACK, 2).size(), 0U);
    EXPECT_EQ(m_patient->m_waits.Get(Tier::NETWORK, 4).size(), 1U); // job 9
}

TEST_F(PatienceTest, WhoNeedsMoreThanAMachineDoesNotWaitForOne)
{
    RunPatient({MakeHolder(9, 100, {{1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}})},
               {MakeJob(1, Seconds(0), 5, 3)});
    EXPECT_EQ(GetRun(1).start, Seconds(0)); // three GPUs of rack 0
}

TEST_F(PatienceTest, WhoNeedsMoreThanARackDoesNotWaitForOne)
{
    RunPatient({MakeHolder(8, 3, {{0, 0}, {2, 0}}), MakeHolder(9, 100, {{1, 1}, {3, 1}})},
               {MakeJob(1, Seconds(0), 5, 5)});
    EXPECT_EQ(GetRun(1).start, Seconds(3)); // as soon as there are five
}

TEST_F(PatienceTest, WhoDeclinesBlocksNobody)
{
    // Job 1, the shortest, declines until 10 s; job 2 takes one of the GPUs that it has declined,
    // for 30 s, so that none is left for job 1 until job 2 has ended.
    RunPatient({MakeHolder(9, 100, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}})},
               {MakeJob(1, Seconds(0), 5, 2), MakeJob(2, Seconds(0), 30)});
    EXPECT_EQ(GetRun(2).start, Seconds(0));
    EXPECT_EQ(GetRun(1).start, Seconds(30));
    EXPECT_EQ(m_waits,
              (std::vector<std::string>{"0: job 1 declined until 10", "0: job 1 no GPUs"}));
}

TEST_F(PatienceTest, NobodyGivesWayToWhoDeclines)
{
    // Two jobs of one GPU hold one of each machine in rack 0. Job 3 is shorter and wants two: with
    // one of them gone it would have GPUs of two machines, and declines. So nobody gives way to it,
    // but to job 4, which is behind it.
    m_placement = m_patient;
    m_racks = 2;
    BuildCluster(MakePreemptive("srtf"), 4, 2);
    auto rest = MakeHolder(9, 100, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}});
    rest.jobs.front().preemptible = false;
    m_manager->Submit({rest,
                       MakeHolder(1, 50, {{0, 0}}),
                       MakeHolder(2, 60, {{1, 0}}),
                       MakeJob(3, Seconds(2.5), 5, 2),
                       MakeJob(4, Seconds(2.5), 20)});
    RunAll();
    EXPECT_EQ(GetRun(4).start, Seconds(3));
    EXPECT_EQ(GetRun(2).reason, "suspended");
    EXPECT_EQ(GetRun(1).reason, "suspended"); // at 12.5 s, when job 3 takes what there is
    EXPECT_EQ(GetRun(1).end, Seconds(13));
    EXPECT_EQ(GetRun(3).start, Seconds(13));
}

TEST_F(PatienceTest, TheUserIsToldUntilWhen)
{
    m_placement = m_patient;
    m_racks = 2;
    BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"), 4, 2);
    m_manager->Submit({MakeHolder(9, 100, {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {3, 0}, {3, 1}}),
                       MakeJob(1, Seconds(0), 5, 2)});
    Run(Seconds(12));
    const auto unfinished = m_manager->GetUnfinished();
    ASSERT_EQ(unfinished.size(), 2U);
    EXPECT_EQ(unfinished[0].job, JobId{1});
    EXPECT_EQ(unfinished[0].state, "waiting for GPUs: no rack until 20 s");
    RunAll();
}

/** Takes first-fit's place at its own time of the day. */
class LatePlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::LatePlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "places nothing before a date";
    }

    Time m_from;             //!< date from which it places
    Time m_step{Seconds(1)}; //!< after which it wants to be asked again
    uint32_t m_asked{0};

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        ++m_asked;
        return view.now < m_from ? PlacementAnswer::WaitUntil(view.now + m_step)
                                 : CreateObject<FirstFitPlacementPolicy>()->Place(view);
    }
};

TEST_F(OffersTest, ThoseWhoNeedTheSameAreAskedOnceAndWakeTogether)
{
    // Three jobs alike come at 0: a question each, as each finds one waiting that is asked first;
    // at 4 s one is asked for all, and at 8 s all three get GPUs.
    auto late = CreateObject<LatePlacementPolicy>();
    late->m_from = Seconds(8);
    late->m_step = Seconds(4);
    m_placement = late;
    m_parts.trial = CreateObject<FirstFitPlacementPolicy>();
    BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"), 1, 4);
    m_manager->Submit(
        {MakeJob(1, Seconds(0), 5), MakeJob(2, Seconds(0), 5), MakeJob(3, Seconds(0), 5)});
    RunAll();
    EXPECT_EQ(late->m_asked, 3U + 1U + 3U);
    for (uint32_t job = 1; job <= 3; ++job)
    {
        EXPECT_EQ(GetRun(job).start, Seconds(8)) << job;
    }
}

TEST_F(OffersTest, APolicyThatDeclinesAnEmptyClusterForEverIsTheirError)
{
    auto never = CreateObject<LatePlacementPolicy>();
    never->m_from = Time::Max();
    m_placement = never;
    m_parts.trial = CreateObject<FirstFitPlacementPolicy>();
    BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"));
    m_manager->Submit({MakeJob(3, Seconds(0), 5)});
    EXPECT_EQ(test::RunErrorOf([] { Simulator::Run(); }),
              "test::LatePlacementPolicy would let group 3 wait for ever: nobody runs, and it has "
              "wanted to be asked again 1000 times");
}

TEST_F(OffersTest, AJobThatItsPolicyWouldNeverPlaceIsBadInput)
{
    auto late = CreateObject<LatePlacementPolicy>();
    m_placement = late;
    BuildCluster(CreatePolicy<JobQueuePolicy>("srtf"));
    late->m_from = Seconds(999);
    m_manager->Submit({MakeJob(1, Seconds(0), 5)}); // is asked 1000 times, at 0, 1, ... 999 s
    EXPECT_EQ(late->m_asked, 1000U);
    late->m_from = Seconds(2000);
    try
    {
        auto other = MakeJob(2, Seconds(500), 5);
        other.jobs.front().model.gpuMemory = 7; // what fits is asked for once only
        m_manager->Submit({other});
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what())
                      .find("would wait for ever: on the empty cluster, test::LatePlacementPolicy "
                            "has wanted to be asked again 1000 times, at last at 1500 s"),
                  std::string::npos)
            << error.what();
    }
    late->m_from = Seconds(7);
    RunAll();
    EXPECT_EQ(GetRun(1).start, Seconds(7));
}

/** Places the group with the most GPUs first; with one at a time it cannot. */
class LargestFirstPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("test::LargestFirstPlacementPolicy").SetParent<PlacementPolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "the largest first";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.placesTogether = m_together;
        return wishes;
    }

    bool m_together{true};
    std::vector<std::size_t> m_batches; //!< groups of each

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        return TakeFirst(view, ListRoom(view.cluster, view.memory));
    }

    std::vector<GroupAnswer> DoPlaceTogether(const std::vector<GroupQuestion>& groups) override
    {
        m_batches.push_back(groups.size());
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            order.push_back(i);
        }
        std::stable_sort(order.begin(), order.end(), [&groups](std::size_t a, std::size_t b) {
            return groups[a].front().workers > groups[b].front().workers;
        });
        ClusterView cluster = groups.front().front().cluster;
        std::vector<GroupAnswer> answers(groups.size());
        for (const std::size_t i : order)
        {
            const PlacementView& job = groups[i].front();
            if (const auto place =
                    DoPlace({cluster, job.workers, job.servers, job.memory}).placement)
            {
                Occupy(cluster, *place, job.memory);
                answers[i].placements = {*place};
            }
        }
        return answers;
    }
};

TEST_F(OffersTest, AWindowCollectsGroupsThatArePlacedTogether)
{
    // Two machines of two GPUs. Job 1 (one GPU) comes at 1 s, job 2 (two GPUs) at 3 s, and both are
    // offered GPUs at 6 s. One after the other, job 2 is spread over both machines; together it
    // has machine 0.
    for (const bool together : {true, false})
    {
        SCOPED_TRACE(together);
        auto policy = CreateObject<LargestFirstPlacementPolicy>();
        policy->m_together = together;
        m_placement = policy;
        m_batchWindow = Seconds(5);
        BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 2, 2);
        m_manager->Submit({MakeJob(1, Seconds(1), 10), MakeJob(2, Seconds(3), 10, 2)});
        RunAll();
        EXPECT_EQ(GetRun(1).start, Seconds(6));
        EXPECT_EQ(GetRun(2).start, Seconds(6));
        EXPECT_EQ(policy->m_batches,
                  together ? std::vector<std::size_t>{2} : std::vector<std::size_t>());
        EXPECT_EQ(GetRun(1).placement.workers, (std::vector<GpuId>{{{together ? 1U : 0U}, 0}}));
        EXPECT_EQ(GetRun(2).placement.workers,
                  together ? (std::vector<GpuId>{{{0}, 0}, {{0}, 1}})
                           : (std::vector<GpuId>{{{0}, 1}, {{1}, 0}}));
        TearDown();
        m_ended.clear();
        m_waits.clear();
        m_allDone = false;
    }
}

TEST_F(OffersTest, WhereNobodyMayPassABatchEndsAtTheFirstThatHasNoPlace)
{
    // Under fifo job 2 has to wait for job 1, which has no place beside job 9. Job 3 comes last.
    m_placement = CreateObject<LargestFirstPlacementPolicy>();
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 2, 2);
    m_manager->Submit({MakeHolder(9, 10, {{0, 0}}),
                       MakeJob(1, Seconds(1), 5, 4),
                       MakeJob(2, Seconds(2), 5),
                       MakeJob(3, Seconds(3), 5, 2)});
    RunAll();
    EXPECT_EQ(GetRun(1).start, Seconds(10));
    EXPECT_EQ(GetRun(2).start, Seconds(15));
    EXPECT_EQ(GetRun(3).start, Seconds(15));
    EXPECT_EQ(m_waits,
              (std::vector<std::string>{"1: job 1 no GPUs",
                                        "2: job 2 behind another job",
                                        "3: job 3 behind another job",
                                        "10: job 2 no GPUs",
                                        "10: job 3 no GPUs"}));
}

TEST_F(OffersTest, ALeaseThatEndsInAWindowCounts)
{
    // Offers are made 2.5 s after what causes them. Job 1 starts at 2.5 s, so that its lease is
    // over at 12.5 s; at 15 s it competes and gives way, and at 15.5 s it has finished its
    // iteration.
    m_lease = Seconds(10);
    m_batchWindow = Seconds(2.5);
    BuildCluster(CreatePolicy<JobQueuePolicy>("srsf"));
    m_manager->Submit({MakeJob(1, Seconds(0), 50), MakeJob(2, Seconds(3), 5)});
    RunAll();
    EXPECT_EQ(GetTurns(), "121");
    EXPECT_EQ(GetRun(1).end, Seconds(2.5 + 13));
    EXPECT_EQ(GetRun(2).start, Seconds(15.5 + 2.5));
}

TEST_F(OffersTest, AJobMovesWhereItIsBetter)
{
    // Two machines of two GPUs. Job 3 (two GPUs) is spread over both, beside jobs 1 and 2. When job
    // 1 has ended, at 10 s, machine 0 has room for it. gandiva is asked every 2.5 s; at 12.5 s job
    // 3 is told to move, and at 13 s, after its iteration, it goes on there. Its new GPU is kept
    // for it: job 4, which comes at 12.75 s, gets the one that job 3 leaves. Job 5 comes when there
    // is nothing better for anybody.
    m_placement = CreatePolicy<PlacementPolicy>("gandiva");
    m_improve = Seconds(2.5);
    m_switchCost.save = Seconds(0.25);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 2, 2);
    m_manager->Submit({MakeHolder(1, 10, {{0, 0}}),
                       MakeHolder(2, 50, {{1, 0}}),
                       MakeJob(3, Seconds(0), 30, 2),
                       MakeJob(4, Seconds(12.75), 40),
                       MakeJob(5, Seconds(30), 5, 2)});
    RunAll();
    EXPECT_EQ(m_ended.size(), 6U);
    const JobRunRecord& first = GetRun(3, 1);
    EXPECT_EQ(first.placement.workers, (std::vector<GpuId>{{{0}, 1}, {{1}, 1}}));
    EXPECT_EQ(first.reason, "migrated");
    EXPECT_EQ(first.end, Seconds(13.25));
    EXPECT_EQ(first.iterations, 13U);
    EXPECT_EQ(first.switching, Seconds(0.25));
    const JobRunRecord& second = GetRun(3, 2);
    EXPECT_EQ(second.placement.workers, (std::vector<GpuId>{{{0}, 0}, {{0}, 1}}));
    EXPECT_EQ(second.start, Seconds(13.25));
    EXPECT_EQ(second.iterations, 17U);
    EXPECT_EQ(second.end, Seconds(30.25));
    EXPECT_EQ(GetRun(4).start, Seconds(13.25));
    EXPECT_EQ(GetRun(4).placement.workers, (std::vector<GpuId>{{{1}, 1}}));
    EXPECT_EQ(GetRun(5).start, Seconds(30.25));
    EXPECT_EQ(m_parts.cluster->GetBusyTime(), Seconds(10 + 50 + 2 * 30 + 40 + 2 * 5));
}

TEST_F(OffersTest, AJobThatEndsWhileItIsToMoveLeavesNothingReserved)
{
    // As above, but job 3 has one iteration left when it is told to move.
    m_placement = CreatePolicy<PlacementPolicy>("gandiva");
    m_improve = Seconds(2.5);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 2, 2);
    m_manager->Submit({MakeHolder(1, 10, {{0, 0}}),
                       MakeHolder(2, 50, {{1, 0}}),
                       MakeJob(3, Seconds(0), 13, 2),
                       MakeJob(4, Seconds(20), 5, 2)});
    RunAll();
    EXPECT_EQ(m_done[3], 13);
    EXPECT_EQ(GetRun(4).start, Seconds(20));
    EXPECT_EQ(GetRun(4).placement.workers, (std::vector<GpuId>{{{0}, 0}, {{0}, 1}}));
}

TEST_F(OffersTest, WhoMayNotBeSuspendedOrHasAGivenPlaceDoesNotMove)
{
    m_placement = CreatePolicy<PlacementPolicy>("gandiva");
    m_improve = Seconds(2.5);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 2, 4);
    auto fixed = MakeJob(3, Seconds(0), 30, 2);
    fixed.jobs.front().preemptible = false;
    m_manager->Submit({MakeHolder(1, 10, {{0, 0}, {0, 1}, {1, 0}}),
                       MakeHolder(2, 50, {{0, 2}, {1, 1}, {1, 2}}),
                       fixed});
    RunAll();
    EXPECT_EQ(m_ended.size(), 3U);
}

TEST_F(OffersTest, TheJobsOfACojobMoveTogether)
{
    // Three machines of two GPUs. Job 31 (two GPUs) is on machine 2; job 32 of the same cojob is
    // spread over machines 0 and 1, beside jobs 1 and 2. When job 1 has ended, job 32 moves to
    // machine 0 and job 31 goes on where it was; both have finished what they had begun.
    m_placement = CreatePolicy<PlacementPolicy>("gandiva");
    m_improve = Seconds(2.5);
    BuildCluster(CreatePolicy<JobQueuePolicy>("fifo"), 3, 2);
    auto cojob = MakeJob(31, Seconds(0), 30, 2);
    cojob.id = {3};
    cojob.jobs.push_back(cojob.jobs.front());
    cojob.jobs.back().id = {32};
    m_manager->Submit({MakeHolder(1, 10, {{0, 0}}),
                       MakeHolder(2, 50, {{1, 0}}),

                       cojob});
    RunAll();
    EXPECT_EQ(m_ended.size(), 2U + 2U + 2U);
    for (const uint32_t job : {31U, 32U})
    {
        SCOPED_TRACE(job);
        EXPECT_EQ(GetRun(job, 1).reason, "migrated");
        EXPECT_EQ(GetRun(job, 1).iterations + GetRun(job, 2).iterations, 30U);
        EXPECT_EQ(GetRun(job, 1).end, GetRun(job, 2).start);
    }
    EXPECT_EQ(GetRun(32, 1).placement.workers, (std::vector<GpuId>{{{0}, 1}, {{1}, 1}}));
    EXPECT_EQ(GetRun(32, 2).placement.workers, (std::vector<GpuId>{{{0}, 0}, {{0}, 1}}));
    EXPECT_EQ(GetRun(31, 2).placement.workers, GetRun(31, 1).placement.workers);
    EXPECT_EQ(m_parts.cluster->GetBusyTime(), Seconds(10 + 50 + 2 * 30 + 2 * 30));
}

} // namespace
