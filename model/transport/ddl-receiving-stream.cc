// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-receiving-stream.h"

#include "ddl-stream-crossing.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlReceivingStream");
NS_OBJECT_ENSURE_REGISTERED(ReceivingStream);

TypeId
ReceivingStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ReceivingStream")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddTraceSource("MessageDelivered",
                            "The last byte of a message has arrived: name, bytes.",
                            MakeTraceSourceAccessor(&ReceivingStream::m_messageDelivered),
                            "ns3::ddl::ReceivingStream::MessageCallback");
    return tid;
}

ReceivingStream::ReceivingStream(const StreamName& name, HostId source, HostId host)
    : m_name(name),
      m_source(source),
      m_host(host)
{
    NS_LOG_FUNCTION(this << name << source << host);
}

ReceivingStream::~ReceivingStream()
{
    NS_LOG_FUNCTION(this);
    m_giveUp.Cancel();
}

void
ReceivingStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_shut = true;
    m_receiver = nullptr;
    m_shutCallback = MakeNullCallback<void, uint64_t>();
    m_releasedCallback = MakeNullCallback<void, uint64_t>();
    m_giveUp.Cancel();
    Object::DoDispose();
}

void
ReceivingStream::SetReceiver(Receiver receiver)
{
    m_receiver = std::move(receiver);
}

void
ReceivingStream::SetMark(Mark mark)
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
ReceivingStream::GetReceivedBytes() const
{
    return m_received + (m_crossing && !m_shut ? m_crossing->CountUntold() : 0);
}

void
ReceivingStream::NotifyArrived(const MessagePiece& piece)
{
    if (m_shut)
    {
        return;
    }
    m_received += piece.bytes;
    if (!piece.ended)
    {
        return;
    }
    NS_LOG_LOGIC("a message has arrived on stream " << m_name);
    const Ptr<ReceivingStream> alive(this);
    const uint64_t bytes = m_received - std::exchange(m_messageBegin, m_received);
    m_messageDelivered(m_name, bytes);
    if (m_receiver)
    {
        const Receiver receiver = m_receiver; // a copy, as the call may replace m_receiver
        receiver(*piece.ended);
    }
}

void
ReceivingStream::Disconnect()
{
    NS_LOG_FUNCTION(this);
    if (StreamCrossing* crossing = std::exchange(m_crossing, nullptr))
    {
        crossing->Detach();
    }
    DoDisconnect();
}

void
ReceivingStream::Close()
{
    NS_LOG_FUNCTION(this);
    if (m_shut)
    {
        return;
    }
    const Ptr<ReceivingStream> alive(this);
    m_received = GetReceivedBytes();
    m_shut = true;
    m_receiver = nullptr;
    Simulator::Remove(m_giveUp);
    if (!m_shutCallback.IsNull())
    {
        m_shutCallback(m_number);
    }
    DoClose();
}

void
ReceivingStream::NotifyReleased()
{
    NS_LOG_FUNCTION(this);
    const auto released = m_releasedCallback;
    m_releasedCallback = MakeNullCallback<void, uint64_t>();
    if (!released.IsNull())
    {
        released(m_number);
    }
}

} // namespace ns3::ddl
