// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-home.h"

#include "ddl-json-document.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace ns3
{
namespace ddl
{

namespace
{

fs::path
ScenarioFolder()
{
    return fs::path(GetHome()) / "scenarios";
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

/** \return "description" of a scenario, or what is wrong with the file */
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
#ifdef DDL_DATA_FOLDER
    std::error_code failure;
    if (fs::is_directory(fs::path(DDL_DATA_FOLDER) / "scenarios", failure))
    {
        return DDL_DATA_FOLDER;
    }
#endif
    return ".";
}

std::string
FindScenarioFile(const std::string& scenario)
{
    std::error_code failure;
    const fs::path given(scenario);
    if (fs::is_regular_file(given, failure))
    {
        return given.string();
    }
    for (const auto& folder : {given, ScenarioFolder() / given})
    {
        if (!scenario.empty() && fs::is_regular_file(folder / "scenario.json", failure))
        {
            return (folder / "scenario.json").string();
        }
    }
    const auto names = Names(ListScenarios());
    const auto nearest = NearestName(scenario, names);
    throw InputError("there is no scenario \"" + scenario + "\" (a JSON file, or one of " +
                     JoinNames(names) + ")" +
                     (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

std::string
FindClusterFile(const std::string& name)
{
    const bool plain = name.find_first_of("/\\") == std::string::npos;
    const auto file = ScenarioFolder() / "clusters" / (name + ".json");
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
ListClusters()
{
    std::vector<NamedItem> items;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(ScenarioFolder() / "clusters", failure))
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

} // namespace ddl
} // namespace ns3
