// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-home.h"

#include "app/json/ddl-json-document.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-version.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

constexpr int LIBRARY_LEVELS = 3; //!< most folders below PREFIX: lib/ARCHITECTURE/ns3

/** \return true if a folder has scenarios/, so that it can be the home */
bool
HasScenarios(const fs::path& folder)
{
    std::error_code failure;
    return fs::is_directory(folder / "scenarios", failure);
}

/**
 * \return PREFIX/share/ddl if the library was installed in PREFIX, else "". PREFIX follows from the
 *         path of the library, since it is chosen after the build, and an installation can be moved
 */
fs::path
FindInstalledHome()
{
    Dl_info self{};
    if (!dladdr(reinterpret_cast<const void*>(&GetVersion), &self) || !self.dli_fname)
    {
        return "";
    }
    std::error_code failure;
    fs::path folder = fs::weakly_canonical(self.dli_fname, failure);
    for (int level = 0; level < LIBRARY_LEVELS; ++level)
    {
        folder = folder.parent_path();
        if (HasScenarios(folder.parent_path() / "share" / "ddl"))
        {
            return folder.parent_path() / "share" / "ddl";
        }
    }
    return "";
}

fs::path
ScenarioFolder()
{
    return fs::path(GetHome()) / "scenarios";
}

fs::path
PresetFolder(PresetKind kind)
{
    return ScenarioFolder() / (GetPresetKey(kind) + "s");
}

std::vector<std::string>
Names(const std::vector<NamedItem>& items)
{
    std::vector<std::string> names;
    for (const auto& item : items)
    {
        names.push_back(item.name);
    }
    return names;
}

void
SortByName(std::vector<NamedItem>& items)
{
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
}

/** \return the "description" of a scenario, or a text on what is wrong with the file */
std::string
DescribeScenario(const std::string& file)
{
    try
    {
        const auto document = JsonDocument::ParseFile(file);
        const auto& root = document.GetRoot();
        return root.is_object() && root.contains("description") && root["description"].is_string()
                   ? root["description"].get<std::string>()
                   : "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

std::string
GetHome()
{
    const char* home = std::getenv("DDL_HOME");
    if (home && *home)
    {
        return home;
    }
    const fs::path installed = FindInstalledHome();
    if (!installed.empty())
    {
        return installed.string();
    }
#ifdef DDL_DATA_FOLDER // the source folder, for programs that run where they were built
    if (HasScenarios(DDL_DATA_FOLDER))
    {
        return DDL_DATA_FOLDER;
    }
#endif
    return ".";
}

std::string
FindScenarioFile(const std::string& scenario, const std::string& folder)
{
    const fs::path given = fs::path(folder) / scenario;
    if (!scenario.empty() && CanBeRead(given.string()))
    {
        return given.string();
    }
    for (const auto& place : {given, ScenarioFolder() / scenario})
    {
        if (!scenario.empty() && CanBeRead((place / "scenario.json").string()))
        {
            return (place / "scenario.json").string();
        }
    }
    const auto names = Names(ListScenarios());
    throw InputError("there is no scenario " + QuoteText(scenario) + " (a JSON file, or one of " +
                     JoinNames(names) + ")" + SuggestName(scenario, names));
}

bool
CanBeRead(const std::string& path)
{
    std::error_code failure;
    return fs::exists(path, failure) && !fs::is_directory(path, failure);
}

std::string
GetPresetKey(PresetKind kind)
{
    return kind == PresetKind::CLUSTER ? "cluster" : "scheduler";
}

std::string
FindPresetFile(PresetKind kind, const std::string& name)
{
    const bool plain = name.find_first_of("/\\") == std::string::npos;
    const auto file = PresetFolder(kind) / (name + ".json");
    std::error_code failure;
    return plain && fs::is_regular_file(file, failure) ? file.string() : "";
}

std::vector<NamedItem>
ListScenarios()
{
    std::vector<NamedItem> items;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(ScenarioFolder(), failure))
    {
        const auto file = entry.path() / "scenario.json";
        if (fs::is_regular_file(file, failure))
        {
            items.push_back({entry.path().filename().string(), DescribeScenario(file.string())});
        }
    }
    SortByName(items);
    return items;
}

std::vector<NamedItem>
ListPresets(PresetKind kind)
{
    std::vector<NamedItem> items;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(PresetFolder(kind), failure))
    {
        if (entry.path().extension() != ".json")
        {
            continue;
        }
        std::string line;
        std::ifstream file(entry.path());
        std::getline(file, line);
        const auto text = line.find_first_not_of("/ ");
        items.push_back(
            {entry.path().stem().string(), text == std::string::npos ? "" : line.substr(text)});
    }
    SortByName(items);
    return items;
}

} // namespace ns3::ddl
