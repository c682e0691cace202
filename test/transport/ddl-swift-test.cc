// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-swift-rdma-congestion-control.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::ddl
{
namespace
{

Ptr<SwiftRdmaCongestionControl>
MakeSwift()
{
    const auto control = CreateObject<SwiftRdmaCongestionControl>();
    RdmaCongestionControl::Path path;
    path.lineRate = DataRate("100Gbps");
    path.packetBytes = 1500;
    control->Start(path);
    return control;
}

RdmaAck
MakeSwiftAck(int64_t nowUs, double roundTripUs, uint32_t packets = 1)
{
    RdmaAck ack;
    ack.packets = packets;
    ack.windowLimited = true;
    ack.now = MicroSeconds(nowUs);
    ack.roundTrip = NanoSeconds(static_cast<uint64_t>(roundTripUs * 1000));
    ack.hops = 1;
    return ack;
}

/** Target in us as in csg-htsim's SwiftSrc::targetDelay. */
double
TargetByHand(double window, uint32_t hops)
{
    const double alpha = 100 / (1 / std::sqrt(0.1) - 1 / std::sqrt(100.0));
    const double scaled = alpha / std::sqrt(window) - alpha / std::sqrt(100.0);
    return 20 + hops * 20 / 6.55 + std::clamp(scaled, 0.0, 100.0);
}

TEST(SwiftTest, TargetsGrowWithHopsAndWithSmallWindows)
{
    const auto control = MakeSwift(); // 12 packets
    EXPECT_DOUBLE_EQ(control->GetCongestionWindow(), 12);
    for (const uint32_t hops : {0, 1, 5})
    {
        EXPECT_NEAR(control->GetTarget(hops).GetSeconds() * 1e6, TargetByHand(12, hops), 0.01);
    }
    // All of the range at 0.1 packets: twenty halvings of 12 packets, once per round trip.
    for (int i = 1; i <= 7; ++i)
    {
        control->OnAck(MakeSwiftAck(100000 * i, 10000));
    }
    EXPECT_NEAR(control->GetCongestionWindow(), 12.0 / 128, 1e-9);
    EXPECT_NEAR(control->GetTarget(0).GetSeconds() * 1e6, 120, 0.01);
    EXPECT_EQ(control->GetWindow(), 1U);
}

TEST(SwiftTest, AddsBelowTheTargetAndCutsByTheExcess)
{
    const auto control = MakeSwift();
    control->OnAck(MakeSwiftAck(10, 10, 3)); // 12 + 3 / 12
    EXPECT_DOUBLE_EQ(control->GetCongestionWindow(), 12.25);
    const double target = control->GetTarget(1).GetSeconds() * 1e6;
    control->OnAck(MakeSwiftAck(100, 50)); // 1 - 0.8 x (50 - target) / 50
    const double cut = 12.25 * (1 - 0.8 * (50 - target) / 50);
    EXPECT_NEAR(control->GetCongestionWindow(), cut, 1e-3);
    control->OnAck(MakeSwiftAck(110, 60)); // within a round trip of the last cut: no other
    EXPECT_NEAR(control->GetCongestionWindow(), cut, 1e-3);
    control->OnAck(MakeSwiftAck(300, 10000)); // no more than a half
    EXPECT_NEAR(control->GetCongestionWindow(), cut / 2, 1e-3);
}

TEST(SwiftTest, BelowOnePacketItPaces)
{
    const auto control = MakeSwift();
    EXPECT_TRUE(control->GetGap(1500).IsZero());
    for (int i = 1; i <= 5; ++i) // 12 to 0.375
    {
        control->OnAck(MakeSwiftAck(1000 * i, 400));
    }
    EXPECT_DOUBLE_EQ(control->GetCongestionWindow(), 0.375);
    EXPECT_NEAR(control->GetGap(1500).GetSeconds() * 1e6, 400 / 0.375, 0.01);
    control->OnAck(MakeSwiftAck(9000, 10)); // below one packet each acknowledged one adds one
    EXPECT_DOUBLE_EQ(control->GetCongestionWindow(), 1.375);
    EXPECT_TRUE(control->GetGap(1500).IsZero());
}

/** N long flows through one port of 100 Gbps. */
class SwiftNetwork : public TransportFixture
{
};

/**
 * Where the round trip is at the target, w = D x B / N packets are in flight, and D = target(w):
 * the test solves this, and measures D by the bytes that wait.
 */
TEST_F(SwiftNetwork, LongFlowsSettleAtTheTarget)
{
    for (const uint32_t flows : {1, 2, 8, 32, 100})
    {
        SCOPED_TRACE(flows);
        TopologySpec topology = SingleSwitch(flows + 1);
        topology.hostRate = DataRate("100Gbps");
        PortSpec ports;
        ports.limit = 10'000'000;
        ports.ecnThreshold = 0;
        Build(topology, {{"CongestionControl", "swift"}}, ports, {}, "rdma");
        std::vector<Ptr<StreamPair>> streams;
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source <= flows; ++source)
            {
                streams.push_back(Open(source, 0));
                streams.back()->Send(uint64_t{1} << 40, {});
            }
        });
        const auto port = m_fabric->GetPort("switch0", "h0");
        const auto nic = m_fabric->GetPort("h1", "switch0");
        const Time from = Seconds(1) + MilliSeconds(10);
        constexpr int SAMPLES = 10000;
        double waits = 0;
        for (int us = 0; us < SAMPLES; ++us)
        {
            At(from + MicroSeconds(us),
               [&] { waits += static_cast<double>(port->GetBacklog(DATA.band)); });
        }
        Simulator::Stop(from + MicroSeconds(SAMPLES));
        Simulator::Run();
        // Without queue: two links of 1 us, 1538 bytes twice there, 60 + 38 bytes twice back.
        const double packet = 1538 * 8 / 100e3; // us
        const double base = 4 + 2 * packet + 2 * 98 * 8 / 100e3;
        const double measured = base + waits / SAMPLES * (1538.0 / 1500) * 8 / 100e3;
        double target = 20;
        for (int i = 0; i < 1000; ++i)
        {
            target += 0.1 * (TargetByHand(target / packet / flows, 1) - target);
        }
        if (flows > 1)
        {
            EXPECT_NEAR(measured, target, 0.05 * target);
        }
        else
        {
            EXPECT_LT(measured, base + 2) << "one flow waits in its own NIC only";
        }
        EXPECT_EQ(CountDrops(), 0U);
        RecordProperty("roundTrip" + std::to_string(flows), std::to_string(measured));
        RecordProperty("target" + std::to_string(flows), std::to_string(target));
        streams.clear();
        TearDown();
    }
}

} // namespace
} // namespace ns3::ddl
