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
                const uint32_t process = event["pid"];
                const uint32_t track = event["tid"];
                EXPECT_GE(process, 1U) << "0 is the idle process";
                EXPECT_GE(track, 1U);
                slices[{process - 1, track - 1}].emplace_back(start, start + length);
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

TEST_F(TimelineTest, ArrowsLeadFromSendersToReceivers)
{
    const Document root = Document::parse(Record());
    std::map<uint64_t, std::vector<Document>> arrows;
    std::size_t received = 0;
    for (const auto& event : root["traceEvents"])
    {
        if (event["ph"] == "s" || event["ph"] == "f")
        {
            arrows[event["id"]].push_back(event);
        }
        received += event["ph"] == "X" &&
                            event["name"].get<std::string>().find(" from ") != std::string::npos
                        ? 1
                        : 0;
    }
    EXPECT_EQ(arrows.size(), received) << "one a message that crosses the network";
    const auto slices = ListSlices(root);
    // both ends lie within a slice of their track, which is what they are bound to
    const auto isWithin = [&slices](const Document& event) {
        const int64_t at = std::llround(event["ts"].get<double>() * 1000);
        const Track track{event["pid"].get<uint32_t>() - 1, event["tid"].get<uint32_t>() - 1};
        const auto& list = slices.at(track);
        return std::any_of(list.begin(), list.end(), [at](const auto& slice) {
            return slice.first <= at && at < slice.second;
        });
    };
    for (const auto& [id, ends] : arrows)
    {
        ASSERT_EQ(ends.size(), 2U);
        EXPECT_EQ(ends[0]["ph"], "s");
        EXPECT_EQ(ends[1]["ph"], "f");
        EXPECT_EQ(ends[1]["bp"], "e");
        EXPECT_EQ(ends[0]["name"], ends[1]["name"]);
        EXPECT_EQ(ends[0]["cat"], ends[1]["cat"]);
        EXPECT_NE(ends[0]["pid"], ends[1]["pid"]) << "another machine";
        EXPECT_TRUE(isWithin(ends[0])) << ends[0];
        EXPECT_TRUE(isWithin(ends[1])) << ends[1];
    }
}

TEST_F(TimelineTest, JobsHaveTracksOfTheirRunsAndSuspensions)
{
    const Document root = Document::parse(
        Record({"scheduler.jobs=2d-las", "scheduler.lease=5ms", "cluster.hosts.gpuMemory=0B"}));
    ExpectAccounts(root); // nothing overlaps there either
    std::map<std::string, std::size_t> counts;
    for (const auto& event : root["traceEvents"])
    {
        const bool isOfJobs = event["pid"] == 4; // behind machines 1 to 3
        counts[event["name"]] += isOfJobs && event["ph"] == "X" ? 1 : 0;
    }
    EXPECT_EQ(counts["run 1"], 2U) << "of both jobs";
    EXPECT_EQ(counts["run 2"], counts["suspended, waits for GPUs"]);
    EXPECT_GE(counts["run 2"], 1U) << "six GPUs are too few for both";
}

TEST_F(TimelineTest, TasksMoveTheirMessages)
{
    // Two rounds of four tasks: 100 kB to each and back. What stays inside is received by nobody.
    const Document root = Document::parse(
        Record({R"(workload={"jobs": [{"model": {"bytes": "100kB", "forward": "1ms"}, "tasks": true,
                "workers": 4, "servers": 1, "iterations": 2}]})",
                "cluster.hosts.gpuMemory=0B"}));
    ExpectAccounts(root);
    std::map<bool, uint64_t> bytes; // by whether they are received
    for (const auto& event : root["traceEvents"])
    {
        if (event["ph"] == "X" && event["args"].contains("bytes"))
        {
            const bool isReceived =
                event["name"].get<std::string>().find(" from ") != std::string::npos;
            bytes[isReceived] += event["args"]["bytes"].get<uint64_t>();
        }
    }
    EXPECT_EQ(bytes[false], 2 * 2 * 4 * 100000U);
    EXPECT_GT(bytes[true], 0U);
    EXPECT_LT(bytes[true], bytes[false]);
    EXPECT_EQ(bytes[true] % 100000, 0U);
}

TEST_F(TimelineTest, CountersAddUpToWhatJobsMoved)
{
    const std::string file = (m_folder / "timeline.json").string();
    ClusterSimulation simulation(
        ReadText(Text(), {"cluster.hosts.gpuMemory=2MB", "transport.kind=rdma"}));
    simulation.EnableTimeline(file);
    simulation.EnableSeries((m_folder / "series.csv").string(), MilliSeconds(1));
    const RunResult result = simulation.Run();
    std::ifstream stream(file);
    const Document root = Document::parse(stream);
    std::map<std::string, std::map<double, double>> counters; // value from a time on, us
    for (const auto& event : root["traceEvents"])
    {
        if (event["ph"] == "C")
        {
            counters[event["name"]][event["ts"]] = event["args"]["value"];
        }
    }
    for (const auto& job : result.jobs)
    {
        const auto& rates =
            counters["throughput of job " + std::to_string(job.job.value) + ", Gbit/s"];
        ASSERT_GE(rates.size(), 2U);
        double bytes = 0;
        for (auto at = rates.begin(); at != rates.end(); ++at)
        {
            const double end =
                std::next(at) == rates.end() ? result.end.GetSeconds() * 1e6 : std::next(at)->first;
            bytes += at->second * (end - at->first) * 1e-6 / 8e-9;
        }
        EXPECT_NEAR(bytes, static_cast<double>(job.bytes), 1e-6 * static_cast<double>(job.bytes));
    }
    EXPECT_GT(counters.size(), 2U) << "queues, too";
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
        EXPECT_EQ(std::string(error.what()),
                  "cannot write \"" + (m_folder / "not/there.json").string() +
                      "\": No such file or directory");
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
    EXPECT_EQ(result.failures[0].state,
              "cannot write \"" + (m_folder / "timeline.json").string() +
                  "\": No space left on device");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "timeline.json"));
}
