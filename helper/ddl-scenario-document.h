// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_DOCUMENT_H
#define DDL_SCENARIO_DOCUMENT_H

#include "ddl-json-document.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * Open a scenario, and put the scenarios that it extends (`"extends": "grouper-testbed"`) under
 * what it says itself, as JsonDocument::FillIn does; all but their names and descriptions.
 *
 * \param scenario as FindScenarioFile takes it
 * \param diagnostics where complaints about `extends` are added
 * \throws InputError when a file is not there, or not JSON
 */
JsonDocument OpenScenario(const std::string& scenario, std::vector<Diagnostic>& diagnostics);

/**
 * \param scenario as FindScenarioFile takes it
 * \return its file, and those of the scenarios that it extends, as far as they are found
 */
std::vector<std::string> ListScenarioFiles(const std::string& scenario);

} // namespace ddl
} // namespace ns3

#endif // DDL_SCENARIO_DOCUMENT_H
