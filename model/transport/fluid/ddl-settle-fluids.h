// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SETTLE_FLUIDS_H
#define DDL_SETTLE_FLUIDS_H

#include "ddl-fluid-problem.h"

namespace ns3
{
namespace ddl
{

/** What SettleFluids found. */
struct SettledFluids
{
    std::vector<double> rates; //!< by stream; feasible
    bool isStable{true};       //!< each stream has a bottleneck, to 1e-10 of the largest capacity
};

/**
 * Rates by iteration, for what FluidAllocator cannot settle port by port. The map F of FluidOffers
 * is antitone, so F(F(0)), F(F(F(F(0))))... rises and F(0), F(F(F(0)))... falls, and every fixed
 * point lies between. Where the two meet, it is the only one; between them, the middle is moved
 * half the way to its image until it stays. Where even that finds none within a bound of steps,
 * rates are scaled down until they fit, and said not to be stable.
 *
 * \param ports all ports
 * \param paths of all streams
 * \param isFixed by stream: not 0 when its rate is given
 * \param rates given ones, 0 for the rest
 */
SettledFluids SettleFluids(const std::vector<FluidPort>& ports,
                           const FluidPaths& paths,
                           const std::vector<char>& isFixed,
                           const std::vector<double>& rates);

} // namespace ddl
} // namespace ns3

#endif // DDL_SETTLE_FLUIDS_H
