// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SCENARIO_H
#define DDL_RUN_SCENARIO_H

#include "ns3/ddl-scenario.h"

#include <string>

namespace ns3::ddl
{

/** Where a run writes its results, and whether it prints anything. */
struct RunOptions
{
    std::string folder; //!< of results; "" for results/NAME
    bool quiet{false};  //!< no progress, no table
};

/**
 * Run a scenario from beginning to end: simulate, run its parts alone, write the files, draw the
 * figures, print the table. Ctrl-C ends it early with all that is known by then.
 *
 * The runs alone happen in copies of the calling process (fork), so that they know whatever it
 * knows: policies of its own, plugins, changed attribute defaults. The copies have no other thread
 * of it, and never return from here. The simulator must be the caller's to give: none of its own
 * simulations may be under way.
 *
 * \param scenario what to run
 * \param options how
 * \return exit status: 0 all work was done, 1 some was left over or something failed, 130
 *         interrupted
 * \throws RunError when results cannot be written
 */
int RunScenario(const Scenario& scenario, const RunOptions& options);

} // namespace ns3::ddl

#endif // DDL_RUN_SCENARIO_H
