// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_READER_H
#define DDL_SCENARIO_READER_H

#include "ddl-scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A scenario to read, and overrides of its keys. */
struct ScenarioRequest
{
    std::string scenario;                  //!< path, or name of a folder below scenarios/
    std::vector<std::string> settings{};   //!< overrides "PATH=VALUE" of --set; later ones win
    std::vector<std::string> variations{}; //!< overrides of a comparison's --vary, over settings
    std::optional<std::string> seed{};     //!< override of the seed by --seed, over all others
};

/**
 * Read a scenario: the file, the scenarios that it extends, presets and overrides; then check it.
 *
 * \param request the scenario, and overrides of its keys
 * \return the scenario, which is valid
 * \throws InputError with everything that is wrong, each with its place
 */
Scenario ReadScenario(const ScenarioRequest& request);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_READER_H
