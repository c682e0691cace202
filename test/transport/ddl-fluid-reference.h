// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_REFERENCE_H
#define DDL_FLUID_REFERENCE_H

#include "ns3/ddl-fluid-allocator.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::ddl
{

// Rates of fluids from nothing but the paths of all streams: slow, without memory of the state
// before, and so what FluidAllocator is compared with.

/** The paths of fluid streams that always have bytes to send. */
using FluidPaths = std::vector<const FluidPath*>;

/**
 * The rate that each stream could get if all others kept theirs: the map F of doc/fluid.md.
 *
 * A port's offer to a stream is the rate at which it would serve the stream if that asked for all
 * of the port and each other stream for its own rate: queues are served by level and weight,
 * streams of one queue by max-min. F of a stream is the least offer on its path. F is continuous
 * and no component grows when a rate grows.
 */
class ReferenceOffers
{
  public:
    /**
     * \param ports all ports
     * \param paths one a stream, at least one hop each; ports and paths outlive this object
     */
    ReferenceOffers(const std::vector<FluidPort>& ports, const FluidPaths& paths);

    /** \param rates by stream \return F(rates) by stream. O(hops x log of streams in a queue) */
    std::vector<double> Compute(const std::vector<double>& rates);

  private:
    using PerQueue = std::vector<double>;

    /** The streams that pass one port. */
    struct Users
    {
        uint32_t port{0};
        std::vector<std::vector<uint32_t>> streams; //!< by queue
    };

    void OfferAtPort(Users& users, const std::vector<double>& rates);
    /** \return what a queue of a port would get, would it want everything */
    static double ShareOfQueue(uint32_t queue, const FluidPort& port, const PerQueue& wanted);
    /** \param streams of one queue \param room for all of them */
    void OfferInQueue(std::vector<uint32_t>& streams,
                      double room,
                      const std::vector<double>& rates);

    const std::vector<FluidPort>& m_ports;
    const std::size_t m_count; //!< of streams
    std::vector<Users> m_users;
    std::vector<double> m_offers; //!< the least so far, by stream
};

/** What ReferenceAllocator knows of one port: the streams of each of its queues, and what they get.
 */
class ReferenceGroups
{
  public:
    /** The streams of one queue: `size` of ReferenceAllocator's members, from `first` on. */
    struct Group
    {
        uint32_t first{0};
        uint32_t size{0};
        uint32_t unsettled{0};
        double held{0};   //!< rates of those settled
        double share{-1}; //!< of each unsettled one; below 0 when others go first
    };

    /** \param port stays the caller's, and outlives this */
    explicit ReferenceGroups(const FluidPort& port);

    /** Forget all streams. O(queues in use). */
    void Clear();

    /** \return the streams of a queue, which is in use from now on */
    Group& Use(uint32_t queue)
    {
        m_used |= QueueBit(queue);
        return m_groups[queue];
    }

    /** \return the streams of a queue */
    Group& Get(uint32_t queue)
    {
        return m_groups[queue];
    }

    /** \return the streams of a queue */
    const Group& Get(uint32_t queue) const
    {
        return m_groups[queue];
    }

    /** \return queues that some stream passes */
    QueueMask GetUsed() const
    {
        return m_used;
    }

    /** Find the first level with unsettled streams, and what it gives. O(queues in use). */
    void Refresh();

    /** \return the least share of all groups that have one; infinity when none has */
    double GetLeastShare() const;

  private:
    uint32_t FindFirstLevel() const;

    const FluidPort* m_port;
    std::vector<Group> m_groups; //!< by queue
    QueueMask m_used{0};
};

/**
 * Computes the rates of fluid streams that share ports. Each stream has a bottleneck: a port that
 * is full, and at which no stream without a better claim (an earlier level or a larger weight) has
 * a higher rate (doc/fluid.md gives the definition, existence and uniqueness).
 *
 * Water-filling from port to port: a port settles its first level when all streams there are first
 * at each of their hops and get no less there. Settled rates are final. Where ports wait for each
 * other (streams that precede each other in turn, or a coarser NIC before finer switches), the rest
 * is left to IterateReference.
 *
 * Invariant: rates are feasible, to 1e-9 of a port's capacity.
 */
class ReferenceAllocator
{
  public:
    /** \param ports by index; capacities not negative, weights above 0 */
    explicit ReferenceAllocator(std::vector<FluidPort> ports);
    ReferenceAllocator(const ReferenceAllocator&) = delete;
    ReferenceAllocator& operator=(const ReferenceAllocator&) = delete;
    ReferenceAllocator(ReferenceAllocator&&) = default;
    ReferenceAllocator& operator=(ReferenceAllocator&&) = default;

    /** Let a port carry another amount, not negative, from the next call of Allocate on. */
    void SetCapacity(uint32_t port, double capacity)
    {
        m_specs[port].capacity = capacity;
    }

    /**
     * \param paths of all streams that have something to send, at least one hop each
     * \return their rates, in the unit of the capacities; valid until the next call
     */
    const std::vector<double>& Allocate(const FluidPaths& paths);

    /** \return streams that went to IterateReference so far, over all calls */
    uint64_t GetIterated() const
    {
        return m_iterated;
    }

    /** \return those of them whose rates are a compromise: no stable rates were found */
    uint64_t GetCompromises() const
    {
        return m_compromises;
    }

  private:
    using Group = ReferenceGroups::Group;

    struct Port
    {
        explicit Port(const FluidPort& spec)
            : groups(spec)
        {
        }

        ReferenceGroups groups;
        std::vector<uint32_t> waiters; //!< ports to look at when this one changes
        bool isQueued{false};          //!< in m_candidates
        bool isTouched{false};         //!< in m_touched
    };

    static bool IsLater(const std::pair<double, uint32_t>& a, const std::pair<double, uint32_t>& b);

    void Clear(std::size_t streams);
    void Collect(const FluidPaths& paths);
    void FillGroups(const FluidPaths& paths);
    void Offer(uint32_t port);
    void Examine(uint32_t port);
    /** \return the port that keeps this one from settling its first level, or itself if none does
     */
    uint32_t FindObstacle(uint32_t port) const;
    /** \return a port where the stream has less than a share; `port` when it is settled or has not
     */
    uint32_t FindTighter(uint32_t stream, double share, uint32_t port) const;
    void SettlePort(uint32_t port);
    void SettleGroup(Group& group, double rate);
    void Settle(uint32_t stream, double rate);
    void Spread();
    void Iterate();

    std::vector<FluidPort> m_specs;
    std::vector<Port> m_ports;
    std::vector<uint32_t> m_used; //!< ports that some stream passes
    std::vector<uint32_t> m_members;
    const FluidPaths* m_paths{nullptr};
    std::vector<double> m_rates;
    std::vector<char> m_settled;
    std::vector<uint32_t> m_touched;                       //!< ports that changed
    std::vector<std::pair<double, uint32_t>> m_candidates; //!< a heap, the least share first
    std::size_t m_left{0};                                 //!< unsettled streams
    uint64_t m_iterated{0};
    uint64_t m_compromises{0};
};

} // namespace ns3::ddl

#endif // DDL_FLUID_REFERENCE_H
