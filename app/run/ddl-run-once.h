// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_ONCE_H
#define DDL_RUN_ONCE_H

#include "ddl-run-scenario.h"

namespace ns3::ddl
{

/**
 * Run a scenario unless the folder holds the complete results of this very run (see IdentifyRun).
 * The run writes to a folder of its own beside it, `.NAME.part-HOST-PROCESS`, which gets the name
 * at the end. So the results are there in full or not at all, also if two machines that share the
 * file system carry out the same run at the same time, and no lock is needed.
 *
 * \param scenario scenario to run
 * \param options the folder, and whether anything is printed
 * \return exit status, as RunScenario() gives it; 0 if nothing had to be run. After an interruption
 *         nothing is kept
 * \throws RunError when results cannot be written
 */
int RunOnce(const Scenario& scenario, const RunOptions& options);

} // namespace ns3::ddl

#endif // DDL_RUN_ONCE_H
