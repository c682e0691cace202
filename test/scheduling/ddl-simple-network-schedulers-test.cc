// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-unit-views.h"

#include "ns3/ddl-fair-share-network-scheduler.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-unit-order.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;
using test::Activate;
using test::LinkChains;
using test::MakeStage;

namespace
{

/** Cojobs 1, 2, 3 with two stages each; 2 released first, then 1 and 3 together. */
SchedulerView
MakeThreeCojobs()
{
    SchedulerView view;
    view.ports = 1;
    for (uint32_t cojob = 1; cojob <= 3; ++cojob)
    {
        view.units.push_back(MakeStage(cojob, 1, 2, 1));
        Activate(view.units.back(), cojob == 2 ? Seconds(1) : Seconds(4));
        view.units.push_back(MakeStage(cojob, 2, 2, 1));
    }
    LinkChains(view);
    return view;
}

std::string
BaraatOrder(uint32_t multiplexing, const SchedulerView& view)
{
    auto scheduler = CreatePolicy<NetworkScheduler>("baraat");
    scheduler->SetAttribute("Multiplexing", UintegerValue(multiplexing));
    return FormatOrder(view, scheduler->Order(view), UnitKind::STAGE);
}

TEST(FairShareNetworkScheduler, PutsAllInOneGroup)
{
    const SchedulerView view = MakeThreeCojobs();
    EXPECT_EQ(
        FormatOrder(view, CreateObject<FairShareNetworkScheduler>()->Order(view), UnitKind::STAGE),
        "1.1=1.2=2.1=2.2=3.1=3.2");
}

TEST(BaraatNetworkScheduler, ServesStagesByRelease)
{
    EXPECT_EQ(BaraatOrder(1, MakeThreeCojobs()), "2.1 1.1 3.1 1.2 2.2 3.2");
}

TEST(BaraatNetworkScheduler, AStageStartsAtItsOwnRelease)
{
    // Cojob 2 goes on to stage 2 at 6 s and now stands behind the others.
    SchedulerView view = MakeThreeCojobs();
    view.units.erase(view.units.begin() + 2);
    view.units[2].predecessor = NO_PREDECESSOR;
    Activate(view.units[2], Seconds(6));
    view.units[4].predecessor = 3;
    EXPECT_EQ(BaraatOrder(1, view), "1.1 3.1 2.2 1.2 3.2");
}

TEST(BaraatNetworkScheduler, SharesTheHeadAmongActiveStagesOnly)
{
    const SchedulerView view = MakeThreeCojobs();
    EXPECT_EQ(BaraatOrder(2, view), "2.1=1.1 3.1 1.2 2.2 3.2");
    EXPECT_EQ(BaraatOrder(9, view), "2.1=1.1=3.1 1.2 2.2 3.2");
}

TEST(FixedOrderNetworkScheduler, PutsJobsInTheOrderThatIsGiven)
{
    SchedulerView view;
    view.ports = 1;
    for (const uint32_t job : {1, 2, 3, 4, 5})
    {
        UnitView unit;
        unit.cojob = CojobId{job};
        unit.job = JobId{job};
        view.units.push_back(unit);
    }
    const auto order = [&view](const std::string& given) {
        auto scheduler = CreatePolicy<NetworkScheduler>("fixed-order");
        scheduler->SetAttribute("Order", StringValue(given));
        return FormatOrder(view, scheduler->Order(view), UnitKind::JOB);
    };
    EXPECT_EQ(order("5 2=1 4 3"), "5 1=2 4 3");
    EXPECT_EQ(order("4 9 2"), "4 2 1=3=5"); // nobody is 9, and nobody named 1, 3, 5
    EXPECT_EQ(order(""), "1=2=3=4=5");
    EXPECT_EQ(order("x = 3"), "3 1=2=4=5");
}

TEST(SptfNetworkScheduler, Figure3)
{
    // Units that each job will really send: job 1 1 + 2, job 2 1, job 3 2 + 4, job 4 2.
    SchedulerView view;
    view.ports = 1;
    const double seconds[] = {3, 1, 6, 2};
    for (uint32_t job = 1; job <= 4; ++job)
    {
        view.units.push_back(MakeStage(job <= 2 ? 1 : 2, 1, 2, seconds[job - 1]));
        view.units.back().job = {job};
    }
    EXPECT_EQ(FormatOrder(view, CreatePolicy<NetworkScheduler>("sptf")->Order(view), UnitKind::JOB),
              "2 4 1 3");
}

TEST(SptfNetworkScheduler, CountsTheBottleneckPort)
{
    // Job 1 moves 3 + 3 in all but at most 3 on one port; job 2 moves 4 on one port.
    SchedulerView view;
    view.ports = 2;
    view.units = {MakeStage(1, 1, 1, 0), MakeStage(2, 1, 1, 0)};
    view.units[0].job = {1};
    view.units[0].load = {{0, 3}, {1, 3}};
    view.units[1].job = {2};
    view.units[1].load = {{1, 4}};
    EXPECT_EQ(FormatOrder(view, CreatePolicy<NetworkScheduler>("sptf")->Order(view), UnitKind::JOB),
              "1 2");
}

} // namespace
