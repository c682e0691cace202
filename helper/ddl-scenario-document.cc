// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-document.h"

#include "ddl-home.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <filesystem>

namespace ns3
{
namespace ddl
{

namespace
{

const char* const EXTENDS = "extends";

/** \return the scenario that another extends, "" if it extends none */
std::string
GetBase(const Json& root)
{
    const bool isThere = root.is_object() && root.contains(EXTENDS);
    return isThere && root[EXTENDS].is_string() ? root[EXTENDS].get<std::string>() : "";
}

/** \return what a scenario hands down: all but what is about itself */
Json
GetHeritage(const Json& root)
{
    Json heritage = root;
    for (const char* own : {"$schema", "name", "description", EXTENDS})
    {
        heritage.erase(own);
    }
    return heritage;
}

/** Note a file. \return false if it was there before: a scenario extends itself */
bool
Note(std::vector<std::string>& files, const std::string& file)
{
    std::error_code failure;
    const std::string path = std::filesystem::weakly_canonical(file, failure).string();
    const bool isNew = std::find(files.begin(), files.end(), path) == files.end();
    files.push_back(path);
    return isNew;
}

} // namespace

JsonDocument
OpenScenario(const std::string& scenario, std::vector<Diagnostic>& diagnostics)
{
    const std::string pointer = std::string("/") + EXTENDS;
    const std::string file = FindScenarioFile(scenario);
    JsonDocument document = JsonDocument::ParseFile(file);
    const Json& root = document.GetRoot();
    if (root.is_object() && root.contains(EXTENDS) && !root[EXTENDS].is_string())
    {
        diagnostics.push_back(
            {document.Where(pointer),
             pointer,
             "must be the name of a scenario, is " + DescribeJson(root[EXTENDS])});
    }
    std::vector<std::string> files;
    Note(files, file);
    std::string base = GetBase(root);
    while (!base.empty())
    {
        try
        {
            const std::string above = FindScenarioFile(base);
            if (!Note(files, above))
            {
                throw InputError("\"" + base + "\" extends this scenario itself");
            }
            const JsonDocument more = JsonDocument::ParseFile(above);
            base = GetBase(more.GetRoot());
            if (more.GetRoot().is_object())
            {
                document.FillIn("", GetHeritage(more.GetRoot()));
            }
        }
        catch (const InputError& error)
        {
            diagnostics.push_back({document.Where(pointer), pointer, error.what()});
            break;
        }
    }
    return document;
}

std::vector<std::string>
ListScenarioFiles(const std::string& scenario)
{
    std::vector<std::string> files;
    try
    {
        std::string name = scenario;
        while (!name.empty() && Note(files, FindScenarioFile(name)))
        {
            name = GetBase(JsonDocument::ParseFile(files.back()).GetRoot());
        }
    }
    catch (const InputError&)
    {
        // What cannot be read is the reader's to complain about.
    }
    return files;
}

} // namespace ddl
} // namespace ns3
