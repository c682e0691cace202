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
 * memory, or between two machines of one server, over its scale-up network: a FIFO queue served at
 * a fixed rate, followed by a fixed delay. It sends no packets, so its mark changes nothing and its
 * counters stay 0; what has arrived is acknowledged at once. Messages are handed over whole; their
 * bytes are counted as they arrive. Streams of one machine do not slow each other.
 */
class LocalStream : public SendingStream
{
  public:
    static TypeId GetTypeId();

    /**
     * \param request the request for the stream
     * \param machine the machine of both ends
     * \param rate rate at which bytes are served, above 0
     * \param delay time from the end of service to delivery
     */
    LocalStream(const StreamRequest& request, StreamHost& machine, DataRate rate, Time delay);
    /**
     * A stream between two machines of one server.
     *
     * \param destination the machine that receives
     * \param machines all machines, the destination among them
     */
    LocalStream(const StreamRequest& request,
                HostId destination,
                const StreamCrossing::Machines& machines,
                DataRate rate,
                Time delay);
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

    /** Schedule the arrival of the first message in transit. */
    void ScheduleArrival();
    void Arrive();

    /** A message in transit. */
    struct Transfer
    {
        Time arrival; //!< arrival of its last byte
        uint64_t bytes;
        MessageTag tag;
    };

    DataRate m_rate;
    Time m_delay;
    Time m_free;                      //!< time at which all messages sent so far have been served
    std::deque<Transfer> m_transfers; //!< messages in transit, in order
    EventId m_arrival;                //!< arrival of the first message in transit
    StreamCrossing m_crossing;
};

} // namespace ns3::ddl

#endif // DDL_LOCAL_STREAM_H
