// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"

#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

/** Changes one item of each part of the process state. */
void
ChangeAll()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1000));
    RngSeedManager::SetRun(7);
    setenv("DDL_NEW", "of the test", 1);
    setenv("LC_ALL", "changed", 1);
}

TEST(ProcessStateTest, SaysWhatWasChangedAndSetsItBack)
{
    const ProcessStateGuard guard;
    setenv("LC_ALL", "C.UTF-8", 1); // ctest sets it, too
    const ProcessState before;
    EXPECT_TRUE(before.ListChanges().empty());
    ChangeAll();
    EXPECT_EQ(before.ListChanges(),
              (std::vector<std::string>{
                  "the default of ns3::TcpSocket::SegmentSize was \"536\", is \"1000\"",
                  "the global value RngRun was \"1\", is \"7\"",
                  "the environment's DDL_NEW is new: \"of the test\"",
                  "the environment's LC_ALL was \"C.UTF-8\", is \"changed\""}));
    const ProcessState changed;
    before.Restore();
    EXPECT_TRUE(before.ListChanges().empty());
    EXPECT_EQ(RngSeedManager::GetRun(), 1U);
    EXPECT_EQ(std::getenv("DDL_NEW"), nullptr);
    changed.Restore(); // also sets defaults that differ from the program's
    EXPECT_EQ(before.ListChanges().size(), 4U);
    before.Restore();
}

TEST(ProcessStateTest, AGuardSetsBack)
{
    const ProcessState before;
    {
        const ProcessStateGuard guard;
        ChangeAll();
        EXPECT_FALSE(before.ListChanges().empty());
    }
    EXPECT_TRUE(before.ListChanges().empty());
}

/** Leaves things behind: the next test runs it. */
TEST(ProcessStateTest, DISABLED_LeavesChangesBehind)
{
    ChangeAll();
}

/** Fails if what the test before it left behind was not set back. */
TEST(ProcessStateTest, DISABLED_FindsNothingLeftBehind)
{
    EXPECT_EQ(RngSeedManager::GetRun(), 1U);
}

TEST(ProcessStateTest, ALeftoverFailsItsOwnTestByNameAndNoOther)
{
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHUFFLE '" + self +
                                "' --gtest_also_run_disabled_tests "
                                "'--gtest_filter=ProcessStateTest.DISABLED_*' 2>&1";
    FILE* const pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string output;
    for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
    {
        output += static_cast<char>(letter);
    }
    EXPECT_NE(pclose(pipe), 0);
    for (const std::string text : {"left behind: the global value RngRun was \"1\", is \"7\"",
                                   "[  FAILED  ] ProcessStateTest.DISABLED_LeavesChangesBehind",
                                   "[       OK ] ProcessStateTest.DISABLED_FindsNothingLeftBehind"})
    {
        EXPECT_NE(output.find(text), std::string::npos) << text << "\n" << output;
    }
}

} // namespace
} // namespace ns3::ddl
