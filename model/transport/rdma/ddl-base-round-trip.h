// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BASE_ROUND_TRIP_H
#define DDL_BASE_ROUND_TRIP_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

class Fabric;

/**
 * Compute the longest round trip between two hosts of a network without queues: a full packet one
 * way, an acknowledgement back, over a path with the fewest links, stored and forwarded at each
 * switch. Links that are down count. Scale-up networks do not.
 *
 * O(switches with hosts x links).
 *
 * \return the round trip; 0 with fewer than two hosts that are joined
 */
Time FindBaseRoundTrip(const Fabric& fabric);

} // namespace ns3::ddl

#endif // DDL_BASE_ROUND_TRIP_H
