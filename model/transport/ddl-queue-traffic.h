// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_TRAFFIC_H
#define DDL_QUEUE_TRAFFIC_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

/** Traffic of a transport without packets through one egress queue; the port cannot count it. */
struct QueueTraffic
{
    double bytes{0}; //!< IP bytes, headers included
    Time busy;       //!< how long they kept the wire busy, framing included
};

} // namespace ns3::ddl

#endif // DDL_QUEUE_TRAFFIC_H
