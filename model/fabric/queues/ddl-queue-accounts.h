// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_ACCOUNTS_H
#define DDL_QUEUE_ACCOUNTS_H

#include "ddl-shared-buffer.h"

#include "ns3/ddl-priority.h"

#include <limits>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/** Counters of one egress queue since the start. Bytes are those of IPv4 packets. */
struct QueueCounters
{
    uint64_t packets{0};      //!< sent
    uint64_t bytes{0};        //!< sent
    uint64_t dropped{0};      //!< packets refused, flushed or lost on the wire of a link that fell
    uint64_t droppedBytes{0}; //!< their bytes
    uint64_t lost{0};         //!< packets of these that were sent and lost on the wire
    uint64_t marked{0};       //!< packets on which congestion was marked here
    uint64_t maxBacklogBytes{0}; //!< the most that waited at once
};

/**
 * Admission to queues, in bytes: limits, ECN thresholds, shared memory, counters. It does not hold
 * the packets: ports and queue discs keep them in their own way.
 *
 * Invariant: the backlog of a queue is what was admitted less what was removed or flushed, and the
 * shared buffer, where there is one, holds at least the sum of the backlogs.
 */
class QueueAccounts
{
  public:
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /** \param queues how many, 1 to 63; forgets everything. Default: 8 */
    void SetQueues(uint32_t queues);

    /** \param bytes that each queue may hold, the packet that asks included */
    void SetLimit(uint64_t bytes);

    /** \param bytes above which each queue marks; 0 = never */
    void SetEcnThreshold(uint64_t bytes);

    /** As above, for one queue. \param queue below their number */
    void SetLimit(uint32_t queue, uint64_t bytes);
    /** As above, for one queue. \param queue below their number */
    void SetEcnThreshold(uint32_t queue, uint64_t bytes);

    /** Before the first packet. \param buffer the switch's, or null */
    void SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer);

    /**
     * Ask for room. Counts a drop when there is none, else the backlog grows.
     * \return whether the packet may enter
     */
    bool Admit(uint32_t queue, uint32_t bytes);

    /** \return whether the backlog, the packet admitted last included, is above the threshold */
    bool IsCongested(uint32_t queue) const
    {
        return m_queues[queue].backlog > m_queues[queue].threshold;
    }

    /** Count a mark. */
    void CountMark(uint32_t queue)
    {
        ++m_queues[queue].counters.marked;
    }

    /** A packet left to be sent. */
    void Remove(uint32_t queue, uint32_t bytes);

    /** A packet that was never in the queue was sent in its turn. */
    void CountSent(uint32_t queue, uint32_t bytes)
    {
        ++m_queues[queue].counters.packets;
        m_queues[queue].counters.bytes += bytes;
    }

    /** A packet left to be thrown away: counts a drop. */
    void Flush(uint32_t queue, uint32_t bytes);
    /** A packet was thrown away that is not in a queue. */
    void CountDrop(uint32_t queue, uint32_t bytes);
    /** A packet that had been sent was lost on the wire: counts a drop, too. */
    void CountLoss(uint32_t queue, uint32_t bytes);

    /** \return bytes waiting */
    uint64_t GetBacklog(uint32_t queue) const
    {
        return m_queues[queue].backlog;
    }

    /** \return what happened at a queue. \param queue below their number */
    const QueueCounters& GetCounters(uint32_t queue) const
    {
        return m_queues[queue].counters;
    }

  private:
    struct Account
    {
        uint64_t backlog{0};
        uint64_t limit{UNLIMITED};
        uint64_t threshold{UNLIMITED};
        QueueCounters counters;
    };

    void Leave(Account& account, uint32_t bytes);

    std::vector<Account> m_queues{MAX_QUEUES};
    std::shared_ptr<SharedBuffer> m_buffer;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_ACCOUNTS_H
