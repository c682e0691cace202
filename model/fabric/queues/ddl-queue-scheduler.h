// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_SCHEDULER_H
#define DDL_QUEUE_SCHEDULER_H

#include "ns3/ddl-policy.h"
#include "ns3/ddl-priority.h"

#include <array>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** A queue's level and weight: its share of the port while other queues wait as well. */
struct QueueShare
{
    uint32_t level{0};  //!< level of the queue; lower ones have strict priority over higher ones
    uint32_t weight{1}; //!< relative share of the bytes within a level, above 0
};

using QueueShares = std::vector<QueueShare>; //!< level and weight of each queue of a port

/** What a queue scheduler may see of a port. */
struct QueueView
{
    QueueMask nonEmpty{0}; //!< bit q is set when queue q holds a packet
    /** Bytes of each queue's first packet; meaningless for an empty queue. */
    std::array<uint32_t, UNLIMITED_QUEUES> headBytes{};
};

/**
 * Policy family: which of a port's non-empty queues sends next?
 *
 * A port asks each time that it can start a packet, and then sends the first packet of the answered
 * queue; so after an answer the scheduler can count on this packet being served. It belongs to
 * one port, as it may keep credits between answers.
 */
class QueueScheduler : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * Reset all credits and read the attributes as they are now.
     * \param queues number of queues of the port, 1 to 63
     * \throws InputError when the attributes do not fit them
     */
    void Configure(uint32_t queues);

    /**
     * Valid after Configure.
     * \return level and weight by which queues that stay non-empty share the port in the long run;
     *         nothing (the default) if this scheduler has none: the fluid transport refuses it
     */
    virtual std::optional<QueueShares> GetShares() const
    {
        return std::nullopt;
    }

    /** \return whether the answer is always the lowest non-empty queue; ports then skip Select */
    virtual bool IsStrict() const
    {
        return false;
    }

    /**
     * \param view the port's queues, at least one of them non-empty
     * \return a non-empty queue, whose first packet is sent now; any other answer of DoSelect ends
     *         the simulation
     */
    uint32_t Select(const QueueView& view)
    {
        const uint32_t queue = DoSelect(view);
        if (queue >= UNLIMITED_QUEUES || (view.nonEmpty & QueueBit(queue)) == 0)
        {
            RefuseAnswer(view, queue);
        }
        return queue;
    }

    /** \return the number of the lowest set bit. \param mask not 0 */
    static uint32_t First(QueueMask mask)
    {
        return static_cast<uint32_t>(__builtin_ctzll(mask));
    }

  private:
    virtual void DoConfigure(uint32_t queues) = 0;

    /** Called once per packet: no logging, no allocation. */
    virtual uint32_t DoSelect(const QueueView& view) = 0;

    [[noreturn]] void RefuseAnswer(const QueueView& view, uint32_t queue) const;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_SCHEDULER_H
