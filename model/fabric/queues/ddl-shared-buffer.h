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
     * \param total size of the memory in bytes, above 0
     * \param alpha share of the free memory that a queue may hold, above 0
     * \throws InputError otherwise
     */
    SharedBuffer(uint64_t total, double alpha);

    /** \return whether a queue with that backlog may take more bytes. \param backlog, bytes the
     * queue's bytes now, and those to add */
    bool Fits(uint64_t backlog, uint64_t bytes) const
    {
        const uint64_t free = m_total - m_used;
        return bytes <= free &&
               static_cast<double>(backlog + bytes) <= m_alpha * static_cast<double>(free);
    }

    /** Take memory. \param bytes a number that Fits has allowed */
    void Take(uint64_t bytes)
    {
        m_used += bytes;
    }

    /** Give memory back. \param bytes a number that was taken before */
    void Release(uint64_t bytes)
    {
        m_used -= bytes;
    }

    /** \return bytes of the memory in use now */
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /** \return size of the memory in bytes */
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
