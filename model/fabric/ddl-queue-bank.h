// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_BANK_H
#define DDL_QUEUE_BANK_H

#include "ddl-frame.h"
#include "ddl-packet-count.h"

#include "ns3/ddl-queue-account.h"
#include "ns3/ddl-queue-scheduler.h"

#include <memory>

namespace ns3::ddl
{

/**
 * The egress queues of one port: intrusive FIFOs of frames with their accounts.
 *
 * Invariants: bit q of the view is set exactly when queue q holds a frame, and its head size is
 * that frame's; frames of a queue leave in the order in which they came.
 */
class QueueBank
{
  public:
    /** What became of a frame that asked for room. */
    enum class Verdict
    {
        DROPPED,  //!< there was no room; the caller still owns the frame
        QUEUED,   //!< the bank owns the frame now
        CONGESTED //!< the bank owns the frame now and has marked congestion on it
    };

    QueueBank();

    /** Call before the first frame. \param queues number of queues, 1 to 63. Default: 8 */
    void SetQueues(uint32_t queues);

    /** \param bytes the most that each queue may hold, the newest packet included */
    void SetLimit(uint64_t bytes);
    /** \param bytes backlog above which a queue marks congestion; 0 = never */
    void SetEcnThreshold(uint64_t bytes);
    /** Call before the first frame. \param buffer the switch's packet memory, or null */
    void SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer);

    /** Put a frame into its queue (frame->queue), marking it when it is ECN capable. O(1). */
    Verdict Push(Frame* frame);

    /** \return whether the bank has a share of a switch's buffer */
    bool HasBuffer() const
    {
        return m_buffer != nullptr;
    }

    /** Push and Pop a frame in one, where no other waits. O(1).
     * \pre IsEmpty() and not HasBuffer() */
    Verdict Pass(Frame* frame);

    /** Take the first frame of a queue, to be sent. O(1). \pre the queue is not empty */
    Frame* Pop(uint32_t queue);

    /** \return the first frame of a queue, which stays there. \pre the queue is not empty */
    const Frame& Peek(uint32_t queue) const
    {
        return *m_queues[queue].head;
    }

    /** Count a packet that is sent without passing through the queue. \param queue 0 to queues - 1,
     * unchecked */
    void CountSent(uint32_t queue, uint32_t bytes)
    {
        m_queues[queue].account.CountSent(bytes);
    }

    /** Prefetch a queue. \param waits whether a frame has to wait there, which reads more */
    void Prefetch(uint32_t queue, bool waits) const
    {
        __builtin_prefetch(&m_queues[queue]);
        if (waits)
        {
            __builtin_prefetch(&m_view.headBytes[queue]);
            __builtin_prefetch(&m_buffer);
        }
    }

    /** Take any frame, to be dropped. O(1). \return the frame, null when the bank is empty */
    Frame* Flush();

    /** \return the state of the queues that a queue scheduler may see */
    const QueueView& GetView() const
    {
        return m_view;
    }

    /** \return whether no frame waits */
    bool IsEmpty() const
    {
        return m_view.nonEmpty == 0;
    }

    /** \return the packets that wait in all queues, counted frame by frame. O(frames) */
    PacketCount CountHeld() const;

    /** \return a queue's limit, threshold and counters. \throws std::out_of_range for another */
    QueueAccount& GetAccount(uint32_t queue)
    {
        return Find(queue).account;
    }

    /** \return a queue's limit, threshold and counters. \throws std::out_of_range for another */
    const QueueAccount& GetAccount(uint32_t queue) const
    {
        return Find(queue).account;
    }

  private:
    /** One queue. What a passing packet changes is in the first cache line. */
    struct alignas(64) Queue
    {
        Frame* head{nullptr};
        Frame* tail{nullptr};
        QueueAccount account;
    };

    Queue& Find(uint32_t queue) const;
    bool MarkIfCongested(Queue& queue, Frame* frame);
    void Append(Queue& queue, Frame* frame);
    Frame* TakeHead(uint32_t queue);

    // Each packet needs the first 16 bytes: they share a cache line with members of the port.
    std::unique_ptr<Queue[]> m_queues;
    QueueView m_view; //!< the queues as a scheduler sees them; begins with the mask
    uint32_t m_count{0};
    std::shared_ptr<SharedBuffer> m_buffer;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_BANK_H
