// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-congestion-control.h"
#include "ns3/ddl-dctcp-floor.h"
#include "ns3/ddl-error.h"

#include <algorithm>

namespace ns3::ddl
{
namespace
{

using TcpTransportTest = TransportFixture;

TEST_F(TcpTransportTest, OneMessageCrossesASwitch)
{
    Build(SingleSwitch(2));
    int delivered = 0;
    At(Seconds(1), [&] { Open(0, 1)->Send(1000000, Then([&] { ++delivered; })); });
    Simulator::Run();
    EXPECT_EQ(delivered, 1);
    const StreamCounters counters = m_transport->GetCounters();
    EXPECT_EQ(counters.dataPackets, (1000000 + SEGMENT - 1) / SEGMENT);
    EXPECT_EQ(counters.retransmissions, 0U);
    EXPECT_EQ(counters.timeouts, 0U);
    EXPECT_EQ(counters.reordered, 0U);
}

TEST_F(TcpTransportTest, OneStreamFillsTheWire)
{
    Build(SingleSwitch(2));
    const uint64_t packets = 13700;
    Time took;
    At(Seconds(1), [&] {
        Open(0, 1)->Send(packets * SEGMENT, Then([&] { took = Simulator::Now() - Seconds(1); }));
    });
    Simulator::Run();
    // 13,700 frames of 1538 bytes at 10 Gbps: 13,700 x 1.2304 us = 16.856 ms
    const double expected = packets * FRAME * 8 / 10e9;
    EXPECT_GE(took.GetSeconds(), expected);
    EXPECT_LE(took.GetSeconds(), 1.01 * expected);
}

TEST_F(TcpTransportTest, TheSegmentFollowsTheMtu)
{
    TopologySpec topology = SingleSwitch(2);
    topology.mtu = 9000;
    Build(topology, {{"Timestamps", "true"}});
    At(Seconds(1), [&] { Open(0, 1)->Send(8948 * 100, {}); }); // 9000 - 20 - 20 - 12
    Simulator::Run();
    EXPECT_EQ(m_transport->GetCounters().dataPackets, 100U);
    EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetDrops().Get(DropReason::REFUSED).packets, 0U)
        << "packets above the MTU";
}

TEST_F(TcpTransportTest, TheSimulationEndsWhenStreamsAreIdle)
{
    Build(SingleSwitch(2));
    Ptr<StreamPair> stream;
    At(Seconds(1), [&] {
        stream = Open(0, 1);
        stream->Send(100000, {});
    });
    Simulator::Run(); // returns, with the stream open
    EXPECT_LT(Simulator::Now(), Seconds(1.1));
    EXPECT_TRUE(stream->IsIdle());
    EXPECT_EQ(CountStreams(), 1U);
}

TEST_F(TcpTransportTest, EveryCongestionControlDelivers)
{
    const auto names = ListCongestionControls();
    for (const char* expected : {"bbr", "cubic", "dctcp", "linuxreno", "newreno", "vegas"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), expected), 1) << expected;
    }
    auto all = names;
    all.insert(all.end(), {"ns3::TcpBbr", "ns3::TcpDctcp", "ns3::ddl::DctcpFloor"});
    for (const auto& name : all)
    {
        TearDown();
        Build(SingleSwitch(3), {{"CongestionControl", name}});
        int delivered = 0;
        At(Seconds(1), [&] {
            for (const uint32_t source : {1, 2})
            {
                Open(source, 0)->Send(1000000, Then([&] { ++delivered; }));
            }
        });
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        EXPECT_EQ(delivered, 2) << name;
    }
}

TEST_F(TcpTransportTest, EcnCanBeAskedForWithOtherCongestionControls)
{
    for (const bool ecn : {false, true})
    {
        TearDown();
        Build(SingleSwitch(3), {{"CongestionControl", "newreno"}, {"UseEcn", ecn ? "1" : "0"}});
        int delivered = 0;
        At(Seconds(1), [&] {
            for (const uint32_t source : {1, 2})
            {
                Open(source, 0)->Send(3000000, Then([&] { ++delivered; }));
            }
        });
        Simulator::Run();
        EXPECT_EQ(delivered, 2);
        EXPECT_EQ(CountMarks() > 0, ecn);
    }
}

TEST_F(TcpTransportTest, WrongAttributesAreInputErrors)
{
    const auto fails = [this](const Attributes& attributes) -> std::string {
        TearDown();
        try
        {
            Build(SingleSwitch(2), attributes);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    };
    const std::string unknown = fails({{"CongestionControl", "dctp"}});
    EXPECT_NE(unknown.find("unknown congestion control \"dctp\""), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("bbr, bic, cubic, dctcp"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("did you mean \"dctcp\""), std::string::npos) << unknown;
    EXPECT_NE(fails({{"CongestionControl", "ns3::TcpSocketBase"}}), "");
    EXPECT_NE(fails({{"CongestionControl", ""}}), "");
    EXPECT_NE(fails({{"SegmentSize", "1461"}}).find("1 to 1460"), std::string::npos);
    EXPECT_NE(fails({{"SendBuffer", "2919"}}).find("2920"), std::string::npos);
    EXPECT_NE(fails({{"ReceiveBuffer", "100"}}).find("2920"), std::string::npos);
    EXPECT_NE(fails({{"RecoveryType", "ns3::TcpCubic"}}).find("RecoveryType"), std::string::npos);
    EXPECT_EQ(fails({{"SegmentSize", "1460"}, {"SendBuffer", "2920"}}), "");
}

TEST_F(TcpTransportTest, CongestionControlLeavesTwoSegments)
{
    // TcpDctcp would leave (1 - 1/2) x 1460 = 730 bytes at its first mark (alpha starts at 1)
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = 1460;
    tcb->m_cWnd = 1460;
    EXPECT_EQ(CreateObject<TcpDctcp>()->GetSsThresh(tcb, 0), 730U);
    const auto floor = CreateObject<DctcpFloor>();
    EXPECT_EQ(floor->GetSsThresh(tcb, 0), 2920U);
    EXPECT_EQ(floor->Fork()->GetSsThresh(tcb, 0), 2920U);
    tcb->m_cWnd = 14600;
    EXPECT_EQ(floor->GetSsThresh(tcb, 0), 7300U);
}

} // namespace
} // namespace ns3::ddl
