// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-queue-pair-table.h"
#include "ns3/ddl-roce-header.h"

#include <random>
#include <set>

namespace ns3::ddl
{
namespace
{

class RdmaNicTest : public TransportFixture
{
  protected:
    void BuildRdma(uint32_t hosts, const Attributes& attributes = {})
    {
        Build(SingleSwitch(hosts), attributes, {}, {}, "rdma");
    }

    /** Note opcode, whether an answer is asked for, and the number of each packet of h0. */
    void NoteOpcodes()
    {
        m_fabric->GetHostPort(HostId{0})->TraceConnectWithoutContext(
            "Dequeue",
            MakeCallback(&RdmaNicTest::Note, this));
    }

    void Note(Ptr<const Packet> packet, uint32_t queue)
    {
        uint8_t bytes[RoceHeader::MOST_BYTES] = {};
        packet->CopyData(bytes, sizeof(bytes));
        m_packets.push_back(RoceHeader::Read(bytes));
        m_bands.push_back(queue);
    }

    void Look(Ptr<const Packet> packet)
    {
        m_seen += packet->GetSize();
    }

    /**
     * 7 hosts send to one at once, past the marks and the limit.
     * \param look whether a sink at each port sees each packet
     * \return when each stream ended, and what each queue counted
     */
    std::vector<uint64_t> RunIncast(bool look)
    {
        PortSpec ports;
        ports.limit = 60000;
        ports.ecnThreshold = 15000;
        Build(SingleSwitch(8), {}, ports, {}, "rdma");
        for (const auto& port : m_fabric->GetPorts())
        {
            if (look)
            {
                port.device->TraceConnectWithoutContext("Sniffer",
                                                        MakeCallback(&RdmaNicTest::Look, this));
            }
        }
        std::vector<uint64_t> found;
        std::vector<Ptr<StreamPair>> streams;
        for (uint32_t from = 1; from < 8; ++from)
        {
            streams.push_back(Open(from, 0));
            streams.back()->Send(300000 + 777 * from, Then([&found] {
                                     found.push_back(Simulator::Now().GetTimeStep());
                                 }));
        }
        Simulator::Run();
        found.push_back(Simulator::GetEventCount());
        for (const auto& port : m_fabric->GetPorts())
        {
            for (uint32_t queue = 0; queue < port.device->GetQueues(); ++queue)
            {
                const QueueCounters& counters = port.device->GetCounters(queue);
                found.insert(found.end(),
                             {counters.packets,
                              counters.bytes,
                              counters.dropped,
                              counters.marked,
                              counters.maxBacklogBytes});
            }
        }
        EXPECT_GT(CountDrops(), 0U);
        EXPECT_GT(CountMarks(), 0U);
        streams.clear();
        TearDown();
        return found;
    }

    std::vector<RoceFields> m_packets;
    std::vector<uint32_t> m_bands;
    uint64_t m_seen{0}; //!< bytes
};

/** Packets that are seen exist; the others are frames. Both fare alike. */
TEST_F(RdmaNicTest, LookingAtPacketsChangesNothing)
{
    const auto unseen = RunIncast(false);
    EXPECT_EQ(m_seen, 0U);
    EXPECT_EQ(RunIncast(true), unseen);
    EXPECT_GT(m_seen, 7 * 300000U);
}

TEST_F(RdmaNicTest, MessagesAreCutIntoFirstMiddleLastAndOnly)
{
    BuildRdma(2);
    NoteOpcodes();
    At(Seconds(1), [this] {
        const auto stream = Open(0, 1);
        for (const uint64_t bytes : {1, 1456, 1457, 2912, 2913, 5824})
        {
            stream->Send(bytes, {});
        }
    });
    Simulator::Run();
    const std::vector<int> expected{4, 4, 0, 2, 0, 2, 0, 1, 2, 0, 1, 1, 2};
    ASSERT_EQ(m_packets.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(m_packets[i].opcode, expected[i]) << i;
        EXPECT_EQ(m_packets[i].psn, i);
        EXPECT_EQ(m_packets[i].round, 0);
        if (i % 4 == 3 || i == 12) // each fourth, and the last
        {
            EXPECT_TRUE(m_packets[i].ackRequest) << i;
        }
    }
}

TEST_F(RdmaNicTest, EqualPairsTakeTurnsPacketByPacket)
{
    BuildRdma(4);
    std::vector<Ptr<StreamPair>> streams;
    At(Seconds(1), [&] {
        for (uint32_t to = 1; to < 4; ++to)
        {
            streams.push_back(Open(0, to));
            streams.back()->Send(uint64_t{1} << 40, {});
        }
    });
    for (int ms = 1; ms < 10; ++ms)
    {
        At(Seconds(1) + MilliSeconds(ms), [&] {
            const auto [least, most] = std::minmax({streams[0]->GetDeliveredBytes(),
                                                    streams[1]->GetDeliveredBytes(),
                                                    streams[2]->GetDeliveredBytes()});
            EXPECT_GT(least, 0U);
            // one packet, and the one that the first sent before it had company
            EXPECT_LE(most - least, 2 * 1456U);
        });
    }
    Simulator::Stop(Seconds(1) + MilliSeconds(10));
    Simulator::Run();
}

TEST_F(RdmaNicTest, AHigherBandWaitsForOnePacketAtMost)
{
    BuildRdma(4);
    At(Seconds(1), [this] {
        for (uint32_t to = 1; to < 4; ++to)
        {
            Open(0, to, Mark{5, 5})->Send(uint64_t{1} << 40, {});
        }
    });
    int delivered = 0;
    for (int i = 1; i <= 50; ++i)
    {
        At(Seconds(1) + NanoSeconds(100777 * i), [&] {
            const Time sent = Simulator::Now();
            Open(0, 1, Mark{2, 2})->Send(1456, Then([&, sent] {
                                             // one packet of the lower band at the NIC, one at the
                                             // switch, and its own way
                                             const int64_t ns =
                                                 (Simulator::Now() - sent).GetNanoSeconds();
                                             EXPECT_GE(ns, 4460);
                                             EXPECT_LE(ns, 4461 + 2 * 1231);
                                             ++delivered;
                                         }));
        });
    }
    Simulator::Stop(Seconds(1) + MilliSeconds(10));
    Simulator::Run();
    EXPECT_EQ(delivered, 50);
}

TEST_F(RdmaNicTest, RemarkingMovesWhatIsPostedAndLeavesNothingBehind)
{
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        BuildRdma(5, {{"CongestionControl", seed % 2 == 0 ? "dctcp" : "dcqcn"}});
        std::mt19937 random(seed);
        std::vector<Ptr<StreamPair>> streams;
        At(Seconds(1), [&] {
            for (uint32_t i = 0; i < 12; ++i)
            {
                streams.push_back(Open(i % 2, 2 + i % 3));
                streams.back()->Send(1 + random() % 2000000, {});
            }
        });
        for (int i = 0; i < 2000; ++i)
        {
            const Mark mark{static_cast<uint8_t>(random() % 8), static_cast<uint8_t>(random() % 8)};
            const auto which = random() % 12;
            const auto end =
                random() % 3 == 0 ? StreamPair::End::DESTINATION : StreamPair::End::SOURCE;
            At(Seconds(1) + NanoSeconds(1 + random() % 10000000),
               [&streams, which, mark, end] { streams[which]->SetMark(end, mark); });
        }
        Simulator::Run();
        for (const auto& stream : streams)
        {
            EXPECT_TRUE(stream->IsIdle());
            EXPECT_EQ(stream->GetDeliveredBytes(), stream->GetSentBytes());
        }
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
        streams.clear();
        TearDown();
    }
}

TEST_F(RdmaNicTest, AMarkIsOnTheNextPacket)
{
    BuildRdma(2, {{"CongestionControl", "fixed"}});
    NoteOpcodes();
    At(Seconds(1), [this] {
        const auto stream = Open(0, 1, Mark{6, 6});
        stream->Send(100 * 1456, {});
        Simulator::Schedule(NanoSeconds(20000), [stream] {
            stream->SetMark(StreamPair::End::SOURCE, Mark{3, 3});
        });
    });
    Simulator::Run();
    // 20,000 / 1230.4 = 16.3: the 17th is on the wire
    ASSERT_GE(m_bands.size(), 100U);
    EXPECT_EQ(m_bands[16], 6U);
    EXPECT_EQ(m_bands[17], 3U);
}

TEST_F(RdmaNicTest, RefusesWhatHasNoSense)
{
    EXPECT_THROW(BuildRdma(2, {{"CongestionControl", "dctpc"}}), InputError);
    TearDown();
    EXPECT_THROW(BuildRdma(2, {{"MaxTimeout", "1us"}}), InputError);
    TearDown();
    TopologySpec slow = SingleSwitch(2);
    slow.hostRate = DataRate("1Mbps"); // below DCQCN's least rate, said before anything runs
    EXPECT_THROW(Build(slow, {{"CongestionControl", "dcqcn"}}, {}, {}, "rdma"), InputError);
    TearDown();
    HostSpec hosts;
    hosts.bands = 2;
    Build(SingleSwitch(2), {}, {}, hosts, "rdma");
    At(Seconds(1), [this] {
        EXPECT_THROW(Open(0, 1, Mark{2, 1}), InputError);
        const auto stream = Open(0, 1, Mark{1, 63});
        EXPECT_THROW(stream->SetMark(StreamPair::End::DESTINATION, Mark{7, 1}), InputError);
    });
    Simulator::Run();
}

TEST(QueuePairTableTest, NumbersOfTheGoneFindNothing)
{
    QueuePairTable<int> table;
    int value = 0;
    std::set<uint32_t> seen;
    for (int i = 0; i < 10000; ++i)
    {
        const uint32_t number = table.Add(&value);
        EXPECT_LT(number, 1U << 24);
        EXPECT_GE(number, 2U) << "0 and 1 are management queue pairs";
        EXPECT_TRUE(seen.insert(number).second) << "given twice";
        EXPECT_EQ(table.Find(number), &value);
        table.Remove(number);
        EXPECT_EQ(table.Find(number), nullptr);
    }
    EXPECT_EQ(table.Find(0xffffff), nullptr);
}

} // namespace
} // namespace ns3::ddl
