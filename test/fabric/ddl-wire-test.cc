// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fabric-test-support.h"

#include "ns3/ddl-wire.h"

#include <deque>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Notes what comes out of it. */
class NotingWire final : public Wire
{
  public:
    using Wire::Wire;

    struct Arrival
    {
        int64_t time;
        const Frame* frame;
    };

    std::vector<Arrival> m_arrivals;
    FramePool m_pool;
    mutable uint32_t m_foreseen{0}; //!< calls of ForeseeDelivery

  private:
    void Deliver(Frame* frame) override
    {
        m_arrivals.push_back({Simulator::Now().GetTimeStep(), frame});
        EXPECT_EQ(frame->arrival, Simulator::Now().GetTimeStep());
    }

    void ForeseeDelivery(const Frame& frame, unsigned step) const override
    {
        ++m_foreseen;
        EXPECT_GE(step, 1U);
        EXPECT_GE(frame.arrival, Simulator::Now().GetTimeStep());
    }
};

class WireTest : public FabricTest
{
};

/**
 * Frames at random times on a wire that holds none, or dozens, compared with a queue of the
 * standard library. Now and then some are lost, and what is foreseen changes nothing.
 */
TEST_F(WireTest, DeliversWhatAQueueWould)
{
    Build(TopologySpec());
    std::mt19937_64 random(7);
    for (const int64_t delay : {0, 1, 900, 30000})
    {
        const Ptr<NotingWire> wire = Create<NotingWire>(*m_fabric->GetHostPort(HostId{0}),
                                                        TimeStep(static_cast<uint64_t>(delay)));
        std::deque<NotingWire::Arrival> inFlight;
        std::vector<NotingWire::Arrival> expected;
        int64_t sent = 0;
        const auto act = [&] {
            const int64_t now = Simulator::Now().GetTimeStep();
            while (!inFlight.empty() && inFlight.front().time < now)
            {
                expected.push_back(inFlight.front());
                inFlight.pop_front();
            }
            for (auto more = random() % 4; more > 0; --more)
            {
                Frame* frame = wire->m_pool.Take();
                frame->bytes = static_cast<uint32_t>(100 + random() % 1000);
                sent = std::max(now, sent) + static_cast<int64_t>(random() % 500);
                wire->Send(frame, now, sent);
                inFlight.push_back({sent + delay, frame});
            }
            wire->Foresee(static_cast<unsigned>(random() % ForeseenEvent::STEPS));
            if (random() % 8 == 0 && !inFlight.empty() && inFlight.front().time > now)
            {
                EXPECT_EQ(wire->Lose(), inFlight.front().frame);
                inFlight.pop_front();
            }
        };
        uint64_t at = 1;
        for (int i = 0; i < 3000; ++i)
        {
            at += 1 + random() % 900;
            Simulator::Schedule(TimeStep(at), act);
        }
        Simulator::Schedule(TimeStep(at), [&] {
            PacketCount left;
            for (const auto& arrival : inFlight)
            {
                left.Add(arrival.frame->bytes);
            }
            EXPECT_EQ(wire->CountInFlight().bytes, left.bytes) << "delay " << delay;
        });
        Simulator::Run();
        expected.insert(expected.end(), inFlight.begin(), inFlight.end());
        ASSERT_EQ(wire->m_arrivals.size(), expected.size()) << "delay " << delay;
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            ASSERT_EQ(wire->m_arrivals[i].frame, expected[i].frame) << i;
            ASSERT_EQ(wire->m_arrivals[i].time, expected[i].time) << i;
        }
        EXPECT_EQ(wire->GetReceived().packets, expected.size());
        EXPECT_EQ(wire->CountInFlight().packets, 0U);
        EXPECT_FALSE(wire->Lose());
        EXPECT_GT(wire->m_foreseen, 100U);
        uint64_t bytes = 0;
        for (const auto& arrival : expected)
        {
            bytes += arrival.frame->bytes;
        }
        EXPECT_EQ(wire->GetReceived().bytes, bytes);
    }
}

TEST_F(WireTest, NothingArrivesOnceItIsClosed)
{
    Build(TopologySpec());
    const Ptr<NotingWire> wire =
        Create<NotingWire>(*m_fabric->GetHostPort(HostId{0}), MicroSeconds(5));
    for (int i = 0; i < 4; ++i)
    {
        wire->Send(wire->m_pool.Take(), 0, 100 * i);
    }
    wire->Close();
    for (unsigned step = 0; step < ForeseenEvent::STEPS; ++step)
    {
        wire->Foresee(step);
    }
    EXPECT_EQ(wire->m_foreseen, 0U);
    Simulator::Run();
    EXPECT_TRUE(wire->m_arrivals.empty());
    EXPECT_EQ(wire->CountInFlight().packets, 0U);
}

/** A sink sees all packets from the moment at which it is connected. */
TEST_F(WireTest, SinksCanBeConnectedInMidRun)
{
    TopologySpec topology;
    topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    Build(topology);
    Listen(1);
    Datagrams flow;
    flow.count = 40;
    flow.gap = MicroSeconds(100);
    Send(flow);
    uint32_t sniffed = 0;
    uint32_t enqueued = 0;
    uint32_t dequeued = 0;
    const auto count = [](uint32_t& counter) {
        return Callback<void, Ptr<const Packet>, uint32_t>(
            [&counter](Ptr<const Packet>, uint32_t) { ++counter; });
    };
    const auto port = m_fabric->GetPort("switch0", "h1");
    const auto in = m_fabric->GetPort("switch0", "h0");
    const Callback<void, Ptr<const Packet>> sniff([&sniffed](Ptr<const Packet>) { ++sniffed; });
    Simulator::Schedule(MicroSeconds(1050), [&] {
        port->TraceConnectWithoutContext("Enqueue", count(enqueued));
        port->TraceConnectWithoutContext("Dequeue", count(dequeued));
        port->TraceConnectWithoutContext("Sniffer", sniff);
        in->TraceConnectWithoutContext("Sniffer", sniff);
    });
    Simulator::Schedule(MicroSeconds(3050),
                        [&] { in->TraceDisconnectWithoutContext("Sniffer", sniff); });
    Simulator::Run();
    EXPECT_EQ(m_received.size(), 40U);
    EXPECT_EQ(enqueued, 29U); // sent at 1, 101, ... us; eleven of them before the sinks came
    EXPECT_EQ(dequeued, 29U);
    EXPECT_EQ(sniffed, 29U + 20U);
}

} // namespace
