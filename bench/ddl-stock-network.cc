// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stock-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint16_t BANDS = 8;

/** Strict priorities, each band with the limit and the threshold of our ports. */
TrafficControlHelper
MakePrioHelper()
{
    TrafficControlHelper helper;
    const uint16_t root = helper.SetRootQueueDisc("ns3::PrioQueueDisc",
                                                  "Priomap",
                                                  StringValue("1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0"));
    const auto classes = helper.AddQueueDiscClasses(root, BANDS, "ns3::QueueDiscClass");
    const auto threshold = static_cast<double>(BENCH_ECN_THRESHOLD);
    helper.AddChildQueueDiscs(root,
                              classes,
                              "ns3::RedQueueDisc",
                              "MaxSize",
                              QueueSizeValue({QueueSizeUnit::BYTES, BENCH_LIMIT}),
                              "MinTh",
                              DoubleValue(threshold),
                              "MaxTh",
                              DoubleValue(threshold),
                              "QW",
                              DoubleValue(1.0), // of the length at this moment
                              "UseEcn",
                              BooleanValue(true),
                              "UseHardDrop",
                              BooleanValue(false),
                              "Gentle",
                              BooleanValue(false));
    return helper;
}

Ipv4Address
HostAddress(uint32_t index, uint32_t leaf)
{
    return Ipv4Address((10U << 24) | (index << 16) | (leaf << 8) | 1U);
}

} // namespace

StockNetwork::StockNetwork(const BenchWork& work, const ObjectFactory& queueDisc)
    : m_work(work),
      m_queueDisc(queueDisc),
      m_hosts(work.GetHosts()),
      m_leaves(work.leaves),
      m_spines(work.spines)
{
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    internet.SetRoutingHelper(Ipv4StaticRoutingHelper());
    internet.Install(m_hosts);
    internet.Install(m_leaves);
    internet.Install(m_spines);
    for (uint32_t host = 0; host < work.GetHosts(); ++host)
    {
        Connect(m_hosts.Get(host), m_leaves.Get(host / work.hostsPerLeaf));
    }
    for (uint32_t leaf = 0; leaf < work.leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < work.spines; ++spine)
        {
            Connect(m_leaves.Get(leaf), m_spines.Get(spine));
        }
    }
    AddRoutes();
}

void
StockNetwork::Connect(Ptr<Node> a, Ptr<Node> b)
{
    PointToPointHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(m_work.rate));
    helper.SetDeviceAttribute("Mtu", UintegerValue(m_work.mtu));
    helper.SetChannelAttribute("Delay", TimeValue(m_work.delay));
    helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    const auto devices = helper.Install(a, b);
    for (uint32_t end = 0; end < devices.GetN(); ++end)
    {
        InstallQueueDisc(devices.Get(end));
        AddInterface(devices.Get(end));
    }
}

void
StockNetwork::InstallQueueDisc(Ptr<NetDevice> device)
{
    if (!m_queueDisc.IsTypeIdSet())
    {
        m_discs.Add(MakePrioHelper().Install(device));
        return;
    }
    const auto disc = m_queueDisc.Create<QueueDisc>();
    device->GetNode()->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(device, disc);
    m_discs.Add(disc);
}

void
StockNetwork::AddInterface(Ptr<NetDevice> device)
{
    const auto node = device->GetNode();
    const auto ipv4 = node->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    Ipv4Address address((172U << 24) + ++m_switchAddresses);
    for (uint32_t host = 0; host < m_hosts.GetN(); ++host)
    {
        address = m_hosts.Get(host) == node ? GetAddress(HostId{host}) : address;
    }
    // A mask of all ones adds no route of its own.
    ipv4->AddAddress(interface, {address, Ipv4Mask::GetOnes()});
    ipv4->SetUp(interface);
}

void
StockNetwork::AddRoutes()
{
    Ipv4StaticRoutingHelper helper;
    const auto routing = [&helper](Ptr<Node> node) {
        return helper.GetStaticRouting(node->GetObject<Ipv4>());
    };
    // Interfaces count from 1, in the order of Connect; 0 is the loopback.
    for (uint32_t host = 0; host < m_hosts.GetN(); ++host)
    {
        routing(m_hosts.Get(host))->SetDefaultRoute(Ipv4Address::GetAny(), 1);
    }
    for (uint32_t leaf = 0; leaf < m_work.leaves; ++leaf)
    {
        const auto routes = routing(m_leaves.Get(leaf));
        for (uint32_t i = 0; i < m_work.hostsPerLeaf; ++i)
        {
            const uint32_t up = 1 + m_work.hostsPerLeaf + i % m_work.spines;
            routes->AddHostRouteTo(HostAddress(i, leaf), 1 + i);
            routes->AddNetworkRouteTo(HostAddress(i, 0).CombineMask("255.255.0.0"),
                                      "255.255.0.0",
                                      up);
        }
    }
    for (uint32_t spine = 0; spine < m_work.spines; ++spine)
    {
        const auto routes = routing(m_spines.Get(spine));
        for (uint32_t leaf = 0; leaf < m_work.leaves; ++leaf)
        {
            routes->AddNetworkRouteTo(Ipv4Address(leaf << 8), "0.0.255.0", 1 + leaf);
        }
    }
}

Ptr<Node>
StockNetwork::GetHost(HostId host) const
{
    return m_hosts.Get(host.value);
}

Ipv4Address
StockNetwork::GetAddress(HostId host) const
{
    return HostAddress(host.value % m_work.hostsPerLeaf, host.value / m_work.hostsPerLeaf);
}

StockNetwork::Sent
StockNetwork::CountSent() const
{
    Sent sent;
    for (auto disc = m_discs.Begin(); disc != m_discs.End(); ++disc)
    {
        const auto& stats = (*disc)->GetStats();
        sent.packets += stats.nTotalSentPackets;
        sent.bytes += stats.nTotalSentBytes;
        sent.drops += stats.nTotalDroppedPackets;
    }
    return sent;
}

} // namespace ddl
} // namespace ns3
