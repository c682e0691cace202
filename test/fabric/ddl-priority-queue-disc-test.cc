// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-priority-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

Ptr<QueueDiscItem>
MakeItem(uint8_t dscp, uint32_t bytes, uint8_t ecn = 0)
{
    Ipv4Header header;
    header.SetTos(static_cast<uint8_t>((dscp << 2) | ecn));
    return Create<Ipv4QueueDiscItem>(Create<Packet>(bytes - 20), Address(), 0x0800, header);
}

uint8_t
GetTos(Ptr<QueueDiscItem> item)
{
    uint8_t tos = 0;
    item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
    return tos;
}

TEST(PriorityQueueDisc, ReadsTheDscpAndServesStrictly)
{
    auto disc = CreateObject<PriorityQueueDisc>();
    disc->Initialize();
    for (const uint8_t dscp : {0, 3, 1, 48, 3})
    {
        EXPECT_TRUE(disc->Enqueue(MakeItem(dscp, 100)));
    }
    EXPECT_EQ(disc->GetNPackets(), 5U);
    for (const uint8_t dscp : {48, 1, 3, 3, 0})
    {
        EXPECT_EQ(GetTos(disc->Dequeue()) >> 2, dscp);
    }
    EXPECT_FALSE(disc->Dequeue());
    EXPECT_EQ(disc->GetCounters(3).packets, 2U);
}

TEST(PriorityQueueDisc, ServesByWeight)
{
    // Interleaved rounds of weights 1 and 2 of queues 1 and 2: 1 2 2.
    auto disc = CreateObjectWithAttributes<PriorityQueueDisc>("Queues",
                                                              UintegerValue(3),
                                                              "Service",
                                                              StringValue("wrr"),
                                                              "Weights",
                                                              StringValue("1,1,2"));
    disc->Initialize();
    for (uint32_t i = 0; i < 6; ++i)
    {
        disc->Enqueue(MakeItem(1, 1000));
        disc->Enqueue(MakeItem(2, 100));
    }
    for (const uint8_t dscp : {1, 2, 2, 1, 2, 2})
    {
        EXPECT_EQ(GetTos(disc->Dequeue()) >> 2, dscp);
    }
}

TEST(PriorityQueueDisc, MarksAndDropsByBytes)
{
    // Threshold 250, limit 400, packets of 100: the third and fourth are marked, if they can be,
    // the fifth is dropped; queue 2 has its own limit.
    auto disc = CreateObjectWithAttributes<PriorityQueueDisc>("EcnThreshold",
                                                              UintegerValue(250),
                                                              "Limit",
                                                              UintegerValue(400));
    disc->Initialize();
    for (uint32_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(disc->Enqueue(MakeItem(1, 100, i == 3 ? 0 : 2)), i < 4);
    }
    EXPECT_TRUE(disc->Enqueue(MakeItem(2, 100)));
    for (const uint8_t ecn : {2, 2, 3, 0})
    {
        EXPECT_EQ(GetTos(disc->Dequeue()) & 3, ecn);
    }
    EXPECT_EQ(disc->GetCounters(1).marked, 1U);
    EXPECT_EQ(disc->GetCounters(1).dropped, 1U);
    EXPECT_EQ(disc->GetStats().GetNMarkedPackets(PriorityQueueDisc::THRESHOLD_MARK), 1U);
    EXPECT_EQ(disc->GetStats().GetNDroppedPackets(PriorityQueueDisc::LIMIT_EXCEEDED_DROP), 1U);
}

TEST(PriorityQueueDisc, WrongAttributesAreRefused)
{
    auto disc = CreateObject<PriorityQueueDisc>();
    disc->SetAttribute("Service", StringValue("wr"));
    EXPECT_THROW(disc->Initialize(), InputError);
    disc = CreateObject<PriorityQueueDisc>();
    disc->SetAttribute("Weights", StringValue("1,2"));
    EXPECT_THROW(disc->Initialize(), InputError); // strict priority has none
    EXPECT_FALSE(disc->SetAttributeFailSafe("Queues", UintegerValue(9)));
}

/** Two stock nodes on a 1 Gbps PointToPoint link, this queue disc on the sender's device. */
class StockDevice : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_nodes.Create(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
        auto devices = link.Install(m_nodes);
        InternetStackHelper().Install(m_nodes);
        TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::ddl::PriorityQueueDisc", "Limit", UintegerValue(10000000));
        m_disc = DynamicCast<PriorityQueueDisc>(control.Install(devices.Get(0)).Get(0));
        m_to = Ipv4AddressHelper("10.1.0.0", "255.255.255.0").Assign(devices).GetAddress(1);
        m_sink = Socket::CreateSocket(m_nodes.Get(1), UdpSocketFactory::GetTypeId());
        m_sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_sink->SetIpRecvTos(true);
        m_sink->SetRecvCallback(MakeCallback(&StockDevice::Note, this));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Send(uint8_t dscp, uint32_t packets, Time at)
    {
        auto socket = Socket::CreateSocket(m_nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(m_to, 9));
        socket->SetIpTos(static_cast<uint8_t>(dscp << 2));
        for (uint32_t i = 0; i < packets; ++i)
        {
            Simulator::Schedule(at, [socket] { socket->Send(Create<Packet>(972)); });
        }
    }

    void Note(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            SocketIpTosTag tos;
            packet->PeekPacketTag(tos);
            m_order.push_back(tos.GetTos() >> 2);
        }
    }

    NodeContainer m_nodes;
    Ptr<PriorityQueueDisc> m_disc;
    Ipv4Address m_to;
    Ptr<Socket> m_sink;
    std::vector<uint32_t> m_order;
};

TEST_F(StockDevice, HighQueueOvertakesAllButTwoPackets)
{
    // At 100 us 1002 bytes take 8 us each, so 12 of codepoint 5 have left; when 10 of codepoint 2
    // come, one packet is on the wire and one in the device's queue of one.
    Send(5, 50, MicroSeconds(1));
    Send(2, 10, MicroSeconds(100));
    Simulator::Run();
    ASSERT_EQ(m_order.size(), 60U);
    const auto first = std::find(m_order.begin(), m_order.end(), 2U);
    EXPECT_EQ(std::count(first, first + 10, 2U), 10);
    EXPECT_NEAR(static_cast<double>(first - m_order.begin()), 14, 1);
    EXPECT_EQ(m_disc->GetCounters(2).packets, 10U);
    EXPECT_EQ(m_disc->GetCounters(5).packets, 50U);
}

} // namespace
