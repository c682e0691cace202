// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-local-stream.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlLocalStream");
NS_OBJECT_ENSURE_REGISTERED(LocalStream);

namespace
{

/** \return time to serve that many bytes, to the nearest ns (DataRate takes 32-bit lengths only) */
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
        TypeId("ns3::ddl::LocalStream").SetParent<SendingStream>().SetGroupName("Ddl");
    return tid;
}

LocalStream::LocalStream(const StreamRequest& request,
                         StreamHost& machine,
                         DataRate rate,
                         Time delay)
    : SendingStream(request, request.source),
      m_rate(rate),
      m_delay(delay),
      m_crossing(machine, *this)
{
    NS_LOG_FUNCTION(this << request.id << rate << delay);
}

LocalStream::LocalStream(const StreamRequest& request,
                         HostId destination,
                         const StreamCrossing::Machines& machines,
                         DataRate rate,
                         Time delay)
    : SendingStream(request, destination),
      m_rate(rate),
      m_delay(delay),
      m_crossing(machines, *this)
{
    NS_LOG_FUNCTION(this << request.id << destination << rate << delay);
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
    m_crossing.Close();
    SendingStream::DoDispose();
}

uint64_t
LocalStream::DoCountUntold() const
{
    if (IsShut() || m_transfers.empty())
    {
        return 0;
    }
    const Transfer& first = m_transfers.front();
    const Time left = first.arrival - Simulator::Now();
    const auto missing = static_cast<uint64_t>(std::ceil(
        static_cast<double>(left.GetTimeStep()) / static_cast<double>(Seconds(1).GetTimeStep()) *
        static_cast<double>(m_rate.GetBitRate()) / 8));
    return first.bytes - std::clamp<uint64_t>(missing, 1, first.bytes);
}

void
LocalStream::DoPrepareClose()
{
    const uint64_t untold = DoCountUntold();
    if (untold > 0)
    {
        m_crossing.Carry({untold, std::nullopt});
        NotifyAcknowledged(untold);
    }
}

void
LocalStream::DoClose()
{
    m_arrival.Cancel();
    m_transfers.clear();
    m_crossing.Close();
    NotifyReleased();
}

void
LocalStream::DoSend(uint64_t bytes, const MessageTag& tag)
{
    NS_LOG_FUNCTION(this << bytes);
    m_free = Max(m_free, Simulator::Now()) + ServiceTime(bytes, m_rate);
    m_transfers.push_back({m_free + m_delay, bytes, tag});
    if (m_transfers.size() == 1)
    {
        ScheduleArrival();
    }
}

void
LocalStream::DoSetMark(Mark mark)
{
    NS_LOG_FUNCTION(this << +mark.band);
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
    const Transfer transfer = m_transfers.front();
    m_transfers.pop_front();
    if (!m_transfers.empty())
    {
        ScheduleArrival();
    }
    m_crossing.Carry({transfer.bytes, transfer.tag});
    NotifyAcknowledged(transfer.bytes);
}

} // namespace ns3::ddl
