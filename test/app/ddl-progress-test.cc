// SPDX-License-Identifier: GPL-2.0-only
#include "app/text/ddl-progress.h"

#include <gtest/gtest.h>
#include <sstream>
#include <thread>

using namespace ns3;
using namespace ns3::ddl;

TEST(Progress, SaysHowFarARunIs)
{
    // 12.5 ms in 2 s; 2 of 10 stages took 2 s, so 8 take 8 s.
    EXPECT_EQ(DescribeProgress(MicroSeconds(12500), 2, 10, 2),
              "12.5 ms simulated, 2 of 10 stages, 6.25 ms a second, about 8 s left");
    EXPECT_EQ(DescribeProgress(Seconds(4000), 0, 10, 2),
              "4000 s simulated, 0 of 10 stages, 2000 s a second");
    EXPECT_EQ(DescribeProgress(NanoSeconds(1500), 10, 10, 0),
              "1.5 us simulated, 10 of 10 stages, 0 us a second");
}

TEST(Progress, WritesOverOneLineOnATerminal)
{
    std::ostringstream os;
    {
        Progress progress(os, true);
        progress.Say("one");
        progress.Say("two");
        progress.Clear();
        progress.Clear();
        EXPECT_EQ(os.str(), "\r\033[Kone\r\033[Ktwo\r\033[K");
        progress.Say("three");
    }
    EXPECT_EQ(os.str(), "\r\033[Kone\r\033[Ktwo\r\033[K\r\033[Kthree\r\033[K");
}

TEST(Progress, WritesPlainLinesElsewhere)
{
    std::ostringstream os;
    {
        Progress progress(os, false);
        progress.Say("one");
        progress.Clear();
        progress.Say("two");
    }
    EXPECT_EQ(os.str(), "one\ntwo\n");
}

TEST(Progress, IsDueNowAndThen)
{
    std::ostringstream os;
    Progress progress(os, true);
    EXPECT_FALSE(progress.IsDue());
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    EXPECT_TRUE(progress.IsDue());
    EXPECT_GE(progress.GetElapsed(), 0.25);
    progress.Say("one");
    EXPECT_FALSE(progress.IsDue());
    EXPECT_FALSE(Progress(os, false).IsDue());
}
