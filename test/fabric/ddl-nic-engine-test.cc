// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-host-address.h"
#include "ns3/ipv4-header.h"

#include <array>
#include <set>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t PACKET_BYTES = 1000;

/** Makes packets from the IPv4 header in their frames, and counts them. */
class CountingFormat : public PacketFormat
{
  public:
    Ptr<Packet> MakePacket(const Frame& frame) const override
    {
        ++m_made;
        auto packet = Create<Packet>(frame.header.data(), HEADER_BYTES);
        packet->AddAtEnd(Create<Packet>(frame.bytes - HEADER_BYTES));
        return packet;
    }

    static constexpr uint32_t HEADER_BYTES = 20;
    mutable uint32_t m_made{0};
};

/** An engine that has so many packets of 1000 bytes left to send in each band. */
class CountingEngine : public NicEngine
{
  public:
    CountingEngine(Ptr<HostPort> port, uint32_t destination)
        : m_port(port),
          m_destination(destination)
    {
    }

    void Offer(uint32_t band, uint32_t packets)
    {
        m_left[band] += packets;
        m_offer |= 1U << band;
        m_port->NotifyOffer(Simulator::Now());
    }

    Frame* Make(uint32_t band)
    {
        Ipv4Header header;
        header.SetSource(HostToAddress(0));
        header.SetDestination(HostToAddress(m_destination));
        header.SetPayloadSize(PACKET_BYTES - header.GetSerializedSize());
        header.SetTtl(64);
        Frame* frame = m_port->TakeFrame(Simulator::Now());
        auto packet = Create<Packet>(PACKET_BYTES - header.GetSerializedSize());
        packet->AddHeader(header);
        if (m_format)
        {
            packet->CopyData(frame->header.data(), header.GetSerializedSize());
            frame->format = m_format;
        }
        else
        {
            frame->packet = packet;
        }
        frame->bytes = PACKET_BYTES;
        frame->destination = m_destination;
        frame->queue = static_cast<uint8_t>(band);
        frame->ttl = 64;
        frame->offloaded = true;
        return frame;
    }

    Frame* Pull(uint32_t band, Time /* now */) override
    {
        EXPECT_GT(m_left[band], 0U) << "pulled though nothing was offered";
        if (--m_left[band] == 0)
        {
            m_offer &= ~(1U << band);
        }
        return Make(band);
    }

    void SetPaused(uint64_t /* codepoints */) override
    {
    }

    void Receive(const Frame& frame) override
    {
        EXPECT_EQ(frame.bytes, 1000U);
        ++m_received;
    }

    Ptr<HostPort> m_port;
    const PacketFormat* m_format{nullptr}; //!< null: packets are made at once
    uint32_t m_destination;
    std::array<uint32_t, MAX_QUEUES> m_left{};
    uint32_t m_received{0};
};

/** Two hosts; at the NIC of h0 what leaves is noted: 'e' of the engine or 's' of the stack, band.
 */
class NicEngineTest : public FabricTest
{
  protected:
    static constexpr uint32_t STACK_BYTES = 1001; // to tell them from the engine's

    void SetUp() override
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(2));
        Build(topology);
        m_nic = m_fabric->GetHostPort(HostId{0});
        m_engine = std::make_unique<CountingEngine>(m_nic, 1);
        m_far = std::make_unique<CountingEngine>(m_fabric->GetHostPort(HostId{1}), 0);
        m_nic->SetEngine(m_engine.get());
        m_fabric->GetHostPort(HostId{1})->SetEngine(m_far.get());
        m_nic->TraceConnectWithoutContext("Dequeue", MakeCallback(&NicEngineTest::Note, this));
        Listen(1);
    }

    void TearDown() override
    {
        m_nic->SetEngine(nullptr);
        m_fabric->GetHostPort(HostId{1})->SetEngine(nullptr);
        m_nic = nullptr;
        m_engine->m_port = nullptr;
        m_far->m_port = nullptr;
        FabricTest::TearDown();
    }

    void StopNoting()
    {
        m_nic->TraceDisconnectWithoutContext("Dequeue", MakeCallback(&NicEngineTest::Note, this));
    }

    void Note(Ptr<const Packet> packet, uint32_t queue)
    {
        m_order += packet->GetSize() == STACK_BYTES ? 's' : 'e';
        m_order += std::to_string(queue);
        m_times.push_back(Simulator::Now());
    }

    /** \param band 1 to 7: that of the socket's priority */
    void SendFromStack(uint8_t band, uint32_t count)
    {
        Datagrams what;
        what.bytes = STACK_BYTES;
        what.count = count;
        what.priority = band;
        what.fromPort = m_nextPort++;
        Send(what);
    }

    void At(Time when, std::function<void()> what)
    {
        Simulator::Schedule(when, &NicEngineTest::Call, what);
    }

    static void Call(std::function<void()> what)
    {
        what();
    }

    Ptr<HostPort> m_nic;
    std::unique_ptr<CountingEngine> m_engine;
    std::unique_ptr<CountingEngine> m_far;
    std::string m_order;
    std::vector<Time> m_times;
    uint16_t m_nextPort{1000};
};

TEST_F(NicEngineTest, SendsBackToBackAndIsCounted)
{
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 1000); });
    Simulator::Run();
    ASSERT_EQ(m_times.size(), 1000U);
    // 999 packets of 1038 bytes at 10 Gbps, 830.4 ns each, before the last one starts
    EXPECT_NEAR((m_times.back() - m_times.front()).GetNanoSeconds(), 999 * 830.4, 1);
    EXPECT_EQ(m_nic->GetCounters(3).packets, 1000U);
    EXPECT_EQ(m_nic->GetCounters(3).bytes, 1000U * 1000);
    EXPECT_EQ(m_nic->GetBusyTime(3), NanoSeconds(830400));
    EXPECT_EQ(m_nic->GetCounters(3).marked, 0U) << "nothing waits at the NIC";
    EXPECT_EQ(m_far->m_received, 1000U);
    EXPECT_EQ(m_received.size(), 0U);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST_F(NicEngineTest, AHigherBandWaitsForOnePacketAtMost)
{
    At(MicroSeconds(1), [&] { m_engine->Offer(5, 1000000); });
    At(MicroSeconds(100), [&] { m_engine->Offer(2, 3); });
    At(MicroSeconds(103), [&] { m_engine->Offer(1, 1); });
    Simulator::Stop(MicroSeconds(110));
    Simulator::Run();
    const auto first = m_order.find("e2");
    // 99 us after the start the 120th packet (119.2) is on the wire; the next one is of band 2.
    EXPECT_EQ(first, 2 * 120U);
    EXPECT_EQ(m_order.substr(first, 12), "e2e2e2e1e5e5") << "102 us: the 123rd, until 102.1";
}

TEST_F(NicEngineTest, StackAndEngineShareByBandAndTakeTurnsWithinOne)
{
    At(MicroSeconds(1), [&] { m_engine->Offer(4, 5); });
    SendFromStack(4, 5); // 1 us, too
    SendFromStack(3, 2);
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 3); });
    Simulator::Run();
    // The first finds the wire free; then band 3 before band 4, each in turns until one is empty.
    EXPECT_EQ(m_order.size(), 2 * 15U);
    const std::string band3 = m_order.substr(2, 10);
    EXPECT_TRUE(band3 == "e3s3e3s3e3" || band3 == "s3e3s3e3e3") << m_order;
    const std::string band4 = m_order.substr(12);
    EXPECT_TRUE(band4.find("s4s4") == std::string::npos && band4.find("e4e4") == std::string::npos)
        << m_order;
    EXPECT_EQ(m_received.size(), 7U) << "packets of the stack go to the stack";
    EXPECT_EQ(m_far->m_received, 8U);
}

/** Acknowledgements in a higher band must not take away the stack's turns in a lower one. */
TEST_F(NicEngineTest, TurnsOfABandAreItsOwn)
{
    SendFromStack(4, 50);
    At(MicroSeconds(1), [&] { m_engine->Offer(4, 50); });
    for (int i = 0; i < 50; ++i) // one in band 0 behind each other packet, queued
    {
        At(NanoSeconds(1100 + 1661 * i), [&] { m_nic->SendFrame(m_engine->Make(0)); });
    }
    Simulator::Run();
    std::string band4;
    for (std::size_t at = 0; at < m_order.size(); at += 2)
    {
        band4 += m_order[at + 1] == '4' ? m_order.substr(at, 1) : "";
    }
    ASSERT_EQ(band4.size(), 100U);
    EXPECT_EQ(band4.find("ss"), std::string::npos) << band4;
    EXPECT_EQ(band4.find("ee"), std::string::npos) << band4;
}

TEST_F(NicEngineTest, AFallenLinkPullsNothingAndComesBack)
{
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 100); });
    At(MicroSeconds(20), [&] { m_fabric->SetLinkUp("h0", "switch0", false); });
    At(MicroSeconds(25), [&] { m_engine->Offer(1, 10); });
    At(MicroSeconds(500), [&] {
        // 19 us: 23 of 830.4 ns have been started
        EXPECT_EQ(m_times.size(), 23U);
        m_fabric->SetLinkUp("h0", "switch0", true);
    });
    Simulator::Run();
    EXPECT_EQ(m_times.size(), 110U);
    EXPECT_EQ(m_order.substr(2 * 23, 22), "e1e1e1e1e1e1e1e1e1e1e3");
    EXPECT_EQ(m_far->m_received + m_nic->GetCounters(3).dropped, 110U);
    EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
}

TEST_F(NicEngineTest, NoPacketIsMadeWhereNobodyLooks)
{
    const CountingFormat format;
    m_engine->m_format = &format;
    StopNoting();
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 100); });
    Simulator::Run();
    EXPECT_EQ(m_far->m_received, 100U);
    EXPECT_EQ(m_times.size(), 0U) << "the sink was disconnected";
    EXPECT_EQ(format.m_made, 0U);
}

/** What sinks on the way are given is one packet, with its header as it is where they look. */
TEST_F(NicEngineTest, APacketIsMadeOnceHoweverManyLook)
{
    const CountingFormat format;
    m_engine->m_format = &format;
    std::array<std::set<uint64_t>, 2> uids;
    std::array<std::set<uint32_t>, 2> ttls;
    const std::array<Ptr<HostPort>, 2> ports{m_nic, m_fabric->GetHostPort(HostId{1})};
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        ports[i]->TraceConnectWithoutContext(
            "Sniffer",
            Callback<void, Ptr<const Packet>>([&, i](Ptr<const Packet> packet) {
                Ipv4Header header;
                packet->PeekHeader(header);
                EXPECT_EQ(packet->GetSize(), PACKET_BYTES);
                uids[i].insert(packet->GetUid());
                ttls[i].insert(header.GetTtl());
            }));
    }
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 100); });
    Simulator::Run();
    EXPECT_EQ(m_times.size(), 100U);
    EXPECT_EQ(format.m_made, 100U);
    EXPECT_EQ(uids[0].size(), 100U);
    EXPECT_EQ(uids[0], uids[1]);
    EXPECT_EQ(ttls[0], std::set<uint32_t>{64});
    EXPECT_EQ(ttls[1], std::set<uint32_t>{63}) << "one switch on the way";
}

TEST_F(NicEngineTest, TakenOutItIsLeftAlone)
{
    At(MicroSeconds(1), [&] { m_engine->Offer(3, 100); });
    At(MicroSeconds(20), [&] { m_nic->SetEngine(nullptr); });
    Simulator::Run();
    EXPECT_EQ(m_times.size(), 23U);
}

TEST_F(NicEngineTest, ThereIsOneEngine)
{
    CountingEngine other(m_nic, 1);
    EXPECT_DEATH(m_nic->SetEngine(&other), "a NIC has one engine");
}

TEST_F(NicEngineTest, MarksAreChecked)
{
    EXPECT_NO_THROW(m_nic->CheckMark(Mark{7, 63}));
    EXPECT_THROW(m_nic->CheckMark(Mark{8, 1}), InputError);
    EXPECT_THROW(m_nic->CheckMark(Mark{1, 64}), InputError);
}

} // namespace
