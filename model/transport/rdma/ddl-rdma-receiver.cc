// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-receiver.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_ASKED = 4096; //!< packets of which the answers to one probe tell

/** Append pieces; successive pieces of one message are merged. */
void
Append(std::vector<MessagePiece>& pieces, const std::vector<MessagePiece>& more)
{
    for (const MessagePiece& piece : more)
    {
        if (pieces.empty() || pieces.back().ended)
        {
            pieces.push_back(piece);
        }
        else
        {
            pieces.back().bytes += piece.bytes;
            pieces.back().ended = piece.ended;
        }
    }
}

} // namespace

MessagePiece
RdmaReceiver::GetPiece(const Frame& frame, const RoceFields& fields) const
{
    const uint32_t beside =
        RoceHeader::DATA_BYTES + RoceHeader::CRC_BYTES + GetFeedbackBytes(m_feedback);
    MessagePiece piece{frame.bytes - beside, std::nullopt};
    if (fields.opcode == RoceHeader::SEND_LAST || fields.opcode == RoceHeader::SEND_ONLY)
    {
        const auto* const note = frame.FindNote<RdmaNote>();
        piece.ended = note ? note->ended : std::nullopt;
    }
    return piece;
}

RdmaReceiver::RdmaReceiver(RdmaNic& nic,
                           const RdmaOptions& options,
                           const Pair& pair,
                           const RdmaRoute& route,
                           Client& client)
    : m_expected(options.initialPsn),
      m_highest(options.initialPsn),
      m_client(client),
      m_recovery(options.recovery),
      m_isReordered(options.isReordered),
      m_port(pair.port),
      m_nic(nic),
      m_header({nic.GetAddress(), pair.source, pair.port, pair.queuePair}),
      m_route(route),
      m_ackInterval(options.ackInterval),
      m_feedback(options.feedback),
      m_pair(pair),
      m_interval(options.notificationInterval)
{
    m_nic.AddReceiver(pair.source, pair.queuePair, *this);
}

RdmaReceiver::~RdmaReceiver()
{
    m_nic.RemoveReceiver(m_pair.source, m_pair.queuePair, *this);
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
    if (m_feedback != RdmaFeedback::NONE)
    {
        NoteFeedback(frame);
    }
    if (fields.sourcePort != m_port)
    {
        SetPort(fields.sourcePort);
    }
    if (frame.ecn == ECN_CONGESTED)
    {
        NoteMark(now);
    }
    const uint32_t ahead = (fields.psn - static_cast<uint32_t>(m_expected)) % RoceHeader::NUMBERS;
    const bool isOld = ahead >= RoceHeader::NUMBERS / 2;
    if (fields.opcode == RoceHeader::PROBE)
    {
        AnswerProbe(fields, isOld ? m_expected : m_expected + ahead, now);
    }
    else if (ahead == 0)
    {
        Take(frame, fields);
    }
    else if (isOld)
    {
        if (m_isReordered)
        {
            AnswerReordered(frame, fields, m_expected - (RoceHeader::NUMBERS - ahead));
        }
        else if (fields.ackRequest)
        {
            Answer(fields, now);
        }
    }
    else if (m_recovery == SELECTIVE_REPEAT)
    {
        Keep(frame, fields, m_expected + ahead);
    }
    else
    {
        m_highest = std::max(m_highest, m_expected + ahead + 1);
        Complain(fields, now);
    }
}

/** Answer the sender from the port that it uses now: answers take the path of that port, too. */
void
RdmaReceiver::SetPort(uint16_t port)
{
    m_port = port;
    m_header.SetSourcePort(port);
    m_route = m_nic.MakeRoute(HostId{m_route.host}, port);
}

/** Answer a data packet, if an answer is due, where packets overtake each other. \param psn its
 * PSN */
void
RdmaReceiver::AnswerReordered(const Frame& frame, const RoceFields& fields, uint64_t psn)
{
    ++m_unanswered;
    m_asked = fields.ackRequest ? std::max(m_asked, psn + 1) : m_asked;
    const bool isLate =
        psn + 1 < m_asked && (m_expected >= m_asked || m_unanswered >= m_ackInterval);
    if (!fields.ackRequest && !isLate)
    {
        return;
    }
    m_unanswered = 0;
    constexpr uint64_t BITS = RoceHeader::ARRIVED_BITS;
    const uint64_t base = std::max(m_expected, psn / BITS * BITS);
    m_header.SetArrived(psn, frame.ecn == ECN_CONGESTED, base, FindArrived(base));
    Send(RoceHeader::SELECTIVE_ACK, fields.round, false, TimeStep(frame.arrival));
}

/** \return which of the 64 packets from \p base on have arrived out of order, bit by bit */
uint64_t
RdmaReceiver::FindArrived(uint64_t base) const
{
    constexpr uint64_t BITS = RoceHeader::ARRIVED_BITS;
    uint64_t arrived = 0;
    auto kept = m_kept.upper_bound(base);
    kept = kept == m_kept.begin() ? kept : std::prev(kept);
    for (; kept != m_kept.end() && kept->first < base + BITS; ++kept)
    {
        const uint64_t end = std::min(kept->second.end, base + BITS);
        for (uint64_t psn = std::max(kept->first, base); psn < end; ++psn)
        {
            arrived |= uint64_t{1} << (psn - base);
        }
    }
    return arrived;
}

/** Accept the expected packet. Members may not be used after the delivery, in which the stream may
 * be closed. */
void
RdmaReceiver::Take(const Frame& frame, const RoceFields& fields)
{
    const Time now = TimeStep(frame.arrival);
    const MessagePiece piece = GetPiece(frame, fields);
    std::vector<MessagePiece> pieces; // its data, and those of kept packets that follow it
    const uint64_t psn = m_expected++;
    m_complained = false;
    if (m_expected < m_highest)
    {
        ++m_reordered;
    }
    const auto kept = m_kept.begin();
    if (kept != m_kept.end() && kept->first == m_expected)
    {
        m_expected = kept->second.end;
        pieces = std::move(kept->second.pieces);
        pieces.insert(pieces.begin(), piece);
        m_kept.erase(kept);
    }
    m_highest = std::max(m_highest, m_expected);
    if (m_isReordered)
    {
        AnswerReordered(frame, fields, psn);
    }
    else if (fields.ackRequest)
    {
        Answer(fields, now);
    }
    pieces.empty() ? m_client.Deliver(&piece, 1) : m_client.Deliver(pieces.data(), pieces.size());
}

/** Go-back-N: drop a packet, and report the gap before it. */
void
RdmaReceiver::Complain(const RoceFields& fields, Time now)
{
    if (!m_complained || fields.round != m_round)
    {
        m_complained = true;
        m_round = fields.round;
        Send(RoceHeader::ACKNOWLEDGE, fields.round, true, now);
    }
}

/** Selective repeat: keep a packet. \param psn PSN of the packet, above the expected one */
void
RdmaReceiver::Keep(const Frame& frame, const RoceFields& fields, uint64_t psn)
{
    const Time now = TimeStep(frame.arrival);
    const auto next = m_kept.upper_bound(psn);
    const auto before = next == m_kept.begin() ? m_kept.end() : std::prev(next);
    const uint64_t gap = before == m_kept.end() ? m_expected : before->second.end;
    if (gap > psn) // it has arrived before
    {
        if (m_isReordered)
        {
            AnswerReordered(frame, fields, psn);
        }
        else if (fields.ackRequest)
        {
            Answer(fields, now);
        }
        return;
    }
    m_reordered += psn + 1 < m_highest ? 1 : 0;
    m_highest = std::max(m_highest, psn + 1);
    Kept kept{psn + 1, {GetPiece(frame, fields)}};
    if (next != m_kept.end() && next->first == kept.end)
    {
        kept.end = next->second.end;
        Append(kept.pieces, next->second.pieces);
        m_kept.erase(next);
    }
    if (gap < psn)
    {
        m_kept[psn] = std::move(kept);
        m_isReordered ? AnswerReordered(frame, fields, psn) : AnswerMissing(fields, gap, psn, now);
        return;
    }
    before->second.end = kept.end;
    Append(before->second.pieces, kept.pieces);
    if (m_isReordered)
    {
        AnswerReordered(frame, fields, psn);
    }
    else if (fields.ackRequest)
    {
        Answer(fields, now);
    }
}

/** Send one answer per gap, or where packets overtake each other per 64 packets. \param psn PSN of
 * the probe, which asks what is missing below it */
void
RdmaReceiver::AnswerProbe(const RoceFields& fields, uint64_t psn, Time now)
{
    if (m_isReordered)
    {
        uint64_t base = m_expected;
        do
        {
            m_header.SetArrived(fields.psn, false, base, FindArrived(base));
            Send(RoceHeader::SELECTIVE_ACK, fields.round, false, now, true);
            base += RoceHeader::ARRIVED_BITS;
        } while (base < psn && base < m_expected + MOST_ASKED);
        return;
    }
    if (m_recovery == GO_BACK_N || psn == m_expected)
    {
        Send(RoceHeader::ACKNOWLEDGE, fields.round, psn > m_expected, now);
        return;
    }
    uint64_t from = m_expected;
    for (auto kept = m_kept.begin(); kept != m_kept.end() && kept->first < psn; ++kept)
    {
        AnswerMissing(fields, from, kept->first, now);
        from = kept->second.end;
    }
    if (from < psn)
    {
        AnswerMissing(fields, from, psn, now);
    }
}

void
RdmaReceiver::Answer(const RoceFields& fields, Time now)
{
    if (m_kept.empty())
    {
        Send(RoceHeader::ACKNOWLEDGE, fields.round, false, now);
    }
    else
    {
        AnswerMissing(fields, m_expected, m_kept.begin()->first, now);
    }
}

/** Selective repeat: report a gap. \param from, to PSNs of missing packets, \p to not included */
void
RdmaReceiver::AnswerMissing(const RoceFields& fields, uint64_t from, uint64_t to, Time now)
{
    m_header.SetMissing(fields.psn, from, to);
    Send(RoceHeader::SELECTIVE_NAK, fields.round, true, now);
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
        Send(RoceHeader::CONGESTION_NOTIFICATION, 0, false, now);
    }
}

/** Send an answer, which carries the PSN that is expected next. \param flag its bit for requests */
void
RdmaReceiver::Send(RoceHeader::Opcode opcode, uint8_t round, bool negative, Time now, bool flag)
{
    const bool notifies = opcode == RoceHeader::CONGESTION_NOTIFICATION;
    const uint32_t payload = notifies ? RoceHeader::NOTIFICATION_BYTES : m_echoed;
    m_header.SetTos(static_cast<uint8_t>(m_mark.dscp << 2));
    m_header.SetPacket(opcode, m_expected, flag, payload);
    m_header.SetRound(round);
    m_header.SetAnswer(negative, m_marks);
    Frame* const answer = m_nic.MakeFrame(m_header, m_route, m_mark, now);
    if (!notifies && m_echoed > 0)
    {
        answer->telemetryBytes = m_echoed;
        std::copy_n(m_echo.data(), m_echoed, answer->Telemetry());
    }
    m_nic.Send(answer);
}

/** Keep the feedback of a packet, for its answers. Probes have none. */
void
RdmaReceiver::NoteFeedback(const Frame& frame)
{
    m_echoed = frame.telemetryBytes;
    std::copy_n(frame.Telemetry(), m_echoed, m_echo.data());
    if (m_feedback == RdmaFeedback::ROUND_TRIP)
    {
        RoundTripFeedback::WriteHops(m_echo.data(), RoceHeader::TTL - frame.ttl);
    }
}

} // namespace ns3::ddl
