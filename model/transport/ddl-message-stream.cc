// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-message-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlMessageStream");
NS_OBJECT_ENSURE_REGISTERED(MessageStream);

namespace
{

constexpr uint64_t MAX_MESSAGE_BYTES = uint64_t{1} << 63;

} // namespace

TypeId
MessageStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::MessageStream")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddTraceSource("MessageSent",
                            "A message was given to the stream: stream, bytes.",
                            MakeTraceSourceAccessor(&MessageStream::m_messageSent),
                            "ns3::ddl::MessageStream::MessageCallback")
            .AddTraceSource("MessageDelivered",
                            "The last byte of the oldest message under way has arrived: stream, "
                            "bytes.",
                            MakeTraceSourceAccessor(&MessageStream::m_messageDelivered),
                            "ns3::ddl::MessageStream::MessageCallback");
    return tid;
}

MessageStream::MessageStream(StreamId id, HostId source, HostId destination)
    : m_id(id),
      m_source(source),
      m_destination(destination)
{
    NS_LOG_FUNCTION(this << id << source << destination);
}

MessageStream::~MessageStream()
{
    NS_LOG_FUNCTION(this);
    m_wake.Cancel();
}

void
MessageStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Shut();
    m_releasedCallback = MakeNullCallback<void, StreamId>();
    Object::DoDispose();
}

void
MessageStream::Send(uint64_t bytes, DeliveredCallback delivered)
{
    Add(bytes, std::nullopt, delivered);
}

void
MessageStream::Send(uint64_t bytes, const MessageTag& tag, DeliveredCallback delivered)
{
    Add(bytes, tag, delivered);
}

void
MessageStream::SetReceiver(Receiver receiver)
{
    m_receiver = std::move(receiver);
}

void
MessageStream::Add(uint64_t bytes,
                   const std::optional<MessageTag>& tag,
                   DeliveredCallback delivered)
{
    NS_LOG_FUNCTION(this << bytes);
    NS_ABORT_MSG_IF(m_shut, "Send on stream " << m_id << ", which is closed");
    NS_ABORT_MSG_IF(bytes > MAX_MESSAGE_BYTES,
                    "a message of " << bytes << " bytes, more than 2^63");
    NS_ABORT_MSG_IF(bytes > std::numeric_limits<uint64_t>::max() - m_sent,
                    "more than 2^64 bytes over stream " << m_id);
    m_sent += bytes;
    m_pending.push_back({m_sent, delivered, tag});
    m_messageSent(m_id, bytes);
    if (bytes > 0)
    {
        DoSend(bytes);
    }
    else if (m_sent == m_delivered && m_wake.IsExpired())
    {
        m_wake = Simulator::ScheduleNow(&MessageStream::Deliver, this);
    }
}

void
MessageStream::SetMark(End end, Mark mark)
{
    NS_LOG_FUNCTION(this << static_cast<int>(end) << +mark.band << +mark.dscp);
    NS_ABORT_MSG_IF(mark.band >= UNLIMITED_QUEUES, "band " << +mark.band << ", allowed: 0 to 62");
    NS_ABORT_MSG_IF(mark.dscp > 63, "codepoint " << +mark.dscp << ", allowed: 0 to 63");
    m_marks[static_cast<int>(end)] = mark;
    if (!m_shut)
    {
        DoSetMark(end, mark);
    }
}

Mark
MessageStream::GetMark(End end) const
{
    return m_marks[static_cast<int>(end)];
}

uint64_t
MessageStream::GetDeliveredBytes() const
{
    return m_delivered + DoCountUnreported();
}

void
MessageStream::SetDemotionThresholds(const std::vector<uint64_t>& thresholds,
                                     Callback<void> changed)
{
    NS_ABORT_MSG_UNLESS(std::is_sorted(thresholds.begin(), thresholds.end()),
                        "demotion thresholds do not ascend");
    m_thresholds = thresholds;
    m_demotionChanged = changed;
    m_demotion = 0;
}

/** O(thresholds) */
void
MessageStream::UpdateDemotion()
{
    const uint64_t arrived = m_pending.empty() ? 0 : m_delivered - m_oldest;
    uint32_t demotion = 0;
    while (demotion < m_thresholds.size() && m_thresholds[demotion] <= arrived)
    {
        ++demotion;
    }
    if (demotion != m_demotion)
    {
        m_demotion = demotion;
        const Callback<void> changed = m_demotionChanged; // which may close the stream
        changed();
    }
}

void
MessageStream::NotifyDelivered(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (m_shut)
    {
        return;
    }
    NS_ABORT_MSG_IF(bytes > m_sent - m_delivered,
                    "stream " << m_id << " delivers " << bytes << " bytes where only "
                              << m_sent - m_delivered << " are under way");
    m_delivered += bytes;
    Deliver();
}

void
MessageStream::Deliver()
{
    if (m_delivering)
    {
        return; // a callback got here; the loop below goes on after it
    }
    const Ptr<MessageStream> alive(this);
    m_delivering = true;
    while (!m_pending.empty() && m_pending.front().end <= m_delivered)
    {
        const DeliveredCallback delivered = m_pending.front().delivered;
        const std::optional<MessageTag> tag = m_pending.front().tag;
        const uint64_t bytes = m_pending.front().end - m_oldest;
        m_oldest = m_pending.front().end;
        m_pending.pop_front();
        m_messageDelivered(m_id, bytes);
        if (tag && m_receiver)
        {
            const Receiver receiver = m_receiver; // which it may replace
            receiver(*tag);
        }
        if (!delivered.IsNull())
        {
            delivered();
        }
    }
    m_delivering = false;
    UpdateDemotion();
}

bool
MessageStream::Shut()
{
    const bool first = !m_shut;
    m_shut = true;
    m_pending.clear();
    m_thresholds.clear();
    m_demotion = 0;
    m_demotionChanged = {};
    m_wake.Cancel();
    return first;
}

void
MessageStream::NotifyReleased()
{
    NS_LOG_FUNCTION(this);
    const auto released = m_releasedCallback;
    m_releasedCallback = MakeNullCallback<void, StreamId>();
    if (!released.IsNull())
    {
        released(m_id);
    }
}

} // namespace ns3::ddl
