// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transport-fixture.h"

namespace ns3::ddl
{
namespace
{

/** Many to one through a port with default queues: 1 MB, marking above 100 kB. */
class RdmaIncastTest : public TransportFixture
{
  protected:
    void BuildIncast(uint32_t senders, uint32_t mtu, const std::string& control = "dctcp")
    {
        TopologySpec topology = SingleSwitch(senders + 1);
        topology.mtu = mtu;
        Build(topology, {{"CongestionControl", control}}, {}, {}, "rdma");
        m_streams.clear();
        At(Seconds(1), [=] {
            for (uint32_t source = 1; source <= senders; ++source)
            {
                m_streams.push_back(Open(source, 0));
            }
        });
    }

    /** Elastic flows for 60 ms, of which the last 50 are measured. */
    void RunLong()
    {
        std::vector<uint64_t> before;
        At(Seconds(1), [this] {
            for (const auto& stream : m_streams)
            {
                stream->Send(uint64_t{1} << 40, {});
            }
        });
        At(Seconds(1) + MilliSeconds(10), [&] {
            for (const auto& stream : m_streams)
            {
                before.push_back(stream->GetDeliveredBytes());
            }
        });
        Simulator::Stop(Seconds(1) + MilliSeconds(60));
        Simulator::Run();
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < m_streams.size(); ++i)
        {
            const double bytes = static_cast<double>(m_streams[i]->GetDeliveredBytes() - before[i]);
            sum += bytes;
            squares += bytes * bytes;
        }
        m_goodput = sum * 8 / 0.05 / 1e10;
        m_fairness = sum * sum / (squares * static_cast<double>(m_streams.size()));
    }

    /** Rounds of one message from each sender, a round after the other. */
    void RunRounds(uint64_t bytes, int rounds)
    {
        m_missing = 0;
        std::function<void(int)> round = [&](int left) {
            if (left == 0)
            {
                return;
            }
            m_missing = m_streams.size();
            for (const auto& stream : m_streams)
            {
                stream->Send(bytes, Then([&, left] {
                                 --m_missing;
                                 m_end = Simulator::Now();
                                 if (m_missing == 0)
                                 {
                                     round(left - 1);
                                 }
                             }));
            }
        };
        At(Seconds(1), [&] { round(rounds); });
        Simulator::Run();
        EXPECT_EQ(m_missing, 0U);
        for (const auto& stream : m_streams)
        {
            EXPECT_EQ(stream->GetDeliveredBytes(), bytes * static_cast<uint64_t>(rounds));
        }
    }

    void ExpectNothingLost()
    {
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_EQ(m_transport->GetCounters().retransmissions, 0U);
        EXPECT_EQ(m_transport->GetCounters().timeouts, 0U);
    }

    void TearDown() override
    {
        m_streams.clear();
        TransportFixture::TearDown();
    }

    std::vector<Ptr<StreamPair>> m_streams;
    std::size_t m_missing{0};
    Time m_end{Seconds(1)};
    double m_goodput{0};
    double m_fairness{0};
};

TEST_F(RdmaIncastTest, LongFlowsShareTheLinkAndLoseNothing)
{
    for (const uint32_t mtu : {1500, 9000})
    {
        for (const uint32_t senders : {2, 8, 64})
        {
            SCOPED_TRACE(std::to_string(senders) + " to 1, MTU " + std::to_string(mtu));
            BuildIncast(senders, mtu);
            RunLong();
            ExpectNothingLost();
            EXPECT_GE(m_goodput, 0.9 * (mtu - 44) / (mtu + 38));
            EXPECT_GE(m_fairness, 0.9);
            TearDown();
        }
    }
}

TEST_F(RdmaIncastTest, ShortMessagesInRoundsLoseNothing)
{
    for (const uint32_t senders : {2, 8, 63})
    {
        SCOPED_TRACE(senders);
        BuildIncast(senders, 1500);
        RunRounds(20000, 20);
        ExpectNothingLost();
        // 14 packets of 1538 or less, 13.8 on average; a round trip of 8 us between rounds
        const double line = senders * 20 * (20000 + 14 * 82) * 0.8;
        EXPECT_LE((m_end - Seconds(1)).GetNanoSeconds(), line * 1.1 + 20 * 20000);
        TearDown();
    }
}

/** Controls that let queues overflow where nobody pauses the sender lose, but deliver. */
TEST_F(RdmaIncastTest, ControlsForLosslessNetworksDeliverInLossyOnes)
{
    for (const std::string control : {"dcqcn", "fixed"})
    {
        for (const uint32_t senders : {2, 8, 64})
        {
            SCOPED_TRACE(control + " " + std::to_string(senders));
            BuildIncast(senders, 1500, control);
            RunRounds(1000000, 2);
            const double line = senders * 2 * 1000000 * 0.8;
            EXPECT_LE((m_end - Seconds(1)).GetNanoSeconds(), line * 10);
            TearDown();
        }
    }
}

/**
 * Four streams a host, so that the NIC, too, is what they wait for, and an answer for 64 packets:
 * when marks halve a window, what was sent has not been asked about.
 */
TEST_F(RdmaIncastTest, ShrunkenWindowsDoNotWaitForTheTimer)
{
    Build(SingleSwitch(9), {{"AckInterval", "64"}}, {}, {}, "rdma");
    At(Seconds(1), [this] {
        for (uint32_t i = 0; i < 32; ++i)
        {
            m_streams.push_back(Open(1 + i % 8, 0));
            m_streams.back()->Send(2000000, {});
        }
    });
    Simulator::Run();
    for (const auto& stream : m_streams)
    {
        EXPECT_TRUE(stream->IsIdle());
    }
    ExpectNothingLost();
}

} // namespace
} // namespace ns3::ddl
