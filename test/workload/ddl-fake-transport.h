// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FAKE_TRANSPORT_H
#define DDL_FAKE_TRANSPORT_H

#include "ns3/ddl-stream-crossing.h"
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
class FakeStream : public SendingStream
{
  public:
    /** \param machines among which the destination is \param log gets all messages; outlives the
     * stream */
    FakeStream(const StreamRequest& request,
               HostId destination,
               const StreamCrossing::Machines& machines,
               double bytesPerSecond,
               std::vector<FakeMessage>& log)
        : SendingStream(request, destination),
          m_rate(bytesPerSecond),
          m_log(log),
          m_crossing(machines, *this)
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override
    {
        const double seconds = static_cast<double>(bytes) / m_rate;
        m_free = Max(m_free, Simulator::Now()) + NanoSeconds(std::llround(seconds * 1e9));
        m_log.push_back({GetSource(), GetDestination(), bytes, Simulator::Now(), m_free});
        m_events.push_back(
            Simulator::Schedule(m_free - Simulator::Now(), &FakeStream::Arrive, this, bytes, tag));
    }

    void Arrive(uint64_t bytes, MessageTag tag)
    {
        m_crossing.Carry({bytes, tag});
        NotifyAcknowledged(bytes);
    }

    void DoSetMark(Mark /* mark */) override
    {
    }

    void DoClose() override
    {
        for (EventId& event : m_events)
        {
            event.Cancel();
        }
        m_crossing.Close();
        NotifyReleased();
    }

    double m_rate;
    std::vector<FakeMessage>& m_log;
    Time m_free; //!< when the wire is free again
    std::vector<EventId> m_events;
    StreamCrossing m_crossing;
};

/** A machine with such streams. */
class FakeHost : public StreamHost
{
  public:
    FakeHost(HostId host,
             std::shared_ptr<StreamSettings> settings,
             const StreamCrossing::Machines& machines,
             double bytesPerSecond,
             std::vector<FakeMessage>& log)
        : StreamHost(host, std::move(settings)),
          m_machines(machines),
          m_rate(bytesPerSecond),
          m_log(log)
    {
    }

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest& request,
                              HostId destination,
                              Mark mark,
                              uint32_t /* flowLabel */) override
    {
        const auto stream =
            CreateObject<FakeStream>(request, destination, m_machines, m_rate, m_log);
        stream->SetMark(mark);
        return stream;
    }

    const StreamCrossing::Machines& m_machines;
    double m_rate;
    std::vector<FakeMessage>& m_log;
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

    Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) override
    {
        const auto made =
            CreateObject<FakeHost>(host, std::move(settings), m_machines, m_rate, m_messages);
        m_machines.Add(PeekPointer(made));
        return made;
    }

    StreamCrossing::Machines m_machines;
    double m_rate;
    std::vector<FakeMessage> m_messages;
};

} // namespace ns3::ddl

#endif // DDL_FAKE_TRANSPORT_H
