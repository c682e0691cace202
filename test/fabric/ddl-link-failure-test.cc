// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <optional>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class LinkFailure : public FabricTest
{
  protected:
    uint64_t CountDrops() const
    {
        uint64_t drops = 0;
        for (const auto& named : m_fabric->GetPorts())
        {
            for (uint32_t queue = 0; queue < named.device->GetQueues(); ++queue)
            {
                drops += named.device->GetCounters(queue).dropped;
            }
        }
        for (uint32_t i = 0; i < m_fabric->GetSwitches(); ++i)
        {
            drops += m_fabric->GetSwitch(i)->GetDrops().Get(DropReason::NO_ROUTE).packets;
        }
        return drops;
    }

    void SetLinkUp(bool up)
    {
        m_fabric->SetLinkUp("h0", "switch0", up);
    }

    uint64_t Sent(const std::string& node, const std::string& peer)
    {
        return GetPort(node, peer)->GetCounters(7).packets;
    }
};

TEST_F(LinkFailure, FlowGoesOnByTheOtherSpineAndComesBack)
{
    // One datagram a microsecond for 3 ms. Its spine is cut off from 1 to 2 ms.
    Build(TopologySpec());
    Listen(7);
    Datagrams flow;
    flow.to = 7;
    flow.count = 3000;
    flow.gap = MicroSeconds(1);
    Send(flow);
    std::string used;
    std::string other;
    Simulator::Schedule(MilliSeconds(1), [&] {
        used = Sent("leaf0", "spine0") > 0 ? "spine0" : "spine1";
        other = used == "spine0" ? "spine1" : "spine0";
        EXPECT_EQ(Sent("leaf0", other), 0U);
        m_fabric->SetLinkUp("leaf0", used, false);
        EXPECT_FALSE(GetPort(used, "leaf0")->IsLinkUp());
        m_fabric->ScheduleLinkUp(MilliSeconds(1), used, "leaf0", true);
    });
    Simulator::Run();
    // In flight at the cut were the packet on the wire of 1 us and no more than two beside it.
    const uint64_t drops = CountDrops();
    EXPECT_GE(drops, 1U);
    EXPECT_LE(drops, 3U);
    EXPECT_EQ(GetPort("leaf0", used)->GetCounters(7).lost, drops);
    EXPECT_EQ(m_received.size() + drops, 3000U);
    EXPECT_NEAR(static_cast<double>(Sent("leaf0", other)), 1000, 5);
    EXPECT_NEAR(static_cast<double>(Sent("leaf0", used)), 2000, 5);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST_F(LinkFailure, RemoteFailureIsRoutedAround)
{
    // spine0 cannot reach leaf1 any more: leaf0 must not send there for hosts of leaf1.
    Build(TopologySpec());
    m_fabric->SetLinkUp("spine0", "leaf1", false);
    for (uint32_t hash = 0; hash < 1000; ++hash)
    {
        EXPECT_EQ(m_fabric->GetSwitch(0)->GetRoute(7, hash * 7919), GetPort("leaf0", "spine1"));
    }
    m_fabric->SetLinkUp("spine1", "leaf1", false);
    EXPECT_EQ(m_fabric->GetSwitch(0)->GetRoute(7, 1), nullptr);
    m_fabric->SetLinkUp("spine1", "leaf1", true);
    EXPECT_EQ(m_fabric->GetSwitch(0)->GetRoute(7, 1), GetPort("leaf0", "spine1"));
}

TEST_F(LinkFailure, OneOfParallelLinksCanFall)
{
    TopologySpec topology;
    topology.shape.Set("Spines", UintegerValue(1));
    topology.shape.Set("Parallel", UintegerValue(2));
    Build(topology);
    EXPECT_EQ(m_fabric->GetLinks(), 8U + 4U);
    m_fabric->SetLinkUp(8, false); // behind the host links: leaf0 to spine0, the first
    for (uint32_t hash = 0; hash < 1000; ++hash)
    {
        EXPECT_EQ(m_fabric->GetSwitch(0)->GetRoute(7, hash * 7919), GetPort("leaf0", "spine0", 1));
    }
}

TEST_F(LinkFailure, WhatWaitsIsDroppedAndCounted)
{
    // 1000 packets of 1038 bytes at 10 Gbps need 830 us; at 400 us the last link falls.
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::DumbbellTopology");
    topology.shape.Set("BottleneckRate", DataRateValue(DataRate("1Gbps")));
    Build(topology);
    Listen(3);
    Datagrams flow;
    flow.to = 3;
    flow.count = 1000;
    Send(flow);
    m_fabric->ScheduleLinkUp(MicroSeconds(400), "switch0", "switch1", false);
    Simulator::Run();
    const QueueCounters& counters = GetPort("switch0", "switch1")->GetCounters(7);
    EXPECT_GT(counters.dropped, 400U); // about 480 came, 48 left
    EXPECT_GE(counters.lost, 1U);
    EXPECT_LT(counters.lost, 3U);
    EXPECT_GT(m_fabric->GetSwitch(0)->GetDrops().Get(DropReason::NO_ROUTE).packets, 400U);
    EXPECT_EQ(m_received.size() + CountDrops(), 1000U);
    EXPECT_EQ(counters.packets, m_received.size() + counters.lost);
    EXPECT_EQ(GetPort("switch0", "switch1")->GetBacklog(7), 0U);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST_F(LinkFailure, AHostCutOffSendsAndReceivesAgainAfterwards)
{
    Build(TopologySpec());
    Listen(7);
    Datagrams flow;
    flow.to = 7;
    flow.count = 30;
    flow.gap = MicroSeconds(100);
    Send(flow);
    uint32_t changes = 0;
    GetPort("h0", "leaf0")->AddLinkChangeCallback(Callback<void>([&changes] { ++changes; }));
    m_fabric->ScheduleLinkUp(MicroSeconds(1000), "h0", "leaf0", false);
    m_fabric->ScheduleLinkUp(MicroSeconds(2000), "h0", "leaf0", true);
    Simulator::Run();
    // Sent at 1, 101, ... us: the ten from 1001 to 1901 us are dropped at the NIC.
    EXPECT_EQ(m_received.size(), 20U);
    EXPECT_EQ(GetPort("h0", "leaf0")->GetCounters(7).dropped, 10U);
    EXPECT_EQ(changes, 2U);
}

TEST_F(LinkFailure, FlappingInOnePacketTimeLosesOnlyWhatWasThere)
{
    // Packets of 1 us or so at 1 Gbps are 8.3 us long: down and up again within one of them.
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    topology.hostRate = DataRate("1Gbps");
    Build(topology);
    Listen(1);
    Datagrams flow;
    flow.count = 10;
    Send(flow);
    m_fabric->ScheduleLinkUp(MicroSeconds(3), "h0", "switch0", false);
    m_fabric->ScheduleLinkUp(MicroSeconds(4), "h0", "switch0", true);
    flow.start = MicroSeconds(5);
    flow.fromPort = 1001;
    Send(flow);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 10U);
    EXPECT_EQ(GetPort("h0", "switch0")->GetCounters(7).dropped, 10U);
    EXPECT_EQ(GetPort("h0", "switch0")->GetCounters(7).lost, 1U);
}

TEST_F(LinkFailure, ASinkOfPausesMayBringDownTheLinkOnWhichAPacketBegins)
{
    // h0 and h2 send twice what h1's link takes. A packet that begins to go to h1 ends a pause of
    // h0, and whoever hears of that cuts h1's link: the packet must not get there.
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    topology.shape.Set("Hosts", UintegerValue(3));
    PortSpec ports;
    ports.pfc = true;
    m_fabric = BuildTopology(topology, ports, HostSpec());
    m_fabric->InstallStack();
    Datagrams flow;
    flow.count = 400;
    Send(flow);
    flow.from = 2;
    Send(flow);
    std::optional<uint64_t> received;
    const auto cut = [this, &received](uint32_t, bool paused) {
        if (!paused && !received)
        {
            received = GetPort("h1", "switch0")->GetReceived().packets;
            m_fabric->SetLinkUp("h1", "switch0", false);
        }
    };
    GetPort("switch0", "h0")
        ->TraceConnectWithoutContext("Pause", Callback<void, uint32_t, bool>(cut));
    Simulator::Run();
    ASSERT_TRUE(received);
    EXPECT_GT(*received, 0U);
    EXPECT_EQ(GetPort("h1", "switch0")->GetReceived().packets, *received);
    EXPECT_GE(GetPort("switch0", "h1")->GetDrops().Get(DropReason::ON_WIRE).packets, 1U);
}

TEST_F(LinkFailure, APauseThatWasOnItsWayIsVoidWhenTheLinkIsUpAgain)
{
    // h0 and h2 send twice what h1's link takes: the switch pauses them. The pause of h0 takes 50
    // us to get there; 1 us after it left, its link is down for 1 us.
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    topology.shape.Set("Hosts", UintegerValue(3));
    topology.delay = MicroSeconds(50);
    PortSpec ports;
    ports.pfc = true;
    m_fabric = BuildTopology(topology, ports, HostSpec());
    m_fabric->InstallStack();
    Listen(1);
    Datagrams flow;
    flow.count = 400;
    Send(flow);
    flow.from = 2;
    Send(flow);
    bool flapped = false;
    const auto flap = [this, &flapped](uint32_t, bool paused) {
        if (paused && !flapped)
        {
            flapped = true;
            Simulator::Schedule(MicroSeconds(1), [this] { SetLinkUp(false); });
            Simulator::Schedule(MicroSeconds(2), [this] { SetLinkUp(true); });
        }
    };
    GetPort("switch0", "h0")
        ->TraceConnectWithoutContext("Pause", Callback<void, uint32_t, bool>(flap));
    flow.from = 0;
    flow.fromPort = 1001;
    flow.count = 5;
    flow.start = MilliSeconds(10); // all queues are empty again
    Send(flow);
    Simulator::Run();
    EXPECT_TRUE(flapped);
    const auto late = std::count_if(m_received.begin(), m_received.end(), [](const Received& one) {
        return one.fromPort == 1001;
    });
    EXPECT_EQ(late, 5);
}

TEST_F(LinkFailure, WrongLinksAreRefused)
{
    Build(TopologySpec());
    EXPECT_THROW(m_fabric->SetLinkUp("leaf0", "leaf1", false), InputError);
    EXPECT_THROW(m_fabric->SetLinkUp("leaf0", "spine9", false), InputError);
    EXPECT_THROW(m_fabric->SetLinkUp(12, false), InputError);
    EXPECT_THROW(m_fabric->ScheduleLinkUp(Seconds(1), "h0", "h1", false), InputError);
}

} // namespace
