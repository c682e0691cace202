// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_TRAFFIC_H
#define DDL_QUEUE_TRAFFIC_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

/** Traffic of a transport without packets through one egress queue, which the port cannot count. */
struct QueueTraffic
{
    double bytes{0}; //!< IP bytes, headers included
    Time busy;       //!< time for which they kept the wire busy, framing included
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_TRAFFIC_H
