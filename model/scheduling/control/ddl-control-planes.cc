// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-plane.h"

#include "ns3/abort.h"
#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <deque>
#include <map>
#include <utility>

namespace ns3::ddl
{

/**
 * Control messages cross the fabric in queue 0, which carries nothing else by default (Grouper
 * §IV-C). Each path is a stream, opened with its first message, with the control mark at both ends.
 * Streams to and from the coordinator stay open; those between other machines close when the last
 * user has left.
 */
class InBandControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::InBandControlPlane")
                                .SetParent<ControlPlane>()
                                .SetGroupName("Ddl")
                                .AddConstructor<InBandControlPlane>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "messages are sent over the fabric in queue 0 (Grouper §IV-C)";
    }

  protected:
    void DoDispose() override;

  private:
    /** The two ends of a path's stream, and what they keep until it has arrived. */
    struct Ends
    {
        Ptr<SendingStream> sending;
        Ptr<ReceivingStream> receiving;
        std::deque<std::pair<uint64_t, ControlMessage>> transit; //!< number and contents, in the
                                                                 //!< order of sending
    };

    uint64_t DoSend(const Path& path, uint64_t bytes, const ControlMessage& message) override;
    void DoClose(const Path& path) override;
    void Open(const Path& path, Ends& ends);

    std::map<Path, Ends> m_streams;
    uint64_t m_sent{0}; //!< messages sent on all paths
};

NS_OBJECT_ENSURE_REGISTERED(InBandControlPlane);

void
InBandControlPlane::DoDispose()
{
    for (const auto& [path, ends] : m_streams)
    {
        ends.receiving->SetReceiver(nullptr);
    }
    m_streams.clear();
    ControlPlane::DoDispose();
}

uint64_t
InBandControlPlane::DoSend(const Path& path, uint64_t bytes, const ControlMessage& message)
{
    Ends& ends = m_streams[path];
    if (!ends.sending)
    {
        Open(path, ends);
    }
    ends.transit.emplace_back(++m_sent, message);
    ends.sending->Send(bytes, {m_sent});
    return bytes;
}

void
InBandControlPlane::Open(const Path& path, Ends& ends)
{
    NS_ABORT_MSG_IF(!GetTransport(), "in-band control needs a transport");
    const bool toAgent = path.direction == Direction::TO_AGENT;
    const StreamName name{CONTROL_STREAMS,
                          static_cast<uint32_t>(path.direction),
                          path.source.value,
                          path.destination.value};
    ends.sending = GetTransport()
                       ->On(path.source)
                       ->Open(path.destination,
                              name,
                              CONTROL_MARK,
                              (toAgent ? path.destination : path.source).value);
    ends.receiving = GetTransport()->On(path.destination)->Accept(path.source, name, CONTROL_MARK);
    ends.receiving->SetReceiver([this, path, &ends](const MessageTag& tag) {
        if (ends.transit.empty() || ends.transit.front().first != tag.iteration)
        {
            return; // it was sent before the path was closed and opened again
        }
        const ControlMessage message = std::move(ends.transit.front().second);
        ends.transit.pop_front();
        Deliver(path, message); // which may close the path
    });
}

void
InBandControlPlane::DoClose(const Path& path)
{
    const auto ends = m_streams.extract(path);
    if (ends)
    {
        ends.mapped().sending->Close();
        ends.mapped().receiving->Close();
    }
}

/** No network: messages arrive at the same instant and cost nothing. For tests. */
class DirectControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::DirectControlPlane")
                                .SetParent<ControlPlane>()
                                .SetGroupName("Ddl")
                                .AddConstructor<DirectControlPlane>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "messages arrive at once and cost nothing; for tests";
    }

  protected:
    void DoDispose() override
    {
        m_closings.clear();
        ControlPlane::DoDispose();
    }

  private:
    uint64_t DoSend(const Path& path, uint64_t /* bytes */, const ControlMessage& message) override
    {
        // The event keeps the plane, which may be disposed of before.
        Simulator::ScheduleNow(&DirectControlPlane::Arrive,
                               Ptr<DirectControlPlane>(this),
                               path,
                               m_closings[path],
                               message);
        return 0;
    }

    void DoClose(const Path& path) override
    {
        ++m_closings[path];
    }

    void Arrive(const Path& path, uint64_t closings, const ControlMessage& message)
    {
        const auto now = m_closings.find(path);
        if (now != m_closings.end() && now->second == closings) // else it is lost
        {
            Deliver(path, message);
        }
    }

    std::map<Path, uint64_t> m_closings; //!< how often each path was closed
};

NS_OBJECT_ENSURE_REGISTERED(DirectControlPlane);

} // namespace ns3::ddl
