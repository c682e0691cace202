// SPDX-License-Identifier: GPL-2.0-only
// Forward, backward and communication of an iteration, and backward passes that overlap with it.
#include "ddl-job-bench.h"

#include "ns3/ddl-rank-plan.h"
#include "ns3/double.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class OverlapTest : public JobBench
{
  protected:
    static JobSpec InBuckets(const std::string& pattern,
                             uint32_t workers,
                             uint32_t servers,
                             uint64_t bytes,
                             uint32_t buckets)
    {
        JobSpec spec = Spec(pattern, workers, servers, bytes, Time(0));
        spec.overlap.buckets = buckets;
        return spec;
    }

    /** \return a model of layers, in forward order: bytes, and milliseconds of the backward pass */
    static ModelProfile InLayers(const std::vector<std::pair<uint64_t, int>>& layers)
    {
        std::vector<Layer> table;
        for (const auto& [bytes, milliseconds] : layers)
        {
            table.push_back({"", bytes, Time(0), MilliSeconds(milliseconds)});
        }
        ModelProfile model;
        SetLayers(model, LayerTable(table));
        return model;
    }

    void LogTasks(GpuId gpu)
    {
        m_cluster->GetGpu(gpu)->TraceConnectWithoutContext(
            "TaskStart",
            Callback<void, GpuId, const GpuTask&>([this](GpuId, const GpuTask& task) {
                m_tasks += std::to_string(Simulator::Now().GetMilliSeconds()) + ":" +
                           std::to_string(task.owner.value) +
                           (task.pass == Pass::FORWARD ? "F" : "B") +
                           std::to_string(task.iteration) + "." + std::to_string(task.bucket) + " ";
            }));
    }

    std::string m_tasks; //!< "ms:job, pass, iteration.bucket" as tasks start
};

/** Buckets, seconds of the backward pass. */
class RingOverlap : public OverlapTest,
                    public testing::WithParamInterface<std::tuple<uint32_t, int>>
{
};

} // namespace

TEST_F(OverlapTest, ForwardThenBackward)
{
    // 1 s forward, 3 s backward, 6 steps of 1 s
    LogTasks({HostId{0}, 0});
    JobSpec spec = Spec("ring", 4, 0, 4000, Seconds(4));
    RunStage(spec, 2);
    EXPECT_EQ(m_tasks, "0:1F1.0 1000:1B1.0 10000:1F2.0 11000:1B2.0 ");
    EXPECT_EQ(m_iterations[0].transferStart, Seconds(4));
    EXPECT_EQ(m_iterations[0].computeEnd, Seconds(4));
}

TEST_F(OverlapTest, APassOfNoTimeIsNoTask)
{
    LogTasks({HostId{0}, 0});
    JobSpec spec = Spec("ring", 1, 0, 0, Time(0));
    RunStage(spec, 1);
    EXPECT_EQ(m_tasks, "0:1B1.0 "); // there is always one
    spec.model.forward = Seconds(1);
    spec.id = JobId{2};
    spec.overlap.buckets = 3;
    m_tasks.clear();
    m_cluster->Release({{HostId{0}, 0}}, JobId{1});
    RunStage(spec, 2);
    EXPECT_EQ(m_tasks, "0:2F1.0 1000:2F2.0 ");
}

TEST_F(OverlapTest, AnotherJobsTaskMayRunBetween)
{
    // Two jobs of 1 s forward and 3 s backward on one GPU, first come, first served.
    LogTasks({HostId{0}, 0});
    JobSpec spec = Spec("ring", 1, 0, 0, Seconds(4));
    const auto gpu = m_cluster->GetGpu({HostId{0}, 0});
    const auto first = Make(spec);
    Simulator::ScheduleNow([&] {
        Launch(first);
        gpu->Submit(Seconds(2), Gpu::DoneCallback(), {JobId{9}}); // before the job begins
        StartAll(first, 1, 1);
        gpu->Submit(Seconds(5), Gpu::DoneCallback(), {JobId{9}, Pass::BACKWARD, 1});
    });
    Simulator::Run();
    EXPECT_EQ(m_tasks, "0:9F0.0 2000:1F1.0 3000:9B1.0 8000:1B1.0 ");
}

TEST_P(RingOverlap, MatchesTheClosedForm)
{
    // N = 4: 6 steps of a quarter of the bucket, so a bucket of m bytes takes 6 m / 4 / 1000 s. A
    // bucket's all-reduce ends when the one before has ended, or when it is computed if that is
    // later, and this time more.
    const auto [buckets, backward] = GetParam();
    const uint64_t bytes = 4 * 960;
    JobSpec spec = InBuckets("ring", 4, 0, bytes, buckets);
    spec.model.forward = Seconds(1);
    spec.model.backward = Seconds(backward);
    const auto job = RunStage(spec, 3);
    double end = 0;
    for (uint32_t b = 1; b <= buckets; ++b)
    {
        end = std::max(end, 1.0 + 1.0 * backward * b / buckets) + 6 * 0.96 / buckets;
    }
    ASSERT_EQ(m_iterations.size(), 3U);
    for (const auto& record : m_iterations)
    {
        EXPECT_NEAR((record.end - record.start).GetSeconds(), end, 1e-6);
        EXPECT_EQ(record.computeEnd - record.start, Seconds(1 + backward));
        EXPECT_NEAR((record.transferStart - record.start).GetSeconds(),
                    1 + 1.0 * backward / buckets,
                    1e-8);
        EXPECT_EQ(record.bytes, 6 * bytes); // 2(N-1) M
    }
    EXPECT_EQ(job->GetBytes(), 3 * 6 * bytes);
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(3 * 4 * (1 + backward)));
}

INSTANTIATE_TEST_SUITE_P(All,
                         RingOverlap,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8, 60),
                                          testing::Values(0, 1, 3, 6, 12)));

TEST_F(OverlapTest, PushesAndPullsAreAPipeline)
{
    // M = 1200 in 3: push 0.4 s, pull 0.4 s a bucket; buckets at 1.2, 1.4, 1.6 s.
    // pushed: 1.6, 2.0, 2.4; pulled: 2.0, 2.4, 2.8. In one: 1.6 + 1.2 + 1.2 = 4.0.
    JobSpec spec = InBuckets("parameter-server", 2, 1, 1200, 3);
    spec.model.forward = Seconds(1);
    spec.model.backward = MilliSeconds(600);
    const auto job = RunStage(spec, 2);
    ASSERT_EQ(m_iterations.size(), 2U);
    EXPECT_EQ(m_iterations[0].end, MilliSeconds(2800));
    EXPECT_EQ(m_iterations[1].end, MilliSeconds(5600));
    EXPECT_EQ(job->GetLog().GetCommunicationTime(),
              MilliSeconds(2400)); // not hidden: 2.8 - 1.6, twice
    EXPECT_EQ(job->GetBytes(), 2U * 2 * 2 * 1200);
}

TEST_F(OverlapTest, EachWorkersOwnProgressCounts)
{
    // One way to one server; worker 1 computes twice as long. Worker 0: buckets at 1 and 2 s, 1 s
    // each: 3 s. Worker 1: at 2 and 4 s: 5 s.
    JobSpec spec = InBuckets("parameter-server", 2, 1, 2000, 2);
    spec.model.backward = Seconds(2);
    spec.pattern.Set("PullRatio", DoubleValue(0));
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    topology.shape.Set("Hosts", UintegerValue(3));
    m_cluster = CreateObject<Cluster>(BuildTopology(topology, PortSpec(), HostSpec()));
    for (uint32_t host = 0; host < 3; ++host)
    {
        m_cluster->AddMachine(HostId{host}, 1, {"X", host == 1 ? 0.5 : 1.0, {}});
    }
    const auto job = RunStage(spec, 1);
    ASSERT_EQ(m_iterations.size(), 1U);
    EXPECT_EQ(m_iterations[0].transferStart, Seconds(1));
    EXPECT_EQ(m_iterations[0].computeEnd, Seconds(4));
    EXPECT_EQ(m_iterations[0].end, Seconds(5));
    EXPECT_EQ(job->GetRun().cost.compute, Seconds(4)); // of the slower one
}

TEST_F(OverlapTest, AGateIsAskedOnceAtTheFirstBucket)
{
    // Buckets of 1 s each at 1, 2, 3, 4 s (ring of 2: 2 steps of half of it); leave at 2.5 s: then
    // 2.5 + 4 x 1 s.
    JobSpec spec = InBuckets("ring", 2, 0, 4000, 4);
    spec.model.backward = Seconds(4);
    const auto job = Make(spec);
    job->SetGated();
    std::vector<Time> asked;
    const auto raw = PeekPointer(job);
    job->TraceConnectWithoutContext(
        "Ready",
        Callback<void, Ptr<const Job>, uint64_t>([&asked, raw](Ptr<const Job>, uint64_t iteration) {
            asked.push_back(Simulator::Now());
            Simulator::Schedule(MilliSeconds(1500), [raw, iteration] {
                for (const HostId host : raw->GetRun().hosts)
                {
                    raw->On(host).Admit(iteration);
                }
            });
        }));
    Simulator::ScheduleNow([job] {
        Launch(job);
        StartAll(job, 1, 2);
    });
    Simulator::Run();
    EXPECT_EQ(asked, (std::vector<Time>{Seconds(1), MilliSeconds(7500)}));
    ASSERT_EQ(m_iterations.size(), 2U);
    EXPECT_EQ(m_iterations[0].end, MilliSeconds(6500));
    EXPECT_EQ(m_iterations[1].end, Seconds(13));
    EXPECT_EQ(job->GetGateWait(), Seconds(3));
}

TEST_F(OverlapTest, StopInTheMiddleOfTheBackwardPass)
{
    // at 2.5 s: the third bucket of four is computed, the first ones are on their way
    JobSpec spec = InBuckets("ring", 4, 0, 40000, 4);
    spec.model.backward = Seconds(4);
    const auto job = Make(spec);
    Simulator::ScheduleNow([job] {
        Launch(job);
        StartAll(job, 1, 10);
    });
    Simulator::Schedule(MilliSeconds(2500), [job] { StopAll(job); });
    Simulator::Run();
    EXPECT_TRUE(m_iterations.empty());
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(10)); // 4 x 2.5 s
    EXPECT_EQ(m_transport->GetSendingCount(), 0U);
    EXPECT_EQ(m_transport->GetReceivingCount(), 0U);
}

TEST_F(OverlapTest, MoreBucketsThanBytes)
{
    JobSpec spec = InBuckets("ring", 2, 0, 3, 8);
    spec.model.backward = Seconds(8);
    const auto job = RunStage(spec, 2);
    ASSERT_EQ(m_iterations.size(), 2U);
    EXPECT_EQ(m_iterations[1].end, Seconds(16)); // 3 buckets of a byte, long since there
    EXPECT_EQ(job->GetBytes(), 2U * 2 * 3);      // 2(N-1) M
}

TEST_F(OverlapTest, LayersAreTasksAndBucketsTheLastOneFirst)
{
    // A ring of 2 moves what a layer has in two halves: as many seconds as kB.
    // last layer: ready at 2 s, over at 2.5; middle, without bytes: 3; first: ready at 7, over at 8
    LogTasks({HostId{0}, 0});
    JobSpec spec = Spec("ring", 2, 0, 0, Time(0));
    spec.model = InLayers({{1000, 4000}, {0, 1000}, {500, 2000}});
    const auto job = RunStage(spec, 2);
    EXPECT_EQ(m_tasks, "0:1B1.0 2000:1B1.1 3000:1B1.2 8000:1B2.0 10000:1B2.1 11000:1B2.2 ");
    ASSERT_EQ(m_iterations.size(), 2U);
    EXPECT_EQ(m_iterations[0].transferStart, Seconds(2));
    EXPECT_EQ(m_iterations[0].computeEnd, Seconds(7));
    EXPECT_EQ(m_iterations[0].end, Seconds(8));
    EXPECT_EQ(job->GetBytes(), 2U * 2 * 1500); // 2(N-1) M, twice
}

TEST_F(OverlapTest, UnequalBucketsOfARingMatchTheClosedForm)
{
    // E_b = max(E_(b-1), end of the backward passes so far) + 6/4 M_b; in both orders, since the
    // ring of a bucket keeps all streams busy. After the backward pass: 10.5 s + all of it.
    const std::vector<std::pair<uint64_t, int>> layers = {{400, 500},
                                                          {8000, 1000},
                                                          {400, 3000},
                                                          {4000, 4000},
                                                          {4, 2000}};
    uint32_t id = 0;
    for (const bool backward : {true, false})
    {
        double end = 0;
        double ready = backward ? 0 : 10.5;
        for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        {
            ready += backward ? layer->second * 1e-3 : 0;
            end = std::max(end, ready) + 1.5 * layer->first / 1000;
        }
        for (const bool serial : {true, false})
        {
            JobSpec spec = Spec("ring", 4, 0, 0, Time(0));
            spec.model = InLayers(layers);
            spec.overlap.serial = serial;
            spec.overlap.backward = backward;
            spec.id = JobId{++id};
            m_iterations.clear();
            const auto job = RunStage(spec, 1);
            ASSERT_EQ(m_iterations.size(), 1U);
            const auto& record = m_iterations[0];
            EXPECT_NEAR((record.end - record.start).GetSeconds(), end, 1e-6) << serial << backward;
            EXPECT_EQ(record.computeEnd - record.start, MilliSeconds(10500));
            EXPECT_EQ(record.transferStart - record.start, MilliSeconds(backward ? 2000 : 10500));
            StopAll(job);
        }
    }
}

TEST_F(OverlapTest, InSerialOrderABucketWaitsForTheOneBefore)
{
    // As in PushesAndPullsAreAPipeline: push 0.4 s, pull 0.4 s, buckets at 1.2, 1.4, 1.6 s. One
    // after the other: 1.2 + 3 x 0.8. After the backward pass, at 1.6 s: a pipeline of 1.6 s, or
    // 3 x 0.8 s.
    const auto run = [this](uint32_t id, bool serial, bool backward) {
        JobSpec spec = InBuckets("parameter-server", 2, 1, 1200, 3);
        spec.id = JobId{id};
        spec.model.forward = Seconds(1);
        spec.model.backward = MilliSeconds(600);
        spec.overlap.serial = serial;
        spec.overlap.backward = backward;
        m_iterations.clear();
        StopAll(RunStage(spec, 2));
        return m_iterations.at(1).end - m_iterations.at(1).start;
    };
    EXPECT_EQ(run(1, false, true), MilliSeconds(2800));
    EXPECT_EQ(run(2, true, true), MilliSeconds(3600));
    EXPECT_EQ(run(3, false, false), MilliSeconds(3200));
    EXPECT_EQ(run(4, true, false), MilliSeconds(4000));
}

TEST_F(OverlapTest, AnAdmittedJobSendsItsBucketsOneAfterTheOther)
{
    // Leave at 10 s, when all is computed: push and pull 0.4 s each, three times.
    JobSpec spec = InBuckets("parameter-server", 2, 1, 1200, 3);
    spec.model.backward = Seconds(3);
    spec.overlap.serial = true;
    const auto job = Make(spec);
    job->SetGated();
    Simulator::ScheduleNow([job] {
        Launch(job);
        StartAll(job, 1, 1);
    });
    Simulator::Schedule(Seconds(10), [job] {
        for (const HostId host : job->GetRun().hosts)
        {
            job->On(host).Admit(1);
        }
    });
    Simulator::Run();
    ASSERT_EQ(m_iterations.size(), 1U);
    EXPECT_EQ(m_iterations[0].end, MilliSeconds(12400));
}

/** Every pattern, with buckets whose messages can be told apart by their size. */
class BucketOrder : public OverlapTest, public testing::WithParamInterface<std::string>
{
  protected:
    static constexpr uint64_t SMALLEST =
        800; //!< bytes of the first bucket; the next is 50 times it

    /** \return the bucket of a message; none if it only clears a partner to send */
    static std::optional<uint32_t> GetBucket(const FakeMessage& message)
    {
        if (message.bytes < SMALLEST / 16)
        {
            return std::nullopt;
        }
        return message.bytes <= SMALLEST ? 0 : message.bytes <= 50 * SMALLEST ? 1 : 2;
    }

    /** \return how often a worker sent of a bucket before all of the one before had reached it */
    uint32_t CountEarly(uint32_t workers) const
    {
        uint32_t early = 0;
        for (const FakeMessage& sent : m_transport->GetMessages())
        {
            for (const FakeMessage& other : m_transport->GetMessages())
            {
                const auto bucket = GetBucket(sent);
                early +=
                    bucket && sent.source.value < workers &&
                            GetBucket(other).value_or(9) < *bucket &&
                            (other.destination == sent.source || other.source == sent.source) &&
                            (other.destination == sent.source ? other.delivered : other.sent) >
                                sent.sent
                        ? 1
                        : 0;
            }
        }
        return early;
    }

    void RunOrder(bool serial, uint32_t workers)
    {
        JobSpec spec = Spec(GetParam(), workers, 0, 0, Time(0));
        const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
        spec.servers = pattern->Refuse({workers, 2, 1}).empty() ? 2 : 0;
        spec.model = InLayers({{50 * 50 * SMALLEST, 10}, {50 * SMALLEST, 10}, {SMALLEST, 500}});
        spec.overlap.serial = serial;
        spec.noise.jitter.SetTypeId("ns3::UniformRandomVariable"); // workers are apart
        const auto job = RunStage(spec, 1);
        EXPECT_EQ(m_iterations.size(), 1U);
        EXPECT_EQ(job->GetBytes(), job->GetIterationBytes());
    }
};

TEST_P(BucketOrder, SerialWorkersSendNothingBeforeTheBucketBeforeIsOver)
{
    RunOrder(true, 5);
    EXPECT_EQ(CountEarly(5), 0U);
}

TEST_P(BucketOrder, OthersDo)
{
    RunOrder(false, 5);
    if (GetParam() != "shuffle") // in which workers are sent nothing
    {
        EXPECT_GT(CountEarly(5), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         BucketOrder,
                         testing::ValuesIn(ListPolicies(CommunicationPattern::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/** Every pattern. */
class BucketPlans : public testing::TestWithParam<std::string>
{
};

/** \return bytes of a plan that are the model's: all but those by which a partner is cleared to
 * send */
uint64_t
CountData(const TransferPlan& plan)
{
    uint64_t bytes = 0;
    for (const auto& transfer : plan)
    {
        bytes += transfer.clear ? 0 : transfer.bytes;
    }
    return bytes;
}

TEST_P(BucketPlans, MovesTheSameBytes)
{
    const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
    for (const uint32_t workers : {1, 2, 5, 8})
    {
        PatternView view{workers, 2, 100003};
        view.servers = pattern->Refuse(view).empty() ? 2 : 0;
        const TransferPlan one = pattern->Plan(view);
        const JobPlan whole = CompilePlan(one, workers + view.servers);
        // 7 equal ones; the first 100003 % 7 have a byte more
        const std::vector<uint64_t> buckets = {14287, 14286, 14286, 14286, 14286, 14286, 14286};
        const TransferPlan parts = PlanInBuckets(*pattern, view, buckets);
        const JobPlan job = CompilePlan(parts, workers + view.servers, 7);
        EXPECT_EQ(CountData(parts), CountData(one));
        EXPECT_EQ(job.bytes - CountData(parts), 7 * (whole.bytes - CountData(one)));
        EXPECT_EQ(job.transfers, 7 * whole.transfers);
        ASSERT_EQ(job.channels.size(), whole.channels.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            EXPECT_LE(parts[i].offset + parts[i].bytes, view.bytes);
            for (const uint32_t earlier : parts[i].after)
            {
                EXPECT_EQ(parts[earlier].bucket, parts[i].bucket);
            }
        }
    }
}

TEST_P(BucketPlans, OneBucketIsThePatternItself)
{
    const auto pattern = CreatePolicy<CommunicationPattern>(GetParam());
    PatternView view{5, 2, 1000};
    view.servers = pattern->Refuse(view).empty() ? 2 : 0;
    const TransferPlan plan = pattern->Plan(view);
    const TransferPlan one = PlanInBuckets(*pattern, view, {1000});
    ASSERT_EQ(one.size(), plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        EXPECT_EQ(one[i].bytes, plan[i].bytes);
        EXPECT_EQ(one[i].offset, plan[i].offset);
        EXPECT_EQ(one[i].after, plan[i].after);
        EXPECT_EQ(one[i].bucket, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         BucketPlans,
                         testing::ValuesIn(ListPolicies(CommunicationPattern::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });
