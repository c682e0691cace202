// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-run-leader.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-training-job.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace
{

/** A ring of three workers on machines 0 to 2, iterations 10 and on; what its leader says. */
class RunLeaderTest : public testing::Test
{
  protected:
    ~RunLeaderTest() override
    {
        Simulator::Destroy();
    }

    RunLeader Make(bool reports = false, bool gated = false)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(3));
        const auto cluster = CreateObject<Cluster>(BuildTopology(topology, PortSpec(), HostSpec()));
        JobSpec job;
        job.id = {7};
        job.workers = 3;
        job.model.bytes = 300;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        Placement placement;
        for (uint32_t host = 0; host < 3; ++host)
        {
            cluster->AddMachine({host}, 1, GpuType{});
            placement.workers.push_back({{host}, 0});
        }
        RunSpec run = MakeRun(job, {1}, placement, *cluster);
        run.number = 2;
        run.first = 10;
        run.reportsIterations = reports;
        run.isGated = gated;
        run.iterations = 100;
        run.checkpointEvery = m_checkpointEvery;
        return RunLeader(
            std::make_shared<const RunSpec>(run),
            [this](const ControlMessage& message) { Hear(message); },
            [this](uint64_t iterations) {
                m_told.push_back("save " + std::to_string(iterations));
            });
    }

    static void All(RunLeader& leader, WorkersPoint point, uint64_t iteration)
    {
        for (int machine = 0; machine < 3; ++machine)
        {
            leader.Note({{7}, 2, point, iteration});
        }
    }

    void Hear(const ControlMessage& message)
    {
        if (const auto* done = std::get_if<StageDone>(&message))
        {
            m_told.push_back("stage " + std::to_string(done->stage));
        }
        else if (const auto* drained = std::get_if<JobDrained>(&message))
        {
            m_told.push_back("run " + std::to_string(drained->run) + " drained at " +
                             std::to_string(drained->iterations));
        }
        else if (const auto* saved = std::get_if<CheckpointSaved>(&message))
        {
            m_told.push_back("run " + std::to_string(saved->run) + " saved at " +
                             std::to_string(saved->iterations));
        }
        else if (const auto* started = std::get_if<CoflowStarted>(&message))
        {
            m_told.push_back("start " + std::to_string(started->iteration));
        }
        else if (const auto* ended = std::get_if<CoflowEnded>(&message))
        {
            m_told.push_back("end " + std::to_string(ended->iteration));
        }
        else if (const auto* request = std::get_if<GateRequest>(&message))
        {
            m_told.push_back("ask " + std::to_string(request->iteration) + " for " +
                             std::to_string(request->bytes));
        }
    }

    uint64_t m_checkpointEvery{0};
    std::vector<std::string> m_told;
};

using Lines = std::vector<std::string>;

TEST_F(RunLeaderTest, AStageIsDoneWhenTheLastMachineHasSaidSo)
{
    RunLeader leader = Make();
    leader.StartStage(3, 5);
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    EXPECT_EQ(m_told, Lines{});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    EXPECT_EQ(m_told, (Lines{"stage 3"}));
    leader.StartStage(4, 2);
    All(leader, WorkersPoint::FINISHED, 17);
    EXPECT_EQ(m_told, (Lines{"stage 3", "stage 4"}));
}

TEST_F(RunLeaderTest, OthersMayFinishBeforeTheLeaderHasStarted)
{
    RunLeader leader = Make();
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    leader.StartStage(1, 5);
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 15});
    EXPECT_EQ(m_told, (Lines{"stage 1"}));
}

TEST_F(RunLeaderTest, APausedJobIsDrainedAtTheIterationThatItWasGiven)
{
    RunLeader leader = Make();
    leader.StartStage(1, 90);
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    leader.StopBefore(12);
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    EXPECT_EQ(m_told, Lines{});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    EXPECT_EQ(m_told, (Lines{"save 12"}));
    leader.NoteSaved(12);
    EXPECT_EQ(m_told, (Lines{"save 12", "run 2 drained at 12"}));
}

TEST_F(RunLeaderTest, ACheckpointCountsWhenAllHaveFinished)
{
    m_checkpointEvery = 6;
    RunLeader leader = Make();
    leader.StartStage(1, 90);
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    leader.NoteSaved(12); // worker 0 was the first
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    EXPECT_EQ(m_told, Lines{});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 12});
    EXPECT_EQ(m_told, (Lines{"run 2 saved at 12"}));
    All(leader, WorkersPoint::FINISHED, 18);
    leader.NoteSaved(18); // worker 0 took its time
    EXPECT_EQ(m_told, (Lines{"run 2 saved at 12", "run 2 saved at 18"}));
}

TEST_F(RunLeaderTest, WorkerZeroMayBeSeveralCheckpointsAhead)
{
    m_checkpointEvery = 6;
    RunLeader leader = Make();
    leader.StartStage(1, 90);
    leader.NoteSaved(12);
    leader.NoteSaved(18);
    EXPECT_EQ(m_told, Lines{});
    All(leader, WorkersPoint::FINISHED, 12);
    EXPECT_EQ(m_told, (Lines{"run 2 saved at 12"}));
    All(leader, WorkersPoint::FINISHED, 18);
    EXPECT_EQ(m_told, (Lines{"run 2 saved at 12", "run 2 saved at 18"}));
}

TEST_F(RunLeaderTest, WhatARunBeganWithIsNotSavedAgain)
{
    RunLeader leader = Make();
    leader.StartStage(1, 90);
    leader.StopBefore(10);
    EXPECT_EQ(m_told, (Lines{"run 2 drained at 10"}));
}

TEST_F(RunLeaderTest, APauseAtACheckpointIsToldOnce)
{
    m_checkpointEvery = 6;
    RunLeader leader = Make();
    leader.StartStage(1, 90);
    All(leader, WorkersPoint::FINISHED, 12);
    leader.StopBefore(12);
    leader.NoteSaved(12);
    leader.NoteSaved(12);
    EXPECT_EQ(m_told, (Lines{"save 12", "run 2 drained at 12"}));
}

TEST_F(RunLeaderTest, APauseBehindTheLastIterationOfAStageIsBoth)
{
    RunLeader leader = Make();
    leader.StartStage(1, 5);
    All(leader, WorkersPoint::FINISHED, 15);
    leader.StopBefore(15);
    EXPECT_EQ(m_told, (Lines{"stage 1", "save 15"}));
}

TEST_F(RunLeaderTest, ACoflowStartsWithTheFirstMachineAndEndsWithTheLast)
{
    RunLeader leader = Make(true);
    leader.StartStage(1, 2);
    leader.Note({{7}, 2, WorkersPoint::SENDING, 11});
    leader.Note({{7}, 2, WorkersPoint::SENDING, 11});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 11});
    leader.Note({{7}, 2, WorkersPoint::SENDING, 12}); // of the machine that is ahead
    leader.Note({{7}, 2, WorkersPoint::SENDING, 11});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 11});
    leader.Note({{7}, 2, WorkersPoint::FINISHED, 11});
    EXPECT_EQ(m_told, (Lines{"start 11", "start 12", "end 11"}));
    All(leader, WorkersPoint::FINISHED, 12);
    EXPECT_EQ(m_told, (Lines{"start 11", "start 12", "end 11", "end 12", "stage 1"}));
}

TEST_F(RunLeaderTest, AGatedJobAsksWhenAllAreReady)
{
    RunLeader leader = Make(false, true);
    leader.StartStage(1, 2);
    leader.Note({{7}, 2, WorkersPoint::READY, 11});
    leader.Note({{7}, 2, WorkersPoint::READY, 11});
    EXPECT_EQ(m_told, Lines{});
    leader.Note({{7}, 2, WorkersPoint::READY, 11});
    EXPECT_EQ(m_told, (Lines{"ask 11 for 400"})); // 2 (N - 1) / N of 300 B
    All(leader, WorkersPoint::FINISHED, 11);
    EXPECT_EQ(m_told, (Lines{"ask 11 for 400", "end 11"}));
}

} // namespace
} // namespace ns3::ddl
