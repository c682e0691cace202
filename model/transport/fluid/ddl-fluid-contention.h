// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_CONTENTION_H
#define DDL_FLUID_CONTENTION_H

#include "ddl-fluid-allocator.h"

namespace ns3::ddl
{

/**
 * What a port loses when several fluids share it: k of them move k / (k + (k - 1) cost) of its
 * capacity, which is T = k b M + (k - 1) eta M of Ada-SRSF Eq. 5 with cost = eta / b.
 *
 * Only the fluids of the first level with any count: those of later levels wait. Streams are
 * counted, not jobs: k is Eq. 5's number of communication tasks where each has one stream at the
 * port, as rings do.
 */
class FluidContention
{
  public:
    /**
     * \param ports by index, with their full capacities
     * \param cost eta over b, not negative
     */
    FluidContention(std::vector<FluidPort> ports, double cost);

    /**
     * Give the ports that are used the capacities that are left. O(ports + hops of all paths)
     *
     * \param paths of all streams that have something to send
     * \param allocator of the same ports
     */
    void Apply(const FluidPaths& paths, FluidAllocator& allocator);

  private:
    /** Who shares a port. */
    struct Sharers
    {
        uint32_t level{0};   //!< the first one with a stream
        uint32_t streams{0}; //!< of that level
    };

    std::vector<FluidPort> m_ports;
    double m_cost;
    std::vector<Sharers> m_sharers; //!< by port
};

} // namespace ns3::ddl

#endif // DDL_FLUID_CONTENTION_H
