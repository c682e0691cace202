// SPDX-License-Identifier: GPL-2.0-only
// The coordinator alone: the test plays the agents and says when a message arrives.
#include "ddl-live-groups.h"

#include "ns3/boolean.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Carries messages in 1 ms. */
class SlowControlPlane : public ControlPlane
{
  public:
    std::string GetSummary() const override
    {
        return "for tests: 1 ms each way";
    }

  private:
    uint64_t DoSend(const Path& path, uint64_t bytes, const ControlMessage& message) override
    {
        Simulator::Schedule(MilliSeconds(1),
                            &SlowControlPlane::Deliver,
                            Ptr<SlowControlPlane>(this),
                            path,
                            message);
        return bytes;
    }
};

class CoordinatorTest : public testing::Test, private RunListener
{
  public:
    void Add(uint32_t cojob)
    {
        CojobSpec spec;
        spec.id = {cojob};
        spec.iterations = {10, 10};
        JobSpec job;
        job.id = {cojob};
        GroupRecord& group =
            m_live.Launch(spec, {{job, {{0}, {1}}, {{{0}, 1000, 0}, {{1}, 0, 1000}}}});
        m_coordinator->AddGroup(group);
        group.BeginStage(group.GetCojob().Begin());
        m_coordinator->StartStage(group);
    }

    void Say(uint32_t machine, const ControlMessage& message)
    {
        m_plane->ToCoordinator({machine}, message);
    }

    void Stop(uint32_t cojob)
    {
        m_coordinator->StopJobs({{cojob}});
    }

  protected:
    void Build(const std::string& scheduler)
    {
        Build(CreatePolicy<NetworkScheduler>(scheduler));
    }

    void Build(Ptr<NetworkScheduler> scheduler)
    {
        m_plane->Install(nullptr, {0});
        for (const HostId host : {HostId{0}, HostId{1}})
        {
            m_plane->SetAgentHandler(host, [this, host](const ControlMessage& message) {
                Hear(host, message);
            });
        }
        m_coordinator->SetAttribute("Period", TimeValue(MilliSeconds(100)));
        const std::vector<DataRate> rates(2, DataRate("1Mbps"));
        m_coordinator->Install(scheduler, m_plane, rates);
        m_coordinator->Serve(m_live.m_table, *this);
        m_coordinator->TraceConnectWithoutContext("Schedule",
                                                  MakeCallback(&CoordinatorTest::Note, this));
    }

    void TearDown() override
    {
        m_coordinator->Dispose();
        m_plane->Dispose();
        Simulator::Destroy();
    }

    void Hear(HostId host, const ControlMessage& message)
    {
        std::string text = std::to_string(host.value) + ": ";
        if (const auto* start = std::get_if<StartStage>(&message))
        {
            text += "start " + std::to_string(start->job.value);
        }
        else if (const auto* stop = std::get_if<StopJob>(&message))
        {
            text += "stop " + std::to_string(stop->job.value);
        }
        else if (const auto* request = std::get_if<ProgressRequest>(&message))
        {
            text += "report";
            m_plane->ToCoordinator(host, ProgressReport{request->round, {{m_reported, 1, 4}}});
        }
        else if (const auto* bytes = std::get_if<BytesRequest>(&message))
        {
            text += "bytes";
            m_plane->ToCoordinator(host, BytesReport{bytes->round, {{m_reported, 1, 600, 600}}});
        }
        else
        {
            text += "priorities";
            for (const auto& each : std::get<Priorities>(message).priorities)
            {
                text += " " + std::to_string(each.job.value) + "@" +
                        std::to_string(each.host.value) + "=" + std::to_string(each.priority);
            }
        }
        m_heard.push_back(text);
    }

    void HandleLaunched(JobId) override
    {
    }

    void HandleStageDone(JobId, uint32_t) override
    {
    }

    void HandlePaused(JobId, uint64_t) override
    {
    }

    void HandleSaved(JobId, uint32_t, uint64_t) override
    {
    }

    void HandleStopped(JobId job, std::optional<uint64_t> iterations, const WorkerNoise&) override
    {
        m_heard.push_back("over: " + std::to_string(job.value) + " after " +
                          std::to_string(*iterations));
    }

    void HandleFailed(const std::set<HostId>&) override
    {
    }

    void HandleReturned(HostId) override
    {
    }

    void HandleSettled() override
    {
    }

    void HandleTaskEnded(JobId, GpuId, uint64_t) override
    {
    }

    void HandleRoundEnded(JobId, uint64_t) override
    {
    }

    void Note(const ScheduleRecord& record)
    {
        m_schedules.push_back(record);
    }

    std::vector<double> GetRunMilliseconds() const
    {
        std::vector<double> times;
        for (const auto& record : m_schedules)
        {
            times.push_back(record.time.GetSeconds() * 1e3);
        }
        return times;
    }

    Ptr<ControlPlane> m_plane{CreateObject<SlowControlPlane>()};
    Ptr<Coordinator> m_coordinator{CreateObject<Coordinator>()};
    LiveGroups m_live;
    std::vector<std::string> m_heard;
    std::vector<ScheduleRecord> m_schedules;
    JobId m_reported{1}; //!< has always done 4 iterations of stage 1
};

using Lines = std::vector<std::string>;
using Times = std::vector<double>;

TEST_F(CoordinatorTest, TellsRanksBeforeTheStageStarts)
{
    Build("baraat");
    Simulator::Schedule(Seconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Run();
    EXPECT_EQ(m_heard,
              (Lines{"0: priorities 1@0=1 1@1=1",
                     "1: priorities 1@0=1 1@1=1",
                     "0: start 1",
                     "1: start 1"}));
}

TEST_F(CoordinatorTest, RunsOnceForAllThatHappensAtOneInstant)
{
    Build("baraat");
    Simulator::Schedule(Seconds(0), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(Seconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Run();
    ASSERT_EQ(m_schedules.size(), 1u);
    EXPECT_EQ(m_schedules[0].order, "1.1 2.1 1.2 2.2");
    EXPECT_EQ(m_schedules[0].units, 4u);
    // To each machine: four priorities in one message, two starts. 2 x (20 + 4 x 16 + 2 x 28)
    // bytes.
    EXPECT_EQ(m_schedules[0].messages, 6u);
    EXPECT_EQ(m_schedules[0].controlBytes, 280u);
}

TEST_F(CoordinatorTest, OthersMoveUpWhenAJobStops)
{
    Build("baraat");
    Simulator::Schedule(Seconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(Seconds(0), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(Seconds(1), &CoordinatorTest::Stop, this, 1);
    Simulator::Run();
    const Lines last(m_heard.end() - 4, m_heard.end());
    EXPECT_EQ(last,
              (Lines{"0: priorities 2@0=1 2@1=1",
                     "1: priorities 2@0=1 2@1=1",
                     "0: stop 1",
                     "1: stop 1"}));
}

TEST_F(CoordinatorTest, AChangeDuringAPollLeadsToOneMoreRun)
{
    Build("sptf");
    // At 0 nobody is in mid-stage: run at once. At 10 ms job 1 is asked: the answer is there at
    // 12 ms. Two more changes at 11 ms start one more round at 12 ms, which ends at 14 ms.
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(10), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(MilliSeconds(11), &CoordinatorTest::Add, this, 3);
    Simulator::Schedule(MilliSeconds(11), &CoordinatorTest::Add, this, 4);
    Simulator::Run();
    EXPECT_EQ(GetRunMilliseconds(), (Times{0, 12, 14}));
    // Job 1 has 20 - 4 iterations left and the others 20.
    EXPECT_EQ(m_schedules[2].order, "1 2 3 4");
    EXPECT_EQ(m_schedules[1].units, 4u); // those that came during the poll are ordered with it
}

TEST_F(CoordinatorTest, ReportedProgressCounts)
{
    Build("sptf");
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 3);
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(10), &CoordinatorTest::Stop, this, 2);
    m_reported = {3};
    Simulator::Run();
    ASSERT_EQ(m_schedules.size(), 2u);
    EXPECT_EQ(m_schedules[0].order, "1 2 3");
    EXPECT_EQ(m_schedules[1].order, "3 1"); // 20 - 4 iterations against 20
}

TEST_F(CoordinatorTest, RunsByTheClockWhileThereAreUnits)
{
    Build("grouper");
    // From 50 ms on every 100 ms; progress is asked for from the second run on: 2 ms more.
    Simulator::Schedule(MilliSeconds(50), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(120), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(MilliSeconds(300), &CoordinatorTest::Stop, this, 1);
    Simulator::Schedule(MilliSeconds(301), &CoordinatorTest::Stop, this, 2);
    Simulator::Schedule(MilliSeconds(500), &CoordinatorTest::Add, this, 3);
    Simulator::Schedule(MilliSeconds(550), &CoordinatorTest::Stop, this, 3);
    Simulator::Run();
    EXPECT_EQ(GetRunMilliseconds(), (Times{50, 152, 252, 500}));
}

TEST_F(CoordinatorTest, CoflowsAreOrderedWhenTheyComeAndGo)
{
    Build("sincronia");
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 2);
    const auto say = [this](int at, const ControlMessage& message) {
        Simulator::Schedule(MilliSeconds(at), &CoordinatorTest::Say, this, 0, message);
    };
    say(10, CoflowStarted{{2}, 1}); // heard at 11 ms
    say(20, CoflowStarted{{1}, 1});
    say(30, CoflowEnded{{2}, 1});
    say(40, CoflowEnded{{1}, 1}); // nothing left to order
    Simulator::Run();
    EXPECT_EQ(GetRunMilliseconds(), (Times{11, 21, 31}));
    EXPECT_EQ(m_schedules[1].order, "1:1 2:1"); // equal ones by id
    EXPECT_EQ(m_schedules[2].order, "1:1");
    // Stages start without an order; 2 is first, then falls behind 1 at both machines. Its end
    // changes nothing for 1, which is first already.
    const Lines told(m_heard.begin() + 4, m_heard.end());
    EXPECT_EQ(told,
              (Lines{"0: priorities 2@0=1 2@1=1",
                     "1: priorities 2@0=1 2@1=1",
                     "0: priorities 1@0=1 1@1=1 2@0=2 2@1=2",
                     "1: priorities 1@0=1 1@1=1 2@0=2 2@1=2"}));
}

TEST_F(CoordinatorTest, MachinesAreAskedForBytesWhereRemainingOnesCount)
{
    Build("sebf");
    m_reported = {2}; // 400 of 1000 bytes are left of its first coflow
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 2);
    Simulator::Schedule(MilliSeconds(10), &CoordinatorTest::Say, this, 0, CoflowStarted{{2}, 1});
    Simulator::Schedule(MilliSeconds(20), &CoordinatorTest::Say, this, 0, CoflowStarted{{1}, 1});
    Simulator::Run();
    // Heard at 11 and 21 ms, two more for question and answers.
    EXPECT_EQ(GetRunMilliseconds(), (Times{13, 23}));
    EXPECT_EQ(m_schedules[1].order, "2:1 1:1");
    EXPECT_EQ(std::count(m_heard.begin(), m_heard.end(), "1: bytes"), 2);
}

TEST_F(CoordinatorTest, CoflowsOfAnEpochGoLastInTheOrderOfTheirComing)
{
    const auto scheduler = CreatePolicy<NetworkScheduler>("sincronia");
    scheduler->SetAttribute("Periodic", BooleanValue(true));
    Build(scheduler);
    for (const uint32_t cojob : {1, 2, 3})
    {
        Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, cojob);
    }
    Simulator::Schedule(MilliSeconds(9), &CoordinatorTest::Say, this, 0, CoflowStarted{{2}, 1});
    Simulator::Schedule(MilliSeconds(19), &CoordinatorTest::Say, this, 0, CoflowStarted{{3}, 1});
    Simulator::Schedule(MilliSeconds(29), &CoordinatorTest::Say, this, 0, CoflowStarted{{1}, 1});
    Simulator::Schedule(MilliSeconds(150), &CoordinatorTest::Stop, this, 1);
    Simulator::Schedule(MilliSeconds(150), &CoordinatorTest::Stop, this, 2);
    Simulator::Schedule(MilliSeconds(150), &CoordinatorTest::Stop, this, 3);
    Simulator::Run();
    EXPECT_EQ(GetRunMilliseconds(), (Times{10, 110}));
    EXPECT_EQ(m_schedules[0].order, "2:1");
    EXPECT_EQ(m_schedules[1].order, "1:1 2:1 3:1");
    EXPECT_EQ(m_heard[8], "0: priorities 3@0=2 3@1=2");
    EXPECT_EQ(m_heard[10], "0: priorities 1@0=3 1@1=3");
}

TEST_F(CoordinatorTest, ASchedulerOfMachinesAloneSendsNoRanks)
{
    Build("pias");
    Simulator::Schedule(MilliSeconds(0), &CoordinatorTest::Add, this, 1);
    Simulator::Schedule(MilliSeconds(10), &CoordinatorTest::Stop, this, 1);
    Simulator::Run();
    EXPECT_TRUE(m_schedules.empty());
    EXPECT_EQ(m_heard, (Lines{"0: start 1", "1: start 1", "0: stop 1", "1: stop 1"}));
}

} // namespace
