// SPDX-License-Identifier: GPL-2.0-only
// Servers that fail at any instant and come back: what runs there is lost back to where it was
// saved, its jobs wait again, and nothing is left behind.
#include "ddl-failure-fixture.h"
#include "ddl-process-state.h"
#include "ddl-slow.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class ServerFailuresTest : public test::ExactFailureFixture
{
};

TEST_F(ServerFailuresTest, AJobBeginsAgainElsewhereWhenItsServerIsMissed)
{
    // Server 1 fails at 4.5 s, and is missed at 6.5 s; job 2 then has all 10 s before it.
    BuildExact(3);
    m_manager->Submit({MakeHolder(1, 5, {{0, 0}}), MakePlain(2, Seconds(0), 10)});
    FailServer(1, 4.5, 100);
    RunToTheEnd();
    EXPECT_EQ(m_done[1], 5);
    EXPECT_EQ(m_done[2], 6.5 + 10);
    EXPECT_EQ(GetRun(2, 1).reason, "failed");
    EXPECT_EQ(GetRun(2, 1).end, Seconds(4.5));
    EXPECT_EQ(GetRun(2, 1).iterations, 4U);
    EXPECT_EQ(GetRun(2, 2).start, Seconds(6.5));
    EXPECT_EQ(GetRun(2, 2).iterations, 10U);
    EXPECT_NE(GetRun(2, 2).placement.workers.front().host, HostId{1});
    ExpectAllIterations({2}, 10);
}

TEST_F(ServerFailuresTest, AServerThatIsBackBeforeItWasMissedSaysSo)
{
    // Back at 5.5 s: the job goes on there, as there is no other place.
    BuildExact(2);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 10)});
    FailServer(1, 4.5, 1);
    RunToTheEnd();
    EXPECT_EQ(m_done[2], 5.5 + 10);
    EXPECT_EQ(GetRun(2, 2).start, Seconds(5.5));
    EXPECT_EQ(GetRun(2, 2).placement.workers.front().host, HostId{1});
}

TEST_F(ServerFailuresTest, GpusOfAFailedServerAreNotOffered)
{
    // Nobody runs on server 1 when it fails; job 2 comes at 4 s and waits until it is back.
    BuildExact(2);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(4), 10)});
    FailServer(1, 1, 8);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).start, Seconds(9));
    EXPECT_EQ(m_done[2], 19);
}

TEST_F(ServerFailuresTest, AJobThatIsStartedOnASilentServerIsLost)
{
    // It gets its GPU at 2 s, when server 1 has failed and has not been missed: that is at 3 s.
    BuildExact(2);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(2), 10)});
    FailServer(1, 1, 6);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).start, Seconds(2));
    EXPECT_EQ(GetRun(2, 1).end, Seconds(3));
    EXPECT_EQ(GetRun(2, 1).reason, "failed");
    EXPECT_EQ(GetRun(2, 1).iterations, 0U);
    EXPECT_EQ(GetRun(2, 2).start, Seconds(7));
    EXPECT_EQ(m_done[2], 17);
}

TEST_F(ServerFailuresTest, TheOtherMachinesOfAJobAreTold)
{
    // Its worker on server 2 goes on until 6.5 s, when server 1 is missed.
    BuildExact(4);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 10, 2)});
    FailServer(1, 4.5, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).end, Seconds(6.5));
    EXPECT_EQ(GetRun(2, 1).iterations, 4U);
    EXPECT_EQ(GetRun(2, 2).start, Seconds(6.5));
    EXPECT_EQ(GetRun(2, 2).placement.workers, (std::vector<GpuId>{{{2}, 0}, {{3}, 0}}));
    EXPECT_EQ(m_done[2], 16.5);
}

TEST_F(ServerFailuresTest, WhileAJobIsLaunched)
{
    // Known at 2.5 s, before the launch would have been over.
    m_parts.switching.cost.launch = Seconds(3);
    BuildExact(3);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 10)});
    FailServer(1, 0.5, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).reason, "failed");
    EXPECT_EQ(GetRun(2, 2).start, Seconds(2.5));
    EXPECT_EQ(m_done[2], 2.5 + 3 + 10);
}

TEST_F(ServerFailuresTest, WhatWasBeingSavedIsLost)
{
    // Job 2 gives way to job 3 at 10.25 s, stops at 11 s and would have saved until 13 s.
    m_queue = CreatePolicy<JobQueuePolicy>("srtf");
    m_queue->SetAttribute("Preemptive", BooleanValue(true));
    m_parts.switching.cost.save = Seconds(2);
    BuildExact(2);
    m_manager->Submit({MakeHolder(1, 200, {{0, 0}}),
                       MakePlain(2, Seconds(0), 100),
                       MakePlain(3, Seconds(10.25), 20)});
    FailServer(1, 12, 8);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).reason, "failed");
    EXPECT_EQ(GetRun(2, 1).iterations, 11U);
    EXPECT_EQ(GetRun(3, 1).start, Seconds(20));
    EXPECT_EQ(m_done[3], 40);
    EXPECT_EQ(GetRun(2, 2).iterations, 100U);
    EXPECT_EQ(m_done[2], 140);
    ExpectAllIterations({2}, 100);
}

TEST_F(ServerFailuresTest, WhatWasSavedIsNot)
{
    // The same, but server 1 fails at 35 s: job 2 is back since 33 s, with 11 iterations done.
    m_queue = CreatePolicy<JobQueuePolicy>("srtf");
    m_queue->SetAttribute("Preemptive", BooleanValue(true));
    m_parts.switching.cost.save = Seconds(2);
    BuildExact(2);
    m_manager->Submit({MakeHolder(1, 200, {{0, 0}}),
                       MakePlain(2, Seconds(0), 100),
                       MakePlain(3, Seconds(10.25), 20)});
    FailServer(1, 35.5, 1);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 2).start, Seconds(33));
    EXPECT_EQ(GetRun(2, 2).iterations, 2U);
    EXPECT_EQ(GetRun(2, 2).reason, "failed");
    EXPECT_EQ(GetRun(2, 3).iterations, 89U);
    EXPECT_EQ(m_done[2], 36.5 + 89);
}

TEST_F(ServerFailuresTest, TheJobsOfACojobLoseTheirGpusTogether)
{
    // Job 32, on server 2, is told to stop at 6.5 s: nothing of what it has done was saved.
    BuildExact(4);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}),
                       MakeCojob(3, Seconds(0), {10, 5}, {MakeJob(31), MakeJob(32)})});
    FailServer(1, 4.5, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(31, 1).reason, "failed");
    EXPECT_EQ(GetRun(31, 1).iterations, 4U);
    EXPECT_EQ(GetRun(32, 1).reason, "failed");
    EXPECT_EQ(GetRun(32, 1).iterations, 6U);
    EXPECT_EQ(GetRun(32, 2).repeated, 6U);
    EXPECT_EQ(GetRun(31, 2).start, Seconds(6.5));
    EXPECT_EQ(GetRun(32, 2).start, Seconds(6.5));
    EXPECT_EQ(GetEnd(3, 1), 16.5);
    EXPECT_EQ(GetEnd(3, 2), 21.5);
    ExpectAllIterations({31}, 15);
    ExpectAllIterations({32}, 15);
}

TEST_F(ServerFailuresTest, AStageThatWasReportedIsNotDoneAgain)
{
    BuildExact(4);
    m_manager->Submit({MakeHolder(1, 50, {{0, 0}}),
                       MakeCojob(3, Seconds(0), {10, 5}, {MakeJob(31), MakeJob(32)})});
    FailServer(1, 12.5, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(31, 2).start, Seconds(14.5));
    EXPECT_EQ(GetRun(31, 2).iterations, 5U);
    EXPECT_EQ(GetRun(32, 2).iterations, 5U);
    EXPECT_EQ(GetEnd(3, 1), 10);
    EXPECT_EQ(GetEnd(3, 2), 19.5);
}

TEST_F(ServerFailuresTest, AMoveToAServerThatFailsEnds)
{
    // Job 3 is told at 12.5 s to move from servers 1 and 2 to server 1, where it is until 13 s.
    // Server 1 fails at 12.75 s, which is known at 13 s. Job 2 leaves server 2 at 50 s.
    m_detection = Seconds(0.25);
    m_placement = CreatePolicy<PlacementPolicy>("gandiva");
    m_parts.switching.cost.save = Seconds(0.5);
    BuildExact(3, 2);
    m_manager->SetAttribute("Improve", TimeValue(Seconds(2.5)));
    m_manager->Submit({MakeHolder(4, 200, {{0, 0}, {0, 1}}),
                       MakeHolder(1, 10, {{1, 0}}),
                       MakeHolder(2, 50, {{2, 0}}),
                       MakePlain(3, Seconds(0), 30, 2)});
    FailServer(1, 12.75, 1000);
    RunToTheEnd();
    EXPECT_EQ(GetRun(3, 1).reason, "failed");
    EXPECT_EQ(GetRun(3, 1).iterations, 12U);
    EXPECT_EQ(GetRun(3, 1).end, Seconds(13));
    EXPECT_EQ(GetRun(3, 2).start, Seconds(50));
    EXPECT_EQ(m_done[3], 80);
}

TEST_F(ServerFailuresTest, NobodyGivesWayToAJobWhoseServerIsBack)
{
    // Job 2 fails at 4.5 s with server 1, which is back at 5.5 s, before it is missed. It goes
    // before job 3 on server 2, and need not, as server 1 is there.
    m_queue = CreatePolicy<JobQueuePolicy>("srtf");
    m_queue->SetAttribute("Preemptive", BooleanValue(true));
    BuildExact(3);
    m_manager->Submit(
        {MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 10), MakePlain(3, Seconds(0), 40)});
    FailServer(1, 4.5, 1);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 2).start, Seconds(5.5));
    EXPECT_EQ(GetRun(2, 2).placement.workers.front().host, HostId{1});
    EXPECT_EQ(GetRun(3, 1).reason, "done");
}

TEST_F(ServerFailuresTest, ReportsComeAtTheirTimes)
{
    // Job 1 is over at 43 s. Reports at 0, 5, 10 s ...: its GPU is known to be free at 45 s, and
    // job 2 has its 10 s from there; with a first report at 3 s, at 43 s. Told at once: at 43 s.
    const std::vector<std::pair<double, double>> cases = {{5, 0}, {5, 3}, {5, 4}, {0, 0}};
    const std::vector<double> starts = {45, 43, 44, 43};
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        BuildExact(1);
        m_agents.front()->SetAttribute("ReportInterval", TimeValue(Seconds(cases[i].first)));
        m_agents.front()->SetAttribute("ReportPhase", TimeValue(Seconds(cases[i].second)));
        m_manager->Submit({MakePlain(1, Seconds(0), 43), MakePlain(2, Seconds(0), 10)});
        RunToTheEnd();
        EXPECT_EQ(m_done[1], 43);
        EXPECT_EQ(GetRun(2, 1).start, Seconds(starts[i])) << i;
        EXPECT_EQ(m_done[2], starts[i] + 10);
        TearDown();
    }
}

TEST_F(ServerFailuresTest, JobsLaunchTrainAndSave)
{
    // T_l 12 s, training 30 s, T_sa 4 s: job 1 trains from 12 to 42 s and holds its GPU until 46 s.
    // Told at once, job 2 trains from 58 to 88 s; with reports every 5 s it starts at 50 s, trains
    // from 62 to 92 s, and is through at 96 s.
    for (const double interval : {0.0, 5.0})
    {
        m_parts.switching.cost.launch = Seconds(12);
        m_parts.switching.cost.finish = Seconds(4);
        BuildExact(1);
        m_agents.front()->SetAttribute("ReportInterval", TimeValue(Seconds(interval)));
        m_manager->Submit({MakePlain(1, Seconds(0), 30), MakePlain(2, Seconds(0), 30)});
        RunToTheEnd();
        EXPECT_EQ(m_done[1], 42);
        EXPECT_EQ(GetRun(1, 1).end, Seconds(46));
        EXPECT_EQ(GetRun(1, 1).switching, Seconds(12 + 4));
        EXPECT_EQ(GetRun(2, 1).start, Seconds(interval > 0 ? 50 : 46));
        EXPECT_EQ(m_done[2], interval > 0 ? 92 : 88);
        EXPECT_EQ(GetRun(2, 1).end, Seconds(interval > 0 ? 96 : 92));
        TearDown();
    }
}

TEST_F(ServerFailuresTest, AMachineThatFailsWhileAJobSavesItsResults)
{
    // Job 2 is over at 4 s and saves until 10 s on server 1, which fails at 5 s and is back at 6 s:
    // its GPU is free then, and the job is done.
    m_parts.switching.cost.finish = Seconds(6);
    BuildExact(2);
    m_manager->Submit(
        {MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 4), MakePlain(3, Seconds(1), 10)});
    FailServer(1, 5, 1);
    RunToTheEnd();
    EXPECT_EQ(m_done[2], 4);
    EXPECT_EQ(GetRun(3, 1).start, Seconds(6));
    EXPECT_EQ(m_done[3], 16);
}

TEST_F(ServerFailuresTest, AReportThatIsNotSentDiesWithItsMachine)
{
    // Job 2 is over at 4 s on server 1, which would say so at 5 s, and fails at 4.5 s; that is
    // known at 6.5 s. Job 3 waits until server 1 is back at 9 s.
    BuildExact(2);
    m_agents.back()->SetAttribute("ReportInterval", TimeValue(Seconds(5)));
    m_manager->Submit(
        {MakeHolder(1, 50, {{0, 0}}), MakePlain(2, Seconds(0), 4), MakePlain(3, Seconds(1), 10)});
    FailServer(1, 4.5, 4.5);
    RunToTheEnd();
    EXPECT_EQ(m_done[2], 4);
    EXPECT_EQ(GetRun(3, 1).start, Seconds(9));
    EXPECT_EQ(m_done[3], 19);
}

TEST_F(ServerFailuresTest, WrongFailuresAreRefused)
{
    m_parts.switching.storage = StorageSpec{HostId{2}, 1.0};
    BuildExact(3);
    EXPECT_THROW(m_failures->Schedule({Seconds(1), 3, Seconds(1)}), InputError);
    EXPECT_THROW(m_failures->Schedule({Seconds(1), 2, Seconds(1)}), InputError); // storage
    EXPECT_THROW(m_failures->Schedule({Seconds(1), 0, Seconds(1)}), InputError); // coordinator
}

/** Over every transport, with control messages on the wire. */
class FailureStormTest : public test::FailureFixture,
                         public testing::WithParamInterface<std::string>
{
  protected:
    static constexpr uint32_t LARGE_MTU = 9000; //!< for tcp, which a packet costs ten times as much

    static ObjectFactory Uniform(double min, double max)
    {
        ObjectFactory factory("ns3::UniformRandomVariable");
        factory.Set("Min", DoubleValue(min));
        factory.Set("Max", DoubleValue(max));
        return factory;
    }

    /** \return a ring with jitter, which takes some hundreds of microseconds an iteration */
    static JobSpec MakeRing(uint32_t id, uint32_t workers, uint64_t bytes = 100000)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "ring";
        job.model.bytes = bytes;
        job.model.forward = MicroSeconds(100);
        job.model.backward = MicroSeconds(200);
        job.noise.jitter = Uniform(0.5, 1.5);
        job.workers = workers;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        return job;
    }

    void TakeGpus(CojobId group, bool kill)
    {
        if (m_manager->IsRunning(group))
        {
            kill ? m_manager->Kill(group) : m_manager->Suspend(group);
        }
    }

    void BuildWith(const std::string& scheduler)
    {
        test::SetUpSpec spec;
        spec.mtu = GetParam() == "tcp" ? LARGE_MTU : spec.mtu;
        spec.hosts = 6;
        spec.gpus = 1;
        spec.scheduler = scheduler;
        spec.control = "in-band";
        spec.placement = CreatePolicy<PlacementPolicy>("random");
        spec.transport = CreatePolicy<Transport>(GetParam());
        BuildCluster(spec);
    }
};

TEST_P(FailureStormTest, AtRandomInstants)
{
    constexpr uint64_t ITERATIONS = 10;
    const auto seeds = HowOften(GetParam() == "tcp" ? 30U : 200U, 500U);
    std::size_t failed = 0;
    const ProcessStateGuard guard;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        const std::string scheduler = seed % 4 == 0   ? "grouper"
                                      : seed % 4 == 1 ? "sincronia"
                                      : seed % 4 == 2 ? "sebf"
                                                      : "fair-share";
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + scheduler);
        RngSeedManager::SetRun(seed);
        auto draw = CreateObject<UniformRandomVariable>();
        m_detection = NanoSeconds(draw->GetInteger(0, 3000000));
        m_parts.switching = {};
        if (seed % 3 == 0)
        {
            m_parts.switching.cost.save = MicroSeconds(50);
            m_parts.switching.checkpointEvery = 3;
            m_parts.switching.storage = StorageSpec{HostId{0}, 1.0};
        }
        BuildWith(scheduler);
        if (scheduler == "fair-share")
        {
            m_parts.coordinator->GetGateKeeper().Install(
                CreatePolicy<CommunicationGate>(seed % 2 == 0 ? "ada-dual" : "cassini"),
                m_plane,
                GetCalibratedModel("fluid", "", DataRate("10Gbps")),
                LinkMap(*m_fabric));
        }
        m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakeRing(1, 3)}),
                           MakeCojob(2, Time(), {5, 5}, {MakeRing(2, 1), MakeRing(3, 1)}),
                           MakeCojob(3, MicroSeconds(700), {ITERATIONS}, {MakeRing(4, 4)})});
        for (uint32_t i = 0; i < 3; ++i)
        {
            const CojobId group{draw->GetInteger(1, 3)};
            const bool kill = draw->GetInteger(0, 2) == 0;
            Simulator::Schedule(NanoSeconds(draw->GetInteger(1, 10000000)),
                                [this, group, kill]() { TakeGpus(group, kill); });
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_failures->Schedule({NanoSeconds(draw->GetInteger(0, 10000000)),
                                  draw->GetInteger(1, 5),
                                  NanoSeconds(draw->GetInteger(1, 5000000))});
        }
        RunToTheEnd();
        for (uint32_t job = 1; job <= 4; ++job)
        {
            ExpectAllIterations({job}, ITERATIONS);
        }
        failed += std::count_if(m_ended.begin(), m_ended.end(), [](const auto& run) {
            return run.reason == "failed";
        });
        if (HasFailure())
        {
            return;
        }
        TearDown();
    }
    EXPECT_GE(failed, seeds);
}

TEST_P(FailureStormTest, ManyJobsWithLeasesLinksThatFlapAndServersThatFail)
{
    constexpr uint32_t JOBS = 200;
    test::SetUpSpec spec;
    spec.hosts = 8;
    spec.gpus = 2;
    spec.shape.SetTypeId("ns3::ddl::LeafSpineTopology");
    spec.shape.Set("Leaves", UintegerValue(2));
    spec.shape.Set("HostsPerLeaf", StringValue("4"));
    spec.queue = CreatePolicy<JobQueuePolicy>("2d-las"); // equals take turns
    spec.scheduler = "fair-share";
    spec.control = "in-band";
    spec.transport = CreatePolicy<Transport>(GetParam());
    spec.mtu = GetParam() == "tcp" ? LARGE_MTU : spec.mtu;
    m_detection = MilliSeconds(1);
    BuildCluster(spec);
    m_manager->SetAttribute("Lease", TimeValue(MilliSeconds(1)));
    auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(3);
    std::vector<CojobSpec> cojobs;
    std::map<uint32_t, uint64_t> iterations;
    for (uint32_t id = 1; id <= JOBS; ++id)
    {
        iterations[id] = draw->GetInteger(5, 40);
        cojobs.push_back(MakeCojob(id,
                                   MicroSeconds(draw->GetInteger(0, 20000)),
                                   {iterations[id]},
                                   {MakeRing(id, draw->GetInteger(1, 6), 20000)}));
    }
    m_manager->Submit(cojobs);
    for (uint32_t i = 0; i < JOBS / 4; ++i)
    {
        m_failures->Schedule({MicroSeconds(draw->GetInteger(0, 100000)),
                              draw->GetInteger(1, 7),
                              MicroSeconds(draw->GetInteger(1, 8000))});
        const std::string leaf = "leaf" + std::to_string(draw->GetInteger(0, 1));
        const Time down = MicroSeconds(draw->GetInteger(0, 100000));
        m_fabric->ScheduleLinkUp(down, leaf, "spine0", false);
        m_fabric->ScheduleLinkUp(down + MicroSeconds(draw->GetInteger(1, 3000)),
                                 leaf,
                                 "spine0",
                                 true);
    }
    RunToTheEnd();
    for (const auto& [job, count] : iterations)
    {
        ExpectAllIterations({job}, count);
    }
    std::map<std::string, uint32_t> reasons;
    for (const auto& run : m_ended)
    {
        ++reasons[run.reason];
    }
    EXPECT_EQ(reasons["done"], JOBS);
    EXPECT_GE(reasons["failed"], JOBS / 10);
    EXPECT_GE(reasons["suspended"], JOBS / 10);
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         FailureStormTest,
                         testing::Values("fluid", "rdma", "tcp"),
                         [](const auto& info) { return info.param; });

} // namespace
