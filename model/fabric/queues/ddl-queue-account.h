// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_ACCOUNT_H
#define DDL_QUEUE_ACCOUNT_H

#include "ddl-shared-buffer.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

/** Counters of one egress queue since the start. Bytes are those of IPv4 packets. */
struct QueueCounters
{
    uint64_t packets{0};         //!< sent
    uint64_t bytes{0};           //!< sent
    uint64_t maxBacklogBytes{0}; //!< the most that waited at once
    uint64_t dropped{0};      //!< packets refused, flushed or lost on the wire of a link that fell
    uint64_t droppedBytes{0}; //!< their bytes
    uint64_t lost{0};         //!< packets of these that were sent and lost on the wire
    uint64_t marked{0};       //!< packets on which congestion was marked here
};

/**
 * Admission to one queue, in bytes: limit, ECN threshold, counters, and the shared memory of the
 * switch, where there is one. It does not hold the packets: ports and queue discs keep them in
 * their own way.
 *
 * Invariant: the backlog is what was admitted less what was removed or flushed, and the shared
 * buffer holds at least the sum of the backlogs of its queues.
 *
 * What each packet changes stands in the first 48 bytes.
 */
class QueueAccount
{
  public:
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /** \param bytes that the queue may hold, the packet that asks included */
    void SetLimit(uint64_t bytes)
    {
        m_limit = bytes;
    }

    /** \param bytes above which the queue marks; 0 = never */
    void SetEcnThreshold(uint64_t bytes)
    {
        m_threshold = bytes == 0 ? UNLIMITED : bytes;
    }

    /**
     * Ask for room. Counts a drop when there is none, else the backlog grows.
     * \param buffer the switch's, or null
     * \return whether the packet may enter
     */
    bool Admit(uint32_t bytes, SharedBuffer* buffer)
    {
        if (m_backlog + bytes > m_limit || (buffer && !buffer->Fits(m_backlog, bytes)))
        {
            CountDrop(bytes);
            return false;
        }
        if (buffer)
        {
            buffer->Take(bytes);
        }
        m_backlog += bytes;
        m_counters.maxBacklogBytes = std::max(m_counters.maxBacklogBytes, m_backlog);
        return true;
    }

    /** \return whether the backlog, the packet admitted last included, is above the threshold */
    bool IsCongested() const
    {
        return m_backlog > m_threshold;
    }

    /** Count a mark. */
    void CountMark()
    {
        ++m_counters.marked;
    }

    /** A packet left to be sent. \param buffer as when it was admitted */
    void Remove(uint32_t bytes, SharedBuffer* buffer)
    {
        Leave(bytes, buffer);
        CountSent(bytes);
    }

    /** Count a packet that is sent without passing through the queue. */
    void CountSent(uint32_t bytes)
    {
        ++m_counters.packets;
        m_counters.bytes += bytes;
    }

    /** A packet left to be thrown away: counts a drop. \param buffer as when it was admitted */
    void Flush(uint32_t bytes, SharedBuffer* buffer)
    {
        Leave(bytes, buffer);
        CountDrop(bytes);
    }

    /** A packet was thrown away that is not in the queue. */
    void CountDrop(uint32_t bytes)
    {
        ++m_counters.dropped;
        m_counters.droppedBytes += bytes;
    }

    /** A packet that had been sent was lost on the wire: counts a drop, too. */
    void CountLoss(uint32_t bytes)
    {
        ++m_counters.lost;
        CountDrop(bytes);
    }

    /** \return bytes waiting */
    uint64_t GetBacklog() const
    {
        return m_backlog;
    }

    /** \return what happened at the queue */
    const QueueCounters& GetCounters() const
    {
        return m_counters;
    }

  private:
    void Leave(uint32_t bytes, SharedBuffer* buffer)
    {
        m_backlog -= bytes;
        if (buffer)
        {
            buffer->Release(bytes);
        }
    }

    uint64_t m_backlog{0};
    uint64_t m_limit{UNLIMITED};
    uint64_t m_threshold{UNLIMITED};
    QueueCounters m_counters;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_ACCOUNT_H
