// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-timers-watch.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

TEST(TimersWatchTest, MeansAreOverTimeFromTheFirstOfferToTheLast)
{
    TimersWatch watch;
    const auto note = [&watch](double time, uint32_t gpus, double machine, double rack) {
        return watch.Note({Seconds(time), gpus, {Seconds(machine), Seconds(rack)}});
    };
    EXPECT_TRUE(note(10, 8, 100, 200));
    EXPECT_FALSE(note(20, 8, 100, 200)) << "as before";
    EXPECT_TRUE(note(30, 16, 0, 50)) << "jobs of another size";
    EXPECT_TRUE(note(40, 8, 60, 200));
    EXPECT_TRUE(note(50, 8, 60, 100));
    EXPECT_FALSE(note(110, 8, 60, 100));
    const auto means = watch.GetMeans();
    ASSERT_EQ(means.size(), 2U);
    // 100 for 30 s, 60 for 70 s: 7200 / 100; 200 for 40 s, 100 for 60 s: 14000 / 100
    EXPECT_DOUBLE_EQ(means.at(8).machine, 72);
    EXPECT_DOUBLE_EQ(means.at(8).rack, 140);
    EXPECT_DOUBLE_EQ(means.at(16).machine, 0) << "one offer: its timers";
    EXPECT_DOUBLE_EQ(means.at(16).rack, 50);
    EXPECT_TRUE(TimersWatch().GetMeans().empty());
}

} // namespace
} // namespace ns3::ddl
