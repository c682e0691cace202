// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-scheduler-bench.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

TEST(StrictPriority, ServesTheLowestNumberFirst)
{
    QueueBench bench(MakeService("strict-priority"), 8);
    bench.Add(7, 100, 2);
    bench.Add(0, 100);
    bench.Add(3, 100);
    EXPECT_EQ(bench.Serve(3), (Order{0, 3, 7}));
    bench.Add(1, 100);
    EXPECT_EQ(bench.Serve(2), (Order{1, 7}));
}

TEST(Wrr, InterleavesPacketsByWeight)
{
    // Tags grow by 1, 1/2, 1/4. All 0: 0, 1, 2. Then 1, 1/2, 1/4: 2 (to 1/2); a tie of 1 and 2: 1
    // (to 1), 2 (to 3/4), 2 (to 1). Then all 1: the round of 7 packets begins again.
    QueueBench bench(MakeService("wrr", {{"Weights", "1,2,4"}}), 3);
    for (uint32_t queue = 0; queue < 3; ++queue)
    {
        bench.Add(queue, queue == 0 ? 1500 : 64, 100);
    }
    EXPECT_EQ(bench.Serve(7), (Order{0, 1, 2, 2, 1, 2, 2}));
    EXPECT_EQ(bench.Serve(7), (Order{0, 1, 2, 2, 1, 2, 2}));
}

TEST(Wrr, ForgivesAndGrantsNothingForIdleTime)
{
    // Queue 0 is alone for 100 packets. When queue 1 comes it does not take 100 in a row.
    QueueBench bench(MakeService("wrr"), 2);
    bench.Add(0, 100, 1000);
    bench.Serve(100);
    bench.Add(1, 100, 1000);
    const Order order = bench.Serve(10);
    EXPECT_EQ(std::count(order.begin(), order.end(), 0U), 5);
}

TEST(Dwrr, ServesByDeficit)
{
    // Quantum 500, weights 1 and 2, so 500 and 1000 bytes a turn.
    // Queue 0 has packets of 300, queue 1 of 400.
    // Turn of 0: 500, sends 300, 200 left. Turn of 1: 1000, sends 2 x 400, 200 left.
    // Turn of 0: 700, sends 2 x 300, 100 left. Turn of 1: 1200, sends 3 x 400, 0 left.
    // Turn of 0: 600, sends 2 x 300, 0 left. From here on again as from the start.
    // Turn of 1: 1000, sends 2 x 400, 200 left. Turn of 0: 500, sends 300.
    QueueBench bench(MakeService("dwrr", {{"Weights", "1,2"}, {"Quantum", "500"}}), 2);
    bench.Add(0, 300, 100);
    bench.Add(1, 400, 100);
    EXPECT_EQ(bench.Serve(13), (Order{0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0}));
}

TEST(Dwrr, AnEmptyQueueLosesItsCredit)
{
    // Quantum 1000. Queue 0 sends its only packet of 100 and loses the 900 left; the turn goes
    // to 1. Back at 0, 1000 bytes again: one packet of 600, not three.
    QueueBench bench(MakeService("dwrr", {{"Quantum", "1000"}}), 2);
    bench.Add(0, 100);
    bench.Add(1, 600, 10);
    EXPECT_EQ(bench.Serve(2), (Order{0, 1}));
    bench.Add(0, 600, 10);
    EXPECT_EQ(bench.Serve(3), (Order{0, 1, 1}));
}

TEST(Dwrr, ManyTurnsForAPacketAboveTheQuantum)
{
    // 9000 bytes at 1500 a turn: six turns of one packet of 1500 for queue 1 before each.
    QueueBench bench(MakeService("dwrr"), 2);
    bench.Add(0, 9000, 10);
    bench.Add(1, 1500, 100);
    EXPECT_EQ(bench.Serve(7), (Order{1, 1, 1, 1, 1, 0, 1}));
    EXPECT_EQ(bench.Serve(7), (Order{1, 1, 1, 1, 1, 0, 1}));
}

TEST(Mixed, StrictQueuesGoBeforeTheRest)
{
    QueueBench bench(
        MakeService("mixed", {{"StrictQueues", "2"}, {"Weights", "1,1,1,3"}, {"Rest", "wrr"}}),
        4);
    bench.Add(2, 100, 100);
    bench.Add(3, 100, 100);
    bench.Add(1, 100);
    bench.Add(0, 100);
    EXPECT_EQ(bench.Serve(2), (Order{0, 1}));
    // Tags grow by 1 and 1/3: 2, 3, 3, 3 and again; a control packet in between goes at once.
    EXPECT_EQ(bench.Serve(3), (Order{2, 3, 3}));
    bench.Add(0, 100);
    EXPECT_EQ(bench.Serve(3), (Order{0, 3, 2}));
}

TEST(Weights, WrongOnesAreRefused)
{
    for (const char* weights :
         {"0", "1,0", "-1,1", "1.5,1", "1,,1", "a,b", "1001,1", "1,2,3", "1", ",", " "})
    {
        for (const char* service : {"wrr", "dwrr", "mixed"})
        {
            EXPECT_THROW(MakeService(service, {{"Weights", weights}})->Configure(2), InputError)
                << service << " \"" << weights << "\"";
        }
    }
    EXPECT_NO_THROW(MakeService("wrr", {{"Weights", " 1 , 1000 "}})->Configure(2));
    EXPECT_NO_THROW(MakeService("wrr")->Configure(2));
}

TEST(Weights, OnlyForServicesThatHaveThem)
{
    PortSpec spec;
    spec.weights = {1, 2};
    EXPECT_THROW(CreateQueueService(spec), InputError);
    spec.service = "dwrr";
    EXPECT_NO_THROW(CreateQueueService(spec)->Configure(2));
}

TEST(QueueService, UnlimitedQueuesAreStrict)
{
    EXPECT_NO_THROW(MakeService("strict-priority")->Configure(UNLIMITED_QUEUES));
    for (const char* service : {"wrr", "dwrr", "mixed"})
    {
        EXPECT_THROW(MakeService(service)->Configure(UNLIMITED_QUEUES), InputError) << service;
    }
    const auto strict = MakeService("strict-priority");
    EXPECT_THROW(strict->Configure(UNLIMITED_QUEUES + 1), InputError);
    strict->Configure(UNLIMITED_QUEUES);
    ASSERT_EQ(strict->GetShares()->size(), UNLIMITED_QUEUES);
    EXPECT_EQ(strict->GetShares()->back().level, 62U);
    QueueView view;
    view.nonEmpty = QueueBit(62) | QueueBit(33);
    EXPECT_EQ(strict->Select(view), 33U);
}

TEST(QueueService, WrongNamesAndAttributesAreRefused)
{
    EXPECT_THROW(MakeService("strict-prioritty"), InputError);
    EXPECT_THROW(MakeService("weighted"), InputError); // what they share is not one of them
    EXPECT_THROW(MakeService("dwrr", {{"Qantum", "1500"}}), InputError);
    EXPECT_THROW(MakeService("dwrr", {{"Quantum", "1"}}), InputError);
    EXPECT_THROW(MakeService("mixed", {{"Rest", "mixed"}})->Configure(8), InputError);
    EXPECT_THROW(MakeService("mixed", {{"StrictQueues", "5"}})->Configure(4), InputError);
    EXPECT_THROW(MakeService("wrr")->Configure(0), InputError);
    EXPECT_THROW(MakeService("wrr")->Configure(9), InputError);
}

/** Answers what it is told to. */
class WrongQueueScheduler : public QueueScheduler
{
  public:
    uint32_t m_answer{0};

    std::string GetSummary() const override
    {
        return "";
    }

  private:
    void DoConfigure(uint32_t) override
    {
    }

    uint32_t DoSelect(const QueueView&) override
    {
        return m_answer;
    }
};

TEST(QueueScheduler, AnswersAreChecked)
{
    auto wrong = CreateObject<WrongQueueScheduler>();
    QueueView view;
    view.nonEmpty = 1U << 3;
    for (const uint32_t answer : {0U, 2U, 4U, 8U, 35U, 0xffffffffU})
    {
        wrong->m_answer = answer;
        EXPECT_THROW(wrong->Select(view), RunError) << answer;
    }
    wrong->m_answer = 3;
    EXPECT_EQ(wrong->Select(view), 3U);
}

} // namespace
