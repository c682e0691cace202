// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/text/ddl-arguments.h"
#include "ddl-process-state.h"

#include "ns3/ddl-error.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

using Strings = std::vector<std::string>;

/** \return the arguments of a program with one of each kind */
Arguments
MakeArguments()
{
    Arguments arguments("ddl-sample", "Does something.");
    arguments.AddWord("SCENARIO", "what to run");
    arguments.AddOptions("set", "PATH=VALUE", "overrides a key");
    arguments.AddOption("out", "DIR", "where results go");
    arguments.AddOption("jobs", "N", "how many at once");
    arguments.AddFlag("quiet", "only errors");
    return arguments;
}

/** \return what Parse says about \p given, a string for each complaint */
Strings
Complaints(const Strings& given)
{
    Strings texts;
    try
    {
        MakeArguments().Parse(given);
    }
    catch (const InputError& error)
    {
        for (const auto& diagnostic : error.GetDiagnostics())
        {
            texts.push_back(diagnostic.ToString());
        }
    }
    return texts;
}

TEST(Arguments, SortsWordsOptionsAndFlagsInAnyOrder)
{
    auto arguments = MakeArguments();
    arguments.Parse({"--set=a.b=1", "quickstart", "--quiet", "--set=c=[1,2]", "--out=x=y"});
    EXPECT_EQ(arguments.Get("SCENARIO"), "quickstart");
    EXPECT_EQ(arguments.GetAll("set"), (Strings{"a.b=1", "c=[1,2]"}));
    EXPECT_EQ(arguments.Get("out", "default"), "x=y") << "only the first = separates";
    EXPECT_TRUE(arguments.Has("quiet"));
    EXPECT_FALSE(arguments.WantsHelp());
}

TEST(Arguments, GivesTheFallbackForWhatWasNotGiven)
{
    auto arguments = MakeArguments();
    arguments.Parse({"quickstart"});
    EXPECT_EQ(arguments.Get("out", "default"), "default");
    EXPECT_EQ(arguments.GetNumber("jobs", 7, 1, 10), 7U);
    EXPECT_TRUE(arguments.GetAll("set").empty());
    EXPECT_FALSE(arguments.Has("quiet"));
}

TEST(Arguments, TakesAWordAsAnOptionOfItsName)
{
    auto arguments = MakeArguments();
    arguments.Parse({"--scenario=quickstart"});
    EXPECT_EQ(arguments.Get("SCENARIO"), "quickstart");
}

TEST(Arguments, TakesWordsThatBeginWithADashBehindTwoDashes)
{
    auto arguments = MakeArguments();
    arguments.Parse({"--quiet", "--", "--odd"});
    EXPECT_EQ(arguments.Get("SCENARIO"), "--odd");
}

TEST(Arguments, ReportsEverythingWrongAtOnce)
{
    const Strings complaints = Complaints({"--ou=x", "--quiet=yes", "--jobs", "-q"});
    ASSERT_EQ(complaints.size(), 5U) << "four arguments and the missing word";
    EXPECT_NE(complaints[0].find("--ou=x: unknown option"), std::string::npos) << complaints[0];
    EXPECT_NE(complaints[0].find("did you mean --out?"), std::string::npos) << complaints[0];
    EXPECT_EQ(complaints[1], "--quiet=yes: takes no value");
    EXPECT_EQ(complaints[2], "--jobs: needs a value: --jobs=N");
    EXPECT_EQ(complaints[3], "-q: unknown option (options begin with --)");
    EXPECT_EQ(complaints[4], "ddl-sample: SCENARIO is missing: what to run");
}

TEST(Arguments, RefusesASecondWordAndASecondValue)
{
    const Strings complaints = Complaints({"one", "two", "--out=a", "--out=b"});
    ASSERT_EQ(complaints.size(), 2U);
    EXPECT_EQ(complaints[0].substr(0, 22), "two: one word too many");
    EXPECT_EQ(complaints[1], "--out=b: is given more than once");
}

TEST(Arguments, ChecksNumbers)
{
    for (const std::string text : {"0", "11", "-1", "1.5", "", "1e3", "99999999999999999999"})
    {
        auto arguments = MakeArguments();
        arguments.Parse({"quickstart", "--jobs=" + text});
        EXPECT_THROW(arguments.GetNumber("jobs", 7, 1, 10), InputError) << text;
    }
    auto arguments = MakeArguments();
    arguments.Parse({"quickstart", "--jobs=10"});
    EXPECT_EQ(arguments.GetNumber("jobs", 7, 1, 10), 10U);
}

TEST(Arguments, CollectsNs3sOwnOptionsOnlyWhenAsked)
{
    const Strings given{"quickstart", "--ns3::ddl::Port::Limit=1MB", "--RngRun=3", "--PrintHelp"};
    auto arguments = MakeArguments();
    arguments.PassOnNs3();
    arguments.Parse(given);
    EXPECT_EQ(arguments.GetNs3(), Strings(given.begin() + 1, given.end()));
    EXPECT_EQ(Complaints(given).size(), 3U);
}

TEST(Arguments, AQuestionToNs3NeedsNoWord)
{
    for (const char* question : {"--PrintHelp", "--PrintAttributes=ns3::ddl::Port", "--version"})
    {
        auto arguments = MakeArguments();
        arguments.PassOnNs3();
        arguments.Parse({question});
        EXPECT_EQ(arguments.GetNs3(), Strings{question});
        auto wrong = MakeArguments();
        wrong.PassOnNs3();
        EXPECT_THROW(wrong.Parse({question, "--nonsense"}), InputError);
    }
    auto setting = MakeArguments();
    setting.PassOnNs3();
    EXPECT_THROW(setting.Parse({"--RngRun=3"}), InputError); // sets something, prints nothing
}

TEST(Arguments, HelpShowsEveryArgumentAndChecksNothing)
{
    auto arguments = MakeArguments();
    arguments.Parse({"--help", "--nonsense"});
    ASSERT_TRUE(arguments.WantsHelp());
    const std::string help = arguments.GetHelp();
    for (const std::string part : {"usage: ddl-sample SCENARIO",
                                   "--set=PATH=VALUE",
                                   "--out=DIR",
                                   "--quiet",
                                   "--help",
                                   "Does something."})
    {
        EXPECT_NE(help.find(part), std::string::npos) << part << " in:\n" << help;
    }
}

/** \return the exit status of a program with arguments \p given and the body \p body */
int
RunSample(Strings given, const std::function<int()>& body)
{
    const ProcessStateGuard guard; // programs have an event list of their own
    given.insert(given.begin(), "ddl-sample");
    std::vector<char*> argv;
    for (auto& argument : given)
    {
        argv.push_back(argument.data());
    }
    auto arguments = MakeArguments();
    return RunProgram(arguments, static_cast<int>(argv.size()), argv.data(), body);
}

TEST(RunProgram, TurnsErrorsIntoTheExitStatusOfTheContract)
{
    EXPECT_EQ(RunSample({"quickstart"}, [] { return 130; }), 130);
    EXPECT_EQ(RunSample({}, [] { return 0; }), 2);
    EXPECT_EQ(RunSample({"x"}, []() -> int { throw InputError("wrong"); }), 2);
    EXPECT_EQ(RunSample({"x"}, []() -> int { throw RunError("failed"); }), 1);
    EXPECT_EQ(RunSample({"x"}, []() -> int { throw std::bad_alloc(); }), 1);
    EXPECT_EQ(RunSample({"--help"}, [] { return 5; }), 0) << "the body does not run";
}

} // namespace
} // namespace ns3::ddl
