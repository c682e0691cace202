// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_ITERATION_H
#define DDL_FLUID_ITERATION_H

#include "ddl-fluid-fifo.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Streams whose rates depend on each other in a circle, with all streams that share ports with
 * them. Filled port by port, queue by queue; lists are flat for speed.
 */
struct StuckFluids
{
    /** A port that some stream whose rate is sought passes. */
    struct Port
    {
        double capacity{0};
        uint32_t firstQueue{0}; //!< its queues go from here to those of the next port
    };

    /** A queue of a port. Those of a port are in the order of their levels. */
    struct Queue
    {
        uint32_t level{0};  //!< lower ones go first
        uint32_t weight{1}; //!< within the level
        uint32_t firstSettled{
            0};                  //!< its part of `settled` goes from here to that of the next queue
        uint32_t firstSeeker{0}; //!< likewise, of `seekers`
    };

    /** Forget all. */
    void Clear();

    /** \param ports, queues, settled and seekers are complete. Needed before they are read. */
    void Finish();

    static constexpr double NEW = -1; //!< in `before`: was not there

    std::vector<double> before;    //!< rates that were, by stream whose rate is sought
    std::vector<Port> ports;       //!< after Finish, one more: the end of the last one
    std::vector<Queue> queues;     //!< likewise
    std::vector<double> settled;   //!< rates that are known, or sums of them; ascending in a queue
    std::vector<uint32_t> seekers; //!< streams whose rates are sought, in any order in a queue
};

/**
 * Offers of ports to streams whose rates are sought, computed in two ways: by the map F, and port
 * by port.
 *
 * A port's offer to a stream is the rate at which it would serve the stream if that asked for all
 * of the port and each other stream for its own rate: queues are served by level and weight,
 * streams of one queue by max-min. F of a stream is the least offer on its path, that is the rate
 * that it could get if all others kept theirs (doc/fluid.md). F is continuous, and no component
 * grows when a rate grows.
 */
class FluidImage
{
  public:
    /** \param fluids stay the caller's, and outlive this */
    explicit FluidImage(const StuckFluids& fluids);

    /**
     * Only ports at which a rate differs from the last call are computed anew.
     *
     * \param rates by stream
     * \return F(rates) by stream, valid until the next call
     */
    const std::vector<double>& Of(const std::vector<double>& rates);

    /**
     * Serve one port after another, where each stream asks for the least that its other ports
     * offer, until no offer changes. Earlier levels go first, as later ones depend on them and
     * seldom the other way. Ports begin by offering streams the rates that they had, and new ones
     * half the capacity, so that of two new ones that precede each other in turn each gets a half.
     *
     * \param tolerance changes of less are no changes
     * \param most how often a port is served on average, at most
     * \param rates by stream, set to the answer
     * \return whether no offer changes any more; otherwise the bound on the services was met
     */
    bool Relax(double tolerance, uint32_t most, std::vector<double>& rates);

  private:
    /** A stream at a queue, or the rate of a settled one there. */
    struct Member
    {
        double rate{0};
        uint32_t place{0}; //!< index into StuckFluids::seekers, or SETTLED
    };

    static constexpr uint32_t SETTLED = UINT32_MAX;
    static constexpr uint32_t NOT_STALE = UINT32_MAX;

    void OfferAtPort(uint32_t port);
    void OfferAtLevel(uint32_t first, uint32_t end, double room);
    double ShareOfGreedy(uint32_t greedy, uint32_t first, uint32_t end, double room);
    void OfferInQueue(uint32_t queue, double room);
    void Sort(uint32_t queue);
    void MarkStale(uint32_t port);
    double AskElsewhere(uint32_t place) const;
    void MarkLevelStale(uint32_t port, uint32_t level);
    void ServePort(uint32_t port, uint32_t from);
    double ServeLevel(uint32_t first, uint32_t end, double room);
    double ServeQueue(uint32_t queue, double room);
    void Offer(uint32_t place, double offer);

    const StuckFluids& m_fluids;
    std::vector<uint32_t> m_firstHop;    //!< by stream: its part of m_hops
    std::vector<uint32_t> m_hops;        //!< indices into StuckFluids::seekers
    std::vector<uint32_t> m_portOf;      //!< by index into StuckFluids::seekers
    std::vector<uint32_t> m_levelOf;     //!< likewise: of the queue
    std::vector<uint32_t> m_firstMember; //!< by queue: its part of m_members
    std::vector<Member> m_members;       //!< of a queue in the order of their rates
    std::vector<double> m_settled;       //!< by queue: sum of the rates that are known
    std::vector<double> m_wanted;        //!< by queue: sum of all rates
    std::vector<double> m_offers;        //!< by index into StuckFluids::seekers
    std::vector<double> m_rates;         //!< of the last call
    std::vector<double> m_image;
    std::vector<uint32_t> m_ports; //!< to be computed anew
    std::vector<char> m_isStale;   //!< by port: in m_ports
    std::vector<uint32_t>
        m_order;                 //!< scratch: queues of a level, by what they want for their weight
    std::vector<double> m_sums;  //!< scratch: of the first members of a queue
    std::vector<double> m_taken; //!< in Relax, by queue: what its streams take
    std::vector<uint32_t> m_staleLevel;         //!< in Relax, by port: first level to be served
    std::vector<FluidFifo<uint32_t>> m_waiting; //!< in Relax, by level: ports to be served from it
    uint32_t m_leastStale{0};                   //!< in Relax: no port waits for an earlier level
    double m_tolerance{0};                      //!< of Relax
};

/** What SettleFluids found. */
struct SettledFluids
{
    std::vector<double> rates; //!< by stream; feasible
    bool isStable{true};       //!< each stream has a bottleneck, to the tolerance
};

/**
 * Compute rates by iteration where FluidAllocator cannot settle port by port. Ports are served in
 * turn until nothing changes, beginning with the previous rates; nearly always ten services per
 * port suffice. If that takes too many, rates start from the middle of F(0) and F(F(0)), which
 * bound every fixed point as F is antitone, and move half-way to their image until they stay. If
 * even that finds no fixed point within a bound of steps, rates are scaled down until they fit, and
 * reported as not stable.
 *
 * Where there is more than one answer, the previous rates select it.
 *
 * \param fluids whose rates are sought
 * \param scale the largest capacity
 */
SettledFluids SettleFluids(const StuckFluids& fluids, double scale);

} // namespace ns3::ddl

#endif // DDL_FLUID_ITERATION_H
