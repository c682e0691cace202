// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HOME_H
#define DDL_HOME_H

#include <string>
#include <vector>

namespace ns3::ddl
{

/** A name, and one line about what it names. */
struct NamedItem
{
    std::string name;
    std::string summary;
};

/**
 * \return the folder that holds scenarios/ and the presets in it: the environment variable
 *         DDL_HOME, else share/ddl below the prefix of the installed module, else the source folder
 *         from which it was built, else the current folder
 */
std::string GetHome();

/**
 * \param scenario path of a JSON file, path of a folder with a scenario.json, or the name of a
 *        folder below scenarios/
 * \param folder folder that relative paths start from; "": the current folder
 * \return path of the JSON file
 * \throws InputError with the nearest name when there is no such scenario
 */
std::string FindScenarioFile(const std::string& scenario, const std::string& folder = "");

/** \return true if a path is an existing file, pipe or device; false for a folder */
bool CanBeRead(const std::string& path);

/** Keys of a scenario whose value may be the name of a preset. */
enum class PresetKind
{
    CLUSTER,
    SCHEDULER
};

/** \return the key that a kind of presets is for: "cluster", "scheduler" */
std::string GetPresetKey(PresetKind kind);

/**
 * \param name name of a file below scenarios/clusters/ or scenarios/schedulers/, without .json
 * \return path of the file, or "" when there is none
 */
std::string FindPresetFile(PresetKind kind, const std::string& name);

/** \return names of the scenarios, sorted, with their descriptions */
std::vector<NamedItem> ListScenarios();

/** \return names of the presets, sorted, with the comment on the first line of each */
std::vector<NamedItem> ListPresets(PresetKind kind);

} // namespace ns3::ddl

#endif // DDL_HOME_H
