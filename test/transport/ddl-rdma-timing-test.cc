// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"
#include "ddl-transport-fixture.h"

#include "ns3/config.h"

#include <array>
#include <optional>

namespace ns3::ddl
{
namespace
{

/** Times that can be computed. 10 Gbps: 0.8 ns a byte; links of 1 us, two on each path. */
class RdmaTimingTest : public TransportFixture
{
  protected:
    static constexpr double BYTE_NS = 0.8;
    static constexpr double DELAY_NS = 1000;
    static constexpr uint32_t ANSWER = 90; //!< 52 + 38 bytes on the wire

    void BuildMtu(uint32_t hosts, uint32_t mtu, const std::string& control)
    {
        m_messages = 0;
        TopologySpec topology = SingleSwitch(hosts);
        topology.mtu = mtu;
        Build(topology, {{"CongestionControl", control}}, {}, {}, "rdma");
    }

    void Send(uint32_t from, uint32_t to, uint64_t bytes)
    {
        At(Seconds(1), [=] {
            Open(from, to)->Send(bytes, Then([this] {
                                     m_last = (Simulator::Now() - Seconds(1)).GetNanoSeconds();
                                     ++m_messages;
                                 }));
        });
    }

    double m_last{0};
    int m_messages{0};
};

/**
 * n packets, the last one shorter: it waits at the switch for the one before it, which leaves there
 * n full packets after the start. So n x full + last, and two delays; a single packet: 2 x last.
 */
TEST_F(RdmaTimingTest, OneStreamTakesWhatItsBytesTake)
{
    for (const uint32_t mtu : {1000, 1500, 9000})
    {
        const uint64_t payload = mtu - 44; // IPv4 20, UDP 8, BTH 12, CRC 4
        for (const uint64_t bytes :
             {uint64_t{1}, payload, payload + 1, 10 * payload - 7, 1000 * payload})
        {
            BuildMtu(2, mtu, "fixed"); // a window of 60 kB is more than what is under way
            Send(0, 1, bytes);
            Simulator::Run();
            const uint64_t packets = (bytes + payload - 1) / payload;
            const double last = bytes - (packets - 1) * payload + 44 + 38;
            const double before = packets == 1 ? last : packets * (mtu + 38.0);
            EXPECT_NEAR(m_last, (before + last) * BYTE_NS + 2 * DELAY_NS, 3)
                << bytes << " bytes, MTU " << mtu;
            EXPECT_EQ(m_transport->GetCounters().dataPackets, packets);
            TearDown();
        }
    }
}

/** Slow start costs a few round trips, where the first window is one packet. */
TEST_F(RdmaTimingTest, DctcpAloneIsWithinItsFirstWindows)
{
    for (const uint32_t mtu : {1000, 1500, 9000})
    {
        BuildMtu(2, mtu, "dctcp");
        Send(0, 1, 20000000);
        Simulator::Run();
        const double packets = 20000000.0 / (mtu - 44);
        const double line = packets * (mtu + 38) * BYTE_NS;
        EXPECT_GT(m_last, line);
        EXPECT_LT(m_last, line + 60000) << "MTU " << mtu;
        EXPECT_EQ(CountMarks(), 0U) << "a NIC that pulls has no queue";
        TearDown();
    }
}

/** A packet takes 2.51 ns there, and its answer 0.03 ns; a nanosecond is the least time there is.
 */
TEST_F(RdmaTimingTest, ThousandsOfPacketsAtTerabitsTakeTheirTime)
{
    constexpr double BYTE = 8e9 / 28.8e12; // ns
    const ProcessStateGuard guard;
    Config::SetDefault("ns3::ddl::FixedRdmaCongestionControl::Window", UintegerValue(1U << 30));
    TopologySpec topology = SingleSwitch(2);
    topology.hostRate = DataRate(28'800'000'000'000);
    topology.delay = NanoSeconds(20);
    topology.mtu = 9000;
    Build(topology, {{"CongestionControl", "fixed"}}, {}, {}, "rdma");
    const uint64_t bytes = 200'000'000;
    Send(0, 1, bytes);
    Simulator::Run();
    const uint64_t packets = (bytes + 8955) / 8956;
    const double last = static_cast<double>(bytes - (packets - 1) * 8956) + 44 + 38;
    EXPECT_NEAR(m_last, (static_cast<double>(packets) * 9038 + last) * BYTE + 2 * 20, 3);
    EXPECT_EQ(m_transport->GetCounters().dataPackets, packets);
}

/** Each link of a ring carries one stream's data and the answers to another's, one for 4 packets.
 */
TEST_F(RdmaTimingTest, ARingsLinksCarryAnswersToo)
{
    for (const uint32_t mtu : {1500, 9000})
    {
        BuildMtu(8, mtu, "dctcp");
        for (uint32_t host = 0; host < 8; ++host)
        {
            Send(host, (host + 1) % 8, 10000000);
        }
        Simulator::Run();
        EXPECT_EQ(m_messages, 8);
        const double packets = 10000000.0 / (mtu - 44);
        const double expected = packets * (mtu + 38 + ANSWER / 4.0) * BYTE_NS;
        EXPECT_NEAR(m_last / expected, 1, 0.02) << "MTU " << mtu;
        EXPECT_GT(m_last, expected * 0.999);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        TearDown();
    }
}

/** Push: all workers into one link. Pull: one NIC out of which all streams come. */
TEST_F(RdmaTimingTest, AParameterServersLinkIsTheLimitBothWays)
{
    for (const bool push : {true, false})
    {
        BuildMtu(5, 1500, "dctcp");
        for (uint32_t worker = 1; worker < 5; ++worker)
        {
            Send(push ? worker : 0, push ? 0 : worker, 10000000);
        }
        Simulator::Run();
        EXPECT_EQ(m_messages, 4);
        EXPECT_NEAR(m_last / (4 * 10000000.0 / 1456 * 1538 * BYTE_NS), 1, 0.01);
        EXPECT_EQ(CountDrops(), 0U);
        TearDown();
    }
}

/** Packet numbers have 24 bits. 30,000 packets pass 2^24, with and without a window of jumbos. */
TEST_F(RdmaTimingTest, PacketNumbersComeRound)
{
    std::array<double, 2> times{};
    for (const bool wraps : {false, true})
    {
        Build(SingleSwitch(2),
              {{"InitialPsn", wraps ? std::to_string((1U << 24) - 10000) : "0"}},
              {},
              {},
              "rdma");
        Send(0, 1, 30000 * 1456);
        Simulator::Run();
        times[wraps ? 1 : 0] = m_last;
        EXPECT_EQ(m_transport->GetCounters().dataPackets, 30000U);
        EXPECT_EQ(m_transport->GetCounters().timeouts, 0U);
        TearDown();
    }
    EXPECT_EQ(times[0], times[1]);
}

} // namespace
} // namespace ns3::ddl
