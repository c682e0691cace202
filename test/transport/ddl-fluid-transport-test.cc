// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-fluid-stream.h"
#include "ns3/ddl-fluid-transport.h"

#include <cmath>
#include <random>

namespace ns3::ddl
{
namespace
{

/**
 * Closed forms. Without overheads, a link of 10 Gbps carries 1.25 bytes of messages a nanosecond,
 * so 1.25 MB take 1 ms.
 */
class FluidTransportTest : public TransportFixture
{
  protected:
    const Attributes PURE{{"HeaderBytes", "0"},
                          {"CountFraming", "false"},
                          {"StoreAndForward", "false"}};
    static constexpr uint64_t MILLISECOND = 1250000; //!< bytes at 10 Gbps

    void BuildPure(const TopologySpec& topology, const PortSpec& ports = {})
    {
        Build(topology, PURE, ports, {}, "fluid");
    }

    /** A switch between hosts, with links without delay. */
    void BuildStar(uint32_t hosts, const PortSpec& ports = {})
    {
        TopologySpec topology = SingleSwitch(hosts);
        topology.delay = Time(0);
        BuildPure(topology, ports);
    }

    /** Open at 1 s, send, and note when it is delivered, as time since then. */
    void SendAt(Time when, uint32_t from, uint32_t to, uint64_t bytes, Mark mark = DATA)
    {
        const std::size_t index = m_ends.size();
        m_ends.push_back(Time::Max());
        m_streams.emplace_back();
        At(Seconds(1) + when, [=] {
            m_streams[index] = Open(from, to, mark);
            m_streams[index]->Send(bytes,
                                   Then([=] { m_ends[index] = Simulator::Now() - Seconds(1); }));
        });
    }

    void TearDown() override
    {
        m_streams.clear();
        TransportFixture::TearDown();
    }

    std::vector<Ptr<StreamPair>> m_streams;
    std::vector<Time> m_ends;
};

TEST_F(FluidTransportTest, OneStreamTakesItsBytesAndThePath)
{
    TopologySpec topology = SingleSwitch(2);
    topology.delay = MicroSeconds(3);
    BuildPure(topology);
    SendAt(Time(0), 0, 1, 10 * MILLISECOND);
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(10) + MicroSeconds(6)); // two links of 3 us
}

TEST_F(FluidTransportTest, HeadersAndThePacketOnLaterWiresCount)
{
    TopologySpec topology = SingleSwitch(2);
    topology.delay = MicroSeconds(1);
    Build(topology, {}, {}, {}, "fluid");
    SendAt(Time(0), 0, 1, 1460000); // 1000 packets of 1538 bytes on the wire, 1230.4 ns each
    Simulator::Run();
    EXPECT_NEAR(m_ends[0].GetNanoSeconds(), 1000 * 1230.4 + 2000 + 1230.4, 2);
}

TEST_F(FluidTransportTest, AMessageWithinAPacketIsForwardedAsOneOfItsSize)
{
    TopologySpec topology = SingleSwitch(2);
    topology.delay = Time(0);
    Build(topology, {{"ExtraDelay", "5us"}}, {}, {}, "fluid");
    SendAt(Time(0), 0, 1, 100);
    Simulator::Run();
    // 100 x 1538 / 1460 x 0.8 ns on the first wire, (100 + 78) x 0.8 ns on the second
    EXPECT_NEAR(m_ends[0].GetNanoSeconds(), 84.3 + 142.4 + 5000, 2);
}

TEST_F(FluidTransportTest, AMessageGivenAtTheMomentTheLastOneLeavesFollowsAtOnce)
{
    // The first leaves at 1 ms. At that moment, before the engine has seen it, comes the second.
    BuildStar(2);
    SendAt(Time(0), 0, 1, MILLISECOND);
    Time end = Time::Max();
    At(Seconds(1) + MilliSeconds(1), [this, &end] {
        m_streams[0]->Send(2 * MILLISECOND, Then([&end] { end = Simulator::Now() - Seconds(1); }));
    });
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(1));
    EXPECT_EQ(end, MilliSeconds(3));
}

TEST_F(FluidTransportTest, APaceSlowsAStreamAndLeavesTheOthersTheirShare)
{
    // Two of 1.25 MB at one link: 2 ms each. One at pace 3 has moved 0.625 / 3 of it when the other
    // has left after 2 ms, 1/3; the rest takes 3 x 2/3 of 1 ms.
    BuildStar(3);
    SendAt(Time(0), 0, 2, MILLISECOND);
    SendAt(Time(0), 1, 2, MILLISECOND);
    At(Seconds(1), [this] { DynamicCast<FluidStream>(m_streams[1]->GetSending())->SetPace(3); });
    Simulator::Run();
    EXPECT_NEAR(m_ends[0].GetNanoSeconds(), 2000000, 2);
    EXPECT_NEAR(m_ends[1].GetNanoSeconds(), 4000000, 2);
}

TEST_F(FluidTransportTest, APaceMayChangeInMidFlow)
{
    // Half of it in 0.5 ms, the other half at pace 0.5 in 0.25 ms
    BuildStar(2);
    SendAt(Time(0), 0, 1, MILLISECOND);
    At(Seconds(1) + MicroSeconds(500),
       [this] { DynamicCast<FluidStream>(m_streams[0]->GetSending())->SetPace(0.5); });
    Simulator::Run();
    EXPECT_NEAR(m_ends[0].GetNanoSeconds(), 750000, 2);
}

TEST_F(FluidTransportTest, EqualStreamsShareALink)
{
    BuildStar(6);
    for (uint32_t i = 0; i < 5; ++i)
    {
        SendAt(Time(0), i, 5, MILLISECOND);
    }
    Simulator::Run();
    for (const Time& end : m_ends)
    {
        EXPECT_EQ(end, MilliSeconds(5));
    }
    EXPECT_EQ(DynamicCast<FluidTransport>(m_transport)->GetRecomputations(), 2U); // start, end
}

TEST_F(FluidTransportTest, TheFirstToEndLeavesItsShare)
{
    // Half each: the first has 1 ms of work, ends at 2 ms; 1 ms of the other's 2 is left: 3 ms.
    BuildStar(3);
    SendAt(Time(0), 0, 2, MILLISECOND);
    SendAt(Time(0), 1, 2, 2 * MILLISECOND);
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(2));
    EXPECT_EQ(m_ends[1], MilliSeconds(3));
}

TEST_F(FluidTransportTest, ReadingAPortAtTheMomentAMessageLeavesChangesNothing)
{
    // As above. Who asks at 2 ms what has passed is there before the engine.
    BuildStar(3);
    SendAt(Time(0), 0, 2, MILLISECOND);
    SendAt(Time(0), 1, 2, 2 * MILLISECOND);
    At(Seconds(1) + MilliSeconds(2), [this] {
        const QueueTraffic passed = m_transport->GetTraffic(m_fabric->GetPort("switch0", "h2"), 1);
        EXPECT_NEAR(passed.bytes, 2.0 * MILLISECOND, 1);
    });
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(2));
    EXPECT_EQ(m_ends[1], MilliSeconds(3));
}

TEST_F(FluidTransportTest, AnEventComputesWhatItMayReach)
{
    // 32 pairs that share nothing, one after the other and side by side: each is computed once, at
    // its start. With a mate at its receiver, each end is one more for the mate.
    for (const bool hasMate : {false, true})
    {
        BuildStar(96);
        for (uint32_t i = 0; i < 32; ++i)
        {
            SendAt(MicroSeconds(10 * i), 3 * i, 3 * i + 2, 2 * MILLISECOND);
        }
        for (uint32_t i = 0; hasMate && i < 32; ++i)
        {
            SendAt(MicroSeconds(10 * i), 3 * i + 1, 3 * i + 2, MILLISECOND);
        }
        Simulator::Run();
        EXPECT_EQ(DynamicCast<FluidTransport>(m_transport)->GetComputed(), hasMate ? 96U : 32U);
        m_ends.clear();
        TearDown();
    }
}

TEST_F(FluidTransportTest, SharingCostsWhatEquation5Says)
{
    // Ada-SRSF Eq. 5 with b = 1 ms a message and eta = 0.5 b: k messages take k + (k - 1) / 2 ms.
    for (uint32_t k = 1; k <= 4; ++k)
    {
        Attributes attributes = PURE;
        attributes.emplace_back("ContentionCost", "0.5");
        TopologySpec topology = SingleSwitch(5);
        topology.delay = Time(0);
        Build(topology, attributes, {}, {}, "fluid");
        m_ends.clear();
        for (uint32_t i = 0; i < k; ++i)
        {
            SendAt(Time(0), i, 4, MILLISECOND);
        }
        Simulator::Run();
        for (const Time& end : m_ends)
        {
            EXPECT_NEAR(end.GetNanoSeconds(), 1e6 * k + 0.5e6 * (k - 1), 2) << k << " messages";
        }
        TearDown();
    }
}

TEST_F(FluidTransportTest, WhoWaitsBehindAPriorityCostsNothing)
{
    // One after the other, at the full rate: 2 ms, then 1 more.
    TopologySpec topology = SingleSwitch(3);
    topology.delay = Time(0);
    Attributes attributes = PURE;
    attributes.emplace_back("ContentionCost", "0.5");
    Build(topology, attributes, {}, {}, "fluid");
    SendAt(Time(0), 0, 2, MILLISECOND, {1, 5});
    SendAt(Time(0), 1, 2, 2 * MILLISECOND, {1, 2});
    Simulator::Run();
    EXPECT_EQ(m_ends[1], MilliSeconds(2));
    EXPECT_EQ(m_ends[0], MilliSeconds(3));
}

TEST_F(FluidTransportTest, PriorityAtTheSwitch)
{
    // The low one is alone for 1 ms, starves for 2 ms, ends its other 3 ms at 6 ms.
    BuildStar(3);
    SendAt(Time(0), 0, 2, 4 * MILLISECOND, {1, 5});
    SendAt(MilliSeconds(1), 1, 2, 2 * MILLISECOND, {1, 2});
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(6));
    EXPECT_EQ(m_ends[1], MilliSeconds(3));
}

TEST_F(FluidTransportTest, PriorityAtTheNic)
{
    BuildStar(3);
    SendAt(Time(0), 0, 1, MILLISECOND, {3, 1});
    SendAt(Time(0), 0, 2, MILLISECOND, {2, 7});
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(2));
    EXPECT_EQ(m_ends[1], MilliSeconds(1));
}

TEST_F(FluidTransportTest, WeightsOfTheSwitchShareItsPort)
{
    // Queues 1 and 2 by 1 : 3. The heavy one ends 3 ms of work at 4 ms; the light has had 1 ms of
    // its 2, and ends at 5 ms.
    for (const char* service : {"wrr", "dwrr", "mixed"})
    {
        PortSpec ports;
        ports.service = service;
        ports.weights = {1, 1, 3, 1, 1, 1, 1, 1};
        BuildStar(3, ports);
        SendAt(Time(0), 0, 2, 2 * MILLISECOND, {1, 1});
        SendAt(Time(0), 1, 2, 3 * MILLISECOND, {1, 2});
        Simulator::Run();
        EXPECT_EQ(m_ends[0], MilliSeconds(5)) << service;
        EXPECT_EQ(m_ends[1], MilliSeconds(4)) << service;
        m_ends.clear();
        TearDown();
    }
}

TEST_F(FluidTransportTest, ARemarkInMidFlowTurnsTheOrder)
{
    // The first goes for 1 ms of its 2, the second for its 2, the first for its last 1.
    BuildStar(3);
    SendAt(Time(0), 0, 2, 2 * MILLISECOND, {1, 1});
    SendAt(Time(0), 1, 2, 2 * MILLISECOND, {1, 2});
    At(Seconds(1) + MilliSeconds(1), [&] {
        m_streams[0]->SetMark(StreamPair::End::SOURCE, {1, 3});
    });
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(4));
    EXPECT_EQ(m_ends[1], MilliSeconds(3));
}

TEST_F(FluidTransportTest, AFallenLinkStallsUntilItIsBack)
{
    BuildStar(2);
    SendAt(Time(0), 0, 1, 2 * MILLISECOND);
    m_fabric->ScheduleLinkUp(Seconds(1) + MilliSeconds(1), "h1", "switch0", false);
    m_fabric->ScheduleLinkUp(Seconds(1) + MilliSeconds(5), "h1", "switch0", true);
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(6));
}

TEST_F(FluidTransportTest, AFallenSpineIsAvoided)
{
    // Two hosts on each of two leaves; both streams end up on the spine that is left.
    TopologySpec topology;
    topology.shape.Set("Leaves", UintegerValue(2));
    topology.shape.Set("HostsPerLeaf", StringValue("2"));
    topology.shape.Set("Spines", UintegerValue(2));
    topology.delay = Time(0);
    BuildPure(topology);
    SendAt(Time(0), 0, 2, 4 * MILLISECOND);
    SendAt(Time(0), 1, 3, 4 * MILLISECOND);
    m_fabric->ScheduleLinkUp(Seconds(1), "leaf0", "spine1", false);
    Simulator::Run();
    EXPECT_EQ(m_ends[0], MilliSeconds(8));
    EXPECT_EQ(m_ends[1], MilliSeconds(8));
}

TEST_F(FluidTransportTest, PortsTellWhatPassed)
{
    TopologySpec topology = SingleSwitch(2);
    Build(topology, {}, {}, {}, "fluid");
    SendAt(Time(0), 0, 1, 14600000, {2, 3}); // 10,000 packets
    At(Seconds(2), [&] { SendAt(Seconds(1), 0, 1, 1, {2, 3}); });
    Simulator::Run();
    const QueueTraffic nic = m_transport->GetTraffic(m_fabric->GetPort("h0", "switch0"), 2);
    const QueueTraffic egress = m_transport->GetTraffic(m_fabric->GetPort("switch0", "h1"), 3);
    EXPECT_NEAR(nic.bytes, 15000000, 1.1);
    EXPECT_NEAR(egress.bytes, 15000000, 1.1);
    EXPECT_NEAR(nic.busy.GetSeconds(), 10000 * 1538 * 8 / 10e9, 1e-8);
    EXPECT_EQ(m_transport->GetTraffic(m_fabric->GetPort("switch0", "h1"), 2).bytes, 0);
    EXPECT_EQ(m_transport->GetTraffic(m_fabric->GetPort("h1", "switch0"), 1).bytes, 0);
}

TEST_F(FluidTransportTest, EveryByteIsDelivered)
{
    // 3000 messages of odd sizes, remarks at any time: sums are exact.
    BuildStar(8);
    std::mt19937 random(7);
    uint64_t sent = 0;
    uint32_t delivered = 0;
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t from = i % 8;
        const uint32_t to = (from + 1 + i / 8 % 7) % 8;
        At(Seconds(1) + MicroSeconds(random() % 1000), [&, from, to] {
            m_streams.push_back(Open(from, to, {static_cast<uint8_t>(random() % 8), 1}));
            for (int n = 0; n < 50; ++n)
            {
                const uint64_t bytes = 1 + random() % 99991;
                sent += bytes;
                m_streams.back()->Send(bytes, Then([&] { ++delivered; }));
            }
        });
    }
    for (uint32_t i = 0; i < 3000; ++i)
    {
        At(Seconds(1) + MicroSeconds(1000 + 10 * i), [&] {
            const auto band = static_cast<uint8_t>(random() % 8);
            const auto dscp = static_cast<uint8_t>(random() % 8);
            m_streams[random() % m_streams.size()]->SetMark(StreamPair::End::SOURCE, {band, dscp});
        });
    }
    Simulator::Run();
    EXPECT_EQ(delivered, 3000U);
    uint64_t arrived = 0;
    for (const auto& stream : m_streams)
    {
        arrived += stream->GetDeliveredBytes();
        EXPECT_TRUE(stream->IsIdle());
    }
    EXPECT_EQ(arrived, sent);
}

TEST_F(FluidTransportTest, ProgressShowsWhatHasArrived)
{
    TopologySpec topology = SingleSwitch(2);
    topology.delay = MicroSeconds(50);
    BuildPure(topology);
    SendAt(Time(0), 0, 1, 2 * MILLISECOND);
    At(Seconds(1) + MilliSeconds(1),
       [&] { EXPECT_EQ(m_streams[0]->GetDeliveredBytes(), MILLISECOND * 9 / 10); }); // 100 us less
    Simulator::Run();
    EXPECT_EQ(m_streams[0]->GetDeliveredBytes(), 2 * MILLISECOND);
}

/** Queue 0 until it is empty, then any other: no levels and weights say that. */
class StrangeQueueScheduler : public QueueScheduler
{
  public:
    std::string GetSummary() const override
    {
        return "for tests";
    }

  private:
    void DoConfigure(uint32_t) override
    {
    }

    uint32_t DoSelect(const QueueView& view) override
    {
        return First(view.nonEmpty);
    }
};

TEST_F(FluidTransportTest, RefusesAServiceThatIsNotTold)
{
    m_fabric = BuildTopology(SingleSwitch(2), {}, {});
    m_fabric->GetPort("switch0", "h0")->SetQueues(8, CreateObject<StrangeQueueScheduler>());
    m_transport = CreatePolicy<Transport>("fluid");
    EXPECT_THROW(m_transport->Install(m_fabric), InputError);
}

/**
 * 200 flows of 20 kB to 1 MB at random times, at 2.5 % of what the hosts could carry: what
 * differs is the handshake, the first windows, and what happens to share a queue. doc/fluid.md has
 * higher loads.
 */
TEST_F(FluidTransportTest, FlowCompletionTimesAreNearThoseOfTcp)
{
    std::vector<std::vector<Time>> times;
    for (const char* kind : {"tcp", "fluid"})
    {
        TopologySpec topology;
        topology.shape.Set("Leaves", UintegerValue(2));
        topology.shape.Set("HostsPerLeaf", StringValue("8"));
        topology.shape.Set("Spines", UintegerValue(2));
        Build(topology, {}, {}, {}, kind);
        std::mt19937 random(5);
        std::vector<Time> took(200);
        for (uint32_t i = 0; i < 200; ++i)
        {
            const uint32_t from = random() % 16;
            const uint32_t to = (from + 1 + random() % 15) % 16;
            const uint64_t bytes = 20000 * (1 + random() % 50); // 20 kB to 1 MB
            const Time when = Seconds(1) + MicroSeconds(random() % 200000);
            const Mark mark{static_cast<uint8_t>(1 + random() % 3), 0};
            At(when, [=, &took] {
                const Ptr<StreamPair> stream = Open(from, to, {mark.band, mark.band});
                stream->Send(bytes, Then([=, &took] { took[i] = Simulator::Now() - when; }));
            });
        }
        Simulator::Run();
        times.push_back(took);
        TearDown();
    }
    double ratios = 0;
    double distance = 0;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const double ratio = times[1][i].GetSeconds() / times[0][i].GetSeconds();
        ratios += ratio / 200;
        distance += std::abs(ratio - 1) / 200;
    }
    EXPECT_GT(ratios, 0.9);
    EXPECT_LT(ratios, 1.0);
    EXPECT_LT(distance, 0.1);
}

} // namespace
} // namespace ns3::ddl
