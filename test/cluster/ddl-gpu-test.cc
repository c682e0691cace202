// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-gpu.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class GpuTest : public testing::Test
{
  protected:
    GpuTest()
    {
        m_gpu->TraceConnectWithoutContext("TaskStart", MakeCallback(&GpuTest::TaskStart, this));
        m_gpu->TraceConnectWithoutContext("TaskEnd", MakeCallback(&GpuTest::TaskEnd, this));
    }

    ~GpuTest() override
    {
        Simulator::Destroy();
    }

    void TaskStart(GpuId /* gpu */, const GpuTask& task)
    {
        Note("+", task.owner);
    }

    void TaskEnd(GpuId /* gpu */, const GpuTask& task)
    {
        Note("-", task.owner);
    }

    void Done()
    {
        ++m_done;
    }

    void Note(const std::string& what, JobId job)
    {
        m_log += std::to_string(Simulator::Now().GetMilliSeconds()) + what +
                 std::to_string(job.value) + " ";
    }

    void Submit(int64_t milliseconds, uint32_t job)
    {
        m_gpu->Submit(MilliSeconds(milliseconds), MakeCallback(&GpuTest::Done, this), {JobId{job}});
    }

    Ptr<Gpu> m_gpu{CreateObject<Gpu>(GpuId{HostId{3}, 1})};
    std::string m_log; //!< "time+job" at a start, "time-job" at an end
    uint32_t m_done{0};
};

} // namespace

TEST_F(GpuTest, OneTaskAtATimeFirstComeFirstServed)
{
    Submit(10, 1);
    Submit(5, 2);
    Submit(7, 1);
    Simulator::Run();
    // 10, then 10 + 5, then 15 + 7
    EXPECT_EQ(m_log, "0+1 10-1 10+2 15-2 15+1 22-1 ");
    EXPECT_EQ(m_done, 3U);
    EXPECT_EQ(m_gpu->GetBusyTime(), MilliSeconds(22));
}

TEST_F(GpuTest, WhatIsSubmittedAtTheEndGoesBehindWhatWaits)
{
    const auto again = [this]() { Submit(1, 3); };
    Simulator::ScheduleNow([this, again]() {
        m_gpu->Submit(MilliSeconds(4), Callback<void>(again), {JobId{1}});
        Submit(2, 2);
    });
    Simulator::Run();
    EXPECT_EQ(m_log, "0+1 4-1 4+2 6-2 6+3 7-3 ");
}

TEST_F(GpuTest, BusyTimeCountsTheRunningTaskSoFar)
{
    Simulator::Schedule(MilliSeconds(5), [this]() { Submit(10, 1); });
    Simulator::Schedule(MilliSeconds(9), [this]() {
        EXPECT_EQ(m_gpu->GetBusyTime(), MilliSeconds(4)); // 9 - 5
    });
    Simulator::Run();
    EXPECT_EQ(m_gpu->GetBusyTime(), MilliSeconds(10));
}

TEST_F(GpuTest, CancelTakesAnOwnersTasksAway)
{
    Submit(10, 1);
    Submit(20, 2);
    Submit(5, 1);
    Simulator::Schedule(MilliSeconds(4), [this]() { m_gpu->Cancel(JobId{1}); });
    Simulator::Run();
    // job 1 runs 4 of 10 ms, then job 2 its 20; job 1's second task never starts
    EXPECT_EQ(m_log, "0+1 4-1 4+2 24-2 ");
    EXPECT_EQ(m_done, 1U);
    EXPECT_EQ(m_gpu->GetBusyTime(), MilliSeconds(24));
}

TEST_F(GpuTest, CancelOfOneThatWaitsLeavesTheRunningTask)
{
    Submit(10, 1);
    Submit(20, 2);
    m_gpu->Cancel(JobId{2});
    m_gpu->Cancel(JobId{9}); // a stranger
    Simulator::Run();
    EXPECT_EQ(m_log, "0+1 10-1 ");
}

TEST_F(GpuTest, ATaskMayTakeNoTime)
{
    Submit(0, 1);
    Submit(0, 2);
    Simulator::Run();
    EXPECT_EQ(m_log, "0+1 0-1 0+2 0-2 ");
    EXPECT_EQ(m_done, 2U);
}
