// SPDX-License-Identifier: GPL-2.0-only
// Crux as a function of the view: paths, priorities and levels by hand.
#include "ns3/boolean.h"
#include "ns3/ddl-least-congested-paths.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Paths = std::vector<std::vector<uint32_t>>;

/** \return a flow that moves so many bytes on one of these paths */
FlowView
MakeFlow(double bytes, const Paths& paths)
{
    return {bytes, std::make_shared<const Paths>(paths), 0};
}

class CruxTest : public testing::Test
{
  protected:
    CruxTest()
    {
        m_view.linkRates.assign(8, 1); // a byte takes a second
    }

    void AddJob(double work,
                double compute,
                const std::vector<FlowView>& flows,
                double sendsFrom = 1)
    {
        UnitView unit;
        unit.job = {static_cast<uint32_t>(m_view.units.size() + 1)};
        unit.cojob = {unit.job.value};
        unit.each = {compute, work, sendsFrom, flows};
        m_view.units.push_back(unit);
    }

    UnitOrder Order(bool corrects = true, uint32_t levels = 7)
    {
        auto crux = CreatePolicy<NetworkScheduler>("crux");
        crux->SetAttribute("Correction", BooleanValue(corrects));
        crux->SetAttribute("Levels", UintegerValue(levels));
        return crux->Order(m_view);
    }

    SchedulerView m_view;
};

// Example 1: equal intensities; k = 1.5 puts job 2 first.
TEST_F(CruxTest, Example1)
{
    AddJob(10, 2, {MakeFlow(2, {{0}})});
    AddJob(5, 1, {MakeFlow(1, {{0}})});
    EXPECT_EQ(Order(), (UnitOrder{{1}, {0}}));
    EXPECT_EQ(Order(false), (UnitOrder{{0}, {1}})); // I alone: a tie, by id
    EXPECT_EQ(Order(true, 1), (UnitOrder{{0, 1}}));
}

// Job 1 has 1.4 times the intensity: k = 1.5 still puts job 2 first; at 1.6 times it does not.
TEST_F(CruxTest, PriorityIsTheFactorTimesTheIntensity)
{
    AddJob(14, 2, {MakeFlow(2, {{0}})});
    AddJob(5, 1, {MakeFlow(1, {{0}})});
    EXPECT_EQ(Order(), (UnitOrder{{1}, {0}}));
    m_view.units[0].each.work = 16;
    EXPECT_EQ(Order(), (UnitOrder{{0}, {1}}));
}

// Example 2: job 2, which sends most, is the reference; k of job 1 is 1 / 6.
TEST_F(CruxTest, Example2)
{
    AddJob(10, 4, {MakeFlow(1, {{0}})}, 0.5);
    AddJob(30, 2, {MakeFlow(3, {{0}})}, 0.5);
    EXPECT_EQ(Order(), (UnitOrder{{1}, {0}}));
    EXPECT_EQ(Order(false), (UnitOrder{{0}, {1}}));
}

// Fig. 13: jobs of falling intensity; 1 and 2 share a link, 3 and 4 another; two levels.
TEST_F(CruxTest, Figure13)
{
    AddJob(8, 1, {MakeFlow(1, {{0}})});
    AddJob(6, 1, {MakeFlow(1, {{0}})});
    AddJob(4, 1, {MakeFlow(1, {{1}})});
    AddJob(2, 1, {MakeFlow(1, {{1}})});
    EXPECT_EQ(Order(true, 2), (UnitOrder{{0, 2}, {1, 3}}));
    EXPECT_EQ(Order(true, 7), (UnitOrder{{0, 2}, {1, 3}}));
    EXPECT_EQ(Order(true, 0), (UnitOrder{{0, 2}, {1, 3}}));
}

// Four jobs on one link, two levels: cut where the edges weigh most.
TEST_F(CruxTest, CompressesWhereTheIntensityFalls)
{
    for (const double work : {10, 9, 2, 1})
    {
        AddJob(work, 1, {MakeFlow(1, {{0}})});
    }
    // Cut behind job 1: 3 x 10 = 30; behind 2: 2 x (10 + 9) = 38; behind 3: 10 + 9 + 2 = 21.
    EXPECT_EQ(Order(false, 2), (UnitOrder{{0, 1}, {2, 3}}));
    EXPECT_EQ(Order(false, 0), (UnitOrder{{0}, {1}, {2}, {3}}));
    m_view.priorities = 2; // three queues, one of them for control
    EXPECT_EQ(Order(false, 7), (UnitOrder{{0, 1}, {2, 3}}));
    EXPECT_EQ(Order(false, 1), (UnitOrder{{0, 1, 2, 3}}));
    EXPECT_EQ(Order(false, 0), (UnitOrder{{0}, {1}, {2}, {3}}));
}

TEST_F(CruxTest, JobsThatSendNothingDisturbNobody)
{
    AddJob(5, 1, {});
    AddJob(5, 1, {MakeFlow(1, {{0}})});
    AddJob(0, 0, {MakeFlow(1, {{0}})}); // moves bytes and computes nothing
    EXPECT_EQ(Order(), (UnitOrder{{1, 0}, {2}}));
    const auto crux = CreatePolicy<NetworkScheduler>("crux");
    EXPECT_EQ(crux->ChoosePaths(m_view), (PathChoice{{}, {0}, {0}}));
}

// Links 4 and 5 are two ways. The most intense job chooses first, then the other one avoids it,
// though both are on link 4 now.
TEST_F(CruxTest, TakesTheLeastCongestedPaths)
{
    const Paths ways = {{0, 4, 2}, {0, 5, 2}};
    const Paths others = {{1, 4, 3}, {1, 5, 3}};
    AddJob(1, 1, {MakeFlow(1, ways)});
    AddJob(2, 1, {MakeFlow(1, others)});
    const auto crux = CreatePolicy<NetworkScheduler>("crux");
    EXPECT_TRUE(crux->ChoosesPaths());
    EXPECT_EQ(crux->ChoosePaths(m_view), (PathChoice{{1}, {0}}));
    crux->SetAttribute("Paths", BooleanValue(false));
    EXPECT_FALSE(crux->ChoosesPaths());
}

// The two flows of a job avoid each other, too, and a fast link takes more of them.
TEST(LeastCongestedPaths, CountRatesAndTheFlowItself)
{
    const std::vector<double> rates = {4, 4, 4, 1};
    const FlowView flow = MakeFlow(1, {{0, 3}, {0, 2}});
    LinkLoads loads(rates);
    // A flow of 1 byte per 2 s loads the slow link 3 by 1/2, the fast ones by 1/8. Three flows
    // take the fast way: 3/8 on it is less than 1/2 on the other; then 4/8 is no less, but the
    // sum of loads (1/2 + 1/2 against 4/8 + 4/8) is equal, so the first way is taken.
    EXPECT_EQ(loads.Add({flow, flow, flow, flow}, 2), (std::vector<uint32_t>{1, 1, 1, 0}));
    EXPECT_DOUBLE_EQ(loads.Get(0), 0.5);
    EXPECT_DOUBLE_EQ(loads.Get(2), 0.375);
    EXPECT_DOUBLE_EQ(loads.Get(3), 0.5);
    EXPECT_DOUBLE_EQ(GetBusiestSeconds({flow, flow, flow, flow}, {1, 1, 1, 0}, rates), 1);
    EXPECT_DOUBLE_EQ(GetBusiestSeconds({flow, flow, flow, flow}, {1, 1, 1, 1}, rates), 1);
    EXPECT_DOUBLE_EQ(GetBusiestSeconds({flow, flow}, {1, 1}, rates), 0.5);
}

} // namespace
