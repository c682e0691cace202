// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-folder-lock.h"
#include "ns3/ddl-run-scenario.h"

#include <nlohmann/json.hpp>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

/** Runs scenarios into a folder, without alone runs: those would start this very program. */
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
        const Scenario scenario =
            ReadText(OnSwitch(2,
                              1,
                              R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2,
                                  "iterations": 2}]})"),
                     all);
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
    EXPECT_NE(Read("a folder/of its own/jobs.csv").find(",2,0,,,4000000,,,,0.000000000\n"), std::string::npos)
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
    RunInto("out", {"output.iterations=true", "output.pcap=true"});
    auto files = m_files;
    files.insert({"iterations.csv", "pcap"});
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
    Write("out/bars.png", "old");
    Write("out/cdf-slowdown-data.csv", "old");
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
