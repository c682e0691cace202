// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_PROGRESS_H
#define DDL_FLUID_PROGRESS_H

#include "ddl-fluid-fifo.h"

#include <cstdint>
#include <limits>

namespace ns3::ddl
{

/**
 * The position of a fluid stream, without rounding: a whole number of 2^-60 bytes, as is the rate
 * per time step, so that any number of rate changes adds up exactly.
 *
 * Invariants: the position never falls and never passes the goal; times given never fall.
 */
class FluidProgress
{
  public:
    /** A number of bytes, times 2^60. */
    __extension__ using Amount = unsigned __int128;

    static constexpr int FRACTION_BITS = 60;
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /** \param bytes total bytes to send since the start; not less than before */
    void SetGoal(uint64_t bytes);

    /**
     * Change the rate.
     * \param bytesPerStep new rate, bytes per time step, not negative; rounded down to 2^-60
     * \param now present time, time steps
     * \param memory time back from now for which GetPassed can answer, time steps
     */
    void SetRate(double bytesPerStep, int64_t now, int64_t memory);

    /** Advance the position to a moment. \return bytes times 2^60 that left since the last call */
    Amount Advance(int64_t now);

    /** \return whether a byte, counted from 1, has left at the moment of the last Advance */
    bool HasPassed(uint64_t byte) const;
    /** \return the first time step at which a byte will have left at this rate, or NEVER */
    int64_t PredictPassing(uint64_t byte) const;
    /** \return whole bytes that had left at a moment that is within the memory */
    uint64_t GetPassed(int64_t when) const;

  private:
    /** Time, position and new rate at a change of the rate. */
    struct Knot
    {
        int64_t time{0};
        Amount position{0};
        Amount rate{0}; //!< bytes times 2^60 per time step
    };

    Amount m_goal{0};
    Amount m_position{0};
    int64_t m_now{0};        //!< time of m_position, time steps
    Knot m_last;             //!< the latest change of the rate
    FluidFifo<Knot> m_knots; //!< earlier changes within the memory
};

} // namespace ns3::ddl

#endif // DDL_FLUID_PROGRESS_H
