// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BASE_ROUND_TRIP_H
#define DDL_BASE_ROUND_TRIP_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

class Fabric;

/** The longest way of a packet and its answer through a network. */
struct BaseRoundTrip
{
    Time time;            //!< without queues; 0 with fewer than two hosts that are joined
    uint32_t switches{0}; //!< most switches that a packet passes
};

/**
 * Compute the longest round trip between two hosts of a network without queues: a full packet one
 * way, an acknowledgement back, over a path with the fewest links, stored and forwarded at each
 * switch. Links that are down count. Scale-up networks do not.
 *
 * O(switches with hosts x links).
 *
 * \return the longest round trip, and the most switches on any such path
 */
BaseRoundTrip FindBaseRoundTrip(const Fabric& fabric);

} // namespace ns3::ddl

#endif // DDL_BASE_ROUND_TRIP_H
