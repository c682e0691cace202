// SPDX-License-Identifier: GPL-2.0-only
// timeline.json: valid, the same as the accounts, the same each time, whole when a run is cut
// short.
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Document = nlohmann::json;

/** One machine's track. */
using Track = std::pair<uint32_t, uint32_t>;

class TimelineTest : public SimulationFixture
{
  protected:
    /** Two jobs that share GPUs, servers on the workers' machines, buckets, a search that stops. */
    static std::string Text()
    {
        return OnSwitch(3, 2, R"({"overlap": {"buckets": 2}, "jobs": [
            {"model": {"bytes": "300kB", "forward": "1ms", "backward": "2ms", "gpuMemory": "1MB"},
             "workers": 3, "servers": 2, "iterations": 4},
            {"model": {"bytes": "200kB", "forward": "700us", "backward": "1ms",
                       "gpuMemory": "1MB"}, "workers": 6, "iterations": 5}]})");
    }

    /** \return text of the timeline of a run; what GPUs have done goes to m_busy */
    std::string Record(const Settings& more = {})
    {
        Settings settings = {"cluster.hosts.gpuMemory=2MB", "transport.kind=rdma"};
        settings.insert(settings.end(), more.begin(), more.end());
        const std::string file = (m_folder / "timeline.json").string();
        {
            ClusterSimulation simulation(ReadText(Text(), settings));
            simulation.EnableTimeline(file);
            simulation.Run();
            m_busy.clear();
            for (uint32_t host = 0; host < 3; ++host)
            {
                for (uint32_t gpu = 0; gpu < 2; ++gpu)
                {
                    m_busy[{host, gpu}] = simulation.GetTrainingCluster()
                                              ->GetMachines()
                                              ->GetGpu({HostId{host}, gpu})
                                              ->GetTimes()
                                              .busy.GetNanoSeconds();
                }
            }
        }
        std::ifstream stream(file);
        std::ostringstream text;
        text << stream.rdbuf();
        return text.str();
    }

    /** Slices by track, [from, to) in nanoseconds, in order. */
    static std::map<Track, std::vector<std::pair<int64_t, int64_t>>> ListSlices(
        const Document& root)
    {
        std::map<Track, std::vector<std::pair<int64_t, int64_t>>> slices;
        for (const auto& event : root["traceEvents"])
        {
            if (event["ph"] == "X")
            {
                const int64_t start = std::llround(event["ts"].get<double>() * 1000);
                const int64_t length = std::llround(event["dur"].get<double>() * 1000);
                slices[{event["pid"], event["tid"]}].emplace_back(start, start + length);
            }
        }
        for (auto& [track, list] : slices)
        {
            std::sort(list.begin(), list.end());
        }
        return slices;
    }

    /** No overlap on any track, and what GPUs did is what their accounts say. */
    void ExpectAccounts(const Document& root)
    {
        auto slices = ListSlices(root);
        for (const auto& [track, list] : slices)
        {
            for (std::size_t i = 1; i < list.size(); ++i)
            {
                EXPECT_GE(list[i].first, list[i - 1].second) << track.first << " " << track.second;
            }
        }
        for (const auto& [gpu, busy] : m_busy)
        {
            int64_t sum = 0;
            for (const auto& [start, end] : slices[gpu])
            {
                sum += end - start;
            }
            EXPECT_EQ(sum, busy) << "GPU " << gpu.second << " of machine " << gpu.first;
        }
    }

    std::map<Track, int64_t> m_busy; //!< ns
};

} // namespace

TEST_F(TimelineTest, SaysWhatTheAccountsSay)
{
    const Document root = Document::parse(Record());
    ExpectAccounts(root);
    std::map<std::string, uint32_t> names;
    std::map<std::string, uint64_t> bytes;
    for (const auto& event : root["traceEvents"])
    {
        const std::string name = event["name"];
        ++names[event["ph"] == "M" ? name + " " + event["args"].value("name", "") : name];
        if (event["ph"] == "X" && event["args"].contains("bytes"))
        {
            const bool isReceived = name.find(" from ") != std::string::npos;
            bytes[isReceived ? "received" : "sent"] += event["args"]["bytes"].get<uint64_t>();
        }
    }
    EXPECT_EQ(names["process_name h2"], 1U);
    EXPECT_EQ(names["thread_name GPU 1"], 3U); // one a machine
    EXPECT_GE(names["thread_name send 0"], 1U);
    EXPECT_GE(names["thread_name receive 0"], 1U);
    EXPECT_GE(names["thread_name inside 0"], 1U);
    EXPECT_EQ(names["job 1, iteration 4, forward"], 3U);
    EXPECT_EQ(names["job 2, iteration 5, backward"], 12U); // 6 workers, 2 buckets
    // push and pull of 3 workers, 4 times; 2(N-1) M of a ring of 6, 5 times
    EXPECT_EQ(bytes["sent"], 4U * 2 * 3 * 300000 + 5U * 10 * 200000);
    EXPECT_GT(bytes["received"], 0U);
    EXPECT_LT(bytes["received"], bytes["sent"]); // some of it stayed inside
}

TEST_F(TimelineTest, NamesServersWhereTheyHaveSeveralMachines)
{
    const std::string text =
        Record({"cluster.topology={\"kind\": \"three-tier\", \"gpusPerServer\": 2}"});
    EXPECT_NE(text.find("\"h3, server 1, rack 0\""), std::string::npos);
    EXPECT_NE(text.find("\"h7, server 3, rack 1\""), std::string::npos);
}

TEST_F(TimelineTest, IsTheSameEachTimeAndChangesNothing)
{
    const std::string first = Record();
    EXPECT_EQ(first, Record());
    const auto scenario = ReadText(Text(), {"cluster.hosts.gpuMemory=2MB", "transport.kind=rdma"});
    const auto run = [&](bool timeline) {
        ClusterSimulation simulation(scenario);
        if (timeline)
        {
            simulation.EnableTimeline((m_folder / "t.json").string());
        }
        const auto result = simulation.Run();
        return std::make_pair(result.events, result.end);
    };
    EXPECT_EQ(run(true), run(false));
}

TEST_F(TimelineTest, IsWholeWhenTheRunIsCutShort)
{
    for (const char* time : {"1ns", "500us", "4ms", "7ms"})
    {
        SCOPED_TRACE(time);
        const Document root = Document::parse(
            Record({std::string("stop.time=") + time, "cluster.hosts.gpuMemory=0B"}));
        ExpectAccounts(root);
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / "timeline.json.part"));
}

TEST_F(TimelineTest, AFileThatCannotBeMadeIsSaidBeforeTheRun)
{
    ClusterSimulation simulation(ReadText(Text(), {"cluster.hosts.gpuMemory=2MB"}));
    try
    {
        simulation.EnableTimeline((m_folder / "not" / "there.json").string());
        FAIL() << "there is no such folder";
    }
    catch (const RunError& error)
    {
        EXPECT_STREQ(error.what(), "cannot write \"there.json\": No such file or directory");
    }
}

TEST_F(TimelineTest, AFullDiskLeavesTheFileOverAndKeepsTheRest)
{
    std::filesystem::create_symlink("/dev/full", m_folder / "timeline.json.part");
    ClusterSimulation simulation(ReadText(Text(), {"cluster.hosts.gpuMemory=2MB"}));
    simulation.EnableTimeline((m_folder / "timeline.json").string());
    const auto result = simulation.Run();
    EXPECT_EQ(result.jobs.size(), 2U);
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_TRUE(result.unfinished.empty());
    ASSERT_EQ(result.failures.size(), 1U);
    EXPECT_EQ(result.failures[0].state, "cannot write \"timeline.json\": No space left on device");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "timeline.json"));
}
