// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-event-pool.h"

namespace ns3::ddl
{

EventPool::Index
EventPool::Unlink(List& list, const Scheduler::EventKey& key)
{
    Index before = 0;
    Index index = list.head;
    while (index && (m_nodes[index].uid != key.m_uid || m_nodes[index].timestamp != key.m_ts))
    {
        before = index;
        index = m_nodes[index].next;
    }
    if (index)
    {
        const Index next = m_nodes[index].next;
        (before ? m_nodes[before].next : list.head) = next;
        list.tail = next ? list.tail : before;
    }
    return index;
}

} // namespace ns3::ddl
