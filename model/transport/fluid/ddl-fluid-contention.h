// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_CONTENTION_H
#define DDL_FLUID_CONTENTION_H

#include <cstddef>

namespace ns3::ddl
{

/**
 * Loss of a port's capacity when several fluids share it: k fluids get k / (k + (k - 1) cost) of
 * it. That is T = k b M + (k - 1) eta M of Ada-SRSF Eq. 5 with cost = eta / b.
 *
 * Only the fluids of the first level with any count, since those of later levels wait. Streams are
 * counted, not jobs: k is Eq. 5's number of communication tasks where each task has one stream at
 * the port, as rings do.
 */
class FluidContention
{
  public:
    /** Sharing costs nothing. */
    FluidContention() = default;

    /** \param cost eta over b, not negative */
    explicit FluidContention(double cost)
        : m_cost(cost)
    {
    }

    /** \return whether sharing costs anything */
    bool HasCost() const
    {
        return m_cost > 0;
    }

    /** \return the part of its capacity that a port keeps. \param sharers streams of its first
     * level
     */
    double GetPart(std::size_t sharers) const
    {
        const auto k = static_cast<double>(sharers);
        return sharers > 0 ? k / (k + (k - 1) * m_cost) : 1;
    }

  private:
    double m_cost{0};
};

} // namespace ns3::ddl

#endif // DDL_FLUID_CONTENTION_H
