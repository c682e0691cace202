// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HOME_H
#define DDL_HOME_H

#include <string>
#include <vector>

namespace ns3::ddl
{

/** Something with a name and one line about it. */
struct NamedItem
{
    std::string name;
    std::string summary;
};

/**
 * \return the folder that holds scenarios/ and the presets in it: the environment variable
 *         DDL_HOME, else share/ddl of where the module is installed, else the source folder from
 *         which it was built, else the current folder
 */
std::string GetHome();

/**
 * \param scenario path of a JSON file, path of a folder with a scenario.json, or the name of a
 *        folder below scenarios/
 * \param folder where relative paths start from; "" for the current folder
 * \return path of the JSON file
 * \throws InputError with the nearest name when there is no such scenario
 */
std::string FindScenarioFile(const std::string& scenario, const std::string& folder = "");

/** \return true for files, and for pipes and devices, that are there; false for folders */
bool CanBeRead(const std::string& path);

/** Keys of a scenario whose value may be the name of a preset. */
enum class PresetKind
{
    CLUSTER,
    SCHEDULER
};

/** \return the key of such presets: "cluster", "scheduler" */
std::string GetPresetKey(PresetKind kind);

/**
 * \param name of a file below scenarios/clusters/ or scenarios/schedulers/, without .json
 * \return its path, or "" when there is none
 */
std::string FindPresetFile(PresetKind kind, const std::string& name);

/** \return scenarios by name, with their descriptions */
std::vector<NamedItem> ListScenarios();

/** \return presets by name, with the comment on their first line */
std::vector<NamedItem> ListPresets(PresetKind kind);

} // namespace ns3::ddl

#endif // DDL_HOME_H
