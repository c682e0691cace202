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
 * starts, ends, gets another mark or another route: once for all changes of one instant.
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
    /** The values of FluidTransport's attributes. */
    struct Options
    {
        FluidWrapping wrapping;
        Time delay;                   //!< time added to each delivery
        bool storesAndForwards{true}; //!< whether a packet's time on later wires is added
        double contentionCost{0};     //!< cost of sharing a port, see FluidContention
        bool hasRdmaPaths{false};     //!< whether equal-cost paths are those of rdma, else of tcp
        bool isolatesJobs{false};     //!< whether each job has all ports for itself
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

    /** Called when a stream that had nothing to send has something. */
    void NotifyBacklogged(Ptr<FluidStream> stream);
    /** Called when a stream that has something to send takes other queues. */
    void NotifyRoute(Ptr<FluidStream> stream);
    /** Called when a stream has nothing to send any more. */
    void NotifyChange(Ptr<FluidStream> stream);
    /** Called when the next message of a stream leaves at another time. */
    void NotifyDue(FluidStream& stream);
    /** Release all streams and cancel all events. */
    void Stop();

    /** \return traffic of a queue so far. Advances all streams, once per instant */
    QueueTraffic GetTraffic(Ptr<Port> port, uint32_t queue);

    /** \return number of rates computed, over all recomputations */
    uint64_t GetComputed() const;

    /** \return number of recomputations of rates */
    uint64_t GetRecomputations() const
    {
        return m_recomputations;
    }

    /** \return number of rates computed that are a compromise (doc/fluid.md) */
    uint64_t GetCompromises() const;

  private:
    /** Streams that share ports: all of them, or with Options::isolatesJobs those of one job. */
    struct Sharing
    {
        explicit Sharing(FluidAllocator allocator);

        FluidAllocator allocator;
        std::vector<FluidStream*> flowing; //!< its streams, by FluidAllocator::Stream
        JobId job;
        std::size_t streams{0};
        bool isChanged{false}; //!< whether it is in m_changedSharings
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
    std::map<JobId, uint32_t> m_sharingOf;   //!< index in m_sharings of each job that sends
    std::vector<uint32_t> m_freeSharings;    //!< indices of those without streams
    std::vector<uint32_t> m_changedSharings; //!< scratch of Recompute: indices
    std::vector<Ptr<Link>> m_links;
    std::vector<Ptr<FluidStream>> m_backlogged; //!< streams with bytes to send, by Entry::key
    std::vector<uint32_t> m_freeKeys;           //!< indices of the null entries of m_backlogged
    std::vector<Ptr<FluidStream>> m_changed;    //!< streams changed since the last Recompute
    FluidAgenda m_agenda;                       //!< when each stream's next message leaves, by key
    std::vector<Ptr<FluidStream>> m_leaving; //!< scratch of ServeDue: streams whose messages leave
    uint64_t m_order{0};                     //!< number of times that a stream became backlogged
    EventId m_change;                        //!< pending Recompute, at this instant
    EventId m_due;                           //!< pending ServeDue, when the next message has left
    bool m_linksChanged{false};
    bool m_isStopped{false};
    uint64_t m_recomputations{0};
    Time m_advanced{-1}; //!< time to which GetTraffic has advanced all streams
};

} // namespace ns3::ddl

#endif // DDL_FLUID_ENGINE_H
