// SPDX-License-Identifier: GPL-2.0-only
// Priority flow control under traffic that nothing else holds back.
#include "ddl-process-state.h"
#include "ddl-transport-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-switch-port.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{
namespace
{

class RdmaPfc : public TransportFixture
{
  protected:
    /** Constant windows of 1 MB, and no marking. */
    void BuildLossless(const TopologySpec& topology,
                       bool pfc,
                       const std::string& control = "fixed",
                       const std::string& kind = "rdma")
    {
        Config::SetDefault("ns3::ddl::FixedRdmaCongestionControl::Window", UintegerValue(1000000));
        PortSpec ports;
        ports.pfc = pfc;
        ports.ecnThreshold = 0;
        HostSpec hosts;
        Build(topology, {{"CongestionControl", control}}, ports, hosts, kind);
    }

    static TopologySpec LeafSpine()
    {
        TopologySpec topology; // 2 leaves of 4 hosts, 2 spines, 10 Gbps
        topology.shape.Set("Leaves", UintegerValue(2));
        topology.shape.Set("HostsPerLeaf", StringValue("4"));
        topology.shape.Set("Spines", UintegerValue(2));
        return topology;
    }

    void SendTo(uint32_t source, uint32_t destination, uint64_t bytes, Mark mark = DATA)
    {
        ++m_sent;
        At(Seconds(1), [this, source, destination, bytes, mark] {
            Open(source, destination, mark)->Send(bytes, Then([this] {
                                                      ++m_delivered;
                                                      m_last = Simulator::Now() - Seconds(1);
                                                  }));
        });
    }

    uint64_t CountPauses() const
    {
        uint64_t pauses = 0;
        for (const auto& port : m_fabric->GetPorts())
        {
            const auto device = DynamicCast<SwitchPort>(port.device);
            pauses += device ? device->GetPauses() : 0;
        }
        return pauses;
    }

    void ExpectLossless() const
    {
        EXPECT_EQ(m_delivered, m_sent);
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
    }

    int m_sent{0};
    int m_delivered{0};
    Time m_last;
    ProcessStateGuard m_guard;
};

TEST_F(RdmaPfc, IncastLosesNothingWithItAndMuchWithoutIt)
{
    for (const bool pfc : {true, false})
    {
        SCOPED_TRACE(pfc);
        m_sent = m_delivered = 0;
        BuildLossless(SingleSwitch(33), pfc);
        for (uint32_t source = 1; source < 33; ++source)
        {
            SendTo(source, 0, 1000000); // 32 MB of windows into a queue of 1 MB
        }
        Simulator::Run();
        if (pfc)
        {
            ExpectLossless();
            EXPECT_GT(CountPauses(), 0U);
            // 32 MB in packets of 1456 bytes that take 1538 on the wire: 27.04 ms at 10 Gbps
            EXPECT_GT(m_last, MilliSeconds(27));
            EXPECT_LT(m_last, MicroSeconds(27500));
        }
        else
        {
            EXPECT_GT(CountDrops(), 0U);
            EXPECT_EQ(m_delivered, m_sent) << "go-back-N mends it";
        }
        TearDown();
    }
}

TEST_F(RdmaPfc, HoldsAcrossSwitchesAndSizes)
{
    for (const uint32_t mtu : {1000U, 1500U, 9000U})
    {
        for (const int64_t delay : {100, 1000, 20000}) // ns; the headroom follows the links
        {
            SCOPED_TRACE(testing::Message() << mtu << " bytes, " << delay << " ns");
            m_sent = m_delivered = 0;
            TopologySpec topology = LeafSpine();
            topology.mtu = mtu;
            topology.delay = NanoSeconds(delay);
            BuildLossless(topology, true);
            for (uint32_t source = 1; source < 8; ++source)
            {
                SendTo(source, 0, 2000000);
                SendTo(source, (source + 3) % 8 == source ? 0 : (source + 3) % 8, 500000);
            }
            Simulator::Run();
            ExpectLossless();
            EXPECT_GT(CountPauses(), 0U);
            TearDown();
        }
    }
}

TEST_F(RdmaPfc, PausesOneQueueAndLeavesTheOthersAlone)
{
    BuildLossless(SingleSwitch(6), true);
    for (uint32_t source = 1; source < 5; ++source)
    {
        SendTo(source, 0, 2000000, Mark{2, 2});
    }
    Time other; // from host 1, whose NIC is paused for codepoint 2, to the idle host 5
    At(Seconds(1) + MilliSeconds(2), [&] {
        Open(1, 5, Mark{3, 3})->Send(1456, Then([&] { other = Simulator::Now(); }));
    });
    Simulator::Run();
    ExpectLossless();
    EXPECT_GT(CountPauses(), 0U);
    // Its priority is the lower one: it goes when the other is paused, three quarters of the time.
    EXPECT_LT(other - Seconds(1) - MilliSeconds(2), MicroSeconds(10));
}

TEST_F(RdmaPfc, WorksForTcpToo)
{
    BuildLossless(SingleSwitch(17), true, "newreno", "tcp");
    for (uint32_t source = 1; source < 17; ++source)
    {
        SendTo(source, 0, 1000000);
    }
    Simulator::Run();
    EXPECT_EQ(m_delivered, m_sent);
    EXPECT_EQ(CountDrops(), 0U);
    EXPECT_GT(CountPauses(), 0U);
}

TEST_F(RdmaPfc, DcqcnLosesNothing)
{
    PortSpec ports;
    ports.pfc = true;
    Build(SingleSwitch(65), {{"CongestionControl", "dcqcn"}}, ports, {}, "rdma");
    for (uint32_t source = 1; source < 65; ++source)
    {
        SendTo(source, 0, 200000);
    }
    Simulator::Run();
    ExpectLossless();
    // 12.8 MB take 10.8 ms; a rate control that was cut to the bottom would take far longer
    EXPECT_LT(m_last, MilliSeconds(25));
}

TEST_F(RdmaPfc, ALinkThatFallsForgetsItsPauses)
{
    BuildLossless(SingleSwitch(5), true);
    for (uint32_t source = 1; source < 5; ++source)
    {
        SendTo(source, 0, 3000000);
    }
    At(Seconds(1) + MilliSeconds(1), [this] { m_fabric->SetLinkUp("h1", "switch0", false); });
    At(Seconds(1) + MilliSeconds(2), [this] { m_fabric->SetLinkUp("h1", "switch0", true); });
    Simulator::Run();
    EXPECT_EQ(m_delivered, m_sent);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

} // namespace
} // namespace ns3::ddl
