// SPDX-License-Identifier: GPL-2.0-only
// Several jobs on one GPU: memory, who is next, and accounts that add up.
#include "ddl-policy-variants.h"

#include "ns3/ddl-cluster.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** One machine with GPUs of 10 bytes. */
class GpuSharingTest : public testing::Test
{
  protected:
    ~GpuSharingTest() override
    {
        m_cluster->Dispose();
        Simulator::Destroy();
    }

    void Build(uint32_t gpus)
    {
        const auto fabric = CreateObject<Fabric>();
        fabric->AddHost();
        m_cluster = CreateObject<Cluster>(fabric);
        m_cluster->AddMachine(HostId{0}, gpus, GpuType{}, 10);
        for (uint32_t i = 0; i < gpus; ++i)
        {
            Get(i)->TraceConnectWithoutContext("TaskStart",
                                               MakeCallback(&GpuSharingTest::Start, this));
            Get(i)->TraceConnectWithoutContext("TaskEnd", MakeCallback(&GpuSharingTest::End, this));
        }
    }

    Ptr<Gpu> Get(uint32_t index) const
    {
        return m_cluster->GetGpu({HostId{0}, index});
    }

    void Start(GpuId gpu, const GpuTask& task)
    {
        EXPECT_EQ(++m_running[gpu.index], 1) << "a GPU runs two tasks";
        m_order.push_back(task.owner.value);
    }

    void End(GpuId gpu, const GpuTask& /* task */)
    {
        EXPECT_EQ(--m_running[gpu.index], 0);
    }

    void Submit(uint32_t gpu, double seconds, uint32_t job, double service = 0)
    {
        Get(gpu)->Submit(Seconds(seconds), Gpu::DoneCallback(), {JobId{job}}, Seconds(service));
    }

    void ExpectAccounts(uint32_t gpu, double busy, double waiting, double idle)
    {
        const GpuTimes times = Get(gpu)->GetTimes();
        EXPECT_EQ(times.busy, Seconds(busy));
        EXPECT_EQ(times.waiting, Seconds(waiting));
        EXPECT_EQ(times.idle, Seconds(idle));
    }

    Ptr<Cluster> m_cluster;
    std::map<uint32_t, int> m_running;
    std::vector<uint32_t> m_order; //!< jobs, as their tasks start
};

} // namespace

TEST_F(GpuSharingTest, MemoryIsCounted)
{
    Build(1);
    const auto machine = m_cluster->GetMachine(HostId{0});
    m_cluster->Claim({{HostId{0}, 0}}, JobId{1}, 4);
    m_cluster->Claim({{HostId{0}, 0}}, JobId{1}, 4); // no effect
    m_cluster->Claim({{HostId{0}, 0}}, JobId{2}, 6);
    EXPECT_EQ(machine->GetHeldMemory(0), 10U);
    EXPECT_EQ(m_cluster->GetView().machines[0].gpus[0].freeMemory, 0U);
    m_cluster->Release({{HostId{0}, 0}}, JobId{1});
    EXPECT_EQ(m_cluster->GetView().machines[0].gpus[0].freeMemory, 4U);
    EXPECT_FALSE(m_cluster->GetView().machines[0].gpus[0].free);
    m_cluster->Release({{HostId{0}, 0}}, JobId{2});
    EXPECT_TRUE(m_cluster->GetView().machines[0].gpus[0].free);
}

TEST_F(GpuSharingTest, MoreThanThereIsEndsTheProgram)
{
    Build(1);
    const auto machine = m_cluster->GetMachine(HostId{0});
    EXPECT_DEATH(machine->Claim(0, JobId{1}, 11), "claims 11 bytes of a GPU of 10");
    machine->Claim(0, JobId{1}, 5);
    EXPECT_DEATH(machine->Claim(0, JobId{2}, 6), "which job 1 holds");
    EXPECT_DEATH(machine->Claim(0, JobId{2}), "which job 1 holds"); // the whole of it
}

TEST_F(GpuSharingTest, BusyWaitingIdleByHand)
{
    // held from 1 to 10; a task from 2 to 5: 3 busy, 6 waiting, 1 + 2 idle of 12
    Build(1);
    const std::vector<GpuId> gpus = {{HostId{0}, 0}};
    Simulator::Schedule(Seconds(1), [&] { m_cluster->Claim(gpus, JobId{1}, 5); });
    Simulator::Schedule(Seconds(2), [&] { Submit(0, 3, 1); });
    Simulator::Schedule(Seconds(4), [&] { ExpectAccounts(0, 2, 1, 1); });
    Simulator::Schedule(Seconds(10), [&] { m_cluster->Release(gpus, JobId{1}); });
    Simulator::Schedule(Seconds(12), [&] { ExpectAccounts(0, 3, 6, 3); });
    Simulator::Run();
}

TEST_F(GpuSharingTest, TheLeastServiceGoesFirst)
{
    // While job 1 runs, 2, 3 and 4 come with 30, 10 and 10 seconds of service.
    Build(2);
    Get(1)->SetQueuePolicy(CreatePolicy<TaskQueuePolicy>("srsf"));
    for (const uint32_t gpu : {0, 1})
    {
        m_order.clear();
        Submit(gpu, 1, 1, 99);
        Submit(gpu, 1, 2, 30);
        Submit(gpu, 1, 3, 10);
        Submit(gpu, 1, 4, 10);
        Simulator::Run();
        EXPECT_EQ(m_order,
                  gpu == 0 ? (std::vector<uint32_t>{1, 2, 3, 4})
                           : (std::vector<uint32_t>{1, 3, 4, 2}));
    }
}

TEST_F(GpuSharingTest, AccountsAddUpOverRandomTraces)
{
    Build(3);
    for (uint32_t gpu = 0; gpu < 3; ++gpu)
    {
        Get(gpu)->SetQueuePolicy(CreatePolicy<TaskQueuePolicy>(gpu == 1 ? "srsf" : "fifo"));
    }
    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(7);
    for (uint32_t job = 1; job <= 200; ++job)
    {
        const uint32_t gpu = draw->GetInteger(0, 2);
        const std::vector<GpuId> gpus = {{HostId{0}, gpu}};
        const Time claim = NanoSeconds(draw->GetInteger(0, 1000000));
        const Time length = NanoSeconds(draw->GetInteger(0, 50000));
        const Time task = NanoSeconds(draw->GetInteger(0, 9000));
        const uint64_t memory = draw->GetInteger(1, 10);
        Simulator::Schedule(claim, [=] {
            const auto machine = m_cluster->GetMachine(HostId{0});
            if (machine->GetHeldMemory(gpu) + memory > 10)
            {
                return;
            }
            m_cluster->Claim(gpus, JobId{job}, memory);
            for (int i = 0; i < 3; ++i)
            {
                Get(gpu)->Submit(task, Gpu::DoneCallback(), {JobId{job}}, task * (200 - job));
            }
            Simulator::Schedule(length, [=] {
                Get(gpu)->Cancel(JobId{job});
                m_cluster->Release(gpus, JobId{job});
            });
        });
        Simulator::Schedule(claim + length / 3, [=] {
            const GpuTimes times = Get(gpu)->GetTimes();
            EXPECT_EQ(times.busy + times.waiting + times.idle, Simulator::Now());
            EXPECT_LE(m_cluster->GetMachine(HostId{0})->GetHeldMemory(gpu), 10U);
        });
    }
    Simulator::Run();
    EXPECT_GT(m_order.size(), 100U);
    for (uint32_t gpu = 0; gpu < 3; ++gpu)
    {
        const GpuTimes times = Get(gpu)->GetTimes();
        EXPECT_EQ(times.busy + times.waiting + times.idle, Simulator::Now());
    }
}

/** Every policy for tasks. */
class TaskQueueConformance : public testing::TestWithParam<test::Variant>
{
};

TEST_P(TaskQueueConformance, ServesAllThatWait)
{
    const auto policy = GetParam().Create<TaskQueuePolicy>();
    EXPECT_GT(policy->GetSummary().size(), 10U);
    TaskQueueView view;
    for (const int service : {5, 1, 3, 1, 9})
    {
        view.waiting.push_back({{JobId{1}}, Seconds(0), Seconds(1), Seconds(service)});
    }
    while (!view.waiting.empty())
    {
        const std::size_t next = policy->SelectNext(view); // checks itself
        EXPECT_EQ(next, policy->SelectNext(view));
        view.waiting.erase(view.waiting.begin() + next);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TaskQueueConformance,
                         testing::ValuesIn(test::ListVariants(TaskQueuePolicy::GetTypeId())),
                         test::NameOf);

/** A policy that names a task that is not there. */
class WrongTaskQueuePolicy : public TaskQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("test::WrongTaskQueuePolicy").SetParent<TaskQueuePolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "wrong";
    }

  private:
    std::size_t DoSelectNext(const TaskQueueView& view) override
    {
        return view.waiting.size();
    }
};

TEST(WrongTaskQueuePolicy, IsTheirError)
{
    TaskQueueView view;
    view.waiting.resize(2);
    EXPECT_EQ(test::RunErrorOf([&] { CreateObject<WrongTaskQueuePolicy>()->SelectNext(view); }),
              "test::WrongTaskQueuePolicy selected task 2 of 2, counted from 0");
}
