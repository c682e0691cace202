// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_PROBLEM_H
#define DDL_FLUID_PROBLEM_H

#include "ns3/ddl-queue-scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace ddl
{

/** An egress port as fluids see it. */
struct FluidPort
{
    double capacity{0}; //!< of payload, in any unit of rate, not negative
    QueueShares shares; //!< levels and weights of its queues
};

/** A queue that a fluid passes. */
struct FluidHop
{
    uint32_t port{0};  //!< index of the port
    uint32_t queue{0}; //!< of that port
};

/** The queues that a fluid passes, in order; a port at most once. */
using FluidPath = std::vector<FluidHop>;

/** The paths of fluids that want as much as they can get. */
using FluidPaths = std::vector<const FluidPath*>;

} // namespace ddl
} // namespace ns3

#endif // DDL_FLUID_PROBLEM_H
