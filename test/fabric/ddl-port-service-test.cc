// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ipv4-header.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint8_t ECT0 = 2;

/** Several hosts at one switch send to host 0, whose port there, "switch0 to h0", overflows. */
class PortService : public FabricTest
{
  protected:
    void BuildStar(const PortSpec& spec, uint32_t senders)
    {
        TopologySpec star;
        star.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        star.shape.Set("Hosts", UintegerValue(senders + 1));
        Build(star, spec);
        m_port = GetPort("switch0", "h0");
    }

    /** Host r sends with codepoint r, in turn datagrams of two sizes, 10 Gbps or the rate given. */
    void Overload(uint32_t senders, uint32_t packets, Time gap = NanoSeconds(500))
    {
        for (uint32_t r = 1; r <= senders; ++r)
        {
            Datagrams flow;
            flow.from = r;
            flow.to = 0;
            flow.tos = static_cast<uint8_t>(r << 2);
            flow.count = packets;
            flow.gap = gap;
            flow.bytes = 1500 - 300 * r;
            Send(flow);
            flow.bytes = 400 + 77 * r;
            flow.fromPort = 1001;
            Send(flow);
        }
    }

    /** Shares of queues 1 to weights.size(), while all of them were never empty. */
    void ExpectShares(const std::vector<uint32_t>& weights, uint64_t(measure)(const QueueCounters&))
    {
        double total = 0;
        double sum = 0;
        for (uint32_t i = 0; i < weights.size(); ++i)
        {
            ASSERT_GT(m_port->GetBacklog(i + 1), 10000U) << "queue " << i + 1 << " ran empty";
            total += static_cast<double>(measure(m_port->GetCounters(i + 1)));
            sum += weights[i];
        }
        for (uint32_t i = 0; i < weights.size(); ++i)
        {
            const double share = static_cast<double>(measure(m_port->GetCounters(i + 1))) / total;
            EXPECT_NEAR(share, weights[i] / sum, 0.01 * weights[i] / sum) << "queue " << i + 1;
        }
    }

    static uint64_t Packets(const QueueCounters& counters)
    {
        return counters.packets;
    }

    static uint64_t Bytes(const QueueCounters& counters)
    {
        return counters.bytes;
    }

    Ptr<Port> m_port;
};

PortSpec
MakeSpec(const std::string& service)
{
    PortSpec spec;
    spec.queues = 5;
    spec.service = service;
    spec.limit = 1000000000;
    if (service != "strict-priority")
    {
        spec.weights = {9, 1, 2, 3, 4};
    }
    return spec;
}

TEST_F(PortService, WrrSharesPacketsByWeight)
{
    BuildStar(MakeSpec("wrr"), 4);
    Overload(4, 8000);
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    ExpectShares({1, 2, 3, 4}, &Packets);
}

TEST_F(PortService, DwrrSharesBytesByWeight)
{
    BuildStar(MakeSpec("dwrr"), 4);
    Overload(4, 8000);
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    ExpectShares({1, 2, 3, 4}, &Bytes);
}

TEST_F(PortService, MixedServesStrictQueuesFirstAndSharesTheRest)
{
    // Queues 0 and 1 are strict. Queue 1 gets about 4 Gbps (1200 and 477 bytes a turn of 3.5 us),
    // which all pass at once; queues 2 to 4 share what is left, in bytes, by 2 : 3 : 4.
    PortSpec spec = MakeSpec("mixed");
    spec.serviceAttributes["StrictQueues"] = "2";
    BuildStar(spec, 4);
    Overload(1, 1000, NanoSeconds(3500));
    for (uint32_t r = 2; r <= 4; ++r)
    {
        Datagrams flow;
        flow.from = r;
        flow.to = 0;
        flow.tos = static_cast<uint8_t>(r << 2);
        flow.count = 8000;
        flow.gap = NanoSeconds(500);
        flow.bytes = 1500 - 300 * r;
        Send(flow);
    }
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    const double rest =
        static_cast<double>(Bytes(m_port->GetCounters(2)) + Bytes(m_port->GetCounters(3)) +
                            Bytes(m_port->GetCounters(4)));
    EXPECT_LT(m_port->GetCounters(1).maxBacklogBytes, 20000U);
    for (const uint32_t queue : {2U, 3U, 4U})
    {
        ASSERT_GT(m_port->GetBacklog(queue), 10000U);
        EXPECT_NEAR(static_cast<double>(Bytes(m_port->GetCounters(queue))) / rest,
                    queue / 9.0,
                    0.01 * queue / 9.0);
    }
}

TEST_F(PortService, WireIsNeverIdleWhileAPacketWaits)
{
    BuildStar(MakeSpec("dwrr"), 4);
    Overload(4, 1000);
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    Time busy;
    for (uint32_t queue = 0; queue < 5; ++queue)
    {
        busy += m_port->GetBusyTime(queue);
    }
    // The first packet comes to this port at about 3 us; the last may have just begun.
    EXPECT_NEAR(busy.GetMicroSeconds(), 997, 2);
}

TEST_F(PortService, OnlyEcnCapablePacketsAreMarkedAndReceiversSeeIt)
{
    PortSpec spec;
    spec.ecnThreshold = 50000;
    BuildStar(spec, 2);
    Listen(0);
    Datagrams capable;
    capable.from = 1;
    capable.to = 0;
    capable.count = 200;
    capable.tos = (3 << 2) | ECT0;
    Send(capable);
    Datagrams incapable = capable;
    incapable.from = 2;
    incapable.tos = 3 << 2;
    incapable.fromPort = 1001;
    Send(incapable);
    Simulator::Run();
    ASSERT_EQ(m_received.size(), 400U);
    uint64_t congested = 0;
    for (const auto& received : m_received)
    {
        EXPECT_EQ(received.tos >> 2, 3);
        if (received.fromPort == 1001)
        {
            EXPECT_EQ(received.tos & 3, ECN_NOT_CAPABLE);
            continue;
        }
        congested += (received.tos & 3) == ECN_CONGESTED ? 1 : 0;
    }
    // Host NICs and the port at the switch each carry their own count; a NIC marks, too.
    const uint64_t atSwitch = m_port->GetCounters(3).marked;
    EXPECT_GT(atSwitch, 0U);
    EXPECT_LT(congested, 200U);
    EXPECT_GE(congested, atSwitch);
}

TEST_F(PortService, TraceSourcesShowTheHeaderAsItIsThere)
{
    PortSpec spec;
    spec.ecnThreshold = 10000;
    spec.limit = 50000;
    BuildStar(spec, 2);

    struct Seen
    {
        uint64_t marks{0};
        uint64_t congested{0};
        uint64_t drops{0};
        uint64_t wrong{0};
    } seen;

    const auto read = [](Ptr<const Packet> packet) {
        Ipv4Header header;
        packet->PeekHeader(header);
        return header;
    };
    m_port->TraceConnectWithoutContext(
        "Mark",
        Callback<void, Ptr<const Packet>, uint32_t>([&](Ptr<const Packet> packet, uint32_t queue) {
            ++seen.marks;
            seen.congested += (read(packet).GetTos() & 3) == ECN_CONGESTED ? 1 : 0;
            seen.wrong += queue == 3 && read(packet).GetTtl() == 63 ? 0 : 1;
        }));
    m_port->TraceConnectWithoutContext("Drop",
                                       Callback<void, Ptr<const Packet>, uint32_t>(
                                           [&](Ptr<const Packet>, uint32_t) { ++seen.drops; }));
    for (const uint32_t from : {1U, 2U})
    {
        Datagrams flow;
        flow.from = from;
        flow.to = 0;
        flow.count = 90; // below the threshold of the NICs
        flow.tos = (3 << 2) | ECT0;
        Send(flow);
    }
    Simulator::Run();
    const QueueCounters& counters = m_port->GetCounters(3);
    EXPECT_GT(seen.marks, 0U);
    EXPECT_EQ(seen.congested, seen.marks);
    EXPECT_EQ(seen.marks, counters.marked);
    EXPECT_EQ(seen.wrong, 0U);
    EXPECT_GT(seen.drops, 0U);
    EXPECT_EQ(seen.drops, counters.dropped);
    EXPECT_EQ(counters.packets + counters.dropped, 180U);
    EXPECT_LE(counters.maxBacklogBytes, 50000U);
}

TEST_F(PortService, SharedBufferSplitsMemoryAmongOverloadedPorts)
{
    // 300 kB, alpha 1. One overloaded queue levels off at half of it, 150 kB; with a second one, at
    // another port, each levels off at a third, 100 kB.
    for (const uint32_t victims : {1U, 2U})
    {
        TopologySpec star;
        star.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        star.shape.Set("Hosts", UintegerValue(6));
        PortSpec spec;
        spec.limit = 1000000;
        spec.sharedBuffer = 300000;
        Build(star, spec);
        for (uint32_t from = 2; from < 6; ++from)
        {
            Datagrams flow;
            flow.from = from;
            flow.to = from % victims;
            flow.count = 1000;
            flow.tos = 3 << 2;
            Send(flow);
        }
        Simulator::Stop(MicroSeconds(400));
        Simulator::Run();
        for (uint32_t victim = 0; victim < victims; ++victim)
        {
            const uint64_t backlog =
                GetPort("switch0", "h" + std::to_string(victim))->GetBacklog(3);
            EXPECT_NEAR(static_cast<double>(backlog), 300000.0 / (victims + 1), 3000) << victims;
        }
        m_fabric = nullptr;
        TearDown();
    }
}

} // namespace
