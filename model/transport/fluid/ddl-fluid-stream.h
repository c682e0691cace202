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

    /** \param request contents of the connection request \param destination the receiving machine
     * \param flow flow key by which switches choose the path \param engine computes the rates
     * \param machines all machines, the destination among them */
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

    std::vector<FlowKey> ListFlows() const override
    {
        return {m_flow};
    }

    void Credit(uint64_t bytes) override;

    /** \return whether the stream has bytes to send */
    bool IsBacklogged() const
    {
        return !m_waiting.IsEmpty();
    }

    /** Find the path anew. */
    void Reroute();

    /** \return the queues on the stream's path; empty when there is no path */
    const FluidPath& GetPath() const
    {
        return m_route.path;
    }

    /**
     * Set the stream's rate.
     * \param bytesPerStep bytes of payload per time step
     */
    void SetRate(double bytesPerStep);
    /**
     * Let the stream's bytes move slower or faster than at its rate, while it keeps its share of
     * the network. A sampled run uses it to give fluids the speed of packets (doc/full-size.md).
     *
     * \param pace time per byte divided by that at the stream's rate; more than 0, at first 1
     */
    void SetPace(double pace);
    /** Advance the stream to now at its rate; messages that have left are in transit then. */
    void Advance();

    /** \return time step at which the next message will have left, or FluidAgenda::NEVER */
    int64_t GetDue() const
    {
        return m_due;
    }

    /** The engine's record of a stream that has something to send, or had at this instant. */
    struct Entry
    {
        static constexpr uint32_t NONE = UINT32_MAX;

        uint32_t key{NONE};    //!< index in FluidEngine::m_backlogged; NONE: not there
        uint32_t sharing{0};   //!< index of the sharing that computes its rate
        uint32_t rate{NONE};   //!< its number in that FluidAllocator; NONE: it has no path
        uint64_t order{0};     //!< its place in the order in which streams became backlogged
        bool isChanged{false}; //!< whether it is in FluidEngine::m_changed
        bool isMoved{false};   //!< whether the allocator does not know its present path yet
    };

    /** \return the engine's record, which only the engine reads and writes */
    Entry& GetEntry()
    {
        return m_entry;
    }

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    bool DoSetPath(uint32_t flowLabel) override;
    void DoPrepareClose() override;
    void DoClose() override;
    uint64_t DoCountUntold() const override;

    /** \return time from the departure of a message's last byte to its arrival. \param bytes the
     * message's length */
    Time GetLatency(uint64_t bytes) const;
    /** Apply a change of the rate or the pace. */
    void ApplyRate();
    /** Put the first message, which has left, in transit. */
    void Depart();
    /** Recompute when the next message will have left. */
    void UpdateDue();
    void ScheduleArrival();
    void Arrive();

    /** A message that has not been delivered yet. */
    struct Message
    {
        uint64_t end;   //!< bytes of the stream up to the message's last one
        uint64_t bytes; //!< length of the message
        MessageTag tag; //!< contents of the message
        Time arrival;   //!< arrival of its last byte, set when it has left
    };

    std::shared_ptr<FluidEngine> m_engine;
    FlowKey m_flow;
    FluidRoute m_route;
    FluidProgress m_progress;
    uint64_t m_goal{0}; //!< bytes given to Send
    uint64_t m_told{0}; //!< bytes that have been delivered over m_crossing
    double m_rate{0};   //!< rate given by the engine, bytes of payload per time step
    double m_pace{1};
    int64_t m_due{FluidProgress::NEVER};
    FluidFifo<Message> m_waiting;  //!< messages that have not left yet
    FluidFifo<Message> m_underWay; //!< messages that have left but not arrived
    EventId m_arrival;             //!< arrival of the first message in m_underWay
    Entry m_entry;
    StreamCrossing m_crossing;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_STREAM_H
