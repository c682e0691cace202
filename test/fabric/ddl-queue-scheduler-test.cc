// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-dwrr-queue-scheduler.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-mixed-queue-scheduler.h"
#include "ns3/ddl-queue-service.h"
#include "ns3/ddl-strict-priority-queue-scheduler.h"
#include "ns3/ddl-wrr-queue-scheduler.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Queues without a simulator: sizes of waiting packets, and a service that empties them. */
class Bench
{
  public:
    Bench(Ptr<QueueScheduler> service, uint32_t queues)
        : m_service(service)
    {
        m_service->Configure(queues);
    }

    void Add(uint32_t queue, uint32_t bytes, uint32_t packets = 1)
    {
        m_waiting[queue].insert(m_waiting[queue].end(), packets, bytes);
    }

    /** \return the queue served, whose first packet is gone now */
    uint32_t Serve()
    {
        QueueView view;
        for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            if (!m_waiting[queue].empty())
            {
                view.nonEmpty |= 1U << queue;
                view.headBytes[queue] = m_waiting[queue].front();
            }
        }
        const uint32_t queue = m_service->Select(view);
        m_bytes[queue] += m_waiting[queue].front();
        ++m_packets[queue];
        m_waiting[queue].pop_front();
        return queue;
    }

    std::vector<uint32_t> Serve(uint32_t packets)
    {
        std::vector<uint32_t> order(packets);
        for (uint32_t& queue : order)
        {
            queue = Serve();
        }
        return order;
    }

    std::array<std::deque<uint32_t>, MAX_QUEUES> m_waiting;
    std::array<uint64_t, MAX_QUEUES> m_bytes{};
    std::array<uint64_t, MAX_QUEUES> m_packets{};

  private:
    Ptr<QueueScheduler> m_service;
};

using Order = std::vector<uint32_t>;

Ptr<QueueScheduler>
Make(const std::string& name, const std::map<std::string, std::string>& attributes = {})
{
    PortSpec spec;
    spec.service = name;
    spec.serviceAttributes = attributes;
    return CreateQueueService(spec);
}

TEST(StrictPriority, ServesTheLowestNumberFirst)
{
    Bench bench(Make("strict-priority"), 8);
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
    Bench bench(Make("wrr", {{"Weights", "1,2,4"}}), 3);
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
    Bench bench(Make("wrr"), 2);
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
    Bench bench(Make("dwrr", {{"Weights", "1,2"}, {"Quantum", "500"}}), 2);
    bench.Add(0, 300, 100);
    bench.Add(1, 400, 100);
    EXPECT_EQ(bench.Serve(13), (Order{0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0}));
}

TEST(Dwrr, AnEmptyQueueLosesItsCredit)
{
    // Quantum 1000. Queue 0 sends its only packet of 100 and loses the 900 left; the turn goes
    // to 1. Back at 0, 1000 bytes again: one packet of 600, not three.
    Bench bench(Make("dwrr", {{"Quantum", "1000"}}), 2);
    bench.Add(0, 100);
    bench.Add(1, 600, 10);
    EXPECT_EQ(bench.Serve(2), (Order{0, 1}));
    bench.Add(0, 600, 10);
    EXPECT_EQ(bench.Serve(3), (Order{0, 1, 1}));
}

TEST(Dwrr, ManyTurnsForAPacketAboveTheQuantum)
{
    // 9000 bytes at 1500 a turn: six turns of one packet of 1500 for queue 1 before each.
    Bench bench(Make("dwrr"), 2);
    bench.Add(0, 9000, 10);
    bench.Add(1, 1500, 100);
    EXPECT_EQ(bench.Serve(7), (Order{1, 1, 1, 1, 1, 0, 1}));
    EXPECT_EQ(bench.Serve(7), (Order{1, 1, 1, 1, 1, 0, 1}));
}

TEST(Mixed, StrictQueuesGoBeforeTheRest)
{
    Bench bench(Make("mixed", {{"StrictQueues", "2"}, {"Weights", "1,1,1,3"}, {"Rest", "wrr"}}), 4);
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

/** Sizes between 64 and 1500 bytes that differ from queue to queue and packet to packet. */
uint32_t
MixedSize(uint32_t queue, uint32_t packet)
{
    return 64 + (queue * 389 + packet * 757) % 1437;
}

class Shares : public ::testing::TestWithParam<std::string>
{
  protected:
    /** Serve queues that never run empty, with weights 1, 2, 3... */
    void Run(Bench& bench, uint32_t packets)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
            {
                if (bench.m_waiting[queue].empty())
                {
                    bench.Add(queue, MixedSize(queue, bench.m_packets[queue]));
                }
            }
            bench.Serve();
        }
    }

    void ExpectShares(const std::array<uint64_t, MAX_QUEUES>& served, uint32_t first)
    {
        double total = 0;
        double weights = 0;
        for (uint32_t queue = first; queue < MAX_QUEUES; ++queue)
        {
            total += static_cast<double>(served[queue]);
            weights += queue + 1;
        }
        for (uint32_t queue = first; queue < MAX_QUEUES; ++queue)
        {
            const double expected = (queue + 1) / weights;
            EXPECT_NEAR(static_cast<double>(served[queue]) / total, expected, 0.01 * expected);
        }
    }

    static constexpr const char* WEIGHTS = "1,2,3,4,5,6,7,8";
};

TEST_F(Shares, WrrSharesPackets)
{
    Bench bench(Make("wrr", {{"Weights", WEIGHTS}}), MAX_QUEUES);
    Run(bench, 100000);
    ExpectShares(bench.m_packets, 0);
}

TEST_F(Shares, DwrrSharesBytes)
{
    Bench bench(Make("dwrr", {{"Weights", WEIGHTS}}), MAX_QUEUES);
    Run(bench, 100000);
    ExpectShares(bench.m_bytes, 0);
}

TEST_F(Shares, MixedSharesBytesOfTheRest)
{
    // Strict queues that never run empty would take all, so they are left empty here.
    Bench bench(Make("mixed", {{"Weights", WEIGHTS}, {"StrictQueues", "2"}}), MAX_QUEUES);
    for (uint32_t i = 0; i < 100000; ++i)
    {
        for (uint32_t queue = 2; queue < MAX_QUEUES; ++queue)
        {
            if (bench.m_waiting[queue].empty())
            {
                bench.Add(queue, MixedSize(queue, bench.m_packets[queue]));
            }
        }
        bench.Serve();
    }
    ExpectShares(bench.m_bytes, 2);
}

TEST(Weights, WrongOnesAreRefused)
{
    for (const char* weights :
         {"0", "1,0", "-1,1", "1.5,1", "1,,1", "a,b", "1001,1", "1,2,3", "1", ",", " "})
    {
        for (const char* service : {"wrr", "dwrr", "mixed"})
        {
            EXPECT_THROW(Make(service, {{"Weights", weights}})->Configure(2), InputError)
                << service << " \"" << weights << "\"";
        }
    }
    EXPECT_NO_THROW(Make("wrr", {{"Weights", " 1 , 1000 "}})->Configure(2));
    EXPECT_NO_THROW(Make("wrr")->Configure(2));
}

TEST(Weights, OnlyForServicesThatHaveThem)
{
    PortSpec spec;
    spec.weights = {1, 2};
    EXPECT_THROW(CreateQueueService(spec), InputError);
    spec.service = "dwrr";
    EXPECT_NO_THROW(CreateQueueService(spec)->Configure(2));
}

TEST(QueueService, WrongNamesAndAttributesAreRefused)
{
    EXPECT_THROW(Make("strict-prioritty"), InputError);
    EXPECT_THROW(Make("weighted"), InputError); // what they share is not one of them
    EXPECT_THROW(Make("dwrr", {{"Qantum", "1500"}}), InputError);
    EXPECT_THROW(Make("dwrr", {{"Quantum", "1"}}), InputError);
    EXPECT_THROW(Make("mixed", {{"Rest", "mixed"}})->Configure(8), InputError);
    EXPECT_THROW(Make("mixed", {{"StrictQueues", "5"}})->Configure(4), InputError);
    EXPECT_THROW(Make("wrr")->Configure(0), InputError);
    EXPECT_THROW(Make("wrr")->Configure(9), InputError);
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

/** What must hold for every queue scheduler, those of users included. */
class QueueSchedulerConformance : public ::testing::TestWithParam<std::string>
{
};

TEST_P(QueueSchedulerConformance, HasASummary)
{
    EXPECT_FALSE(Make(GetParam())->GetSummary().empty());
}

TEST_P(QueueSchedulerConformance, ServesEveryPacketOnceWithAnyNumberOfQueues)
{
    for (uint32_t queues = 1; queues <= MAX_QUEUES; ++queues)
    {
        // Arrivals come in bursts with gaps, so that queues run empty and fill again. Select throws
        // for an empty queue, so each of the steps served a packet: the service conserves work.
        Bench bench(Make(GetParam()), queues);
        std::array<uint64_t, MAX_QUEUES> added{};
        uint64_t waiting = 0;
        for (uint32_t step = 0; step < 5000; ++step)
        {
            const uint32_t queue = (step * 7 + step / 3) % queues;
            const uint32_t burst = step % 200 < 100 ? step % 3 : 0;
            bench.Add(queue, MixedSize(queue, step), burst);
            added[queue] += burst;
            waiting += burst;
            if (waiting > 0)
            {
                ASSERT_LT(bench.Serve(), queues);
                --waiting;
            }
        }
        while (waiting > 0)
        {
            bench.Serve();
            --waiting;
        }
        EXPECT_EQ(bench.m_packets, added);
    }
}

TEST_P(QueueSchedulerConformance, SameInputsSameOrder)
{
    std::vector<Order> orders;
    auto service = Make(GetParam());
    for (uint32_t run = 0; run < 2; ++run)
    {
        Bench bench(service, 4); // Configure forgets the first run
        for (uint32_t queue = 0; queue < 4; ++queue)
        {
            bench.Add(queue, MixedSize(queue, 1), 50);
        }
        orders.push_back(bench.Serve(120));
    }
    EXPECT_EQ(orders[0], orders[1]);
}

INSTANTIATE_TEST_SUITE_P(All,
                         QueueSchedulerConformance,
                         ::testing::ValuesIn(ListPolicies(QueueScheduler::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(QueueScheduler, FourAreThere)
{
    const auto names = ListPolicies(QueueScheduler::GetTypeId());
    for (const char* name : {"dwrr", "mixed", "strict-priority", "wrr"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
}

} // namespace
