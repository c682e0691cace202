// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reps-entropies.h"

#include "ns3/ddl-flow-key.h"

#include <algorithm>

namespace ns3::ddl
{

RepsEntropies::RepsEntropies(uint64_t seed, uint32_t values, bool recycles)
    : m_state(MixBits(seed)),
      m_values(values),
      m_recycles(recycles)
{
}

uint32_t
RepsEntropies::Draw()
{
    m_state += 0x9e3779b97f4a7c15ULL; // SplitMix64, see MixBits
    return static_cast<uint32_t>(((MixBits(m_state) >> 32) * m_values) >> 32);
}

uint32_t
RepsEntropies::Next(Time now)
{
    if (m_isFrozen && now >= m_thaw)
    {
        m_isFrozen = false;
        m_size = m_next = m_frozenNext = 0;
        m_explore = EXPLORATION;
    }
    if (m_explore > 0)
    {
        --m_explore;
        return Draw();
    }
    if (m_isFrozen && m_size > 0)
    {
        const std::size_t at = m_frozenNext % m_size;
        m_frozenNext = at + 1;
        Value& value = m_ring[at];
        value.isFresh = false;
        return value.entropy;
    }
    // From the oldest value on: the first that is fresh.
    for (std::size_t i = 0; i < m_size; ++i)
    {
        Value& value = m_ring[(m_next + RING - m_size + i) % RING];
        if (value.isFresh)
        {
            value.isFresh = false;
            return value.entropy;
        }
    }
    return Draw();
}

void
RepsEntropies::OnAnswer(uint32_t entropy, bool marked)
{
    if (!m_recycles || marked)
    {
        return;
    }
    m_ring[m_next] = {entropy, true};
    m_next = (m_next + 1) % RING;
    m_size = std::min(m_size + 1, RING);
}

void
RepsEntropies::OnLoss(Time now)
{
    if (m_recycles && !m_isFrozen && m_explore == 0)
    {
        m_isFrozen = true;
        m_thaw = now + GetFreezeTime();
    }
}

} // namespace ns3::ddl
