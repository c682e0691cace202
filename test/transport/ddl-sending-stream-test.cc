// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-local-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/ddl-stream-host.h"
#include "ns3/simulator.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace
{

/** A sending end without a network: the test says which bytes are acknowledged. */
class HandStream : public SendingStream
{
  public:
    HandStream()
        : SendingStream({StreamId{7}, {JobId{3}, 2, 0, 1}, HostId{1}}, HostId{2})
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void Arrive(uint64_t bytes)
    {
        NotifyAcknowledged(bytes);
    }

    uint64_t m_given{0}; //!< sum of DoSend
    int m_marks{0};      //!< calls of DoSetMark

  private:
    void DoSend(uint64_t bytes, const MessageTag& /* tag */) override
    {
        m_given += bytes;
    }

    void DoSetMark(Mark /* mark */) override
    {
        ++m_marks;
    }

    void DoClose() override
    {
        NotifyReleased();
    }
};

class SendingStreamTest : public ::testing::Test
{
  protected:
    using AcknowledgedCallback = SendingStream::AcknowledgedCallback;

    /** \return a callback that notes a letter */
    AcknowledgedCallback Note(char letter)
    {
        return AcknowledgedCallback([this, letter] { m_log += letter; });
    }

    void Send(uint64_t bytes, AcknowledgedCallback acknowledged)
    {
        m_stream->Send(bytes, {}, acknowledged);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    Ptr<HandStream> m_stream = CreateObject<HandStream>();
    std::string m_log;
};

TEST_F(SendingStreamTest, KnowsItsEnds)
{
    EXPECT_EQ(m_stream->GetId(), StreamId{7});
    EXPECT_EQ(m_stream->GetSource(), HostId{1});
    EXPECT_EQ(m_stream->GetDestination(), HostId{2});
    EXPECT_EQ(m_stream->GetName(), (StreamName{JobId{3}, 2, 0, 1}));
}

TEST_F(SendingStreamTest, AcknowledgesInOrderWithTheLastByteOfEach)
{
    Send(10, Note('a')); // bytes 0 to 9
    Send(5, Note('b'));  // bytes 10 to 14
    Send(1, Note('c'));  // byte 15
    EXPECT_EQ(m_stream->m_given, 16U);
    m_stream->Arrive(9);
    EXPECT_EQ(m_log, "");
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "a");
    EXPECT_FALSE(m_stream->IsIdle());
    m_stream->Arrive(6); // the last of b, and c
    EXPECT_EQ(m_log, "abc");
    EXPECT_EQ(m_stream->GetSentBytes(), 16U);
    EXPECT_EQ(m_stream->GetAcknowledgedBytes(), 16U);
    EXPECT_TRUE(m_stream->IsIdle());
}

TEST_F(SendingStreamTest, AMessageWithoutBytesDoesNotTravel)
{
    EXPECT_DEATH(m_stream->Send(0), "a message without bytes does not travel");
}

TEST_F(SendingStreamTest, CallbacksMaySendAndMayBeNull)
{
    Send(2, AcknowledgedCallback([this] {
             m_log += 'a';
             Send(2, Note('c'));
             Send(1, Note('d'));
             m_stream->Arrive(6); // all that follows, from inside a callback
             m_log += '.';
         }));
    Send(2, Note('b'));
    Send(1, AcknowledgedCallback());
    m_stream->Arrive(2);
    EXPECT_EQ(m_log, "a.bcd");
}

TEST_F(SendingStreamTest, CountsBeyond32Bits)
{
    const uint64_t five = 5000000000; // above 2^32 = 4294967296
    Send(five, Note('a'));
    Send(1, Note('b'));
    m_stream->Arrive(five - 1);
    EXPECT_EQ(m_log, "");
    EXPECT_EQ(m_stream->GetAcknowledgedBytes(), 4999999999U);
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "a");
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "ab");
}

TEST_F(SendingStreamTest, TakesMessagesOf2To63)
{
    const uint64_t most = uint64_t{1} << 63;
    Send(most, Note('a'));
    Send(most - 1, Note('b')); // 2^64 - 1 together
    m_stream->Arrive(most);
    EXPECT_EQ(m_log, "a");
    m_stream->Arrive(most - 1);
    EXPECT_EQ(m_log, "ab");
    EXPECT_TRUE(m_stream->IsIdle());
    EXPECT_DEATH(Send(1, Note('c')), "more than 2\\^64 bytes");
    EXPECT_DEATH(CreateObject<HandStream>()->Send(most + 1, {}, Note('c')), "more than 2\\^63");
}

TEST_F(SendingStreamTest, NoMoreIsAcknowledgedThanWasSent)
{
    Send(3, Note('a'));
    EXPECT_DEATH(m_stream->Arrive(4), "only 3 are under way");
}

TEST_F(SendingStreamTest, AClosedStreamCallsNobody)
{
    Send(3, Note('a'));
    Send(3, Note('b'));
    m_stream->Arrive(3);
    m_stream->Close();
    m_stream->Close();
    m_stream->Arrive(3); // late
    EXPECT_EQ(m_log, "a");
    EXPECT_FALSE(m_stream->IsIdle()) << "3 bytes were lost";
    EXPECT_DEATH(Send(1, Note('c')), "stream 7, which is closed");
}

TEST_F(SendingStreamTest, ACallbackMayClose)
{
    Send(1, AcknowledgedCallback([this] { m_stream->Close(); }));
    Send(1, Note('b'));
    m_stream->Arrive(2);
    EXPECT_EQ(m_log, "");
}

TEST_F(SendingStreamTest, KeepsItsMark)
{
    m_stream->SetMark(Mark{3, 4});
    m_stream->SetMark(Mark{7, 63});
    EXPECT_EQ(m_stream->GetMark(), (Mark{7, 63}));
    m_stream->Close();
    m_stream->SetMark(Mark{1, 1});
    EXPECT_EQ(m_stream->m_marks, 2) << "a closed stream has nothing to mark";
    EXPECT_DEATH(m_stream->SetMark(Mark{63, 0}), "band 63");
    EXPECT_DEATH(m_stream->SetMark(Mark{0, 64}), "codepoint 64");
}

/** A machine that has streams with itself only. */
class LoneHost : public StreamHost
{
  public:
    LoneHost()
        : StreamHost(HostId{0},
                     std::make_shared<StreamSettings>(
                         StreamSettings{1,
                                        DataRate("8Gbps"), // 1 byte takes 1 ns
                                        MicroSeconds(1)}))
    {
    }

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest&, HostId, Mark, uint32_t) override
    {
        return nullptr;
    }
};

class LocalStreamTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_host->Dispose();
        Simulator::Destroy();
    }

    /** \return the sending end; m_times gets when messages arrive at the other one */
    Ptr<SendingStream> MakeStream()
    {
        m_receiving = m_host->Accept(HostId{0}, NAME, Mark{});
        m_receiving->SetReceiver(
            [this](const MessageTag&) { m_times.push_back(Simulator::Now()); });
        return m_host->Open(HostId{0}, NAME, Mark{}, 0);
    }

    static constexpr StreamName NAME{};

    Ptr<LoneHost> m_host = CreateObject<LoneHost>();
    Ptr<ReceivingStream> m_receiving;
    std::vector<Time> m_times;
};

TEST_F(LocalStreamTest, ServesInOrderAtItsRate)
{
    const auto stream = MakeStream();
    stream->Send(500); // 0.5 us of service, 1 us of delay
    stream->Send(300); // waits for the first
    Simulator::Schedule(MicroSeconds(10), [&] { stream->Send(1000); });
    Simulator::Run();
    const std::vector<Time> expected{NanoSeconds(1500), NanoSeconds(1800), NanoSeconds(12000)};
    EXPECT_EQ(m_times, expected);
    EXPECT_TRUE(stream->IsIdle());
}

TEST_F(LocalStreamTest, CarriesMoreThanFourGigabytes)
{
    const auto stream = MakeStream();
    stream->Send(5000000000); // 5 s
    Simulator::Run();
    EXPECT_EQ(m_times, std::vector<Time>{Seconds(5) + MicroSeconds(1)});
    EXPECT_DEATH(stream->Send(uint64_t{1} << 63), "longer than 1e9 s");
}

TEST_F(LocalStreamTest, ClosingLosesWhatIsUnderWay)
{
    const auto stream = MakeStream();
    stream->Send(500);
    stream->Send(500);
    Simulator::Schedule(NanoSeconds(1700), [&] { stream->Close(); });
    Simulator::Run();
    EXPECT_EQ(m_times, std::vector<Time>{NanoSeconds(1500)});
    EXPECT_EQ(m_receiving->GetReceivedBytes(), 700U); // what has arrived counts: 200 ns of 1 GB/s
    EXPECT_EQ(stream->GetAcknowledgedBytes(), 700U);
    EXPECT_EQ(stream->GetSentBytes(), 1000U);
}

TEST_F(LocalStreamTest, BytesCountAsTheyArrive)
{
    const auto stream = MakeStream();
    stream->Send(500); // arrives from 1 us to 1.5 us
    stream->Send(300);
    std::vector<uint64_t> received;
    for (const int64_t ns : {0, 900, 1000, 1200, 1499, 1500, 1600, 1800, 2000})
    {
        Simulator::Schedule(NanoSeconds(ns), [&] {
            received.push_back(m_receiving->GetReceivedBytes());
            EXPECT_EQ(stream->GetAcknowledgedBytes(), received.back());
        });
    }
    Simulator::Run();
    // Its last byte arrives with the message: at 1.5 us before this looks, at 1.8 us after it.
    EXPECT_EQ(received, (std::vector<uint64_t>{0, 0, 0, 200, 499, 500, 600, 799, 800}));
}

} // namespace
} // namespace ns3::ddl
