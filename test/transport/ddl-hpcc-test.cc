// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-base-round-trip.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-hpcc-rdma-congestion-control.h"
#include "ns3/ddl-packet-audit.h"
#include "ns3/ddl-path-telemetry.h"
#include "ns3/ddl-roce-header.h"
#include "ns3/ddl-switch-port.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <optional>
#include <random>
#include <sstream>

namespace ns3::ddl
{
namespace
{

const std::vector<DataRate> RATES{DataRate("25Gbps"), DataRate("100Gbps")};

TEST(PathTelemetryTest, RecordsComeBackInTheirUnits)
{
    std::array<uint8_t, PathTelemetry::BYTES> bytes{};
    // At 100 Gbps four times the units of 25 Gbps: 512 bytes sent, 320 bytes of backlog.
    PathTelemetry::Write(bytes.data(), {1, 0x123, 5000, 1'000'000, 64'000}, RATES[1]);
    PathTelemetry::Write(bytes.data(), {0, 0x456, 6000, 1'000'000, 64'000}, RATES[0]);
    const auto read = PathTelemetry::Read(bytes.data(), RATES);
    EXPECT_EQ(read.hops, 2U);
    EXPECT_EQ(read.path, 0x123U ^ 0x456U);
    EXPECT_EQ(read.hop[0].rate, RATES[1]);
    EXPECT_EQ(read.hop[0].time, 5000U);
    EXPECT_EQ(read.hop[0].sent, 1'000'000U / 512);
    EXPECT_EQ(read.hop[0].backlog, 64'000U);
    EXPECT_EQ(read.hop[1].rate, RATES[0]);
    EXPECT_EQ(read.hop[1].sent, 1'000'000U / 128);
    EXPECT_EQ(read.hop[1].backlog, 64'000U);
}

TEST(PathTelemetryTest, CountersWrapAndBacklogsDoNot)
{
    std::array<uint8_t, PathTelemetry::BYTES> first{};
    std::array<uint8_t, PathTelemetry::BYTES> second{};
    const uint64_t wrap = uint64_t{128} << 20; // bytes after which the counter of 25 Gbps is 0
    PathTelemetry::Write(first.data(), {0, 1, (1 << 24) - 100, wrap - 1280, 0}, RATES[0]);
    PathTelemetry::Write(second.data(), {0, 1, (1 << 24) + 300, wrap + 2560, wrap}, RATES[0]);
    const auto before = PathTelemetry::Read(first.data(), RATES).hop[0];
    const auto now = PathTelemetry::Read(second.data(), RATES).hop[0];
    EXPECT_EQ(now.TimeSince(before), 400U);
    EXPECT_EQ(now.SentSince(before), 3840U);
    EXPECT_EQ(now.backlog, 65535U * 80);
}

TEST(PathTelemetryTest, TheSixthSwitchOnlyCounts)
{
    std::array<uint8_t, PathTelemetry::BYTES> bytes{};
    for (uint16_t i = 1; i <= 20; ++i)
    {
        PathTelemetry::Write(bytes.data(), {0, i, 100 * i, 0, 0}, RATES[0]);
        const auto read = PathTelemetry::Read(bytes.data(), RATES);
        EXPECT_EQ(read.hops, std::min<uint32_t>(i, 15));
        EXPECT_EQ(read.GetRecords(), std::min<uint32_t>(i, 5));
    }
    EXPECT_EQ(PathTelemetry::Read(bytes.data(), RATES).hop[4].time, 500U);
}

/** The authors' UpdateRateHp and HandleAckHp (rdma-hw.cc) with one rate, in their own terms. */
class AuthorsHpcc
{
  public:
    struct Int
    {
        double ns;
        double bytes;
        double backlog;
    };

    void OnAck(uint64_t acknowledged, uint64_t next, const std::vector<Int>& hops)
    {
        const bool isFull = acknowledged > m_lastUpdate;
        if (m_lastUpdate == 0)
        {
            m_lastUpdate = next;
            m_hops = hops;
            return;
        }
        double most = 0;
        double dt = 0;
        for (std::size_t i = 0; i < hops.size(); ++i)
        {
            const double tau = hops[i].ns - m_hops[i].ns;
            const double rate = (hops[i].bytes - m_hops[i].bytes) * 8 / (tau * 1e-9);
            const double window = LINE * T / 8;
            const double u = rate / LINE + std::min(hops[i].backlog, m_hops[i].backlog) / window;
            if (u > most)
            {
                most = u;
                dt = tau * 1e-9;
            }
            m_hops[i] = hops[i];
        }
        dt = std::min(dt, T);
        m_u = (m_u * (T - dt) + most * dt) / T;
        const double c = m_u / 0.95;
        const bool isCut = c >= 1 || m_stage >= m_threshold;
        const double rate = std::clamp((isCut ? m_current / c : m_current) + 40e6, 100e6, LINE);
        m_rate = rate;
        if (isFull)
        {
            m_current = rate;
            m_stage = isCut ? 0 : m_stage + 1;
            m_lastUpdate = std::max(m_lastUpdate, next);
        }
    }

    static constexpr double LINE = 100e9;
    static constexpr double T = 10e-6;
    int m_threshold{0};
    double m_rate{LINE};

  private:
    double m_u{1};
    double m_current{LINE};
    int m_stage{0};
    uint64_t m_lastUpdate{0};
    std::vector<Int> m_hops;
};

TEST(HpccTest, DoesWhatTheAuthorsSimulatorDoes)
{
    for (const int threshold : {0, 5})
    {
        AuthorsHpcc authors;
        authors.m_threshold = threshold;
        const auto ours = CreateObject<HpccRdmaCongestionControl>();
        ours->SetAttribute("MaxStage", UintegerValue(static_cast<uint32_t>(threshold)));
        RdmaCongestionControl::Path path;
        path.lineRate = DataRate("100Gbps");
        path.packetBytes = 1500;
        ours->Start(path);
        std::mt19937 random(3);
        std::vector<AuthorsHpcc::Int> hops(3, {1000, 0, 0});
        double least = AuthorsHpcc::LINE;
        for (uint64_t psn = 1; psn < 20000; ++psn)
        {
            PathTelemetry telemetry;
            telemetry.hops = 3;
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                const double ns = 200 + random() % 2000;
                hops[i].ns += ns;
                hops[i].bytes += 512 * (random() % static_cast<uint64_t>(ns * 25 / 512 + 1));
                hops[i].backlog = 320.0 * (random() % 5 == 0 ? random() % 500 : 0);
                telemetry.hop[i].rate = RATES[1];
                telemetry.hop[i].time =
                    static_cast<uint32_t>(static_cast<uint64_t>(hops[i].ns) % (1U << 24));
                telemetry.hop[i].sent =
                    static_cast<uint32_t>(static_cast<uint64_t>(hops[i].bytes) / 512 % (1U << 20));
                telemetry.hop[i].backlog = static_cast<uint64_t>(hops[i].backlog);
            }
            RdmaAck ack;
            ack.packets = 1;
            ack.acknowledged = psn;
            ack.next = psn + 20;
            ack.now = NanoSeconds(static_cast<uint64_t>(hops[0].ns));
            ack.path = &telemetry;
            ours->OnAck(ack);
            authors.OnAck(psn, psn + 20, hops);
            ASSERT_NEAR(ours->GetRate(), authors.m_rate, 1e-6 * authors.m_rate) << psn;
            const auto window = static_cast<uint32_t>(std::ceil(ours->GetRate() * 10e-6 / 12000));
            ASSERT_EQ(ours->GetWindow(), window);
            least = std::min(least, authors.m_rate);
        }
        EXPECT_LT(least, 0.1 * AuthorsHpcc::LINE) << "the rates differ enough to compare them";
    }
}

TEST(HpccTest, OtherPathsAndOldRecordsAreNotCompared)
{
    const auto control = CreateObject<HpccRdmaCongestionControl>();
    RdmaCongestionControl::Path path;
    path.lineRate = RATES[1];
    path.packetBytes = 1500;
    control->Start(path);
    PathTelemetry telemetry;
    telemetry.hops = 1;
    telemetry.path = 7;
    telemetry.hop[0].rate = RATES[1];
    RdmaAck ack;
    ack.path = &telemetry;
    const auto see = [&](int64_t us, uint32_t named, uint32_t sent) {
        telemetry.path = named;
        telemetry.hop[0].time = static_cast<uint32_t>(us * 1000 % (1 << 24));
        telemetry.hop[0].sent = sent;
        telemetry.hop[0].backlog = 1'000'000;
        ack.now = MicroSeconds(us);
        ack.acknowledged += 1;
        ack.next = ack.acknowledged;
        control->OnAck(ack);
        return control->GetRate();
    };
    see(10, 7, 0);
    EXPECT_EQ(see(20, 8, 100), 100e9) << "another path";
    EXPECT_EQ(see(17000, 8, 200), 100e9) << "17 ms later";
    EXPECT_LT(see(17010, 8, 300), 100e9);
}

/** Flows through one switch, or two tiers, of 100 Gbps. */
class HpccNetwork : public TransportFixture
{
  protected:
    static constexpr double RATE = 100e9;

    static TopologySpec Star(uint32_t hosts)
    {
        TopologySpec topology = SingleSwitch(hosts);
        topology.hostRate = DataRate("100Gbps");
        return topology;
    }

    void BuildHpcc(const TopologySpec& topology, Attributes attributes = {})
    {
        PortSpec ports;
        ports.pfc = true;
        attributes.emplace_back("CongestionControl", "hpcc");
        Build(topology, attributes, ports, {}, "rdma");
    }

    Ptr<Port> GetReceiverPort() const
    {
        return m_fabric->GetPort("switch0", "h0");
    }

    static double CountWire(const Ptr<Port>& port)
    {
        double bytes = 0;
        for (uint32_t queue = 0; queue < port->GetQueues(); ++queue)
        {
            const QueueCounters& counters = port->GetCounters(queue);
            bytes += static_cast<double>(counters.bytes + 38 * counters.packets);
        }
        return bytes;
    }

    static uint64_t CountBacklog(const Ptr<Port>& port)
    {
        uint64_t bytes = 0;
        for (uint32_t queue = 0; queue < port->GetQueues(); ++queue)
        {
            bytes += port->GetBacklog(queue);
        }
        return bytes;
    }

    void ExpectBalance() const
    {
        for (const auto& imbalance : AuditPackets(m_fabric))
        {
            ADD_FAILURE() << imbalance.device << ": " << imbalance.what;
        }
    }
};

/** What senders are told of a port beside its use: the lesser backlog of successive records of a
 * flow, weighted by the time between them, as U is. */
class BacklogShare
{
  public:
    explicit BacklogShare(Ptr<Port> port)
        : m_port(port)
    {
        port->TraceConnectWithoutContext("Dequeue", MakeCallback(&BacklogShare::NotePacket, this));
    }

    /** \return mean bytes that count */
    double GetMean() const
    {
        return m_sum / m_weight;
    }

  private:
    void NotePacket(Ptr<const Packet> packet, uint32_t /* queue */)
    {
        std::array<uint8_t, RoceHeader::MOST_BYTES> header{};
        packet->CopyData(header.data(), header.size());
        const uint32_t flow = RoceHeader::Read(header.data()).source;
        const double now = Simulator::Now().GetSeconds();
        double backlog = 0;
        for (uint32_t queue = 0; queue < m_port->GetQueues(); ++queue)
        {
            backlog += static_cast<double>(m_port->GetBacklog(queue));
        }
        const auto last = m_last.find(flow);
        if (last != m_last.end())
        {
            m_sum += (now - last->second.first) * std::min(backlog, last->second.second);
            m_weight += now - last->second.first;
        }
        m_last[flow] = {now, backlog};
    }

    Ptr<Port> m_port;
    std::map<uint32_t, std::pair<double, double>> m_last; //!< time and backlog, by source
    double m_sum{0};
    double m_weight{0};
};

/**
 * In the fixed point R = R eta / U + R_AI, with N R = U B: U = eta + N R_AI / B, where R_AI is 40
 * Mbps. N = 125 make U = 1. Links of 5 us: 258 kB are on their way, several packets per flow. Flows
 * that begin in one instant would keep step, and send in bursts.
 */
TEST_F(HpccNetwork, EqualFlowsSettleAtTheTargetAndTheirIncreases)
{
    constexpr int SAMPLES = 4000; // us
    for (const uint32_t flows : {1, 2, 8, 32, 64, 100})
    {
        SCOPED_TRACE(flows);
        TopologySpec topology = Star(flows + 1);
        topology.delay = MicroSeconds(flows > 32 ? 20 : 5);
        BuildHpcc(topology, {{"AckInterval", "1"}});
        std::vector<Ptr<StreamPair>> streams;
        std::mt19937 random(flows);
        for (uint32_t source = 1; source <= flows; ++source)
        {
            At(Seconds(1) + NanoSeconds(random() % 100'000), [&, source] {
                streams.push_back(Open(source, 0));
                streams.back()->Send(uint64_t{1} << 40, {});
            });
        }
        double before = 0;
        uint64_t longest = 0;
        double waits = 0;
        std::vector<uint64_t> delivered;
        std::optional<BacklogShare> share;
        const Time from = Seconds(1) + MilliSeconds(10);
        At(from, [&] {
            share.emplace(GetReceiverPort());
            before = CountWire(GetReceiverPort());
            for (const auto& stream : streams)
            {
                delivered.push_back(stream->GetDeliveredBytes());
            }
        });
        for (int us = 1; us < SAMPLES; ++us)
        {
            At(from + MicroSeconds(us), [&] {
                const uint64_t backlog = CountBacklog(GetReceiverPort());
                longest = std::max(longest, backlog);
                waits += static_cast<double>(backlog) / SAMPLES;
            });
        }
        Simulator::Stop(from + MicroSeconds(SAMPLES));
        Simulator::Run();
        const double use = (CountWire(GetReceiverPort()) - before) * 8 / (RATE * SAMPLES * 1e-6);
        const double increases = flows * 40e6 / RATE;
        // U is the use, and what waits as part of the bytes that fit into a round trip.
        const double counted =
            share->GetMean() * 8 / (RATE * FindBaseRoundTrip(*m_fabric).time.GetSeconds());
        EXPECT_NEAR(use + counted - 0.95, increases, 0.15 * increases);
        EXPECT_LT(use - 0.95, 1.02 * increases);
        // "No queue": six packets in the mean, 20 at most, of 171 (or 690) on their way.
        EXPECT_LE(waits, 6 * 1500);
        EXPECT_LE(longest, 20U * 1500);
        EXPECT_EQ(CountDrops(), 0U);
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < flows; ++i)
        {
            const auto bytes = static_cast<double>(streams[i]->GetDeliveredBytes() - delivered[i]);
            sum += bytes;
            squares += bytes * bytes;
        }
        const double fairness = sum * sum / (squares * flows);
        // Differences shrink by 1 - N R_AI / B per round trip: by e in 2500 / N round trips.
        if (flows >= 32)
        {
            EXPECT_GE(fairness, 0.95);
        }
        std::ostringstream said;
        said << use << " + " << counted << " of " << 0.95 + increases << ", mean queue " << waits
             << ", longest " << longest << ", Jain's index " << fairness;
        RecordProperty("flows" + std::to_string(flows), said.str());
        streams.clear();
        TearDown();
    }
}

/**
 * 16 hosts send 500 kB each to one, with priority flow control: 8 MB take 664 us at 100 Gbps in
 * packets of 1414 bytes that are 1538 on the wire.
 */
TEST_F(HpccNetwork, IncastNeedsNoPausesAndSoonHasNoQueue)
{
    std::map<std::string, uint64_t> pauses;
    std::map<std::string, uint64_t> queues; // bytes, after 300 us
    std::map<std::string, double> last;     // us
    for (const std::string control : {"hpcc", "swift", "dctcp", "dcqcn"})
    {
        PortSpec ports;
        ports.pfc = true;
        ports.ecnThreshold = 400'000;
        Build(Star(17), {{"CongestionControl", control}}, ports, {}, "rdma");
        double mean = 0;
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source < 17; ++source)
            {
                Open(source, 0)->Send(500000, Then([&] {
                                          const Time passed = Simulator::Now() - Seconds(1);
                                          last[control] = passed.GetSeconds() * 1e6;
                                          mean += last[control] / 16;
                                      }));
            }
        });
        uint64_t& late = queues[control];
        uint64_t most = 0;
        for (int us = 0; us < 5000; ++us)
        {
            At(Seconds(1) + MicroSeconds(us), [&, us] {
                const uint64_t backlog = CountBacklog(GetReceiverPort());
                most = std::max(most, backlog);
                late = us > 300 ? std::max(late, backlog) : 0;
            });
        }
        Simulator::Run();
        for (const auto& port : m_fabric->GetPorts())
        {
            const auto device = DynamicCast<SwitchPort>(port.device);
            pauses[control] += device ? device->GetPauses() : 0;
        }
        EXPECT_EQ(CountDrops(), 0U) << control;
        std::ostringstream said;
        said << "mean " << mean << " us, last " << last[control] << " us, queue " << most
             << " bytes, after 300 us " << late << ", pauses " << pauses[control];
        RecordProperty(control, said.str());
        TearDown();
    }
    EXPECT_EQ(pauses["hpcc"], 0U);
    EXPECT_GT(pauses["dcqcn"], 0U);
    EXPECT_LT(queues["hpcc"], 0.1 * static_cast<double>(queues["dcqcn"]));
    EXPECT_NEAR(last["hpcc"], 664 / 0.95, 0.1 * 664);
}

TEST_F(HpccNetwork, RecordsCostFortyTwoBytesOfEachPacketAndNothingElsewhere)
{
    for (const std::string control : {"hpcc", "swift", "dctcp"})
    {
        SCOPED_TRACE(control);
        TopologySpec topology = Star(2);
        topology.mtu = 9000;
        Build(topology, {{"CongestionControl", control}}, {}, {}, "rdma");
        Ptr<StreamPair> stream;
        At(Seconds(1), [&] {
            stream = Open(1, 0);
            stream->Send(8956 * 10, {});
        });
        Simulator::Run();
        // 44 bytes beside the payload: 10 packets carry 10 x 8956 bytes if nothing else is there.
        const uint32_t beside = control == "hpcc" ? 42 : control == "swift" ? 8 : 0;
        const uint32_t packets = beside > 0 ? 11 : 10;
        const auto counters = m_fabric->GetPort("switch0", "h0")->GetCounters(DATA.band);
        EXPECT_EQ(counters.packets, packets);
        EXPECT_EQ(counters.bytes, 8956U * 10 + packets * (44 + beside));
        const auto answers = m_fabric->GetPort("switch0", "h1")->GetCounters(DATA.band);
        EXPECT_EQ(answers.bytes, answers.packets * (52 + beside));
        EXPECT_EQ(stream->GetDeliveredBytes(), 8956U * 10);
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
        stream = nullptr;
        TearDown();
    }
}

TEST_F(HpccNetwork, WatchingChangesNothingAndHostsWriteNothing)
{
    std::vector<Time> ends;
    for (const bool isWatched : {false, true})
    {
        BuildHpcc(Star(4));
        uint64_t seen = 0;
        for (const auto& port : m_fabric->GetPorts())
        {
            if (isWatched)
            {
                port.device->TraceConnectWithoutContext(
                    "Sniffer",
                    Callback<void, Ptr<const Packet>>([&seen](Ptr<const Packet>) { ++seen; }));
            }
        }
        Time last;
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source < 4; ++source)
            {
                Open(source, 0)->Send(1000000, Then([&last] { last = Simulator::Now(); }));
            }
        });
        Simulator::Run();
        ends.push_back(last);
        EXPECT_EQ(seen > 0, isWatched);
        TearDown();
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST_F(HpccNetwork, AtMostSixteenRatesHaveNumbers)
{
    for (const uint32_t rates : {16U, 17U})
    {
        m_fabric = CreateObject<Fabric>();
        const auto middle = m_fabric->AddSwitch("switch0");
        for (uint32_t i = 0; i < rates; ++i)
        {
            m_fabric->Connect(m_fabric->AddHost(),
                              middle,
                              DataRate(1'000'000'000ULL * (i + 1)),
                              MicroSeconds(1));
        }
        m_fabric->ComputeRoutes();
        m_transport = CreatePolicy<Transport>("rdma");
        m_transport->SetAttribute("CongestionControl", StringValue("hpcc"));
        if (rates == 16)
        {
            EXPECT_NO_THROW(m_transport->Install(m_fabric));
        }
        else
        {
            EXPECT_THROW(m_transport->Install(m_fabric), InputError);
        }
        TearDown();
    }
}

TEST_F(HpccNetwork, AHigherPriorityDoesNotSeeALowerOne)
{
    BuildHpcc(Star(3));
    Ptr<StreamPair> high;
    Ptr<StreamPair> low;
    At(Seconds(1), [&] {
        low = Open(1, 0, Mark{2, 2});
        low->Send(uint64_t{1} << 40, {});
    });
    At(Seconds(1) + MilliSeconds(2), [&] {
        high = Open(2, 0, Mark{1, 1});
        high->Send(uint64_t{1} << 40, {});
    });
    uint64_t highAt = 0;
    uint64_t lowAt = 0;
    At(Seconds(1) + MilliSeconds(4), [&] {
        highAt = high->GetDeliveredBytes();
        lowAt = low->GetDeliveredBytes();
    });
    Simulator::Stop(Seconds(1) + MilliSeconds(6));
    Simulator::Run();
    const double all = RATE / 8 * 2e-3 * (1456 - 42) / 1538;
    EXPECT_NEAR(static_cast<double>(high->GetDeliveredBytes() - highAt) / all, 0.95, 0.02);
    EXPECT_LT(static_cast<double>(low->GetDeliveredBytes() - lowAt) / all, 0.06);
    EXPECT_EQ(CountDrops(), 0U);
}

TEST_F(HpccNetwork, LinksThatFailRemarkingAndQueuePairsLoseNothingForGood)
{
    for (const std::string pairs : {"1", "4"})
    {
        TopologySpec topology;
        topology.shape.Set("Leaves", UintegerValue(2));
        topology.shape.Set("HostsPerLeaf", StringValue("4"));
        topology.shape.Set("Spines", UintegerValue(2));
        topology.hostRate = DataRate("100Gbps");
        Build(topology, {{"CongestionControl", "hpcc"}, {"QueuePairs", pairs}}, {}, {}, "rdma");
        int done = 0;
        std::vector<Ptr<StreamPair>> streams;
        At(Seconds(1), [&] {
            for (uint32_t source = 0; source < 4; ++source)
            {
                streams.push_back(Open(source, 4 + source, Mark{2, 2}));
                for (int i = 0; i < 8; ++i)
                {
                    streams.back()->Send(500000, Then([&done] { ++done; }));
                }
            }
        });
        At(Seconds(1) + MicroSeconds(100), [&] { m_fabric->SetLinkUp("leaf0", "spine0", false); });
        At(Seconds(1) + MicroSeconds(150), [&] {
            streams[1]->SetMark(StreamPair::End::SOURCE, Mark{1, 1});
        });
        At(Seconds(1) + MicroSeconds(200), [&] { m_fabric->SetLinkUp("leaf0", "spine0", true); });
        Simulator::Run();
        EXPECT_EQ(done, 32);
        ExpectBalance();
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
        streams.clear();
        TearDown();
    }
}

TEST_F(HpccNetwork, PacketsOfAPairMustKeepToOnePath)
{
    TopologySpec topology;
    topology.pathSelector.SetTypeId("ns3::ddl::SprayPathSelector");
    const Attributes attributes{{"CongestionControl", "hpcc"}, {"Recovery", "selective-repeat"}};
    try
    {
        Build(topology, attributes, {}, {}, "rdma");
        ADD_FAILURE() << "sprayed";
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("one path"), std::string::npos) << error.what();
    }
    TearDown();
    topology.pathSelector.SetTypeId("ns3::ddl::FlowletPathSelector");
    EXPECT_NO_THROW(Build(topology, attributes, {}, {}, "rdma"));
}

TEST_F(HpccNetwork, TheBaseRoundTripIsThatOfTheLongestPath)
{
    TopologySpec topology;
    topology.shape.Set("Leaves", UintegerValue(2));
    topology.shape.Set("HostsPerLeaf", StringValue("2"));
    topology.shape.Set("Spines", UintegerValue(2));
    Build(topology, {}, {}, {}, "rdma");
    // Four links of 1 us there and back; 1538 bytes there, (44 + 8 + 42) + 38 back, at 10 Gbps.
    const BaseRoundTrip longest = FindBaseRoundTrip(*m_fabric);
    EXPECT_NEAR(longest.time.GetSeconds(), 8e-6 + 4 * (1538 + 132) * 8e-10, 1e-8);
    EXPECT_EQ(longest.switches, 3U);
}

TEST_F(HpccNetwork, ASixthSwitchWouldNotBeHeard)
{
    for (const uint32_t switches : {5U, 6U})
    {
        m_fabric = CreateObject<Fabric>();
        const auto first = m_fabric->AddSwitch("switch0");
        auto last = first;
        for (uint32_t i = 1; i < switches; ++i)
        {
            const auto next = m_fabric->AddSwitch("switch" + std::to_string(i));
            m_fabric->Connect(last, next, DataRate("10Gbps"), MicroSeconds(1));
            last = next;
        }
        m_fabric->Connect(m_fabric->AddHost(), first, DataRate("10Gbps"), MicroSeconds(1));
        m_fabric->Connect(m_fabric->AddHost(), last, DataRate("10Gbps"), MicroSeconds(1));
        m_fabric->ComputeRoutes();
        m_transport = CreatePolicy<Transport>("rdma");
        m_transport->SetAttribute("CongestionControl", StringValue("hpcc"));
        if (switches == 5)
        {
            EXPECT_NO_THROW(m_transport->Install(m_fabric));
        }
        else
        {
            EXPECT_THROW(m_transport->Install(m_fabric), InputError);
        }
        TearDown();
    }
}

} // namespace
} // namespace ns3::ddl
