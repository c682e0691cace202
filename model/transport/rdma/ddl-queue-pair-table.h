// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_PAIR_TABLE_H
#define DDL_QUEUE_PAIR_TABLE_H

#include "ns3/abort.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::ddl
{

/**
 * Queue pairs of one NIC by number. A number is a slot and, in its upper 8 bits, how often the slot
 * was used before; slots are reused in the order in which they were freed. So a late packet for a
 * pair that is gone finds nothing. Numbers begin at 2: queue pairs 0 and 1 are for management
 * (InfiniBand Architecture Specification, 3.5.10).
 *
 * \tparam T class of one end of a queue pair; ends are not owned
 */
template <typename T>
class QueuePairTable
{
  public:
    /** Add an end. O(1). \param end one end of a queue pair \return its number, 24 bits */
    uint32_t Add(T* end)
    {
        if (m_free.size() < SPARE && m_slots.size() < SLOTS)
        {
            m_free.push_back(static_cast<uint32_t>(m_slots.size()));
            m_slots.emplace_back();
        }
        NS_ABORT_MSG_IF(m_free.empty(),
                        "more than " << SLOTS - MANAGEMENT << " queue pairs at one NIC");
        const uint32_t index = m_free.front();
        m_free.pop_front();
        Slot& slot = m_slots[index];
        slot.end = end;
        return (uint32_t{slot.generation} << 16) | index;
    }

    /** Remove an end. O(1). \param number a number from Add */
    void Remove(uint32_t number)
    {
        Slot& slot = m_slots[number % SLOTS];
        slot.end = nullptr;
        ++slot.generation;
        m_free.push_back(number % SLOTS);
    }

    /** Find an end. O(1). \return the end with that number, null when it is gone */
    T* Find(uint32_t number) const
    {
        const uint32_t index = number % SLOTS;
        if (index >= m_slots.size() || m_slots[index].generation != number / SLOTS)
        {
            return nullptr;
        }
        return m_slots[index].end;
    }

    /** \param visit function called with each end, in order of slots */
    template <typename Visit>
    void ForEach(Visit visit) const
    {
        for (const Slot& slot : m_slots)
        {
            if (slot.end)
            {
                visit(*slot.end);
            }
        }
    }

  private:
    static constexpr uint32_t SLOTS = 1U << 16;
    static constexpr uint32_t MANAGEMENT = 2; //!< slots that are never used
    static constexpr uint32_t SPARE = 64; //!< free slots kept, so that a slot is not reused at once

    struct Slot
    {
        T* end{nullptr};
        uint8_t generation{0};
    };

    std::vector<Slot> m_slots = std::vector<Slot>(MANAGEMENT);
    std::deque<uint32_t> m_free;
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_PAIR_TABLE_H
