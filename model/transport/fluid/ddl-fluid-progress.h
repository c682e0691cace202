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
    /** Bytes times 2^60. */
    __extension__ using Amount = unsigned __int128;

    static constexpr int FRACTION_BITS = 60;
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /** \param bytes to be sent in all, from now on; not less than before */
    void SetGoal(uint64_t bytes);

    /**
     * Go on at another rate.
     * \param bytesPerStep not negative, rounded down to 2^-60
     * \param now time steps
     * \param memory how far back GetPassed may be asked for, time steps
     */
    void SetRate(double bytesPerStep, int64_t now, int64_t memory);

    /** Come to a moment. \return how far the fluid moved since it was moved last */
    Amount Advance(int64_t now);

    /** \return whether a byte, counted from 1, has left, at the moment of the last Advance */
    bool HasPassed(uint64_t byte) const;
    /** \return the first time step at which a byte will have left, at this rate; or NEVER */
    int64_t PredictPassing(uint64_t byte) const;
    /** \return whole bytes that had left at a moment that is within the memory */
    uint64_t GetPassed(int64_t when) const;

  private:
    /** Where the fluid was when its rate changed. */
    struct Knot
    {
        int64_t time{0};
        Amount position{0};
        Amount rate{0}; //!< per time step
    };

    Amount m_goal{0};
    Amount m_position{0};
    int64_t m_now{0};        //!< of the position
    Knot m_last;             //!< holds now
    FluidFifo<Knot> m_knots; //!< those before it that may still be asked for
};

} // namespace ns3::ddl

#endif // DDL_FLUID_PROGRESS_H
