// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sending-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlSendingStream");
NS_OBJECT_ENSURE_REGISTERED(SendingStream);

namespace
{

constexpr uint64_t MAX_MESSAGE_BYTES = uint64_t{1} << 63;

} // namespace

TypeId
SendingStream::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SendingStream")
                            .SetParent<Object>()
                            .SetGroupName("Ddl")
                            .AddTraceSource("MessageSent",
                                            "A message was given to the stream: name, bytes.",
                                            MakeTraceSourceAccessor(&SendingStream::m_messageSent),
                                            "ns3::ddl::SendingStream::MessageCallback");
    return tid;
}

SendingStream::SendingStream(const StreamRequest& request, HostId destination)
    : m_request(request),
      m_destination(destination)
{
    NS_LOG_FUNCTION(this << request.id << request.source << destination);
}

SendingStream::~SendingStream()
{
    NS_LOG_FUNCTION(this);
}

void
SendingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Shut();
    m_releasedCallback = MakeNullCallback<void, StreamId>();
    Object::DoDispose();
}

void
SendingStream::Send(uint64_t bytes, const MessageTag& tag, AcknowledgedCallback acknowledged)
{
    NS_LOG_FUNCTION(this << bytes);
    NS_ABORT_MSG_IF(m_shut, "Send on stream " << GetId() << ", which is closed");
    NS_ABORT_MSG_IF(bytes == 0, "a message without bytes does not travel: at least 1");
    NS_ABORT_MSG_IF(bytes > MAX_MESSAGE_BYTES,
                    "a message of " << bytes << " bytes, more than 2^63");
    NS_ABORT_MSG_IF(bytes > std::numeric_limits<uint64_t>::max() - m_sent,
                    "more than 2^64 bytes over stream " << GetId());
    if (m_iterationBytes > 0)
    {
        NoteIteration(tag.iteration);
    }
    m_sent += bytes;
    m_pending.push_back({m_sent, acknowledged});
    m_messageSent(GetName(), bytes);
    DoSend(bytes, tag);
}

void
SendingStream::SetIterationBytes(uint64_t bytes)
{
    NS_ABORT_MSG_IF(m_sent > 0, "stream " << GetId() << " has sent bytes of an iteration");
    m_iterationBytes = bytes;
}

/** Called when a message of that iteration is about to be sent. Of two ranks that share the stream
 * one may be an iteration behind: what it sends late counts for the next one. */
void
SendingStream::NoteIteration(uint64_t iteration)
{
    if (m_iterations.empty() || m_iterations.back().number < iteration)
    {
        m_iterations.push_back({iteration, m_sent});
    }
}

std::optional<double>
SendingStream::GetIterationShare() const
{
    if (m_iterationBytes == 0 || m_iterations.empty())
    {
        return std::nullopt;
    }
    while (m_iterations.size() > 1 && m_iterations[1].start <= m_acknowledged)
    {
        m_iterations.pop_front();
    }
    const auto done = static_cast<double>(m_acknowledged - m_iterations.front().start);
    return std::min(1.0, done / static_cast<double>(m_iterationBytes));
}

void
SendingStream::SetMark(Mark mark)
{
    NS_LOG_FUNCTION(this << +mark.band << +mark.dscp);
    CheckMark(mark);
    m_mark = mark;
    if (!m_shut)
    {
        DoSetMark(mark);
    }
}

uint64_t
SendingStream::GetAcknowledgedBytes() const
{
    return m_acknowledged + DoCountUntold();
}

void
SendingStream::SetDemotionThresholds(const std::vector<uint64_t>& thresholds,
                                     Callback<void> changed)
{
    NS_ABORT_MSG_UNLESS(std::is_sorted(thresholds.begin(), thresholds.end()),
                        "demotion thresholds do not ascend");
    m_thresholds = thresholds;
    m_demotionChanged = changed;
    m_demotion = 0;
}

/** Recompute the demotion. O(thresholds) */
void
SendingStream::UpdateDemotion()
{
    const uint64_t arrived = m_pending.empty() ? 0 : m_acknowledged - m_oldest;
    uint32_t demotion = 0;
    while (demotion < m_thresholds.size() && m_thresholds[demotion] <= arrived)
    {
        ++demotion;
    }
    if (demotion != m_demotion)
    {
        m_demotion = demotion;
        const Callback<void> changed = m_demotionChanged; // the call may close the stream
        changed();
    }
}

void
SendingStream::NotifyAcknowledged(uint64_t bytes)
{
    if (m_shut || bytes == 0)
    {
        return;
    }
    NS_ABORT_MSG_IF(bytes > m_sent - m_acknowledged,
                    "stream " << GetId() << " has " << bytes << " bytes acknowledged where only "
                              << m_sent - m_acknowledged << " are under way");
    m_acknowledged += bytes;
    if (m_telling)
    {
        return; // called from a callback: the outer call's loop goes on after it
    }
    if (m_thresholds.empty() && m_pending.front().end > m_acknowledged)
    {
        return; // most acknowledgements complete no message
    }
    NS_LOG_LOGIC(m_acknowledged << " bytes of stream " << GetId() << " are acknowledged");
    const Ptr<SendingStream> alive(this);
    m_telling = true;
    while (!m_pending.empty() && m_pending.front().end <= m_acknowledged)
    {
        const AcknowledgedCallback acknowledged = m_pending.front().acknowledged;
        m_oldest = m_pending.front().end;
        m_pending.pop_front();
        if (!acknowledged.IsNull())
        {
            acknowledged();
        }
    }
    m_telling = false;
    UpdateDemotion();
}

void
SendingStream::Close()
{
    NS_LOG_FUNCTION(this);
    if (m_shut)
    {
        return;
    }
    const Ptr<SendingStream> alive(this);
    DoPrepareClose();
    if (!m_shut) // a callback may have shut it
    {
        Shut();
        DoClose();
    }
}

void
SendingStream::Shut()
{
    m_shut = true;
    m_pending.clear();
    m_thresholds.clear();
    m_demotion = 0;
    m_demotionChanged = {};
}

void
SendingStream::NotifyReleased()
{
    NS_LOG_FUNCTION(this);
    const auto released = m_releasedCallback;
    m_releasedCallback = MakeNullCallback<void, StreamId>();
    if (!released.IsNull())
    {
        released(GetId());
    }
}

} // namespace ns3::ddl
