// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHECK_SCENARIO_H
#define DDL_CHECK_SCENARIO_H

#include "ns3/ddl-scenario-reader.h"

#include <chrono>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What `./ddl check` is asked. */
struct CheckRequest
{
    std::vector<std::string> plugins; //!< to load first
    ScenarioRequest scenario;
};

/**
 * Read a scenario, however long that takes, and print on stderr what is wrong, or is probably not
 * meant.
 *
 * \return exit status: 0, or 2 if it is wrong
 */
int CheckQuietly(const CheckRequest& request);

/**
 * Read a scenario, as above, and try it: what it would be and cost is printed on stdout.
 *
 * Whatever the scenario, the answer comes by the deadline: what is not known by then is said.
 *
 * \param request what is checked
 * \param deadline by the wall clock
 * \return exit status: 0, 1 if the scenario was not read by then, or 2 if it is wrong
 */
int CheckScenario(const CheckRequest& request, std::chrono::steady_clock::time_point deadline);

} // namespace ns3::ddl

#endif // DDL_CHECK_SCENARIO_H
