// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-local-stream.h"
#include "ns3/ddl-message-stream.h"
#include "ns3/simulator.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::ddl
{
namespace
{

/** A stream without a network: the test says which bytes have arrived. */
class HandStream : public MessageStream
{
  public:
    HandStream()
        : MessageStream(StreamId{7}, HostId{1}, HostId{2})
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void Close() override
    {
        Shut();
    }

    void Arrive(uint64_t bytes)
    {
        NotifyDelivered(bytes);
    }

    uint64_t m_given{0}; //!< sum of DoSend
    int m_marks{0};      //!< calls of DoSetMark

  private:
    void DoSend(uint64_t bytes) override
    {
        m_given += bytes;
    }

    void DoSetMark(End /* end */, Mark /* mark */) override
    {
        ++m_marks;
    }
};

class MessageStreamTest : public ::testing::Test
{
  protected:
    /** \return a callback that notes a letter */
    MessageStream::DeliveredCallback Note(char letter)
    {
        return MessageStream::DeliveredCallback([this, letter] { m_log += letter; });
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    Ptr<HandStream> m_stream = CreateObject<HandStream>();
    std::string m_log;
};

TEST_F(MessageStreamTest, KnowsItsEnds)
{
    EXPECT_EQ(m_stream->GetId(), StreamId{7});
    EXPECT_EQ(m_stream->GetSource(), HostId{1});
    EXPECT_EQ(m_stream->GetDestination(), HostId{2});
}

TEST_F(MessageStreamTest, DeliversInOrderWithTheLastByteOfEach)
{
    m_stream->Send(10, Note('a')); // bytes 0 to 9
    m_stream->Send(5, Note('b'));  // bytes 10 to 14
    m_stream->Send(1, Note('c'));  // byte 15
    EXPECT_EQ(m_stream->m_given, 16U);
    m_stream->Arrive(9);
    EXPECT_EQ(m_log, "");
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "a");
    EXPECT_FALSE(m_stream->IsIdle());
    m_stream->Arrive(6); // the last of b, and c
    EXPECT_EQ(m_log, "abc");
    EXPECT_EQ(m_stream->GetSentBytes(), 16U);
    EXPECT_EQ(m_stream->GetDeliveredBytes(), 16U);
    EXPECT_TRUE(m_stream->IsIdle());
}

TEST_F(MessageStreamTest, EmptyMessagesComeWithTheByteBefore)
{
    m_stream->Send(3, Note('a'));
    m_stream->Send(0, Note('b'));
    m_stream->Send(0, Note('c'));
    m_stream->Send(1, Note('d'));
    EXPECT_EQ(m_stream->m_given, 4U);
    m_stream->Arrive(3);
    EXPECT_EQ(m_log, "abc");
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "abcd");
}

TEST_F(MessageStreamTest, AnEmptyMessageOnAnIdleStreamIsAnEventOfThisInstant)
{
    m_stream->Send(0, Note('a'));
    m_stream->Send(0, Note('b'));
    EXPECT_EQ(m_log, "") << "called back before Send had returned";
    EXPECT_FALSE(m_stream->IsIdle());
    Simulator::Run();
    EXPECT_EQ(m_log, "ab");
    EXPECT_EQ(Simulator::Now(), Time(0));
    EXPECT_TRUE(m_stream->IsIdle());
    m_stream->Send(0, Note('c')); // and again
    Simulator::Run();
    EXPECT_EQ(m_log, "abc");
}

TEST_F(MessageStreamTest, CallbacksMaySendAndMayBeNull)
{
    m_stream->Send(2, MessageStream::DeliveredCallback([this] {
                       m_log += 'a';
                       m_stream->Send(2, Note('c'));
                       m_stream->Send(0, Note('d'));
                       m_stream->Arrive(4); // b and c, from inside a callback
                       m_log += '.';
                   }));
    m_stream->Send(2, Note('b'));
    m_stream->Send(0, MessageStream::DeliveredCallback());
    m_stream->Arrive(2);
    EXPECT_EQ(m_log, "a.bcd");
}

TEST_F(MessageStreamTest, CountsBeyond32Bits)
{
    const uint64_t five = 5000000000; // above 2^32 = 4294967296
    m_stream->Send(five, Note('a'));
    m_stream->Send(1, Note('b'));
    m_stream->Arrive(five - 1);
    EXPECT_EQ(m_log, "");
    EXPECT_EQ(m_stream->GetDeliveredBytes(), 4999999999U);
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "a");
    m_stream->Arrive(1);
    EXPECT_EQ(m_log, "ab");
}

TEST_F(MessageStreamTest, TakesMessagesOf2To63)
{
    const uint64_t most = uint64_t{1} << 63;
    m_stream->Send(most, Note('a'));
    m_stream->Send(most - 1, Note('b')); // 2^64 - 1 together
    m_stream->Arrive(most);
    EXPECT_EQ(m_log, "a");
    m_stream->Arrive(most - 1);
    EXPECT_EQ(m_log, "ab");
    EXPECT_TRUE(m_stream->IsIdle());
    EXPECT_DEATH(m_stream->Send(1, Note('c')), "more than 2\\^64 bytes");
    EXPECT_DEATH(CreateObject<HandStream>()->Send(most + 1, Note('c')), "more than 2\\^63");
}

TEST_F(MessageStreamTest, NeverDeliversMoreThanWasSent)
{
    m_stream->Send(3, Note('a'));
    EXPECT_DEATH(m_stream->Arrive(4), "only 3 are under way");
}

TEST_F(MessageStreamTest, AClosedStreamCallsNobody)
{
    m_stream->Send(3, Note('a'));
    m_stream->Send(3, Note('b'));
    m_stream->Arrive(3);
    m_stream->Close();
    m_stream->Close();
    m_stream->Arrive(3); // late
    EXPECT_EQ(m_log, "a");
    EXPECT_FALSE(m_stream->IsIdle()) << "3 bytes were lost";
    EXPECT_DEATH(m_stream->Send(1, Note('c')), "stream 7, which is closed");
}

TEST_F(MessageStreamTest, ClosingCancelsAnEmptyMessage)
{
    m_stream->Send(0, Note('a'));
    m_stream->Close();
    Simulator::Run();
    EXPECT_EQ(m_log, "");
}

TEST_F(MessageStreamTest, ACallbackMayClose)
{
    m_stream->Send(1, MessageStream::DeliveredCallback([this] { m_stream->Close(); }));
    m_stream->Send(1, Note('b'));
    m_stream->Arrive(2);
    EXPECT_EQ(m_log, "");
}

TEST_F(MessageStreamTest, KeepsOneMarkForEachEnd)
{
    m_stream->SetMark(MessageStream::End::SOURCE, Mark{3, 4});
    m_stream->SetMark(MessageStream::End::DESTINATION, Mark{7, 63});
    EXPECT_EQ(m_stream->GetMark(MessageStream::End::SOURCE), (Mark{3, 4}));
    EXPECT_EQ(m_stream->GetMark(MessageStream::End::DESTINATION), (Mark{7, 63}));
    m_stream->Close();
    m_stream->SetMark(MessageStream::End::SOURCE, Mark{1, 1});
    EXPECT_EQ(m_stream->m_marks, 2) << "a closed stream has nothing to mark";
    EXPECT_DEATH(m_stream->SetMark(MessageStream::End::SOURCE, Mark{63, 0}), "band 63");
    EXPECT_DEATH(m_stream->SetMark(MessageStream::End::SOURCE, Mark{0, 64}), "codepoint 64");
}

class LocalStreamTest : public MessageStreamTest
{
  protected:
    /** \return 8 Gbps, so that 1 byte takes 1 ns, and 1 us of delay */
    static Ptr<LocalStream> MakeStream()
    {
        return CreateObject<LocalStream>(StreamId{0},
                                         HostId{0},
                                         DataRate("8Gbps"),
                                         MicroSeconds(1));
    }

    MessageStream::DeliveredCallback NoteTime()
    {
        return MessageStream::DeliveredCallback([this] { m_times.push_back(Simulator::Now()); });
    }

    std::vector<Time> m_times;
};

TEST_F(LocalStreamTest, ServesInOrderAtItsRate)
{
    const auto stream = MakeStream();
    stream->Send(500, NoteTime()); // 0.5 us of service, 1 us of delay
    stream->Send(300, NoteTime()); // waits for the first
    Simulator::Schedule(MicroSeconds(10), [&] { stream->Send(1000, NoteTime()); });
    Simulator::Run();
    const std::vector<Time> expected{NanoSeconds(1500), NanoSeconds(1800), NanoSeconds(12000)};
    EXPECT_EQ(m_times, expected);
    EXPECT_TRUE(stream->IsIdle());
}

TEST_F(LocalStreamTest, CarriesMoreThanFourGigabytes)
{
    const auto stream = MakeStream();
    stream->Send(5000000000, NoteTime()); // 5 s
    Simulator::Run();
    EXPECT_EQ(m_times, std::vector<Time>{Seconds(5) + MicroSeconds(1)});
    EXPECT_DEATH(stream->Send(uint64_t{1} << 63, NoteTime()), "longer than 1e9 s");
}

TEST_F(LocalStreamTest, ClosingLosesWhatIsUnderWay)
{
    const auto stream = MakeStream();
    stream->Send(500, NoteTime());
    stream->Send(500, NoteTime());
    Simulator::Schedule(NanoSeconds(1700), [&] { stream->Close(); });
    Simulator::Run();
    EXPECT_EQ(m_times, std::vector<Time>{NanoSeconds(1500)});
    EXPECT_EQ(stream->GetDeliveredBytes(), 500U);
    EXPECT_EQ(stream->GetSentBytes(), 1000U);
}

} // namespace
} // namespace ns3::ddl
