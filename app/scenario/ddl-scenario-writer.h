// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_WRITER_H
#define DDL_SCENARIO_WRITER_H

#include "app/json/ddl-keys.h"

#include "ns3/ddl-scenario.h"

#include <string>

namespace ns3::ddl
{

/**
 * \param scenario a valid scenario
 * \return the scenario as JSON text with every key written out; reading it gives the same scenario
 *         again. Equal scenarios give equal bytes
 */
std::string FormatScenario(const Scenario& scenario);

/** \return text of scenarios/scenario.schema.json: the JSON schema of scenarios, for editors */
std::string FormatScenarioSchema();

/** \return tables of all keys of a scenario, by path, and of attributes, by family of policies */
KeyTables ListScenarioKeys();

} // namespace ns3::ddl

#endif // DDL_SCENARIO_WRITER_H
