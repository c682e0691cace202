// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-priority.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

TEST(PriorityTest, PrioritiesFillTheQueuesBehindTheControlQueue)
{
    // 8 queues: 0 is control, so priorities 1 to 7 have a queue each
    for (uint32_t priority = FIRST_PRIORITY; priority <= 7; ++priority)
    {
        EXPECT_EQ(PriorityToQueue(priority, MAX_QUEUES), priority);
    }
}

TEST(PriorityTest, PrioritiesPastTheLastQueueShareIt)
{
    EXPECT_EQ(PriorityToQueue(8, 8), 7);
    EXPECT_EQ(PriorityToQueue(4000000000u, 8), 7);
    EXPECT_EQ(PriorityToQueue(3, 3), 2); // 3 queues: control, first, the rest
    EXPECT_EQ(PriorityToQueue(9, 2), 1); // 2 queues: control and data
}

TEST(PriorityTest, NoDataRankEverReachesTheControlQueue)
{
    for (uint32_t queues = 2; queues <= MAX_QUEUES; ++queues)
    {
        for (uint32_t priority = FIRST_PRIORITY; priority <= 2 * MAX_QUEUES; ++priority)
        {
            EXPECT_NE(PriorityToQueue(priority, queues), CONTROL_QUEUE);
        }
    }
}

TEST(PriorityTest, WithASingleQueueAllTrafficSharesIt)
{
    EXPECT_EQ(PriorityToQueue(1, 1), 0);
    EXPECT_EQ(PriorityToQueue(7, 1), 0);
}

TEST(PriorityTest, EachQueueOfAnIdealPortHasACodepointOfItsOwn)
{
    // Codepoints 1 to 63 less the control queue's, 48: 62 priorities.
    uint8_t last = 0;
    for (uint32_t priority = FIRST_PRIORITY; priority < UNLIMITED_QUEUES; ++priority)
    {
        const uint8_t codepoint = QueueToCodepoint(PriorityToQueue(priority, UNLIMITED_QUEUES));
        EXPECT_GT(codepoint, last);
        EXPECT_NE(codepoint, CONTROL_DSCP);
        last = codepoint;
    }
    EXPECT_EQ(last, 63);
    EXPECT_EQ(PriorityToQueue(62, UNLIMITED_QUEUES), 62);
    EXPECT_EQ(PriorityToQueue(63, UNLIMITED_QUEUES), 62); // shares the last queue
}

TEST(PriorityTest, MarksDifferInBandOrInCodepoint)
{
    EXPECT_EQ((Mark{2, 3}), (Mark{2, 3}));
    EXPECT_NE((Mark{2, 3}), (Mark{2, 4}));
    EXPECT_NE((Mark{2, 3}), (Mark{1, 3}));
    EXPECT_NE(Mark{}, CONTROL_MARK); // data never looks like control by default
}

} // namespace
} // namespace ns3::ddl
