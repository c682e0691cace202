// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-placement-policy.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

GpuId
G(uint32_t host, uint32_t index)
{
    return {HostId{host}, index};
}

/** Machines of four GPUs, two a rack, with jobs on some of them. */
class GandivaTest : public testing::Test
{
  protected:
    GandivaTest()
    {
        for (uint32_t host = 0; host < 4; ++host)
        {
            MachineView machine;
            machine.host = HostId{host};
            machine.rack = host / 2;
            for (uint32_t index = 0; index < 4; ++index)
            {
                machine.gpus.push_back({G(host, index), true});
            }
            m_cluster.machines.push_back(machine);
        }
    }

    void Hold(uint32_t job, const std::vector<GpuId>& gpus)
    {
        Occupy(m_cluster, Placement{gpus, {}});
        m_cluster.jobs[JobId{job}] = gpus;
    }

    std::vector<GpuId> Place(uint32_t workers)
    {
        const auto placement = m_policy->Place({m_cluster, workers, 0}).placement;
        return placement ? placement->workers : std::vector<GpuId>();
    }

    /** \return where a job goes that runs on these GPUs, which no other job holds; empty: it stays
     */
    std::vector<GpuId> Improve(const std::vector<GpuId>& present)
    {
        PlacementView view{m_cluster, static_cast<uint32_t>(present.size()), 0};
        view.job.placement.workers = present;
        const auto better = m_policy->Improve(view);
        return better ? better->workers : std::vector<GpuId>();
    }

    ClusterView m_cluster;
    Ptr<PlacementPolicy> m_policy{CreatePolicy<PlacementPolicy>("gandiva")};
};

using Gpus = std::vector<GpuId>;

TEST_F(GandivaTest, FirstAServerOfItsOwnSizeThenAnEmptyOneThenTheOneWithMostRoom)
{
    Hold(1, {G(0, 0)});
    Hold(2, {G(1, 0), G(1, 1)});
    Hold(3, {G(2, 0), G(2, 1), G(2, 2)});
    EXPECT_EQ(Place(1), (Gpus{G(0, 1)}));
    EXPECT_EQ(Place(2), (Gpus{G(1, 2), G(1, 3)}));
    EXPECT_EQ(Place(3), (Gpus{G(3, 0), G(3, 1), G(3, 2)})); // server 2 has no room for three
    Hold(4, {G(3, 0), G(3, 1), G(3, 2)});
    EXPECT_EQ(Place(3), (Gpus{G(0, 1), G(0, 2), G(0, 3)})); // three free there, nobody alike
}

TEST_F(GandivaTest, OfServersOfItsOwnSizeTheFullest)
{
    Hold(1, {G(0, 0)});
    Hold(2, {G(2, 0)});
    Hold(3, {G(2, 1)});
    EXPECT_EQ(Place(1), (Gpus{G(2, 2)}));
    Hold(4, {G(2, 2), G(2, 3)}); // full, and no longer alike
    EXPECT_EQ(Place(1), (Gpus{G(0, 1)}));
}

TEST_F(GandivaTest, ItTakesWhatThereIsWhereNoServerHasRoom)
{
    Hold(1, {G(0, 0), G(0, 1), G(0, 2)});
    Hold(2, {G(1, 0), G(1, 1)});
    Hold(3, {G(2, 0), G(2, 1), G(2, 2), G(2, 3)});
    Hold(4, {G(3, 0), G(3, 1), G(3, 2), G(3, 3)});
    EXPECT_EQ(Place(3), (Gpus{G(1, 2), G(1, 3), G(0, 3)}));
    EXPECT_EQ(Place(4), Gpus());
}

TEST_F(GandivaTest, LargeJobsAreDrawnByLot)
{
    std::set<GpuId> drawn;
    for (int i = 0; i < 40; ++i)
    {
        const auto gpus = Place(5);
        ASSERT_EQ(gpus.size(), 5U);
        drawn.insert(gpus.begin(), gpus.end());
    }
    EXPECT_EQ(drawn.size(), 16U); // one is never drawn with probability (11/16)^40 = 3e-7
    EXPECT_EQ(Place(17), Gpus());
}

TEST_F(GandivaTest, ASpreadJobMovesToAServer)
{
    Hold(1, {G(0, 0), G(0, 1)});
    Hold(2, {G(1, 0), G(1, 1), G(1, 2)});
    Hold(3, {G(2, 0), G(2, 1), G(2, 2), G(2, 3)});
    Hold(4, {G(3, 0), G(3, 1), G(3, 2), G(3, 3)});
    // With its own GPU there, server 0 has room for two; one of two GPUs runs there.
    EXPECT_EQ(Improve({G(0, 2), G(1, 3)}), (Gpus{G(0, 2), G(0, 3)}));
    EXPECT_EQ(Improve({G(0, 2), G(0, 3)}), Gpus());          // it is on a server
    EXPECT_EQ(Improve({G(0, 2), G(0, 3), G(1, 3)}), Gpus()); // no server has room for three
}

TEST_F(GandivaTest, ALargeJobMovesToARack)
{
    Hold(1, {G(0, 0), G(0, 1)});
    Hold(2, {G(3, 0)});
    const Gpus spread{G(0, 2), G(0, 3), G(1, 0), G(2, 0), G(3, 1)};
    // Rack 0 has six free with its own, rack 1 seven: the one with less room, in it the server with
    // most first.
    EXPECT_EQ(Improve(spread), (Gpus{G(1, 0), G(1, 1), G(1, 2), G(1, 3), G(0, 2)}));
    Hold(3, {G(1, 1), G(1, 2), G(1, 3)});
    EXPECT_EQ(Improve(spread), (Gpus{G(2, 0), G(2, 1), G(2, 2), G(2, 3), G(3, 1)}));
    EXPECT_EQ(Improve({G(2, 0), G(2, 1), G(2, 2), G(3, 1), G(3, 2)}), Gpus()); // it is in a rack
}

} // namespace
