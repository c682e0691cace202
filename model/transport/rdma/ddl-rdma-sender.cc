// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-sender.h"

#include "ns3/ddl-host-address.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

RdmaSender::RdmaSender(RdmaNic& nic, const RdmaOptions& options)
    : m_acknowledged(options.initialPsn),
      m_next(options.initialPsn),
      m_end(options.initialPsn),
      m_highest(options.initialPsn),
      m_nic(nic),
      m_options(options),
      m_flight(options.initialPsn),
      m_timeout(options.timeout),
      m_queuePair(nic.Add(this)),
      m_timer(Create<Timer>(this)),
      m_pacer(Create<Pacer>(this))
{
    m_control = options.congestionControl->Fork();
    RdmaCongestionControl::Path path;
    path.lineRate = nic.GetDataRate();
    path.packetBytes = options.payload + RoceHeader::DATA_BYTES +
                       GetFeedbackBytes(options.feedback) + RoceHeader::CRC_BYTES;
    path.baseRtt = options.baseRtt.IsZero() ? path.baseRtt : options.baseRtt;
    m_control->Start(path);
    m_paces = m_control->PacesPackets();
    m_needsShare = m_control->NeedsShare();
    if (options.isReordered)
    {
        m_board = std::make_unique<RdmaScoreboard>(options.initialPsn,
                                                   options.reordering,
                                                   TimeStep(options.timeout.GetTimeStep() / 2));
    }
    ReadWindow();
}

RdmaSender::~RdmaSender()
{
    m_timer->Cancel();
    m_pacer->Cancel();
    m_nic.RemoveSender(m_queuePair, *this);
}

void
RdmaSender::Connect(const RdmaNote& request, HostId destination, uint16_t port, Client& client)
{
    m_request = request;
    m_header =
        RoceHeader({m_nic.GetAddress(), HostToAddress(destination.value), port, m_queuePair});
    m_route = m_nic.MakeRoute(destination, port);
    m_newPort = port;
    m_client = &client;
    if (m_options.entropy != ENTROPY_FLOW)
    {
        const uint64_t pair = uint64_t{m_queuePair} << 16 | port;
        m_entropies =
            std::make_unique<RepsEntropies>(uint64_t{m_nic.GetAddress().Get()} << 32 ^ pair,
                                            m_options.entropies,
                                            m_options.entropy == ENTROPY_REPS);
    }
}

void
RdmaSender::SetPort(uint16_t port)
{
    m_newPort = port;
    m_turns = !m_entropies;
}

void
RdmaSender::UsePort(uint16_t port)
{
    m_header.SetSourcePort(port);
    m_route = m_nic.MakeRoute(HostId{m_route.host}, port);
}

/** Choose the path of the next packet, where each has its own. */
void
RdmaSender::ChoosePort(Time now)
{
    if (m_entropies)
    {
        UsePort(static_cast<uint16_t>(RoceHeader::FIRST_PORT + m_entropies->Next(now)));
    }
}

Time
RdmaSender::GetNotificationInterval() const
{
    return m_control->GetNotificationInterval();
}

void
RdmaSender::Post(uint64_t bytes, const MessageTag& tag)
{
    const uint64_t packets = (bytes - 1) / m_options.payload + 1;
    m_work.push_back({m_end, packets, bytes, tag});
    m_end += packets;
    m_nic.Update(*this, Simulator::Now());
}

void
RdmaSender::SetMark(Mark mark)
{
    m_nic.Withdraw(*this);
    m_mark = mark;
    m_nic.Update(*this, Simulator::Now());
}

Frame*
RdmaSender::MakePacket(Time now)
{
    Frame* frame = CanProbe() ? MakeProbe(now) : MakeData(now);
    if (m_acknowledged == m_options.initialPsn)
    {
        auto& note = frame->Note<RdmaNote>();
        note.request = m_request.request;
        note.pair = m_request.pair;
        note.pairs = m_request.pairs;
    }
    return frame;
}

Frame*
RdmaSender::MakeData(Time now)
{
    if (m_next == m_acknowledged) // nothing is in flight
    {
        if (std::exchange(m_turns, false))
        {
            UsePort(m_newPort);
        }
        m_progress = now;
        m_deadline = now + m_timeout;
    }
    const uint64_t psn = GetNext();
    const Work& work = psn == m_next ? GetPresent() : FindWork(psn);
    const bool ask = psn + 1 == m_end || psn + 1 - m_acknowledged >= m_window ||
                     (psn + 1) % m_options.ackInterval == 0 || psn != m_next;
    const uint32_t payload = GetPayload(work, psn);
    if (m_board)
    {
        ChoosePort(now);
        m_board->Send(psn, m_mark.dscp, now);
    }
    m_header.SetTos(static_cast<uint8_t>((m_mark.dscp << 2) | ECN_CAPABLE));
    m_header.SetPacket(GetOpcode(work, psn),
                       psn,
                       ask,
                       payload + GetFeedbackBytes(m_options.feedback));
    m_header.SetRound(m_flight.Send(psn, m_mark.dscp, false));
    Frame* frame = m_nic.MakeFrame(m_header, m_route, m_mark, now);
    if (m_options.feedback != RdmaFeedback::NONE)
    {
        AddFeedback(frame, now);
    }
    if (psn + 1 == work.first + work.packets)
    {
        frame->Note<RdmaNote>().ended = work.tag;
    }
    ++m_counters.dataPackets;
    if (psn < m_highest)
    {
        ++m_counters.retransmissions;
    }
    if (psn == m_next)
    {
        ++m_next;
        m_asked = ask ? m_next : m_asked;
        m_highest = std::max(m_highest, m_next);
        if (m_next == work.first + work.packets)
        {
            ++m_current;
            m_present.reset();
        }
    }
    if (m_paces)
    {
        Pace(frame->bytes, now);
    }
    WaitForAnswer(now);
    return frame;
}

/** Write the time into a packet, or make room for the records of switches. */
void
RdmaSender::AddFeedback(Frame* frame, Time now) const
{
    frame->telemetryBytes = static_cast<uint8_t>(GetFeedbackBytes(m_options.feedback));
    frame->recorded = m_options.feedback == RdmaFeedback::PATH;
    uint8_t* const bytes = frame->Telemetry();
    std::fill_n(bytes, frame->telemetryBytes, 0);
    if (m_options.feedback == RdmaFeedback::ROUND_TRIP)
    {
        RoundTripFeedback::WriteTime(bytes, now);
    }
}

/** Pass an acknowledgement on to the congestion control. \param feedback what it brings back */
void
RdmaSender::Tell(RdmaAck& ack, Time now, const uint8_t* feedback)
{
    ack.acknowledged = m_acknowledged;
    ack.next = m_next;
    ack.now = now;
    if (m_needsShare)
    {
        ack.share = m_client->GetIterationShare();
    }
    if (!feedback)
    {
        m_control->OnAck(ack);
    }
    else if (m_options.feedback == RdmaFeedback::PATH)
    {
        const PathTelemetry path = PathTelemetry::Read(feedback, m_options.rates);
        ack.path = &path;
        m_control->OnAck(ack);
    }
    else
    {
        const auto trip = RoundTripFeedback::Read(feedback);
        ack.hops = trip.hops;
        ack.roundTrip = now - trip.sent;
        m_control->OnAck(ack);
    }
}

/** \return the message of packet m_next. \pre there is one */
const RdmaSender::Work&
RdmaSender::GetPresent()
{
    if (!m_present)
    {
        m_present = m_work[m_current];
    }
    return *m_present;
}

/** \return the message of an unacknowledged packet. \pre it was sent */
const RdmaSender::Work&
RdmaSender::FindWork(uint64_t psn) const
{
    const auto behind =
        std::upper_bound(m_work.begin(), m_work.end(), psn, [](uint64_t value, const Work& work) {
            return value < work.first;
        });
    return *std::prev(behind);
}

/**
 * Make a probe. With selective repeat it asks about all packets sent so far; with go-back-N only
 * about those sent in the round of the first one, as any that is missing there makes the sender go
 * back.
 */
Frame*
RdmaSender::MakeProbe(Time now)
{
    const Mark mark{m_mark.band, GetProbeDscp()};
    const uint64_t psn =
        m_options.recovery == SELECTIVE_REPEAT ? m_next : m_flight.GetRoundEnd(m_acknowledged);
    m_probe = false;
    m_doubt.reset();
    m_asked = m_next;
    const uint32_t round = m_flight.Send(m_next, mark.dscp, true);
    if (m_board)
    {
        ChoosePort(now);
        m_board->SendProbe(psn, round, mark.dscp, now);
        m_flight.EndRound(); // so that each probe has its own
    }
    m_header.SetTos(static_cast<uint8_t>(mark.dscp << 2));
    m_header.SetPacket(RoceHeader::PROBE, psn, true, 0);
    m_header.SetRound(round);
    return m_nic.MakeFrame(m_header, m_route, mark, now);
}

RoceHeader::Opcode
RdmaSender::GetOpcode(const Work& work, uint64_t psn)
{
    const bool first = psn == work.first;
    if (psn + 1 == work.first + work.packets)
    {
        return first ? RoceHeader::SEND_ONLY : RoceHeader::SEND_LAST;
    }
    return first ? RoceHeader::SEND_FIRST : RoceHeader::SEND_MIDDLE;
}

uint32_t
RdmaSender::GetPayload(const Work& work, uint64_t psn) const
{
    const uint64_t before = (psn - work.first) * m_options.payload;
    return static_cast<uint32_t>(std::min<uint64_t>(m_options.payload, work.bytes - before));
}

/** Delay the next packet by the congestion control's rate; window-based ones have none. */
void
RdmaSender::Pace(uint32_t bytes, Time now)
{
    m_control->OnSend(bytes, now);
    const Time gap = m_control->GetGap(bytes);
    if (gap.IsStrictlyPositive())
    {
        m_paced = true;
        m_pacer->Schedule(m_nic.GetContext(), gap);
    }
}

void
RdmaSender::OnPace()
{
    m_paced = false;
    m_nic.Update(*this, Simulator::Now());
}

void
RdmaSender::Receive(const RoceFields& fields, Time now, const uint8_t* feedback)
{
    if (fields.opcode == RoceHeader::CONGESTION_NOTIFICATION)
    {
        m_control->OnNotification(now);
    }
    else if (m_board)
    {
        TakeArrivals(fields, now, feedback);
    }
    else
    {
        TakeAnswer(fields, now, feedback);
    }
    ReadWindow();
    // No other timer covers what was sent when the window was larger.
    m_probe = m_probe || (m_next < m_end && m_next > m_asked && !HasWindow(m_next));
    m_nic.Update(*this, now);
    const uint64_t acknowledged = CountAcknowledged();
    if (acknowledged > m_told)
    {
        m_client->Acknowledged(acknowledged - std::exchange(m_told, acknowledged));
    }
}

/** \return number of acknowledged bytes */
uint64_t
RdmaSender::CountAcknowledged() const
{
    return m_workDone +
           (m_work.empty() ? 0 : (m_acknowledged - m_work.front().first) * m_options.payload);
}

void
RdmaSender::TakeAnswer(const RoceFields& fields, Time now, const uint8_t* feedback)
{
    const uint32_t expected = fields.psn;
    const uint64_t ahead = (expected - static_cast<uint32_t>(m_acknowledged)) % RoceHeader::NUMBERS;
    if (ahead > m_highest - m_acknowledged)
    {
        return; // overtaken by a later answer
    }
    RdmaAck ack;
    ack.windowLimited = m_next < m_end && !HasWindow(m_next);
    ack.marked = CountMarks(fields);
    ack.packets = Acknowledge(m_acknowledged + ahead, now);
    Tell(ack, now, feedback);

    if (fields.negative && m_next > m_acknowledged)
    {
        Recover(fields, now);
    }
}

/** \return packets with CE that arrived since the last answer that was not overtaken */
uint32_t
RdmaSender::CountMarks(const RoceFields& fields)
{
    const auto marked = static_cast<int32_t>(fields.marks - m_marks);
    const auto more = static_cast<uint32_t>(std::max(0, marked));
    m_marks += more;
    return more;
}

/** \return the PSN that ends in these 24 bits, near the first unacknowledged packet, before or
 * behind it */
uint64_t
RdmaSender::Unwrap(uint32_t psn) const
{
    const uint32_t ahead = (psn - static_cast<uint32_t>(m_acknowledged)) % RoceHeader::NUMBERS;
    const bool isOld = ahead >= RoceHeader::NUMBERS / 2;
    return m_acknowledged + ahead - (isOld ? RoceHeader::NUMBERS : 0);
}

/** Take an answer where packets overtake each other, and answers do, too. */
void
RdmaSender::TakeArrivals(const RoceFields& fields, Time now, const uint8_t* feedback)
{
    RdmaAck ack;
    ack.windowLimited = m_next < m_end && !HasWindow(m_next);
    ack.marked = CountMarks(fields);
    const uint64_t answered = Unwrap(fields.drawnBy);
    if (fields.ackRequest)
    {
        m_board->NoteProbeAnswer(answered, m_flight.GetRound(fields.round));
    }
    else
    {
        m_board->NoteAnswer(answered, now);
        if (m_entropies)
        {
            m_entropies->OnAnswer(static_cast<uint16_t>(fields.sourcePort - RoceHeader::FIRST_PORT),
                                  fields.wasMarked);
        }
    }
    ack.packets = m_board->NoteArrived(Unwrap(fields.base), fields.arrived, now);
    const uint64_t expected = Unwrap(fields.psn);
    if (expected > m_acknowledged && expected <= m_highest)
    {
        ack.packets += m_board->Acknowledge(expected, now);
        Acknowledge(expected, now);
    }
    else if (ack.packets > 0)
    {
        NoteProgress(now);
    }
    Tell(ack, now, feedback);
    RepeatLost(now);
}

/** Send again what is lost. The congestion control is told of the first loss in a window. */
void
RdmaSender::RepeatLost(Time now)
{
    for (const uint64_t psn : m_board->FindLost())
    {
        m_flight.AddLost(psn);
        if (psn >= m_recovered)
        {
            m_control->OnLoss(now);
            m_recovered = m_next;
        }
    }
    m_doubt = m_board->GetDoubt();
    m_probe = m_probe || m_doubt;
    if (m_entropies && m_board->HasSuspect())
    {
        m_entropies->OnLoss(now);
    }
    auto lost = m_flight.GetLost().begin();
    while (lost != m_flight.GetLost().end()) // what was late, not lost, is not sent again
    {
        const uint64_t psn = *lost++;
        if (m_board->HasArrived(psn))
        {
            m_flight.RemoveLost(psn);
        }
    }
}

/** Read the window of the congestion control, bounded so that PSNs tell old packets from new. */
void
RdmaSender::ReadWindow()
{
    m_window = std::clamp(m_control->GetWindow(), 1U, RoceHeader::NUMBERS / 2 - 1);
    if (m_board)
    {
        m_window = std::min(m_window + m_board->GetArrivedAhead(), RoceHeader::NUMBERS / 2 - 1);
    }
}

/** Take an acknowledgement. \return number of packets acknowledged for the first time */
uint32_t
RdmaSender::Acknowledge(uint64_t expected, Time now)
{
    const auto packets = static_cast<uint32_t>(expected - m_acknowledged);
    if (packets == 0)
    {
        return 0;
    }
    m_acknowledged = expected;
    m_next = std::max(m_next, expected);
    m_flight.Acknowledge(expected);
    m_probe = m_probe && m_next > m_acknowledged;
    while (!m_work.empty() && m_work.front().first + m_work.front().packets <= expected)
    {
        m_workDone += m_work.front().bytes;
        m_work.pop_front();
        if (m_current > 0)
        {
            --m_current;
        }
        else
        {
            m_present.reset();
        }
    }
    while (m_current < m_work.size() &&
           m_work[m_current].first + m_work[m_current].packets <= m_next)
    {
        ++m_current;
        m_present.reset();
    }
    NoteProgress(now);
    return packets;
}

void
RdmaSender::NoteProgress(Time now)
{
    // Twice the time since the last progress: a slow link draws no probes, a fast one few.
    m_timeout = std::clamp(2 * (now - m_progress), m_options.timeout, m_options.maxTimeout);
    m_progress = now;
    m_deadline = now + m_timeout;
    if (m_next > m_acknowledged)
    {
        WaitForAnswer(now); // starvation may have backed the timer off
    }
}

/** Recover from a loss. \pre the answer reports missing packets, and packets are in flight */
void
RdmaSender::Recover(const RoceFields& fields, Time now)
{
    if (m_options.recovery == SELECTIVE_REPEAT)
    {
        Repeat(fields, now);
    }
    else if (m_flight.GetRound(fields.round) >= m_goneBack)
    {
        GoBack(now);
    }
}

/** Go back to the first unacknowledged packet. A packet of another codepoint may still be in
 * flight: then it is no sign of congestion. */
void
RdmaSender::GoBack(Time now)
{
    if (m_flight.GetDscp(m_acknowledged) == m_mark.dscp)
    {
        m_control->OnLoss(now);
    }
    m_goneBack = m_flight.GoBack(m_acknowledged);
    m_probe = false;
    m_next = m_acknowledged;
    m_asked = m_acknowledged;
    m_current = 0;
    m_present.reset();
}

/** Repeat the missing packets. The congestion control is told of the first loss in a window (RFC
 * 6675's RecoveryPoint). */
void
RdmaSender::Repeat(const RoceFields& fields, Time now)
{
    const uint64_t from = Unwrap(fields.missing);
    const uint64_t to = std::min(Unwrap(fields.missingEnd), m_next);
    const uint32_t round = m_flight.GetRound(fields.round);
    const uint64_t lost = m_flight.FindLost(from, to, Unwrap(fields.drawnBy), round);
    if (lost < to && lost >= m_recovered)
    {
        m_control->OnLoss(now);
        m_recovered = m_next;
    }
}

void
RdmaSender::WaitForAnswer(Time now)
{
    if (m_timerPending)
    {
        if (m_timerAt <= m_deadline)
        {
            return; // at its expiry it is set to the deadline
        }
        m_timer->Cancel();
        m_timer = Create<Timer>(this);
    }
    m_timerPending = true;
    m_timerAt = m_deadline;
    m_timer->Schedule(m_nic.GetContext(), m_deadline - now);
}

void
RdmaSender::OnTimer()
{
    m_timerPending = false;
    if (m_next == m_acknowledged)
    {
        return; // nothing is in flight; the next packet starts the timer
    }
    const Time now = Simulator::Now();
    if (now >= m_deadline)
    {
        m_counters.timeouts += m_probe ? 0 : 1; // the last probe may not have been sent yet
        m_probe = true;
        m_timeout = std::min(2 * m_timeout, m_options.maxTimeout);
        m_deadline = now + m_timeout;
    }
    WaitForAnswer(now);
    m_nic.Update(*this, now);
}

} // namespace ns3::ddl
