// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-packet-audit.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/**
 * Four senders of 400 packets each overload the link from leaf0 to spine0, which falls at 100 us
 * and comes back at 200 us; the one from leaf1 to h7 falls for good at 300 us.
 */
class PacketAudit : public FabricTest
{
  protected:
    void Overload(const PortSpec& ports, Time end)
    {
        TopologySpec topology;
        topology.shape.Set("Spines", UintegerValue(1));
        Build(topology, ports);
        for (uint32_t host = 0; host < 4; ++host)
        {
            Datagrams flow;
            flow.from = host;
            flow.to = host == 0 ? 7 : 4;
            flow.count = 400;
            flow.tos = static_cast<uint8_t>(host << 2); // codepoints 0 to 3
            Send(flow);
        }
        Listen(4);
        Listen(7);
        m_fabric->ScheduleLinkUp(MicroSeconds(100), "leaf0", "spine0", false);
        m_fabric->ScheduleLinkUp(MicroSeconds(200), "leaf0", "spine0", true);
        m_fabric->ScheduleLinkUp(MicroSeconds(300), "leaf1", "h7", false);
        Simulator::Stop(end);
        Simulator::Run();
    }

    /** \return "device: what", a line an imbalance */
    std::string Complaints() const
    {
        std::string text;
        for (const auto& found : AuditPackets(m_fabric))
        {
            text += found.device + ": " + found.what + "\n";
        }
        return text;
    }

    uint64_t Dropped(DropReason reason) const
    {
        return SumDrops(m_fabric).Get(reason).packets;
    }
};

} // namespace

TEST_F(PacketAudit, EveryPacketIsAccountedForWheneverTheRunEnds)
{
    PortSpec small;
    small.limit = 20000;
    PortSpec shared;
    shared.sharedBuffer = 40000;
    PortSpec paused;
    paused.pfc = true;
    paused.pfcThreshold = 10000;
    PortSpec unlimited;
    unlimited.queues = UNLIMITED_QUEUES;
    for (const PortSpec& ports : {small, shared, paused, unlimited})
    {
        for (const int64_t end : {50, 150, 250, 400, 100000})
        {
            SCOPED_TRACE(std::to_string(ports.limit) + ", " + std::to_string(end) + " us");
            Overload(ports, MicroSeconds(end));
            EXPECT_EQ(Complaints(), "");
            if (end == 100000)
            {
                // 4 x 400 were sent: who did not arrive was thrown away, and told why.
                EXPECT_EQ(m_received.size() + SumDrops(m_fabric).GetSum().packets, 1600U);
                EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
            }
            m_received.clear();
            TearDown();
        }
    }
}

TEST_F(PacketAudit, EachDropHasItsReason)
{
    PortSpec small;
    small.limit = 20000;
    Overload(small, MilliSeconds(100));
    EXPECT_GT(Dropped(DropReason::QUEUE_FULL), 0U);
    EXPECT_GT(Dropped(DropReason::LINK_DOWN), 0U); // 20 kB waited at leaf0
    EXPECT_GE(Dropped(DropReason::ON_WIRE), 1U);
    EXPECT_LE(Dropped(DropReason::ON_WIRE), 2U * 3); // two falls, 1.8 packets a wire of 1 us
    EXPECT_GT(Dropped(DropReason::NO_ROUTE), 0U);
    EXPECT_EQ(Dropped(DropReason::TTL), 0U);
    m_fabric->GetHostPort(HostId{2})->Send(Create<Packet>(2000), Address(), 0x0800);
    EXPECT_EQ(Dropped(DropReason::REFUSED), 1U);
    EXPECT_EQ(SumDrops(m_fabric).Get(DropReason::REFUSED).bytes, 2000U);
    EXPECT_EQ(Complaints(), "");
}

TEST_F(PacketAudit, PausesLoseNothingAndAreAccountedFor)
{
    // Headroom for nothing: what comes while the pause is on its way is dropped, for that reason.
    PortSpec tight;
    tight.pfc = true;
    tight.pfcThreshold = 10000;
    tight.pfcHeadroom = 1;
    Overload(tight, MilliSeconds(100));
    EXPECT_GT(Dropped(DropReason::NO_HEADROOM), 0U);
    EXPECT_EQ(Dropped(DropReason::QUEUE_FULL), 0U);
    EXPECT_EQ(Complaints(), "");
}

TEST_F(PacketAudit, ASwitchThatLosesAPacketIsNamed)
{
    Simulator::Schedule(MicroSeconds(50), [this] {
        GetPort("leaf0", "spine0")->GetBank().Flush(); // out of its queue, and told to nobody
    });
    Overload(PortSpec(), MicroSeconds(90));
    const std::string said = Complaints();
    EXPECT_EQ(said.find("leaf0: received "), 0U) << said;
    EXPECT_NE(said.find("the fabric: has "), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
}

TEST_F(PacketAudit, ALinkThatLosesAPacketIsNamed)
{
    Simulator::Schedule(MicroSeconds(50), [this] {
        auto& bank = GetPort("leaf0", "spine0")->GetBank();
        bank.Pop(QueueScheduler::First(bank.GetView().nonEmpty)); // as if sent
    });
    Overload(PortSpec(), MicroSeconds(90));
    const std::string said = Complaints();
    EXPECT_EQ(said.find("the link from leaf0 to spine0: was given "), 0U) << said;
}

TEST_F(PacketAudit, ANicThatLosesAPacketIsNamed)
{
    Simulator::Schedule(MicroSeconds(50),
                        [this] { m_fabric->GetHostPort(HostId{1})->GetBank().Flush(); });
    Overload(PortSpec(), MicroSeconds(90));
    const std::string said = Complaints();
    EXPECT_EQ(said.find("h1: was offered "), 0U) << said;
}

TEST_F(PacketAudit, BytesCountAsWellAsPackets)
{
    Simulator::Schedule(MicroSeconds(50), [this] {
        GetPort("leaf0", "spine0")->GetBank().GetAccount(0).Remove(500, nullptr); // of no packet
        GetPort("leaf0", "spine0")->GetBank().GetAccount(0).Flush(500, nullptr);
    });
    Overload(PortSpec(), MicroSeconds(90));
    const std::string said = Complaints();
    EXPECT_NE(said.find("leaf0: "), std::string::npos) << said;
    EXPECT_NE(said.find(" bytes in its queues, counts "), std::string::npos) << said;
}

TEST_F(PacketAudit, WhatIsCreditedIsCountedAndNotAudited)
{
    Overload(PortSpec(), MicroSeconds(90));
    const auto port = GetPort("leaf0", "spine0");
    const QueueCounters before = port->GetCounters(1);
    const Time busy = port->GetBusyTime(1);
    ASSERT_GT(before.packets, 0U);
    port->Credit(1, {10, 15000, 2, NanoSeconds(120)}, 3);
    port->Credit(1, {1, 100, 0, NanoSeconds(1)}, 1);
    EXPECT_EQ(port->GetCounters(1).packets, before.packets + 31);
    EXPECT_EQ(port->GetCounters(1).bytes, before.bytes + 45100);
    EXPECT_EQ(port->GetCounters(1).marked, before.marked + 6);
    EXPECT_EQ(port->GetCounters(1).dropped, before.dropped);
    EXPECT_EQ(port->GetBusyTime(1), busy + NanoSeconds(361));
    EXPECT_EQ(port->GetCounters(2).packets, port->GetBank().GetAccount(2).GetCounters().packets);
    EXPECT_EQ(Complaints(), "");
}
