// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-scoreboard.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

RdmaScoreboard::RdmaScoreboard(uint64_t psn, Time least, Time first)
    : m_least(least),
      m_roundTrip(first),
      m_longest(first),
      m_first(psn)
{
}

void
RdmaScoreboard::Send(uint64_t psn, uint8_t dscp, Time now)
{
    if (psn - m_first == m_packets.size())
    {
        m_packets.emplace_back();
    }
    else
    {
        At(psn).wasRepeated = true;
        At(psn).isLost = false;
    }
    At(psn).sent = now;
    At(psn).missing = Time(-1);
    At(psn).dscp = dscp;
    m_lanes[dscp].inFlight.push_back({psn, now});
}

void
RdmaScoreboard::SendProbe(uint64_t psn, uint32_t round, uint8_t dscp, Time now)
{
    constexpr std::size_t MOST = 64; // a starving pair sends one per second
    m_probes.push_back({psn, round, dscp, now});
    m_lanes[dscp].probed = now;
    if (m_probes.size() > MOST)
    {
        m_probes.pop_front();
    }
}

void
RdmaScoreboard::NoteAnswer(uint64_t psn, Time now)
{
    m_answered = Answered();
    if (psn < m_first || psn - m_first >= m_packets.size() || At(psn).wasRepeated)
    {
        return;
    }
    m_answered = {At(psn).dscp, At(psn).sent, false};
    const Time sample = now - At(psn).sent;
    m_roundTrip = m_isMeasured ? Max(sample, m_roundTrip - m_roundTrip / int64_t{64}) : sample;
    if (!std::exchange(m_isMeasured, true))
    {
        m_longest = sample;
        m_before = Time();
    }
    NoteRoundTrip(sample, now);
}

/** Record a round trip towards the reordering window. */
void
RdmaScoreboard::NoteRoundTrip(Time sample, Time now)
{
    if (now > m_periodEnd)
    {
        m_before = m_longest;
        m_longest = sample;
        m_periodEnd = now + TimeStep(PERIOD * GetWindow().GetTimeStep());
    }
    m_longest = Max(m_longest, sample);
}

void
RdmaScoreboard::NoteProbeAnswer(uint64_t psn, uint32_t round)
{
    m_answered = Answered();
    const auto probe = std::find_if(m_probes.begin(), m_probes.end(), [&](const Probe& each) {
        return each.psn == psn && each.round == round;
    });
    if (probe != m_probes.end())
    {
        m_answered = {probe->dscp, probe->sent, true};
        Prove(probe->dscp, probe->sent);
        Time& answered = m_lanes[probe->dscp].answered;
        answered = Max(answered, probe->sent);
    }
}

/** Record that a packet was missing when the answered one arrived. */
void
RdmaScoreboard::NoteMissing(uint64_t psn)
{
    if (psn >= m_first && psn - m_first < m_packets.size() && At(psn).dscp == m_answered.dscp)
    {
        At(psn).missing = Max(At(psn).missing, m_answered.sent);
    }
}

uint32_t
RdmaScoreboard::NoteArrived(uint64_t base, uint64_t bitmap, Time now)
{
    uint32_t arrived = 0;
    for (uint64_t rest = bitmap; rest != 0; rest &= rest - 1)
    {
        const uint64_t psn = base + static_cast<uint64_t>(__builtin_ctzll(rest));
        if (psn >= m_first && psn - m_first < m_packets.size() && Arrive(psn, now))
        {
            ++m_arrivedAhead;
            ++arrived;
        }
    }
    for (uint64_t rest = ~bitmap; rest != 0; rest &= rest - 1)
    {
        NoteMissing(base + static_cast<uint64_t>(__builtin_ctzll(rest)));
    }
    return arrived;
}

uint32_t
RdmaScoreboard::Acknowledge(uint64_t expected, Time now)
{
    uint32_t arrived = 0;
    while (m_first < expected && !m_packets.empty())
    {
        Arrive(m_first, now) ? ++arrived : --m_arrivedAhead;
        m_packets.pop_front();
        ++m_first;
    }
    if (expected == m_first)
    {
        NoteMissing(expected);
    }
    while (!m_probes.empty() && m_probes.front().psn < m_first)
    {
        m_probes.pop_front();
    }
    return arrived;
}

/** \return whether a packet was not known to have arrived */
bool
RdmaScoreboard::Arrive(uint64_t psn, Time now)
{
    Packet& packet = At(psn);
    if (packet.hasArrived)
    {
        return false;
    }
    packet.hasArrived = true;
    if (packet.isLost) // it was late: the window was too short
    {
        NoteRoundTrip(now - packet.sent, now);
    }
    if (!packet.wasRepeated)
    {
        Prove(packet.dscp, packet.sent);
    }
    return true;
}

/** Record that something that was sent at that time has arrived. */
void
RdmaScoreboard::Prove(uint8_t dscp, Time sent)
{
    Lane& lane = m_lanes[dscp];
    lane.latest = Max(lane.latest, sent);
}

Time
RdmaScoreboard::GetWindow() const
{
    const Time longest = Max(m_longest, m_before);
    return Max(m_least, m_isMeasured ? 4 * longest : longest);
}

bool
RdmaScoreboard::HasSuspect() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [this](const auto& entry) {
        const Lane& lane = entry.second;
        return !lane.inFlight.empty() && lane.inFlight.front().sent + 2 * m_roundTrip < lane.latest;
    });
}

/** \return whether this is the latest sending of a packet that has not arrived */
bool
RdmaScoreboard::IsInFlight(const Sending& sending) const
{
    return !HasArrived(sending.psn) && At(sending.psn).sent == sending.sent;
}

/** \return whether nothing is left to know about an overtaken sending: its packet has arrived, was
 * sent again, or is lost. \param lost the packet is appended if it is lost */
bool
RdmaScoreboard::TakeIfLost(const Sending& sending, std::vector<uint64_t>& lost)
{
    if (!IsInFlight(sending))
    {
        return true;
    }
    Packet& packet = At(sending.psn);
    if (packet.missing <= sending.sent + GetWindow())
    {
        return false;
    }
    if (!std::exchange(packet.isLost, true))
    {
        lost.push_back(sending.psn);
    }
    return true;
}

/** Find the lost ones of the overtaken packets of a lane. Only a probe's answer tells of many. */
void
RdmaScoreboard::Examine(Lane& lane, std::vector<uint64_t>& lost)
{
    while (!lane.overtaken.empty() && TakeIfLost(lane.overtaken.front(), lost))
    {
        lane.overtaken.pop_front();
    }
    if (m_answered.isProbe)
    {
        const auto isDone = [&](const Sending& each) { return TakeIfLost(each, lost); };
        lane.overtaken.erase(std::remove_if(lane.overtaken.begin(), lane.overtaken.end(), isDone),
                             lane.overtaken.end());
    }
}

std::vector<uint64_t>
RdmaScoreboard::FindLost()
{
    std::vector<uint64_t> lost;
    const Time window = GetWindow();
    for (auto& [dscp, lane] : m_lanes)
    {
        Examine(lane, lost);
        while (!lane.inFlight.empty())
        {
            const Sending sending = lane.inFlight.front();
            if (IsInFlight(sending) && sending.sent + window >= lane.latest)
            {
                break;
            }
            lane.inFlight.pop_front();
            if (!TakeIfLost(sending, lost))
            {
                lane.overtaken.push_back(sending);
            }
        }
    }
    return lost;
}

std::optional<uint8_t>
RdmaScoreboard::GetDoubt() const
{
    const Time window = GetWindow();
    for (const auto& [dscp, lane] : m_lanes)
    {
        if (lane.overtaken.empty() || lane.overtaken.front().sent + window >= lane.latest)
        {
            continue;
        }
        const bool isNew = lane.overtaken.back().sent + window >= lane.answered;
        const bool isUnderWay = lane.probed > lane.answered;
        if ((isNew && !isUnderWay) || lane.probed + 2 * m_roundTrip < lane.latest)
        {
            return dscp;
        }
    }
    return std::nullopt;
}

} // namespace ns3::ddl
