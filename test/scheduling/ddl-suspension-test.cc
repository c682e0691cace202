// SPDX-License-Identifier: GPL-2.0-only
// Jobs that lose their GPUs at any instant and go on elsewhere: every iteration once, every byte
// accounted for, nothing left behind.
#include "ddl-process-state.h"
#include "ddl-scheduling-fixture.h"
#include "ddl-slow.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-packet-audit.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** How often each of a job's iterations was finished, and what was on the way when. */
struct Work
{
    std::vector<uint64_t> iterations; //!< in the order in which they were over, from 1
    std::vector<Placement> placements;
    uint64_t bytes{0};
    uint64_t delivered{0};
    uint64_t ofIteration{0}; //!< bytes
};

class SuspensionTest : public test::SchedulingFixture,
                       public testing::WithParamInterface<std::string>
{
  protected:
    static constexpr uint32_t HOSTS = 6;
    static constexpr uint32_t LARGE_MTU = 9000; //!< a packet costs tcp ten times as much as others

    void BuildCluster(const std::string& scheduler = "fair-share")
    {
        test::SetUpSpec spec;
        spec.mtu = GetParam() == "tcp" ? LARGE_MTU : spec.mtu;
        spec.hosts = HOSTS;
        spec.gpus = 1;
        spec.scheduler = scheduler;
        spec.control = "in-band";
        spec.placement = CreatePolicy<PlacementPolicy>("random");
        spec.transport = CreatePolicy<Transport>(GetParam());
        Build(spec);
        m_observer->TraceConnectWithoutContext("JobStart",
                                               MakeCallback(&SuspensionTest::NoteJob, this));
    }

    static ObjectFactory Uniform(double min, double max)
    {
        ObjectFactory factory("ns3::UniformRandomVariable");
        factory.Set("Min", DoubleValue(min));
        factory.Set("Max", DoubleValue(max));
        return factory;
    }

    /** \return a ring with jitter, which takes some milliseconds an iteration */
    static JobSpec MakeRing(uint32_t id, uint32_t workers)
    {
        JobSpec job;
        job.id = {id};
        job.model.name = "ring";
        job.model.bytes = 100000;
        job.model.forward = MicroSeconds(100);
        job.model.backward = MicroSeconds(200);
        job.noise.jitter = Uniform(0.5, 1.5);
        job.workers = workers;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        return job;
    }

    /** \return the same with a parameter server that takes a GPU, as its workers do */
    static JobSpec MakePushPull(uint32_t id, uint32_t workers)
    {
        JobSpec job = MakeRing(id, workers);
        job.servers = 1;
        job.serverGpus = 1;
        job.pattern.SetTypeId("ns3::ddl::ParameterServerCommunicationPattern");
        return job;
    }

    /** Suspend, or kill, a group that runs at that instant; otherwise do nothing. */
    void TakeGpus(CojobId group, bool kill)
    {
        if (m_manager->IsRunning(group))
        {
            ++m_taken;
            kill ? m_manager->Kill(group) : m_manager->Suspend(group);
        }
    }

    /** Six times within 10 ms, one of the groups 1 to 3; a third of the times it is killed. */
    void TakeGpusAtRandomInstants()
    {
        auto draw = CreateObject<UniformRandomVariable>();
        for (uint32_t i = 0; i < 6; ++i)
        {
            const CojobId group{draw->GetInteger(1, 3)};
            const bool kill = draw->GetInteger(0, 2) == 0;
            Simulator::Schedule(NanoSeconds(draw->GetInteger(1, 10000000)),
                                [this, group, kill]() { TakeGpus(group, kill); });
        }
    }

    void NoteJob(Ptr<Job> job)
    {
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&SuspensionTest::NoteIteration, this));
        job->TraceConnectWithoutContext("Launched",
                                        MakeCallback(&SuspensionTest::NoteLaunch, this));
        job->TraceConnectWithoutContext("Stopped",
                                        MakeCallback(&SuspensionTest::NoteStopped, this));
    }

    void NoteLaunch(Ptr<const Job> job)
    {
        m_work[job->GetId()].placements.push_back(job->GetPlacement());
    }

    void NoteIteration(const IterationRecord& record)
    {
        m_work[record.job].iterations.push_back(record.iteration);
        m_work[record.job].ofIteration = record.bytes;
    }

    void NoteStopped(Ptr<const Job> job)
    {
        m_work[job->GetId()].bytes = job->GetBytes();
        m_work[job->GetId()].delivered = job->GetDeliveredBytes();
    }

    /** Until the last job has left, and then until nothing is left to happen. */
    static void RunToTheEnd()
    {
        Simulator::Run();
        Simulator::Run();
        EXPECT_TRUE(Simulator::IsFinished());
    }

    /** All jobs are done, each did every iteration once, and they have left nothing behind. */
    void ExpectAllDone(uint64_t iterations)
    {
        EXPECT_TRUE(m_allDone);
        EXPECT_TRUE(m_manager->GetUnfinished().empty());
        std::vector<uint64_t> each(iterations);
        std::iota(each.begin(), each.end(), uint64_t{1});
        for (const auto& [job, work] : m_work)
        {
            EXPECT_EQ(work.iterations, each) << "job " << job;
        }
        for (const auto& machine : m_parts.cluster->GetView().machines)
        {
            for (const auto& gpu : machine.gpus)
            {
                EXPECT_TRUE(gpu.free) << "machine " << machine.host;
            }
        }
        for (const auto& agent : m_agents)
        {
            EXPECT_EQ(agent->CountJobs(), 0U) << "machine " << agent->GetHost();
        }
        // Streams of control messages stay: two a machine that the coordinator talks with.
        EXPECT_LE(m_transport->GetSendingCount(), 2U * HOSTS);
        EXPECT_LE(m_transport->GetReceivingCount(), 2U * HOSTS);
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
        EXPECT_TRUE(AuditPackets(m_fabric).empty());
    }

    /** Take the cluster down and forget what happened, for another one. */
    void Clear()
    {
        TearDown();
        m_work.clear();
        m_stages.clear();
        m_events.clear();
        m_allDone = false;
    }

    std::map<JobId, Work> m_work;
    uint32_t m_taken{0};
};

TEST_P(SuspensionTest, ARingDoesEveryIterationOnceWhereverItRuns)
{
    constexpr uint64_t ITERATIONS = 12;
    BuildCluster();
    m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakeRing(1, 3)})});
    for (const double ms : {0.05, 1.03, 1.9, 2.6, 4.1})
    {
        Simulator::Schedule(MicroSeconds(static_cast<int64_t>(ms * 1000)),
                            [this]() { TakeGpus({1}, false); });
    }
    RunToTheEnd();
    ExpectAllDone(ITERATIONS);
    EXPECT_GE(m_taken, 4U);
    const Work& work = m_work[JobId{1}];
    EXPECT_EQ(work.placements.size(), m_taken + 1);
    EXPECT_EQ(work.bytes, ITERATIONS * work.ofIteration);
    EXPECT_EQ(work.delivered, work.bytes);
}

TEST_P(SuspensionTest, AKilledRunLosesItsOpenIterationsOnly)
{
    constexpr uint64_t ITERATIONS = 12;
    BuildCluster();
    m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakeRing(1, 3)})});
    for (const double ms : {0.31, 1.13, 2.6, 4.1})
    {
        Simulator::Schedule(MicroSeconds(static_cast<int64_t>(ms * 1000)),
                            [this]() { TakeGpus({1}, true); });
    }
    RunToTheEnd();
    ExpectAllDone(ITERATIONS);
    const Work& work = m_work[JobId{1}];
    EXPECT_GE(work.bytes, ITERATIONS * work.ofIteration);
    EXPECT_LE(work.bytes, (ITERATIONS + 2 * m_taken) * work.ofIteration); // two may be open at once
    EXPECT_GE(work.delivered, ITERATIONS * work.ofIteration);
}

TEST_P(SuspensionTest, AKillThatCrossesTheEndOfAStage)
{
    // The leader, on the coordinator's machine, is stopped before the other machine's word that the
    // stage is done has come; or at other instants about the end.
    constexpr uint64_t ITERATIONS = 3;
    Time end;
    for (const int64_t ns : {-1, 0, 1, 300, 600, 1000, 1500, 2000, 2500, 3000, 4000, 6000})
    {
        SCOPED_TRACE(std::to_string(ns) + " ns behind the end of the stage");
        BuildCluster();
        JobSpec job = MakeRing(1, 2);
        job.placement = Placement{{GpuId{{0}, 0}, GpuId{{1}, 0}}, {}};
        m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS, ITERATIONS}, {job})});
        if (ns >= 0)
        {
            Simulator::Schedule(end + NanoSeconds(ns), [this]() { TakeGpus({1}, true); });
        }
        RunToTheEnd();
        ExpectAllDone(2 * ITERATIONS);
        ASSERT_EQ(m_stages.size(), 2U);
        end = ns < 0 ? m_stages.front().end : end;
        Clear();
    }
    EXPECT_GE(m_taken, 10U);
}

TEST_P(SuspensionTest, CojobsKeepTheirStages)
{
    // Three rings of two, two stages, of which one leaves after the first; twice as many as fit.
    constexpr uint64_t ITERATIONS = 5;
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        BuildCluster("grouper");
        std::vector<CojobSpec> cojobs;
        for (uint32_t c = 0; c < 2; ++c)
        {
            std::vector<JobSpec> jobs;
            for (uint32_t j = 1; j <= 3; ++j)
            {
                jobs.push_back(MakeRing(3 * c + j, 2));
            }
            jobs[1].stopAfter = 1;
            cojobs.push_back(MakeCojob(c + 1, Time(), {ITERATIONS, ITERATIONS}, jobs));
        }
        m_manager->Submit(cojobs);
        auto draw = CreateObject<UniformRandomVariable>();
        draw->SetStream(seed);
        for (uint32_t i = 0; i < 8; ++i)
        {
            const CojobId group{draw->GetInteger(1, 2)};
            const bool kill = draw->GetInteger(0, 3) == 0;
            Simulator::Schedule(MicroSeconds(draw->GetInteger(1, 12000)),
                                [this, group, kill]() { TakeGpus(group, kill); });
        }
        RunToTheEnd();
        EXPECT_TRUE(m_allDone);
        for (const auto& [job, work] : m_work)
        {
            std::vector<uint64_t> each(job.value % 3 == 2 ? ITERATIONS : 2 * ITERATIONS);
            std::iota(each.begin(), each.end(), uint64_t{1});
            EXPECT_EQ(work.iterations, each) << "job " << job;
        }
        EXPECT_EQ(m_stages.size(), 4U);
        EXPECT_TRUE(AuditPackets(m_fabric).empty());
        Clear();
    }
    EXPECT_GE(m_taken, 40U);
}

TEST_P(SuspensionTest, AtRandomInstants)
{
    constexpr uint64_t ITERATIONS = 10;
    const auto seeds = HowOften(GetParam() == "tcp" ? 30U : 200U, 500U);
    const ProcessStateGuard guard;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RngSeedManager::SetRun(seed);
        BuildCluster();
        m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakeRing(1, 3)}),
                           MakeCojob(2, Time(), {ITERATIONS}, {MakeRing(2, 2)}),
                           MakeCojob(3, MicroSeconds(700), {ITERATIONS}, {MakeRing(3, 4)})});
        TakeGpusAtRandomInstants();
        RunToTheEnd();
        ExpectAllDone(ITERATIONS);
        for (const auto& [job, work] : m_work)
        {
            EXPECT_GE(work.delivered, ITERATIONS * work.ofIteration) << "job " << job;
        }
        if (HasFailure())
        {
            return;
        }
        Clear();
    }
    EXPECT_GE(m_taken, 2 * seeds);
}

TEST_P(SuspensionTest, WithServersThatTakeGpus)
{
    // 3, 2 and 4 GPUs of 6.
    constexpr uint64_t ITERATIONS = 10;
    const auto seeds = HowOften(GetParam() == "tcp" ? 30U : 100U, 100U);
    const ProcessStateGuard guard;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RngSeedManager::SetRun(seed);
        BuildCluster();
        m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakePushPull(1, 2)}),
                           MakeCojob(2, Time(), {ITERATIONS}, {MakePushPull(2, 1)}),
                           MakeCojob(3, MicroSeconds(700), {ITERATIONS}, {MakePushPull(3, 3)})});
        TakeGpusAtRandomInstants();
        RunToTheEnd();
        ExpectAllDone(ITERATIONS);
        for (const auto& [job, work] : m_work)
        {
            for (const Placement& placement : work.placements)
            {
                EXPECT_EQ(ListGpus(placement).size(), placement.workers.size() + 1);
            }
        }
        if (HasFailure())
        {
            return;
        }
        Clear();
    }
    EXPECT_GE(m_taken, seeds);
}

/** Coflows are ordered, whose starts, ends and bytes are reported, or transfers ask a gate. */
TEST_P(SuspensionTest, WhereEachIterationIsReported)
{
    constexpr uint64_t ITERATIONS = 10;
    const auto seeds = HowOften(GetParam() == "tcp" ? 21U : 60U, 60U); // a multiple of 3
    const ProcessStateGuard guard;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        const std::string scheduler = seed % 3 == 0   ? "fair-share"
                                      : seed % 3 == 1 ? "sincronia"
                                                      : "sebf";
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + scheduler);
        RngSeedManager::SetRun(seed);
        BuildCluster(scheduler);
        if (scheduler == "fair-share")
        {
            m_parts.coordinator->GetGateKeeper().Install(
                CreatePolicy<CommunicationGate>(seed % 2 == 0 ? "ada-dual" : "cassini"),
                m_plane,
                GetCalibratedModel("fluid", "", DataRate("10Gbps")),
                LinkMap(*m_fabric));
        }
        m_manager->Submit({MakeCojob(1, Time(), {ITERATIONS}, {MakeRing(1, 3)}),
                           MakeCojob(2, Time(), {ITERATIONS}, {MakeRing(2, 2)}),
                           MakeCojob(3, MicroSeconds(700), {ITERATIONS}, {MakeRing(3, 4)})});
        TakeGpusAtRandomInstants();
        RunToTheEnd();
        ExpectAllDone(ITERATIONS);
        EXPECT_EQ(m_parts.coordinator->GetGateKeeper().GetWaiting(), 0U);
        if (HasFailure())
        {
            return;
        }
        Clear();
    }
    EXPECT_GE(m_taken, 2 * seeds);
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         SuspensionTest,
                         testing::Values("fluid", "rdma", "tcp"),
                         [](const auto& info) { return info.param; });

} // namespace
