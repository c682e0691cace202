// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-summary.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"

#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <fstream>

namespace ns3::ddl
{

namespace
{

using SummaryJson = nlohmann::ordered_json;

SummaryJson
ReadObject(const std::string& path)
{
    SummaryJson json = ReadJsonFile(path);
    if (!json.is_object())
    {
        throw InputError(
            {{path,
              "",
              std::filesystem::exists(path) ? "is not a JSON object"
                                            : "cannot be read (is this a folder of results?)"}});
    }
    return json;
}

std::string
GetString(const SummaryJson& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/** \return text of a run's scale: "model M, iterations I" */
std::string
DescribeScale(const SummaryJson& json)
{
    std::string text;
    const SummaryJson scale = json.value("scale", SummaryJson::object());
    for (const char* key : {"model", "iterations"})
    {
        if (scale.contains(key) && scale[key].is_number())
        {
            text += (text.empty() ? "" : ", ") + std::string(key) + " " +
                    FormatReal(scale[key].get<double>());
        }
    }
    return text;
}

/** \return all numbers in a JSON value by their paths: "makespan_s", "sct_s/mean" */
std::map<std::string, double>
ListNumbers(const SummaryJson& json)
{
    std::map<std::string, double> numbers;
    const SummaryJson flat = json.flatten();
    for (const auto& [pointer, value] : flat.items())
    {
        if (value.is_number() && !pointer.empty())
        {
            numbers[pointer.substr(1)] = value.get<double>();
        }
    }
    return numbers;
}

/** \return true if each file that a summary lists has the size that it lists */
bool
AreFilesWhole(const SummaryJson& json, const std::string& folder)
{
    const SummaryJson files = json.value("files", SummaryJson::object());
    for (const auto& [name, size] : files.items())
    {
        std::error_code failure;
        if (!size.is_number_unsigned() ||
            std::filesystem::file_size(folder + "/" + name, failure) != size.get<uint64_t>())
        {
            return false; // file_size() gives the greatest number if it fails
        }
    }
    return true;
}

} // namespace

nlohmann::ordered_json
ReadJsonFile(const std::filesystem::path& path)
{
    std::ifstream file(path);
    auto json = nlohmann::ordered_json::parse(file, nullptr, false);
    return json.is_discarded() ? nlohmann::ordered_json() : json;
}

RunSummary::RunSummary(const std::string& folder)
{
    const std::string path = folder + "/summary.json";
    const SummaryJson json = ReadObject(path);
    name = GetString(json, "name");
    status = GetString(json, "status");
    hasFailures = !json.value("failures", SummaryJson::array()).empty();
    hasFiles = AreFilesWhole(json, folder);
    scale = json.contains("scale") && json["scale"].is_object() ? DescribeScale(json) : "";
    const SummaryJson scenario = json.value("scenario", SummaryJson::object());
    const auto kind = scenario.find("transport");
    transport = kind != scenario.end() && kind->is_object() ? GetString(*kind, "kind") : "";
    const auto measured = json.find("metrics");
    if (measured == json.end() || !measured->is_object())
    {
        throw InputError({{path, "/metrics", "is missing"}});
    }
    metrics = ListNumbers(*measured);
    for (const std::string section : {"estimates", "timers"})
    {
        for (const auto& [path, number] : ListNumbers(json.value(section, SummaryJson())))
        {
            metrics[section + "." + boost::replace_all_copy(path, "/", ".")] = number;
        }
    }
    const std::string end = "/error";
    for (const std::string section : {"sampling", "leaps"})
    {
        const SummaryJson::json_pointer stated("/" + section + "/errors");
        for (const auto& [path, number] : ListNumbers(json.value(stated, SummaryJson())))
        {
            if (boost::ends_with(path, end))
            {
                errors[path.substr(0, path.size() - end.size())] = number;
            }
        }
    }
}

std::optional<double>
RunSummary::GetMetric(const std::string& metric, const std::string& statistic) const
{
    for (const auto& key : {metric, metric + "/" + statistic})
    {
        const auto found = metrics.find(key);
        if (found != metrics.end())
        {
            return found->second;
        }
    }
    return std::nullopt;
}

std::optional<double>
RunSummary::GetError(const std::string& metric, const std::string& statistic) const
{
    const auto found = errors.find(metric + "/" + statistic);
    return found != errors.end() ? std::make_optional(found->second) : std::nullopt;
}

bool
HoldsResults(const std::filesystem::path& folder)
{
    try
    {
        const RunSummary summary(folder.string());
        return summary.status == "done" && summary.hasFiles;
    }
    catch (const InputError&)
    {
        return false;
    }
}

} // namespace ns3::ddl
