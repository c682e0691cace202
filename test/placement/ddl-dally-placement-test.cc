// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/double.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

GpuId
D(uint32_t server, uint32_t gpu)
{
    return {HostId{4 * server + gpu}, 0};
}

using DallyGpus = std::vector<GpuId>;

/** Two racks of three servers of four GPUs, each GPU a host of the fabric. */
class DallyPlacementTest : public testing::Test
{
  protected:
    DallyPlacementTest()
    {
        for (uint32_t host = 0; host < 24; ++host)
        {
            MachineView machine;
            machine.host = HostId{host};
            machine.server = host / 4;
            machine.rack = host / 12;
            machine.gpus.push_back({{HostId{host}, 0}, true});
            m_cluster.machines.push_back(machine);
        }
        for (const char* timer : {"MachineTimer", "RackTimer"})
        {
            Set(timer, TimeValue(Hours(std::string(timer) == "RackTimer" ? 24 : 12)));
        }
    }

    void Set(const std::string& name, const AttributeValue& value)
    {
        m_policy->SetAttribute(name, value);
    }

    /** Only so many GPUs are free on each server: the first ones. */
    void Free(const std::vector<uint32_t>& free)
    {
        for (MachineView& machine : m_cluster.machines)
        {
            machine.gpus[0].free = machine.host.value % 4 < free[machine.server];
        }
    }

    PlacementAnswer Ask(uint32_t workers, double waitedHours = 0, const DallyGpus& last = {})
    {
        PlacementView view{m_cluster, workers};
        view.now = Hours(100);
        view.job.waited = Hours(waitedHours);
        view.job.lastStart = Hours(95);
        view.job.placement.workers = last;
        return m_policy->Place({m_cluster, workers, 0, 0, view.job, view.now, m_waits});
    }

    /** \return GPUs that a job gets; none: it waits */
    DallyGpus Place(uint32_t workers, double waitedHours = 0, const DallyGpus& last = {})
    {
        const auto placement = Ask(workers, waitedHours, last).placement;
        return placement ? placement->workers : DallyGpus();
    }

    ClusterView m_cluster;
    WaitHistory m_waits;
    Ptr<PlacementPolicy> m_policy{CreatePolicy<PlacementPolicy>("dally")};
};

TEST_F(DallyPlacementTest, AServerAtOnceTheOneWithTheLeastRoom)
{
    Free({4, 2, 3, 0, 2, 4});
    EXPECT_EQ(Place(2), (DallyGpus{D(1, 0), D(1, 1)}));
    EXPECT_EQ(Place(3), (DallyGpus{D(2, 0), D(2, 1), D(2, 2)}));
    EXPECT_EQ(Place(4), (DallyGpus{D(0, 0), D(0, 1), D(0, 2), D(0, 3)}));
    Set("BestFit", BooleanValue(false));
    EXPECT_EQ(Place(2), (DallyGpus{D(0, 0), D(0, 1)}));
}

TEST_F(DallyPlacementTest, ThenARackThenAny)
{
    Free({1, 1, 1, 1, 0, 0});
    const PlacementAnswer first = Ask(3);
    EXPECT_FALSE(first.placement);
    EXPECT_TRUE(first.declines);
    EXPECT_EQ(first.askAgain, Hours(100 + 12));
    EXPECT_EQ(first.why, "no server has 3 GPUs with room");
    EXPECT_EQ(Ask(3, 11.5).askAgain, Hours(100 + 0.5));
    EXPECT_EQ(Place(3, 12), (DallyGpus{D(0, 0), D(1, 0), D(2, 0)}));
    EXPECT_EQ(Place(4, 11.5), DallyGpus());
    const PlacementAnswer later = Ask(4, 12);
    EXPECT_EQ(later.askAgain, Hours(100 + 12)); // 24 h in all
    EXPECT_EQ(later.why, "no rack has 4 GPUs with room");
    EXPECT_EQ(Place(4, 24), (DallyGpus{D(0, 0), D(1, 0), D(2, 0), D(3, 0)}));
    EXPECT_FALSE(Ask(5, 24).declines); // there are not so many
}

TEST_F(DallyPlacementTest, LargerThanAServerOrARackIsNoReasonToWait)
{
    Free({3, 1, 1, 3, 3, 0});
    // Five fit in either rack: in rack 1 on two servers, of which the first has most.
    EXPECT_EQ(Place(5), (DallyGpus{D(3, 0), D(3, 1), D(3, 2), D(4, 0), D(4, 1)}));
    EXPECT_EQ(Place(7), DallyGpus());
    EXPECT_EQ(Ask(7).askAgain, Hours(100 + 24));
    Free({4, 4, 4, 1, 0, 1});
    const DallyGpus all = Place(13); // larger than a rack
    ASSERT_EQ(all.size(), 13U);
    EXPECT_EQ(all.back(), D(3, 0));
}

TEST_F(DallyPlacementTest, RanksFollowRacksAndServers)
{
    // The most room first: servers 4, 1 and 0; ranks by rack and server.
    Free({2, 3, 0, 0, 4, 0});
    EXPECT_EQ(Place(9, 24),
              (DallyGpus{D(0, 0),
                         D(0, 1),
                         D(1, 0),
                         D(1, 1),
                         D(1, 2),
                         D(4, 0),
                         D(4, 1),
                         D(4, 2),
                         D(4, 3)}));
}

TEST_F(DallyPlacementTest, ItsOwnGpusIfTheyAreAsNear)
{
    Free({4, 4, 4, 4, 4, 4});
    EXPECT_EQ(Place(2, 0, {D(5, 2), D(5, 3)}), (DallyGpus{D(5, 2), D(5, 3)}));
    EXPECT_EQ(Place(2, 0, {D(4, 0), D(5, 3)}), (DallyGpus{D(0, 0), D(0, 1)})); // nearer together
    const DallyGpus eight{D(3, 0), D(3, 1), D(3, 2), D(3, 3), D(5, 0), D(5, 1), D(5, 2), D(5, 3)};
    EXPECT_EQ(Place(8, 0, eight), eight);
    // Free again, but no longer needed: the job was on three servers and fits two.
    const DallyGpus six{D(3, 0), D(3, 1), D(4, 0), D(4, 1), D(5, 0), D(5, 1)};
    EXPECT_EQ(Place(6, 0, six), (DallyGpus{D(0, 0), D(0, 1), D(0, 2), D(0, 3), D(1, 0), D(1, 1)}));
}

TEST_F(DallyPlacementTest, AnOldRackIsDeclinedUnlessItKeepsItsPlace)
{
    Free({1, 1, 0, 0, 0, 0});
    const DallyGpus last{D(0, 0), D(1, 0)};
    EXPECT_EQ(Ask(2, 0, last).askAgain, Hours(100 + 12));
    Set("KeepPlace", BooleanValue(true));
    EXPECT_EQ(Place(2, 0, last), last);
    Free({1, 1, 0, 0, 2, 0});
    EXPECT_EQ(Place(2, 0, last), (DallyGpus{D(4, 0), D(4, 1)})); // a server has room
}

TEST_F(DallyPlacementTest, FullyConsolidatedItWaitsForEver)
{
    Set("Consolidated", BooleanValue(true));
    Free({1, 1, 1, 1, 0, 0});
    const PlacementAnswer answer = Ask(3, 1e5);
    EXPECT_FALSE(answer.placement);
    EXPECT_TRUE(answer.declines);
    EXPECT_FALSE(answer.askAgain);
    Free({4, 3, 1, 0, 0, 0});
    EXPECT_EQ(Place(5, 0).size(), 5U); // too large for a server: a rack
}

TEST_F(DallyPlacementTest, WhenAWaitBegins)
{
    Free({1, 1, 0, 0, 0, 0});
    EXPECT_EQ(Ask(2, 2).askAgain, Hours(100 + 10));
    Set("SinceStart", BooleanValue(true)); // at 95 h
    EXPECT_EQ(Ask(2, 2).askAgain, Hours(100 + 12 - 5));
}

TEST_F(DallyPlacementTest, TimersAreTunedByTheHistoryOfTheWholeCluster)
{
    Set("History", TimeValue(Hours(48))); // 24 h for two racks
    Free({1, 1, 0, 0, 0, 0});
    m_waits.Add(Tier::SERVER, 2, {Hours(75), Hours(1000)}); // 25 h old
    m_waits.Add(Tier::SERVER, 2, {Hours(90), Hours(6)});
    EXPECT_EQ(Ask(2, 2).askAgain, Hours(100 + 4));
    // The rack timer is that of a rack's waits; it may be the shorter one, then racks are skipped.
    m_waits.Add(Tier::RACK, 2, {Hours(95), Hours(3)});
    EXPECT_EQ(Ask(2, 4).askAgain, Hours(100 + 2));
    EXPECT_EQ(Place(2, 6), (DallyGpus{D(0, 0), D(1, 0)}));
    Free({1, 0, 0, 0, 1, 0});
    EXPECT_EQ(Place(2, 6), (DallyGpus{D(0, 0), D(4, 0)}));
    Set("OrderedTimers", BooleanValue(true));
    EXPECT_EQ(Ask(2, 5).askAgain, Hours(100 + 1));
    Set("Tuned", BooleanValue(false));
    EXPECT_EQ(Ask(2, 6).askAgain, Hours(100 + 6));
}

} // namespace
