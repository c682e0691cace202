// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SENDING_END_H
#define DDL_SENDING_END_H

#include "ns3/ddl-message-stream.h"
#include "ns3/ptr.h"

#include <deque>

namespace ns3::ddl
{

class Rank;

/**
 * Where a rank sends to another one: the sending end of a stream, with what the rank has to be told
 * when each of its messages has arrived. As the stream delivers in order, this stands in a queue.
 */
class SendingEnd
{
  public:
    /**
     * \param stream open, from the rank's machine
     * \param source the rank, which outlives this object
     * \param destination the other rank's number
     */
    SendingEnd(Ptr<MessageStream> stream, Rank& source, uint32_t destination);

    SendingEnd(const SendingEnd&) = delete;
    SendingEnd& operator=(const SendingEnd&) = delete;

    /**
     * \param iteration over all stages, from 0
     * \param slot of the transfer at the destination
     * \param echo slot at the source that its arrival fills, or RankPlan::NO_ECHO
     * \param bytes at least 1
     */
    void Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes);

    /** Count bytes as passed that are not sent; see MessageStream. */
    void CountAsPassed(uint64_t bytes)
    {
        m_stream->CountAsPassed(bytes);
    }

    /** What is under way is lost, and nothing is delivered any more. */
    void Close();

  private:
    struct Sent
    {
        uint64_t iteration;
        uint32_t echo;
    };

    void Delivered();

    Ptr<MessageStream> m_stream;
    Rank& m_source;
    uint32_t m_destination;
    std::deque<Sent> m_sent; //!< under way, in order
    MessageStream::DeliveredCallback m_delivered;
};

} // namespace ns3::ddl

#endif // DDL_SENDING_END_H
