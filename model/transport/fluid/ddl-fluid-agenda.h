// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_AGENDA_H
#define DDL_FLUID_AGENDA_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::ddl
{

/**
 * Finds the stream with the earliest due time. Each stream has at most one due time, which may
 * change at any time: a heap that knows the place of each of its entries.
 */
class FluidAgenda
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /** Set the due time of a stream. O(log n). \param key the stream's number; numbers are small
     * \param due time step, or NEVER */
    void Set(uint32_t key, int64_t due);

    /** \return the earliest due time, time steps; NEVER when there is none. O(1) */
    int64_t GetFirstDue() const
    {
        return m_heap.empty() ? NEVER : m_heap.front().due;
    }

    /** \return the key of the stream with the earliest due time. \pre there is one */
    uint32_t GetFirst() const
    {
        return m_heap.front().key;
    }

  private:
    static constexpr uint32_t ABSENT = std::numeric_limits<uint32_t>::max();
    static constexpr std::size_t CHILDREN = 4;

    struct Entry
    {
        int64_t due;
        uint32_t key;
    };

    void Erase(uint32_t place);
    void Rise(std::size_t place, Entry entry);
    void Sink(std::size_t place, Entry entry);

    void Put(std::size_t place, const Entry& entry)
    {
        m_heap[place] = entry;
        m_places[entry.key] = static_cast<uint32_t>(place);
    }

    std::vector<Entry> m_heap;
    std::vector<uint32_t> m_places; //!< index of each stream in m_heap, or ABSENT, by key
};

} // namespace ns3::ddl

#endif // DDL_FLUID_AGENDA_H
