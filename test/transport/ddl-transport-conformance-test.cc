// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{
namespace
{

/** What every kind of transport must do. Runs over all registered ones. */
class TransportConformance : public TransportFixture,
                             public ::testing::WithParamInterface<std::string>
{
  protected:
    void BuildKind(uint32_t hosts)
    {
        Build(SingleSwitch(hosts), {}, {}, {}, GetParam());
    }

    /** Send and note the number of the message when it is delivered. */
    void SendNumbered(Ptr<StreamPair> stream, uint64_t bytes, int number)
    {
        stream->Send(bytes, Then([this, number] { m_delivered.push_back(number); }));
    }

    /** \return IP bytes that a port has sent from a queue */
    double CountBytes(const Ptr<Port>& port, uint32_t queue) const
    {
        return m_transport->HasPackets() ? static_cast<double>(port->GetCounters(queue).bytes)
                                         : m_transport->GetTraffic(port, queue).bytes;
    }

    /** \return the way of a stream from host 0 to host 4, and back, behind `others` streams */
    std::vector<std::string> FindPath(uint32_t flowLabel, uint32_t others)
    {
        TopologySpec topology; // two leaves of four hosts
        topology.shape.Set("Spines", UintegerValue(8));
        Build(topology, {}, {}, {}, GetParam());
        At(Seconds(1), [&] {
            for (uint32_t i = 0; i < others; ++i)
            {
                Open(i % 4, 4 + i % 3, DATA, DATA, i)->Send(1000, {});
            }
            const Mark mark{3, 3};
            Open(0, 4, mark, mark, flowLabel)->Send(100000, {});
        });
        Simulator::Run();
        std::vector<std::string> path;
        for (const std::string leaf : {"leaf0", "leaf1"})
        {
            for (uint32_t i = 0; i < 8; ++i)
            {
                const std::string spine = "spine" + std::to_string(i);
                if (CountBytes(m_fabric->GetPort(leaf, spine), 3) > 0)
                {
                    path.push_back(leaf + " " + spine);
                }
            }
        }
        TearDown();
        return path;
    }

    std::vector<int> m_delivered;
};

TEST_P(TransportConformance, HasASummary)
{
    EXPECT_FALSE(CreatePolicy<Transport>(GetParam())->GetSummary().empty());
}

TEST_P(TransportConformance, DeliversEachMessageOnceAndInOrder)
{
    for (const bool local : {false, true})
    {
        SCOPED_TRACE(local ? "on one machine" : "between machines");
        BuildKind(2);
        Ptr<StreamPair> stream;
        const std::vector<uint64_t> sizes{1, 100000, 1, 1460, 1, 2, 1461, 7, 300000, 1};
        uint64_t sum = 0;
        At(Seconds(1), [&] {
            stream = Open(0, local ? 0 : 1);
            for (int i = 0; i < static_cast<int>(sizes.size()); ++i)
            {
                SendNumbered(stream, sizes[i], i);
                sum += sizes[i];
            }
            EXPECT_TRUE(m_delivered.empty());
        });
        At(Seconds(2), [&] { SendNumbered(stream, 1, 10); }); // when idle
        At(Seconds(3), [&] { SendNumbered(stream, 5, 11); });
        Simulator::Run();
        EXPECT_EQ(m_delivered, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
        EXPECT_EQ(stream->GetSentBytes(), sum + 6);
        EXPECT_EQ(stream->GetDeliveredBytes(), sum + 6);
        EXPECT_EQ(stream->GetSending()->GetAcknowledgedBytes(), sum + 6);
        EXPECT_TRUE(stream->GetSending()->IsIdle());
        m_delivered.clear();
        TearDown();
    }
}

TEST_P(TransportConformance, TellsTheMomentOfDelivery)
{
    BuildKind(2);
    std::vector<Time> times;
    At(Seconds(1), [&] {
        const auto stream = Open(0, 1);
        for (int i = 0; i < 3; ++i)
        {
            stream->Send(5000000, Then([&] { times.push_back(Simulator::Now()); }));
        }
    });
    Simulator::Run();
    ASSERT_EQ(times.size(), 3U);
    // 5 MB take 4.0 ms at 10 Gbps without headers; 4.2 ms with 78 bytes to 1460
    for (const Time& step : {times[1] - times[0], times[2] - times[1]})
    {
        EXPECT_GE(step, MilliSeconds(4));
        EXPECT_LE(step, MicroSeconds(4400));
    }
}

TEST_P(TransportConformance, TakesMessagesThatNeverEnd)
{
    BuildKind(2);
    Ptr<StreamPair> stream;
    At(Seconds(1), [&] {
        stream = Open(0, 1);
        SendNumbered(stream, uint64_t{1} << 63, 0);
        SendNumbered(stream, 5000000000, 1);
    });
    At(Seconds(1) + MilliSeconds(5), [&] {
        EXPECT_GT(stream->GetDeliveredBytes(), 5000000U); // of at most 6.25 MB
        stream->Close();
    });
    Simulator::Run(); // returns: nothing goes on after Close
    EXPECT_TRUE(m_delivered.empty());
    EXPECT_EQ(stream->GetSentBytes(), (uint64_t{1} << 63) + 5000000000);
}

TEST_P(TransportConformance, ClosesAndOpensAgainManyTimes)
{
    const int times = 3000;
    for (const bool local : {false, true})
    {
        BuildKind(3);
        std::function<void(int)> go = [&](int round) {
            if (round == times)
            {
                return;
            }
            const auto stream = Open(0, local ? 0 : 1 + round % 2);
            stream->Send(2000, Then([&, round, stream] {
                             m_delivered.push_back(round);
                             stream->Close(); // from its own callback
                             go(round + 1);
                         }));
        };
        At(Seconds(1), [&] { go(0); });
        Simulator::Run();
        ASSERT_EQ(m_delivered.size(), static_cast<std::size_t>(times));
        EXPECT_TRUE(std::is_sorted(m_delivered.begin(), m_delivered.end()));
        EXPECT_EQ(CountStreams(), 0U) << "something was not given back";
        EXPECT_EQ(m_transport->GetCounters().timeouts, 0U);
        m_delivered.clear();
        TearDown();
    }
}

TEST_P(TransportConformance, ClosingLosesWhatIsUnderWaySilently)
{
    BuildKind(2);
    Ptr<StreamPair> stream;
    At(Seconds(1), [&] {
        stream = Open(0, 1);
        SendNumbered(stream, 1000000, 0);
        SendNumbered(stream, 1000000, 1);
        SendNumbered(stream, 1, 2);
    });
    At(Seconds(1) + MicroSeconds(1200), [&] { stream->Close(); }); // 1 MB takes 0.85 ms
    At(Seconds(1) + MicroSeconds(1300), [&] { SendNumbered(Open(0, 1), 1000000, 3); });
    Simulator::Run();
    EXPECT_EQ(m_delivered, (std::vector<int>{0, 3}));
    EXPECT_LT(stream->GetDeliveredBytes(), 2000000U);
    EXPECT_EQ(CountStreams(), 1U);
}

TEST_P(TransportConformance, ClosesAtAnyStageOfOpening)
{
    BuildKind(2);
    for (int ns = 0; ns < 20000; ns += 500) // the first data arrive after about 12 us
    {
        At(Seconds(1) + MilliSeconds(ns), [this, ns] {
            const auto stream = Open(0, 1);
            SendNumbered(stream, 100000, ns);
            Simulator::Schedule(NanoSeconds(ns), &StreamPair::Close, stream);
        });
    }
    Simulator::Run();
    EXPECT_TRUE(m_delivered.empty());
    EXPECT_EQ(CountStreams(), 0U);
}

TEST_P(TransportConformance, RemarkingHarmsNothing)
{
    BuildKind(3);
    std::vector<Ptr<StreamPair>> streams;
    At(Seconds(1), [&] {
        for (const uint32_t source : {0, 1})
        {
            streams.push_back(Open(source, 2));
            for (int i = 0; i < 10; ++i)
            {
                SendNumbered(streams.back(), 300000, 10 * static_cast<int>(source) + i);
            }
        }
    });
    for (int i = 1; i < 100; ++i) // every 50 us, of about 5 ms
    {
        At(Seconds(1) + MicroSeconds(50 * i), [&streams, i] {
            const auto priority = static_cast<uint8_t>(1 + i % 7);
            const auto other = static_cast<uint8_t>(1 + (i * 3) % 7);
            streams[i % 2]->SetMark(StreamPair::End::SOURCE, Mark{priority, other});
            streams[i % 2]->SetMark(StreamPair::End::DESTINATION, Mark{other, priority});
        });
    }
    Simulator::Run();
    for (const uint32_t source : {0, 1})
    {
        std::vector<int> own;
        for (const int number : m_delivered)
        {
            if (number / 10 == static_cast<int>(source))
            {
                own.push_back(number % 10);
            }
        }
        EXPECT_EQ(own, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        EXPECT_EQ(streams[source]->GetDeliveredBytes(), 3000000U);
    }
}

TEST_P(TransportConformance, TakesItsPathWhateverElseIsOpen)
{
    const bool hasAnswers = CreatePolicy<Transport>(GetParam())->HasPackets();
    std::set<std::string> up;
    for (uint32_t label = 0; label < 16; ++label)
    {
        const auto alone = FindPath(label, 0);
        // Up to one spine and, where there are acknowledgements, back by one spine.
        ASSERT_EQ(alone.size(), hasAnswers ? 2U : 1U) << label;
        EXPECT_EQ(FindPath(label, 37), alone) << label;
        EXPECT_EQ(FindPath(label + FlowKey::PATH_LABELS, 5), alone) << label;
        up.insert(alone.front());
    }
    EXPECT_GE(up.size(), 4U); // 16 labels miss 5 given ones of 8 spines with probability 1.5e-7
}

TEST_P(TransportConformance, IsDeterministic)
{
    std::vector<std::vector<Time>> runs;
    for (int run = 0; run < 2; ++run)
    {
        BuildKind(5);
        std::vector<Time> times;
        At(Seconds(1), [&] {
            for (uint32_t source = 1; source < 5; ++source)
            {
                for (int i = 0; i < 5; ++i)
                {
                    Open(source, 0)->Send(50000 * source,
                                          Then([&] { times.push_back(Simulator::Now()); }));
                }
            }
        });
        Simulator::Run();
        EXPECT_EQ(times.size(), 20U);
        runs.push_back(times);
        TearDown();
    }
    EXPECT_EQ(runs[0], runs[1]);
}

TEST_P(TransportConformance, EndsInAnyOrder)
{
    for (const bool networkFirst : {false, true})
    {
        BuildKind(2);
        Ptr<StreamPair> stream;
        At(Seconds(1), [&] {
            stream = Open(0, 1);
            stream->Send(100000000, {});
        });
        Simulator::Stop(Seconds(1) + MilliSeconds(1)); // in the middle
        Simulator::Run();
        const StreamCounters before = m_transport->GetCounters();
        EXPECT_EQ(before.dataPackets > 500, m_transport->HasPackets());
        if (networkFirst)
        {
            Simulator::Destroy();
        }
        m_transport->Dispose();
        EXPECT_EQ(m_transport->GetCounters().dataPackets, before.dataPackets);
        TearDown();
        stream = nullptr; // outlives all
    }
}

TEST_P(TransportConformance, RefusesMisuse)
{
    EXPECT_DEATH(CreatePolicy<Transport>(GetParam())->On(HostId{0}), "install the transport");
    BuildKind(2);
    EXPECT_DEATH(Open(0, 2), "there are 2 hosts");
    EXPECT_DEATH(m_transport->On(HostId{0})->Open(HostId{2}, {}, DATA, 0), "there are 2 hosts");
    EXPECT_DEATH(m_transport->Install(m_fabric), "once");
}

INSTANTIATE_TEST_SUITE_P(All,
                         TransportConformance,
                         ::testing::ValuesIn(ListPolicies(Transport::GetTypeId())),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(TransportTest, TcpIsOne)
{
    const auto kinds = ListPolicies(Transport::GetTypeId());
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "tcp"), 1);
    EXPECT_TRUE(CreatePolicy<Transport>("tcp")->HasPackets());
}

} // namespace
} // namespace ns3::ddl
