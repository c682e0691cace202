// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-background-flow.h"
#include "ns3/ddl-constant-rate-flow.h"
#include "ns3/ddl-elastic-flow.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/ddl-topology.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Four hosts at one switch, 10 Gbps and 1 us a link. */
class BackgroundFlowTest : public testing::Test
{
  protected:
    BackgroundFlowTest()
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(4));
        m_fabric = BuildTopology(topology, PortSpec(), HostSpec());
        m_transport = CreatePolicy<Transport>("tcp");
        m_transport->Install(m_fabric);
        m_flow.source = HostId{0};
        m_flow.destination = HostId{1};
        m_flow.mark = Mark{3, 4};
    }

    ~BackgroundFlowTest() override
    {
        m_transport->Dispose();
        Simulator::Destroy();
    }

    /** \return that one of the applications of host 1 */
    Ptr<ConstantRateSink> GetSink(uint32_t number) const
    {
        return DynamicCast<ConstantRateSink>(m_fabric->GetHost(HostId{1})->GetApplication(number));
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    BackgroundFlowSpec m_flow;
};

} // namespace

TEST_F(BackgroundFlowTest, ConstantRateIsExact)
{
    // 1500 B at 3 Gbps: one packet each 4 us. From 1 ms to 2 ms: at 1.000, 1.004, ... 1.996 ms,
    // that is 250; the one due at 2 ms finds the flow stopped.
    m_flow.rate = DataRate("3Gbps");
    m_flow.start = MilliSeconds(1);
    m_flow.stop = MilliSeconds(2);
    const auto flow =
        DynamicCast<ConstantRateFlow>(StartBackgroundFlow(m_flow, m_fabric, m_transport));
    Simulator::Run();
    EXPECT_EQ(flow->GetSentPackets(), 250U);
    EXPECT_EQ(GetSink(0)->GetReceivedPackets(), 250U);
    // all in band 3 of the NIC, and in queue 4 of the switch
    EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetCounters(3).packets, 250U);
    EXPECT_EQ(m_fabric->GetPort("switch0", "h1")->GetCounters(4).packets, 250U);
    EXPECT_EQ(m_fabric->GetPort("switch0", "h1")->GetCounters(4).bytes, 250U * 1500U);
}

TEST_F(BackgroundFlowTest, TwoFlowsBetweenTheSameHosts)
{
    m_flow.rate = DataRate("1Gbps"); // 12 us a packet
    m_flow.stop = MicroSeconds(100);
    const auto first =
        DynamicCast<ConstantRateFlow>(StartBackgroundFlow(m_flow, m_fabric, m_transport));
    m_flow.mark = Mark{5, 6};
    const auto second =
        DynamicCast<ConstantRateFlow>(StartBackgroundFlow(m_flow, m_fabric, m_transport));
    Simulator::Run();
    EXPECT_EQ(first->GetSentPackets(), 9U);
    EXPECT_EQ(GetSink(0)->GetReceivedPackets(), 9U); // 0, 12, ... 96 us
    EXPECT_EQ(second->GetSentPackets(), 9U);
    EXPECT_EQ(GetSink(1)->GetReceivedPackets(), 9U);
    EXPECT_EQ(m_fabric->GetHostPort(HostId{0})->GetCounters(5).packets, 9U);
}

TEST_F(BackgroundFlowTest, OneElasticMessage)
{
    m_flow.kind = BackgroundFlowSpec::Kind::ELASTIC;
    m_flow.bytes = 1000000;
    m_flow.repeat = false;
    const auto flow = DynamicCast<ElasticFlow>(StartBackgroundFlow(m_flow, m_fabric, m_transport));
    Simulator::Run();
    EXPECT_EQ(flow->GetAcknowledgedMessages(), 1U);
    EXPECT_EQ(flow->GetStream()->GetAcknowledgedBytes(), 1000000U);
    EXPECT_GT(m_fabric->GetPort("switch0", "h1")->GetCounters(4).packets, 1000000U / 1500U);
}

TEST_F(BackgroundFlowTest, RepeatedMessagesFillTheLinkUntilTheStop)
{
    // 10 Gbps for 20 ms carry 25 MB on the wire, of which 1448 / 1538 is data: 23.5 messages of 1
    // MB
    m_flow.kind = BackgroundFlowSpec::Kind::ELASTIC;
    m_flow.stop = MilliSeconds(20);
    const auto flow = DynamicCast<ElasticFlow>(StartBackgroundFlow(m_flow, m_fabric, m_transport));
    Simulator::Run();
    EXPECT_GE(flow->GetAcknowledgedMessages(), 22U);
    EXPECT_LE(flow->GetAcknowledgedMessages(), 23U);
    EXPECT_EQ(m_transport->GetSendingCount(), 0U);
    EXPECT_EQ(m_transport->GetReceivingCount(), 0U);
}

TEST_F(BackgroundFlowTest, WrongFlowsAreBadInput)
{
    const auto complaint = [this](auto change) {
        BackgroundFlowSpec flow = m_flow;
        change(flow);
        EXPECT_THROW(StartBackgroundFlow(flow, m_fabric, m_transport), InputError);
        return CheckBackgroundFlow(flow, 4);
    };
    EXPECT_EQ(CheckBackgroundFlow(m_flow, 4), "");
    EXPECT_NE(complaint([](auto& f) { f.destination = HostId{4}; }), "");
    EXPECT_NE(complaint([](auto& f) { f.destination = f.source; }), "");
    EXPECT_NE(complaint([](auto& f) { f.stop = f.start = Seconds(1); }), "");
    EXPECT_NE(complaint([](auto& f) { f.mark.band = 63; }), "");
    EXPECT_NE(complaint([](auto& f) { f.rate = DataRate(0); }), "");
    EXPECT_NE(complaint([](auto& f) { f.packetSize = 28; }), "");
    EXPECT_NE(complaint([](auto& f) {
                  f.kind = BackgroundFlowSpec::Kind::ELASTIC;
                  f.bytes = 0;
              }),
              "");
    // only the fabric knows these
    complaint([](auto& f) { f.rate = DataRate("11Gbps"); });
    complaint([](auto& f) { f.packetSize = 1501; });
}
