// SPDX-License-Identifier: GPL-2.0-only
// Checkpoints: when they are made, what they take, what they save from a failure, and what they
// move through the network where a machine keeps them.
#include "ddl-failure-fixture.h"

#include "ns3/boolean.h"
#include "ns3/ddl-fluid-transport.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Iterations take a second each, and a checkpoint half a second; machine 0 has a GPU that is held
 * for 200 s. */
class CheckpointsTest : public test::ExactFailureFixture
{
  protected:
    CheckpointsTest()
    {
        m_parts.switching.cost.save = Seconds(0.5);
        m_parts.switching.checkpointEvery = 4;
    }

    CojobSpec MakeBlocker() const
    {
        return MakeHolder(1, 200, {{0, 0}});
    }

    void WatchRanks()
    {
        for (const auto& agent : m_agents)
        {
            agent->TraceConnectWithoutContext("Rank",
                                              MakeCallback(&CheckpointsTest::NoteRank, this));
        }
    }

    void NoteRank(const RankEvent& event)
    {
        if (event.kind == RankEvent::Kind::FINISHED && event.job == JobId{2})
        {
            m_finished[event.machine] = Simulator::Now().GetSeconds();
        }
    }

    /** Jobs with shorter work before them go first. */
    void UsePreemptiveQueue()
    {
        m_queue = CreatePolicy<JobQueuePolicy>("srtf");
        m_queue->SetAttribute("Preemptive", BooleanValue(true));
    }

    std::map<HostId, double> m_finished; //!< when job 2's worker there has finished its last
};

TEST_F(CheckpointsTest, WorkerZeroHoldsStillWhileOneIsMade)
{
    // At 4 s and at 8.5 s; none at the end.
    BuildExact(2);
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10), MakePlain(3, Seconds(0), 8)});
    RunToTheEnd();
    EXPECT_EQ(m_done[2], 11);
    EXPECT_EQ(GetRun(2, 1).checkpoints, 2U);
    EXPECT_EQ(GetRun(2, 1).switching, Seconds(1));
    EXPECT_EQ(GetRun(2, 1).stateBytes, 0U);
    EXPECT_EQ(GetRun(3, 1).checkpoints, 1U);
    EXPECT_EQ(m_done[3], 11 + 8.5);
}

TEST_F(CheckpointsTest, OtherWorkersGoOn)
{
    // Worker 1 is done at 10 s, worker 0 after two checkpoints.
    BuildExact(3);
    WatchRanks();
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10, 2)});
    RunToTheEnd();
    EXPECT_EQ(m_finished, (std::map<HostId, double>{{HostId{1}, 11}, {HostId{2}, 10}}));
}

TEST_F(CheckpointsTest, AJobGoesOnFromTheLastOneWhenItsServerFails)
{
    // Made at 4.5 s; the fifth iteration ends at 5.5 s, the server fails at 6 s, missed at 8 s.
    BuildExact(3);
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10)});
    FailServer(1, 6, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).iterations, 5U);
    EXPECT_EQ(GetRun(2, 2).start, Seconds(8));
    EXPECT_EQ(GetRun(2, 2).iterations, 6U);
    EXPECT_EQ(GetRun(2, 2).repeated, 1U);
    EXPECT_EQ(GetRun(2, 2).lost, Seconds(1.5));
    EXPECT_EQ(m_done[2], 8 + 6 + 0.5);
    ExpectAllIterations({2}, 10);
}

TEST_F(CheckpointsTest, OneThatIsBeingMadeIsOfNoUse)
{
    BuildExact(3);
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10)});
    FailServer(1, 4.25, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).iterations, 4U);
    EXPECT_EQ(GetRun(2, 1).switching, Seconds(0.25));
    EXPECT_EQ(GetRun(2, 2).repeated, 4U);
    EXPECT_EQ(GetRun(2, 2).lost, Seconds(4.25));
    EXPECT_EQ(m_done[2], 6.25 + 11);
}

TEST_F(CheckpointsTest, TheTimeUntilAFailureIsKnownIsNoPartOfSaving)
{
    // The leader fails at 4.25 s; the other machine of the run is told at 6.25 s.
    BuildExact(4);
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10, 2)});
    FailServer(1, 4.25, 100);
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).end, Seconds(6.25));
    EXPECT_EQ(GetRun(2, 1).switching, Seconds(0.25));
}

TEST_F(CheckpointsTest, OneServesASuspensionThatComesMeanwhile)
{
    // Job 3 comes while job 2 makes its checkpoint of 4 iterations: that is the one it leaves with.
    UsePreemptiveQueue();
    BuildExact(2);
    m_manager->Submit(
        {MakeBlocker(), MakePlain(2, Seconds(0), 10), MakePlain(3, Seconds(4.25), 2)});
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).end, Seconds(4.5));
    EXPECT_EQ(GetRun(2, 1).switching, Seconds(0.5));
    EXPECT_EQ(GetRun(2, 2).start, Seconds(6.5));
    EXPECT_EQ(GetRun(2, 2).repeated, 0U);
    EXPECT_EQ(m_done[2], 6.5 + 6 + 0.5);
}

TEST_F(CheckpointsTest, AModelMayTakeItsOwnTime)
{
    ModelSwitchCost other;
    other.model = "compute";
    other.launch = Seconds(3);
    other.save = Seconds(1);
    m_parts.switching.models = {other};
    BuildExact(2);
    m_manager->Submit({MakeBlocker(), MakePlain(2, Seconds(0), 10)});
    RunToTheEnd();
    EXPECT_EQ(m_done[2], 3 + 10 + 2 * 1);
    EXPECT_EQ(GetRun(2, 1).switching, Seconds(5));
}

/** A checkpoint has 1.25 GB, which take a second at 10 Gb/s, and no other time. */
class StorageTest : public CheckpointsTest
{
  protected:
    static constexpr uint64_t BYTES = 1250000000;

    void BuildWithStorage(uint32_t hosts, uint32_t storage)
    {
        m_parts.switching.cost.save = Seconds(0);
        m_parts.switching.storage = StorageSpec{HostId{storage}, 2.0};
        test::SetUpSpec spec;
        spec.hosts = hosts;
        spec.gpus = 1;
        spec.scheduler = "fair-share";
        spec.transport = CreatePolicy<Transport>("fluid");
        spec.transport->SetAttribute("HeaderBytes", UintegerValue(0));
        spec.queue = m_queue;
        BuildCluster(spec);
    }

    static CojobSpec MakeStateful(uint32_t id, Time submit, uint64_t seconds)
    {
        auto cojob = MakePlain(id, submit, seconds);
        cojob.jobs.front().model.bytes = BYTES / 2;
        return cojob;
    }

    /** Frames have a few per cent of overhead, and the way takes microseconds. */
    static constexpr double PART = 0.05;
};

TEST_F(StorageTest, CheckpointsCrossTheNetwork)
{
    BuildWithStorage(3, 2);
    m_manager->Submit({MakeBlocker(), MakeHolder(9, 200, {{2, 0}}), MakeStateful(2, Time(), 10)});
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).stateBytes, 2 * BYTES);
    EXPECT_EQ(GetRun(2, 1).bytes, 0U);
    EXPECT_NEAR(m_done[2], 12, 2 * PART);
}

TEST_F(StorageTest, AResumedJobLoadsItsState)
{
    // Job 3 comes at 2.5 s: job 2 stops at 3 s and is saved at 4 s. Back at 5 s, it loads for 1 s.
    UsePreemptiveQueue();
    m_parts.switching.checkpointEvery = 0;
    BuildWithStorage(3, 2);
    m_manager->Submit({MakeBlocker(),
                       MakeHolder(9, 200, {{2, 0}}),
                       MakeStateful(2, Time(), 10),
                       MakePlain(3, Seconds(2.5), 1)});
    RunToTheEnd();
    EXPECT_NEAR(GetRun(2, 1).end.GetSeconds(), 4, PART);
    EXPECT_NEAR(GetRun(2, 1).switching.GetSeconds(), 1, PART);
    EXPECT_EQ(GetRun(2, 1).stateBytes, BYTES);
    EXPECT_EQ(GetRun(2, 2).stateBytes, BYTES);
    EXPECT_NEAR(GetRun(2, 2).switching.GetSeconds(), 1, PART);
    EXPECT_NEAR(m_done[2], 5 + 1 + 7, 2 * PART);
}

TEST_F(StorageTest, MachinesThatLoadShareItsLink)
{
    // Two workers of job 2, one a machine, get the state over one link: 2 s.
    UsePreemptiveQueue();
    m_parts.switching.checkpointEvery = 0;
    BuildWithStorage(4, 3);
    auto pair = MakePlain(2, Time(), 10, 2);
    pair.jobs.front().model.bytes = BYTES / 2;
    m_manager->Submit(
        {MakeBlocker(), MakeHolder(9, 200, {{3, 0}}), pair, MakePlain(3, Seconds(2.5), 1, 2)});
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).stateBytes, BYTES);
    EXPECT_EQ(GetRun(2, 2).stateBytes, 2 * BYTES);
    EXPECT_NEAR(GetRun(2, 2).switching.GetSeconds(), 2, 2 * PART);
}

TEST_F(StorageTest, AWorkerMayBeBesideIt)
{
    // Nothing of it is on the wire; the machine's own copy takes its time.
    m_parts.switching.checkpointEvery = 4;
    BuildWithStorage(2, 1);
    m_manager->Submit({MakeBlocker(), MakeStateful(2, Time(), 10)});
    RunToTheEnd();
    EXPECT_EQ(GetRun(2, 1).checkpoints, 2U);
    const double local = BYTES * 8 / 126e9;
    EXPECT_NEAR(GetRun(2, 1).switching.GetSeconds(), 2 * local, 1e-4);
    const Ptr<Port> nic = m_fabric->GetHostPort(HostId{1});
    for (uint32_t queue = 0; queue < nic->GetQueues(); ++queue)
    {
        EXPECT_EQ(m_transport->GetTraffic(nic, queue).bytes, 0) << "queue " << queue;
    }
}

} // namespace
