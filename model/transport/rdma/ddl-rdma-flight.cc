// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-rdma-flight.h"

#include <algorithm>
#include <iterator>

namespace ns3::ddl
{

RdmaFlight::RdmaFlight(uint64_t psn)
    : m_end(psn),
      m_behind(psn)
{
}

void
RdmaFlight::BeginRound(uint8_t dscp)
{
    ++m_round;
    m_dscp = dscp;
    m_dscps[m_round % RoceHeader::ROUNDS] = dscp;
    m_begin = false;
}

/** Find or make the row of a packet that does not just lengthen the last row. */
void
RdmaFlight::Note(uint64_t psn)
{
    if (psn < m_end)
    {
        const auto next = m_rows.upper_bound(psn);
        const bool splits = next == m_rows.end() ? psn + 1 < m_end : psn + 1 < next->first;
        if (splits)
        {
            m_rows.emplace_hint(next, psn + 1, std::prev(next)->second);
        }
        m_lost.erase(psn);
    }
    m_rows[psn] = {m_round, m_dscp};
    if (psn + 1 >= m_end)
    {
        m_rowRound = m_round;
    }
}

void
RdmaFlight::Forget(uint64_t expected)
{
    while (m_rows.size() > 1 && std::next(m_rows.begin())->first <= expected)
    {
        m_rows.erase(m_rows.begin());
    }
    m_lost.erase(m_lost.begin(), m_lost.lower_bound(expected));
}

uint32_t
RdmaFlight::GoBack(uint64_t psn)
{
    m_rows.clear();
    m_lost.clear();
    m_rowRound = NO_ROUND;
    m_end = psn;
    m_begin = true;
    return m_round + 1;
}

uint64_t
RdmaFlight::FindLost(uint64_t from, uint64_t to, uint64_t psn, uint32_t round)
{
    const uint8_t dscp = m_dscps[round % RoceHeader::ROUNDS];
    uint64_t first = to;
    auto row = m_rows.upper_bound(from);
    row = row == m_rows.begin() ? row : std::prev(row);
    for (; row != m_rows.end() && row->first < to; ++row)
    {
        if (row->second.dscp != dscp || row->second.round > round)
        {
            continue; // sent after that packet, or free to overtake it
        }
        const auto next = std::next(row);
        uint64_t end = std::min(to, next == m_rows.end() ? m_end : next->first);
        end = row->second.round == round ? std::min(end, psn) : end;
        for (uint64_t lost = std::max(from, row->first); lost < end; ++lost)
        {
            first = m_lost.insert(lost).second ? std::min(first, lost) : first;
        }
    }
    return first;
}

uint8_t
RdmaFlight::GetDscp(uint64_t psn) const
{
    return std::prev(m_rows.upper_bound(psn))->second.dscp;
}

uint64_t
RdmaFlight::GetRoundEnd(uint64_t psn) const
{
    const auto next = m_rows.upper_bound(psn);
    return next == m_rows.end() ? m_end : next->first;
}

} // namespace ns3::ddl
