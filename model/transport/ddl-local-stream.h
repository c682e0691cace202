// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOCAL_STREAM_H
#define DDL_LOCAL_STREAM_H

#include "ddl-message-stream.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <deque>

namespace ns3::ddl
{

/**
 * A stream between two processes of one machine, over the machine's own bus or memory: a server
 * that works at a fixed rate, first come first served, followed by a fixed delay. It sends no
 * packets, so its marks change nothing and its counters stay 0. Streams of one machine do not slow
 * each other.
 */
class LocalStream : public MessageStream
{
  public:
    static TypeId GetTypeId();

    /**
     * \param id number of the stream
     * \param host machine of both ends
     * \param rate at which bytes are served, above 0
     * \param delay from the end of service to delivery
     */
    LocalStream(StreamId id, HostId host, DataRate rate, Time delay);
    ~LocalStream() override;

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void Close() override;

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes) override;
    void DoSetMark(End end, Mark mark) override;

    /** Wait for the next transfer to arrive. */
    void ScheduleArrival();
    void Arrive();

    /** Bytes given in one Send. */
    struct Transfer
    {
        Time arrival;   //!< when the last of them arrives
        uint64_t bytes; //!< how many
    };

    DataRate m_rate;
    Time m_delay;
    Time m_free;                      //!< when the server has done all that it was given
    std::deque<Transfer> m_transfers; //!< under way, in order
    EventId m_arrival;                //!< of the first of them
};

} // namespace ns3::ddl

#endif // DDL_LOCAL_STREAM_H
