// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DSCP_MAP_H
#define DDL_DSCP_MAP_H

#include <array>
#include <cstdint>
#include <memory>

namespace ns3::ddl
{

/**
 * The table of a switch port that maps each DSCP to an egress queue.
 *
 * Default for n queues: CS6 (48) -> queue 0, the control queue; the codepoint of each other queue,
 * which is its number up to 47 (QueueToCodepoint) as local priorities are written (Grouper §IV-B),
 * -> that queue; 0 and all others -> queue n - 1.
 *
 * Invariant: every entry is below n.
 */
class DscpMap
{
  public:
    static constexpr uint32_t CODEPOINTS = 64; //!< number of codepoints: six bits

    /**
     * \param queues number of queues n, 1 to 63
     * \throws InputError for another number
     */
    explicit DscpMap(uint32_t queues = 8);

    /**
     * Change the queue of a codepoint.
     * \param dscp the codepoint, 0 to 63
     * \param queue its queue, 0 to n - 1
     * \throws InputError when either is out of range
     */
    void Set(uint32_t dscp, uint32_t queue);

    /** \return a map with equal entries, the same object for all callers: ports read it for each
     * packet, and a single object stays in the cache */
    static std::shared_ptr<const DscpMap> Share(const DscpMap& map);

    /** \return queue of a codepoint. O(1). \param dscp 0 to 63 */
    uint8_t GetQueue(uint8_t dscp) const
    {
        return m_queue[dscp];
    }

    bool operator==(const DscpMap& other) const
    {
        return m_queues == other.m_queues && m_queue == other.m_queue;
    }

    /** \return number of queues n */
    uint32_t GetQueues() const
    {
        return m_queues;
    }

  private:
    uint32_t m_queues;
    std::array<uint8_t, CODEPOINTS> m_queue;
};

} // namespace ns3::ddl

#endif // DDL_DSCP_MAP_H
