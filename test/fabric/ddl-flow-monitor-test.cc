// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class FlowMonitorAgreement : public FabricTest
{
};

TEST_F(FlowMonitorAgreement, StockApplicationsAndMonitorSeeWhatPortsCount)
{
    // Stock OnOff sources at three hosts of leaf 0, 8 Gbps each, to one host at leaf 1: the first
    // link that they share drops. FlowMonitor counts IPv4 packets, as our ports do.
    TopologySpec topology;
    topology.shape.Set("Spines", UintegerValue(4));
    PortSpec ports;
    ports.limit = 50000;
    Build(topology, ports);
    NodeContainer hosts;
    for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
    {
        hosts.Add(m_fabric->GetHost(HostId{host}));
    }
    const InetSocketAddress to(m_fabric->GetAddress(HostId{7}), 9);
    OnOffHelper source("ns3::UdpSocketFactory", to);
    source.SetConstantRate(DataRate("8Gbps"), 1400);
    for (uint32_t from = 0; from < 3; ++from)
    {
        auto apps = source.Install(hosts.Get(from));
        apps.Start(MicroSeconds(10 + from));
        apps.Stop(MilliSeconds(2));
    }
    PacketSinkHelper("ns3::UdpSocketFactory", to).Install(hosts.Get(7));
    FlowMonitorHelper helper;
    auto monitor = helper.Install(hosts);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    ASSERT_EQ(monitor->GetFlowStats().size(), 3U);
    auto classifier = DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier());
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t lost = 0;
    for (const auto& flow : monitor->GetFlowStats())
    {
        const HostId from = m_fabric->GetHostIndex(classifier->FindFlow(flow.first).sourceAddress);
        const QueueCounters& nic = m_fabric->GetHostPort(from)->GetCounters(7);
        EXPECT_EQ(flow.second.txPackets, nic.packets);
        EXPECT_EQ(flow.second.txBytes, nic.bytes);
        EXPECT_EQ(flow.second.timesForwarded, 0U);
        packets += flow.second.rxPackets;
        bytes += flow.second.rxBytes;
        lost += flow.second.txPackets - flow.second.rxPackets;
    }
    uint64_t dropped = 0;
    for (const auto& named : m_fabric->GetPorts())
    {
        dropped += named.device->GetCounters(7).dropped;
    }
    const QueueCounters& last = GetPort("leaf1", "h7")->GetCounters(7);
    EXPECT_EQ(packets, last.packets);
    EXPECT_EQ(bytes, last.bytes);
    EXPECT_EQ(lost, dropped);
    EXPECT_GT(lost, 100U);
    EXPECT_GT(packets, 1000U);
}

} // namespace
