// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"

#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class TopologyTest : public FabricTest
{
  protected:
    void ExpectRefused(const TopologySpec& topology,
                       const PortSpec& ports = PortSpec(),
                       const HostSpec& hosts = HostSpec())
    {
        EXPECT_THROW(BuildTopology(topology, ports, hosts), InputError);
        Simulator::Destroy();
    }
};

TEST_F(TopologyTest, LeafSpineHasItsNamesAndCounts)
{
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(3));
    spec.shape.Set("HostsPerLeaf", StringValue("2"));
    spec.shape.Set("Spines", UintegerValue(2));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetHosts(), 6U);
    EXPECT_EQ(m_fabric->GetSwitches(), 5U);
    EXPECT_EQ(m_fabric->GetLinks(), 6U + 3 * 2);
    EXPECT_EQ(m_fabric->GetName(m_fabric->GetHost(HostId{5})), "h5");
    EXPECT_EQ(m_fabric->GetName(GetPort("h5", "leaf2")->GetPeer()->GetNode()), "leaf2");
    const auto ports = m_fabric->GetPorts();
    ASSERT_EQ(ports.size(), 2U * 12);
    EXPECT_EQ(ports[0].node, "h0");
    EXPECT_EQ(ports[0].peer, "leaf0");
    EXPECT_EQ(ports[6].node, "leaf0");
    EXPECT_EQ(ports[6].port, 0U);
    EXPECT_EQ(ports[6].peer, "h0");
    EXPECT_EQ(ports[8].peer, "spine0");
    EXPECT_EQ(ports[9].peer, "spine1");
    EXPECT_EQ(ports[23].node, "spine1");
    EXPECT_EQ(ports[23].peer, "leaf2");
}

TEST_F(TopologyTest, AddressesAreHostIndices)
{
    TopologySpec spec;
    spec.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    spec.shape.Set("Hosts", UintegerValue(300));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(m_fabric->GetAddress(HostId{0}), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(m_fabric->GetAddress(HostId{299}), Ipv4Address("10.0.1.44")); // 300 = 256 + 44
    EXPECT_EQ(m_fabric->GetHostIndex("10.0.1.44"), HostId{299});
    EXPECT_THROW(m_fabric->GetHostIndex("10.0.1.45"), InputError);
    EXPECT_THROW(m_fabric->GetHostIndex("9.255.255.255"), InputError);
}

TEST_F(TopologyTest, SpecsReachThePorts)
{
    TopologySpec topology;
    topology.mtu = 9000;
    topology.hostRate = DataRate("25Gbps");
    topology.shape.Set("FabricRate", DataRateValue(DataRate("100Gbps")));
    PortSpec ports;
    ports.queues = 4;
    ports.service = "mixed";
    ports.weights = {1, 1, 2, 4};
    HostSpec hosts;
    hosts.bands = 3;
    m_fabric = BuildTopology(topology, ports, hosts);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetQueues(), 4U);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetMtu(), 9000);
    EXPECT_EQ(GetPort("leaf0", "h0")->GetDataRate(), DataRate("25Gbps"));
    EXPECT_EQ(GetPort("spine1", "leaf1")->GetDataRate(), DataRate("100Gbps"));
    EXPECT_EQ(GetPort("h7", "leaf1")->GetQueues(), 3U);
}

TEST_F(TopologyTest, LargeFabricsAreRoutedFast)
{
    // 1024 hosts, 32 leaves, 16 spines: each leaf knows a way to each host, over all spines.
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(32));
    spec.shape.Set("HostsPerLeaf", StringValue("32"));
    spec.shape.Set("Spines", UintegerValue(16));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    std::set<Ptr<Port>> up;
    for (uint32_t host = 32; host < 1024; ++host)
    {
        up.insert(m_fabric->GetSwitch(0)->GetRoute(host, host * 2654435761U));
    }
    EXPECT_EQ(up.size(), 16U);
    EXPECT_EQ(up.count(nullptr), 0U);
}

TEST_F(TopologyTest, RacksMayDiffer)
{
    TopologySpec spec;
    spec.shape.Set("Leaves", UintegerValue(3));
    spec.shape.Set("HostsPerLeaf", StringValue("1,3,2"));
    m_fabric = BuildTopology(spec, PortSpec(), HostSpec());
    EXPECT_EQ(CountHosts(spec), 6U); // 1 + 3 + 2
    EXPECT_EQ(GetPort("h0", "leaf0")->GetPeer()->GetNode(), m_fabric->GetSwitch(0));
    EXPECT_EQ(GetPort("h3", "leaf1")->GetPeer()->GetNode(), m_fabric->GetSwitch(1));
    EXPECT_EQ(GetPort("h5", "leaf2")->GetPeer()->GetNode(), m_fabric->GetSwitch(2));
}

TEST_F(TopologyTest, WrongInputsAreRefused)
{
    TopologySpec spec;
    spec.shape.Set("HostsPerLeaf", StringValue("8,8,7")); // three numbers for two leaves
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.shape.Set("Leaves", UintegerValue(4096));
    spec.shape.Set("HostsPerLeaf", StringValue("17")); // 69632 hosts
    ExpectRefused(spec);
    for (const char* count : {"Leaves", "Spines", "Parallel"})
    {
        TypeId::AttributeInformation info;
        ASSERT_TRUE(spec.shape.GetTypeId().LookupAttributeByName(count, &info));
        EXPECT_FALSE(info.checker->Check(UintegerValue(0))) << count;
    }
    spec = TopologySpec();
    spec.hostRate = DataRate(0);
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.shape.Set("FabricRate", DataRateValue(DataRate(0)));
    ExpectRefused(spec);
    spec = TopologySpec();
    spec.delay = NanoSeconds(-1);
    ExpectRefused(spec);
    for (const uint32_t mtu : {0U, 575U, 9001U, 65536U + 1500U})
    {
        spec = TopologySpec();
        spec.mtu = mtu;
        ExpectRefused(spec);
    }
}

TEST_F(TopologyTest, WrongPortsAreRefused)
{
    PortSpec ports;
    ports.queues = 64;
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.service = "fifo";
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.weights = {1};
    ExpectRefused(TopologySpec(), ports);
    ports.service = "wrr";
    ExpectRefused(TopologySpec(), ports); // one weight for eight queues
    ports = PortSpec();
    ports.sharedBuffer = 1000;
    ports.alpha = 0;
    ExpectRefused(TopologySpec(), ports);
    ports = PortSpec();
    ports.dscpToQueue = {{46, 8}};
    ExpectRefused(TopologySpec(), ports);
    HostSpec hosts;
    hosts.bands = 0;
    ExpectRefused(TopologySpec(), PortSpec(), hosts);
}

TEST_F(TopologyTest, AHostHasOneLinkAndNamesAreUnique)
{
    m_fabric = CreateObject<Fabric>();
    auto leaf = m_fabric->AddSwitch("leaf0");
    EXPECT_THROW(m_fabric->AddSwitch("leaf0"), InputError);
    EXPECT_THROW(m_fabric->AddSwitch(""), InputError);
    auto host = m_fabric->AddHost();
    EXPECT_THROW(m_fabric->InstallStack(), InputError); // no link yet
    m_fabric->Connect(host, leaf, DataRate("1Gbps"), Seconds(0));
    EXPECT_THROW(m_fabric->Connect(host, leaf, DataRate("1Gbps"), Seconds(0)), InputError);
    EXPECT_THROW(m_fabric->Connect(leaf, CreateObject<Node>(), DataRate("1Gbps"), Seconds(0)),
                 InputError);
}

} // namespace
