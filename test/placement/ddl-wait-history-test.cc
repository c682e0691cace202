// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-wait-history.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(WaitHistory, AListForEachTierAndNumberOfGpus)
{
    WaitHistory history;
    history.Add(Tier::SERVER, 2, {Seconds(5), Seconds(1)});
    history.Add(Tier::HOST, 2, {Seconds(6), Seconds(2)}); // is on one server, too
    history.Add(Tier::RACK, 2, {Seconds(7), Seconds(3)});
    history.Add(Tier::NETWORK, 2, {Seconds(8), Seconds(4)});
    history.Add(Tier::SERVER, 4, {Seconds(9), Seconds(5)});
    const WaitHistory::List& list = history.Get(Tier::SERVER, 2);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].end, Seconds(5));
    EXPECT_EQ(list[1].length, Seconds(2));
    EXPECT_EQ(&history.Get(Tier::HOST, 2), &list);
    EXPECT_EQ(history.Get(Tier::RACK, 2).size(), 1U);
    EXPECT_EQ(history.Get(Tier::NETWORK, 2).front().length, Seconds(4));
    EXPECT_EQ(history.Get(Tier::SERVER, 4).size(), 1U);
    EXPECT_TRUE(history.Get(Tier::RACK, 4).empty());
    EXPECT_TRUE(NO_WAITS.Get(Tier::SERVER, 1).empty());
}

TEST(WaitHistory, ForgetsTheOldest)
{
    WaitHistory history;
    for (std::size_t i = 0; i < WaitHistory::LONGEST_LIST + 3; ++i)
    {
        history.Add(Tier::RACK, 8, {Seconds(static_cast<double>(i)), Seconds(1)});
    }
    EXPECT_EQ(history.Get(Tier::RACK, 8).size(), WaitHistory::LONGEST_LIST);
    EXPECT_EQ(history.Get(Tier::RACK, 8).front().end, Seconds(3));
}

TEST(WaitHistory, RenewedLeasesAreListedApart)
{
    WaitHistory history;
    history.Add(Tier::RACK, 8, {Seconds(1), Seconds(1)});
    history.AddRenewal(Tier::RACK, 8, Seconds(5));
    history.AddRenewal(Tier::HOST, 8, Seconds(6)); // is on one server, too
    EXPECT_EQ(history.Get(Tier::RACK, 8).size(), 1U);
    ASSERT_EQ(history.GetRenewals(Tier::RACK, 8).size(), 1U);
    EXPECT_EQ(history.GetRenewals(Tier::RACK, 8).front().end, Seconds(5));
    EXPECT_EQ(history.GetRenewals(Tier::RACK, 8).front().length, Seconds(0));
    EXPECT_EQ(history.GetRenewals(Tier::SERVER, 8).size(), 1U);
    EXPECT_TRUE(history.GetRenewals(Tier::SERVER, 4).empty());
}
