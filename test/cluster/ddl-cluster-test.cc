// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-cluster.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class ClusterTest : public testing::Test
{
  protected:
    ClusterTest()
    {
        m_node0 = m_fabric->AddHost();
        m_node1 = m_fabric->AddHost();
        m_cluster = CreateObject<Cluster>(m_fabric);
        m_cluster->AddMachine(HostId{1}, 1, FindGpuType("T4"));
        m_cluster->AddMachine(HostId{0}, 2, FindGpuType("V100"));
    }

    ~ClusterTest() override
    {
        Simulator::Destroy();
    }

    static GpuId G(uint32_t host, uint32_t index)
    {
        return {HostId{host}, index};
    }

    Ptr<Fabric> m_fabric{CreateObject<Fabric>()};
    Ptr<Node> m_node0;
    Ptr<Node> m_node1;
    Ptr<Cluster> m_cluster;
};

using ClusterDeathTest = ClusterTest;

} // namespace

TEST_F(ClusterTest, MachinesAreTheFabricsHostsInOrder)
{
    EXPECT_EQ(m_cluster->GetHosts(), (std::vector<HostId>{{0}, {1}}));
    EXPECT_EQ(m_cluster->GetNode(HostId{0}), m_node0);
    EXPECT_EQ(m_cluster->GetNode(HostId{1}), m_node1);
    EXPECT_EQ(m_cluster->GetGpuCount(), 3U);
    EXPECT_EQ(m_cluster->GetMachine(HostId{1})->GetGpuType().name, "T4");
    EXPECT_EQ(m_cluster->GetGpu(G(0, 1))->GetId(), G(0, 1));
}

TEST_F(ClusterTest, ViewTellsWhatIsHeldAndServed)
{
    m_cluster->Claim({G(0, 1)}, JobId{7});
    m_cluster->AddServer(HostId{1});
    m_cluster->AddServer(HostId{1});
    m_cluster->RemoveServer(HostId{1});
    const ClusterView view = m_cluster->GetView();
    ASSERT_EQ(view.machines.size(), 2U);
    ASSERT_EQ(view.machines[0].gpus.size(), 2U);
    EXPECT_TRUE(view.machines[0].gpus[0].free);
    EXPECT_FALSE(view.machines[0].gpus[1].free);
    EXPECT_EQ(view.machines[0].servers, 0U);
    EXPECT_EQ(view.machines[1].servers, 1U);
    EXPECT_TRUE(view.machines[1].gpus[0].free);
}

TEST_F(ClusterTest, AGpuCanBeClaimedAgainWhenReleased)
{
    m_cluster->Claim({G(0, 0), G(1, 0)}, JobId{1});
    m_cluster->Claim({G(0, 0)}, JobId{1}); // its own: no effect
    m_cluster->Release({G(0, 0)}, JobId{1});
    m_cluster->Release({G(0, 0)}, JobId{1}); // free: no effect
    m_cluster->Claim({G(0, 0)}, JobId{2});
    EXPECT_EQ(m_cluster->GetMachine(HostId{0})->GetHolder(0), JobId{2});
    EXPECT_EQ(m_cluster->GetMachine(HostId{1})->GetHolder(0), JobId{1});
}

TEST_F(ClusterTest, BusyTimeIsSummedOverGpus)
{
    m_cluster->GetGpu(G(0, 0))->Submit(Seconds(2), Callback<void>());
    m_cluster->GetGpu(G(1, 0))->Submit(Seconds(3), Callback<void>());
    Simulator::Run();
    EXPECT_EQ(m_cluster->GetBusyTime(), Seconds(5));
}

TEST_F(ClusterDeathTest, AHostWithoutALinkHasNoRate)
{
    EXPECT_DEATH(m_cluster->GetRate(HostId{1}), "host 1 has no link");
}

TEST_F(ClusterDeathTest, ErrorsOfTheCallerEndTheProgram)
{
    m_cluster->Claim({G(0, 0)}, JobId{1});
    EXPECT_DEATH(m_cluster->Claim({G(0, 0)}, JobId{2}), "which job 1 holds");
    EXPECT_DEATH(m_cluster->Release({G(0, 0)}, JobId{2}), "which job 1 holds");
    EXPECT_DEATH(m_cluster->GetGpu(G(0, 2)), "no GPU 2");
    EXPECT_DEATH(m_cluster->GetNode(HostId{9}), "no machine");
    EXPECT_DEATH(m_cluster->RemoveServer(HostId{0}), "no server");
    EXPECT_DEATH(m_cluster->AddMachine(HostId{0}, 1, {}), "a machine already");
    EXPECT_DEATH(CreateObject<Cluster>(Ptr<Fabric>())->AddMachine(HostId{0}, 1, {}),
                 "needs a fabric");
}

TEST(ClusterClock, SchedulesAndCancels)
{
    uint32_t calls = 0;
    ClusterClock::Schedule(Seconds(2), [&calls]() {
        EXPECT_EQ(ClusterClock::Now(), Seconds(2));
        ++calls;
    });
    const EventId never = ClusterClock::Schedule(Seconds(3), [&calls]() { calls += 10; });
    ClusterClock::Cancel(never);
    Simulator::Run();
    EXPECT_EQ(calls, 1U);
    Simulator::Destroy();
}
