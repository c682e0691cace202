// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_SCHEMA_H
#define DDL_SCENARIO_SCHEMA_H

#include <string>

namespace ns3::ddl
{

/** \return scenarios/scenario.schema.json: the JSON schema of scenarios, from which editors
 * complete
 */
std::string FormatScenarioSchema();

/**
 * Write the tables of keys in a page of the documentation anew. They stand between the lines
 * `<!-- keys of PATH -->`, "cluster.topology" for instance, "scenario" for the root, or the family
 * of a policy, "network-scheduler", and `<!-- end of keys -->`.
 *
 * \param page text in Markdown
 * \return the page with tables of the keys that there are now
 * \throws InputError when nothing has that path
 */
std::string RenewKeyTables(const std::string& page);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_SCHEMA_H
