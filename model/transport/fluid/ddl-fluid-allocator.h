// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_ALLOCATOR_H
#define DDL_FLUID_ALLOCATOR_H

#include "ddl-fluid-contention.h"
#include "ddl-fluid-iteration.h"

#include "ns3/ddl-queue-scheduler.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::ddl
{

// Fluids are streams without packets, which take as much of every port on their path as they can
// get. This file computes their rates.

/** An egress port in the fluid model. */
struct FluidPort
{
    double capacity{0}; //!< capacity for payload, in any unit of rate, not negative
    QueueShares shares; //!< levels and weights of its queues
};

/** A queue on the path of a fluid stream. */
struct FluidHop
{
    uint32_t port{0};  //!< index of the port
    uint32_t queue{0}; //!< number of the port's queue
    double part{1};    //!< part of the stream that takes this port, above 0, at most 1
};

/** The queues that a fluid passes, in order; a port at most once. */
using FluidPath = std::vector<FluidHop>;

/**
 * Computes the rates of fluid streams that share ports, while streams come, go and change their
 * paths. Each stream has a bottleneck: a port that is full, and at which no stream of the same or a
 * later level has a higher rate per weight (definition, existence and uniqueness: doc/fluid.md). If
 * there is one answer, it does not depend on earlier rates; if there are several, earlier rates
 * select one.
 *
 * A stream may take a port with a part of itself (FluidHop::part): the port carries that part of
 * its rate. Streams share by their whole rates.
 *
 * Update recomputes only the streams that a change may affect: at the ports concerned, the streams
 * of the changed level and of later ones; at all other ports of these streams, again the streams of
 * their level and of later ones; and so on. All others keep their rates.
 *
 * Among these, progressive filling goes from port to port. A port settles its first level when at
 * all their other hops its streams are in the first level, too, and get no less there. Settled
 * rates are final. Where ports wait for each other in a cycle (two streams of which each has
 * priority over the other at one port, or a NIC with fewer bands than switches have queues),
 * SettleFluids computes the rest, each connected part by itself.
 *
 * Invariant: after Update, rates are feasible, to 1e-9 of a port's capacity.
 */
class FluidAllocator
{
  public:
    /** Identifies a stream from Add to Remove; the least free number is given next. */
    using Stream = uint32_t;

    /**
     * \param ports the ports by index; capacities not negative, weights above 0
     * \param contention loss of capacity by sharing
     */
    explicit FluidAllocator(const std::vector<FluidPort>& ports, FluidContention contention = {});
    FluidAllocator(const FluidAllocator&) = delete;
    FluidAllocator& operator=(const FluidAllocator&) = delete;
    FluidAllocator(FluidAllocator&&) = default;
    FluidAllocator& operator=(FluidAllocator&&) = default;

    /**
     * Add a stream that has something to send. Its rate is 0 until Update.
     * \param path the queues on its path, at least one
     */
    Stream Add(const FluidPath& path);

    /** Change the path of a stream, to at least one hop. Its rate stays until Update. */
    void Move(Stream stream, const FluidPath& path);

    /** Remove a stream that has nothing to send any more. */
    void Remove(Stream stream);

    /** Change the capacity of a port (not negative) from the next Update on. */
    void SetCapacity(uint32_t port, double capacity);

    /**
     * Recompute rates after all changes since the last call. O(h log p) without cycles, for h hops
     * of the recomputed streams and their p ports.
     *
     * \return streams whose rate has changed, each once; valid until the next call
     */
    const std::vector<Stream>& Update();

    /** \return the rate of an added stream, in the unit of the capacities */
    double GetRate(Stream stream) const
    {
        return m_streams[stream].rate;
    }

    /** \return number of recomputed rates so far, over all calls of Update */
    uint64_t GetComputed() const
    {
        return m_computed;
    }

    /** \return number of recomputed rates so far that SettleFluids computed */
    uint64_t GetIterated() const
    {
        return m_iterated;
    }

    /**
     * \return number of recomputed rates so far that are no stable rates, but were scaled down to
     *         fit
     */
    uint64_t GetCompromises() const
    {
        return m_compromises;
    }

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /** A queue on a path, and the stream's place in it. */
    struct Hop
    {
        uint32_t port{0};
        uint32_t group{0}; //!< index into m_groups
        uint32_t slot{0};  //!< index into Group::members
        double part{1};    //!< FluidHop::part
    };

    struct Entry
    {
        std::vector<Hop> hops;
        double rate{0};
        bool isNew{false};      //!< whether it was added since the last Update
        bool isAnew{false};     //!< whether its rate is computed in this Update
        bool isSettled{false};  //!< whether its rate is final in this Update
        bool isIterated{false}; //!< whether its rate comes from SettleFluids
    };

    struct Member
    {
        Stream stream{0};
        uint32_t hop{0}; //!< index into Entry::hops
    };

    /** The streams of one queue. */
    struct Group
    {
        uint32_t level{0};
        uint32_t weight{1};
        uint32_t unsettled{0};
        uint32_t split{0}; //!< number of streams with other parts than 1
        double load{0};    //!< sum of the unsettled streams' parts
        double held{0};    //!< sum of the settled streams' rates times parts; between calls: of all
        double share{-1};  //!< rate of each unsettled stream; below 0: other levels go first
        std::vector<Member> members;
    };

    struct Port
    {
        double full{0};                //!< capacity with one stream
        double capacity{0};            //!< capacity after the loss by sharing
        uint32_t first{0};             //!< index of its queue 0 in m_groups
        QueueMask used{0};             //!< queues that some stream passes
        uint32_t dirty{NONE};          //!< first level whose streams are computed anew, or NONE
        uint32_t collected{NONE};      //!< first level whose streams have been collected, or NONE
        double room{0};                //!< capacity for the streams that are computed anew
        std::vector<uint32_t> waiters; //!< ports to examine when this one changes
        uint32_t checkedQueue{0};      //!< in FindObstacle, queues before this one have none
        uint32_t checkedMember{0};     //!< members of that queue before this one have none
        bool isCollecting{false};      //!< whether it is in m_work
        bool isInPart{false};          //!< whether it is in m_partPorts
        bool isQueued{false};          //!< whether it is in m_candidates
        bool isTouched{false};         //!< whether it is in m_touched
        bool isStale{false};           //!< whether its shares are to be recomputed
    };

    static bool IsLater(const std::pair<double, uint32_t>& a, const std::pair<double, uint32_t>& b);

    void Link(Stream stream, const FluidPath& path);
    void Unlink(Stream stream);
    void MarkDirty(uint32_t port, uint32_t level);
    void ApplyContention();
    void Collect();
    void Take(Stream stream);
    void Prepare();
    void Fill();
    void Refresh(Port& port);
    double GetLeastShare(uint32_t port);
    void Offer(uint32_t port);
    void Examine(uint32_t port);
    /** \return the port that keeps a port from settling its first level; the port itself if none */
    uint32_t FindObstacle(uint32_t port);
    /** \return a port where the stream has less than \p share; \p port if it is settled or there is
     * none */
    uint32_t FindTighter(Stream stream, double share, uint32_t port);
    void SettlePort(uint32_t port);
    void Settle(Stream stream, double rate);
    void Spread();
    void Iterate();
    void IteratePart(Stream first);
    bool HasSplit() const;
    void SettleRoughly();
    void FindPart(Stream first);
    void AddStuckPort(const Port& port);
    void Publish();

    template <typename F>
    void ForEachGroup(Port& port, F what)
    {
        for (QueueMask rest = port.used; rest != 0; rest &= rest - 1)
        {
            what(m_groups[port.first + QueueScheduler::First(rest)]);
        }
    }

    FluidContention m_contention;
    std::vector<Port> m_ports;
    std::vector<Group> m_groups; //!< streams of each queue, by port and queue
    std::vector<Entry> m_streams;
    std::vector<Stream> m_free;      //!< free stream numbers, a heap with the least first
    std::vector<uint32_t> m_dirty;   //!< ports where rates are computed anew
    std::vector<uint32_t> m_work;    //!< ports whose streams are still to be collected
    std::vector<Stream> m_anew;      //!< streams that are computed anew
    std::vector<double> m_rates;     //!< scratch: new rate of each stream, by number
    std::vector<Stream> m_changed;   //!< streams whose rate changed, the answer of Update
    std::vector<uint32_t> m_touched; //!< ports at which something was settled
    std::vector<std::pair<double, uint32_t>> m_candidates; //!< a heap of shares and ports
    std::vector<Stream> m_part;          //!< in Iterate: the connected streams to settle
    std::vector<uint32_t> m_partPorts;   //!< ports that the streams of m_part pass
    std::vector<uint32_t> m_stuckGroups; //!< scratch of AddStuckPort
    StuckFluids m_stuck;
    std::size_t m_left{0};        //!< number of unsettled streams
    std::size_t m_iteratedNow{0}; //!< number of streams with isIterated
    double m_scale{0};            //!< largest capacity of a port
    uint64_t m_computed{0};
    uint64_t m_iterated{0};
    uint64_t m_compromises{0};
};

} // namespace ns3::ddl

#endif // DDL_FLUID_ALLOCATOR_H
