// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-variants.h"
#include "ddl-queue-scheduler-bench.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Shares of queues that never run empty, for packets of all sizes. */
class Shares : public ::testing::Test
{
  protected:
    /** Serve queues that never run empty, with weights 1, 2, 3... */
    void Run(QueueBench& bench, uint32_t packets)
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
    QueueBench bench(MakeService("wrr", {{"Weights", WEIGHTS}}), MAX_QUEUES);
    Run(bench, 100000);
    ExpectShares(bench.m_packets, 0);
}

TEST_F(Shares, DwrrSharesBytes)
{
    QueueBench bench(MakeService("dwrr", {{"Weights", WEIGHTS}}), MAX_QUEUES);
    Run(bench, 100000);
    ExpectShares(bench.m_bytes, 0);
}

TEST_F(Shares, MixedSharesBytesOfTheRest)
{
    // Strict queues that never run empty would take all, so they are left empty here.
    QueueBench bench(MakeService("mixed", {{"Weights", WEIGHTS}, {"StrictQueues", "2"}}),
                     MAX_QUEUES);
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

/** What must hold for every queue scheduler, those of users included. */
class QueueSchedulerConformance : public ::testing::TestWithParam<test::Variant>
{
  protected:
    /** \return the least number of queues that it may have: `mixed` has its strict ones */
    static uint32_t CountLeastQueues()
    {
        UintegerValue strict(0);
        GetParam().Create<QueueScheduler>()->GetAttributeFailSafe("StrictQueues", strict);
        return std::max<uint64_t>(1, strict.Get());
    }
};

TEST_P(QueueSchedulerConformance, HasASummary)
{
    EXPECT_FALSE(GetParam().Create<QueueScheduler>()->GetSummary().empty());
}

TEST_P(QueueSchedulerConformance, ServesEveryPacketOnceWithAnyNumberOfQueues)
{
    for (uint32_t queues = CountLeastQueues(); queues <= MAX_QUEUES; ++queues)
    {
        // Arrivals come in bursts with gaps, so that queues run empty and fill again. Select throws
        // for an empty queue, so each of the steps served a packet: the service conserves work.
        QueueBench bench(GetParam().Create<QueueScheduler>(), queues);
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

/** Ports do not ask a service that says so. */
TEST_P(QueueSchedulerConformance, AStrictOneServesTheLowestQueue)
{
    const auto service = GetParam().Create<QueueScheduler>();
    const uint32_t queues = std::max(4U, CountLeastQueues());
    service->Configure(queues);
    uint32_t others = 0;
    for (uint32_t step = 0; step < 1000; ++step)
    {
        QueueView view;
        view.nonEmpty = 1 + step * 7 % ((1U << queues) - 1);
        for (uint32_t queue = 0; queue < queues; ++queue)
        {
            view.headBytes[queue] = MixedSize(queue, step);
        }
        others += service->Select(view) == QueueScheduler::First(view.nonEmpty) ? 0 : 1;
    }
    // Others may serve so with their attributes at an extreme, and need not say it.
    EXPECT_EQ(service->IsStrict(),
              service->GetInstanceTypeId().GetName() == "ns3::ddl::StrictPriorityQueueScheduler");
    EXPECT_TRUE(!service->IsStrict() || others == 0);
}

TEST_P(QueueSchedulerConformance, SameInputsSameOrder)
{
    std::vector<Order> orders;
    auto service = GetParam().Create<QueueScheduler>();
    for (uint32_t run = 0; run < 2; ++run)
    {
        const uint32_t queues = std::max(4U, CountLeastQueues());
        QueueBench bench(service, queues); // Configure forgets the first run
        for (uint32_t queue = 0; queue < queues; ++queue)
        {
            bench.Add(queue, MixedSize(queue, 1), 50);
        }
        orders.push_back(bench.Serve(120));
    }
    EXPECT_EQ(orders[0], orders[1]);
}

INSTANTIATE_TEST_SUITE_P(All,
                         QueueSchedulerConformance,
                         ::testing::ValuesIn(test::ListVariants(QueueScheduler::GetTypeId(),
                                                                {{"Rest", {"wrr"}}})),
                         test::NameOf);

} // namespace
