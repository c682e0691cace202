// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_ENGINE_H
#define DDL_FLUID_ENGINE_H

#include "ddl-fluid-agenda.h"
#include "ddl-fluid-allocator.h"
#include "ddl-fluid-network.h"

#include "ns3/ddl-ids.h"
#include "ns3/ddl-link.h"
#include "ns3/event-id.h"

#include <deque>
#include <map>
#include <vector>

namespace ns3::ddl
{

class FluidStream;

/**
 * Computes the rates of all fluid streams of a fabric, and recomputes them whenever a stream
 * starts, ends, is remarked or is rerouted: once for all changes of one instant.
 *
 * The cost of an event depends on the streams whose rates it changes. All streams are visited only
 * when a link changes, or when the traffic of a port is read.
 *
 * Invariants: between instants the rates are those of FluidAllocator for the streams that have
 * bytes to send; one event is pending for the next message that leaves, if there is one.
 */
class FluidEngine
{
  public:
    /** What FluidTransport's attributes say. */
    struct Options
    {
        FluidWrapping wrapping;
        Time delay;                   //!< added to each delivery
        bool storesAndForwards{true}; //!< whether a packet's time on later wires is added
        double contentionCost{0};     //!< see FluidContention
        bool hasRdmaPaths{false};     //!< among equal ones; else those of tcp
        bool isolatesJobs{false};     //!< each has all ports for itself
    };

    /** \throws InputError when the fabric has a queue service without shares */
    FluidEngine(Ptr<Fabric> fabric, Options options);
    ~FluidEngine();
    FluidEngine(const FluidEngine&) = delete;
    FluidEngine& operator=(const FluidEngine&) = delete;

    FluidNetwork& GetNetwork()
    {
        return m_network;
    }

    const Options& GetOptions() const
    {
        return m_options;
    }

    /** A stream that had nothing to send has something. */
    void NotifyBacklogged(Ptr<FluidStream> stream);
    /** A stream that has something to send takes other queues. */
    void NotifyRoute(Ptr<FluidStream> stream);
    /** A stream has nothing to send any more. */
    void NotifyChange(Ptr<FluidStream> stream);
    /** The next message of a stream leaves at another time. */
    void NotifyDue(FluidStream& stream);
    /** Let go of all streams. Nothing more happens. */
    void Stop();

    /** \return traffic of a queue so far. All streams are advanced once per instant */
    QueueTraffic GetTraffic(Ptr<Port> port, uint32_t queue);

    /** \return streams whose rates were computed, over all recomputations */
    uint64_t GetComputed() const;

    /** \return how often rates were computed */
    uint64_t GetRecomputations() const
    {
        return m_recomputations;
    }

    /** \return streams, over all recomputations, whose rates are a compromise (doc/fluid.md) */
    uint64_t GetCompromises() const;

  private:
    /** Streams that share ports: all of them, or with Options::isolatesJobs those of one job. */
    struct Sharing
    {
        explicit Sharing(FluidAllocator allocator);

        FluidAllocator allocator;
        std::vector<FluidStream*> flowing; //!< by FluidAllocator::Stream
        JobId job;
        std::size_t streams{0};
        bool isChanged{false}; //!< in m_changedSharings
    };

    void NotifyLinkChange(bool up);
    void Note(Ptr<FluidStream> stream);
    void Recompute();
    uint32_t FindSharing(const FluidStream& stream);
    void NoteSharing(uint32_t sharing);
    void UpdateSharing(uint32_t sharing);
    void Follow(FluidStream& stream);
    void Forget(FluidStream& stream);
    void ServeDue();
    void AdvanceDue();
    void ScheduleDue();

    Options m_options;
    FluidNetwork m_network;
    std::deque<Sharing> m_sharings;
    std::map<JobId, uint32_t> m_sharingOf;   //!< of jobs that send
    std::vector<uint32_t> m_freeSharings;    //!< without streams
    std::vector<uint32_t> m_changedSharings; //!< scratch of Recompute
    std::vector<Ptr<Link>> m_links;
    std::vector<Ptr<FluidStream>> m_backlogged; //!< by FluidStream::Entry::key
    std::vector<uint32_t> m_freeKeys;           //!< of m_backlogged: null there
    std::vector<Ptr<FluidStream>> m_changed;    //!< since the last Recompute
    FluidAgenda m_agenda;                       //!< when messages have left, by key
    std::vector<Ptr<FluidStream>> m_leaving;    //!< scratch of ServeDue
    uint64_t m_order{0};                        //!< streams that became backlogged so far
    EventId m_change;                           //!< Recompute, at this instant
    EventId m_due;                              //!< ServeDue, when the next message has left
    bool m_linksChanged{false};
    bool m_isStopped{false};
    uint64_t m_recomputations{0};
    Time m_advanced{-1}; //!< to which GetTraffic has brought all streams
};

} // namespace ns3::ddl

#endif // DDL_FLUID_ENGINE_H
