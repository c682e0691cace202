// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_H
#define DDL_STREAM_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-priority.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <tuple>

namespace ns3::ddl
{

/**
 * Name of a stream. Both machines know it before the first packet, from the description of the
 * simulation; a request for a connection finds the accepted end by it.
 */
struct StreamName
{
    JobId job;               //!< the stream's job, or CONTROL_STREAMS, BACKGROUND_STREAMS
    uint32_t run{1};         //!< number of the job's run
    uint32_t source{0};      //!< sending rank, or host of a job whose ranks share streams
    uint32_t destination{0}; //!< receiving rank, or host of a job whose ranks share streams

    bool operator<(const StreamName& other) const
    {
        return std::tie(job, run, source, destination) <
               std::tie(other.job, other.run, other.source, other.destination);
    }

    bool operator==(const StreamName& other) const
    {
        return !(*this < other) && !(other < *this);
    }
};

std::ostream& operator<<(std::ostream& os, const StreamName& name);

constexpr JobId CONTROL_STREAMS{UINT32_MAX};        //!< no job, but all control messages
constexpr JobId BACKGROUND_STREAMS{UINT32_MAX - 1}; //!< no job, but all background flows

/** Contents of the request for a connection, which travels in the first packets of a stream. */
struct StreamRequest
{
    StreamId id; //!< the stream's number; of two requests with one name the greater one counts
    StreamName name;
    HostId source;
};

/**
 * Contents of a message. They travel in the packet with the message's last byte, and add no bytes.
 */
struct MessageTag
{
    uint64_t iteration{0}; //!< the message's iteration, from 0; a control message's number
    uint32_t rank{0};      //!< receiving rank at the destination
    uint32_t slot{0};      //!< number of the transfer at that rank
};

/** Bytes that arrive together. */
struct MessagePiece
{
    uint64_t bytes{0};
    std::optional<MessageTag> ended; //!< tag of the message that ends with the last of these bytes
};

/** Packets that one end, or all ends of a transport, sent, sent again or received late. */
struct StreamCounters
{
    uint64_t dataPackets{0};     //!< data packets sent, retransmissions included
    uint64_t retransmissions{0}; //!< data packets sent again
    uint64_t timeouts{0};  //!< expiries of a retransmission timer, connection requests included
    uint64_t reordered{0}; //!< new data packets that arrived after a later one; a
                           //!< retransmission that fills a hole is one too

    /** \return the difference from an earlier reading \p before */
    StreamCounters Since(const StreamCounters& before) const
    {
        return {dataPackets - before.dataPackets,
                retransmissions - before.retransmissions,
                timeouts - before.timeouts,
                reordered - before.reordered};
    }

    StreamCounters& operator+=(const StreamCounters& other)
    {
        dataPackets += other.dataPackets;
        retransmissions += other.retransmissions;
        timeouts += other.timeouts;
        reordered += other.reordered;
        return *this;
    }
};

/** End the program if a mark is invalid. */
void CheckMark(Mark mark);

} // namespace ns3::ddl

#endif // DDL_STREAM_H
