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
 * k counts only the fluids of the first level that has any, since later levels wait. It counts
 * streams, not jobs: k is Eq. 5's number of communication tasks where each task has one stream at
 * the port, as with rings.
 */
class FluidContention
{
  public:
    /** Without arguments, sharing costs nothing. */
    FluidContention() = default;

    /** \param cost the ratio eta / b of Eq. 5, not negative */
    explicit FluidContention(double cost)
        : m_cost(cost)
    {
    }

    /** \return whether sharing costs anything */
    bool HasCost() const
    {
        return m_cost > 0;
    }

    /** \return the fraction of its capacity that a port keeps, 0 to 1. \param sharers number of
     * streams of its first level */
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
