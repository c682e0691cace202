// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-scoreboard.h"

#include <algorithm>

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
    At(psn).dscp = dscp;
    m_lanes[dscp].inFlight.push_back({psn, now});
}

void
RdmaScoreboard::SendProbe(uint64_t psn, uint8_t dscp, Time now)
{
    constexpr std::size_t MOST = 64; // a starving pair sends one per second
    m_probes.push_back({psn, dscp, now});
    if (m_probes.size() > MOST)
    {
        m_probes.pop_front();
    }
}

void
RdmaScoreboard::NoteAnswer(uint64_t psn, Time now)
{
    if (psn < m_first || psn - m_first >= m_packets.size() || At(psn).wasRepeated)
    {
        return;
    }
    const Time sample = now - At(psn).sent;
    m_roundTrip = m_isMeasured ? Max(sample, m_roundTrip - m_roundTrip / int64_t{64}) : sample;
    m_longest = m_isMeasured ? Max(sample, m_longest) : sample;
    m_isMeasured = true;
}

/** Of several probes with one PSN the answer may be that of the oldest. */
void
RdmaScoreboard::NoteProbeAnswer(uint64_t psn)
{
    const auto probe = std::find_if(m_probes.begin(), m_probes.end(), [psn](const Probe& each) {
        return each.psn == psn;
    });
    if (probe != m_probes.end())
    {
        Prove(probe->dscp, probe->sent);
        m_probes.erase(probe);
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
        m_longest = Max(m_longest, now - packet.sent);
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
    return Max(m_least, m_isMeasured ? 4 * m_longest : m_longest);
}

bool
RdmaScoreboard::HasSuspect() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [this](const auto& entry) {
        const Lane& lane = entry.second;
        return !lane.inFlight.empty() && lane.inFlight.front().sent + 2 * m_roundTrip < lane.latest;
    });
}

std::vector<uint64_t>
RdmaScoreboard::FindLost()
{
    std::vector<uint64_t> lost;
    const Time window = GetWindow();
    for (auto& [dscp, lane] : m_lanes)
    {
        while (!lane.inFlight.empty())
        {
            const Sending sending = lane.inFlight.front();
            const bool isPresent = !HasArrived(sending.psn) && At(sending.psn).sent == sending.sent;
            if (isPresent && sending.sent + window >= lane.latest)
            {
                break;
            }
            lane.inFlight.pop_front();
            if (isPresent && !At(sending.psn).isLost)
            {
                At(sending.psn).isLost = true;
                lost.push_back(sending.psn);
            }
        }
    }
    return lost;
}

} // namespace ns3::ddl
