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
    uint64_t packets{0};         //!< packets sent
    uint64_t bytes{0};           //!< bytes sent
    uint64_t maxBacklogBytes{0}; //!< largest backlog so far
    uint64_t dropped{0};      //!< packets refused, flushed or lost on the wire of a link that fell
    uint64_t droppedBytes{0}; //!< bytes of the dropped packets
    uint64_t lost{0};         //!< packets, of those dropped, that were sent and lost on the wire
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
 * The first 48 bytes are all that a packet changes.
 */
class QueueAccount
{
  public:
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /** \param bytes the most that the queue may hold, the newest packet included */
    void SetLimit(uint64_t bytes)
    {
        m_limit = bytes;
    }

    /** \param bytes backlog above which the queue marks congestion; 0 = never */
    void SetEcnThreshold(uint64_t bytes)
    {
        m_threshold = bytes == 0 ? UNLIMITED : bytes;
    }

    /**
     * Ask for room for a packet. Counts a drop when there is none, else the backlog grows.
     * \param bytes size of the packet
     * \param buffer the switch's packet memory, or null
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

    /** Called when a packet leaves to be sent. \param buffer the same as when it was admitted */
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

    /** Called when a packet leaves to be dropped, which is counted. \param buffer the same as when
     * it was admitted */
    void Flush(uint32_t bytes, SharedBuffer* buffer)
    {
        Leave(bytes, buffer);
        CountDrop(bytes);
    }

    /** Count the drop of a packet that is not in the queue. */
    void CountDrop(uint32_t bytes)
    {
        ++m_counters.dropped;
        m_counters.droppedBytes += bytes;
    }

    /** Count a sent packet that was lost on the wire, also as a drop. */
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

    /** \return the counters of the queue */
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
