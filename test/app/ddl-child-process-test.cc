// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-child-process.h"
#include "app/process/ddl-process-pool.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{
namespace
{

using ChildProcessTest = ScratchFolder;
using ProcessPoolTest = ScratchFolder;
using Clock = std::chrono::steady_clock;

/** \return seconds since \p start */
double
SecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/** \return the exit status of a command that is waited for */
int
RunProcess(const std::vector<std::string>& command, const std::string& folder = "")
{
    return ChildProcess({command, folder, -1, -1}).Wait();
}

TEST_F(ChildProcessTest, ReportsTheExitStatus)
{
    EXPECT_EQ(RunProcess({"true"}), 0);
    EXPECT_EQ(RunProcess({"sh", "-c", "exit 5"}), 5);
    EXPECT_EQ(RunProcess({"sh", "-c", "kill -TERM $$"}), 128 + SIGTERM);
    EXPECT_EQ(RunProcess({"/no/such/program"}), 127);
}

TEST_F(ChildProcessTest, RunsInItsFolderWithItsArguments)
{
    const auto script = WriteScript("s.sh", "printf '%s|' \"$@\" > out; cat >> out");
    EXPECT_EQ(RunProcess({script, "a b", "", "$HOME"}, m_folder.string()), 0);
    EXPECT_EQ(Read("out"), "a b||$HOME|") << "and its standard input is empty";
}

/** \return true if a process is gone, or dead and not yet noticed by its parent, within 10 s */
bool
Dies(pid_t process)
{
    for (int tries = 0; tries < 1000; ++tries)
    {
        std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
        std::string pid;
        std::string name;
        std::string state = "gone";
        stat >> pid >> name >> state;
        if (state == "gone" || state == "Z" || state == "X")
        {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

TEST_F(ChildProcessTest, IsKilledWithAllItStartedWhenNobodyWantsItAnyMore)
{
    const auto script = WriteScript("s.sh", "sleep 60 & echo $! > pid; mv pid ready; wait");
    pid_t grandchild = 0;
    {
        ChildProcess child({{script}, m_folder.string(), -1, -1});
        while (!Exists("ready") && !child.Poll())
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        grandchild = std::stoi(Read("ready"));
        EXPECT_EQ(kill(grandchild, 0), 0) << "it was alive";
    }
    EXPECT_TRUE(Dies(grandchild));
}

TEST_F(ChildProcessTest, LeavesNothingBehindWhenItEnds)
{
    const auto script = WriteScript("s.sh", "sleep 60 & echo $! > pid");
    EXPECT_EQ(RunProcess({script}, m_folder.string()), 0);
    EXPECT_TRUE(Dies(std::stoi(Read("pid"))));
}

TEST_F(ChildProcessTest, ACopyOfThisProcessDoesWork)
{
    const int known = 3; // in our memory
    EXPECT_EQ(ChildProcess({{}, "", -1, -1, [&] { return known; }}).Wait(), 3);
    const auto fail = []() -> int { throw RunError("no"); };
    EXPECT_EQ(ChildProcess({{}, "", -1, -1, fail}).Wait(), 1);
    EXPECT_EQ(ChildProcess({{}, "", -1, -1, [] { return raise(SIGTERM); }}).Wait(), 128 + SIGTERM)
        << "signals mean what they mean to any program";
}

TEST_F(ChildProcessTest, WhatWasAboutToBeWrittenIsWrittenOnce)
{
    ::testing::internal::CaptureStdout();
    std::cout << "one "; // in a buffer, which a copy of this process has, too
    ChildProcess({{}, "", -1, -1, [] { return std::cout << "two " ? 0 : 1; }}).Wait();
    std::cout << "three" << std::flush;
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "one two three");
}

TEST_F(ChildProcessTest, FindsProgramsInThePath)
{
    EXPECT_NE(FindProgram("sh"), "");
    EXPECT_EQ(FindProgram("no-such-program-anywhere"), "");
    EXPECT_EQ(FindProgram(WriteScript("s.sh", "")), (m_folder / "s.sh").string());
    EXPECT_EQ(FindProgram(Write("plain", "")), "") << "not executable";
}

TEST_F(ProcessPoolTest, RunsEverythingAndNoMoreAtATimeThanAllowed)
{
    // Each counts those that run at the same time, itself included. The first ones wait for each
    // other, so that two do, however slowly programs start.
    const auto script = WriteScript("s.sh",
                                    "task=$1; touch run.$task\n"
                                    "for nap in $(seq 600); do\n"
                                    "  set -- run.*\n"
                                    "  [ -e met ] || [ $# -ge 2 ] && break\n"
                                    "  sleep 0.05\n"
                                    "done\n"
                                    "touch met; echo $#; rm run.$task; exit $task");
    std::vector<ProcessPool::Task> tasks;
    for (int i = 0; i < 6; ++i)
    {
        tasks.push_back({{"sh", "-c", "cd " + m_folder.string() + "; ./s.sh " + std::to_string(i)},
                         m_folder / ("log" + std::to_string(i))});
    }
    std::map<std::size_t, int> statuses;
    std::vector<std::size_t> started;
    const bool isComplete =
        ProcessPool(2).Run(tasks,
                           {[&](std::size_t i) { started.push_back(i); },
                            [&](std::size_t i, int status) { statuses[i] = status; },
                            nullptr});
    EXPECT_TRUE(isComplete);
    EXPECT_EQ(started, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(statuses,
              (std::map<std::size_t, int>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}));
    int most = 0;
    for (int i = 0; i < 6; ++i)
    {
        most = std::max(most, std::stoi(Read("log" + std::to_string(i))));
    }
    EXPECT_EQ(most, 2);
}

TEST_F(ProcessPoolTest, PassesAnInterruptOnAndWaits)
{
    // The first task interrupts us, its parent, once the second is ready for it.
    // Shells may wait for a long sleep that an interrupt missed, so they sleep in short naps.
    const std::string nap = "while :; do sleep 0.05; done";
    const std::string go = "cd " + m_folder.string() + "; ";
    const std::vector<ProcessPool::Task> tasks{
        {{"sh", "-c", go + "while [ ! -e ready ]; do sleep 0.01; done; kill -INT $PPID; " + nap},
         m_folder / "log0"},
        {{"sh", "-c", go + "trap 'echo stopped; exit 130' INT; touch ready; " + nap},
         m_folder / "log1"},
        {{"sh", "-c", "echo ran"}, m_folder / "log2"}};
    const auto start = Clock::now();
    std::size_t ended = 0;
    EXPECT_FALSE(ProcessPool(2).Run(tasks, {nullptr, [&](std::size_t, int) { ++ended; }, nullptr}));
    EXPECT_LT(SecondsSince(start), 9) << "those that stop by themselves are not waited for longer";
    EXPECT_EQ(ended, 0U) << "none of them has done its work";
    EXPECT_EQ(Read("log1"), "stopped\n");
    EXPECT_FALSE(Exists("log2")) << "nothing starts after the interrupt";
}

TEST_F(ProcessPoolTest, AHangUpThatIsIgnoredStopsNothing)
{
    const auto before = std::signal(SIGHUP, SIG_IGN); // as nohup does
    const pid_t self = getpid();
    const auto hangUp = [self] {
        kill(self, SIGHUP);
        return std::raise(SIGHUP); // the child ignores it too, else it ends here
    };
    std::vector<int> ended;
    const bool isComplete = ProcessPool(1).Run(
        {{{}, m_folder / "log", hangUp}},
        {nullptr, [&ended](std::size_t, int status) { ended.push_back(status); }, nullptr});
    std::signal(SIGHUP, before);
    EXPECT_TRUE(isComplete);
    EXPECT_EQ(ended, std::vector<int>{0});
}

TEST_F(ProcessPoolTest, AnInterruptBeforeItBeginsIsHeard)
{
    const auto touch = [this] { return Write("ran", ""), 0; };
    ProcessPool::Listener listener;
    listener.isStopped = [] { return true; };
    EXPECT_FALSE(ProcessPool(1).Run({{{}, m_folder / "log", touch}}, listener));
    EXPECT_FALSE(Exists("ran"));
}

TEST_F(ProcessPoolTest, SaysSoWhenALogCannotBeWritten)
{
    EXPECT_THROW(ProcessPool(1).Run({{{"true"}, m_folder / "no/such/folder/log"}}, {}), RunError);
}

} // namespace
} // namespace ns3::ddl
