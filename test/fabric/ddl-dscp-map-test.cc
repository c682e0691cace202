// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-dscp-map.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-priority.h"

#include <gtest/gtest.h>

using namespace ns3::ddl;

namespace
{

TEST(DscpMap, EightQueues)
{
    const DscpMap map;
    EXPECT_EQ(map.GetQueue(48), 0);
    for (uint8_t priority = 1; priority <= 7; ++priority)
    {
        EXPECT_EQ(map.GetQueue(priority), priority);
    }
    for (const uint8_t unknown : {0, 8, 46, 47, 49, 63})
    {
        EXPECT_EQ(map.GetQueue(unknown), 7) << int(unknown);
    }
}

TEST(DscpMap, PrioritiesPastTheLastQueueShareIt)
{
    const DscpMap map(3);
    EXPECT_EQ(map.GetQueue(48), 0);
    EXPECT_EQ(map.GetQueue(1), 1);
    EXPECT_EQ(map.GetQueue(2), 2);
    EXPECT_EQ(map.GetQueue(3), 2);
    EXPECT_EQ(map.GetQueue(7), 2);
    EXPECT_EQ(map.GetQueue(0), 2);
}

TEST(DscpMap, OneQueueTakesAll)
{
    const DscpMap map(1);
    for (uint32_t dscp = 0; dscp < DscpMap::CODEPOINTS; ++dscp)
    {
        EXPECT_EQ(map.GetQueue(static_cast<uint8_t>(dscp)), 0);
    }
}

TEST(DscpMap, AnIdealPortHasAQueueForEachCodepointOfARank)
{
    const DscpMap map(UNLIMITED_QUEUES);
    EXPECT_EQ(map.GetQueue(CONTROL_DSCP), CONTROL_QUEUE);
    for (uint32_t queue = FIRST_PRIORITY; queue < UNLIMITED_QUEUES; ++queue)
    {
        EXPECT_EQ(map.GetQueue(QueueToCodepoint(queue)), queue);
    }
    EXPECT_EQ(map.GetQueue(47), 47);
    EXPECT_EQ(map.GetQueue(49), 48);
    EXPECT_EQ(map.GetQueue(0), 62); // unmarked: last
}

TEST(DscpMap, EntriesCanBeChangedWithinRange)
{
    DscpMap map(4);
    map.Set(46, 1);
    EXPECT_EQ(map.GetQueue(46), 1);
    EXPECT_THROW(map.Set(64, 1), InputError);
    EXPECT_THROW(map.Set(0, 4), InputError);
    EXPECT_THROW(DscpMap(0), InputError);
    EXPECT_THROW(DscpMap(64), InputError);
}

} // namespace
