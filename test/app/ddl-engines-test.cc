// SPDX-License-Identifier: GPL-2.0-only
#include "app/engines/ddl-command-answer.h"
#include "app/engines/ddl-engine.h"
#include "app/engines/ddl-slurm.h"
#include "app/engines/ddl-study-plan.h"
#include "app/engines/ddl-task-packing.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

using namespace ns3::ddl;

namespace
{

/** \return seconds of each task */
std::vector<double>
AddUp(const std::vector<std::vector<std::size_t>>& tasks, const std::vector<double>& seconds)
{
    std::vector<double> sums;
    for (const auto& task : tasks)
    {
        sums.push_back(std::accumulate(task.begin(), task.end(), 0.0, [&](double sum, auto run) {
            return sum + seconds[run];
        }));
    }
    return sums;
}

/** Every run is in one task, and the longest goes first. */
void
ExpectPacked(const std::vector<std::vector<std::size_t>>& tasks, const std::vector<double>& seconds)
{
    std::vector<int> seen(seconds.size());
    for (const auto& task : tasks)
    {
        ASSERT_FALSE(task.empty());
        for (const auto run : task)
        {
            ++seen[run];
            EXPECT_LE(seconds[run], seconds[task.front()]);
        }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<long>(seen.size()));
    const auto sums = AddUp(tasks, seconds);
    EXPECT_TRUE(std::is_sorted(sums.rbegin(), sums.rend()));
}

std::string
ReadOptions(const std::vector<std::string>& given)
{
    Arguments arguments("ddl compare", "");
    arguments.AddOption("jobs", "N", "");
    AddEngineOptions(arguments);
    try
    {
        arguments.Parse(given);
        ReadEngineOptions(arguments);
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(TaskPackingTest, TasksHaveTenToTwentyMinutes)
{
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i)
    {
        const double largest = std::uniform_real_distribution<>(1, 599)(random);
        std::vector<double> seconds(1 + random() % 2000);
        for (double& value : seconds)
        {
            value = std::uniform_real_distribution<>(0.1, largest)(random);
        }
        const auto tasks = PackRuns(seconds, 0);
        ExpectPacked(tasks, seconds);
        const auto sums = AddUp(tasks, seconds);
        EXPECT_LT(sums.front(), 1200);
        EXPECT_LE(std::count_if(sums.begin(), sums.end(), [](double sum) { return sum < 600; }), 1);
    }
}

TEST(TaskPackingTest, ALongRunIsATaskOfItsOwn)
{
    // 3000 and 1500 stand alone; 5 * 200 = 1000 are one task.
    const std::vector<double> seconds{200, 3000, 200, 200, 1500, 200, 200};
    const auto tasks = PackRuns(seconds, 0);
    EXPECT_EQ(AddUp(tasks, seconds), (std::vector<double>{3000, 1500, 1000}));
}

TEST(TaskPackingTest, AsManyTasksAsCanRunAtATime)
{
    // 96 * 2 = 192 s are one task of less than ten minutes, or 4 of 48 s.
    const std::vector<double> seconds(96, 2);
    EXPECT_EQ(AddUp(PackRuns(seconds, 0), seconds), (std::vector<double>{192}));
    EXPECT_EQ(AddUp(PackRuns(seconds, 4), seconds), (std::vector<double>{48, 48, 48, 48}));
    EXPECT_EQ(PackRuns({2, 2}, 4).size(), 2U);
    EXPECT_TRUE(PackRuns({}, 4).empty());
}

TEST(StudyPlanTest, ALineIsOneCommandForAShell)
{
    const StudyRun run{"a=1", {"/opt/ddl run", "it's.json", "--set=a=1"}, "/x/runs/a=1", {}};
    const std::string line = FormatRunLine(run);
    // The shell itself is the judge of the quoting.
    const auto answer =
        AskCommand({"sh", "-c", "env() { for word; do echo \"<$word>\"; done; }; " + line});
    EXPECT_EQ(answer.status, 0);
    const auto words = SplitLines(answer.output);
    ASSERT_GE(words.size(), 6U);
    EXPECT_EQ(std::vector<std::string>(words.end() - 6, words.end()),
              (std::vector<std::string>{"</opt/ddl run>",
                                        "<it's.json>",
                                        "<--set=a=1>",
                                        "<--out=/x/runs/a=1>",
                                        "<--quiet>",
                                        "<--once>"}));
    EXPECT_NE(line.find("DDL_PROCESSES=1"), std::string::npos);
}

TEST(StudyPlanTest, TheJsonHasTheSameCommandAndThePrice)
{
    const StudyRun known{"a", {"/ddl-run", "x"}, "/r/a", {1.5, 200.0}};
    const StudyRun unknown{"b", {"/ddl-run", "y"}, "/r/b", {}};
    const auto plan = nlohmann::json::parse(FormatPlan({known, unknown}));
    ASSERT_EQ(plan["runs"].size(), 2U);
    EXPECT_EQ(plan["runs"][0]["name"], "a");
    EXPECT_EQ(plan["runs"][0]["cpu_s"], 1.5);
    EXPECT_EQ(plan["runs"][0]["command"].back(), "--once");
    EXPECT_EQ(plan["runs"][0]["line"], FormatRunLine(known));
    EXPECT_TRUE(plan["runs"][1]["memory_mb"].is_null());
    EXPECT_EQ(FormatPlanLines({known, unknown}),
              FormatRunLine(known) + "\n" + FormatRunLine(unknown) + "\n");
}

TEST(SlurmTest, StatesTellWhatBecameOfATask)
{
    EXPECT_EQ(ReadSlurmState("RUNNING"), TaskState::ALIVE);
    EXPECT_EQ(ReadSlurmState("TIMEOUT"), TaskState::OUT_OF_TIME);
    EXPECT_EQ(ReadSlurmState("OUT_OF_MEMORY"), TaskState::OUT_OF_MEMORY);
    EXPECT_EQ(ReadSlurmState("NODE_FAIL"), TaskState::LOST);
    EXPECT_EQ(ReadSlurmState("CANCELLED by 1000"), TaskState::CANCELLED);
    EXPECT_EQ(ReadSlurmState("CANCELLED+"), TaskState::CANCELLED);
    EXPECT_EQ(ReadSlurmState("FAILED"), TaskState::OVER);
}

TEST(SlurmTest, CpusAreCounted)
{
    EXPECT_EQ(CountSlurmCpus("72(x2),36"), 180U);
    EXPECT_EQ(CountSlurmCpus("4"), 4U);
    EXPECT_EQ(CountSlurmCpus(""), 0U);
}

TEST(BatchTaskTest, LimitsHaveHeadroomAndDouble)
{
    BatchTask task;
    task.seconds = 900;  // 2 * 15 min + 10 = 40 min
    task.memoryMb = 300; // 1.5 * 286.1 MiB + 256 = 685.2 MiB, rounded to 768
    EXPECT_EQ(task.GetMinutes(), 40U);
    EXPECT_EQ(task.GetMegabytes(), 768U);
    task.timeFactor = 2;
    task.memoryFactor = 2;
    EXPECT_EQ(task.GetMinutes(), 80U);
    EXPECT_EQ(task.GetMegabytes(), 1536U); // 1370.3, rounded
}

TEST(EngineOptionsTest, WhatDoesNotFitIsRefused)
{
    EXPECT_EQ(ReadOptions({}), "");
    EXPECT_NE(ReadOptions({"--engine=slrum"}).find("did you mean \"slurm\"?"), std::string::npos);
    EXPECT_NE(ReadOptions({"--partition=x"}).find("is for --engine=slurm"), std::string::npos);
    EXPECT_NE(ReadOptions({"--sshloginfile=x"}).find("is for --engine=parallel"),
              std::string::npos);
    EXPECT_NE(ReadOptions({"--detach"}).find("--engine=slurm and --engine=parallel"),
              std::string::npos);
}

TEST(EngineOptionsTest, OneLineSaysWhatToInstall)
{
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    const std::string slurm = ReadOptions({"--engine=slurm"});
    const std::string parallel = ReadOptions({"--engine=parallel"});
    const std::string plan = ReadOptions({"--engine=slurm", "--plan"});
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(slurm.find("apt-get install slurm-client"), std::string::npos);
    EXPECT_EQ(slurm.find('\n'), std::string::npos);
    EXPECT_NE(parallel.find("apt-get install parallel"), std::string::npos);
    EXPECT_EQ(parallel.find('\n'), std::string::npos);
    EXPECT_EQ(plan, ""); // it needs no engine
}
