// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SENDING_END_H
#define DDL_SENDING_END_H

#include "ns3/ddl-sending-stream.h"
#include "ns3/ptr.h"

#include <deque>

namespace ns3::ddl
{

class Rank;

/**
 * The sending end of a stream from one rank to another. A queue holds the transfers that are not
 * acknowledged yet; messages are acknowledged in order.
 */
class SendingEnd
{
  public:
    /**
     * \param stream open, from the rank's machine
     * \param source the rank, which outlives this object
     * \param destination the other rank's number
     */
    SendingEnd(Ptr<SendingStream> stream, Rank& source, uint32_t destination);

    SendingEnd(const SendingEnd&) = delete;
    SendingEnd& operator=(const SendingEnd&) = delete;

    /**
     * \param iteration over all stages, from 0
     * \param slot of the transfer at the destination
     * \param echo slot at the source that its acknowledgement fills, or RankPlan::NO_ECHO
     * \param bytes at least 1
     */
    void Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes);

    /** Count bytes that were not simulated; see SendingStream. */
    void Credit(uint64_t bytes)
    {
        m_stream->Credit(bytes);
    }

    /** Close it: bytes that have not left are lost, and there are no more calls to the rank. */
    void Close();

  private:
    struct Sent
    {
        uint64_t iteration;
        uint32_t echo;
    };

    void Acknowledged();

    Ptr<SendingStream> m_stream;
    Rank& m_source;
    uint32_t m_destination;
    std::deque<Sent> m_sent; //!< not acknowledged yet, in order
    SendingStream::AcknowledgedCallback m_acknowledged;
};

} // namespace ns3::ddl

#endif // DDL_SENDING_END_H
