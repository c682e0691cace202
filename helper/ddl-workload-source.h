// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WORKLOAD_SOURCE_H
#define DDL_WORKLOAD_SOURCE_H

#include "ddl-scenario.h"

#include "ns3/ddl-cojob-source.h"

#include <functional>
#include <memory>

namespace ns3
{
namespace ddl
{

/**
 * \param workload whose generator or trace is to be followed
 * \return what it gives, scaled by the workload's sourceScale; null if there is neither
 */
std::unique_ptr<CojobSource> MakeCojobSource(const WorkloadSpec& workload);

/**
 * Visit all that there is to do, one by one: what is written out, then what the generator or the
 * trace gives, with each cojob its successors, as if each came at the time of the one before. Sets
 * the seed of ns-3's random numbers.
 */
void VisitWorkload(const Scenario& scenario, const std::function<void(const CojobSpec&)>& visit);

/**
 * The same, but of a generator or a trace no more than its first part.
 *
 * \param most groups of the generator or the trace that are visited
 * \return how many times as much as was visited of them there is, 1 when all of it was
 */
double VisitSample(const Scenario& scenario,
                   uint64_t most,
                   const std::function<void(const CojobSpec&)>& visit);

/** \return the scenario with all that there is to do written out, and nothing generated or traced
 */
Scenario WriteOutWorkload(const Scenario& scenario);

} // namespace ddl
} // namespace ns3

#endif // DDL_WORKLOAD_SOURCE_H
