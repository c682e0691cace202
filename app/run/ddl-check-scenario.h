// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHECK_SCENARIO_H
#define DDL_CHECK_SCENARIO_H

#include "ns3/ddl-scenario-reader.h"

#include <chrono>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A scenario that `./ddl check` checks. */
struct CheckRequest
{
    std::vector<std::string> plugins; //!< paths of plugins to load first
    ScenarioRequest scenario;
};

/**
 * Read a scenario, however long that takes, and print on stderr what is wrong, or is probably not
 * meant.
 *
 * \return exit status: 0, or 2 if the scenario is wrong
 */
int CheckQuietly(const CheckRequest& request);

/**
 * Read a scenario as CheckQuietly() does, and try it. Its size and cost are printed on stdout.
 *
 * The answer comes by the deadline, and says what is not known by then.
 *
 * \param request scenario to check
 * \param deadline time on the wall clock
 * \return exit status: 0, 1 if the scenario was not read by then, or 2 if it is wrong
 */
int CheckScenario(const CheckRequest& request, std::chrono::steady_clock::time_point deadline);

} // namespace ns3::ddl

#endif // DDL_CHECK_SCENARIO_H
