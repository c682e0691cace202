// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint16_t PORT = 9;

/** Sends datagrams of given payload sizes at one instant, and notes when each arrives. */
class DatagramTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Start(Ptr<Fabric> fabric, uint32_t from, uint32_t to, std::vector<uint32_t> payloads)
    {
        auto sink =
            Socket::CreateSocket(fabric->GetHost(HostId{to}), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink->SetRecvCallback(MakeCallback(&DatagramTest::Note, this));
        auto source =
            Socket::CreateSocket(fabric->GetHost(HostId{from}), UdpSocketFactory::GetTypeId());
        const InetSocketAddress destination(fabric->GetAddress(HostId{to}), PORT);
        Simulator::Schedule(MicroSeconds(10), [source, destination, payloads] {
            for (const uint32_t bytes : payloads)
            {
                EXPECT_EQ(source->SendTo(Create<Packet>(bytes), 0, destination),
                          static_cast<int>(bytes));
            }
        });
        m_sockets = {sink, source};
    }

    void Note(Ptr<Socket> sink)
    {
        while (auto packet = sink->Recv())
        {
            m_bytes.push_back(packet->GetSize());
            m_times.push_back((Simulator::Now() - MicroSeconds(10)).GetNanoSeconds());
        }
    }

    std::vector<Ptr<Socket>> m_sockets;
    std::vector<uint32_t> m_bytes;
    std::vector<int64_t> m_times;
};

TEST_F(DatagramTest, StoreAndForwardLatencyIsExact)
{
    // 934 bytes of payload + 8 UDP + 20 IPv4 + 38 framing = 1000 bytes = 800 ns at 10 Gbps.
    // Two links of 1 us: 2 * (800 + 1000) = 3600 ns; the next packet comes 800 ns behind.
    TopologySpec spec;
    spec.kind = "single-switch";
    auto fabric = BuildTopology(spec, PortSpec(), HostSpec());
    fabric->InstallStack();
    Start(fabric, 0, 3, {934, 934});
    Simulator::Run();
    EXPECT_EQ(m_bytes, (std::vector<uint32_t>{934, 934}));
    EXPECT_EQ(m_times, (std::vector<int64_t>{3600, 4400}));
    EXPECT_EQ(fabric->GetFramesInUse(), 0U);
}

TEST_F(DatagramTest, LeafSpineTakesFourLinks)
{
    // Host links 10 Gbps: 800 ns; fabric links 40 Gbps: 200 ns; four links of 1 us:
    // 2 * 800 + 2 * 200 + 4 * 1000 = 6000 ns.
    TopologySpec spec;
    spec.fabricRate = DataRate("40Gbps");
    auto fabric = BuildTopology(spec, PortSpec(), HostSpec());
    fabric->InstallStack();
    Start(fabric, 0, 7, {934});
    Simulator::Run();
    EXPECT_EQ(m_times, (std::vector<int64_t>{6000}));
}

TEST_F(DatagramTest, OwnAddressStaysInside)
{
    TopologySpec spec;
    auto fabric = BuildTopology(spec, PortSpec(), HostSpec());
    fabric->InstallStack();
    Start(fabric, 2, 2, {934});
    Simulator::Run();
    EXPECT_EQ(m_times, (std::vector<int64_t>{0}));
    EXPECT_EQ(fabric->GetPort("h2", "leaf0")->GetCounters(7).packets, 0U);
}

} // namespace
