// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-receiver.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

RdmaReceiver::RdmaReceiver(RdmaNic& nic, Client& client)
    : m_nic(nic),
      m_client(client),
      m_queuePair(nic.Add(this))
{
}

RdmaReceiver::~RdmaReceiver()
{
    m_nic.RemoveReceiver(m_queuePair);
}

void
RdmaReceiver::Connect(Ipv4Address source,
                      const RdmaRoute& route,
                      uint16_t port,
                      uint32_t queuePair,
                      uint32_t psn,
                      Time interval)
{
    m_expected = psn;
    m_highest = psn;
    m_header = RoceHeader({m_nic.GetAddress(), source, port, queuePair});
    m_route = route;
    m_interval = interval;
}

uint32_t
RdmaReceiver::GetQueuePair() const
{
    return m_queuePair;
}

uint64_t
RdmaReceiver::GetReordered() const
{
    return m_reordered;
}

void
RdmaReceiver::SetMark(Mark mark)
{
    m_mark = mark;
}

void
RdmaReceiver::Receive(const Frame& frame, const RoceFields& fields)
{
    const Time now = TimeStep(frame.arrival);
    if (frame.ecn == ECN_CONGESTED)
    {
        NoteMark(now);
    }
    const uint32_t ahead = (fields.psn - static_cast<uint32_t>(m_expected)) % RoceHeader::NUMBERS;
    const bool isOld = ahead >= RoceHeader::NUMBERS / 2;
    if (fields.opcode == RoceHeader::PROBE)
    {
        Answer(RoceHeader::ACKNOWLEDGE, fields.round, ahead > 0 && !isOld, now);
    }
    else if (ahead == 0)
    {
        Take(frame, fields);
    }
    else if (isOld)
    {
        if (fields.ackRequest)
        {
            Answer(RoceHeader::ACKNOWLEDGE, fields.round, false, now);
        }
    }
    else
    {
        m_highest = std::max(m_highest, m_expected + ahead + 1);
        if (!m_complained || fields.round != m_round)
        {
            m_complained = true;
            m_round = fields.round;
            Answer(RoceHeader::ACKNOWLEDGE, fields.round, true, now);
        }
    }
}

/** Nothing of this may be touched behind the delivery, in which the stream may be closed. */
void
RdmaReceiver::Take(const Frame& frame, const RoceFields& fields)
{
    const Time now = TimeStep(frame.arrival);
    ++m_expected;
    m_complained = false;
    if (m_expected < m_highest)
    {
        ++m_reordered;
    }
    m_highest = std::max(m_highest, m_expected);
    if (fields.ackRequest)
    {
        Answer(RoceHeader::ACKNOWLEDGE, fields.round, false, now);
    }
    m_client.Deliver(frame.bytes - RoceHeader::DATA_BYTES - RoceHeader::CRC_BYTES);
}

void
RdmaReceiver::NoteMark(Time now)
{
    ++m_marks;
    if (m_interval.IsZero())
    {
        return;
    }
    if (!m_notified || now >= m_lastNotification + m_interval)
    {
        m_notified = true;
        m_lastNotification = now;
        Answer(RoceHeader::CONGESTION_NOTIFICATION, 0, false, now);
    }
}

/** All answers bear the PSN that is expected next. */
void
RdmaReceiver::Answer(RoceHeader::Opcode opcode, uint8_t round, bool negative, Time now)
{
    const bool notifies = opcode == RoceHeader::CONGESTION_NOTIFICATION;
    const uint32_t payload = notifies ? RoceHeader::NOTIFICATION_BYTES : 0;
    m_header.SetTos(static_cast<uint8_t>(m_mark.dscp << 2));
    m_header.SetPacket(opcode, m_expected, false, payload);
    m_header.SetRound(round);
    m_header.SetAnswer(negative, m_marks);
    m_nic.Send(m_nic.MakeFrame(m_header, payload, m_route, m_mark, now));
}

} // namespace ddl
} // namespace ns3
