// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-agenda.h"

#include <algorithm>

namespace ns3::ddl
{

void
FluidAgenda::Set(uint32_t key, int64_t due)
{
    if (key >= m_places.size())
    {
        m_places.resize(key + 1, ABSENT);
    }
    const uint32_t place = m_places[key];
    if (due == NEVER)
    {
        if (place != ABSENT)
        {
            Erase(place);
        }
    }
    else if (place == ABSENT)
    {
        m_heap.push_back({due, key});
        Rise(m_heap.size() - 1, {due, key});
    }
    else if (due < m_heap[place].due)
    {
        Rise(place, {due, key});
    }
    else
    {
        Sink(place, {due, key});
    }
}

void
FluidAgenda::Erase(uint32_t place)
{
    const Entry last = m_heap.back();
    m_places[m_heap[place].key] = ABSENT;
    m_heap.pop_back();
    if (place == m_heap.size())
    {
        return;
    }
    const bool rises = place > 0 && last.due < m_heap[(place - 1) / CHILDREN].due;
    rises ? Rise(place, last) : Sink(place, last);
}

void
FluidAgenda::Rise(std::size_t place, Entry entry)
{
    while (place > 0 && entry.due < m_heap[(place - 1) / CHILDREN].due)
    {
        Put(place, m_heap[(place - 1) / CHILDREN]);
        place = (place - 1) / CHILDREN;
    }
    Put(place, entry);
}

void
FluidAgenda::Sink(std::size_t place, Entry entry)
{
    while (true)
    {
        const std::size_t first = place * CHILDREN + 1;
        const std::size_t end = std::min(first + CHILDREN, m_heap.size());
        std::size_t least = place;
        int64_t due = entry.due;
        for (std::size_t child = first; child < end; ++child)
        {
            if (m_heap[child].due < due)
            {
                due = m_heap[child].due;
                least = child;
            }
        }
        if (least == place)
        {
            break;
        }
        Put(place, m_heap[least]);
        place = least;
    }
    Put(place, entry);
}

} // namespace ns3::ddl
