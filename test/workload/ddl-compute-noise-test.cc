// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-bench.h"

#include "ns3/ddl-task-times.h"
#include "ns3/double.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

ObjectFactory
Constant(double factor)
{
    ObjectFactory factory("ns3::ConstantRandomVariable");
    factory.Set("Constant", DoubleValue(factor));
    return factory;
}

ObjectFactory
Uniform(double least, double most)
{
    ObjectFactory factory("ns3::UniformRandomVariable");
    factory.Set("Min", DoubleValue(least));
    factory.Set("Max", DoubleValue(most));
    return factory;
}

std::vector<Time>
Draw(TaskTimes times, uint32_t count, Time base = Seconds(1))
{
    std::vector<Time> drawn;
    for (uint32_t i = 0; i < count; ++i)
    {
        drawn.push_back(times.Draw(base));
    }
    return drawn;
}

class ComputeNoiseTest : public JobBench
{
};

} // namespace

TEST(TaskTimes, NoNoiseIsExact)
{
    const Time base = NanoSeconds(123456789012345677);
    EXPECT_EQ(Draw(TaskTimes({}, JobId{1}, 0), 2, base), (std::vector<Time>{base, base}));
}

TEST(TaskTimes, FactorsMultiply)
{
    const ComputeNoise noise{Constant(1.5), Constant(2), 0};
    // 10 ms x 1.5 x 2
    EXPECT_EQ(TaskTimes(noise, JobId{1}, 0).Draw(MilliSeconds(10)), MilliSeconds(30));
}

TEST(TaskTimes, ANegativeFactorCountsAsZero)
{
    const ComputeNoise noise{Constant(-1), {}, 0};
    EXPECT_TRUE(TaskTimes(noise, JobId{1}, 0).Draw(MilliSeconds(10)).IsZero());
}

TEST(TaskTimes, EachWorkerOfEachJobHasItsOwnStream)
{
    const ComputeNoise noise{Uniform(0.5, 1.5), Uniform(1, 3), 1000};
    const auto draw = [&noise](uint32_t job, uint32_t worker) {
        return Draw(TaskTimes(noise, JobId{job}, worker), 5);
    };
    const auto first = draw(1, 0);
    EXPECT_NE(first, draw(1, 1));
    EXPECT_NE(first, draw(2, 0));
    EXPECT_EQ(first, draw(1, 0)) << "depends on what was drawn before";
    ComputeNoise other = noise;
    other.stream = 5;
    EXPECT_NE(first, Draw(TaskTimes(other, JobId{1}, 0), 5));
}

TEST(TaskTimes, ACopyIsAValue)
{
    // What is kept of a worker, for the case that its machine fails, goes on from where it was
    // kept.
    TaskTimes times({Uniform(0.5, 1.5), {}, 0}, JobId{1}, 0);
    times.Draw(Seconds(1));
    TaskTimes kept = times;
    TaskTimes assigned;
    assigned = times;
    const Time second = times.Draw(Seconds(1));
    const Time third = times.Draw(Seconds(1));
    for (TaskTimes* copy : {&kept, &assigned})
    {
        EXPECT_EQ(copy->Draw(Seconds(1)), second);
        EXPECT_EQ(copy->Draw(Seconds(1)), third);
    }
}

TEST(TaskTimes, AStragglerIsDrawnOnce)
{
    const ComputeNoise noise{{}, Uniform(1, 3), 0};
    const TaskTimes times(noise, JobId{4}, 2);
    const auto drawn = Draw(times, 3);
    EXPECT_EQ(drawn[0], drawn[1]);
    EXPECT_EQ(drawn[1], drawn[2]);
    EXPECT_GT(drawn[0], Seconds(1)); // which is the time without noise
}

TEST_F(ComputeNoiseTest, TheSlowestWorkerHoldsTheBarrierUp)
{
    // Parameter server, M = 1000 over one server: 1 s up, 1 s down, behind the slowest worker.
    JobSpec spec = Spec("parameter-server", 4, 1, 1000, Seconds(1));
    spec.noise.straggler = Uniform(1, 5);
    double slowest = 0;
    for (uint32_t worker = 0; worker < 4; ++worker)
    {
        TaskTimes times(spec.noise, spec.id, worker);
        slowest = std::max(slowest, times.Draw(Seconds(1)).GetSeconds());
    }
    RunStage(spec, 6);
    ASSERT_EQ(m_ends.size(), 1U);
    EXPECT_NEAR(m_ends[0].time.GetSeconds(), 6 * (slowest + 2), 1e-6);
}

TEST_F(ComputeNoiseTest, WithoutABarrierWorkersDriftApart)
{
    // One way: each worker goes at its own pace; the stage ends with the slowest.
    JobSpec spec = Spec("parameter-server", 4, 1, 1000, Seconds(1));
    spec.pattern.Set("PullRatio", DoubleValue(0));
    spec.noise.straggler = Uniform(1, 5);
    double slowest = 0;
    for (uint32_t worker = 0; worker < 4; ++worker)
    {
        TaskTimes times(spec.noise, spec.id, worker);
        slowest = std::max(slowest, times.Draw(Seconds(1)).GetSeconds());
    }
    RunStage(spec, 50);
    ASSERT_EQ(m_ends.size(), 1U);
    EXPECT_NEAR(m_ends[0].time.GetSeconds(), 50 * (slowest + 1), 1e-6);
    EXPECT_EQ(m_iterations.size(), 50U);
}

/** Ring under jitter: N workers, one run each way of telling the machines. */
class JitterOrder : public JobBench
{
  protected:
    std::vector<Time> Run(bool backwards)
    {
        m_iterations.clear();
        JobSpec spec = Spec("ring", 4, 0, 4000, Seconds(1));
        spec.noise = {Uniform(0.5, 1.5), Uniform(1, 2), 77};
        const auto job = Make(spec);
        Simulator::ScheduleNow([job, backwards]() {
            Launch(job);
            for (uint32_t i = 0; i < 4; ++i)
            {
                job->On(HostId{backwards ? 3 - i : i}).StartStage(1, 20);
            }
        });
        const Time begin = Simulator::Now();
        Simulator::Run();
        std::vector<Time> ends;
        for (const auto& record : m_iterations)
        {
            ends.push_back(record.end - begin);
        }
        StopAll(job);
        return ends;
    }
};

TEST_F(JitterOrder, DoesNotDependOnTheOrderOfEvents)
{
    const auto first = Run(false);
    ASSERT_EQ(first.size(), 20U);
    EXPECT_EQ(first, Run(true));
    // jitter is there: iterations differ
    EXPECT_NE(first[1] - first[0], first[2] - first[1]);
}
