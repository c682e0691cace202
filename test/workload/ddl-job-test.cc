// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-bench.h"

#include "ns3/double.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class JobTest : public JobBench
{
};

using JobDeathTest = JobTest;

} // namespace

TEST_F(JobTest, RingAlone)
{
    // N = 4, M = 4000 B at 1000 B/s: 6 steps of 1000 B = 6 s, after 1 s of compute; 3 iterations.
    const auto job = RunStage(Spec("ring", 4, 0, 4000, Seconds(1)), 3);
    EXPECT_EQ(m_starts, (std::vector<StageEvent>{{1, 1, Seconds(0)}}));
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(21)}}));
    ASSERT_EQ(m_iterations.size(), 3U);
    EXPECT_EQ(m_iterations[1].iteration, 2U);
    EXPECT_EQ(m_iterations[1].start, Seconds(7));
    EXPECT_EQ(m_iterations[1].computeEnd, Seconds(8));
    EXPECT_EQ(m_iterations[1].end, Seconds(14));
    EXPECT_EQ(m_iterations[1].bytes, 24000U); // 2(N-1) M
    EXPECT_EQ(job->GetLog().GetComputeTime(), Seconds(3));
    EXPECT_EQ(job->GetLog().GetCommunicationTime(), Seconds(18));
    EXPECT_EQ(job->GetBytes(), 72000U);
    EXPECT_EQ(job->GetIterationsDone(), 3U);
    EXPECT_EQ(job->GetSending().size(), 4U);             // one a neighbour
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(3 * 4)); // 4 GPUs for 1 s, 3 times
    EXPECT_FALSE(m_cluster->GetView().machines[0].gpus[0].free);
}

TEST_F(JobTest, WhatFastWorkersAreAheadIsNotLeft)
{
    // Workers 0 and 1 share a machine with the server, worker 2 sends 1 s and receives 1 s. At
    // 1.5 s, 3 pushes and 2 pulls are over, and 2 pushes of the next iteration: 7 of 6 messages.
    Placement placement = Spread(3, 1);
    placement.workers[1] = {HostId{0}, 1};
    placement.servers[0] = OnMachine(HostId{0});
    const auto job = Make(Spec("parameter-server", 3, 1, 1000, Seconds(0)), placement);
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 3);
    });
    std::vector<uint64_t> left;
    for (const double time : {0.5, 1.5})
    {
        Simulator::Schedule(Seconds(time),
                            [job, &left]() { left.push_back(job->GetIterationBytesLeft()); });
    }
    Simulator::Run();
    EXPECT_EQ(job->GetIterationBytes(), 6000U);
    ASSERT_EQ(left.size(), 2U);
    EXPECT_LE(left[0], 4000U); // two pushes have arrived
    EXPECT_EQ(left[1], 0U);
}

TEST_F(JobTest, ParameterServersAlone)
{
    // M = 2000 over 2 servers: 1000 B up (1 s), 1000 B down (1 s), compute 3 s.
    const auto job = RunStage(Spec("parameter-server", 3, 2, 2000, Seconds(3)), 4);
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(20)}}));
    EXPECT_EQ(job->GetBytes(), 4U * 2 * 3 * 2000); // 4 iterations, push and pull, 3 workers
    EXPECT_EQ(job->GetReceiving().size(), 12U);
    EXPECT_EQ(job->GetSending().size(), 12U); // 3 x 2, both ways
    EXPECT_EQ(m_cluster->GetView().machines[3].servers, 1U);
}

TEST_F(JobTest, OneWayEndsWhenThePushesHaveArrived)
{
    JobSpec spec = Spec("parameter-server", 2, 1, 1000, Seconds(0));
    spec.pattern.Set("PullRatio", DoubleValue(0));
    const auto job = RunStage(spec, 5); // 1 s each
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(5)}}));
    EXPECT_EQ(job->GetBytes(), 10000U);
    EXPECT_EQ(job->GetLog().GetCommunicationTime(), Seconds(5));
}

TEST_F(JobTest, OneWorkerOnlyComputes)
{
    const auto job = RunStage(Spec("ring", 1, 0, 4000, Seconds(2)), 10);
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(20)}}));
    EXPECT_EQ(job->GetBytes(), 0U);
    EXPECT_TRUE(job->GetSending().empty());
}

TEST_F(JobTest, NothingToDoTakesNoTime)
{
    RunStage(Spec("ring", 4, 0, 0, Seconds(0)), 1000);
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(0)}}));
    EXPECT_EQ(m_iterations.size(), 1000U);
}

TEST_F(JobTest, LaunchedFiresWhenTheStreamsAreOpen)
{
    const auto job = Make(Spec("ring", 3, 0, 300, Seconds(0)));
    std::size_t streams = 0;
    job->TraceConnectWithoutContext(
        "Launched",
        Callback<void, Ptr<const Job>>(
            [&streams](Ptr<const Job> launched) { streams = launched->GetSending().size(); }));
    Simulator::Schedule(Seconds(1), [job]() { Launch(job); });
    Simulator::Run();
    EXPECT_EQ(streams, 3U);
    EXPECT_EQ(job->GetStage(), 0U);
}

TEST_F(JobTest, MarksAreGivenToBothEnds)
{
    const auto job = RunStage(Spec("ring", 2, 0, 100, Seconds(0)), 1);
    ASSERT_EQ(job->GetSending().size(), 2U);
    ASSERT_EQ(job->GetReceiving().size(), 2U);
    for (const std::size_t i : {0, 1})
    {
        EXPECT_EQ(job->GetSending()[i]->GetMark(), (Mark{2, 3}));
        EXPECT_EQ(job->GetReceiving()[i]->GetMark(), (Mark{2, 3}));
    }
}

TEST_F(JobTest, HostBytesLeaveOutWhatStaysInside)
{
    // Workers on machines 0 and 1, the server with worker 1 on machine 1; M = 100.
    Placement placement = Spread(2, 0);
    placement.servers = {OnMachine(HostId{1})};
    const auto job = Make(Spec("parameter-server", 2, 1, 100, Seconds(0)), placement);
    const auto& bytes = job->GetHostBytes();
    ASSERT_EQ(bytes.size(), 2U);
    EXPECT_EQ(bytes[0].sent, 100U); // worker 0's push
    EXPECT_EQ(bytes[0].received, 100U);
    EXPECT_EQ(bytes[1].sent, 100U); // the pull of worker 0
    EXPECT_EQ(bytes[1].received, 100U);
    EXPECT_EQ(job->GetIterationBytes(), 400U);
    EXPECT_EQ(job->GetRun().hosts, (std::vector<HostId>{{0}, {1}}));
    EXPECT_EQ(job->GetRun().GetLeader(), HostId{0});
}

TEST_F(JobTest, AServerToldLateKeepsWhatArrives)
{
    // Push of 1000 B arrives at 1 s; its machine is told at 5 s; the pull takes until 6 s. The
    // second iteration needs 2 s more.
    const auto job = Make(Spec("parameter-server", 1, 1, 1000, Seconds(0)));
    Simulator::ScheduleNow([job]() {
        Launch(job);
        job->On(HostId{0}).StartStage(1, 2);
    });
    Simulator::Schedule(Seconds(5), [job]() { job->On(HostId{1}).StartStage(1, 2); });
    Simulator::Run();
    EXPECT_EQ(m_starts, (std::vector<StageEvent>{{1, 1, Seconds(0)}}));
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(8)}}));
}

TEST_F(JobTest, AWorkerToldLateKeepsWhatArrives)
{
    // Ring of 2, M = 2000, 1 s a step, compute 1 s. Worker 0 sends its chunk 1 to 2 s. Worker 1,
    // told at 5 s, has computed at 6 s and then sends two chunks, its own and the one that waited:
    // 6 to 7 s and 7 to 8 s. Worker 0 gets its last one at 8 s; it answered the first 7 to 8 s.
    const auto job = Make(Spec("ring", 2, 0, 2000, Seconds(1)));
    Simulator::ScheduleNow([job]() {
        Launch(job);
        job->On(HostId{0}).StartStage(1, 1);
    });
    Simulator::Schedule(Seconds(5), [job]() { job->On(HostId{1}).StartStage(1, 1); });
    Simulator::Run();
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(8)}}));
    ASSERT_EQ(m_iterations.size(), 1U);
    EXPECT_EQ(m_iterations[0].start, Seconds(0));
    EXPECT_EQ(m_iterations[0].computeEnd, Seconds(6));
}

TEST_F(JobTest, StagesFollowWhenTold)
{
    const auto job = Make(Spec("ring", 2, 0, 2000, Seconds(0))); // 2 s an iteration
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 2);
    });
    Simulator::Schedule(Seconds(10), [job]() {
        EXPECT_EQ(job->GetStage(), 1U);
        EXPECT_EQ(job->GetStageIterationsDone(), 2U);
        StartAll(job, 2, 3);
        EXPECT_EQ(job->GetStageIterationsDone(), 0U);
    });
    Simulator::Run();
    EXPECT_EQ(m_starts, (std::vector<StageEvent>{{1, 1, Seconds(0)}, {1, 2, Seconds(10)}}));
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(4)}, {1, 2, Seconds(16)}}));
    EXPECT_EQ(job->GetIterationsDone(), 5U);
    EXPECT_EQ(m_iterations.back().iteration, 5U);
}

TEST_F(JobTest, TheNextStageMayStartFromInsideTheEndOfTheLast)
{
    const auto job = Make(Spec("ring", 3, 0, 3000, Seconds(1))); // 4 steps + 1 s = 5 s
    // A raw pointer: the job's own trace would keep a Ptr, and so the job, for ever.
    const auto next = [raw = PeekPointer(job)](Ptr<const Job> /* job */, uint32_t stage) {
        if (stage < 4)
        {
            StartAll(Ptr<LoneJob>(raw), stage + 1, stage);
        }
    };
    job->TraceConnectWithoutContext("StageEnd", Callback<void, Ptr<const Job>, uint32_t>(next));
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 1);
    });
    Simulator::Run();
    // stages of 1, 1, 2, 3 iterations
    ASSERT_EQ(m_ends.size(), 4U);
    EXPECT_EQ(m_ends[3], (StageEvent{1, 4, Seconds(35)}));
    EXPECT_EQ(job->GetIterationsDone(), 7U);
}

TEST_F(JobTest, StopInTheMiddle)
{
    // 7 s an iteration. Machine 0 stops at 9.5 s, while its data is on the way; the others at 12 s.
    const auto job = Make(Spec("ring", 4, 0, 4000, Seconds(1)));
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 100);
    });
    Simulator::Schedule(MilliSeconds(9500), [this, job]() {
        job->On(HostId{0}).Stop();
        EXPECT_TRUE(job->IsRunning());
        EXPECT_TRUE(m_cluster->GetView().machines[0].gpus[0].free);
        EXPECT_FALSE(m_cluster->GetView().machines[1].gpus[0].free);
    });
    Simulator::Schedule(Seconds(12), [this, job]() {
        StopAll(job);
        EXPECT_FALSE(job->IsRunning());
        for (const auto& machine : m_cluster->GetView().machines)
        {
            EXPECT_TRUE(machine.gpus[0].free);
        }
    });
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), Seconds(12)) << "something went on after the stop";
    EXPECT_EQ(m_stops, (std::vector<Time>{Seconds(12)}));
    EXPECT_TRUE(m_ends.empty());
    EXPECT_EQ(job->GetIterationsDone(), 1U);
    EXPECT_EQ(m_transport->GetSendingCount(), 0U);
    EXPECT_EQ(m_transport->GetReceivingCount(), 0U);
}

TEST_F(JobTest, StopWhileComputingFreesTheGpu)
{
    JobSpec spec = Spec("parameter-server", 2, 1, 1000, Seconds(10));
    const auto job = Make(spec);
    Simulator::ScheduleNow([job]() {
        Launch(job);
        StartAll(job, 1, 1);
    });
    Simulator::Schedule(Seconds(4), [job]() { StopAll(job); });
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), Seconds(4));
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(8)); // 2 GPUs, 4 of 10 s
    EXPECT_EQ(m_cluster->GetView().machines[2].servers, 0U);
}

TEST_F(JobTest, MayBeStoppedFromInsideTheEndOfAStage)
{
    Ptr<LoneJob> job = Make(Spec("parameter-server", 2, 2, 2000, Seconds(0)));
    job->TraceConnectWithoutContext(
        "StageEnd",
        Callback<void, Ptr<const Job>, uint32_t>(
            [&job](Ptr<const Job> /* job */, uint32_t /* stage */) { StopAll(job); }));
    Simulator::ScheduleNow([&job]() {
        Launch(job);
        StartAll(job, 1, 3);
    });
    Simulator::Run();
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{1, 1, Seconds(6)}}));
    EXPECT_EQ(m_stops, (std::vector<Time>{Seconds(6)}));
}

TEST_F(JobTest, AJobMayBeDroppedInMidRun)
{
    Ptr<LoneJob> job = Make(Spec("ring", 4, 0, 4000, Seconds(1)));
    Simulator::ScheduleNow([&job]() {
        Launch(job);
        StartAll(job, 1, 100);
    });
    Simulator::Schedule(Seconds(3), [&job]() { job = nullptr; });
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), Seconds(3));
}

TEST_F(JobTest, TwoJobsSideBySide)
{
    JobSpec spec = Spec("ring", 2, 0, 2000, Seconds(1)); // 3 s
    const auto first = Make(spec);
    spec.id = JobId{2};
    spec.model.forward = Seconds(2) - spec.model.backward; // 4 s
    Placement placement = Spread(2, 0);
    placement.workers[0].index = 1;
    placement.workers[1].index = 1;
    const auto second = Make(spec, placement);
    Simulator::ScheduleNow([first, second]() {
        Launch(first);
        Launch(second);
        StartAll(first, 1, 4);
        StartAll(second, 1, 2);
    });
    Simulator::Run();
    EXPECT_EQ(m_ends, (std::vector<StageEvent>{{2, 1, Seconds(8)}, {1, 1, Seconds(12)}}));
}

TEST_F(JobDeathTest, ErrorsOfTheCallerEndTheProgram)
{
    const auto job = Make(Spec("ring", 2, 0, 2000, Seconds(0)));
    EXPECT_DEATH(job->On(HostId{0}).StartStage(1, 1), "was not launched");
    Simulator::ScheduleNow([job]() { Launch(job); });
    Simulator::Run();
    EXPECT_DEATH(job->On(HostId{5}).StartStage(1, 1), "no rank on machine 5");
    EXPECT_DEATH(job->On(HostId{0}).StartStage(2, 1), "got different stages");
    EXPECT_DEATH(job->On(HostId{0}).StartStage(1, 0), "is empty");
    EXPECT_DEATH(Launch(job), "launched before");
    job->On(HostId{0}).StartStage(1, 5);
    EXPECT_DEATH(job->On(HostId{1}).StartStage(1, 6), "got different stages");
    EXPECT_DEATH(job->On(HostId{0}).StartStage(2, 5), "before the one before is over");
}
