// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPS_ENTROPIES_H
#define DDL_REPS_ENTROPIES_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3::ddl
{

/**
 * Recycled entropies: REPS (Bonato et al., Recycled Entropy Packet Spraying, arXiv 2407.21625,
 * 2024). A sender chooses the path of each packet by an entropy value, in its UDP source port.
 * Values whose packets were answered without a congestion mark are kept in a ring and used once
 * more; while the ring has no fresh one, values are random. After a loss the ring is *frozen*: only
 * values that are in it are used, fresh or not, so that a failed path is left. After a while it
 * thaws: the ring is emptied, and some packets explore.
 */
class RepsEntropies
{
  public:
    static constexpr std::size_t RING = 8;      //!< size of the ring
    static constexpr uint32_t EXPLORATION = 16; //!< random values after a thaw

    /**
     * \param seed seed of the random values
     * \param values number of entropy values
     * \param recycles whether values are kept at all; otherwise all are random
     */
    RepsEntropies(uint64_t seed, uint32_t values, bool recycles);

    /** \return the entropy of the next packet, below the number of values */
    uint32_t Next(Time now);
    /** A packet was answered. \param entropy its entropy \param marked whether it came with CE */
    void OnAnswer(uint32_t entropy, bool marked);
    /** A packet is taken for lost. */
    void OnLoss(Time now);

    bool IsFrozen() const
    {
        return m_isFrozen;
    }

  private:
    struct Value
    {
        uint32_t entropy{0};
        bool isFresh{false}; //!< whether it has not been used again
    };

    static Time GetFreezeTime()
    {
        return MilliSeconds(10); // as in the authors' simulator
    }

    uint32_t Draw();

    uint64_t m_state;
    uint32_t m_values;
    bool m_recycles;
    bool m_isFrozen{false};
    uint32_t m_explore{0};       //!< packets that still take random values
    std::size_t m_size{0};       //!< values in the ring
    std::size_t m_next{0};       //!< where the next value goes
    std::size_t m_frozenNext{0}; //!< the next value while frozen
    Time m_thaw;                 //!< end of the freeze
    std::array<Value, RING> m_ring;
};

} // namespace ns3::ddl

#endif // DDL_REPS_ENTROPIES_H
