// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_GROUPS_H
#define DDL_FLUID_GROUPS_H

#include "ddl-fluid-problem.h"

namespace ns3
{
namespace ddl
{

/** What FluidAllocator knows of one port: the streams of each of its queues, and what they get. */
class FluidGroups
{
  public:
    /** The streams of one queue: `size` of FluidAllocator's members, from `first` on. */
    struct Group
    {
        uint32_t first{0};
        uint32_t size{0};
        uint32_t unsettled{0};
        double held{0};   //!< rates of those settled
        double share{-1}; //!< of each unsettled one; below 0 when others go first
    };

    /** \param port stays the caller's, and outlives this */
    explicit FluidGroups(const FluidPort& port);

    /** Forget all streams. O(queues in use). */
    void Clear();

    /** \return the streams of a queue, which is in use from now on */
    Group& Use(uint32_t queue)
    {
        m_used |= QueueBit(queue);
        return m_groups[queue];
    }

    /** \return the streams of a queue */
    Group& Get(uint32_t queue)
    {
        return m_groups[queue];
    }

    /** \return the streams of a queue */
    const Group& Get(uint32_t queue) const
    {
        return m_groups[queue];
    }

    /** \return queues that some stream passes */
    QueueMask GetUsed() const
    {
        return m_used;
    }

    /** Find the first level with unsettled streams, and what it gives. O(queues in use). */
    void Refresh();

    /** \return the least share of all groups that have one; infinity when none has */
    double GetLeastShare() const;

  private:
    uint32_t FindFirstLevel() const;

    const FluidPort* m_port;
    std::vector<Group> m_groups; //!< by queue
    QueueMask m_used{0};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_FLUID_GROUPS_H
