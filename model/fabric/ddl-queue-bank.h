// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_BANK_H
#define DDL_QUEUE_BANK_H

#include "ddl-frame.h"
#include "ddl-packet-count.h"

#include "ns3/ddl-queue-accounts.h"
#include "ns3/ddl-queue-scheduler.h"

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
        DROPPED,  //!< no room; the frame is still the caller's
        QUEUED,   //!< the bank's now
        CONGESTED //!< the bank's now, and congestion was marked on it
    };

    /** Before the first frame. \param queues how many, 1 to 63. Default: 8 */
    void SetQueues(uint32_t queues);

    /** Put a frame into its queue (frame->queue), marking it when it is ECN capable. O(1). */
    Verdict Push(Frame* frame);

    /** Take the first frame of a queue, to be sent. O(1). \pre the queue is not empty */
    Frame* Pop(uint32_t queue);

    /** \return the first frame of a queue, which stays there. \pre the queue is not empty */
    const Frame& Peek(uint32_t queue) const
    {
        return *m_fifos[queue].head;
    }

    /** Take any frame, to be thrown away. O(1). \return null when the bank is empty */
    Frame* Flush();

    /** \return what a queue scheduler may see */
    const QueueView& GetView() const
    {
        return m_view;
    }

    /** \return whether no frame waits */
    bool IsEmpty() const
    {
        return m_view.nonEmpty == 0;
    }

    /** \return what waits in all queues, counted frame by frame. O(frames) */
    PacketCount CountHeld() const;

    /** \return limits, thresholds and counters */
    QueueAccounts& GetAccounts()
    {
        return m_accounts;
    }

    /** \return limits, thresholds and counters */
    const QueueAccounts& GetAccounts() const
    {
        return m_accounts;
    }

  private:
    struct Fifo
    {
        Frame* head{nullptr};
        Frame* tail{nullptr};
    };

    void Append(Frame* frame);
    Frame* TakeHead(uint32_t queue);

    QueueView m_view;
    std::vector<Fifo> m_fifos{MAX_QUEUES};
    QueueAccounts m_accounts;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_BANK_H
