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
    std::string folder;        //!< folder of the results; "": results/NAME
    bool quiet{false};         //!< print neither progress nor table
    std::string shownFolder{}; //!< name that the folder will have, for the table; "": its own
};

/**
 * Run a scenario from beginning to end: simulate, run its parts alone, write the files, draw the
 * figures, print the table. Ctrl-C ends it early; the results up to then are written.
 *
 * The runs alone are made in copies of the calling process (fork). So they have the caller's own
 * policies, plugins and changed attribute defaults. A copy has no other thread of the caller, and
 * never returns from here. A process has one simulator: the caller must not be in a simulation of
 * its own.
 *
 * \return exit status: 0 if all work was done, 1 if some was left over or something failed, 130 if
 *         the run was interrupted
 * \throws RunError when results cannot be written
 */
int RunScenario(const Scenario& scenario, const RunOptions& options);

} // namespace ns3::ddl

#endif // DDL_RUN_SCENARIO_H
