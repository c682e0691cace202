// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-stock.h"

#include "ns3/application-container.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-disc-container.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

namespace
{

/**
 * The leaf-spine network of a BenchWork out of stock parts, IP stacks and routes included.
 *
 * Host i of leaf l is 10.i.l.1. So a leaf needs one route per host of its own and one per spine
 * (10.i.0.0/16), and a spine needs one per leaf (0.0.l.0, for the hosts that it serves).
 */
class StockNetwork
{
  public:
    /** Counts of all root queue discs. */
    struct Sent
    {
        uint64_t packets{0};
        uint64_t bytes{0}; //!< bytes of IPv4 packets that were sent
        uint64_t drops{0}; //!< number of dropped packets
    };

    /**
     * \param work the work, which describes the network
     * \param queueDisc factory of each device's queue disc; without a TypeId, as StockOptions says
     */
    StockNetwork(const BenchWork& work, const ObjectFactory& queueDisc);

    Ptr<Node> GetHost(HostId host) const;      //!< \return node of a machine
    Ipv4Address GetAddress(HostId host) const; //!< \return IPv4 address of a machine
    Sent CountSent() const;                    //!< \return counts since the start

  private:
    void Connect(Ptr<Node> a, Ptr<Node> b);
    void InstallQueueDisc(Ptr<NetDevice> device);
    void AddInterface(Ptr<NetDevice> device);
    void AddRoutes();

    const BenchWork m_work;
    ObjectFactory m_queueDisc;
    NodeContainer m_hosts;
    NodeContainer m_leaves;
    NodeContainer m_spines;
    QueueDiscContainer m_discs;
    uint32_t m_switchAddresses{0};
};

constexpr uint16_t BANDS = 8;

/** \return queue disc of strict priorities; each band has limit and threshold of our ports */
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
                              DoubleValue(1.0), // weight 1: the present queue length decides
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

constexpr uint16_t FIRST_PORT = 10000;
constexpr uint32_t HEADER_BYTES = 40; //!< bytes of IPv4 and TCP headers

/** Set as defaults what TcpTransport sets on its own sockets. */
void
SetTcpDefaults(uint32_t mtu, const std::string& congestionControl)
{
    const uint32_t segment = mtu - HEADER_BYTES;
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(congestionControl)));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TypeId::LookupByName("ns3::TcpClassicRecovery")));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(BENCH_SEND_BUFFER));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(BENCH_RECEIVE_BUFFER));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(5)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(100)));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::BulkSendApplication::SendSize", UintegerValue(segment));
}

/** Counts the bytes of each flow that have arrived; stops the simulator after the last byte. */
class Arrivals
{
  public:
    Arrivals(const BenchWork& work, BenchMeasure& measure)
        : m_work(work),
          m_measure(measure),
          m_left(work.flows.size())
    {
        m_measure.finish.resize(work.flows.size());
        for (const auto& flow : work.flows)
        {
            m_missing.push_back(flow.bytes);
        }
    }

    void Receive(std::size_t flow, Ptr<const Packet> packet, const Address& /* from */)
    {
        m_measure.bytes += packet->GetSize();
        m_missing[flow] -= packet->GetSize();
        if (m_missing[flow] > 0)
        {
            return;
        }
        m_measure.finish[flow] = m_measure.end = Simulator::Now();
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
    }

  private:
    const BenchWork& m_work;
    BenchMeasure& m_measure;
    std::vector<uint64_t> m_missing;
    std::size_t m_left; //!< number of flows that go on
};

void
StartFlow(const StockNetwork& network, const BenchWork& work, std::size_t i, Arrivals& arrivals)
{
    const auto& flow = work.flows[i];
    const auto port = static_cast<uint16_t>(FIRST_PORT + i);
    const InetSocketAddress to(network.GetAddress(flow.destination), port);
    auto sinks =
        PacketSinkHelper("ns3::TcpSocketFactory", to).Install(network.GetHost(flow.destination));
    sinks.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&arrivals, i](Ptr<const Packet> packet, const Address& from) {
                arrivals.Receive(i, packet, from);
            }));
    BulkSendHelper source("ns3::TcpSocketFactory", to);
    source.SetAttribute("MaxBytes", UintegerValue(flow.bytes));
    source.Install(network.GetHost(flow.source)).Start(flow.start);
}

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

} // namespace

BenchMeasure
RunOnStock(const BenchWork& work, const StockOptions& options)
{
    SetTcpDefaults(work.mtu, options.congestionControl);
    BenchMeasure measure;
    {
        const StockNetwork network(work, options.queueDisc);
        Arrivals arrivals(work, measure);
        for (std::size_t i = 0; i < work.flows.size(); ++i)
        {
            StartFlow(network, work, i, arrivals);
        }
        measure.start = work.flows.front().start;
        RunMeasured(work, measure);
        const auto sent = network.CountSent();
        measure.dataHops = static_cast<double>(sent.bytes - HEADER_BYTES * sent.packets) /
                           (work.mtu - HEADER_BYTES);
        measure.drops = sent.drops;
        Simulator::Destroy();
    }
    Config::Reset();
    return measure;
}

} // namespace ns3::ddl
