// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_DOCUMENT_H
#define DDL_SCENARIO_DOCUMENT_H

#include "app/json/ddl-json-document.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Open a scenario and the scenarios that it extends (`"extends": "grouper-testbed"`). Each is laid
 * over the one that it extends, by the rule of JsonDocument. Names and descriptions of the
 * extended ones are left out. A path in `extends` starts from the folder of the file that has it.
 *
 * \param scenario path or name, as FindScenarioFile takes it
 * \param diagnostics gets complaints about `extends`
 * \throws InputError when a file is missing, or is not JSON
 */
JsonDocument OpenScenario(const std::string& scenario, std::vector<Diagnostic>& diagnostics);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_DOCUMENT_H
