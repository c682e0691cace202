// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-frame-pool.h"
#include "ns3/ddl-queue-bank.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Verdict = QueueBank::Verdict;

class QueueBankTest : public ::testing::Test
{
  protected:
    Frame* Make(uint8_t queue, uint32_t bytes, uint8_t ecn = ECN_NOT_CAPABLE)
    {
        Frame* frame = m_pool.Take();
        frame->queue = queue;
        frame->bytes = bytes;
        frame->ecn = ecn;
        return frame;
    }

    FramePool m_pool;
    QueueBank m_bank;
};

TEST_F(QueueBankTest, EachQueueIsFirstInFirstOut)
{
    Frame* a = Make(3, 100);
    Frame* b = Make(3, 200);
    Frame* c = Make(5, 300);
    for (Frame* frame : {a, b, c})
    {
        EXPECT_EQ(m_bank.Push(frame), Verdict::QUEUED);
    }
    EXPECT_EQ(m_bank.GetView().nonEmpty, (1U << 3) | (1U << 5));
    EXPECT_EQ(m_bank.GetView().headBytes[3], 100U);
    EXPECT_EQ(m_bank.Pop(3), a);
    EXPECT_EQ(m_bank.GetView().headBytes[3], 200U);
    EXPECT_EQ(m_bank.Pop(3), b);
    EXPECT_EQ(m_bank.GetView().nonEmpty, 1U << 5);
    EXPECT_EQ(m_bank.Pop(5), c);
    EXPECT_TRUE(m_bank.IsEmpty());
    EXPECT_EQ(m_bank.GetAccount(3).GetCounters().bytes, 300U);
    EXPECT_EQ(m_bank.GetAccount(3).GetCounters().maxBacklogBytes, 300U);
}

TEST_F(QueueBankTest, LimitCountsThePacketThatAsks)
{
    // 1000 bytes of room: 600 + 400 fit exactly, one byte more does not, other queues do not care.
    m_bank.SetLimit(1000);
    EXPECT_EQ(m_bank.Push(Make(1, 600)), Verdict::QUEUED);
    EXPECT_EQ(m_bank.Push(Make(1, 401)), Verdict::DROPPED);
    EXPECT_EQ(m_bank.Push(Make(1, 400)), Verdict::QUEUED);
    EXPECT_EQ(m_bank.Push(Make(1, 1)), Verdict::DROPPED);
    EXPECT_EQ(m_bank.Push(Make(2, 1000)), Verdict::QUEUED);
    const QueueCounters& counters = m_bank.GetAccount(1).GetCounters();
    EXPECT_EQ(counters.dropped, 2U);
    EXPECT_EQ(counters.droppedBytes, 402U);
    EXPECT_EQ(counters.maxBacklogBytes, 1000U);
    EXPECT_EQ(counters.packets, 0U);
}

TEST_F(QueueBankTest, APacketThatPassesLeavesWhatOneThatWaitedLeaves)
{
    QueueBank other;
    for (QueueBank* bank : {&m_bank, &other})
    {
        bank->SetLimit(1000);
        bank->SetEcnThreshold(700);
    }
    for (const uint32_t bytes : {300U, 700U, 701U, 1000U, 1001U})
    {
        for (const uint8_t ecn : {ECN_NOT_CAPABLE, ECN_CAPABLE})
        {
            Frame* passing = Make(4, bytes, ecn);
            Frame* waiting = Make(4, bytes, ecn);
            const Verdict verdict = m_bank.Pass(passing);
            EXPECT_EQ(verdict, other.Push(waiting)) << bytes;
            if (verdict != Verdict::DROPPED)
            {
                EXPECT_EQ(other.Pop(4), waiting);
            }
            EXPECT_EQ(passing->ecn, waiting->ecn);
            EXPECT_EQ(passing->rewritten, waiting->rewritten);
        }
    }
    EXPECT_TRUE(m_bank.IsEmpty());
    EXPECT_EQ(m_bank.GetAccount(4).GetBacklog(), 0U);
    const QueueCounters& passed = m_bank.GetAccount(4).GetCounters();
    const QueueCounters& waited = other.GetAccount(4).GetCounters();
    EXPECT_EQ(passed.packets, 8U);
    EXPECT_EQ(passed.packets, waited.packets);
    EXPECT_EQ(passed.bytes, waited.bytes);
    EXPECT_EQ(passed.maxBacklogBytes, waited.maxBacklogBytes);
    EXPECT_EQ(passed.dropped, waited.dropped);
    EXPECT_EQ(passed.droppedBytes, waited.droppedBytes);
    EXPECT_EQ(passed.marked, waited.marked);
    EXPECT_EQ(passed.marked, 2U);
}

TEST_F(QueueBankTest, LimitsCanDifferByQueue)
{
    m_bank.SetLimit(1000);
    m_bank.GetAccount(4).SetLimit(100);
    EXPECT_EQ(m_bank.Push(Make(4, 101)), Verdict::DROPPED);
    EXPECT_EQ(m_bank.Push(Make(3, 101)), Verdict::QUEUED);
    EXPECT_THROW(m_bank.GetAccount(8).SetLimit(100), std::out_of_range);
}

TEST_F(QueueBankTest, MarksEcnCapablePacketsAboveTheThresholdOnly)
{
    // Threshold 250 bytes, packets of 100: backlogs 100, 200 are below, 300 and 400 above.
    m_bank.SetEcnThreshold(250);
    EXPECT_EQ(m_bank.Push(Make(1, 100, 2)), Verdict::QUEUED);
    EXPECT_EQ(m_bank.Push(Make(1, 100, 2)), Verdict::QUEUED);
    Frame* capable = Make(1, 100, 1);
    EXPECT_EQ(m_bank.Push(capable), Verdict::CONGESTED);
    EXPECT_EQ(capable->ecn, ECN_CONGESTED);
    EXPECT_TRUE(capable->rewritten);
    Frame* incapable = Make(1, 100);
    EXPECT_EQ(m_bank.Push(incapable), Verdict::QUEUED);
    EXPECT_EQ(incapable->ecn, ECN_NOT_CAPABLE);
    EXPECT_FALSE(incapable->rewritten);
    EXPECT_EQ(m_bank.GetAccount(1).GetCounters().marked, 1U);
}

TEST_F(QueueBankTest, ThresholdZeroNeverMarks)
{
    m_bank.SetEcnThreshold(0);
    EXPECT_EQ(m_bank.Push(Make(1, 1000000, 2)), Verdict::QUEUED);
}

TEST_F(QueueBankTest, FlushedPacketsAreDropsNotSent)
{
    m_bank.Push(Make(0, 100));
    m_bank.Push(Make(7, 200));
    while (Frame* frame = m_bank.Flush())
    {
        m_pool.Release(frame);
    }
    EXPECT_TRUE(m_bank.IsEmpty());
    EXPECT_EQ(m_bank.GetAccount(7).GetBacklog(), 0U);
    EXPECT_EQ(m_bank.GetAccount(7).GetCounters().droppedBytes, 200U);
    EXPECT_EQ(m_bank.GetAccount(7).GetCounters().packets, 0U);
    EXPECT_EQ(m_pool.GetInUse(), 0U);
}

TEST_F(QueueBankTest, DynamicThresholdLeavesRoomForOtherQueues)
{
    // 1200 bytes, alpha 1, packets of 100. Queue 1 alone: packet n enters when 100 n <= 1200 -
    // 100 (n - 1), so n <= 6.5: it takes 600, half of the memory. Then 600 are free, and queue 2
    // takes packet n when 100 n <= 600 - 100 (n - 1), so n <= 3.5: 300.
    auto buffer = std::make_shared<SharedBuffer>(1200, 1.0);
    m_bank.SetSharedBuffer(buffer);
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(m_bank.Push(Make(1, 100)) == Verdict::QUEUED, i < 6) << i;
    }
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(m_bank.Push(Make(2, 100)) == Verdict::QUEUED, i < 3) << i;
    }
    EXPECT_EQ(buffer->GetUsed(), 900U);
    m_bank.Pop(1);
    m_bank.Flush();
    EXPECT_EQ(buffer->GetUsed(), 700U);
}

TEST_F(QueueBankTest, LargeAlphaIsBoundedByTheMemory)
{
    auto buffer = std::make_shared<SharedBuffer>(1000, 1e9);
    m_bank.SetSharedBuffer(buffer);
    EXPECT_EQ(m_bank.Push(Make(1, 1001)), Verdict::DROPPED);
    EXPECT_EQ(m_bank.Push(Make(1, 999)), Verdict::QUEUED);
    EXPECT_EQ(m_bank.Push(Make(2, 2)), Verdict::DROPPED);
    EXPECT_EQ(buffer->GetUsed(), 999U);
}

TEST(SharedBuffer, RejectsSizesAndAlphasThatMakeNoSense)
{
    EXPECT_THROW(SharedBuffer(0, 1), InputError);
    EXPECT_THROW(SharedBuffer(1, 0), InputError);
    EXPECT_THROW(SharedBuffer(1, -1), InputError);
    EXPECT_THROW(SharedBuffer(1, std::nan("")), InputError);
}

TEST(FramePool, ReusesFramesInTheirInitialState)
{
    FramePool pool;
    Frame* frame = pool.Take();
    frame->dscp = 5;
    frame->rewritten = true;
    frame->packet = Create<Packet>(1);
    frame->Note<uint64_t>() = 7;
    ASSERT_TRUE(frame->FindNote<uint64_t>());
    EXPECT_EQ(*frame->FindNote<uint64_t>(), 7U);
    pool.Release(frame);
    Frame* again = pool.Take();
    EXPECT_EQ(again, frame);
    EXPECT_EQ(again->dscp, 0);
    EXPECT_FALSE(again->rewritten);
    EXPECT_FALSE(again->packet);
    EXPECT_FALSE(again->FindNote<uint64_t>());
    EXPECT_EQ(again->Note<uint64_t>(), 0U);
    std::vector<Frame*> many;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        many.push_back(pool.Take());
    }
    EXPECT_EQ(pool.GetInUse(), 1001U);
    std::sort(many.begin(), many.end());
    EXPECT_EQ(std::unique(many.begin(), many.end()), many.end());
}

} // namespace
