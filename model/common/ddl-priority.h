// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIORITY_H
#define DDL_PRIORITY_H

#include <algorithm>
#include <cstdint>

namespace ns3::ddl
{

constexpr uint32_t MAX_QUEUES = 8;        //!< most queues per port of a real switch, bands per host
constexpr uint32_t UNLIMITED_QUEUES = 63; //!< queues of an ideal port: one per codepoint, less one
constexpr uint8_t CONTROL_QUEUE = 0;  //!< the queue reserved for control messages (Grouper §IV-C)
constexpr uint8_t CONTROL_DSCP = 48;  //!< codepoint of control messages: CS6
constexpr uint8_t FIRST_PRIORITY = 1; //!< the highest priority of data

/**
 * What a machine writes on the packets that it sends for one stream (Grouper §IV-B): the band of
 * its own NIC, and the codepoint by which switches choose their queue.
 */
struct Mark
{
    uint8_t band{FIRST_PRIORITY}; //!< band of the machine's NIC, 0 to 62; 0 is served first
    uint8_t dscp{FIRST_PRIORITY}; //!< codepoint in the IP header, 0 to 63

    bool operator==(const Mark& other) const
    {
        return band == other.band && dscp == other.dscp;
    }

    bool operator!=(const Mark& other) const
    {
        return !(*this == other);
    }
};

constexpr Mark CONTROL_MARK{CONTROL_QUEUE, CONTROL_DSCP};

/**
 * \param priority local priority of a stage at a machine, 1 = first
 * \param queues queues in use, control included, 2 to 63 (with 1, all traffic shares queue 0)
 * \return the queue of that priority; priorities beyond the last queue share the last queue
 */
constexpr uint8_t
PriorityToQueue(uint32_t priority, uint32_t queues)
{
    return static_cast<uint8_t>(std::min(priority, queues - 1));
}

/**
 * \param queue a data queue, 0 to 62 (0: the only queue, for all traffic)
 * \return the queue's codepoint: its number, which skips CONTROL_DSCP (plus 1 from there on)
 */
constexpr uint8_t
QueueToCodepoint(uint32_t queue)
{
    return static_cast<uint8_t>(queue < CONTROL_DSCP ? queue : queue + 1);
}

using QueueMask = uint64_t; //!< a set of queues or bands: bit q stands for queue q

/** \return the mask of one queue. \param queue 0 to 63 */
constexpr QueueMask
QueueBit(uint32_t queue)
{
    return QueueMask{1} << queue;
}

} // namespace ns3::ddl

#endif // DDL_PRIORITY_H
