// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_COUNTERS_H
#define DDL_STREAM_COUNTERS_H

#include <cstdint>

namespace ns3
{
namespace ddl
{

/** What went wrong, or late, on one stream or on all of a transport's. */
struct StreamCounters
{
    uint64_t dataPackets{0};     //!< data packets sent, retransmissions included
    uint64_t retransmissions{0}; //!< data packets sent again
    uint64_t timeouts{0};  //!< expiries of a retransmission timer, connection requests included
    uint64_t reordered{0}; //!< new data packets that arrived behind a later one; a
                           //!< retransmission that fills a hole is one too

    StreamCounters& operator+=(const StreamCounters& other)
    {
        dataPackets += other.dataPackets;
        retransmissions += other.retransmissions;
        timeouts += other.timeouts;
        reordered += other.reordered;
        return *this;
    }
};

} // namespace ddl
} // namespace ns3

#endif // DDL_STREAM_COUNTERS_H
