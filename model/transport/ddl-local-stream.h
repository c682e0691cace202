// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOCAL_STREAM_H
#define DDL_LOCAL_STREAM_H

#include "ddl-sending-stream.h"
#include "ddl-stream-crossing.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <deque>

namespace ns3::ddl
{

/**
 * The sending end of a stream between two processes of one machine, over the machine's own bus or
 * memory: a server that works at a fixed rate, first come first served, followed by a fixed delay.
 * It sends no packets, so its mark changes nothing and its counters stay 0; what has arrived is
 * acknowledged at once. Messages are handed over whole; their bytes are counted as they arrive.
 * Streams of one machine do not slow each other.
 */
class LocalStream : public SendingStream
{
  public:
    static TypeId GetTypeId();

    /**
     * \param request of the stream
     * \param machine of both ends
     * \param rate at which bytes are served, above 0
     * \param delay from the end of service to delivery
     */
    LocalStream(const StreamRequest& request, StreamHost& machine, DataRate rate, Time delay);
    ~LocalStream() override;

    StreamCounters GetCounters() const override
    {
        return {};
    }

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    void DoPrepareClose() override;
    void DoClose() override;
    uint64_t DoCountUntold() const override;

    /** Wait for the next message to arrive. */
    void ScheduleArrival();
    void Arrive();

    /** A message under way. */
    struct Transfer
    {
        Time arrival; //!< of its last byte
        uint64_t bytes;
        MessageTag tag;
    };

    DataRate m_rate;
    Time m_delay;
    Time m_free;                      //!< when the server has done all that it was given
    std::deque<Transfer> m_transfers; //!< under way, in order
    EventId m_arrival;                //!< of the first of them
    StreamCrossing m_crossing;
};

} // namespace ns3::ddl

#endif // DDL_LOCAL_STREAM_H
