// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIORITY_H
#define DDL_PRIORITY_H

#include <algorithm>
#include <cstdint>

namespace ns3::ddl
{

constexpr uint32_t MAX_QUEUES = 8;        //!< queues of a switch that is built, bands of a host
constexpr uint32_t UNLIMITED_QUEUES = 63; //!< of an ideal port: a queue a codepoint, less one
constexpr uint8_t CONTROL_QUEUE = 0;      //!< kept for control messages (Grouper §IV-C)
constexpr uint8_t CONTROL_DSCP = 48;      //!< CS6
constexpr uint8_t FIRST_PRIORITY = 1;     //!< priority of the data that goes first

/**
 * What a machine writes on the packets that it sends for one stream (Grouper §IV-B): the band of
 * its own NIC, and the codepoint by which switches choose their queue.
 */
struct Mark
{
    uint8_t band{FIRST_PRIORITY}; //!< 0 to 62; 0 is served first
    uint8_t dscp{FIRST_PRIORITY}; //!< 0 to 63

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
 * \return queue of that priority; priorities past the last queue share the last queue
 */
constexpr uint8_t
PriorityToQueue(uint32_t priority, uint32_t queues)
{
    return static_cast<uint8_t>(std::min(priority, queues - 1));
}

/**
 * \param queue of data, 0 to 62 (0: one for all traffic)
 * \return its codepoint: the number of the queue, passing over the one that means control
 */
constexpr uint8_t
QueueToCodepoint(uint32_t queue)
{
    return static_cast<uint8_t>(queue < CONTROL_DSCP ? queue : queue + 1);
}

using QueueMask = uint64_t; //!< queues or bands as bits: bit q is queue q

/** \return the mask of one queue. \param queue 0 to 63 */
constexpr QueueMask
QueueBit(uint32_t queue)
{
    return QueueMask{1} << queue;
}

} // namespace ns3::ddl

#endif // DDL_PRIORITY_H
