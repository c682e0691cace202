// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FAKE_TRANSPORT_H
#define DDL_FAKE_TRANSPORT_H

#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <cmath>
#include <vector>

namespace ns3::ddl
{

/** A message on a stream. */
struct FakeMessage
{
    HostId source;
    HostId destination;
    uint64_t bytes{0};
    Time sent;
    Time delivered;
};

/** A stream with a wire of its own: messages one after another at a rate, nothing else. */
class FakeStream : public MessageStream
{
  public:
    /** \param log gets all messages; outlives the stream */
    FakeStream(StreamId id,
               HostId source,
               HostId destination,
               double bytesPerSecond,
               std::vector<FakeMessage>& log)
        : MessageStream(id, source, destination),
          m_rate(bytesPerSecond),
          m_log(log)
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void Close() override
    {
        if (Shut())
        {
            for (EventId& event : m_events)
            {
                event.Cancel();
            }
            NotifyReleased();
        }
    }

  private:
    void DoSend(uint64_t bytes) override
    {
        const double seconds = static_cast<double>(bytes) / m_rate;
        m_free = Max(m_free, Simulator::Now()) + NanoSeconds(std::llround(seconds * 1e9));
        m_log.push_back({GetSource(), GetDestination(), bytes, Simulator::Now(), m_free});
        m_events.push_back(Simulator::Schedule(m_free - Simulator::Now(),
                                               &FakeStream::NotifyDelivered,
                                               this,
                                               bytes));
    }

    void DoSetMark(End /* end */, Mark /* mark */) override
    {
    }

    double m_rate;
    std::vector<FakeMessage>& m_log;
    Time m_free; //!< when the wire is free again
    std::vector<EventId> m_events;
};

/** Every stream at its own rate, whatever the others do; machine-local ones too. */
class FakeTransport : public Transport
{
  public:
    explicit FakeTransport(double bytesPerSecond)
        : m_rate(bytesPerSecond)
    {
    }

    std::string GetSummary() const override
    {
        return "for tests";
    }

    /** \return all messages of all streams, in the order in which they were sent */
    const std::vector<FakeMessage>& GetMessages() const
    {
        return m_messages;
    }

  private:
    void DoInstall() override
    {
    }

    Ptr<MessageStream> DoOpen(StreamId id,
                              HostId source,
                              HostId destination,
                              Mark sourceMark,
                              Mark destinationMark,
                              uint32_t /* flowLabel */) override
    {
        const auto stream = CreateObject<FakeStream>(id, source, destination, m_rate, m_messages);
        stream->SetMark(MessageStream::End::SOURCE, sourceMark);
        stream->SetMark(MessageStream::End::DESTINATION, destinationMark);
        return stream;
    }

    double m_rate;
    std::vector<FakeMessage> m_messages;
};

} // namespace ns3::ddl

#endif // DDL_FAKE_TRANSPORT_H
