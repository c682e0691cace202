// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_WRITER_H
#define DDL_SCENARIO_WRITER_H

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

/**
 * Renew the tables of keys in a page of the documentation (RenewParts). They stand between the
 * lines `<!-- keys of PATH -->`, "cluster.topology" for instance, "scenario" for the root, or the
 * family of a policy, "network-scheduler", and `<!-- end of keys -->`.
 *
 * \param page text in Markdown
 * \return the page with tables of the present keys
 * \throws InputError when a PATH is that of nothing
 */
std::string RenewKeyTables(const std::string& page);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_WRITER_H
