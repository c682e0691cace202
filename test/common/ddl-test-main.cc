// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"

#include "ns3/simulator.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <regex.h>
#include <string>

namespace
{

/** Fails each test that leaves something behind, and sets that back, so that all tests can run in
 * one process, in any order. */
class LeftoverListener : public testing::EmptyTestEventListener
{
    void OnTestEnd(const testing::TestInfo&) override
    {
        ns3::Simulator::Destroy();
        const auto changes = m_before.ListChanges();
        for (const auto& change : changes)
        {
            ADD_FAILURE() << "left behind: " << change;
        }
        if (!changes.empty())
        {
            m_before.Restore();
        }
    }

    ns3::ddl::ProcessState m_before;
};

/** Leaves out all tests whose names, Suite.Test, a regular expression does not match.
 * \return false if it is no regular expression */
bool
LeaveOut(const char* expression)
{
    regex_t regex;
    if (regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB) != 0)
    {
        return false;
    }
    std::string& filter = testing::GTEST_FLAG(filter);
    filter += filter.find('-') == std::string::npos ? "-" : ":";
    const auto& tests = *testing::UnitTest::GetInstance();
    for (int i = 0; i < tests.total_test_suite_count(); ++i)
    {
        const auto& suite = *tests.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j)
        {
            const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(j)->name();
            if (regexec(&regex, name.c_str(), 0, nullptr, 0) != 0)
            {
                filter += name + ":";
            }
        }
    }
    regfree(&regex);
    return true;
}

} // namespace

/** Runs all unit tests; if the environment has DDL_TEST_ONLY, only those whose names match this
 * regular expression, which `./ddl test --only=REGEX` sets. */
int
main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    const char* const only = std::getenv("DDL_TEST_ONLY");
    if (only && *only && !LeaveOut(only))
    {
        std::cerr << "DDL_TEST_ONLY=" << only << " is not a regular expression\n";
        return 2;
    }
    unsetenv("DDL_TEST_ONLY"); // programs that tests start must not see it
    testing::UnitTest::GetInstance()->listeners().Append(new LeftoverListener);
    return RUN_ALL_TESTS();
}
