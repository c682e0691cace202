// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_ITERATION_H
#define DDL_FLUID_ITERATION_H

#include "ddl-fluid-fifo.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Streams whose rates depend on each other in a cycle, called seekers, with all streams that share
 * ports with them. Filled port by port, queue by queue; lists are flat for speed.
 */
struct StuckFluids
{
    /** A port that some seeker passes. */
    struct Port
    {
        double capacity{0};
        uint32_t firstQueue{0}; //!< index of its first queue in `queues`
    };

    /** A queue of a port. A port's queues are in the order of their levels. */
    struct Queue
    {
        uint32_t level{0};        //!< level of the queue; lower levels go first
        uint32_t weight{1};       //!< weight of the queue within its level
        uint32_t firstSettled{0}; //!< index of its first entry in `settled`
        uint32_t firstSeeker{0};  //!< index of its first entry in `seekers`
    };

    /** Remove all ports and streams. */
    void Clear();

    /** Add the end markers to ports and queues; call it when all lists are filled. */
    void Finish();

    static constexpr double NEW = -1; //!< value in `before` of a new stream

    std::vector<double> before;    //!< previous rate of each seeker, by its number
    std::vector<Port> ports;       //!< all ports; after Finish also one that marks the end
    std::vector<Queue> queues;     //!< all queues; after Finish also one that marks the end
    std::vector<double> settled;   //!< known rates, or sums of them; ascending in a queue
    std::vector<uint32_t> seekers; //!< numbers of the seekers, in any order in a queue
};

/**
 * Offers of ports to seekers, computed in two ways: by the map F, and port by port.
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
    /** \param fluids the streams and ports, owned by the caller; outlive this */
    explicit FluidImage(const StuckFluids& fluids);

    /**
     * Only ports at which a rate differs from the last call are computed anew.
     *
     * \param rates rate of each seeker, by its number
     * \return F(rates) of each seeker, valid until the next call
     */
    const std::vector<double>& Of(const std::vector<double>& rates);

    /**
     * Serve one port after another, where each stream asks for the least that its other ports
     * offer, until no offer changes. Earlier levels go first, as later ones depend on them and
     * seldom the other way. At first, ports offer streams their previous rates, and new ones half
     * the capacity, so that two new streams that each precede the other at one port get a half
     * each.
     *
     * \param tolerance change of an offer that is ignored, in the unit of the capacities
     * \param most bound on the number of times that a port is served, on average
     * \param rates rate of each seeker, by its number; set to the answer
     * \return whether no offer changes any more; otherwise the bound was reached
     */
    bool Relax(double tolerance, uint32_t most, std::vector<double>& rates);

  private:
    /** A seeker at a queue, or the rate of a settled stream there. */
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
    // A place, by which some of these vectors are indexed, is an index into StuckFluids::seekers.
    std::vector<uint32_t> m_firstHop;    //!< index of each seeker's first place in m_hops
    std::vector<uint32_t> m_hops;        //!< places of the seekers, seeker by seeker
    std::vector<uint32_t> m_portOf;      //!< port of each place
    std::vector<uint32_t> m_levelOf;     //!< level of each place's queue
    std::vector<uint32_t> m_firstMember; //!< index of each queue's first member in m_members
    std::vector<Member> m_members;       //!< members of all queues; in a queue ascending by rate
    std::vector<double> m_settled;       //!< sum of the known rates, by queue
    std::vector<double> m_wanted;        //!< sum of all rates, by queue
    std::vector<double> m_offers;        //!< offer to the seeker at each place
    std::vector<double> m_rates;         //!< argument of the last call of Of
    std::vector<double> m_image;         //!< answer of the last call of Of
    std::vector<uint32_t> m_ports;       //!< ports to be computed anew
    std::vector<char> m_isStale;         //!< whether each port is in m_ports
    std::vector<uint32_t> m_order;       //!< scratch: queues of a level, by their demand per weight
    std::vector<double> m_sums;          //!< scratch: sums of the first k rates of a queue
    std::vector<double> m_taken;         //!< in Relax: what each queue's streams take, by queue
    std::vector<uint32_t> m_staleLevel;  //!< in Relax: first level to be served, by port
    std::vector<FluidFifo<uint32_t>> m_waiting; //!< in Relax: ports to serve from a level, by level
    uint32_t m_leastStale{0};                   //!< in Relax: earliest level that a port waits for
    double m_tolerance{0};                      //!< the tolerance of Relax
};

/** The answer of SettleFluids. */
struct SettledFluids
{
    std::vector<double> rates; //!< feasible rate of each seeker, by its number
    bool isStable{true};       //!< whether each stream has a bottleneck, to the tolerance
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
 * \param fluids the seekers, and the ports that they pass
 * \param scale the largest capacity of a port
 */
SettledFluids SettleFluids(const StuckFluids& fluids, double scale);

} // namespace ns3::ddl

#endif // DDL_FLUID_ITERATION_H
