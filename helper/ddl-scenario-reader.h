// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_READER_H
#define DDL_SCENARIO_READER_H

#include "ddl-scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Which scenario is to be read, and what overrides its keys. */
struct ScenarioRequest
{
    std::string scenario;                //!< path, or name of a folder in scenarios/
    std::vector<std::string> settings{}; //!< of --set: "PATH=VALUE" each; later ones win
    std::vector<std::string>
        variations{};                  //!< of a comparison's --vary: likewise, over the settings
    std::optional<std::string> seed{}; //!< of --seed: likewise, over both
};

/**
 * Read a scenario: the file, the scenarios that it extends, presets and overrides; then check it.
 *
 * \param request which scenario, and its overrides
 * \return the scenario, valid
 * \throws InputError with everything that is wrong, each with its place
 */
Scenario ReadScenario(const ScenarioRequest& request);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_READER_H
