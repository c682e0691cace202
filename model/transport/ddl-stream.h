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
 * What a stream is called. Both machines know the name before the first packet, as the run that the
 * stream is for says it; by it the request for a connection finds who waits for it.
 */
struct StreamName
{
    JobId job;               //!< or what stands for one: control messages, background flows
    uint32_t run{1};         //!< of the job
    uint32_t source{0};      //!< rank, or host of a job whose ranks share streams
    uint32_t destination{0}; //!< likewise

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

constexpr JobId CONTROL_STREAMS{UINT32_MAX};        //!< no job: StreamName of control messages
constexpr JobId BACKGROUND_STREAMS{UINT32_MAX - 1}; //!< no job: StreamName of background flows

/** What the request for a connection says: it travels in the first packets of a stream. */
struct StreamRequest
{
    StreamId id; //!< of two requests under one name, the one with the greater number counts
    StreamName name;
    HostId source;
};

/** What a message says to its receiver. It travels in the packet with the message's last byte, and
 * counts no bytes. */
struct MessageTag
{
    uint64_t iteration{0}; //!< to which it belongs, from 0; of control messages their number
    uint32_t rank{0};      //!< whom it is for, at the destination
    uint32_t slot{0};      //!< which of that rank's transfers it is
};

/** Bytes that arrive together. */
struct MessagePiece
{
    uint64_t bytes{0};
    std::optional<MessageTag> ended; //!< what the message says whose last byte is the last of these
};

/** Packets that one end, or all ends of a transport, sent, sent again or received late. */
struct StreamCounters
{
    uint64_t dataPackets{0};     //!< data packets sent, retransmissions included
    uint64_t retransmissions{0}; //!< data packets sent again
    uint64_t timeouts{0};  //!< expiries of a retransmission timer, connection requests included
    uint64_t reordered{0}; //!< new data packets that arrived behind a later one; a
                           //!< retransmission that fills a hole is one too

    /** \return what came since, to be multiplied */
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

/** End the program where a mark has no sense. */
void CheckMark(Mark mark);

} // namespace ns3::ddl

#endif // DDL_STREAM_H
