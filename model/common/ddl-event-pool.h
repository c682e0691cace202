// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EVENT_POOL_H
#define DDL_EVENT_POOL_H

#include "ns3/scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Pending events in singly linked lists whose nodes are 32 bytes of one array: nothing is allocated
 * for an event once the array has grown to the most that were ever pending at once.
 *
 * Inline but for Unlink, since every event of a simulation passes through here twice or more.
 */
class EventPool
{
  public:
    using Index = uint32_t; //!< number of an event's node in the pool; 0 is no node

    /** The ends of a list of events. Both are meaningless while the list is empty. */
    struct List
    {
        Index head;
        Index tail;
    };

    EventPool()
        : m_nodes(1)
    {
    }

    /** \return a new node, in no list */
    Index Add(const Scheduler::Event& event)
    {
        Index index = m_free;
        if (index)
        {
            m_free = m_nodes[index].next;
        }
        else
        {
            index = static_cast<Index>(m_nodes.size());
            m_nodes.emplace_back();
        }
        Node& node = m_nodes[index];
        node.impl = event.impl;
        node.timestamp = event.key.m_ts;
        node.uid = event.key.m_uid;
        node.context = event.key.m_context;
        return index;
    }

    /** Give a node back to the pool; it can be read until the next Add. */
    void Release(Index index)
    {
        m_nodes[index].next = m_free;
        m_free = index;
    }

    Scheduler::Event Get(Index index) const
    {
        const Node& node = m_nodes[index];
        Scheduler::Event event;
        event.impl = node.impl;
        event.key.m_ts = node.timestamp;
        event.key.m_uid = node.uid;
        event.key.m_context = node.context;
        return event;
    }

    uint64_t GetTimestamp(Index index) const
    {
        return m_nodes[index].timestamp;
    }

    /** \return the next node of the same list, 0 after the last */
    Index GetNext(Index index) const
    {
        return m_nodes[index].next;
    }

    /** Begin to fetch a node. */
    void PrefetchNode(Index index) const
    {
        __builtin_prefetch(&m_nodes[index]);
    }

    /** \return the ns-3 event to run. \param index the node of a pending event */
    const EventImpl* GetImpl(Index index) const
    {
        return m_nodes[index].impl;
    }

    /** Put a node at the end of a list. */
    void Append(List& list, bool isEmpty, Index index)
    {
        m_nodes[index].next = 0;
        (isEmpty ? list.head : m_nodes[list.tail].next) = index;
        list.tail = index;
    }

    /** Put a node before the first node of greater uid, in a list that is sorted by uid. */
    void InsertByUid(List& list, bool isEmpty, Index index)
    {
        const uint32_t uid = m_nodes[index].uid;
        if (isEmpty || m_nodes[list.tail].uid <= uid)
        {
            Append(list, isEmpty, index); // the usual case, until uids wrap around to 0
            return;
        }
        Index* link = &list.head;
        while (m_nodes[*link].uid <= uid)
        {
            link = &m_nodes[*link].next;
        }
        m_nodes[index].next = *link;
        *link = index;
    }

    /**
     * Take a node out of a list, wherever it is.
     *
     * \return the node, or 0 if there is none with this key
     */
    Index Unlink(List& list, const Scheduler::EventKey& key);

    /** \return the number of events that fit without new memory */
    std::size_t GetCapacity() const
    {
        return m_nodes.capacity() - 1;
    }

  private:
    /** A pending event, or a free place. */
    struct Node
    {
        EventImpl* impl;
        uint64_t timestamp;
        uint32_t uid;
        uint32_t context;
        Index next; //!< next node of the same list, or next free node; 0: none
    };

    std::vector<Node> m_nodes; //!< all nodes, pending and free; the first stands for "no node"
    Index m_free{0};           //!< first free node; 0: none
};

} // namespace ns3::ddl

#endif // DDL_EVENT_POOL_H
