// SPDX-License-Identifier: GPL-2.0-only
#include "app/engines/ddl-batch-engine.h"
#include "app/engines/ddl-command-answer.h"
#include "app/engines/ddl-engine.h"
#include "app/engines/ddl-slurm.h"
#include "app/engines/ddl-study-plan.h"
#include "app/engines/ddl-study-state.h"
#include "app/engines/ddl-task-packing.h"
#include "app/process/ddl-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <fstream>
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

/** A batch system of a test: it keeps what it got, and says of a task what it is told to say. */
class ScriptedBatch final : public Batch
{
  public:
    /** What the test and the batch system share. */
    struct Course
    {
        std::vector<BatchTask> submitted;                //!< in their order
        std::function<TaskState(const BatchTask&)> look; //!< how a task is doing
        std::function<void(const BatchTask&)> submit{};  //!< may throw
        std::vector<std::string> cancelled;
    };

    explicit ScriptedBatch(Course& course)
        : m_course(course)
    {
    }

    std::string GetName() const override
    {
        return "scripted";
    }

    std::size_t CountWanted() override
    {
        return 0;
    }

    std::size_t CountFree() override
    {
        return ANY_NUMBER;
    }

    void Submit(const std::vector<BatchTask*>& tasks, const std::filesystem::path&) override
    {
        for (BatchTask* task : tasks)
        {
            if (m_course.submit)
            {
                m_course.submit(*task);
            }
            task->handle = "t" + std::to_string(m_course.submitted.size());
            m_course.submitted.push_back(*task);
        }
    }

    std::vector<TaskState> Look(const std::vector<const BatchTask*>& tasks) override
    {
        std::vector<TaskState> states;
        for (const auto* task : tasks)
        {
            states.push_back(m_course.look(*task));
        }
        return states;
    }

    void Cancel(const std::vector<const BatchTask*>& tasks) override
    {
        for (const auto* task : tasks)
        {
            m_course.cancelled.push_back(task->handle);
        }
    }

    double GetInterval() const override
    {
        return 0;
    }

    double GetLag() const override
    {
        return 0;
    }

  private:
    Course& m_course;
};

/** Two runs of 100 s and 500 MB in a task of a scripted batch system. */
class BatchEngineTest : public testing::Test
{
  protected:
    StudyEnd Run(bool isResumed = false, bool isDetached = false)
    {
        EngineOptions options;
        options.name = "scripted";
        options.folder = m_folder.GetPath();
        options.isResumed = isResumed;
        options.isDetached = isDetached;
        StudyListener listener{[](std::size_t) {},
                               [](std::size_t) {},
                               [this](std::size_t run, const RunEnd& end) { m_ends[run] = end; },
                               [] {},
                               [this](const std::string& line) { m_said += line + "\n"; }};
        return BatchEngine(options, std::make_unique<ScriptedBatch>(m_course))
            .Run(m_runs, listener);
    }

    /** Do what the script of a task does when a run begins, and when it is over. */
    void Begin(std::size_t run)
    {
        std::ofstream(GetTasks() / "logs" / (m_runs[run].name + ".txt")) << "begun\n";
    }

    void End(std::size_t run, int status)
    {
        Begin(run);
        PrepareFolder(m_runs[run].folder);
        std::ofstream(m_runs[run].folder / "summary.json") << "{}";
        std::ofstream(GetTasks() / "ended" / m_runs[run].name) << status << " 1.5\n";
    }

    std::filesystem::path GetTasks() const
    {
        return m_folder.GetPath() / "tasks";
    }

    TemporaryFolder m_folder;
    std::vector<StudyRun> m_runs{
        {"a", {"/ddl-run", "x"}, m_folder.GetPath() / "runs" / "a", {100.0, 500.0}},
        {"b", {"/ddl-run", "y"}, m_folder.GetPath() / "runs" / "b", {100.0, 500.0}}};
    ScriptedBatch::Course m_course;
    std::map<std::size_t, RunEnd> m_ends;
    std::string m_said;
};

} // namespace

TEST_F(BatchEngineTest, ATaskKilledForItsMemoryIsAskedForOnceWithTwiceAsMuch)
{
    m_course.look = [this](const BatchTask& task) {
        if (task.number == 0)
        {
            Begin(0);
            return TaskState::OUT_OF_MEMORY;
        }
        End(0, 0);
        End(1, 0);
        return TaskState::OVER;
    };
    EXPECT_EQ(Run(), StudyEnd::COMPLETE);
    ASSERT_EQ(m_course.submitted.size(), 2U);
    // 1.5 * 476.8 MiB + 256 = 971, rounded to 1024; twice that before the rounding: 1942, to 2048
    EXPECT_EQ(m_course.submitted[0].GetMegabytes(), 1024U);
    EXPECT_EQ(m_course.submitted[1].GetMegabytes(), 2048U);
    EXPECT_EQ(m_course.submitted[1].GetMinutes(), m_course.submitted[0].GetMinutes());
    EXPECT_NE(
        m_said.find("task t0 was killed for its memory: asked for again with 20 min and 2048"),
        std::string::npos)
        << m_said;
    EXPECT_EQ(m_ends.at(0).status, 0);
    EXPECT_FALSE(std::filesystem::exists(GetTasks()));
}

TEST_F(BatchEngineTest, TheSecondTimeTheRunUnderWayFailsAndTheOthersGoOn)
{
    for (const auto state : {TaskState::OUT_OF_MEMORY, TaskState::OUT_OF_TIME})
    {
        m_course = {};
        m_ends.clear();
        m_course.look = [this, state](const BatchTask& task) {
            if (task.number < 2)
            {
                Begin(0);
                return state;
            }
            End(1, 0);
            return TaskState::OVER;
        };
        EXPECT_EQ(Run(), StudyEnd::COMPLETE);
        ASSERT_EQ(m_course.submitted.size(), 3U);
        EXPECT_EQ(m_course.submitted[2].runs, (std::vector<std::size_t>{1}));
        EXPECT_EQ(m_ends.at(0).status, 1);
        EXPECT_NE(m_ends.at(0).cause.find(", also with twice as much"), std::string::npos);
        EXPECT_EQ(m_ends.at(1).status, 0);
    }
}

TEST_F(BatchEngineTest, ARunThatIsKilledGetsATaskOfItsOwn)
{
    m_course.look = [this](const BatchTask& task) {
        End(0, task.number == 0 ? 137 : 0);
        End(1, 0);
        return TaskState::ALIVE;
    };
    EXPECT_EQ(Run(), StudyEnd::COMPLETE);
    ASSERT_EQ(m_course.submitted.size(), 2U);
    EXPECT_EQ(m_course.submitted[1].runs, (std::vector<std::size_t>{0}));
    EXPECT_EQ(m_course.submitted[1].memoryFactor, 2U);
}

TEST_F(BatchEngineTest, ATaskLosesItsMachineThreeTimesAtMost)
{
    m_course.look = [](const BatchTask&) { return TaskState::LOST; };
    EXPECT_EQ(Run(), StudyEnd::COMPLETE);
    EXPECT_EQ(m_course.submitted.size(), 4U);
    EXPECT_NE(m_ends.at(1).cause.find("lost its machine, again and again"), std::string::npos);
}

TEST_F(BatchEngineTest, RunsOfADetachedCallAreNotMadeTwice)
{
    m_course.look = [](const BatchTask&) { return TaskState::ALIVE; };
    EXPECT_EQ(Run(false, true), StudyEnd::DETACHED);
    EXPECT_THROW(Run(), RunError) << "neither by a call that does not collect them";
    EngineOptions local;
    local.folder = m_folder.GetPath();
    local.isResumed = true;
    const StudyListener none{[](std::size_t) {}, [](std::size_t) {}, {}, [] {}, {}};
    EXPECT_THROW(MakeEngine(local)->Run(m_runs, none), RunError) << "nor by another engine";
    m_course.look = [this](const BatchTask&) {
        End(0, 0);
        End(1, 0);
        return TaskState::ALIVE;
    };
    EXPECT_EQ(Run(true), StudyEnd::COMPLETE);
    EXPECT_EQ(m_course.submitted.size(), 1U);
    EXPECT_EQ(m_ends.size(), 2U);
}

TEST_F(BatchEngineTest, TasksThatAreRefusedHalfwayAreCancelled)
{
    m_runs[0].price.cpuSeconds = 700; // a task each
    m_runs[1].price.cpuSeconds = 700;
    m_course.look = [](const BatchTask&) { return TaskState::ALIVE; };
    m_course.submit = [](const BatchTask& task) {
        if (task.number == 1)
        {
            throw RunError("invalid partition");
        }
    };
    EXPECT_THROW(Run(), RunError);
    EXPECT_EQ(m_course.cancelled, (std::vector<std::string>{"t0"}));
    EXPECT_FALSE(std::filesystem::exists(GetTasks()));
}

TEST_F(BatchEngineTest, ADamagedStateIsNoState)
{
    m_course.look = [](const BatchTask&) { return TaskState::ALIVE; };
    EXPECT_EQ(Run(false, true), StudyEnd::DETACHED);
    std::ofstream(GetTasks() / "state.json") << "{\"engine\": \"scripted\", \"next\": ";
    EXPECT_THROW(Run(true), RunError);
}

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

TEST(SlurmTest, LogsTellWhatSlurmHasForgotten)
{
    // as Slurm 22.05 writes them to the output of a job
    EXPECT_EQ(
        ReadSlurmLog("slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-29T09:00:00 DUE "
                     "TO TIME LIMIT ***"),
        TaskState::OUT_OF_TIME);
    EXPECT_EQ(
        ReadSlurmLog("slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of "
                     "the step tasks have been OOM Killed."),
        TaskState::OUT_OF_MEMORY);
    EXPECT_EQ(ReadSlurmLog("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=7.batch."),
              TaskState::OUT_OF_MEMORY);
    EXPECT_EQ(ReadSlurmLog("slurmstepd: error: StepId=7.batch exceeded memory limit (1200 > 1024), "
                           "being killed"),
              TaskState::OUT_OF_MEMORY);
    EXPECT_EQ(
        ReadSlurmLog("slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-29T09:00:00 DUE "
                     "TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***"),
        TaskState::LOST);
    EXPECT_EQ(
        ReadSlurmLog("slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-29T09:00:00 ***"),
        TaskState::CANCELLED);
    EXPECT_EQ(ReadSlurmLog("sh: 1: cannot open task-0.sh"), TaskState::OVER);
}

TEST(SlurmTest, LimitsAreReadAsTheToolsPrintThem)
{
    // scontrol show config
    EXPECT_EQ(ReadSlurmArrayLimit("Configuration data as of 2026-11-29T09:00:00\n"
                                  "MailProg                = /bin/mail\n"
                                  "MaxArraySize            = 1001\n"
                                  "MaxDBDMsgs              = 20024\n"),
              1001U);
    EXPECT_EQ(ReadSlurmArrayLimit("MaxArraySize            = 0\n"), 1U);
    EXPECT_EQ(ReadSlurmArrayLimit("Slurmctld(primary) at n0 is UP\n"), Batch::ANY_NUMBER);
    // sacctmgr --noheader --parsable2 show associations format=MaxSubmitJobs,GrpSubmitJobs
    EXPECT_EQ(ReadLeastSlurmLimit("|\n500|2000\n|800\n"), 500U);
    EXPECT_EQ(ReadLeastSlurmLimit("|\n|\n"), Batch::ANY_NUMBER);
    EXPECT_EQ(ReadLeastSlurmLimit(""), Batch::ANY_NUMBER);
    // show qos NAME format=MaxSubmitJobsPerUser
    EXPECT_EQ(ReadLeastSlurmLimit("40\n"), 40U);
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
