// SPDX-License-Identifier: GPL-2.0-only
// Machines of 1, 2 and 8 GPUs side by side, as in Philly's cluster, in whole runs: under every
// placement policy and every order of jobs, nobody shares a GPU and all bytes are sent.
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-format.h"
#include "ns3/ddl-placement-policy.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class MixedMachinesTest : public SimulationFixture
{
  protected:
    static constexpr uint32_t JOBS = 14;

    /** \return a random list by machine of 1, 2 or 8 GPUs, one of each at least */
    static std::vector<uint32_t> DrawGpus(std::mt19937& random, uint32_t machines)
    {
        std::vector<uint32_t> gpus{1, 2, 8};
        while (gpus.size() < machines)
        {
            gpus.push_back(std::array<uint32_t, 3>{1, 2, 8}[random() % 3]);
        }
        std::shuffle(gpus.begin(), gpus.end(), random);
        return gpus;
    }

    static std::string Join(const std::vector<uint32_t>& numbers)
    {
        std::string list;
        for (const uint32_t number : numbers)
        {
            list += (list.empty() ? "" : ", ") + std::to_string(number);
        }
        return "[" + list + "]";
    }

    /** \return jobs of 1 to 8 workers on racks of three and two machines with those GPUs */
    static std::string Backlog(const std::vector<uint32_t>& gpus)
    {
        return R"({"name": "mixed",
            "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": [3, 2],
                                     "spines": 2},
                        "hosts": {"gpus": )" +
               Join(gpus) + R"(}},
            "transport": {"kind": "fluid"},
            "workload": {
                "generator": {"kind": "jobs", "jobs": )" +
               std::to_string(JOBS) + R"(,
                    "sizes": [[1, 3], [2, 3], [4, 2], [8, 1]],
                    "iterations": {"type": "uniform-random-variable", "Min": 1, "Max": 9},
                    "arrivals": {"type": "uniform", "Window": "60ms"},
                    "models": [{"name": "m", "bytes": "1MB", "forward": "1ms", "backward": "2ms"}]}}})";
    }

    /** All jobs have ended with as many GPUs as ranks, of machines that have them, and no two runs
     * have held one at a time. */
    static void ExpectSound(const RunResult& result, const std::vector<uint32_t>& gpus)
    {
        ASSERT_EQ(result.status, RunResult::Status::DONE);
        ASSERT_EQ(result.jobs.size(), JOBS);
        for (const auto& row : result.jobs)
        {
            EXPECT_GE(row.start, row.submit);
            EXPECT_GT(row.end, row.start);
            const auto held = ListGpus(row.placement);
            EXPECT_EQ(held.size(), row.workers);
            EXPECT_EQ((std::set<GpuId>(held.begin(), held.end()).size()), held.size());
            for (const GpuId& gpu : held)
            {
                EXPECT_LT(gpu.index, gpus.at(gpu.host.value)) << "machine " << gpu.host;
            }
        }
        for (auto a = result.runs.begin(); a != result.runs.end(); ++a)
        {
            const auto held = ListGpus(a->placement);
            for (auto b = std::next(a); b != result.runs.end(); ++b)
            {
                for (const GpuId& gpu : a->end <= b->start || b->end <= a->start
                                            ? std::vector<GpuId>()
                                            : ListGpus(b->placement))
                {
                    EXPECT_EQ(std::count(held.begin(), held.end(), gpu), 0)
                        << "jobs " << a->job << " and " << b->job << " on GPU " << gpu.index
                        << " of machine " << gpu.host;
                }
            }
        }
    }
};

TEST_F(MixedMachinesTest, EveryPolicyAndOrderKeepsJobsApart)
{
    std::mt19937 random(44);
    uint32_t runs = 0;
    for (const std::string& placement : ListPolicies(PlacementPolicy::GetTypeId()))
    {
        for (const std::string& order : ListPolicies(JobQueuePolicy::GetTypeId()))
        {
            const auto gpus = DrawGpus(random, 5);
            const std::string seed = std::to_string(++runs);
            SCOPED_TRACE(placement + ", " + order + ", " + Join(gpus) + ", seed " + seed);
            const RunResult result = Run(
                Backlog(gpus),
                {"scheduler.placement=" + placement, "scheduler.jobs=" + order, "seed=" + seed});
            ExpectSound(result, gpus);
        }
    }
    EXPECT_GE(runs, 50U);
}

TEST_F(MixedMachinesTest, WhoGivesWayMovesOrFailsReturnsItsGpus)
{
    std::mt19937 random(45);
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const auto gpus = DrawGpus(random, 5);
        SCOPED_TRACE(Join(gpus) + ", seed " + std::to_string(seed));
        const RunResult result = Run(
            Backlog(gpus),
            {"seed=" + std::to_string(seed),
             std::string("scheduler.placement=") +
                 std::array<const char*, 4>{"first-fit", "gandiva", "dally", "random"}[seed % 4],
             "scheduler.jobs=2d-las",
             "scheduler.lease=20ms",
             "scheduler.improve=11ms",
             "scheduler.detection=3ms",
             "cluster.failures=[{\"server\": 1, \"at\": \"20ms\", \"for\": \"30ms\"}]"});
        ExpectSound(result, gpus);
    }
}

TEST_F(MixedMachinesTest, OneNumberIsAListOfEqualNumbers)
{
    const auto one = Run(Backlog({4, 4, 4, 4, 4}), {"cluster.hosts.gpus=4"});
    const auto list = Run(Backlog({4, 4, 4, 4, 4}));
    ASSERT_EQ(one.jobs.size(), list.jobs.size());
    for (std::size_t i = 0; i < one.jobs.size(); ++i)
    {
        EXPECT_EQ(one.jobs[i].job, list.jobs[i].job);
        EXPECT_EQ(one.jobs[i].end, list.jobs[i].end);
        EXPECT_EQ(ListGpus(one.jobs[i].placement), ListGpus(list.jobs[i].placement));
    }
}

TEST_F(MixedMachinesTest, AGraphGivesWhatItsTopologyGives)
{
    const std::vector<uint32_t> gpus{1, 2, 8, 8, 2};
    const Scenario scenario = ReadText(Backlog(gpus));
    std::ostringstream network;
    CreatePolicy<NetworkFormat>("json")->Write(
        *MakeNetworkGraph(MakePlan(scenario.cluster.topology)),
        network);
    const std::string asGraph = "cluster.topology=" + network.str();
    for (const std::string transport : {"fluid", "tcp", "rdma"})
    {
        SCOPED_TRACE(transport);
        const auto built = Run(Backlog(gpus), {"transport.kind=" + transport});
        const auto graph = Run(Backlog(gpus), {"transport.kind=" + transport, asGraph});
        ASSERT_EQ(built.jobs.size(), graph.jobs.size());
        for (std::size_t i = 0; i < built.jobs.size(); ++i)
        {
            EXPECT_EQ(built.jobs[i].end, graph.jobs[i].end);
            EXPECT_EQ(ListGpus(built.jobs[i].placement), ListGpus(graph.jobs[i].placement));
        }
    }
    const std::string written = FormatScenario(ReadText(Backlog(gpus), {asGraph}));
    EXPECT_EQ(FormatScenario(ReadText(written)), written);
}

TEST_F(MixedMachinesTest, MemoryOfAMachineIsItsOwn)
{
    // A worker takes 6 GB: two on the machine of 16 GB, one on that of 8 GB, so the fourth waits.
    const std::string job = R"({"model": {"name": "m", "bytes": "8B", "forward": "10ms",
        "gpuMemory": "6GB"}, "workers": 1, "iterations": 1})";
    const std::string text =
        OnSwitch(2, 1, R"({"jobs": [)" + job + ", " + job + ", " + job + ", " + job + "]}");
    const RunResult result =
        Run(text, {R"(cluster.hosts.gpuMemory=["16GB", "8GB"])", "transport.kind=fluid"});
    EXPECT_EQ(RowOf(result, 3).start, Time(0));
    EXPECT_GT(RowOf(result, 4).start, Time(0));
}

TEST_F(MixedMachinesTest, WhatIsWrongIsSaid)
{
    const auto hosts = [](const std::string& text) {
        return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
"hosts": )" + text +
               R"(}, "workload": {"jobs": [{"model": "VGG-16", "workers": 2, "iterations": 1}]}})";
    };
    EXPECT_EQ(Complaints(hosts(R"({"gpus": [{"machines": 3, "gpus": 2}, 8],
                                   "gpuType": [{"machines": 4, "gpuType": "T4"}]})")),
              "");
    const auto groups = ReadText(hosts(R"({"gpus": [{"machines": 3, "gpus": 2}, 8],
        "gpuType": ["T4", "T4", "K80", "K80"]})"))
                            .cluster.groups;
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].count, 2U);
    EXPECT_EQ(groups[1].gpus, 2U);
    EXPECT_EQ(groups[1].gpuType.name, "K80");
    EXPECT_EQ(groups[2].gpus, 8U);
    for (const auto& [text, what] : std::map<std::string, std::string>{
             {R"({"gpus": [2, 2, 8]})", "describes 3 machines of 4"},
             {R"({"gpus": []})", "is empty"},
             {R"({"gpus": [{"machines": 0, "gpus": 2}]})", "must be a whole number from 1"},
             {R"({"gpus": [{"machines": 4}]})", "/cluster/hosts/gpus/0"},
             {R"({"gpus": [{"machines": 4, "gpu": 2}]})", "did you mean \"gpus\"?"},
             {R"({"gpus": [2, 2, 2, 1025]})", "/cluster/hosts/gpus/3"},
             {R"({"gpus": [2, 2, 2, 2], "groups": [{"count": 4}]})", "and \"groups\" as well"},
             {R"({"gpuType": ["T4", "T4", "T4", "T5"]})", "unknown GPU type \"T5\""},
             {R"({"gpuMemory": ["8GB", "0B", "8GB", "8GB"]})", "all or none"}})
    {
        EXPECT_NE(Complaints(hosts(text)).find(what), std::string::npos)
            << text << " says " << Complaints(hosts(text));
    }
}

} // namespace
