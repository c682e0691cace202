// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-unit-views.h"

#include "ns3/boolean.h"
#include "ns3/ddl-grouper-network-scheduler.h"
#include "ns3/ddl-unit-order.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::ddl;
using test::LinkChains;
using test::MakeStage;

namespace
{

constexpr uint32_t A = 1;
constexpr uint32_t B = 2;

std::string
Order(Ptr<NetworkScheduler> scheduler, const SchedulerView& view)
{
    return FormatOrder(view, scheduler->Order(view), UnitKind::STAGE);
}

Ptr<GrouperNetworkScheduler>
MakeGrouper(bool keepChainOrder, bool literalLine10)
{
    auto scheduler = CreateObject<GrouperNetworkScheduler>();
    scheduler->SetAttribute("KeepChainOrder", BooleanValue(keepChainOrder));
    scheduler->SetAttribute("LiteralLine10", BooleanValue(literalLine10));
    return scheduler;
}

/** Fig. 3 at t = 0 on one unit-rate port, as `grouper` sees it: all four jobs run both stages. */
SchedulerView
MakeFigure3()
{
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 1, 2, 1 + 1),  // jobs 1 and 2: 1 unit each
                  MakeStage(A, 2, 2, 2 + 2),  // 2 units each
                  MakeStage(B, 1, 2, 2 + 2),  // jobs 3 and 4: 2 units each
                  MakeStage(B, 2, 2, 4 + 4)}; // 4 units each
    LinkChains(view);
    return view;
}

TEST(GrouperNetworkScheduler, Figure3AtFirst)
{
    // w = 1 + 2^-(k+1): A1 5/4, A2 9/8, B1 5/4, B2 9/8.
    // Last stages: A2 (9/8)/4 = 0.281, B2 (9/8)/8 = 0.141: B2 last, rho 0.141.
    //   A1 5/4 - 2 rho = 0.969, A2 9/8 - 4 rho = 0.563, B1 5/4 - 4 rho = 0.688.
    // A2 0.563/4 = 0.141, B1 0.688/4 = 0.172: A2 third, rho 0.141.
    //   A1 0.969 - 2 rho = 0.688, B1 0.688 - 4 rho = 0.125.
    // A1 0.688/2 = 0.344, B1 0.125/4 = 0.031: B1 second, A1 first.
    EXPECT_EQ(Order(MakeGrouper(true, false), MakeFigure3()), "1.1 2.1 1.2 2.2");
}

TEST(GrouperNetworkScheduler, Figure3AfterTheFirstStageOfA)
{
    // At t = 2 A1 is over and job 2 has stopped: A2 is 2 units of job 1; B has not moved.
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 2, 2, 2), MakeStage(B, 1, 2, 4), MakeStage(B, 2, 2, 8)};
    view.units[2].predecessor = 1;
    // A2 (9/8)/2 = 0.563, B2 (9/8)/8 = 0.141: B2 last, rho 0.141.
    //   A2 9/8 - 2 rho = 0.844, B1 5/4 - 4 rho = 0.688.
    // A2 0.844/2 = 0.422, B1 0.688/4 = 0.172: B1 second, A2 first.
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "1.2 2.1 2.2");
}

TEST(GrouperNetworkScheduler, Figure3WithoutRankingAgainWouldKeepB1BeforeA2)
{
    // The same instant, had job 2 gone on: A2 is 4 units and B1 still goes before it.
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 2, 2, 4), MakeStage(B, 1, 2, 4), MakeStage(B, 2, 2, 8)};
    view.units[2].predecessor = 1;
    // B2 last, rho 0.141: A2 9/8 - 4 rho = 0.563, B1 5/4 - 4 rho = 0.688; A2 0.141 < B1 0.172.
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "2.1 1.2 2.2");
}

TEST(GrouperNetworkScheduler, LiteralLine10LowersLastStages)
{
    // Two cojobs on one port: A has one stage of load 1, B two of load 3 each.
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 1, 1, 1), MakeStage(B, 1, 2, 3), MakeStage(B, 2, 2, 3)};
    LinkChains(view);
    // Eq. 46: A1 5/4, B1 5/4, B2 9/8. B2 0.375 < A1 1.25: B2 last, rho 3/8.
    //   A1 5/4 - 3/8 = 7/8; B1 5/4 - 9/8 = 1/8. B1 1/24 < A1 7/8: B1 second.
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "1.1 2.1 2.2");
    // Line 10: A1 1/2, B1 5/4, B2 1/4. B2 1/12 < A1 1/2: B2 last, rho 1/12.
    //   A1 1/2 - 1/12 = 5/12; B1 5/4 - 1/4 = 1. B1 1/3 < A1 5/12: still B1 second.
    EXPECT_EQ(Order(MakeGrouper(true, true), view), "1.1 2.1 2.2");
    // With load 2 on A1: Eq. 46 gives A1 5/4 - 3/4 = 1/2, ratio 1/4 > B1 1/24; line 10 gives
    //   A1 1/2 - 1/6 = 1/3, ratio 1/6 < B1 1/3: now A1 is second.
    view.units[0].load[0].seconds = 2;
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "1.1 2.1 2.2");
    EXPECT_EQ(Order(MakeGrouper(true, true), view), "2.1 1.1 2.2");
}

TEST(GrouperNetworkScheduler, WithoutChainOrderAFirstStageMayGoLast)
{
    // One cojob, loads 10 and 1: 5/4 / 10 < 9/8 / 1, so line 16 to the letter puts stage 1 last.
    SchedulerView view;
    view.ports = 1;
    view.units = {MakeStage(A, 1, 2, 10), MakeStage(A, 2, 2, 1)};
    LinkChains(view);
    EXPECT_EQ(Order(MakeGrouper(false, false), view), "1.2 1.1");
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "1.1 1.2");
}

TEST(GrouperNetworkScheduler, TakesTheMostLoadedPort)
{
    // Port 1 carries 3 + 2 = 5 > 4 of port 0. There B has the least ratio, 5/4 / 3, although on
    // port 0 only A has load.
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeStage(A, 1, 1, 0), MakeStage(B, 1, 1, 0)};
    view.units[0].load = {{0, 4}, {1, 2}};
    view.units[1].load = {{1, 3}};
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "1.1 2.1");
}

TEST(GrouperNetworkScheduler, ReachesAStageThroughSuccessorsThatDoNotLoadThePort)
{
    // Port 0 is the bottleneck; only first stages load it, and A1 has the least ratio there, so A's
    // last stage is placed last; its weight and B's stay. Then A1 (5/4 / 6) against B2 (no load).
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeStage(A, 1, 2, 6),
                  MakeStage(A, 2, 2, 0),
                  MakeStage(B, 1, 2, 3),
                  MakeStage(B, 2, 2, 0)};
    view.units[1].load = {{1, 1}};
    view.units[3].load = {{1, 2}};
    LinkChains(view);
    // A2 last; A1 placeable on port 0: third, rho 5/24, B1 5/4 - 15/24 = 5/8. Port 0 has 3 left,
    // loaded by B1 alone: B2 second, B1 first.
    EXPECT_EQ(Order(MakeGrouper(true, false), view), "2.1 2.2 1.1 1.2");
}

TEST(GrouperNetworkScheduler, KeepsChainOrderOnRandomViews)
{
    for (const bool literal : {false, true})
    {
        for (uint32_t seed = 1; seed <= 200; ++seed)
        {
            const SchedulerView view =
                test::MakeRandomView(UnitKind::STAGE, 24, 1 + seed % 9, 0.5, seed);
            const UnitOrder order = MakeGrouper(true, literal)->Order(view);
            std::vector<std::size_t> place(view.units.size());
            for (std::size_t i = 0; i < order.size(); ++i)
            {
                place[order[i].front()] = i;
            }
            for (std::size_t i = 0; i < view.units.size(); ++i)
            {
                const int32_t before = view.units[i].predecessor;
                EXPECT_TRUE(before == NO_PREDECESSOR || place[before] < place[i])
                    << "seed " << seed << ", unit " << i;
            }
        }
    }
}

TEST(GrouperNetworkScheduler, OnePortSingleStagesIsShortestFirst)
{
    // Equal weights and one port: the least w / L is the greatest load at every step while ratios
    // of the others only fall by the same rho, so the order is by load (Smith's rule).
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        SchedulerView view = test::MakeRandomView(UnitKind::JOB, 12, 1, 1, seed);
        const UnitOrder order = MakeGrouper(true, false)->Order(view);
        double before = 0;
        for (const auto& group : order)
        {
            const auto& load = view.units[group.front()].load;
            const double seconds = load.empty() ? 0 : load.front().seconds;
            EXPECT_GE(seconds, before);
            before = seconds;
        }
    }
}

TEST(GrouperNetworkScheduler, RunsEveryPeriodWithCurrentLoads)
{
    auto scheduler = CreateObject<GrouperNetworkScheduler>();
    EXPECT_EQ(scheduler->GetTrigger(), NetworkScheduler::Trigger::PERIOD);
    EXPECT_TRUE(scheduler->NeedsProgress());
    EXPECT_FALSE(scheduler->IsClairvoyant());
}

} // namespace
