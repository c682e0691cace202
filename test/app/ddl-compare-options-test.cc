// SPDX-License-Identifier: GPL-2.0-only
#include "app/compare/ddl-comparison.h"
#include "app/text/ddl-progress.h"

#include "ns3/ddl-error.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace ns3::ddl
{
namespace
{

TEST(CompareOptions, DefaultsAreThoseOfTheHelp)
{
    auto arguments = MakeCompareArguments();
    arguments.Parse({"some/where/quick.json", "--vary=a=1,2"});
    const auto options = ReadCompareOptions(arguments);
    EXPECT_EQ(options.folder, "results/quick-compare");
    EXPECT_EQ(options.seeds, 1U);
    EXPECT_EQ(options.firstSeed, 1U);
    EXPECT_GE(options.jobs, 1U);
    EXPECT_EQ(std::filesystem::path(options.runProgram).filename(), "ddl-run");
    EXPECT_EQ(std::filesystem::path(options.runProgram).parent_path(),
              std::filesystem::read_symlink("/proc/self/exe").parent_path());
}

TEST(CompareOptions, NamesTheFolderAfterTheScenario)
{
    for (const auto& [word, folder] : std::map<std::string, std::string>{
             {"quickstart", "results/quickstart-compare"},
             {"scenarios/quickstart/", "results/quickstart-compare"},
             {"x/quickstart/scenario.json", "results/quickstart-compare"}})
    {
        auto arguments = MakeCompareArguments();
        arguments.Parse({word, "--seeds=2"});
        EXPECT_EQ(ReadCompareOptions(arguments).folder, folder) << word;
    }
}

TEST(CompareOptions, RefusesToCompareOneRunWithNothing)
{
    auto arguments = MakeCompareArguments();
    arguments.Parse({"quickstart"});
    try
    {
        ReadCompareOptions(arguments);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("--vary=PATH="), std::string::npos);
    }
}

TEST(CompareOptions, ReportsEverythingWrongAtOnce)
{
    auto arguments = MakeCompareArguments();
    arguments.Parse({"x", "--vary=a", "--set=seed=3", "--seeds=0", "--jobs=many"});
    try
    {
        ReadCompareOptions(arguments);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.GetDiagnostics().size(), 4U) << error.what();
    }
}

TEST(CompareOptions, ARuleForSeedsHasANumberOfItsOwn)
{
    auto arguments = MakeCompareArguments();
    arguments.Parse({"x", "--vary=a=1,2", "--until=sct_s<=2%", "--seeds=12"});
    const auto options = ReadCompareOptions(arguments);
    EXPECT_EQ(options.until->least, 12U);
    EXPECT_EQ(options.until->most, 100U);
}

TEST(CompareOptions, ErrorsOfARuleAreForPeople)
{
    const auto complain = [](const std::vector<std::string>& words) {
        auto arguments = MakeCompareArguments();
        arguments.Parse(words);
        try
        {
            ReadCompareOptions(arguments);
            return std::string();
        }
        catch (const InputError& error)
        {
            return std::string(error.what());
        }
    };
    EXPECT_NE(complain({"x", "--vary=a=1", "--until=sign"}).find("needs two values at least"),
              std::string::npos);
    EXPECT_NE(complain({"x", "--vary=a=1,2", "--max-seeds=20"})
                  .find("--max-seeds: limits --until, which is not given"),
              std::string::npos);
    EXPECT_NE(complain({"x", "--vary=a=1,2", "--until=sign", "--max-seeds=7"})
                  .find("--max-seeds: \"7\" is not a whole number from 8 to 100000"),
              std::string::npos);
    EXPECT_NE(complain({"x", "--vary=a=1,2", "--until=sign", "--seeds=3"})
                  .find("--seeds: \"3\" is not a whole number from 8 to"),
              std::string::npos);
}

TEST(CompareProgress, SaysALineARunWhereThereIsNoTerminal)
{
    std::ostringstream os;
    CompareProgress progress(os, CompareProgress::Style::LINES, 5, 2);
    progress.Keep("a");
    progress.Start();
    progress.End("b", 20, "");
    progress.Start();
    progress.End("c", 10, "failed");
    // b: 3 left, 2 at a time, 20 s each: 30 s. c: 2 left, 15 s each: 15 s.
    EXPECT_EQ(os.str(),
              "[1 of 5] a: finished before\n"
              "[2 of 5] b: done in 20 s, about 30 s left\n"
              "[3 of 5] c: failed after 10 s, about 15 s left\n");
}

TEST(CompareProgress, OverwritesOneLineOnATerminalAndNoneWhenQuiet)
{
    std::ostringstream terminal;
    std::ostringstream quiet;
    {
        CompareProgress progress(terminal, CompareProgress::Style::TERMINAL, 2, 1);
        CompareProgress silent(quiet, CompareProgress::Style::NONE, 2, 1);
        progress.Start();
        silent.Start();
        progress.End("a", 1, "failed");
        silent.End("a", 1, "failed");
        progress.Tick();
        silent.Tick();
    }
    EXPECT_NE(
        terminal.str().find("\r\033[K1 of 2 runs done, 0 running, 1 failed, about 1.0 s left"),
        std::string::npos)
        << terminal.str();
    EXPECT_EQ(terminal.str().find('\n'), std::string::npos);
    EXPECT_EQ(quiet.str(), "");
}

TEST(CompareProgress, FormatsDurations)
{
    EXPECT_EQ(FormatWallTime(1.25), "1.2 s");
    EXPECT_EQ(FormatWallTime(45.4), "45 s");
    EXPECT_EQ(FormatWallTime(125), "2 min");
    EXPECT_EQ(FormatWallTime(3 * 3600 + 20 * 60), "3 h 20 min");
}

} // namespace
} // namespace ns3::ddl
