// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_DOCUMENT_H
#define DDL_SCENARIO_DOCUMENT_H

#include "app/json/ddl-json-document.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Open a scenario, laid over the scenarios that it extends (`"extends": "grouper-testbed"`), the
 * nearest uppermost, as JsonDocument does it; their names and descriptions are left out. A path in
 * `extends` starts from the folder of the file that says it.
 *
 * \param scenario as FindScenarioFile takes it
 * \param diagnostics where complaints about `extends` are added
 * \throws InputError when a file is not there, or not JSON
 */
JsonDocument OpenScenario(const std::string& scenario, std::vector<Diagnostic>& diagnostics);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_DOCUMENT_H
