// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_ALLOCATOR_H
#define DDL_FLUID_ALLOCATOR_H

#include "ddl-fluid-groups.h"

#include <utility>

namespace ns3
{
namespace ddl
{

/**
 * Rates of fluids that share ports: each has a bottleneck, a port that is full and at which nobody
 * has more who has no better claim (doc/fluid.md gives the definition, existence and uniqueness).
 *
 * Water-filling from port to port: a port settles its first level when all streams there are first
 * at each of their hops and get no less there. Settled rates are final. Where ports wait for each
 * other (streams that precede each other in turn, or a coarser NIC before finer switches), the rest
 * is left to SettleFluids.
 *
 * Invariant: rates are feasible, to 1e-9 of a port's capacity.
 */
class FluidAllocator
{
  public:
    /** \param ports by index; capacities not negative, weights above 0 */
    explicit FluidAllocator(std::vector<FluidPort> ports);
    FluidAllocator(const FluidAllocator&) = delete;
    FluidAllocator& operator=(const FluidAllocator&) = delete;
    FluidAllocator(FluidAllocator&&) = default;
    FluidAllocator& operator=(FluidAllocator&&) = default;

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

    /** \return streams that went to SettleFluids so far, over all calls */
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
    using Group = FluidGroups::Group;

    struct Port
    {
        explicit Port(const FluidPort& spec)
            : groups(spec)
        {
        }

        FluidGroups groups;
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

} // namespace ddl
} // namespace ns3

#endif // DDL_FLUID_ALLOCATOR_H
