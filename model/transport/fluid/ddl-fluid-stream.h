// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_STREAM_H
#define DDL_FLUID_STREAM_H

#include "ddl-fluid-agenda.h"
#include "ddl-fluid-network.h"

#include "ns3/ddl-sending-stream.h"
#include "ns3/ddl-stream-crossing.h"
#include "ns3/event-id.h"

#include <memory>

namespace ns3::ddl
{

class FluidEngine;

/**
 * The sending end of a stream as a fluid: bytes leave at the rate that FluidEngine gives it. A
 * message is delivered a fixed time after its last byte has left: the delay of the path and the
 * transmission of one packet on it.
 *
 * Only this end's mark counts; acknowledgements are not modelled: this end knows by itself when
 * bytes arrive. After Close nothing more arrives.
 */
class FluidStream : public SendingStream
{
  public:
    static TypeId GetTypeId();

    /** \param flow as packets of this stream would be known to switches
     * \param machines among which the destination is */
    FluidStream(const StreamRequest& request,
                HostId destination,
                FlowKey flow,
                std::shared_ptr<FluidEngine> engine,
                const StreamCrossing::Machines& machines);
    ~FluidStream() override;

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void CountAsPassed(uint64_t bytes) override;

    /** \return whether it has bytes to send */
    bool IsBacklogged() const
    {
        return !m_waiting.IsEmpty();
    }

    /** Look for the way anew. */
    void Reroute();

    /** \return the queues on its way; empty when there is none */
    const FluidPath& GetPath() const
    {
        return m_route.path;
    }

    /**
     * Set its rate.
     * \param bytesPerStep bytes of payload per time step
     */
    void SetRate(double bytesPerStep);
    /**
     * Let its bytes move slower or faster than at its rate, while it keeps its share of the
     * network. A sampled run uses it to give fluids the speed of packets (doc/full-size.md).
     *
     * \param pace time that a byte takes over that at its rate; more than 0, at first 1
     */
    void SetPace(double pace);
    /** Send what its rate gave until now; messages that have left are on their way. */
    void Advance();

    /** \return time step at which the next message will have left, FluidAgenda::NEVER if none */
    int64_t GetDue() const
    {
        return m_due;
    }

    /** What the engine keeps of a stream that has something to send, or had at this instant. */
    struct Entry
    {
        static constexpr uint32_t NONE = UINT32_MAX;

        uint32_t key{NONE};    //!< in the engine's list; NONE: not there
        uint32_t sharing{0};   //!< in which it has its rate
        uint32_t rate{NONE};   //!< FluidAllocator::Stream there; NONE: has no way
        uint64_t order{0};     //!< in which streams came
        bool isChanged{false}; //!< rates have to follow
        bool isMoved{false};   //!< its path is another than the allocator knows
    };

    /** \return what only the engine reads and writes */
    Entry& GetEntry()
    {
        return m_entry;
    }

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    void DoPrepareClose() override;
    void DoClose() override;
    uint64_t DoCountUntold() const override;

    /** \return time from the last byte's leaving to its arrival. \param bytes of the message */
    Time GetLatency(uint64_t bytes) const;
    /** Its rate or its pace is another one. */
    void ApplyRate();
    /** The first message has left. */
    void Depart();
    /** The next message leaves at another time. */
    void UpdateDue();
    void ScheduleArrival();
    void Arrive();

    /** A message, or what remains to be said of it. */
    struct Message
    {
        uint64_t end;   //!< bytes of the stream up to its last one
        uint64_t bytes; //!< its length
        MessageTag tag; //!< what it says
        Time arrival;   //!< once it has left
    };

    std::shared_ptr<FluidEngine> m_engine;
    FlowKey m_flow;
    FluidRoute m_route;
    FluidProgress m_progress;
    uint64_t m_goal{0}; //!< bytes given to Send
    uint64_t m_told{0}; //!< bytes that have been carried over
    double m_rate{0};   //!< as given
    double m_pace{1};
    int64_t m_due{FluidProgress::NEVER};
    FluidFifo<Message> m_waiting;  //!< not yet left
    FluidFifo<Message> m_underWay; //!< left, not yet arrived
    EventId m_arrival;             //!< of the first of them
    Entry m_entry;
    StreamCrossing m_crossing;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_STREAM_H
