// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SHARED_BUFFER_H
#define DDL_SHARED_BUFFER_H

#include <cstdint>

namespace ns3::ddl
{

/**
 * Packet memory shared by all ports of a switch, with dynamic thresholds (Choudhury and Hahne,
 * IEEE/ACM ToN 1998, Eq. 1): a queue may hold at most alpha times the memory that is free.
 *
 * Invariant: 0 <= used <= total.
 */
class SharedBuffer
{
  public:
    /**
     * \param total bytes, above 0
     * \param alpha above 0
     * \throws InputError otherwise
     */
    SharedBuffer(uint64_t total, double alpha);

    /** \return whether a queue with that backlog may take these bytes more */
    bool Fits(uint64_t backlog, uint64_t bytes) const
    {
        const uint64_t free = m_total - m_used;
        return bytes <= free &&
               static_cast<double>(backlog + bytes) <= m_alpha * static_cast<double>(free);
    }

    /** \param bytes that Fits allowed */
    void Take(uint64_t bytes)
    {
        m_used += bytes;
    }

    /** \param bytes taken before */
    void Release(uint64_t bytes)
    {
        m_used -= bytes;
    }

    /** \return bytes held now */
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /** \return bytes in all */
    uint64_t GetTotal() const
    {
        return m_total;
    }

  private:
    uint64_t m_total;
    double m_alpha;
    uint64_t m_used{0};
};

} // namespace ns3::ddl

#endif // DDL_SHARED_BUFFER_H
