// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-local-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLocalStream");
NS_OBJECT_ENSURE_REGISTERED(LocalStream);

namespace
{

/** Time to serve that many bytes, to the nearest ns (DataRate's own takes 32-bit lengths only). */
Time
ServiceTime(uint64_t bytes, DataRate rate)
{
    const long double seconds = 8.0L * bytes / rate.GetBitRate();
    NS_ABORT_MSG_IF(seconds > 1e9L, // simulated time ends at 9.2e9 s
                    bytes << " bytes at " << rate << " take longer than 1e9 s");
    return NanoSeconds(static_cast<uint64_t>(std::round(seconds * 1e9L)));
}

} // namespace

TypeId
LocalStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::LocalStream").SetParent<MessageStream>().SetGroupName("Ddl");
    return tid;
}

LocalStream::LocalStream(StreamId id, HostId host, DataRate rate, Time delay)
    : MessageStream(id, host, host),
      m_rate(rate),
      m_delay(delay)
{
    NS_LOG_FUNCTION(this << id << host << rate << delay);
}

LocalStream::~LocalStream()
{
    NS_LOG_FUNCTION(this);
    m_arrival.Cancel();
}

void
LocalStream::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_arrival.Cancel();
    m_transfers.clear();
    MessageStream::DoDispose();
}

void
LocalStream::Close()
{
    NS_LOG_FUNCTION(this);
    if (Shut())
    {
        m_arrival.Cancel();
        m_transfers.clear();
        NotifyReleased();
    }
}

void
LocalStream::DoSend(uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_free = Max(m_free, Simulator::Now()) + ServiceTime(bytes, m_rate);
    m_transfers.push_back({m_free + m_delay, bytes});
    if (m_transfers.size() == 1)
    {
        ScheduleArrival();
    }
}

void
LocalStream::DoSetMark(End end, Mark mark)
{
    NS_LOG_FUNCTION(this << static_cast<int>(end) << +mark.band);
}

void
LocalStream::ScheduleArrival()
{
    const Time left = m_transfers.front().arrival - Simulator::Now();
    m_arrival = Simulator::Schedule(left, &LocalStream::Arrive, this);
}

void
LocalStream::Arrive()
{
    NS_LOG_FUNCTION(this);
    const Ptr<LocalStream> alive(this);
    const uint64_t bytes = m_transfers.front().bytes;
    m_transfers.pop_front();
    if (!m_transfers.empty())
    {
        ScheduleArrival();
    }
    NotifyDelivered(bytes);
}

} // namespace ns3::ddl
