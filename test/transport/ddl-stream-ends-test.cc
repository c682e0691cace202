// SPDX-License-Identifier: GPL-2.0-only
// A stream's two ends are objects of two machines: what each does when the other is late, early,
// gone, or has been another one before.
#include "ddl-transport-fixture.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/ddl-stream-crossing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <type_traits>

namespace ns3::ddl
{
namespace
{

/** Whether bytes can be handed to a receiving end from outside. */
template <typename T, typename = void>
struct CanBeHandedBytes : std::false_type
{
};

template <typename T>
struct CanBeHandedBytes<
    T,
    std::void_t<decltype(std::declval<T&>().NotifyArrived(std::declval<MessagePiece>()))>>
    : std::true_type
{
};

static_assert(!CanBeHandedBytes<ReceivingStream>::value,
              "bytes come to a receiving end by its own packets or a StreamCrossing only");
static_assert(!std::is_convertible_v<SendingStream*, ReceivingStream*> &&
                  !std::is_constructible_v<StreamCrossing, SendingStream&, ReceivingStream&>,
              "no end is made of the other one");

class StreamEnds : public TransportFixture, public ::testing::WithParamInterface<std::string>
{
  protected:
    static constexpr HostId FROM{0};
    static constexpr HostId TO{1};

    void BuildKind(const Attributes& attributes = {}, const PortSpec& ports = {})
    {
        Build(SingleSwitch(4), attributes, ports, {}, GetParam());
    }

    bool HasPackets() const
    {
        return m_transport->HasPackets();
    }

    static StreamName Name(uint32_t job)
    {
        return {JobId{job}, 1, FROM.value, TO.value};
    }

    Ptr<SendingStream> OpenEnd(uint32_t job, uint32_t label = 0)
    {
        return m_transport->On(FROM)->Open(TO, Name(job), DATA, label);
    }

    /** \return a receiving end that notes the iterations of messages */
    Ptr<ReceivingStream> AcceptEnd(uint32_t job)
    {
        const auto stream = m_transport->On(TO)->Accept(FROM, Name(job), DATA);
        stream->SetReceiver([this](const MessageTag& tag) { m_heard.push_back(tag.iteration); });
        return stream;
    }

    /** Nothing is left on any machine. */
    void ExpectNothingLeft() const
    {
        EXPECT_EQ(m_transport->GetSendingCount(), 0U);
        EXPECT_EQ(m_transport->GetReceivingCount(), 0U);
        EXPECT_EQ(m_fabric->GetFramesInUse(), 0U);
    }

    void TearDown() override
    {
        m_sending = nullptr;
        m_receiving = nullptr;
        m_heard.clear();
        TransportFixture::TearDown();
    }

    Ptr<SendingStream> m_sending;
    Ptr<ReceivingStream> m_receiving;
    std::vector<uint64_t> m_heard;
};

using Heard = std::vector<uint64_t>;

TEST_P(StreamEnds, WhoWaitsLateGetsWhatHasCome)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_sending = OpenEnd(1);
        m_sending->Send(100000, {1});
    });
    At(Seconds(2), [&] {
        EXPECT_EQ(m_transport->GetReceivingCount(), 1U);
        EXPECT_EQ(m_sending->GetAcknowledgedBytes(), 100000U);
        m_receiving = AcceptEnd(1);
        EXPECT_EQ(m_receiving->GetReceivedBytes(), 100000U);
        EXPECT_EQ(m_receiving->GetId(), m_sending->GetId());
        m_sending->Send(50000, {2});
    });
    At(Seconds(1) + StreamHost::GetPatience() * 2, [&] { m_sending->Send(7, {3}); });
    Simulator::Run();
    EXPECT_EQ(m_heard, (Heard{2, 3})) << "the first came when nobody waited";
    EXPECT_EQ(m_receiving->GetReceivedBytes(), 150007U);
    m_sending->Close();
    m_receiving->Close();
    Simulator::Run();
    ExpectNothingLeft();
}

TEST_P(StreamEnds, WhoWaitsEarlyIsConnected)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_receiving = AcceptEnd(1);
        EXPECT_EQ(m_receiving->GetId(), std::nullopt);
        EXPECT_EQ(m_receiving->GetMark(), DATA);
    });
    At(Seconds(500), [&] { OpenEnd(1)->Send(1000, {9}); }); // patience is not for those who wait
    Simulator::Run();
    EXPECT_EQ(m_heard, (Heard{9}));
}

TEST_P(StreamEnds, AConnectionThatNobodyWaitsForIsGivenUp)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_sending = OpenEnd(1);
        m_sending->Send(100000);
    });
    At(Seconds(2), [&] {
        EXPECT_EQ(m_transport->GetReceivingCount(), 1U);
        m_sending->Close();
        EXPECT_EQ(m_transport->GetReceivingCount(), HasPackets() ? 1U : 0U);
    });
    At(Seconds(60.9), [&] {
        EXPECT_EQ(m_transport->GetSendingCount(), 0U);
        EXPECT_EQ(m_transport->GetReceivingCount(), HasPackets() ? 1U : 0U);
    });
    At(Seconds(61.1), [&] { ExpectNothingLeft(); });
    Simulator::Run();
}

TEST_P(StreamEnds, TheReceivingEndClosesInTheMiddle)
{
    BuildKind();
    uint64_t received = 0;
    uint64_t acknowledged = 0;
    At(Seconds(1), [&] {
        m_receiving = AcceptEnd(1);
        m_sending = OpenEnd(1);
        m_sending->Send(1000000, {1}); // 0.85 ms
        m_sending->Send(1000000, {2}, SendingStream::AcknowledgedCallback([&] { ++acknowledged; }));
    });
    At(Seconds(1) + MicroSeconds(1200), [&] {
        m_receiving->Close();
        received = m_receiving->GetReceivedBytes();
        EXPECT_GT(received, 1000000U);
        EXPECT_LT(received, 2000000U);
        m_receiving->Close();
    });
    At(Seconds(1) + MilliSeconds(50), [&] {
        // TCP goes on to acknowledge what comes; a queue pair that is gone does not, and a fluid
        // knows nothing of acknowledgements.
        EXPECT_EQ(acknowledged, GetParam() == "rdma" ? 0U : 1U);
        m_sending->Close();
    });
    Simulator::Run();
    EXPECT_EQ(m_heard, (Heard{1}));
    EXPECT_EQ(m_receiving->GetReceivedBytes(), received);
    ExpectNothingLeft();
}

TEST_P(StreamEnds, TheSendingEndClosesInTheMiddle)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_receiving = AcceptEnd(1);
        m_sending = OpenEnd(1);
        m_sending->Send(1000000, {1});
        m_sending->Send(1000000, {2});
    });
    At(Seconds(1) + MicroSeconds(1200), [&] {
        m_sending->Close();
        EXPECT_DEATH(m_sending->Send(1), "which is closed");
    });
    At(Seconds(10), [&] {
        EXPECT_EQ(m_transport->GetSendingCount(), 0U);
        EXPECT_EQ(m_transport->GetReceivingCount(), 1U) << "it was not told";
        EXPECT_GT(m_receiving->GetReceivedBytes(), 1000000U);
        EXPECT_LT(m_receiving->GetReceivedBytes(), 2000000U);
        m_receiving->Close();
    });
    Simulator::Run();
    EXPECT_EQ(m_heard, (Heard{1}));
    ExpectNothingLeft();
}

/** At any instant about the first packets. */
TEST_P(StreamEnds, EachEndClosesAtAnyStage)
{
    BuildKind();
    for (int ns = 0; ns < 20000; ns += 500) // the first data arrive after about 12 us
    {
        for (const bool first : {false, true})
        {
            At(Seconds(1) + MilliSeconds(2 * ns + (first ? 1 : 0)), [this, ns, first] {
                const auto job = static_cast<uint32_t>(1 + 2 * ns + (first ? 1 : 0));
                const Ptr<ReceivingStream> receiving = AcceptEnd(job);
                const Ptr<SendingStream> sending = OpenEnd(job);
                sending->Send(100000, {job});
                Simulator::Schedule(NanoSeconds(first ? 0 : ns), &SendingStream::Close, sending);
                Simulator::Schedule(NanoSeconds(first ? ns : 0),
                                    &ReceivingStream::Close,
                                    receiving);
            });
        }
    }
    Simulator::Run();
    EXPECT_TRUE(m_heard.empty());
    ExpectNothingLeft();
}

TEST_P(StreamEnds, ALaterStreamOfTheSameNameTakesItsPlace)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_receiving = AcceptEnd(1);
        m_sending = OpenEnd(1);
        m_sending->Send(1000, {1});
        m_sending->Send(1000000, {2});
    });
    At(Seconds(1) + MicroSeconds(200), [&] {
        m_sending->Close(); // the receiving end is not told, and stays open
        m_sending = OpenEnd(1);
        m_sending->Send(1000, {10});
        m_sending->Send(5000, {11});
    });
    Simulator::Run();
    EXPECT_EQ(m_heard, (Heard{1, 10, 11}));
    EXPECT_EQ(m_receiving->GetId(), m_sending->GetId());
    m_sending->Close();
    m_receiving->Close();
    Simulator::Run();
    ExpectNothingLeft();
}

/** A run has ended at both ends, and the next one has a stream of the same name. */
TEST_P(StreamEnds, ANameIsFreeOnceItsEndIsClosed)
{
    BuildKind();
    for (uint64_t run = 1; run <= 50; ++run)
    {
        At(Seconds(1) + MicroSeconds(40 * run), [this, run] {
            if (m_sending)
            {
                m_sending->Close();
                m_receiving->Close();
            }
            m_receiving = AcceptEnd(1);
            m_sending = OpenEnd(1);
            m_sending->Send(1000, {run});
        });
    }
    At(Seconds(2), [this] {
        m_sending->Close();
        m_receiving->Close();
    });
    Simulator::Run();
    Heard all(50);
    std::iota(all.begin(), all.end(), uint64_t{1});
    EXPECT_EQ(m_heard, all);
    ExpectNothingLeft();
}

TEST_P(StreamEnds, OneWaitsForAName)
{
    BuildKind();
    AcceptEnd(1);
    EXPECT_DEATH(AcceptEnd(1), "of job 1, run 1, from 0 to 1 is waited for already");
}

/** What the sender knows never exceeds what has come, and that never what was sent. */
TEST_P(StreamEnds, EachEndCountsWhatItKnows)
{
    BuildKind();
    At(Seconds(1), [&] {
        m_receiving = AcceptEnd(1);
        m_sending = OpenEnd(1);
        m_sending->Send(2000000);
    });
    uint64_t behind = 0;
    for (int i = 1; i < 400; ++i) // 2 MB take 1.7 ms
    {
        At(Seconds(1) + MicroSeconds(5 * i), [&] {
            EXPECT_LE(m_sending->GetAcknowledgedBytes(), m_receiving->GetReceivedBytes());
            EXPECT_LE(m_receiving->GetReceivedBytes(), m_sending->GetSentBytes());
            behind += m_receiving->GetReceivedBytes() - m_sending->GetAcknowledgedBytes();
        });
    }
    Simulator::Run();
    EXPECT_EQ(m_sending->GetAcknowledgedBytes(), 2000000U);
    EXPECT_EQ(m_receiving->GetReceivedBytes(), 2000000U);
    EXPECT_EQ(behind > 0, HasPackets()) << "acknowledgements take time, where there are any";
}

/** Eight senders, queues of ten packets, and marks that change: what messages say comes once, in
 * order, with the right bytes, whatever is lost or overtaken. */
TEST_P(StreamEnds, MessagesKeepTheirEndsThroughLossAndReordering)
{
    std::vector<Attributes> variants{{}};
    if (GetParam() == "rdma")
    {
        variants.push_back({{"Recovery", "selective-repeat"}});
    }
    for (const Attributes& variant : variants)
    {
        PortSpec ports;
        ports.limit = 15000;
        BuildKind(variant, ports);
        std::mt19937 draw(1);
        std::map<uint32_t, std::vector<uint64_t>> said;    // by stream: lengths
        std::map<uint32_t, std::vector<uint64_t>> lengths; // as they came
        std::map<uint32_t, uint64_t> heard;                // messages
        std::vector<Ptr<SendingStream>> sending;
        At(Seconds(1), [&] {
            for (uint32_t i = 0; i < 8; ++i)
            {
                const HostId from{i % 3 + 1};
                const StreamName name{JobId{i}, 1, from.value, 0};
                const auto end = m_transport->On(HostId{0})->Accept(from, name, DATA);
                end->SetReceiver([&heard, i](const MessageTag& tag) {
                    EXPECT_EQ(tag.iteration, heard[i]++);
                    EXPECT_EQ(tag.slot, i);
                });
                end->TraceConnectWithoutContext(
                    "MessageDelivered",
                    Callback<void, const StreamName&, uint64_t>(
                        [&lengths, i](const StreamName&, uint64_t bytes) {
                            lengths[i].push_back(bytes);
                        }));
                sending.push_back(m_transport->On(from)->Open(HostId{0}, name, DATA, i));
                for (uint64_t message = 0; message < 300; ++message)
                {
                    said[i].push_back(1 + draw() % (message % 10 == 0 ? 40000 : 3000));
                    sending.back()->Send(said[i].back(), {message, 0, i});
                }
            }
        });
        for (int i = 1; i < 300; ++i)
        {
            At(Seconds(1) + MicroSeconds(20 * i), [&] {
                const auto queue = static_cast<uint8_t>(1 + draw() % 7);
                sending[draw() % 8]->SetMark(Mark{queue, queue});
            });
        }
        Simulator::Run();
        EXPECT_EQ(CountDrops() > 0, HasPackets());
        EXPECT_EQ(m_transport->GetCounters().reordered > 0, HasPackets());
        EXPECT_EQ(lengths, said);
        TearDown();
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         StreamEnds,
                         ::testing::Values("fluid", "rdma", "tcp"),
                         [](const auto& info) { return info.param; });

class NumbersAgain : public StreamEnds
{
};

/** A TCP source has 16 ports of a label: the 17th stream has those of the first, whose receiving
 * end was never closed. The numbers of queue pairs at a NIC come round likewise. */
TEST_P(NumbersAgain, ANewStreamTakesThePlaceOfAnOldOne)
{
    BuildKind();
    const uint32_t last = GetParam() == "tcp" ? 17 : 64 * 256 + 1; // 64 slots, 256 generations
    At(Seconds(1), [&] {
        AcceptEnd(1);
        m_sending = OpenEnd(1, 7);
        m_sending->Send(1000, {1});
    });
    At(Seconds(1) + MilliSeconds(1), [&] {
        m_sending->Close();
        for (uint32_t i = 2; i < last; ++i)
        {
            OpenEnd(i, 7)->Close();
        }
        AcceptEnd(last);
        OpenEnd(last, 7)->Send(1000, {last});
    });
    At(Seconds(1) + MicroSeconds(1100), [&] { EXPECT_EQ(m_heard, (Heard{1, last})); });
    Simulator::Run();
    EXPECT_LT(Simulator::Now(), Seconds(62)) << "patience with the requests between";
}

INSTANTIATE_TEST_SUITE_P(Packets,
                         NumbersAgain,
                         ::testing::Values("rdma", "tcp"),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace ns3::ddl
