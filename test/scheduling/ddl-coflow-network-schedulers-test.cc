// SPDX-License-Identifier: GPL-2.0-only
// Schedulers of coflows and of flows, by hand.
#include "ddl-unit-views.h"

#include "ns3/boolean.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-unit-order.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Loads = std::vector<PortLoad>;

UnitView
MakeCoflow(uint32_t job, const Loads& load, double weight = 1)
{
    UnitView unit = test::MakeStage(job, 1, 1, 0);
    test::Activate(unit, Seconds(1));
    unit.job = {job};
    unit.iteration = 1;
    unit.load = load;
    unit.weight = weight;
    return unit;
}

std::string
Order(const std::string& scheduler, const SchedulerView& view)
{
    return FormatOrder(view,
                       CreatePolicy<NetworkScheduler>(scheduler)->Order(view),
                       UnitKind::COFLOW);
}

TEST(SincroniaNetworkScheduler, BottleneckSelectScaleIterate)
{
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeCoflow(1, {{0, 3}}),
                  MakeCoflow(2, {{0, 2}, {1, 2}}),
                  MakeCoflow(3, {{1, 1}}),
                  MakeCoflow(4, {{0, 1}, {1, 1}})};
    // Port 0 carries 3 + 2 + 1 = 6, port 1 2 + 1 + 1 = 4. On port 0, w/d: 1 1/3, 2 1/2, 4 1: 1 is
    // last; weights: 2 1 - 2/3 = 1/3, 4 1 - 1/3 = 2/3, 3 stays 1.
    // Now port 0 has 3, port 1 4: there 2 (1/3)/2 = 1/6, 3 1, 4 2/3: 2 is third; weights:
    // 3 1 - 1/6 = 5/6, 4 2/3 - 1/6 = 1/2. Port 1 has 2: 4 1/2 < 3 5/6: 4 second, 3 first.
    EXPECT_EQ(Order("sincronia", view), "3:1 4:1 2:1 1:1");
}

TEST(SincroniaNetworkScheduler, LooksBeyondEachCoflowsOwnBottleneck)
{
    // Coflow 4 has the smallest bottleneck but stands in the way of all others: smallest bottleneck
    // first puts it first. BSSI: each port has 1.9; port 0: 1 has w/d 1, 4 1/0.9: 1 is last, and 4
    // has 1 - 0.9 = 0.1 left. Port 1: 2 has 1, 4 0.1/0.9: 4 is third. Port 1 and 2 have 1 each: 2
    // is second.
    SchedulerView view;
    view.ports = 3;
    view.units = {MakeCoflow(1, {{0, 1}}),
                  MakeCoflow(2, {{1, 1}}),
                  MakeCoflow(3, {{2, 1}}),
                  MakeCoflow(4, {{0, 0.9}, {1, 0.9}, {2, 0.9}})};
    EXPECT_EQ(Order("sincronia", view), "3:1 2:1 4:1 1:1");
    EXPECT_EQ(Order("sebf", view), "4:1 1:1 2:1 3:1");
}

TEST(SincroniaNetworkScheduler, WeightsCount)
{
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeCoflow(1, {{0, 3}}, 4), MakeCoflow(2, {{0, 2}}, 1)};
    // w/d: 4/3 against 1/2: 2 goes last, although it is smaller.
    EXPECT_EQ(Order("sincronia", view), "1:1 2:1");
    view.units[0].weight = 1;
    EXPECT_EQ(Order("sincronia", view), "2:1 1:1");
}

TEST(SincroniaNetworkScheduler, SaysWhenItRuns)
{
    auto scheduler = CreatePolicy<NetworkScheduler>("sincronia");
    EXPECT_EQ(scheduler->GetUnitKind(), UnitKind::COFLOW);
    EXPECT_EQ(scheduler->GetTrigger(), NetworkScheduler::Trigger::CHANGE);
    EXPECT_FALSE(scheduler->NeedsProgress());
    scheduler->SetAttribute("Periodic", BooleanValue(true));
    scheduler->SetAttribute("Remaining", BooleanValue(true));
    EXPECT_EQ(scheduler->GetTrigger(), NetworkScheduler::Trigger::PERIOD);
    EXPECT_TRUE(scheduler->NeedsProgress());
}

TEST(SebfNetworkScheduler, SmallestBottleneckFirstNotFewestBytes)
{
    // Bottlenecks: 1 3, 2 2, 3 2.5. Coflow 2 has the most bytes, 6.
    SchedulerView view;
    view.ports = 3;
    view.units = {MakeCoflow(1, {{0, 3}}),
                  MakeCoflow(2, {{0, 2}, {1, 2}, {2, 2}}),
                  MakeCoflow(3, {{1, 2.5}})};
    EXPECT_EQ(Order("sebf", view), "2:1 3:1 1:1");
    EXPECT_TRUE(CreatePolicy<NetworkScheduler>("sebf")->NeedsProgress());
}

TEST(PiasNetworkScheduler, ReadsItsThresholds)
{
    auto scheduler = CreatePolicy<NetworkScheduler>("pias");
    EXPECT_EQ(scheduler->GetDemotionThresholds().size(), 6u); // priorities 1 to 7
    EXPECT_EQ(scheduler->GetTrigger(), NetworkScheduler::Trigger::NEVER);
    scheduler->SetAttribute("Thresholds", StringValue("10, 200,999999999999999999"));
    EXPECT_EQ(scheduler->GetDemotionThresholds(),
              (std::vector<uint64_t>{10, 200, 999'999'999'999'999'999}));
    for (const std::string wrong :
         {"", "0", "5,5", "7,3", "-1", "1.5", "1MB", "1,,2", "9999999999999999999", " "})
    {
        scheduler->SetAttribute("Thresholds", StringValue(wrong));
        EXPECT_THROW(scheduler->GetDemotionThresholds(), InputError) << wrong;
    }
}

} // namespace
