// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCALE_H
#define DDL_SCALE_H

#include "ddl-scenario.h"

namespace ns3
{
namespace ddl
{

/**
 * Shrink the work, so that the ratio of communication to computation stays what it is. With model
 * scale m and iteration scale i: message bytes and compute times times m (at least 1 byte),
 * iteration counts times i (rounded, at least 1); arrivals, scheduling periods, failures of links
 * and beginning and end of background flows times m i. Rates, delays, MTU, timeouts, control
 * messages and the limits of "stop" stay.
 *
 * What the generator or the trace will give is scaled when it is given.
 *
 * \param scenario as the user gave it
 * \return the same with the scale applied and set to 1
 */
Scenario ApplyScale(const Scenario& scenario);

/** The same for one cojob or plain job. */
void ScaleGroup(CojobSpec& group, const ScaleSpec& scale);

} // namespace ddl
} // namespace ns3

#endif // DDL_SCALE_H
