// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-child-process.h"
#include "app/process/ddl-folder.h"
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-run-scenario.h"
#include "ddl-process-state.h"
#include "ddl-simulation-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-port.h"
#include "ns3/node-list.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

/** Runs scenarios into a folder. This program is a user's: none of ours, with a policy of its own.
 */
class RunScenarioTest : public SimulationFixture
{
  protected:
    /** What a run said, and how it ended. */
    struct Outcome
    {
        int status;
        std::string out;
        std::string err;
    };

    Outcome RunInto(const std::string& folder, const Settings& settings = {}, bool quiet = true)
    {
        Settings all = {"output.alone=false", "output.figures=false"};
        all.insert(all.end(), settings.begin(), settings.end());
        return RunScenarioInto(
            folder,
            ReadText(OnSwitch(2,
                              1,
                              R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2,
                                             "iterations": 2}]})"),
                     all),
            quiet);
    }

    Outcome RunScenarioInto(const std::string& folder, const Scenario& scenario, bool quiet = true)
    {
        ::testing::internal::CaptureStdout();
        ::testing::internal::CaptureStderr();
        RunOptions options;
        options.folder = (m_folder / folder).string();
        options.quiet = quiet;
        const int status = RunScenario(scenario, options);
        const std::string out = ::testing::internal::GetCapturedStdout();
        return {status, out, ::testing::internal::GetCapturedStderr()};
    }

    std::set<std::string> ListFolder(const std::string& folder) const
    {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder / folder))
        {
            names.insert(entry.path().filename().string());
        }
        return names;
    }

    const std::set<std::string> m_files = {"stages.csv",
                                           "jobs.csv",
                                           "runs.csv",
                                           "ports.csv",
                                           "remarks.csv",
                                           "schedule.csv",
                                           "summary.json",
                                           "cost.json"};
};

TEST_F(RunScenarioTest, LeavesTheFilesOfTheContractAndNothingElse)
{
    const Outcome run = RunInto("a folder/of its own");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(ListFolder("a folder/of its own"), m_files);
    const auto summary = nlohmann::ordered_json::parse(Read("a folder/of its own/summary.json"));
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["metrics"]["jct_s"]["count"], 1);
    EXPECT_EQ(summary["scenario"]["name"], "s");
    // Cells of what was not run are empty.
    EXPECT_NE(
        Read("a folder/of its own/jobs.csv").find(",2,0,,,4000000,,,,0.000000000,1,0.000000000,"),
        std::string::npos)
        << Read("a folder/of its own/jobs.csv");
}

TEST_F(RunScenarioTest, EqualRunsWriteEqualFilesWhereverTheyGo)
{
    RunInto("one");
    RunInto("two", {}, false);
    for (const auto& name : m_files)
    {
        if (name != "cost.json")
        {
            EXPECT_EQ(Read("one/" + name), Read("two/" + name)) << name;
        }
    }
}

TEST_F(RunScenarioTest, WritesWhatIsAskedFor)
{
    RunInto("out",
            {"output.iterations=true",
             "output.waits=true",
             "output.timers=true",
             "output.paths=true",
             "output.pcap=true"});
    auto files = m_files;
    files.insert({"iterations.csv", "waits.csv", "timers.csv", "paths.csv", "pcap"});
    EXPECT_EQ(ListFolder("out"), files);
    EXPECT_EQ(ListFolder("out/pcap"),
              (std::set<std::string>{"h0-0-switch0.pcap",
                                     "h1-0-switch0.pcap",
                                     "switch0-0-h0.pcap",
                                     "switch0-1-h1.pcap"}));
    EXPECT_GT(std::filesystem::file_size(m_folder / "out/pcap/h0-0-switch0.pcap"), 1000000U);
}

TEST_F(RunScenarioTest, NothingOfAnEarlierRunIsLeft)
{
    RunInto("out", {"output.iterations=true", "output.pcap=true"});
    Write("out/bars.gp", "old");
    Write("out/bars.png", "old");
    Write("out/bars-data.csv", "old");
    Write("out/.alone/3/jobs.csv", "of a run that was killed");
    Write("out/notes.txt", "the user's own");
    RunInto("out");
    auto files = m_files;
    files.insert("notes.txt");
    EXPECT_EQ(ListFolder("out"), files);
}

TEST_F(RunScenarioTest, WorkLeftOverIsSaid)
{
    const Outcome run = RunInto("out", {"stop.time=100us"});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err,
              "work was left over, the simulated time was up (stop.time):\n"
              "  job 1: stage 1, iteration 1 of 2\n");
    EXPECT_EQ(ListFolder("out"), m_files);
    EXPECT_NE(Read("out/summary.json").find("\"status\": \"unfinished\""), std::string::npos);
}

/** Times that are drawn are at most half of the longest, which no double holds exactly. */
TEST_F(RunScenarioTest, ComputeTimesWithoutBoundAreCapped)
{
    Settings settings = {
        "workload.jobs.0.model.forward=1ms",
        "workload.jobs.0.iterations=1",
        R"(workload.compute={"jitter": {"type": "constant-random-variable", "Constant": 1e300}})"};
    const Outcome run = RunInto("out", settings);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_GT(RunSummary((m_folder / "out").string()).GetMetric("makespan_s").value_or(0), 4.6e9);
    settings[1] = "workload.jobs.0.iterations=2";
    EXPECT_THROW(RunInto("twice", settings), RunError) << "a time of both would be negative";
    ::testing::internal::GetCapturedStdout();
    ::testing::internal::GetCapturedStderr();
}

TEST_F(RunScenarioTest, PrintsATable)
{
    const Outcome run = RunInto("out", {"scale.model=0.5"}, false);
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("under fair-share, seed 1, scale: model 0.500, iterations 1.000\n"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("\njob completion time, s "), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("stage completion time"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nresults: " + (m_folder / "out").string() + "\n"), std::string::npos)
        << run.out;
    const Outcome gated = RunInto("gated", {"scheduler.gate=srsf-n"}, false);
    EXPECT_NE(gated.out.find(" under fair-share behind srsf-n, seed 1"), std::string::npos)
        << gated.out;
}

TEST_F(RunScenarioTest, AFolderInUseIsLeftAlone)
{
    RunInto("out");
    const std::string before = Read("out/summary.json");
    const FolderLock held(m_folder / "out");
    EXPECT_THROW(RunInto("out", {"seed=2"}), RunError);
    ::testing::internal::GetCapturedStdout();
    ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(Read("out/summary.json"), before);
}

TEST_F(RunScenarioTest, AFolderThatCannotBeIsAnError)
{
    Write("file", "");
    EXPECT_THROW(RunInto("file/out"), RunError);
    ::testing::internal::GetCapturedStdout();
    ::testing::internal::GetCapturedStderr();
}

namespace
{

/** A policy of the user's own program, as no program of ours knows it. */
class OwnPlacement : public PlacementPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::OwnPlacementPolicy")
                                .SetParent<PlacementPolicy>()
                                .AddConstructor<OwnPlacement>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "as first-fit";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        return CreatePolicy<PlacementPolicy>("first-fit")->Place(view);
    }
};

} // namespace

TEST_F(RunScenarioTest, RunsAloneHaveThePoliciesAndDefaultsOfTheProgramThatAsksForThem)
{
    const ProcessStateGuard guard;
    // 1 MB in 10 Gbps, and 100 bytes of header in each packet of 1500: what no other program knows.
    Config::SetDefault("ns3::ddl::FluidTransport::HeaderBytes", UintegerValue(100));
    Scenario scenario =
        ReadText(OnSwitch(2,
                          2,
                          R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "iterations": 2,
                      "placement": {"workers": [[0, 0], [1, 0]], "servers": []}},
                     {"model": {"bytes": "1MB"}, "workers": 2, "iterations": 2,
                      "placement": {"workers": [[0, 1], [1, 1]], "servers": []}}]})"),
                 {"output.figures=false", "transport.kind=fluid"});
    scenario.scheduling.placement.SetTypeId(OwnPlacement::GetTypeId());
    const Outcome run = RunScenarioInto("both", scenario);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(Exists("both/.alone"));

    scenario.workload.groups.resize(1);
    scenario.output.alone = false;
    ASSERT_EQ(RunScenarioInto("one", scenario).status, 0);
    const CsvTable both((m_folder / "both/jobs.csv").string());
    const CsvTable one((m_folder / "one/jobs.csv").string());
    EXPECT_GT(*one.GetNumber(0, "jct_s"), 0);
    EXPECT_EQ(both.GetNumber(0, "alone_s"), one.GetNumber(0, "jct_s"));
    EXPECT_EQ(both.GetNumber(1, "alone_s"), one.GetNumber(0, "jct_s"));
    EXPECT_GT(*both.GetNumber(0, "slowdown"), 1.5) << "two jobs share the links";
}

TEST_F(RunScenarioTest, ARunInACopyOfThisProcessIsTheRunOfAFreshOne)
{
    // Job 2 alone, as the first run of a process, and after a run with two jobs: the same time.
    const auto read = [this](const std::string& transport, const std::string& jobs) {
        return ReadText(OnSwitch(4, 2, R"({"jobs": [)" + jobs + "]}"),
                        {"output.figures=false", "transport.kind=" + transport});
    };
    const std::string first =
        R"({"id": 1, "model": {"bytes": "1MB"}, "workers": 4, "iterations": 2})";
    const std::string second =
        R"({"id": 2, "model": {"bytes": "3MB"}, "workers": 4, "iterations": 2,
        "placement": {"workers": [[0, 1], [1, 1], [2, 1], [3, 1]], "servers": []}})";
    const std::vector<std::string> transports = {"tcp", "rdma", "fluid"};
    for (const auto& transport : transports)
    {
        Scenario alone = read(transport, second);
        alone.output.alone = false;
        const auto run = [&] { return RunScenarioInto(transport + "-one", alone).status; };
        ASSERT_EQ(ChildProcess({{}, "", -1, -1, run}).Wait(), 0);
    }
    for (const auto& transport : transports)
    {
        ASSERT_EQ(
            RunScenarioInto(transport + "-both", read(transport, first + "," + second)).status,
            0);
        const CsvTable both((m_folder / (transport + "-both/jobs.csv")).string());
        const CsvTable one((m_folder / (transport + "-one/jobs.csv")).string());
        const std::size_t row = both.GetText(0, "job_id") == "2" ? 0 : 1;
        EXPECT_EQ(both.GetNumber(row, "alone_s"), one.GetNumber(0, "jct_s")) << transport;
    }
}

TEST_F(RunScenarioTest, TheSummaryListsTheFilesWithTheirSizes)
{
    RunInto("out", {"output.pcap=true"});
    const auto files = nlohmann::json::parse(Read("out/summary.json"))["files"];
    EXPECT_EQ(files.size(), 6U + 4) << files; // six tables, and a capture for each of four ports
    for (const auto& [name, size] : files.items())
    {
        EXPECT_EQ(size, std::filesystem::file_size(m_folder / "out" / name)) << name;
    }
    EXPECT_TRUE(files.contains("pcap/h0-0-switch0.pcap")) << files;
    EXPECT_TRUE(RunSummary((m_folder / "out").string()).hasFiles);
    std::filesystem::resize_file(m_folder / "out/pcap/h0-0-switch0.pcap", 1000);
    EXPECT_FALSE(RunSummary((m_folder / "out").string()).hasFiles);
}

TEST_F(RunScenarioTest, FiguresOfEveryKindAndFormatAreRemoved)
{
    for (const std::string name : {"cdf-jct", "ports"})
    {
        for (const std::string ending : {"-data.csv", ".gp", ".png", ".svg", ".pdf"})
        {
            Write("out/" + name + ending, "old");
        }
    }
    RunInto("out");
    EXPECT_EQ(ListFolder("out"), m_files);
}

TEST_F(RunScenarioTest, ADeviceThatLosesAPacketIsNamed)
{
    // 400 us into the run, the NIC of h0 forgets the first packet that waits there.
    bool isLost = false;
    Simulator::Schedule(MicroSeconds(400), [&isLost] {
        for (auto node = NodeList::Begin(); node != NodeList::End() && !isLost; ++node)
        {
            const auto port = DynamicCast<Port>((*node)->GetDevice(0));
            isLost = port && port->GetBank().Flush() != nullptr;
        }
    });
    const Outcome run = RunInto("out");
    ASSERT_TRUE(isLost);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err.find("error: packets are not accounted for: h0 was offered "), 0U) << run.err;
    const auto summary = nlohmann::ordered_json::parse(Read("out/summary.json"));
    EXPECT_EQ(summary["status"], "unfinished");
    EXPECT_EQ(summary["reason"], "packets are not accounted for");
    EXPECT_EQ(summary["unaccounted"][0]["device"], "h0");
}
