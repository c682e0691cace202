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
        const auto codepoint = queue == CONTROL_QUEUE ? CONTROL_DSCP : QueueToCodepoint(queue);
        m_misplaced += (header.GetTos() >> 2) == codepoint ? 0 : 1;
        ++m_waiting[queue];
    }

    void Dequeue(Ptr<const Packet>, uint32_t queue)
    {
        --m_waiting[queue];
        ++m_packets;
        for (uint32_t other = 0; other < UNLIMITED_QUEUES; ++other)
        {
            m_inversions += other < queue && m_waiting[other] > 0 ? 1 : 0;
            m_overtakes += other > queue && m_waiting[other] > 0 ? 1 : 0;
        }
    }

    std::array<int64_t, UNLIMITED_QUEUES> m_waiting{};
};

/** The bottleneck: 0 host NIC, 1 leaf up, 2 spine, 3 leaf down. */
class StrictHop : public FabricTest, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    /** h0 - leaf0 - spine0 - leaf1 - h1, all 10 Gbps but one link of 1 Gbps. */
    std::vector<Ptr<Port>> BuildLine(uint32_t bottleneck,
                                     const PortSpec& spec,
                                     const HostSpec& hosts = HostSpec())
    {
        m_fabric = CreateObject<Fabric>();
        m_fabric->SetPortSpec(spec);
        m_fabric->SetHostSpec(hosts);
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

    /** A flow for each queue, all the time more than the bottleneck carries. */
    void SendToQueues(uint32_t bottleneck, const std::vector<uint8_t>& queues)
    {
        for (uint32_t i = 0; i < queues.size(); ++i)
        {
            const uint8_t queue = queues[i];
            Datagrams flow;
            flow.count = 200;
            flow.bytes = 400 + 1000 * i / queues.size();
            flow.gap = NanoSeconds(7001 + 501 * i); // about 0.65 Gbps each, out of step
            flow.fromPort = static_cast<uint16_t>(1000 + queue);
            Send(flow);
            // In front of a bottleneck in the network all bands but one stay empty, so that the
            // packets do not come to it sorted already.
            const auto band = static_cast<uint8_t>(bottleneck == 0 ? queue : 1);
            const auto dscp = queue == CONTROL_QUEUE ? CONTROL_DSCP : QueueToCodepoint(queue);
            m_fabric->GetHostPort(HostId{0})->SetMark(
                {m_fabric->GetAddress(HostId{1}), 17, flow.fromPort, flow.toPort},
                Mark{band, dscp});
        }
    }

    /** Flows through that bottleneck leave each hop in strict order, and not in that of arrival. */
    void ExpectStrictOrder(const PortSpec& spec,
                           const HostSpec& hosts,
                           const std::vector<uint8_t>& queues)
    {
        const uint32_t bottleneck = GetParam();
        const auto ports = BuildLine(bottleneck, spec, hosts);
        std::vector<std::unique_ptr<ServiceWatch>> watches;
        for (const auto& port : ports)
        {
            watches.push_back(std::make_unique<ServiceWatch>(port));
        }
        Listen(1);
        SendToQueues(bottleneck, queues);
        Simulator::Run();
        EXPECT_EQ(m_received.size(), 200 * queues.size());
        for (uint32_t hop = 0; hop < 4; ++hop)
        {
            EXPECT_EQ(watches[hop]->m_packets, 200 * queues.size()) << hop;
            EXPECT_EQ(watches[hop]->m_inversions, 0U) << hop;
        }
        // The bottleneck really had a choice, and used it.
        EXPECT_GT(watches[bottleneck]->m_overtakes, 1000U);
        // What each codepoint says is the queue in which its packets stood at the switches.
        for (uint32_t hop = 1; hop < 4; ++hop)
        {
            EXPECT_EQ(watches[hop]->m_misplaced, 0U) << hop;
        }
    }

    static constexpr uint64_t PLENTY = 100000000; //!< bytes: nothing is dropped
};

const std::vector<uint8_t> EIGHT{0, 1, 2, 3, 4, 5, 6, 7};

TEST_P(StrictHop, NoPacketLeavesWhileAHigherQueueIsNotEmpty)
{
    PortSpec spec;
    spec.limit = PLENTY;
    ExpectStrictOrder(spec, {}, EIGHT);
}

/** 20 of the 62 priorities that an ideal port tells apart, the last and both sides of DSCP 48 with
 * them.
 */
TEST_P(StrictHop, AnIdealPortKeepsTwentyRanksInOrder)
{
    PortSpec spec;
    spec.queues = UNLIMITED_QUEUES;
    spec.limit = PLENTY;
    HostSpec hosts;
    hosts.bands = UNLIMITED_QUEUES;
    ExpectStrictOrder(spec, hosts, {0,  1,  2,  4,  7,  8,  9,  15, 16, 31, 32,
                                    33, 40, 46, 47, 48, 49, 55, 60, 61, 62});
}

/** The hops whose service can be chosen. */
class SwitchHop : public StrictHop
{
};

TEST_P(SwitchHop, TheWatchSeesInversionsOfAnotherService)
{
    PortSpec spec;
    spec.limit = PLENTY;
    spec.service = "wrr";
    const auto ports = BuildLine(GetParam(), spec);
    ServiceWatch watch(ports[GetParam()]);
    SendToQueues(GetParam(), EIGHT);
    Simulator::Run();
    EXPECT_GT(watch.m_inversions, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Each, StrictHop, ::testing::Range(0U, 4U));
INSTANTIATE_TEST_SUITE_P(Each, SwitchHop, ::testing::Range(1U, 4U));

} // namespace
