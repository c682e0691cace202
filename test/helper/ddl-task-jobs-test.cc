// SPDX-License-Identifier: GPL-2.0-only
// Jobs of tasks in whole runs: what runs where and when, what it moves, and what is refused.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Messages of one byte and control messages that take no time: what is left is some microseconds a
 * task. */
constexpr double NEAR_SECONDS = 1e-3;

class TaskJobsTest : public SimulationFixture
{
  protected:
    /** A task that has ended. */
    struct Task
    {
        uint32_t job;
        GpuId gpu;
        Time begin;
    };

    /** \return a job of tasks whose model takes that on a GPU of speed 1 */
    static std::string TaskJob(const std::string& model,
                               uint32_t tasks,
                               uint32_t rounds,
                               const std::string& forward,
                               const std::string& more = "")
    {
        return R"({"model": {"name": ")" + model + R"(", "bytes": "1B", "forward": ")" + forward +
               R"("}, "tasks": true, "servers": 1, "workers": )" + std::to_string(tasks) +
               R"(, "iterations": )" + std::to_string(rounds) + more + "}";
    }

    /** \return hosts at a switch, jobs, and a round scheduler; fluid, direct control */
    static std::string Tasks(uint32_t hosts,
                             uint32_t gpus,
                             const std::string& jobs,
                             const std::string& rounds,
                             const std::string& clusterMore = "")
    {
        return R"({"name": "s", "transport": {"kind": "fluid"}, "cluster": {"topology": {"kind": )"
               R"("single-switch", "hosts": )" +
               std::to_string(hosts) + "}" +
               (clusterMore.empty() ? R"(, "hosts": {"gpus": )" + std::to_string(gpus) + "}"
                                    : clusterMore) +
               R"(}, "scheduler": {"control": "direct", "rounds": )" + rounds +
               R"(}, "workload": {"jobs": [)" + jobs + "]}}";
    }

    /** Run, and note the tasks by begin. */
    RunResult RunTasks(const std::string& text, const Settings& settings = {})
    {
        m_tasks.clear();
        ClusterSimulation simulation(ReadText(text, settings));
        const auto cluster = simulation.GetTrainingCluster()->GetMachines();
        for (const HostId host : cluster->GetHosts())
        {
            for (uint32_t i = 0; i < cluster->GetMachine(host)->GetGpuCount(); ++i)
            {
                cluster->GetGpu({host, i})->TraceConnectWithoutContext(
                    "TaskStart",
                    MakeCallback(&TaskJobsTest::NoteTask, this));
            }
        }
        RunResult result = simulation.Run();
        EXPECT_TRUE(result.unfinished.empty());
        EXPECT_EQ(result.status, RunResult::Status::DONE) << result.reason;
        for (const HostId host : cluster->GetHosts())
        {
            for (uint32_t i = 0; i < cluster->GetMachine(host)->GetGpuCount(); ++i)
            {
                EXPECT_FALSE(cluster->GetMachine(host)->GetHolder(i)) << host << ' ' << i;
            }
        }
        return result;
    }

    void NoteTask(GpuId gpu, const GpuTask& task)
    {
        m_tasks.push_back({task.owner.value, gpu, Simulator::Now()});
    }

    /** \return order of tasks, as "1 2 1" */
    std::string GetOrder() const
    {
        std::string order;
        for (const Task& task : m_tasks)
        {
            order += (order.empty() ? "" : " ") + std::to_string(task.job);
        }
        return order;
    }

    /** \return tasks that ran on another machine than that of their job's server */
    uint64_t CountRemoteTasks(const RunResult& result) const
    {
        std::map<uint32_t, HostId> servers;
        for (const JobRunRecord& run : result.runs)
        {
            servers[run.job.value] = run.placement.servers.at(0).host;
        }
        return std::count_if(m_tasks.begin(), m_tasks.end(), [&servers](const Task& task) {
            return task.gpu.host != servers.at(task.job);
        });
    }

    static double EndOf(const RunResult& result, uint32_t job)
    {
        return RowOf(result, job).end.GetSeconds();
    }

    /** \return bytes that NICs of hosts sent in data, headers included */
    static uint64_t SentByHosts(const RunResult& result)
    {
        uint64_t bytes = 0;
        for (const PortRow& row : result.ports)
        {
            bytes += row.node.front() == 'h' ? row.bytes : 0;
        }
        return bytes;
    }

    std::vector<Task> m_tasks;
};

/** Hare's Fig. 9: four machines with a GPU each, seconds of a task of A and B on each. */
constexpr const char* FIGURE_9_CLUSTER =
    R"(, "gpuTypes": {"G1": {"speed": 1}, "G2": {"speed": 1, "models": {"B": 0.5}},
        "G3": {"speed": 1, "models": {"A": 1.6666666666666667, "B": 0.4}},
        "G4": {"speed": 1, "models": {"A": 1.6666666666666667}}},
      "hosts": {"groups": [{"gpus": 1, "gpuType": "G1"}, {"gpus": 1, "gpuType": "G2"},
                           {"gpus": 1, "gpuType": "G3"}, {"gpus": 1, "gpuType": "G4"}]})";

TEST_F(TaskJobsTest, Figure9)
{
    const std::string a = TaskJob("A", 4, 1, "3s");
    const std::string b = TaskJob("B", 6, 1, "1s");
    const RunResult first = RunTasks(Tasks(4, 1, a + "," + b, "\"hlas\"", FIGURE_9_CLUSTER));
    EXPECT_NEAR(EndOf(first, 1), 3, NEAR_SECONDS);
    EXPECT_NEAR(EndOf(first, 2), 5, NEAR_SECONDS);
    EXPECT_EQ(m_tasks.size(), 10u);
    const RunResult second = RunTasks(Tasks(4, 1, b + "," + a, "\"hlas\"", FIGURE_9_CLUSTER));
    EXPECT_NEAR(EndOf(second, 1), 2.5, NEAR_SECONDS);
    EXPECT_NEAR(EndOf(second, 2), 5, NEAR_SECONDS);
}

TEST_F(TaskJobsTest, Figure12)
{
    const std::string jobs =
        TaskJob("m", 1, 2, "1s") + "," + TaskJob("m", 1, 3, "1s") + "," + TaskJob("m", 1, 4, "1s");
    const RunResult result = RunTasks(
        Tasks(1,
              1,
              jobs,
              R"({"type": "hlas", "FirstLimit": 1, "Factor": 1, "Queues": 4})")); // T, 2 T, 3 T
    EXPECT_EQ(GetOrder(), "1 2 3 1 2 3 2 3 3");
    EXPECT_NEAR(EndOf(result, 1), 4, NEAR_SECONDS);
    EXPECT_NEAR(EndOf(result, 2), 7, NEAR_SECONDS);
    EXPECT_NEAR(EndOf(result, 3), 9, NEAR_SECONDS);
}

TEST_F(TaskJobsTest, PastRunsOfARecurringJobPredictIts)
{
    // Job 1 has ended after 8 rounds when two equal jobs arrive. The one that recurs has 8 rounds
    // in prospect, half of which are predicted: its size is over the limit, and the other one,
    // which came after it, is first.
    const auto run = [&](const std::string& recurring, const std::string& other) {
        const std::string late = R"(, "submit": "20s", )";
        RunTasks(Tasks(1,
                       1,
                       TaskJob("m", 1, 8, "1s", ", " + recurring) + "," +
                           TaskJob("m", 1, 2, "1s", late + recurring) + "," +
                           TaskJob("m", 1, 2, "1s", late + other),
                       R"({"type": "hlas-p", "FirstLimit": 4})"));
        return GetOrder().substr(16);
    };
    EXPECT_EQ(run(R"("name": "nightly")", R"("name": "else")"), "3 3 2 2");
    EXPECT_EQ(run(R"("name": "nightly", "user": "ann")", R"("name": "else", "user": "ann")"),
              "3 3 2 2");
    EXPECT_EQ(run(R"("user": "ann")", R"("user": "bob")"), "3 3 2 2");
    // Without a name, who trains this model on that many workers. Both are predicted; the one with
    // the longer prediction is first.
    EXPECT_EQ(run(R"("user": "ann")", R"("user": "ann")"), "2 3 2 3");
    // A model is no name: nothing is known of either.
    EXPECT_EQ(run(R"("weight": 1)", R"("weight": 1)"), "2 2 3 3");
}

TEST_F(TaskJobsTest, RelaxedAgainstGang)
{
    // Fig. 5: GPUs come free at 1, 2 and 4 s; the fourth job has three tasks of 1.5 s.
    const std::string jobs = TaskJob("m", 1, 1, "1s") + "," + TaskJob("m", 1, 1, "2s") + "," +
                             TaskJob("m", 1, 1, "4s") + "," + TaskJob("m", 3, 1, "1.5s");
    const RunResult relaxed = RunTasks(Tasks(1, 3, jobs, "\"hlas\""));
    EXPECT_NEAR(EndOf(relaxed, 4), 4, NEAR_SECONDS);
    const RunResult gang = RunTasks(Tasks(1, 3, jobs, "\"fifo\""));
    EXPECT_NEAR(EndOf(gang, 4), 5.5, NEAR_SECONDS);
}

TEST_F(TaskJobsTest, MoreTasksThanGpus)
{
    const RunResult result = RunTasks(Tasks(2, 1, TaskJob("m", 5, 1, "1s"), "\"hlas\""));
    EXPECT_NEAR(EndOf(result, 1), 3, NEAR_SECONDS);
}

TEST_F(TaskJobsTest, SwitchingTakesTimeWhereAnotherJobWas)
{
    const std::string job = R"({"model": {"name": "m", "bytes": "1B", "forward": "100ms",
        "switching": "10ms"}, "tasks": true, "servers": 1, "workers": 1, "iterations": 2})";
    const auto run = [&](const std::string& limit) {
        return EndOf(
            RunTasks(
                Tasks(1, 1, job + "," + job, R"({"type": "hlas", "FirstLimit": )" + limit + "}")),
            2);
    };
    EXPECT_NEAR(run("0.5"), 0.44, NEAR_SECONDS); // A B A B: four switches
    EXPECT_EQ(GetOrder(), "1 2 1 2");
    EXPECT_NEAR(run("100"), 0.42, NEAR_SECONDS); // A A B B: two
    EXPECT_EQ(GetOrder(), "1 1 2 2");
}

/** By transport. */
class TaskBytesTest : public TaskJobsTest, public testing::WithParamInterface<const char*>
{
  protected:
    /** 4 rounds of 3 tasks of 1 MB on two machines with two GPUs each. */
    std::string OnTwoMachines(const std::string& more) const
    {
        return R"({"name": "s", "transport": {"kind": ")" + std::string(GetParam()) +
               R"("}, "cluster": {"topology": {"kind": "single-switch", "hosts": 2}, "hosts": )" +
               more + R"(}, "scheduler": {"rounds": "hlas"},
            "workload": {"jobs": [{"model": {"name": "m", "bytes": "1MB", "forward": "2ms"},
                "tasks": true, "servers": 1, "workers": 3, "iterations": 4}]}})";
    }
};

TEST_P(TaskBytesTest, ARoundMovesTheModelTwiceForEachTask)
{
    const RunResult result = RunTasks(OnTwoMachines(R"({"gpus": 2})"));
    EXPECT_EQ(RowOf(result, 1).bytes, 4u * 3 * 2 * 1'000'000);
    EXPECT_EQ(m_tasks.size(), 12u);
    EXPECT_EQ(RowOf(result, 1).iterations, 4u);
    ASSERT_EQ(result.runs.size(), 1u);
    EXPECT_EQ(result.runs[0].reason, "done");
    // The server is on host 0, and tasks there touch no wire.
    const auto remote =
        static_cast<uint64_t>(std::count_if(m_tasks.begin(), m_tasks.end(), [](const Task& task) {
            return task.gpu.host == HostId{1};
        }));
    EXPECT_GE(remote, 4u);
    EXPECT_LE(remote, 8u);
    const uint64_t sent = SentByHosts(result);
    EXPECT_GE(sent, remote * 2 * 1'000'000);
    EXPECT_LE(sent, remote * 2 * 1'100'000 + 100'000); // headers, acknowledgements, control
}

TEST_P(TaskBytesTest, OnTheServersMachineAloneTheWireCarriesNone)
{
    const RunResult result = RunTasks(OnTwoMachines(R"({"groups": [{"gpus": 2}, {"gpus": 0}]})"));
    EXPECT_EQ(RowOf(result, 1).bytes, 4u * 3 * 2 * 1'000'000);
    EXPECT_LT(SentByHosts(result), 10'000u);
}

TEST_P(TaskBytesTest, FarFromTheServerAllIsOnTheWire)
{
    const RunResult result = RunTasks(OnTwoMachines(R"({"groups": [{"gpus": 0}, {"gpus": 2}]})"));
    EXPECT_EQ(RowOf(result, 1).bytes, 4u * 3 * 2 * 1'000'000);
    EXPECT_GE(SentByHosts(result), 4u * 3 * 2 * 1'000'000);
    // A round: two tasks pull at once, 1.6 ms and headers at 10 Gbps; compute; push; the third runs
    // behind one of them: about 2 x (1.6 + 2) + 0.8 ms.
    const double round = RowOf(result, 1).end.GetSeconds() / 4;
    EXPECT_GT(round, 0.0060);
    EXPECT_LT(round, 0.0085);
}

INSTANTIATE_TEST_SUITE_P(All,
                         TaskBytesTest,
                         testing::Values("fluid", "rdma", "tcp"),
                         [](const auto& info) { return std::string(info.param); });

/** \return a job of so many tasks, 10 MB and 10 ms, whose server is on machine 0, without a GPU;
 * machines 1 and 2 have one each; fluid */
std::string
FarTasks(uint32_t tasks)
{
    return R"({"name": "s", "transport": {"kind": "fluid"}, "cluster": {"topology": {"kind":
        "single-switch", "hosts": 3}, "hosts": {"groups": [{"gpus": 0}, {"gpus": 1}, {"gpus": 1}]}},
        "scheduler": {"control": "direct", "rounds": "hare"},
        "workload": {"jobs": [{"model": {"name": "m", "bytes": "10MB", "forward": "10ms"},
            "tasks": true, "servers": 1, "workers": )" +
           std::to_string(tasks) + R"(, "iterations": 1}]}})";
}

TEST_F(TaskJobsTest, AGpuWaitsWhileItsTaskMovesBytes)
{
    // pull p, compute 10 ms, push p
    const RunResult result = RunTasks(FarTasks(1));
    const double end = EndOf(result, 1);
    EXPECT_NEAR(end, 0.010 + 2 * 0.008, 0.001); // headers
    ASSERT_TRUE(result.gpuWaiting);
    EXPECT_NEAR(*result.gpuWaiting, 1 - 0.010 / end, 0.001);
}

TEST_F(TaskJobsTest, AGateLetsOneTaskAfterTheOtherMoveBytes)
{
    // Two tasks share the wire of the server: both have pulled after 2 p, computed after 2 p + 10
    // ms, pushed after 4 p + 10 ms.
    const RunResult shared = RunTasks(FarTasks(2));
    const double p = (EndOf(shared, 1) - 0.010) / 4;
    EXPECT_NEAR(p, 0.008, 0.0005);
    EXPECT_FALSE(shared.gate);
    // One after the other: they have pulled after p and 2 p; the first pushes from p + 10 ms, when
    // the second has pulled, to 2 p + 10 ms, when that has computed and pushes until 3 p + 10 ms.
    const RunResult gated = RunTasks(FarTasks(2), {"scheduler.gate=srsf-1"});
    EXPECT_NEAR(EndOf(gated, 1), 3 * p + 0.010, 1e-5);
    EXPECT_EQ(RowOf(gated, 1).bytes, 40'000'000u);
    EXPECT_NEAR(RowOf(gated, 1).gateWait.GetSeconds(), p, 1e-5); // of the second, to pull
    ASSERT_TRUE(gated.gate);
    EXPECT_EQ(gated.gate->requests, 4u);
    EXPECT_EQ(gated.gate->grants, 4u);
    EXPECT_EQ(gated.gate->held, 1u);
    // Two may run at once: nobody waits.
    const RunResult two = RunTasks(FarTasks(2), {"scheduler.gate=srsf-2"});
    EXPECT_NEAR(EndOf(two, 1), EndOf(shared, 1), 1e-5);
    EXPECT_EQ(two.gate->held, 0u);
}

TEST_F(TaskJobsTest, BesideTheServerNobodyAsks)
{
    const RunResult result =
        RunTasks(Tasks(1, 2, TaskJob("m", 2, 3, "1ms"), "\"hare\""), {"scheduler.gate=srsf-1"});
    ASSERT_TRUE(result.gate);
    EXPECT_EQ(result.gate->requests, 0u);
}

/** By round scheduler. */
class TaskPolicyTest : public TaskJobsTest, public testing::WithParamInterface<std::string>
{
};

TEST_P(TaskPolicyTest, AllTasksRunInBandAndAlike)
{
    std::string jobs;
    uint64_t tasks = 0;
    for (uint32_t i = 1; i <= 8; ++i)
    {
        const uint32_t workers = 1 + i % 4;
        const uint32_t rounds = 1 + (7 * i) % 5;
        tasks += workers * rounds;
        jobs += (i == 1 ? "" : ",") +
                (R"({"model": {"name": "m)" + std::to_string(i % 3) + R"(", "bytes": ")") +
                std::to_string(100 * (1 + i % 3)) + R"(KB", "forward": ")" +
                std::to_string(1 + i % 3) + R"(ms"}, "tasks": true, "servers": 1, "workers": )" +
                std::to_string(workers) + R"(, "iterations": )" + std::to_string(rounds) +
                R"(, "submit": ")" + std::to_string(2 * i) + "ms\"}";
    }
    const std::string text =
        R"({"name": "s", "transport": {"kind": "rdma"}, "cluster": {"topology": {"kind": "single-switch",
            "hosts": 3}, "hosts": {"groups": [{"gpus": 2, "gpuType": "V100"},
            {"gpus": 1, "gpuType": "T4"}, {"gpus": 2, "gpuType": "K80"}]}},
            "scheduler": {"network": "sptf", "rounds": ")" +
        GetParam() + R"("}, "workload": {"jobs": [)" + jobs + "]}}";
    for (const char* gate : {"srsf-1", "ada-dual"})
    {
        const RunResult gated = RunTasks(text, {std::string("scheduler.gate=") + gate});
        EXPECT_EQ(gated.jobs.size(), 8u);
        EXPECT_EQ(m_tasks.size(), tasks);
        const uint64_t remote = CountRemoteTasks(gated);
        EXPECT_EQ(gated.gate->requests, 2 * remote);
        EXPECT_EQ(gated.gate->grants, 2 * remote);
    }
    const RunResult result = RunTasks(text);
    EXPECT_EQ(result.jobs.size(), 8u);
    EXPECT_EQ(m_tasks.size(), tasks);
    EXPECT_TRUE(result.imbalances.empty());
    const auto order = GetOrder();
    const RunResult again = RunTasks(text);
    EXPECT_EQ(order, GetOrder());
    EXPECT_EQ(result.end, again.end);
    EXPECT_EQ(result.events, again.events);
    for (const JobRow& row : result.jobs)
    {
        EXPECT_EQ(row.bytes, 2 * row.workers * row.iterations * 100'000 * (1 + row.job.value % 3));
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TaskPolicyTest,
                         testing::ValuesIn(ListPolicies(RoundScheduler::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST_F(TaskJobsTest, WhatTheyCannotDoIsRefused)
{
    const auto said = [this](const std::string& job,
                             const Settings& settings = {},
                             const std::string& more = "") {
        try
        {
            Run(Tasks(2, 1, job + more, "\"hlas\""), settings);
        }
        catch (const InputError& error)
        {
            Simulator::Destroy(); // a cluster that was built
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string job = TaskJob("m", 1, 1, "1s");
    const auto expect = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    EXPECT_EQ(said(job), "");
    expect(said(job, {"scheduler.network=sebf"}), "scheduler.network");
    expect(said(job, {"leap={}"}), "jobs of tasks run without leaps");
    expect(said(job, {"scheduler.estimator=oracle"}), "jobs of tasks run without estimates");
    expect(said(job, {"scheduler.switch.checkpointEvery=1"}), "make no checkpoints");
    expect(said(job, {"workload.jobs.0.model.input=1s"}), "have no input phase");
    expect(said(job, {"workload.jobs.0.serverGpus=1"}), "takes no GPU");
    expect(said(job, {"workload.jobs.0.servers=2"}), "has 2 parameter servers");
    expect(said(TaskJob("m", 3, 1, "1s"), {"scheduler.rounds=fifo"}), "at the same time");
    expect(said(job,
                {},
                R"(, {"model": {"name": "m", "bytes": "1MB"}, "workers": 1, "servers": 1,
                "iterations": 1})"),
           "and others are not");
}

} // namespace
