// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_CHANNEL_H
#define DDL_RANK_CHANNEL_H

#include "ns3/ddl-message-stream.h"
#include "ns3/ptr.h"

#include <deque>

namespace ns3::ddl
{

class Rank;

/**
 * The stream from one rank of a job to another, with the meaning (iteration and transfer) of each
 * message under way. As the stream delivers in order, the meanings stand in a queue, and no message
 * needs a callback of its own.
 */
class RankChannel
{
  public:
    /** \param stream open, from the machine of `source` to that of `destination` */
    RankChannel(Ptr<MessageStream> stream, Ptr<Rank> source, Ptr<Rank> destination);

    RankChannel(const RankChannel&) = delete;
    RankChannel& operator=(const RankChannel&) = delete;

    /**
     * \param iteration over all stages, from 0
     * \param slot of the transfer at the destination
     * \param echo slot at the source that its arrival fills, or RankPlan::NO_ECHO
     * \param bytes at least 1
     */
    void Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes);

    /** Nothing is delivered any more. */
    void Close();

  private:
    struct Message
    {
        uint64_t iteration;
        uint32_t slot;
        uint32_t echo;
    };

    void Delivered();

    Ptr<MessageStream> m_stream;
    Ptr<Rank> m_source;
    Ptr<Rank> m_destination;
    std::deque<Message> m_messages; //!< under way, in order
    MessageStream::DeliveredCallback m_delivered;
};

} // namespace ns3::ddl

#endif // DDL_RANK_CHANNEL_H
