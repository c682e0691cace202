// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slow.h"
#include "ddl-transport-fixture.h"

namespace ns3::ddl
{
namespace
{

/** Patterns that stall ns-3's TCP with its own defaults (doc/transport.md). */
class TcpStallTest : public TransportFixture
{
  protected:
    static constexpr uint64_t TWENTY_PACKETS = 20 * 1538; //!< threshold that is hard for incast
    static constexpr uint64_t SIXTY_FIVE_PACKETS = 65 * 1538;

    static PortSpec SwitchPorts(uint64_t threshold)
    {
        PortSpec ports;
        ports.ecnThreshold = threshold;
        ports.limit = 16000000; // above all windows together
        return ports;
    }

    static HostSpec Nics(uint64_t threshold)
    {
        HostSpec nics;
        nics.ecnThreshold = threshold;
        return nics;
    }

    /** N workers send to one server, again and again, each round when the last one is complete. */
    void Incast(uint32_t workers, uint64_t bytes, uint32_t rounds, uint64_t threshold)
    {
        Build(SingleSwitch(workers + 1), {}, SwitchPorts(threshold), Nics(threshold));
        m_rounds = rounds;
        At(Seconds(1), [this, workers, bytes] {
            for (uint32_t worker = 1; worker <= workers; ++worker)
            {
                m_streams.push_back(Open(worker, 0));
            }
            StartRound(bytes);
        });
        Simulator::Run();
    }

    void StartRound(uint64_t bytes)
    {
        const Time start = Simulator::Now();
        m_left = m_streams.size();
        for (const auto& stream : m_streams)
        {
            stream->Send(bytes, Then([this, bytes, start] { EndMessage(bytes, start); }));
        }
    }

    void EndMessage(uint64_t bytes, Time start)
    {
        if (--m_left > 0)
        {
            return;
        }
        m_worst = Max(m_worst, Simulator::Now() - start);
        m_end = Simulator::Now();
        if (++m_done < m_rounds)
        {
            StartRound(bytes);
        }
    }

    /** Each host passes on to the next what it has got from the one before. */
    void Ring(uint32_t hosts, uint32_t steps, uint64_t bytes, uint64_t threshold)
    {
        TopologySpec topology; // four to a leaf, and a spine for each of them
        topology.shape.Set("Leaves", UintegerValue(hosts / 4));
        topology.shape.Set("HostsPerLeaf", StringValue("4"));
        topology.shape.Set("Spines", UintegerValue(4));
        Build(topology, {}, SwitchPorts(threshold), Nics(threshold));
        m_rounds = steps;
        m_got.assign(hosts, 0);
        m_last.assign(hosts, Seconds(1));
        At(Seconds(1), [this, hosts, bytes] {
            for (uint32_t i = 0; i < hosts; ++i)
            {
                m_streams.push_back(Open(i, (i + 1) % hosts));
            }
            for (uint32_t i = 0; i < hosts; ++i)
            {
                Pass(i, bytes);
            }
        });
        Simulator::Run();
    }

    void Pass(uint32_t host, uint64_t bytes)
    {
        m_streams[host]->Send(bytes, Then([this, host, bytes] {
                                  const uint32_t next = (host + 1) % m_streams.size();
                                  m_worst = Max(m_worst, Simulator::Now() - m_last[next]);
                                  m_last[next] = Simulator::Now();
                                  m_end = Simulator::Now();
                                  if (++m_got[next] < m_rounds)
                                  {
                                      Pass(next, bytes);
                                  }
                              }));
    }

    void ExpectNoStall()
    {
        const StreamCounters counters = m_transport->GetCounters();
        EXPECT_EQ(counters.timeouts, 0U);
        EXPECT_EQ(counters.retransmissions, 0U);
        EXPECT_EQ(counters.reordered, 0U);
        EXPECT_EQ(CountDrops(), 0U);
        EXPECT_GT(CountMarks(), 0U) << "a test of marking without a mark";
    }

    void TearDown() override
    {
        m_streams.clear();
        TransportFixture::TearDown();
    }

    std::vector<Ptr<StreamPair>> m_streams;
    std::vector<uint32_t> m_got; //!< messages, by host
    std::vector<Time> m_last;    //!< when the latest of them came
    uint64_t m_left{0};          //!< messages of this round
    uint32_t m_rounds{0};
    uint32_t m_done{0};
    Time m_worst; //!< longest round or step
    Time m_end;   //!< of the last
};

TEST_F(TcpStallTest, EightToOneKeepsTheWireBusy)
{
    const uint64_t bytes = 4000000;
    const auto rounds = HowOften(4U, 10U);
    Incast(8, bytes, rounds, SIXTY_FIVE_PACKETS);
    EXPECT_EQ(m_done, rounds);
    ExpectNoStall();
    // at most 1460 of 1538 bytes are data: 94.93 % of 10 Gbps
    const double goodput = 8.0 * bytes * rounds * 8 / (m_end - Seconds(1)).GetSeconds() / 10e9;
    EXPECT_GE(goodput, 0.94);
    EXPECT_LE(goodput, 0.9494);
}

TEST_F(TcpStallTest, SixtyThreeToOneWithALowThreshold)
{
    const uint64_t bytes = 20000;
    const uint32_t rounds = 20;
    Incast(63, bytes, rounds, TWENTY_PACKETS);
    EXPECT_EQ(m_done, rounds);
    ExpectNoStall();
    // 63 x 14 packets, the last of each with 1020 + 78 bytes: 63 x 21092 bytes, 1063 us
    EXPECT_LT(m_worst, MicroSeconds(1150));
}

TEST_F(TcpStallTest, SixtyThreeToOneForLong)
{
    Incast(63, 400000, 3, TWENTY_PACKETS);
    EXPECT_EQ(m_done, 3U);
    ExpectNoStall();
    // 63 x 400,000 / 1460 x 1538 bytes at 10 Gbps: 21.24 ms
    EXPECT_LT(m_worst, MicroSeconds(21700));
}

TEST_F(TcpStallTest, ARingOfSixteen)
{
    const auto steps = HowOften(20U, 60U);
    for (const uint64_t threshold : {TWENTY_PACKETS, SIXTY_FIVE_PACKETS})
    {
        SCOPED_TRACE(threshold);
        Ring(16, steps, 500000, threshold);
        for (const uint32_t got : m_got)
        {
            EXPECT_EQ(got, steps);
        }
        ExpectNoStall();
        // a step alone: 343 frames of 1538 bytes, 422 us. Flows that share a spine link take twice
        EXPECT_LT(m_worst, MicroSeconds(1000));
        const double goodput = steps * 500000.0 * 8 / (m_end - Seconds(1)).GetSeconds() / 10e9;
        EXPECT_GT(goodput, 0.80);
        TearDown();
    }
}

} // namespace
} // namespace ns3::ddl
