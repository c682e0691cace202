// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-document.h"

#include "ddl-home.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <filesystem>

namespace ns3::ddl
{

namespace
{

const char* const EXTENDS = "extends";
const char* const EXTENDS_POINTER = "/extends";

/** \return the scenario that a document extends, "" if it extends none */
std::string
GetBase(const JsonDocument& document)
{
    const Json& root = document.GetRoot();
    const bool isThere = root.is_object() && root.contains(EXTENDS);
    return isThere && root[EXTENDS].is_string() ? root[EXTENDS].get<std::string>() : "";
}

/** Add a file to the list. \return false if the list has it: then a scenario extends itself */
bool
Note(std::vector<std::string>& files, const std::string& file)
{
    std::error_code failure;
    const std::string path = std::filesystem::weakly_canonical(file, failure).string();
    const bool isNew = std::find(files.begin(), files.end(), path) == files.end();
    files.push_back(path);
    return isNew;
}

/** Complain about an `extends` that is no string, and about a base that is no object. */
void
CheckForm(const JsonDocument& document, bool isBase, std::vector<Diagnostic>& diagnostics)
{
    const Json& root = document.GetRoot();
    if (root.is_object() && root.contains(EXTENDS) && !root[EXTENDS].is_string())
    {
        diagnostics.push_back(
            {document.Where(EXTENDS_POINTER),
             EXTENDS_POINTER,
             "must be the name of a scenario, is " + DescribeJson(root[EXTENDS])});
    }
    if (isBase && !root.is_object())
    {
        diagnostics.push_back(
            {document.Where(""), "", "must be an object, is " + DescribeJson(root)});
    }
}

/** \return documents of a scenario, and of those that it extends, as far as they can be read */
std::vector<JsonDocument>
OpenAll(const std::string& scenario, std::vector<Diagnostic>& diagnostics)
{
    std::vector<std::string> files;
    const std::string file = FindScenarioFile(scenario);
    Note(files, file);
    std::vector<JsonDocument> documents{JsonDocument::ParseFile(file)};
    CheckForm(documents.front(), false, diagnostics);
    for (std::string base = GetBase(documents.back()); !base.empty();
         base = GetBase(documents.back()))
    {
        const JsonDocument& above = documents.back();
        const std::string where = above.Where(EXTENDS_POINTER);
        try
        {
            const std::string next = FindScenarioFile(base, above.GetFolder(EXTENDS_POINTER));
            if (!Note(files, next))
            {
                throw InputError(QuoteText(base) + " extends this scenario itself");
            }
            documents.push_back(JsonDocument::ParseFile(next));
            CheckForm(documents.back(), true, diagnostics);
        }
        catch (const InputError& error)
        {
            for (const auto& complaint : error.GetDiagnostics())
            {
                diagnostics.push_back(complaint.where.empty()
                                          ? Diagnostic{where, EXTENDS_POINTER, complaint.what}
                                          : complaint);
            }
            break;
        }
    }
    return documents;
}

} // namespace

JsonDocument
OpenScenario(const std::string& scenario, std::vector<Diagnostic>& diagnostics)
{
    std::vector<JsonDocument> documents = OpenAll(scenario, diagnostics);
    JsonDocument document = documents.back();
    documents.pop_back();
    while (!documents.empty())
    {
        for (const char* own : {"/$schema", "/name", "/description", EXTENDS_POINTER})
        {
            document.Erase(own);
        }
        document.LayOver(documents.back());
        documents.pop_back();
    }
    return document;
}

} // namespace ns3::ddl
