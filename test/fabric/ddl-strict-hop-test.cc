// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ipv4-header.h"

#include <array>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Watches a port: what waits in its queues, and whether one leaves in front of a higher one. */
class ServiceWatch
{
  public:
    explicit ServiceWatch(Ptr<Port> port)
    {
        port->TraceConnectWithoutContext("Enqueue", MakeCallback(&ServiceWatch::Enqueue, this));
        port->TraceConnectWithoutContext("Dequeue", MakeCallback(&ServiceWatch::Dequeue, this));
    }

    uint64_t m_inversions{0}; //!< packets that left while a higher queue was not empty
    uint64_t m_overtakes{0};  //!< packets that left while a lower queue was not empty
    uint64_t m_misplaced{0};  //!< packets in another queue than their codepoint's
    uint64_t m_packets{0};

  private:
    void Enqueue(Ptr<const Packet> packet, uint32_t queue)
    {
        Ipv4Header header;
        packet->PeekHeader(header);
        m_misplaced += (header.GetTos() >> 2) == queue ? 0 : 1;
        ++m_waiting[queue];
    }

    void Dequeue(Ptr<const Packet>, uint32_t queue)
    {
        --m_waiting[queue];
        ++m_packets;
        for (uint32_t other = 0; other < MAX_QUEUES; ++other)
        {
            m_inversions += other < queue && m_waiting[other] > 0 ? 1 : 0;
            m_overtakes += other > queue && m_waiting[other] > 0 ? 1 : 0;
        }
    }

    std::array<int64_t, MAX_QUEUES> m_waiting{};
};

/** The bottleneck: 0 host NIC, 1 leaf up, 2 spine, 3 leaf down. */
class StrictHop : public FabricTest, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    /** h0 - leaf0 - spine0 - leaf1 - h1, all 10 Gbps but one link of 1 Gbps. */
    std::vector<Ptr<Port>> BuildLine(uint32_t bottleneck, const PortSpec& spec)
    {
        m_fabric = CreateObject<Fabric>();
        m_fabric->SetPortSpec(spec);
        auto leaf0 = m_fabric->AddSwitch("leaf0");
        auto spine0 = m_fabric->AddSwitch("spine0");
        auto leaf1 = m_fabric->AddSwitch("leaf1");
        const std::vector<Ptr<Node>> line{m_fabric->AddHost(),
                                          leaf0,
                                          spine0,
                                          leaf1,
                                          m_fabric->AddHost()};
        for (uint32_t i = 0; i < 4; ++i)
        {
            m_fabric->Connect(line[i],
                              line[i + 1],
                              DataRate(i == bottleneck ? "1Gbps" : "10Gbps"),
                              MicroSeconds(1));
        }
        m_fabric->ComputeRoutes();
        m_fabric->InstallStack();
        return {GetPort("h0", "leaf0"),
                GetPort("leaf0", "spine0"),
                GetPort("spine0", "leaf1"),
                GetPort("leaf1", "h1")};
    }

    /** Flows of all eight codepoints, all the time more than the bottleneck carries. */
    void SendAllCodepoints(uint32_t bottleneck)
    {
        for (uint8_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            Datagrams flow;
            flow.count = 200;
            flow.bytes = 400 + 150 * queue;
            flow.gap = NanoSeconds(7001 + 501 * queue); // about 0.65 Gbps each, out of step
            flow.fromPort = static_cast<uint16_t>(1000 + queue);
            Send(flow);
            // In front of a bottleneck in the network all bands but one stay empty, so that the
            // packets do not come to it sorted already.
            const auto band = static_cast<uint8_t>(bottleneck == 0 ? queue : 1);
            const auto dscp = queue == CONTROL_QUEUE ? CONTROL_DSCP : queue;
            m_fabric->GetHostPort(HostId{0})->SetMark(
                {m_fabric->GetAddress(HostId{1}), 17, flow.fromPort, flow.toPort},
                Mark{band, dscp});
        }
    }
};

TEST_P(StrictHop, NoPacketLeavesWhileAHigherQueueIsNotEmpty)
{
    const uint32_t bottleneck = GetParam();
    PortSpec spec;
    spec.limit = 100000000;
    const auto ports = BuildLine(bottleneck, spec);
    std::vector<std::unique_ptr<ServiceWatch>> watches;
    for (const auto& port : ports)
    {
        watches.push_back(std::make_unique<ServiceWatch>(port));
    }
    Listen(1);
    SendAllCodepoints(bottleneck);
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 1600U);
    for (uint32_t hop = 0; hop < 4; ++hop)
    {
        EXPECT_EQ(watches[hop]->m_packets, 1600U) << hop;
        EXPECT_EQ(watches[hop]->m_inversions, 0U) << hop;
    }
    // The bottleneck really had a choice, and used it.
    EXPECT_GT(watches[bottleneck]->m_overtakes, 1000U);
    // Codepoint r stood in queue r at the switches; the control queue's codepoint is 48.
    for (uint32_t hop = 1; hop < 4; ++hop)
    {
        EXPECT_EQ(watches[hop]->m_misplaced, 200U) << hop;
    }
}

/** The hops whose service can be chosen. */
class SwitchHop : public StrictHop
{
};

TEST_P(SwitchHop, TheWatchSeesInversionsOfAnotherService)
{
    PortSpec spec;
    spec.limit = 100000000;
    spec.service = "wrr";
    const auto ports = BuildLine(GetParam(), spec);
    ServiceWatch watch(ports[GetParam()]);
    SendAllCodepoints(GetParam());
    Simulator::Run();
    EXPECT_GT(watch.m_inversions, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Each, StrictHop, ::testing::Range(0U, 4U));
INSTANTIATE_TEST_SUITE_P(Each, SwitchHop, ::testing::Range(1U, 4U));

} // namespace
