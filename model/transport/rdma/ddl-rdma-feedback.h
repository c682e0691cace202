// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_FEEDBACK_H
#define DDL_RDMA_FEEDBACK_H

#include "ns3/ddl-path-telemetry.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * Feedback for a round trip: what a data packet carries, and its answer brings back. The first byte
 * is the number of switches that the packet passed, which its receiver writes; the others are the
 * time at which it was sent, ns, most significant byte first.
 */
struct RoundTripFeedback
{
    static constexpr uint32_t BYTES = 8; //!< all of it on the wire

    uint32_t hops{0}; //!< switches that the packet passed
    Time sent;        //!< time at which it was sent

    /** \param [out] bytes BYTES bytes of a packet that is sent now */
    static void WriteTime(uint8_t* bytes, Time now)
    {
        auto time = static_cast<uint64_t>(now.GetNanoSeconds());
        for (uint32_t i = BYTES; i-- > 1; time >>= 8)
        {
            bytes[i] = static_cast<uint8_t>(time);
        }
    }

    /** \param [in,out] bytes BYTES bytes of a packet that has arrived \param hops up to 255 */
    static void WriteHops(uint8_t* bytes, uint32_t hops)
    {
        bytes[0] = static_cast<uint8_t>(hops);
    }

    /** \param bytes BYTES bytes, with time and hops */
    static RoundTripFeedback Read(const uint8_t* bytes)
    {
        int64_t time = 0;
        for (uint32_t i = 1; i < BYTES; ++i)
        {
            time = time << 8 | bytes[i];
        }
        return {bytes[0], NanoSeconds(time)};
    }
};

/** What data packets carry for congestion control, and answers bring back. The value is the number
 * of bytes. */
enum class RdmaFeedback : uint8_t
{
    NONE = 0,
    ROUND_TRIP = RoundTripFeedback::BYTES,
    PATH = PathTelemetry::BYTES //!< the records of switches
};

/** \return bytes of a packet that the feedback takes */
constexpr uint32_t
GetFeedbackBytes(RdmaFeedback feedback)
{
    return static_cast<uint32_t>(feedback);
}

} // namespace ns3::ddl

#endif // DDL_RDMA_FEEDBACK_H
